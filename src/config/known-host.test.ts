import { describe, expect, test } from "vitest";
import { isKnownHost, listIncludes } from "./known-host.ts";
import { parseSshAddress } from "./ssh-address.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG9X8uOHJIjtWVmYkrpu+t5POttguqOsMiGZ5+ObDLHW";

describe("an ssh configuration knows", () => {
  const config = [
    "Include conf.d/*",
    "Host *",
    "  User ann",
    'Host my-gpu-server "quoted one" # comment',
    "  HostName 10.0.0.1",
    "host = other",
    "Host *.lab.example !secret.lab.example",
    "Match originalhost m1,m2 user ann",
    "  Host",
    "# Host commented",
  ].join("\r\n");
  test.each([
    ["my-gpu-server", true],
    ["MY-GPU-SERVER", true],
    ["other", true],
    ["a.lab.example", true],
    ["secret.lab.example", false],
    ["m2", true],
    ["10.0.0.2", false],
    ["commented", false],
    ["my-gpu-server2", false],
  ])("%s: %s", (host, isKnown) => {
    expect(checkHost(host, config, "")).toBe(isKnown);
  });

  test("its includes are listed", () => {
    expect(listIncludes(config)).toEqual(["conf.d/*"]);
  });
});

describe("known hosts hold", () => {
  // The hashed lines are ssh-keygen's own: lab.example.org, and [ssh5.vast.ai]:12345.
  const known = [
    `plain.example,10.1.2.3 ${KEY}`,
    `[port.example]:2222 ${KEY}`,
    `*.wild.example,!no.wild.example ${KEY}`,
    `@revoked revoked.example ${KEY}`,
    `@cert-authority *.ca.example ${KEY}`,
    `|1|i8EGsdgmkQNn8zMaguyU4aJWGVA=|rg/Qi1e2W8Wy72kSSY7zzrqYfvM= ${KEY}`,
    `|1|I/zQcTwezBctIdns/PcAQAFmTSc=|hF608FDbnpUiy3LgQSQq0e5jPUA= ${KEY}`,
    "|1|broken",
    "",
  ].join("\n");
  test.each([
    ["plain.example", true],
    ["10.1.2.3", true],
    ["plain.example:2222", false],
    ["port.example", false],
    ["port.example:2222", true],
    ["a.wild.example", true],
    ["no.wild.example", false],
    ["revoked.example", false],
    ["a.ca.example", true],
    ["lab.example.org", true],
    ["lab.example.net", false],
    ["ssh -p 12345 root@ssh5.vast.ai", true],
    ["ssh5.vast.ai", false],
  ])("%s: %s", (host, isKnown) => {
    expect(checkHost(host, "", known)).toBe(isKnown);
  });
});

test("jump hosts must be known too", () => {
  expect(checkHost("ssh -J jump box", "Host box", "")).toBe(false);
  expect(checkHost("ssh -J jump box", "Host box jump", "")).toBe(true);
});

test("a pattern made to be slow is not", () => {
  expect(checkHost("a".repeat(2000), `Host ${"*a".repeat(1000)}b`, "")).toBe(false);
});

function checkHost(text: string, config: string, known: string): boolean {
  const read = parseSshAddress(text);
  if ("problem" in read) throw new Error(read.problem);
  return isKnownHost(read.value, { sshConfigs: [config], knownHosts: [known] });
}
