import type { KeyName } from "./keys/table.ts";
import type { IssueText } from "./section-values.ts";
import type { SshAddress } from "./ssh-address.ts";
import type { KeyValue } from "./target.ts";

type Values = ReadonlyMap<KeyName, KeyValue>;

/** The address out of `SSH` and of the keys that name its parts one by one; null where no key names a host. */
export function combineSsh(values: Values): { address: SshAddress | null; errors: IssueText[] } {
  const main = values.get("ssh") ?? values.get("ssh_host");
  if (main === undefined) return { address: null, errors: [] };
  const base = main.value as SshAddress;
  const errors: IssueText[] = [];
  const host = values.get("ssh_host");
  if (host && (host.value as SshAddress).destination !== base.destination)
    errors.push(describeConflict(host, main));
  const hostParts = host ? (host.value as SshAddress) : base;
  const port = combinePart("ssh_port", base.port ?? hostParts.port, values, main, errors);
  const user = combinePart("ssh_user", base.user ?? hostParts.user, values, main, errors);
  const identity = values.get("identity_file");
  const options = identity ? [...base.options, "-i", String(identity.value)] : base.options;
  return { address: { destination: base.destination, user, port, options }, errors };
}

function combinePart<Part extends string | number>(
  name: "ssh_port" | "ssh_user",
  inAddress: Part | null,
  values: Values,
  main: KeyValue,
  errors: IssueText[],
): Part | null {
  const own = values.get(name);
  if (own === undefined) return inAddress;
  if (inAddress !== null && own.value !== inAddress) errors.push(describeConflict(own, main));
  return own.value as Part;
}

function describeConflict(one: KeyValue, main: KeyValue): IssueText {
  const message = `${one.label} says something else than ${main.label} in line ${main.line}`;
  return { line: one.line, key: one.label, message, nearest: null };
}
