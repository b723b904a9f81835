import { type Row, readNumber, readText } from "./read-value.ts";

/** Where a container's sshd is reached, always as `root`. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The container's own port before the vendor's proxy, which is slower; null while there is neither. */
export function findEndpoint(instance: {
  readonly direct: Endpoint | null;
  readonly proxy: Endpoint | null;
}): (Endpoint & { readonly way: "direct" | "proxy" }) | null {
  if (instance.direct !== null) return { ...instance.direct, way: "direct" };
  return instance.proxy === null ? null : { ...instance.proxy, way: "proxy" };
}

/** `public_ipaddr`, and the port that `22/tcp` is mapped to as Docker writes it. */
export function readDirectEndpoint(row: Row): Endpoint | null {
  const { "22/tcp": mapped } = Object(row["ports"]) as Row;
  const [first] = Array.isArray(mapped) ? mapped : [];
  const { HostPort: port } = Object(first) as Row;
  return makeEndpoint(row["public_ipaddr"], readNumber(port));
}

/** `ssh_host` and `ssh_port`; beside a Jupyter server, SSH has the port after it. */
export function readProxyEndpoint(row: Row): Endpoint | null {
  const port = readNumber(row["ssh_port"]);
  const isBesideJupyter = readText(row["image_runtype"])?.includes("jupyter") ?? false;
  return makeEndpoint(row["ssh_host"], port === null ? null : port + Number(isBesideJupyter));
}

/** What is no plain host name or address is none: it becomes an argument of ssh. */
function makeEndpoint(named: unknown, port: number | null): Endpoint | null {
  const host = readText(named) ?? "";
  if (!/^[A-Za-z0-9][A-Za-z0-9.:_-]*$/.test(host)) return null;
  if (port === null || !Number.isInteger(port) || port < 1 || port > 65_535) return null;
  return { host, port };
}
