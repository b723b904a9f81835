import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useSshd } from "../../../test/support/sshd.ts";
import { makeLocalRunner } from "../local-runner.ts";
import { askSshSettings } from "./ask-ssh-settings.ts";

const sshd = useSshd();
const ask = (configFile: string) =>
  askSshSettings(makeLocalRunner(), { ...sshd().host, user: "ann" }, { env: process.env, configFile });

test("ssh tells the settings of a host without dialling it", async () => {
  const dialed = sshd().proxy.dialed;
  const settings = (await ask(sshd().configFile)).split("\n");
  const told = [
    `port ${sshd().port}`,
    "user ann",
    "hostname 127.0.0.1",
    `userknownhostsfile ${sshd().knownHostsFile}`,
  ];
  expect(settings).toEqual(expect.arrayContaining(told));
  expect(sshd().proxy.dialed).toBe(dialed);
});

test("options that a project's file names are not handed on", async () => {
  const made = join(sshd().personHome, "made");
  const options = ["-o", `KnownHostsCommand=touch ${made}`, "-F", "/dev/null"];
  const host = { ...sshd().host, options };
  const place = { env: process.env, configFile: sshd().configFile };
  expect(await askSshSettings(makeLocalRunner(), host, place)).toContain(`port ${sshd().port}`);
  expect(existsSync(made)).toBe(false);
});

test("nothing is told by an ssh that is not there", async () => {
  const env = { PATH: sshd().personHome };
  expect(await askSshSettings(makeLocalRunner(), sshd().host, { env, configFile: null })).toBe("");
});
