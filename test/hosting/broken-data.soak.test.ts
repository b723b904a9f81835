import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { beforeEach, describe, expect, it } from "vitest";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { insertUser } from "../../src/gateway/records/users.ts";
import { type GatewayProcess, startGatewayProcess, writeGatewayConfig } from "../support/gateway-process.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
beforeEach(() => void writeGatewayConfig(sortie));

const data = () => join(sortie.project(), "data");
const database = () => join(data(), "gateway.db");
const ask = (...words: string[]) => sortie.ask(["gateway", ...words]);
const readHealth = async ({ api }: GatewayProcess) => {
  const response = await fetch(`${api}/healthz`);
  const { parts } = (await response.json()) as { parts: { store: { status: string; why?: string } } };
  return { status: response.status, store: parts.store };
};
const stop = async (gateway: GatewayProcess) => {
  gateway.kill("SIGTERM");
  await gateway.exitCode;
};
/** Thousands of users, and then garbage in the pages that hold most of them. */
const fill = () => {
  const records = openRecords(data());
  records.together(() => {
    for (let count = 0; count < 5_000; count += 1) {
      const email = `user-${count}-${"x".repeat(200)}@example.org`;
      insertUser(records, { email, name: "x".repeat(100), passwordHash: "none" }, new Date());
    }
  });
  records.find("PRAGMA wal_checkpoint(TRUNCATE)");
  records.close();
};
const damage = () => {
  const { size } = statSync(database());
  const file = openSync(database(), "r+");
  writeSync(file, Buffer.alloc(Math.floor(size / 2), 0xa5), 0, undefined, Math.floor(size / 4));
  closeSync(file);
};

describe("a database that is damaged", () => {
  it("is found at the start", async () => {
    fill();
    damage();
    expect(await ask()).toMatchObject({ exit: 5, error: { code: "gateway_data_corrupt" } });
  });

  it("while the gateway runs makes it unwell", async () => {
    fill();
    const gateway = await startGatewayProcess(sortie);
    expect(await readHealth(gateway)).toMatchObject({ status: 200, store: { status: "ok" } });
    damage();
    const logIn = (count: number) =>
      fetch(`${gateway.api}/api/challenge/login`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          email: `user-${count}-${"x".repeat(200)}@example.org`,
          password: "no password",
        }),
      });
    for (const count of [500, 1500, 2500, 3500, 4500]) await logIn(count);
    expect(await readHealth(gateway)).toEqual({
      ...{ status: 503, store: { status: "failing", why: "the database is damaged" } },
    });
    gateway.kill("SIGKILL");
    await gateway.exitCode;
  });
});

describe("what stands in the place of the database", () => {
  it("is a new one where it is an empty file", async () => {
    mkdirSync(data());
    writeFileSync(database(), "");
    expect((await ask("user", "add", "amy@example.org", "--yes")).exit).toBe(0);
  });

  it("is damage where it is an empty file beside a journal", async () => {
    mkdirSync(data());
    writeFileSync(database(), "");
    writeFileSync(`${database()}-wal`, "all that was written");
    const { error, exit } = await ask("jobs");
    expect([exit, error.code]).toEqual([5, "gateway_data_corrupt"]);
    expect(statSync(`${database()}-wal`).size).toBeGreaterThan(0);
  });

  it("is left as it is where it is another program's, or a folder", async () => {
    mkdirSync(data());
    const other = new Database(database());
    other.exec("CREATE TABLE jobs (name TEXT)");
    other.close();
    expect((await ask("jobs")).error.message).toContain("it has tables, and they are none of Sortie's");
    expect(await ask()).toMatchObject({ exit: 5, error: { code: "gateway_data_corrupt" } });
    rmSync(database());
    mkdirSync(database(), { mode: 0o750 });
    for (const words of [["jobs"], ["user", "add", "amy@example.org", "--yes"], []])
      expect((await ask(...words)).error.message).toContain("it is a folder");
    expect(statSync(database()).mode & 0o777).toBe(0o750);
  });

  it.each([
    ["a file", () => writeFileSync(data(), ""), "it is a file"],
    ["a link to nothing", () => symlinkSync(join(sortie.temp(), "none"), data()), "it is a link to nothing"],
  ])("is none where the data folder is %s", async (_, make, reason) => {
    make();
    for (const words of [
      ["jobs"],
      ["user", "ls"],
      ["agents"],
      ["user", "add", "amy@example.org", "--yes"],
      [],
    ]) {
      const { error, exit } = await ask(...words);
      expect([exit, error?.code, error?.details.reason]).toEqual([2, "gateway_data_no_folder", reason]);
    }
    expect(existsSync(join(sortie.temp(), "none"))).toBe(false);
  });
});

describe("a database that is taken away from a gateway that runs", () => {
  it.each([
    ["removed", () => rmSync(database()), "gateway.db"],
    ["replaced", () => replace(database()), "gateway.db"],
    ["without its lock", () => rmSync(join(data(), "gateway.lock")), "gateway.lock"],
    ["gone with its folder", () => rmSync(data(), { recursive: true }), "gateway.db"],
  ])("(%s) is told once, and makes it unwell", async (_, take, name) => {
    const gateway = await startGatewayProcess(sortie);
    take();
    const why = `${name} was replaced or removed while the gateway runs: stop it and put it back`;
    await waitFor(async () => (await readHealth(gateway)).store.status === "failing", {
      what: "a gateway that is unwell",
    });
    expect(await readHealth(gateway)).toEqual({ status: 503, store: { status: "failing", why } });
    expect(gateway.output.stderr.split(why)).toHaveLength(2);
    await stop(gateway);
  });

  it("is made anew by no command, also after the gateway has ended", async () => {
    const gateway = await startGatewayProcess(sortie);
    const aside = join(sortie.temp(), "aside.db");
    renameSync(database(), aside);
    const refuse = async () => {
      for (const words of [["jobs"], ["user", "ls"], ["user", "add", "amy@example.org", "--yes"]])
        expect(await ask(...words)).toMatchObject({ exit: 5, error: { code: "gateway_data_gone" } });
      expect(existsSync(database())).toBe(false);
    };
    await refuse();
    renameSync(aside, database());
    await waitFor(async () => (await readHealth(gateway)).store.status === "ok", {
      what: "a gateway that is well",
    });
    expect((await ask("user", "add", "amy@example.org", "--yes")).exit).toBe(0);
    await stop(gateway);
    for (const file of readdirSync(data())) if (file.startsWith("gateway.db")) rmSync(join(data(), file));
    await refuse();
  });
});

it("a folder of recordings that is removed is made again, and told", async () => {
  writeGatewayConfig(sortie, "recordings: { folder: recordings }\n");
  const place = join(sortie.project(), "recordings");
  const gateway = await startGatewayProcess(sortie);
  rmSync(place, { recursive: true });
  await waitFor(() => existsSync(place), { what: "the folder" });
  const response = await fetch(`${gateway.api}/healthz`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    ...{ status: "degraded", parts: { store: { status: "ok" }, recordings: { status: "degraded" } } },
  });
  await waitFor(() => gateway.output.stderr.includes("was removed or replaced"), {
    what: "a line of the log",
  });
  await stop(gateway);
});

function replace(path: string): void {
  const other = `${path}.other`;
  const records = new Database(other);
  records.exec("CREATE TABLE things (name TEXT)");
  records.close();
  renameSync(other, path);
}
