import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findOwnProcesses } from "../../../test/support/own-processes.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeLocalRunner } from "../local-runner.ts";
import type { SshHost } from "./ssh-host.ts";
import { makeSshRunner, type SshOptions } from "./ssh-runner.ts";

const sshd = useSshd();

function makeRunner(host: SshHost = sshd().host, more: Partial<SshOptions> = {}) {
  const { socketFolder, configFile } = sshd();
  return makeSshRunner(host, { env: process.env, socketFolder, configFile, pinsFile: "/dev/null", ...more });
}

/** Processes of this test file whose command line holds the text. */
const findCommands = (text: string) => findOwnProcesses().filter(({ command }) => command.includes(text));
const listSockets = () => readdirSync(sshd().socketFolder).map((name) => join(sshd().socketFolder, name));

describe("a command", () => {
  test("has the host's home, its stdin as bytes, and its own exit code", async () => {
    const stdin = Buffer.from("echo $HOME; echo é >&2; exit 7\n");
    const outcome = await makeRunner().run(["sh", "-s"], { stdin, timeoutMs: 20_000 });
    expect(outcome).toMatchObject({
      exitCode: 7,
      stdout: `${sshd().hostHome}\n`,
      stderr: "é\n",
      timedOut: false,
    });
  });

  test("gets nothing of the environment and folder at home", async () => {
    const options = { env: { ODD: "one" }, cwd: "/no/such/folder", timeoutMs: 20_000 };
    const outcome = await makeRunner().run(["sh", "-c", `echo "$ODD"`], options);
    expect(outcome).toMatchObject({ exitCode: 0, stdout: "\n" });
  });

  test.each(["time limit", "abort"])(
    "is let go at its %s, and nothing of it stays on this machine",
    async (how) => {
      const mark = `mark-${how.replace(" ", "-")}`;
      const aborter = new AbortController();
      const running = makeRunner().run(["sh", "-c", "sleep 20", mark], {
        timeoutMs: how === "abort" ? 20_000 : 700,
        signal: aborter.signal,
      });
      // Ours says `ssh`, that of the host `sleep`: it is not told of the end, and goes on without us.
      const theirs = await waitFor(() =>
        findCommands("sleep 20").find(({ command }) => command === "sleep 20"),
      );
      if (how === "abort") aborter.abort();
      expect(await running).toMatchObject({ stdout: "", timedOut: how !== "abort" });
      expect(findCommands(mark).filter(({ command }) => command.startsWith("ssh "))).toEqual([]);
      process.kill(theirs.pid, "SIGKILL");
    },
  );

  test("that was called off before is not started", async () => {
    const outcome = await makeRunner().run(["true"], { timeoutMs: 1000, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ notStarted: true, exitCode: null });
  });
});

describe("the shared connection", () => {
  test("is used by all commands, and 14 at once all come to their end", async () => {
    const runner = makeRunner();
    await runner.run(["true"], { timeoutMs: 20_000 });
    const dialed = sshd().proxy.dialed;
    const commands = Array.from({ length: 14 }, (_, number) =>
      runner.run(["echo", `${number}`], { timeoutMs: 20_000 }),
    );
    const outcomes = await Promise.all(commands);
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(outcomes.map((_, number) => `${number}\n`));
    expect(outcomes.every(({ stderr }) => stderr === "")).toBe(true);
    expect(sshd().proxy.dialed).toBe(dialed);
  });

  test("is short of sessions: those that sshd refuses get connections of their own", async () => {
    const runner = makeRunner(sshd().host, { limit: 13 });
    const stdin = "sleep 0.5; echo done\n";
    const commands = Array.from({ length: 13 }, () => runner.run(["sh", "-s"], { stdin, timeoutMs: 20_000 }));
    expect((await Promise.all(commands)).map(({ stdout }) => stdout)).toEqual(commands.map(() => "done\n"));
  });

  test("was killed and left its socket: the next command makes another", async () => {
    const runner = makeRunner();
    await runner.run(["true"], { timeoutMs: 20_000 });
    const master = findMaster(sshd().socketFolder);
    process.kill(master, "SIGKILL");
    await waitFor(() => !existsSync(`/proc/${master}/exe`), { what: "the end of the master" });
    expect(listSockets()).not.toEqual([]);
    expect(await runner.run(["echo", "again"], { timeoutMs: 20_000 })).toMatchObject({ stdout: "again\n" });
  });

  test("sleeps with its host: the time limit holds, and it works again once the host is awake", async () => {
    const runner = makeRunner();
    await runner.run(["true"], { timeoutMs: 20_000 });
    sshd().proxy.pause();
    const outcome = await runner.run(["echo", "asleep"], { timeoutMs: 500 });
    sshd().proxy.resume();
    expect(outcome).toMatchObject({ timedOut: true, stdout: "" });
    expect(runner.explain(outcome)).toMatchObject({ code: "ssh_unreachable", retryable: true });
    expect(await runner.run(["echo", "awake"], { timeoutMs: 20_000 })).toMatchObject({ stdout: "awake\n" });
  });

  test("is cut in mid-command: told as lost, and the next command works", async () => {
    const runner = makeRunner();
    const running = runner.run(["sh", "-c", "sleep 20"], { timeoutMs: 30_000 });
    const theirs = await waitFor(() =>
      findCommands("sleep 20").find(({ command }) => command === "sleep 20"),
    );
    sshd().proxy.cut();
    const outcome = await running;
    expect(outcome).toMatchObject({ exitCode: 255, stdout: "" });
    expect(runner.explain(outcome)).toMatchObject({ code: "ssh_lost", retryable: true });
    expect(await runner.run(["echo", "again"], { timeoutMs: 20_000 })).toMatchObject({ stdout: "again\n" });
    process.kill(theirs.pid, "SIGKILL");
  });
});

