import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { useRemoteSortie } from "./support/remote-stage.ts";
import { SORTIE } from "./support/sortie.ts";
import { useSshd } from "./support/sshd.ts";

const sshd = useSshd();
const sortie = useRemoteSortie(sshd);
const DRIVER = fileURLToPath(new URL("support/terminal.py", import.meta.url));
const LIVE = ["sh", "-c", "echo up; exec sleep 300"];
const ENTER = "\r";

/** A person at a terminal: waits for a text, then types, and so on. */
async function type(args: readonly string[], steps: readonly (readonly [string, string])[]) {
  const call = { argv: [process.execPath, SORTIE, ...args], rows: 30, columns: 200, steps };
  const { stdout } = await sortie.runner.run(["python3", DRIVER], {
    stdin: JSON.stringify(call),
    env: { ...sortie.makeEnv(), TERM: "xterm", SHELL: "/bin/sh" },
    cwd: sortie.project(),
    timeoutMs: 60_000,
  });
  return JSON.parse(stdout) as { shown: string; exit: number; missed: string | null };
}

describe("sortie ssh", () => {
  it.each(["fish", "tcsh"] as const)(
    "opens a login shell of %s in the run's folder, with a terminal",
    async (shell) => {
      const { alias, home } = sshd().makeAccount(shell);
      sortie.writeTargets(alias);
      const { id, jobFolder } = await sortie.launch(alias, LIVE);
      const { shown, exit, missed } = await type(
        ["ssh", id],
        [
          [`${alias}, ${home}/code-${alias};`, ""],
          // The word as typed is not the word as printed.
          ["", `echo at-"$PWD"-in-"$SORTIE_RUN_DIR"-of-"$0"${ENTER}`],
          [
            `at-${home}/code-${alias}-in-${jobFolder}-of-`,
            `env | grep -c SORTIE_RUN_ID; tty; echo o""ver${ENTER}`,
          ],
          ["over", `exit 7${ENTER}`],
        ],
      );
      expect({ missed, exit }).toEqual({ missed: null, exit: 7 });
      expect(shown).toContain(`SORTIE_RUN_DIR is the job folder: ${jobFolder}`);
      expect(shown).toContain("/dev/pts/");
      // What was done there is not of the run.
      expect(await sortie.ask(["stop", id])).toMatchObject({ state: "stopped" });
      expect(readFileSync(join(jobFolder, "log"), "utf8")).toBe("up\n");
    },
  );

  it("opens one in a target's code folder, or at home where there is none yet, without a terminal, too", async () => {
    sortie.writeTargets("box");
    const ask = `echo 'pwd; exit 5' | '${process.execPath}' '${SORTIE}' ssh --target box; echo ended $?`;
    const look = () =>
      sortie.runner.run(["sh", "-c", ask], {
        env: sortie.makeEnv(),
        cwd: sortie.project(),
        timeoutMs: 20_000,
      });
    const before = await look();
    expect(before.stdout).toBe(`${sshd().hostHome}\nended 5\n`);
    expect(before.stderr).toContain("that folder is not there");
    await sortie.launch("box", ["true"]);
    expect((await look()).stdout).toBe(`${sshd().hostHome}/code-box\nended 5\n`);
  });

  it("opens one on this machine for a run of it", async () => {
    const { run } = await sortie.ask(["run", "--target", "local", "--yes", "--gpus", "none", "--", "true"]);
    const { shown, exit } = await type(
      ["ssh", run.id],
      [[`${sortie.project()};`, `echo "-$PWD-"; exit 3${ENTER}`]],
    );
    expect(exit).toBe(3);
    expect(shown).toContain(`-${sortie.project()}-`);
  });

  it("forwards ports over a connection of its own, and says so", async () => {
    sortie.writeTargets("box");
    const { run } = await sortie.ask(["run", "--target", "local", "--yes", "--gpus", "none", "--", "true"]);
    const call = ["ssh", "--target", "box", "--forward", "6006", "--forward", "8888"];
    const { command } = await sortie.ask(call);
    for (const port of [6006, 8888]) expect(command).toContain(`127.0.0.1:${port}:127.0.0.1:${port}`);
    expect(command).toContain("ControlPath=none");
    for (const wrong of [["ssh"], ["ssh", run.id, "--target", "box"], ["ssh", run.id, "--forward", "6006"]])
      expect(await sortie.ask(wrong)).toMatchObject({ exit: 2, error: { code: "usage" } });
    expect((await sortie.run(["ssh", run.id, "--forward", "70000"])).exitCode).toBe(2);
  });
});
