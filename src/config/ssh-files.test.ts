import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { parseSshAddress, type SshAddress } from "./ssh-address.ts";
import { findSshConfig, isHostKnown, listKnownHostsFiles } from "./ssh-files.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG9X8uOHJIjtWVmYkrpu+t5POttguqOsMiGZ5+ObDLHW";
const folder = useTempFolder();
const inFolder = (name: string) => join(folder(), name);

function write(name: string, text: string): string {
  mkdirSync(dirname(inFolder(name)), { recursive: true });
  writeFileSync(inFolder(name), text);
  return inFolder(name);
}

function isKnown(text: string, more: { configFile?: string; sshSettings?: string } = {}): boolean {
  const place = { configFile: null, accountHome: folder(), systemConfig: inFolder("etc/ssh_config") };
  const sshSettings = `port 22\nuserknownhostsfile ${inFolder(".ssh/known_hosts")}\n`;
  return isHostKnown((parseSshAddress(text) as { value: SshAddress }).value, {
    ...place,
    sshSettings,
    ...more,
  });
}

describe("a host is known", () => {
  test("by the account's configuration, the machine's, and what they include", () => {
    write(".ssh/config", "Include config.d/*.conf ~/lab/hosts\nHost own\n");
    write(".ssh/config.d/b.conf", "Include deep\nHost globbed\n");
    write(".ssh/config.d/.hidden.conf", "Host hidden\n");
    write(".ssh/config.d/other", "Host other\n");
    write(".ssh/deep", "Host deep\nInclude deep\n"); // includes itself: it ends
    write("lab/hosts", "Host lab\n");
    write("etc/ssh_config", "Include more\nHost *\n");
    write("etc/more", "Host machine\n");
    const known = ["own", "globbed", "deep", "lab", "machine"];
    for (const host of known) expect([host, isKnown(host)]).toEqual([host, true]);
    for (const host of ["hidden", "other", "x"]) expect([host, isKnown(host)]).toEqual([host, false]);
  });

  test("by the file given for it alone, whose relative includes ssh looks for in the account's folder", () => {
    write(".ssh/config", "Host own\n");
    write(".ssh/included", "Host included\n");
    const configFile = write("elsewhere/config", "Include included beside\nHost given\n");
    write("elsewhere/beside", "Host beside\n");
    const answers = ["given", "included", "own", "beside"].map((host) => isKnown(host, { configFile }));
    expect(answers).toEqual([true, true, false, false]);
  });

  test("by a key on record, under its name or under what the configuration makes of it", () => {
    const file = write(".ssh/known_hosts", `plain.example ${KEY}\n[made.example]:2222 ${KEY}\n`);
    const other = write("with blank/known hosts", `blank.example ${KEY}\n`);
    const sshSettings = `hostname made.example\nport 2222\nuserknownhostsfile ${file} ${other}\n`;
    const answers = ["plain.example", "made", "blank.example"].map((host) => isKnown(host, { sshSettings }));
    expect(answers).toEqual([true, true, true]);
    expect(isKnown("-J jump plain.example", { sshSettings })).toBe(false);
    expect(isKnown("made")).toBe(false);
  });

  test("by nothing, where there are no files", () => {
    expect(isKnown("box", { sshSettings: "" })).toBe(false);
  });
});

test("the known_hosts files of `ssh -G` are listed", () => {
  const settings = "userknownhostsfile /a b/k ~/.ssh/k2\nglobalknownhostsfile /etc/k\n";
  expect(listKnownHostsFiles(settings, "/home/ann")).toEqual(["/a b/k", "/home/ann/.ssh/k2", "/etc/k"]);
  expect(listKnownHostsFiles("userknownhostsfile none\n", "/h")).toEqual([]);
});

test("the configuration for ssh is the one that was named, or that of a home folder that was set", () => {
  const file = write(".ssh/config", "");
  expect(findSshConfig({ SORTIE_SSH_CONFIG: "/x", HOME: folder() }, "/root")).toBe("/x");
  expect(findSshConfig({ HOME: folder() }, "/root")).toBe(file);
  expect(findSshConfig({ HOME: folder() }, folder())).toBeNull();
  expect(findSshConfig({ HOME: inFolder("none") }, "/root")).toBeNull();
  expect(findSshConfig({}, "/root")).toBeNull();
});
