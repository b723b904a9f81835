import { makePrintable } from "../../base/printable.ts";
import { type EnvironmentSight, judgeSight } from "../../supervise/environment/judge-sight.ts";
import { describeHost } from "../../supervise/host-name.ts";

const TIERS = { 1: "import", 2: "witness", 3: "document" } as const;

/** What a target has of an environment, for people and for programs. */
export function formatSight(sight: EnvironmentSight) {
  const { contract, host, status } = sight;
  const { place, trust } = judgeSight(sight);
  const { ready } = status;
  const name = `${contract.name}@${contract.loaded.hash}`;
  const isTrusted = place !== null && trust.due.length === 0 && trust.missing === null;
  const rows: [string, string][] = [
    ["spec", contract.loaded.file],
    ["state", describeState(sight, place !== null)],
    ...(place
      ? [["python", `${place.interpreter.path} ${place.interpreter.version ?? ""}`] as [string, string]]
      : []),
    ...trust.passed.map(({ tier, message, at }): [string, string] => [
      `tier ${tier}`,
      `${TIERS[tier]}: passed ${at.slice(0, 10)}: ${message}`,
    ]),
    ...trust.due.map(({ tier, card, why }): [string, string] => [
      `tier ${tier}`,
      `${TIERS[tier]}: due${card ? ` on ${card.model} (${card.uuid})` : ""}: ${why}`,
    ]),
    ...(trust.document === "none"
      ? [["tier 3", "document: none: no command is documented"] as [string, string]]
      : []),
    ...(trust.missing
      ? [["missing", `${trust.missing.reason}. ${trust.missing.advice}`] as [string, string]]
      : []),
    ["ledger", contract.ledger.block ? contract.ledger.path : `${contract.ledger.path} (no block of it yet)`],
    ...(contract.ledger.block?.gotchas ?? []).map((text): [string, string] => ["gotcha", text]),
  ];
  return {
    isTrusted,
    lines: [
      `${name} on ${describeHost(host)}`,
      ...rows.map(([label, value]) => `  ${label.padEnd(10)}${makePrintable(value)}`),
      ...(isTrusted
        ? []
        : [`  ${"next".padEnd(10)}${place === null ? "sortie env build" : "sortie env verify"}`]),
    ],
    document: {
      environment: {
        name: contract.name,
        hash: contract.loaded.hash,
        spec: contract.loaded.file,
        owner: contract.owner,
      },
      ...{
        host,
        trusted: isTrusted,
        building: status.isBuilding,
        missing: trust.missing,
        document: trust.document,
      },
      place: place && { path: place.environment, python: place.interpreter, builtAt: ready?.builtAt ?? null },
      passed: trust.passed.map(({ tier, card, at, message }) => ({
        tier,
        gpu: card?.uuid ?? null,
        at,
        message,
      })),
      due: trust.due.map(({ tier, card, why }) => ({ tier, gpu: card?.uuid ?? null, why })),
      ...{ ledger: contract.ledger.path, warnings: contract.warnings },
    },
  };
}

/** The same where nothing has to be done. */
export function formatReady(sight: EnvironmentSight) {
  const { contract, host } = sight;
  const { place } = judgeSight(sight);
  const name = `${contract.name}@${contract.loaded.hash}`;
  return {
    lines: [
      `${name} is ready on ${describeHost(host)}: ${place?.environment ?? ""} (nothing was to be done)`,
    ],
    document: formatSight(sight).document,
  };
}

function describeState({ contract, status }: EnvironmentSight, isThere: boolean): string {
  if (contract.owner === "person")
    return isThere ? "your own: checked, never changed" : "your own: it is not there";
  if (isThere)
    return `ready in ${status.ready?.prefix} (${status.ready?.tool}), built ${status.ready?.builtAt}`;
  if (status.isBuilding) return "somebody is building it right now";
  if (status.ready !== null) return "not built since its requirement files have changed";
  const { pointer } = status;
  if (pointer === null) return "not built";
  return pointer.hash === contract.loaded.hash
    ? `not built: what was built in ${pointer.prefix} does not run any more`
    : `not built; its name stands for ${pointer.hash} still`;
}
