import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verify } from "@node-rs/argon2";
import { beforeEach, describe, expect, it } from "vitest";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { findUserByEmail } from "../../src/gateway/records/users.ts";
import { writeGatewayConfig } from "../support/gateway-process.ts";
import { SORTIE, useSortie } from "../support/sortie.ts";

const sortie = useSortie();
beforeEach(() => void writeGatewayConfig(sortie));

const data = () => join(sortie.project(), "data");
const add = ["gateway", "user", "add", "amy@example.org"];
const findHash = (email: string): string | undefined => {
  const records = openRecords(data());
  try {
    return findUserByEmail(records, email)?.passwordHash;
  } finally {
    records.close();
  }
};
/** With a text on stdin, as a shell gives it. */
const pipe = async (text: string, args: readonly string[], env = {}) =>
  sortie.runner.run([process.execPath, SORTIE, ...args], {
    ...{ stdin: text, env: sortie.makeEnv(env), cwd: sortie.project(), timeoutMs: 60_000 },
  });

describe("a change of an organiser is a plan", () => {
  it("that does nothing without a yes: exit 3, the plan, and how to confirm it", async () => {
    const document = await sortie.ask(add);
    expect(document).toMatchObject({
      exit: 3,
      confirm: `sortie confirm ${document.plan.id}`,
      plan: {
        action: "gateway user add",
        terms: { email: "amy@example.org", name: "amy", quota: null, dataFolder: data() },
        restsOn: [
          { kind: "no_user", email: "amy@example.org" },
          { kind: "configured", limit: "quota", value: 99 },
          { kind: "configured", limit: "parallelism", value: 4 },
        ],
      },
    });
    expect(document.plan.sideEffects[0]).toContain(
      "99 jobs a day as configured, 4 agents at once as configured",
    );
    expect(existsSync(data())).toBe(false);
    const people = await sortie.run(add);
    expect(people.stdout).toMatch(/^Plan p\w+\n {2}action {4}gateway user add\n {2}will /);
    expect(people.stderr).toMatch(/sortie confirm p\w+/);
  });

  it("that is carried out once, by confirm", async () => {
    const { plan } = await sortie.ask(add);
    const first = await sortie.ask(["confirm", plan.id]);
    expect(first).toMatchObject({
      exit: 0,
      plan: { id: plan.id, action: "gateway user add" },
      user: { email: "amy@example.org", name: "amy", quota: null, parallelism: null },
    });
    expect(await verify(findHash("amy@example.org") as string, first.password)).toBe(true);
    const second = await sortie.ask(["confirm", plan.id]);
    expect(second).toMatchObject({ exit: 4, error: { code: "plan_used", details: { plan: plan.id } } });
    expect(second.error.hint).toContain("sortie gateway user ls --config");
    expect((await sortie.ask(["gateway", "user", "ls"])).users).toHaveLength(1);
  });

  it("that is got by one of two who confirm it at the same time", async () => {
    const { plan } = await sortie.ask(add);
    const both = await Promise.all([sortie.ask(["confirm", plan.id]), sortie.ask(["confirm", plan.id])]);
    expect(both.map(({ exit }) => exit).sort()).toEqual([0, 4]);
  });

  it("that is stale once what it rests on has changed", async () => {
    const { plan } = await sortie.ask(add);
    expect((await sortie.ask([...add, "--yes"])).exit).toBe(0);
    const stale = await sortie.ask(["confirm", plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toContain("there is a user amy@example.org now");
    const passwd = await sortie.ask(["gateway", "user", "passwd", "amy@example.org"]);
    await sortie.ask(["gateway", "user", "rm", "amy@example.org", "--yes"]);
    await sortie.ask([...add, "--yes"]);
    const other = await sortie.ask(["confirm", passwd.plan.id]);
    expect(other.error.message).toContain("the user amy@example.org is gone");
  });

  it("that stands beside plans of runs, and disturbs none", async () => {
    const { plan } = await sortie.ask(add);
    const run = await sortie.ask(["run", "--target", "local", "--", "true"]);
    expect((await sortie.ask(["confirm", run.plan.id])).run.state).toBe("succeeded");
    expect((await sortie.ask(["confirm", plan.id])).exit).toBe(0);
    expect((await sortie.ask(["confirm", "pnone"])).error.code).toBe("plan_unknown");
  });
});

describe("a password", () => {
  it("comes from the environment when the plan is carried out, and is on no record", async () => {
    const { plan } = await sortie.ask(add);
    const password = "correct horse battery";
    const done = await sortie.run(["confirm", plan.id], { env: { SORTIE_USER_PASSWORD: password } });
    expect(done).toMatchObject({ exitCode: 0, stdout: "amy@example.org is a user now.\n" });
    expect(await verify(findHash("amy@example.org") as string, password)).toBe(true);
    for (const file of [join(sortie.home(), "sortie.db"), join(data(), "gateway.db")])
      for (const part of [file, `${file}-wal`])
        if (existsSync(part)) expect(readFileSync(part).includes(password)).toBe(false);
  });

  it("comes from stdin with --yes alone, since no plan keeps it", async () => {
    const args = [...add, "--password-stdin"];
    expect(await pipe("correct horse\n", args)).toMatchObject({ exitCode: 2 });
    expect((await pipe("correct horse\n", [...args, "--yes"])).exitCode).toBe(0);
    expect(await verify(findHash("amy@example.org") as string, "correct horse")).toBe(true);
  });

  it("that is none, short, long or of several lines is refused before anything is done", async () => {
    const args = [...add, "--password-stdin", "--yes"];
    for (const text of ["", "\n", "pass7wd", "two\nlines and more", "x".repeat(2000)]) {
      const refused = await pipe(text, args);
      expect([text.slice(0, 20), refused.exitCode]).toEqual([text.slice(0, 20), 2]);
      if (text.length > 1) expect(refused.stderr).not.toContain(text.trim());
    }
    const { exitCode } = await sortie.run([...add, "--yes"], { env: { SORTIE_USER_PASSWORD: "pass7wd" } });
    expect(exitCode).toBe(2);
    expect((await sortie.ask(["gateway", "user", "ls"])).users).toEqual([]);
  });

  it("changes, and ends the logins of before", async () => {
    await sortie.ask([...add, "--yes"]);
    const before = findHash("amy@example.org");
    const changed = await sortie.ask(["gateway", "user", "passwd", "AMY@example.org ", "--yes"]);
    expect(changed).toMatchObject({ exit: 0, user: { email: "amy@example.org" } });
    expect(findHash("amy@example.org")).not.toBe(before);
    expect(await verify(findHash("amy@example.org") as string, changed.password)).toBe(true);
  });
});
