import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import type { TakenCall } from "./notice-servers.ts";
import { findOwnProcesses } from "./own-processes.ts";
import type { makeSortie } from "./sortie.ts";
import { waitFor } from "./wait-for.ts";

/** Waits for the file `go`. */
export const UNTIL_GO = [
  "sh",
  "-c",
  "mkdir -p results; echo 1 >results/a; while [ ! -e go ]; do sleep 0.05; done",
];

/** What tests of notices do with a person's home, and see of the outbox. */
export function makeNewsStage(sortie: ReturnType<typeof makeSortie>) {
  const database = () => join(sortie.home(), "sortie.db");
  const card = () => join(sortie.home(), "watcher.json");

  /** Writes `.codex/feishu.json` of the person, whatever it is. */
  const setFeishu = (settings: unknown) => {
    const folder = join(sortie.makeEnv()["HOME"] as string, ".codex");
    mkdirSync(folder, { recursive: true });
    const text = typeof settings === "string" ? settings : JSON.stringify(settings);
    writeFileSync(join(folder, "feishu.json"), text, { mode: 0o600 });
  };

  const withDatabase = <Result>(work: (database: Database) => Result): Result => {
    const opened = new Database(database(), { timeout: 10_000 });
    try {
      return work(opened);
    } finally {
      opened.close();
    }
  };
  const readRows = (table = "notices") =>
    withDatabase((opened) => opened.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]);
  /** `launched sent`, the oldest first. */
  const readStates = () =>
    readRows().map(({ key, state }) => `${String(key).split("/").at(-1)} ${String(state)}`);

  const readWatcher = (): number | null =>
    existsSync(card()) ? (JSON.parse(readFileSync(card(), "utf8")).identity.pid as number) : null;
  /** Kills the watcher with signal 9; the next command starts another. */
  const killWatcher = async () => {
    const pid = await waitFor(readWatcher, { what: "a watcher" });
    process.kill(pid, "SIGKILL");
    await waitFor(() => !findOwnProcesses().some((one) => one.pid === pid), { what: "its end" });
    await sortie.ask(["ls"]);
    await waitFor(() => readWatcher() !== pid && readWatcher(), { what: "another watcher" });
  };

  return {
    ...{ setFeishu, readRows, readStates, killWatcher },
    go: () => writeFileSync(join(sortie.project(), "go"), ""),
    /** Lets a channel that is left alone after trouble be used at once. */
    endPauses: () =>
      withDatabase((opened) =>
        opened.prepare("UPDATE notice_channels SET body = json_set(body, '$.pausedUntilMs', 0)").run(),
      ),
    readLog: () => readFileSync(join(sortie.home(), "watcher.log"), "utf8"),
    waitForStates: (states: readonly string[]) => {
      const isThere = () => JSON.stringify(readStates().sort()) === JSON.stringify([...states].sort());
      return waitFor(isThere, { timeoutMs: 30_000, what: `${states.join(", ")}` }).catch((fault) => {
        throw new Error(`${fault.message}: ${readStates().join(", ")}`);
      });
    },
    waitForHome: (id: string) =>
      waitFor(async () => (await sortie.show(id)).collected, { timeoutMs: 20_000, what: "results at home" }),
    waitForQuiet: () =>
      waitFor(() => findOwnProcesses().length === 0, { timeoutMs: 20_000, what: "the watcher to leave" }),
  };
}

/** The title of a card that a Feishu bot got. */
export function readTitle({ body }: TakenCall): string {
  return (body["card"] as { header: { title: { content: string } } }).header.title.content;
}
