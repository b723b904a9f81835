import { describe, expect, test } from "vitest";
import { findTool } from "../../../test/support/shells.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { canMakeAccounts } from "../../../test/support/sshd-accounts.ts";
import { makeLocalRunner } from "../local-runner.ts";
import { encodeCommand } from "./encode-command.ts";
import { makeSshRunner } from "./ssh-runner.ts";

const words = [
  ...[
    "",
    "-n",
    "--",
    "-",
    `my train's "v2".py`,
    "$HOME",
    "`id`",
    "$(id)",
    "a;b",
    "a\nb\n",
    "\n",
    "\t",
    "🚀 é",
    "wow!",
    "!!",
  ],
  ...[
    "\\",
    "\\'",
    "\\n",
    "\\0101",
    "%s%d",
    "~",
    "~root",
    "*",
    "{a,b}",
    "[a]",
    "a=b",
    "=ls",
    "#no",
    "^x^y^",
    "&",
    "|",
    ">x",
    " ",
  ],
  ...["/0101", "x".repeat(3000)],
];
const argv = ["printf", "%s\\0", ...words];
const expected = words.map((word) => `${word}\0`).join("");

describe("L1: a login shell hands every word on byte for byte", () => {
  const shells = ["sh", "dash", "bash", "zsh", "fish", "csh", "tcsh", "busybox"];
  test.each(shells.filter((shell) => process.platform === "linux" || findTool(shell)))(
    "%s",
    async (shell) => {
      const program = shell === "busybox" ? ["busybox", "sh"] : [shell];
      const outcome = await makeLocalRunner().run([...program, "-c", encodeCommand(argv)], {
        timeoutMs: 20_000,
      });
      expect(outcome).toMatchObject({ stderr: "", exitCode: 0 });
      expect(JSON.stringify(outcome.stdout)).toBe(JSON.stringify(expected));
    },
  );
});

test("plain words stay as they are", () => {
  expect(encodeCommand(["sh", "-s"])).toBe("exec sh -s");
});

describe.skipIf(!canMakeAccounts())("L2: over ssh", () => {
  const sshd = useSshd();
  test.each(["bash", "fish", "tcsh"] as const)("to an account with %s", async (shell) => {
    const { host, home } = sshd().makeAccount(shell);
    const { socketFolder, configFile } = sshd();
    const runner = makeSshRunner(host, { env: process.env, socketFolder, configFile, pinsFile: "/dev/null" });
    const outcome = await runner.run(argv, { timeoutMs: 20_000 });
    expect(outcome).toMatchObject({ stderr: "", exitCode: 0, stdout: expected });
    const script = await runner.run(["sh", "-s"], { stdin: "echo $HOME; exit 41", timeoutMs: 20_000 });
    expect(script).toMatchObject({ stdout: `${home}\n`, exitCode: 41 });
  });
});
