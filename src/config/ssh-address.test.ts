import { expect, test } from "vitest";
import { listHosts, listUncommonOptions, parseSshAddress, type SshAddress } from "./ssh-address.ts";

test.each([
  ["my-gpu-server", { destination: "my-gpu-server" }],
  ["ssh my-gpu-server", { destination: "my-gpu-server" }],
  ["ssh -p 12345 root@ssh.vast.ai", { destination: "ssh.vast.ai", user: "root", port: 12345 }],
  ["ssh root@ssh.vast.ai -p 12345", { destination: "ssh.vast.ai", user: "root", port: 12345 }],
  ["ssh -p22 -l ann host", { destination: "host", user: "ann", port: 22 }],
  ["ann@host:2222", { destination: "host", user: "ann", port: 2222 }],
  ["ssh://ann@host:2222/", { destination: "host", user: "ann", port: 2222 }],
  ["ann@[fe80::1%eth0]:2222", { destination: "fe80::1%eth0", user: "ann", port: 2222 }],
  ["::1", { destination: "::1" }],
  [
    "ssh -4C -i '~/.ssh/my key' -J a,b@c:22 host",
    { destination: "host", options: ["-4", "-C", "-i", "~/.ssh/my key", "-J", "a,b@c:22"] },
  ],
  ["ssh -o ProxyCommand='nc %h %p' host", { destination: "host", options: ["-o", "ProxyCommand=nc %h %p"] }],
])("%s", (text, address) => {
  expect(parseSshAddress(text)).toEqual({ value: { user: null, port: null, options: [], ...address } });
});

test.each([
  ["", "names no host"],
  ["ssh", "names no host"],
  ["ssh -p 22", "names no host"],
  ["ssh host ls -l", "holds more than a host"],
  ["ssh 'host", "quote that is not closed"],
  ["ssh -p", "takes a value"],
  ["ssh -p 70000 host", "port 70000"],
  ["host:0", "names no host that ssh would take"],
  ["$(touch /tmp/x)", "holds more than a host"],
  ["a;b", "names no host that ssh would take"],
  ["ssh -- -oProxyCommand=x", "which ssh does not know"],
  ["ann@-oProxyCommand=x", "names no host that ssh would take"],
  ["-x@host", "names no host"],
  ["ssh -l -x host", "user name"],
  ["ssh -J '-oX' host", "jump host"],
  ["ssh -l ann bob@host", "names two users"],
  ["ssh -p 22 host:23", "names two ports"],
  ["use your own key", "holds more than a host"],
])("%j is refused", (text, problem) => {
  expect(parseSshAddress(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test("options beyond -p -l -i -J -4 -6 -C are uncommon", () => {
  const common = read("ssh -p 1 -l a -i k -J j -4 -6 -C host");
  const uncommon = read("ssh -A -o ProxyCommand=x -L 8888:localhost:8888 -i -o host");
  expect(listUncommonOptions(common.options)).toEqual([]);
  expect(listUncommonOptions(uncommon.options)).toEqual([
    "-A",
    "-o ProxyCommand=x",
    "-L 8888:localhost:8888",
  ]);
});

test("jump hosts are hosts too", () => {
  expect(listHosts(read("ssh -J a,b@c:2222 -p 7 host"))).toEqual([
    { host: "a", port: null },
    { host: "c", port: 2222 },
    { host: "host", port: 7 },
  ]);
});

function read(text: string): SshAddress {
  const reading = parseSshAddress(text);
  if ("problem" in reading) throw new Error(reading.problem);
  return reading.value;
}
