import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST_KINDS, useEnvStage, WAIT } from "../../../test/support/env-stage.ts";
import { makeFakeGpus, makeFakeUuid } from "../../../test/support/fake-gpus.ts";
import { findShells } from "../../../test/support/shells.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeToken } from "../../base/ids.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { EnvHost } from "../env-host.ts";
import type { TierRecord } from "../tiers/tier-record.ts";
import { ensureBuilt } from "./ensure-built.ts";
import type { EnvironmentStatus } from "./environment-status.ts";
import { appendRecords } from "./records.ts";
import { makeStatusScript, readStatus, type StatusRequest } from "./status.ts";

const KEY = { envsDir: "~/.sortie/envs", name: "train", hash: "0123abcd" };

async function look(host: EnvHost, change: Partial<StatusRequest> = {}): Promise<EnvironmentStatus> {
  const token = makeToken();
  const script = makeStatusScript({ ...KEY, token, asksCards: false, ...change });
  const { stdout, stderr } = await host.runScript(script, { timeoutMs: 30_000 });
  const status = readStatus(`hello from a start file\n${stdout}`, token);
  expect(stderr).toBe("");
  expect(status).not.toBeNull();
  return status as EnvironmentStatus;
}

describe.each(HOST_KINDS)("what a host has of an environment (%s)", (kind) => {
  const stage = useEnvStage(kind);

  it("is nothing, where nothing was ever built", async () => {
    const status = await look(stage().host);
    expect(status).toMatchObject({ envsDir: stage().envs, ready: null, pointer: null, isBuilding: false });
    expect(status).toMatchObject({ records: [], cards: null, own: null });
    expect(status.cpus).toBeGreaterThanOrEqual(1);
  });

  it("is what is ready, what its name points to, and whether it is being built", async () => {
    const ready = await ensureBuilt(stage().host, stage().makeRequest());
    const other = await ensureBuilt(stage().host, stage().makeRequest({ hash: "fedc9876" }));
    expect(await look(stage().host)).toMatchObject({
      ready,
      pointer: { hash: "fedc9876", prefix: other.prefix },
      isBuilding: false,
    });
    const request = stage().makeRequest({ inputs: "11112222" }, { runCommands: [WAIT] });
    const building = ensureBuilt(stage().host, request);
    await waitFor(async () => (await look(stage().host)).isBuilding);
    expect(await look(stage().host)).toMatchObject({ ready });
    writeFileSync(join(stage().home, "go"), "");
    const newer = await building;
    expect(await look(stage().host)).toMatchObject({ ready: newer, isBuilding: false });
    expect((await look(stage().host, { inputs: null })).ready).toEqual(ready);
    expect((await look(stage().host, { inputs: "99999999" })).ready).toEqual(newer);
    rmSync(join(newer.prefix, "bin", "python"));
    expect((await look(stage().host)).ready).toEqual(ready);
  });

  it("keeps what its tiers have shown, whole lines only", async () => {
    const records = ["one", 'it\'s "two" \\n é'].map(makeRecord);
    await appendRecords(stage().host, KEY, records);
    const file = join(stage().envs, "records", "train-0123abcd.jsonl");
    writeFileSync(file, '{"tier":2,"pas', { flag: "a" });
    await Promise.all(
      [3, 4, 5].map((number) => appendRecords(stage().host, KEY, [makeRecord(`number ${number}`)])),
    );
    const seen = (await look(stage().host)).records;
    expect(seen.slice(0, 2)).toEqual(records);
    expect(
      seen
        .slice(2)
        .map(({ message }) => message)
        .sort(),
    ).toEqual(["number 3", "number 4", "number 5"]);
    expect((await look(stage().host, { hash: "fedc9876" })).records).toEqual([]);
  });

  it("cannot keep what was shown where nothing can be written", async () => {
    writeFileSync(join(stage().home, "file"), "");
    const fault = appendRecords(stage().host, { ...KEY, envsDir: "~/file/envs" }, [makeRecord("one")]);
    await expect(fault).rejects.toMatchObject({ code: "environment_unbuildable" });
  });

  it("is built with the cards that are there, which are told with their driver", async () => {
    const gpus = makeFakeGpus(stage().home, {
      gpus: [{ name: "NVIDIA H100 80GB HBM3" }, { driver: "550.54.14" }],
    });
    const host = stage().makeHost(gpus.env);
    expect((await look(host, { asksCards: true })).cards).toEqual([
      { uuid: makeFakeUuid(0), model: "NVIDIA H100 80GB HBM3", driver: "535.104.05" },
      { uuid: makeFakeUuid(1), model: "NVIDIA A100-SXM4-80GB", driver: "550.54.14" },
    ]);
    expect(await ensureBuilt(host, stage().makeRequest())).toMatchObject({
      ...{ driver: "535.104.05", cuda: "12.2", gpus: [makeFakeUuid(0), makeFakeUuid(1)] },
    });
    gpus.setFault({ exit: 9, output: "NVIDIA-SMI has failed" });
    expect((await look(host, { asksCards: true })).cards).toEqual([]);
    gpus.setFault({ delaySeconds: 600 });
    const impatient = stage().makeHost({ ...gpus.env, sortie_cards_s: "1" });
    expect((await look(impatient, { asksCards: true })).cards).toEqual([]);
  });
});

