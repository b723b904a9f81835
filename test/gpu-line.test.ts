import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFakeGpus, makeFakeUuid } from "./support/fake-gpus.ts";
import { useSortie } from "./support/sortie.ts";

const sortie = useSortie();
const LONG = ["sh", "-c", "echo up; exec sleep 300"];

const makeHost = () => makeFakeGpus(sortie.temp());
const makeCall = (flags: readonly string[], command: readonly string[] = LONG) => [
  ...["run", "--target", "local", "--yes", "--detach", ...flags],
  ...["--", ...command],
];

describe("the line for a GPU", () => {
  it("L17 is served first come, first served", async () => {
    const { env } = makeHost();
    const holder = await sortie.launch(LONG, ["--grace", "1"], { env });
    const tell = (name: string) => [
      "sh",
      "-c",
      `echo ${name} >>order; [ ${name} != last ] || until [ -e go ]; do sleep 0.05; done`,
    ];
    const ids: string[] = [];
    for (const name of ["first", "second", "last"]) {
      const { exit, run } = await sortie.ask(makeCall(["--wait-gpu", "--name", name], tell(name)), {
        env,
      });
      expect({ exit, state: run.state }).toEqual({ exit: 0, state: "waiting" });
      ids.push(run.id);
    }
    await sortie.run(["stop", holder.id]);
    const newcomer = await sortie.ask(makeCall([]), { env });
    expect(newcomer).toMatchObject({ exit: 5, error: { code: "gpus_busy" } });
    writeFileSync(join(sortie.project(), "go"), "");
    await sortie.waitForState(ids[2] as string, ["succeeded"], 30_000);
    expect(readFileSync(join(sortie.project(), "order"), "utf8")).toBe("first\nsecond\nlast\n");
  });

  it("is left when the time is over or by a stop, wherever one stands in it", async () => {
    const { env } = makeHost();
    const holder = await sortie.launch(LONG, ["--grace", "1"], { env });
    const patient = await sortie.launch(LONG, ["--wait-gpu"], { env });
    const short = await sortie.launch(LONG, ["--wait-gpu", "1s"], { env });
    expect([patient.state, short.state]).toEqual(["waiting", "waiting"]);
    const late = await sortie.waitForState(short.id, ["failed"]);
    expect(late).toMatchObject({ endReason: "never_started", exitCode: null, startedAt: null, results: [] });
    expect(`${late.cause} ${late.evidence}`).toMatch(new RegExp(`1 s .*${holder.id}`));
    const stopped = await sortie.ask(["stop", patient.id]);
    expect(stopped).toMatchObject({ exit: 0, state: "stopped", endReason: "stopped", wasEnded: false });
    expect(await sortie.show(patient.id)).toMatchObject({
      cause: "It was stopped as asked.",
      evidence: expect.stringMatching(/^stop asked for by \S+ at \d{4}-/),
      nextStep: expect.stringContaining("sortie rerun"),
    });
    for (const run of [short, patient]) expect(existsSync(join(run.jobFolder, "env"))).toBe(false);
    await sortie.run(["stop", holder.id]);
    expect(existsSync(patient.log)).toBe(false);
    expect(await sortie.ask(["wait", patient.id])).toMatchObject({ exit: 1, state: "stopped" });
  });

  it("hands on the environment of the one who waits, whole, and nothing of whoever started the watcher", async () => {
    const { env } = makeHost();
    const secret = 'it\'s $HOME\n"x"';
    const holder = await sortie.launch(LONG, ["--grace", "1"], {
      env: { ...env, OF_THE_FIRST: "1", files: "1" },
    });
    const mine = {
      ...env,
      MY_OWN: secret,
      JOB_DIR: "mine",
      TOKEN: "t0ken",
      RUN_NAME: "mine too",
      files: undefined,
    };
    const dump = ["sh", "-c", "env -0 >environment"];
    const waiting = await sortie.launch(dump, ["--wait-gpu", "--env", "GIVEN=a b"], { env: mine });
    const file = join(waiting.jobFolder, "env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(waiting.jobFolder, "meta.json"), "utf8")).not.toContain("t0ken");
    await sortie.run(["stop", holder.id]);
    await sortie.waitForState(waiting.id, ["succeeded"]);
    expect(existsSync(file)).toBe(false);
    const text = readFileSync(join(sortie.project(), "environment"), "utf8");
    const seen = Object.fromEntries(
      text.split("\0").map((line) => [line.split("=")[0], line.replace(/^.*?=/, "")]),
    );
    expect(seen).toMatchObject({
      MY_OWN: secret,
      GIVEN: "a b",
      JOB_DIR: "mine",
      TOKEN: "t0ken",
      RUN_NAME: "mine too",
    });
    expect(seen).toMatchObject({
      CUDA_VISIBLE_DEVICES: makeFakeUuid(0),
      SORTIE_RUN_ID: waiting.id,
      PATH: env["PATH"],
    });
    for (const name of ["OF_THE_FIRST", "files", "sortie_user_umask"]) expect(seen).not.toHaveProperty(name);
  });
});