describe("the person's own configuration", () => {
  test("L8: ProxyJump, port, user and key hold, and the person's own shared connection is not touched", async () => {
    const jump = await sshd().startJump();
    const own = join(sshd().personHome, "own-%C");
    // A person may want a terminal, forwardings and a command of their own: none of them is meant for Sortie.
    sshd().addConfig(
      `Host inner\n ControlMaster auto\n ControlPath ${own}\n ControlPersist 60\n RequestTTY force\n RemoteCommand echo mine`,
    );
    const asPerson = (...words: string[]) =>
      makeLocalRunner().run(["ssh", "-F", sshd().configFile, "-T", ...words], { timeoutMs: 10_000 });
    // ssh's own master would hold our pipes: it is started apart.
    expect(await asPerson("-fN", "-o", "RemoteCommand=none", "inner")).toMatchObject({ exitCode: 0 });
    const before = jump.proxy.dialed;
    const outcome = await makeRunner(sshd().makeHost("inner")).run(["echo", "ours"], { timeoutMs: 20_000 });
    expect(outcome).toMatchObject({ stdout: "ours\n", stderr: "", exitCode: 0 });
    expect(jump.proxy.dialed).toBe(before + 1);
    expect(await asPerson("-O", "check", "inner")).toMatchObject({ exitCode: 0 });
    expect(await asPerson("-O", "exit", "inner")).toMatchObject({ exitCode: 0 });
    expect(
      await makeRunner(sshd().makeHost("inner")).run(["echo", "still"], { timeoutMs: 20_000 }),
    ).toMatchObject({
      stdout: "still\n",
    });
  });
});

describe("for a terminal or a stream of the caller's own", () => {
  test("ports of the host come here as long as the command lasts, over a connection of its own", async () => {
    const argv = makeRunner().sshArgv({ command: "exec true", forward: [sshd().port] });
    expect(argv).toEqual(expect.arrayContaining(["-L", `127.0.0.1:${sshd().port}:127.0.0.1:${sshd().port}`]));
    expect(argv).toContain("ControlPath=none");
    // The port is taken on this machine, since both are one: ssh says so and does nothing.
    const outcome = await makeLocalRunner().run(argv, { timeoutMs: 10_000 });
    expect(outcome).toMatchObject({ exitCode: 255, stderr: expect.stringContaining("in use") });
  });

  test("a person may be asked for a passphrase there, and gets a terminal", () => {
    const argv = makeRunner({ ...sshd().host, user: "ann", port: 22, options: ["-4"] }).sshArgv({
      tty: true,
    });
    expect(argv).toEqual(expect.arrayContaining(["BatchMode=no", "RequestTTY=yes"]));
    expect(argv.slice(-7)).toEqual(["-p", "22", "-l", "ann", "-4", "--", "box"]);
  });
});

/** The process that holds the connection: its title names its socket. */
function findMaster(folder: string): number {
  const list = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return Number.parseInt(list.find((line) => line.includes(`ssh: ${folder}/`)) ?? "0", 10);
}
