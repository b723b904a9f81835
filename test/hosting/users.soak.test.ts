import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { writeGatewayConfig } from "../support/gateway-process.ts";
import { useSortie } from "../support/sortie.ts";

const sortie = useSortie();
beforeEach(() => void writeGatewayConfig(sortie));

const ask = (...words: string[]) => sortie.ask(["gateway", ...words]);
const listUsers = async () => (await ask("user", "ls")).users;

describe("users", () => {
  it("have limits of their own, and those of the configuration", async () => {
    await ask("user", "add", "amy@example.org", "--name", "Amy", "--quota", "3", "--yes");
    await ask("user", "parallelism", "amy@example.org", "2", "--yes");
    expect(await listUsers()).toMatchObject([{ name: "Amy", quota: 3, parallelism: 2 }]);
    expect((await sortie.run(["gateway", "user", "ls"])).stdout).toBe(
      "EMAIL            QUOTA  PARALLELISM  NAME\namy@example.org  3      2            Amy\n",
    );
    const { plan } = await ask("user", "quota", "amy@example.org", "default");
    expect(plan.sideEffects).toEqual(["give amy@example.org 99 jobs a day as configured (now 3 jobs a day)"]);
    await sortie.ask(["confirm", plan.id]);
    expect(await listUsers()).toMatchObject([{ quota: null, parallelism: 2 }]);
  });

  it("are there once, however their address is written, and whoever adds them at the same time", async () => {
    const twice = await Promise.all(
      ["amy@example.org", " AMY@Example.org"].map((email) => ask("user", "add", email, "--yes")),
    );
    expect(twice.filter(({ exit }) => exit === 0)).toHaveLength(1);
    expect(twice.find(({ exit }) => exit !== 0).error.code).toMatch(/user_exists|plan_stale/);
    const again = await ask("user", "add", "amy@example.org", "--yes");
    expect(again).toMatchObject({ exit: 2, error: { code: "user_exists" } });
    expect(await listUsers()).toHaveLength(1);
  });

  it("who are deleted can be added anew, as others", async () => {
    const [first] = [await ask("user", "add", "amy@example.org", "--yes")];
    const removed = await ask("user", "rm", "amy@example.org", "--yes");
    expect(removed).toMatchObject({ exit: 0, running: false, orders: [{ outcome: null }] });
    const second = await ask("user", "add", "amy@example.org", "--yes");
    expect(second.user.uid).not.toBe(first.user.uid);
  });

  it("that nobody knows are answered with the nearest", async () => {
    await ask("user", "add", "amy@example.org", "--yes");
    for (const words of [["passwd"], ["rm"], ["quota", "3"], ["parallelism", "3"]]) {
      const [verb = "", ...rest] = words;
      const refused = await ask("user", verb, "ammy@example.org", ...rest, "--yes");
      expect(refused).toMatchObject({ exit: 2, error: { code: "user_unknown" } });
      expect(refused.error.message).toContain("Did you mean amy@example.org?");
    }
  });

  it.each([
    ["user", "add", "no address"],
    ["user", "add", "two@@example.org"],
    ["user", "add", "a b@example.org"],
    ["user", "add", "amy@exam\u001b[31mple.org"],
    ["user", "add", "\u202eyma@example.org"],
    ["user", "add", `${"x".repeat(300)}@example.org`],
    ["user", "add", "amy@example.org", "--name", "two\nlines"],
    ["user", "add", "amy@example.org", "--name", "\u001b]0;title\u0007"],
    ["user", "add", "amy@example.org", "--name", " "],
    ["user", "add", "amy@example.org", "--quota", "-1"],
    ["user", "add", "amy@example.org", "--quota", "1e3"],
    ["user", "add", "amy@example.org", "--quota", "99999999999"],
    ["user", "add", "amy@example.org", "--parallelism", "0"],
    ["user", "quota", "amy@example.org", "many"],
    ["user", "add"],
    ["user", "add", "a@example.org", "b@example.org"],
    ["simulator", "add", "kichen"],
    ["simulator", "rm", "1'; DROP TABLE simulators; --"],
    ["cancel", "../../etc/passwd"],
    ["cancel", "99999999999999999999"],
    ["requeue", "c1"],
    ["jobs", "--board", "nowhere"],
    ["jobs", "--state", "odd"],
    ["jobs", "--user", "nobody"],
  ])("bad input: %j %j %j %j %j is a mistake, told safely, and nothing is made", async (...words) => {
    const given = words.filter((word) => word !== undefined);
    const { exitCode, stdout, stderr } = await sortie.run(["gateway", ...given]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr.trim().split("\n")).toHaveLength(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not pass
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(existsSync(join(sortie.project(), "data"))).toBe(false);
  });

  it("with quotes, accents and signs in their names are shown as they are", async () => {
    const name = `Zoë "the 'one'" <b>; rm -rf / 🤖`;
    expect((await ask("user", "add", "zoe@example.org", "--name", name, "--yes")).user.name).toBe(name);
    expect((await sortie.run(["gateway", "user", "ls"])).stdout).toContain(name);
  });
});

describe("names and passwords", () => {
  it.each([
    ["a family", "👩\u200d👩\u200d👧 team"],
    ["Persian", "می\u200cخواهم"],
  ])("with joiners are taken: %s", async (_, name) => {
    const { user } = await ask("user", "add", "zoe@example.org", "--name", name, "--yes");
    expect(user.name).toBe(name);
    expect((await sortie.run(["gateway", "user", "ls"])).stdout).toContain(name);
  });

  it.each([
    ["", "it is empty"],
    [" \t ", "it is empty"],
    ["x".repeat(300), "it is too long"],
    ["a\u202eb", "there are control characters in it"],
    ["a\nb", "there are control characters in it"],
    ["\u200d\u200c\u200d", "nothing of it can be seen"],
    ["\u3164", "nothing of it can be seen"],
    ["\u2800 \u115f", "nothing of it can be seen"],
  ])("%j is refused, and why is said", async (name, reason) => {
    const { exit, error } = await ask("user", "add", "zoe@example.org", "--name", name, "--yes");
    expect([exit, error.details.reason]).toEqual([2, reason]);
    expect(error.message.length).toBeLessThan(200);
  });

  it("that are long are cut in every message", async () => {
    const long = "9".repeat(5000);
    for (const words of [
      ["user", "add", `${long}@example.org`],
      ["user", "add", "amy@example.org", "--name", long],
      ["user", "quota", "amy@example.org", long],
      ["cancel", long],
      ["requeue", long],
      ["requeue", `c${long}`],
      ["simulator", "add", long],
      ["simulator", "rm", long],
      ["jobs", "--board", long],
      ["jobs", "--user", long],
      ["user", "rm", `${"x".repeat(200)}@example.org`],
      ["--listen", long],
    ]) {
      const { exit, error } = await ask(...words);
      expect([words[0], exit]).toEqual([words[0], 2]);
      expect(error.message.length + error.hint.length).toBeLessThan(500);
    }
  });

  it("of blanks alone are no passwords", async () => {
    const env = { SORTIE_USER_PASSWORD: " \u00a0 \u3000        " };
    const refused = await sortie.run(["gateway", "user", "add", "amy@example.org", "--yes"], { env });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("there is nothing in it but blanks");
  });
});

describe("simulators", () => {
  it("get a key of their board, shown once, and lose it", async () => {
    const made = await ask("simulator", "add", "kitchen", "--yes");
    expect(made).toMatchObject({ exit: 0, simulator: { id: 1, board: "kitchen" } });
    expect(made.key).toMatch(/^[0-9a-f]{64}$/);
    const shown = await sortie.run(["gateway", "simulator", "ls"]);
    expect(shown.stdout).toMatch(/^KEY {2}BOARD {4}MADE\n1 {4}kitchen {2}\d+ s ago\n$/);
    expect(JSON.stringify(await ask("simulator", "ls"))).not.toContain(made.key);
    expect((await ask("simulator", "rm", "1", "--yes")).exit).toBe(0);
    expect((await ask("simulator", "ls")).simulators).toEqual([]);
    expect((await ask("simulator", "rm", "1", "--yes")).error.code).toBe("simulator_unknown");
  });

  it("of a board that is gone when the plan is confirmed get none", async () => {
    const { plan } = await ask("simulator", "add", "kitchen");
    const file = join(sortie.project(), "gateway.yaml");
    writeFileSync(file, "boards: {manip: {simulator: echo, tasks: {one: 1}}}\n");
    const stale = await sortie.ask(["confirm", plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain("has no board kitchen any more");
    expect((await ask("simulator", "add", "kichen")).error.message).toBe('There is no board "kichen".');
  });

  it("of a board that is misspelt are told the nearest", async () => {
    expect((await ask("simulator", "add", "kichen")).error.message).toContain("Did you mean kitchen?");
  });
});
