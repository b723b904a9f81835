import { expect, test } from "vitest";
import { useSshd } from "../../../test/support/sshd.ts";
import { makeSshRunner } from "./ssh-runner.ts";

const sshd = useSshd();
const makeRunner = () =>
  makeSshRunner(sshd().host, {
    env: process.env,
    socketFolder: sshd().socketFolder,
    configFile: sshd().configFile,
    pinsFile: `${sshd().socketFolder}/pins`,
  });

test("a script runs on the host, with its own exit code", async () => {
  const outcome = await makeRunner().run(["sh", "-s"], { stdin: "echo $HOME\nexit 7\n", timeoutMs: 20_000 });
  expect(outcome).toMatchObject({ exitCode: 7, stdout: `${sshd().hostHome}\n` });
});
