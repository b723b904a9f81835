import { expect, test } from "vitest";
import { findEndpoint, readDirectEndpoint, readProxyEndpoint } from "./find-endpoint.ts";

const mapped = {
  public_ipaddr: " 192.0.2.7\n",
  ports: { "22/tcp": [{ HostIp: "0.0.0.0", HostPort: "40022" }] },
};
const proxied = { ssh_host: "ssh5.vast.invalid", ssh_port: 10_700, image_runtype: "ssh_direc ssh_proxy" };

test("the direct port goes before the proxy, which stands in for it", () => {
  const [direct, proxy] = [readDirectEndpoint(mapped), readProxyEndpoint(proxied)];
  expect(findEndpoint({ direct, proxy })).toEqual({ host: "192.0.2.7", port: 40_022, way: "direct" });
  expect(findEndpoint({ direct: null, proxy })).toEqual({
    host: "ssh5.vast.invalid",
    port: 10_700,
    way: "proxy",
  });
  expect(findEndpoint({ direct: null, proxy: null })).toBeNull();
});

test("beside a Jupyter server, SSH has the port after it", () => {
  const row = { ...proxied, image_runtype: "jupyter_direc ssh_direc ssh_proxy" };
  expect(readProxyEndpoint(row)?.port).toBe(10_701);
});

test.each([
  [{ ...mapped, public_ipaddr: "-oProxyCommand=true" }],
  [{ ...mapped, public_ipaddr: "a b" }],
  [{ ...mapped, ports: { "22/tcp": [{ HostPort: "0" }] } }],
  [{ ...mapped, ports: { "22/tcp": [{ HostPort: "22; true" }] } }],
  [{ ...mapped, ports: { "22/tcp": null } }],
  [{ ...mapped, ports: null }],
])("what is no place to dial is none: %j", (row) => {
  expect(readDirectEndpoint(row)).toBeNull();
});