describe("an environment that a person has made", () => {
  const stage = useEnvStage("local");

  it("is told apart by what is installed in it", async () => {
    const venv = join(stage().home, "my venv");
    execFileSync("python3", ["-m", "venv", "--without-pip", venv]);
    const own = join(venv, "bin", "python");
    const first = (await look(stage().host, { own })).own;
    expect(first).toMatchObject({ path: own, version: expect.stringMatching(/^3\.\d+\.\d+/) });
    expect(first?.packages).toMatch(/^[0-9a-f]{8}$/);
    expect((await look(stage().host, { own })).own).toEqual(first);
    const python = execFileSync(own, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    mkdirSync(join(python.toString().trim(), "alpha-1.0.dist-info"));
    expect((await look(stage().host, { own })).own?.packages).not.toBe(first?.packages);
  });

  it("is found by a variable of the script that it is a part of, and its programs in a project are not run", async () => {
    const place = join(stage().project, "bin");
    mkdirSync(place);
    writeFileSync(join(place, "python"), `#!/bin/sh\ntouch "${place}/was-run"\necho Python 3.9.1\n`, {
      mode: 0o755,
    });
    const own = { variable: "found" };
    const script = makeStatusScript({
      ...KEY,
      token: "t",
      asksCards: false,
      own,
      project: [stage().project],
    });
    const ask = async (path: string) => {
      const { stdout } = await stage().host.runScript(`found='${path.replaceAll("'", "'\\''")}'\n${script}`, {
        timeoutMs: 9000,
      });
      return readStatus(stdout, "t")?.own;
    };
    expect(await ask(join(place, "python"))).toMatchObject({ path: join(place, "python"), version: null });
    symlinkSync(join(place, "python"), join(stage().home, "link"));
    expect(await ask(join(stage().home, "link"))).toMatchObject({ version: null });
    expect(await ask("")).toBeNull();
    const outside = join(stage().home, "python");
    writeFileSync(outside, "#!/bin/sh\necho Python 3.9.1\n", { mode: 0o755 });
    expect(await ask(outside)).toMatchObject({ version: "3.9.1" });
  });
});

it.each(findShells())("the CPUs that a process may use, under %s", async (shell) => {
  const runner = makeLocalRunner();
  const script = makeStatusScript({ ...KEY, token: "t", asksCards: false });
  const call = ["taskset", "-c", "0", ...shell.split(" "), "-s"];
  const { stdout } = await runner.run(call, { stdin: script, timeoutMs: 9000 });
  expect(readStatus(stdout, "t")?.cpus).toBe(1);
});

function makeRecord(message: string): TierRecord {
  return {
    ...{ tier: 1, passed: true, at: "2026-01-02T03:04:05Z", environment: "/envs/train-0123abcd-1" },
    interpreter: { path: "/envs/train-0123abcd-1/bin/python", version: "3.11.7", packages: null },
    ...{ card: null, cuda: null, library: null, document: null, message },
  };
}
