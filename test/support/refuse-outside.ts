import dns from "node:dns";
import net from "node:net";

/** Makes any connection of this process to something else than this machine an error: tests talk to nobody. */
export function refuseOutside() {
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    checkHost(findHost(args));
    return Reflect.apply(connect, this, args);
  } as typeof connect;

  const lookup = dns.lookup;
  dns.lookup = ((host: string, ...rest: unknown[]) => {
    checkHost(host);
    return Reflect.apply(lookup, dns, [host, ...rest]);
  }) as typeof lookup;
}

/** `connect` takes a path, a port with a host, or options; Node's own callers pass these as one list. */
function findHost(args: unknown[]): string | undefined {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === "object" && first !== null && "host" in first) return first.host as string | undefined;
  return typeof first === "number" && typeof second === "string" ? second : undefined;
}

function checkHost(host: string | undefined) {
  if (!host || host === "localhost" || host === "::1" || /^(::ffff:)?127\./.test(host)) return;
  throw new Error(`a test tried to reach ${host}: tests reach this machine only`);
}
