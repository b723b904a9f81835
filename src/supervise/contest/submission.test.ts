import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startApiProxy } from "../../../test/support/api-proxy.ts";
import { startApiStage } from "../../../test/support/api-stage.ts";
import { openContestStage } from "../../../test/support/contest-stage.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { saveState } from "../../challenge/save-state.ts";
import { loadStateFile } from "../../challenge/state-file.ts";
import type { BehaviourName } from "../../gateway/config/behaviours.ts";
import { draftSubmission, findSubmissionChanges } from "./draft-submission.ts";
import { executeSubmission } from "./execute-submission.ts";
import { findKnownJob } from "./known-jobs.ts";
import { loadQuotaNow } from "./load-account.ts";
import { settleSubmissions } from "./settle-submissions.ts";
import { recordIntent } from "./submission-intents.ts";

const folder = useTempFolder();
const POST = "POST /api/challenge/job";
const WISH = { board: "manip", modelName: "pi0", name: "night run" };
const NO_WAITS = [0, 1, 1, 1];

/** A contestant whose calls go through a proxy that a test scripts. */
async function startStage({ behaviour = "sortie" as BehaviourName, quota = 4, state = "" } = {}) {
  const stage = await startApiStage(folder(), { behaviour });
  const { token, id: userId } = await stage.addUser({ quota });
  const proxy = await startApiProxy(`http://127.0.0.1:${stage.port}`);
  const lines = `CHALLENGE_TOKEN='${token}'\n${state}`;
  const person = openContestStage(folder(), { baseUrl: proxy.url, state: lines });
  const submit = async (wish: Partial<typeof WISH> = {}) => {
    const { terms } = await draftSubmission(person.open(), { ...WISH, ...wish });
    return executeSubmission(person.open(), terms, { waitsMs: NO_WAITS });
  };
  const countUsed = async () => (await loadQuotaNow(person.open())).used;
  return { stage, proxy, userId, submit, countUsed, ...person };
}

describe("a submission", () => {
  it.each(["old", "new", "field"] as const)(
    "as %s has it is kept in the file and among the known jobs",
    async (behaviour) => {
      const { submit, env, desk, proxy } = await startStage({ behaviour });
      const { job, isTakenOver, said } = await submit();
      const { values } = loadStateFile(env);
      expect(isTakenOver).toBe(false);
      expect(values).toMatchObject({ JOB_ID: String(job.id), JOB_UUID: job.uuid, PARALLELISM: "2" });
      expect(values.TUNNEL_ENDPOINT).toBe("ws://127.0.0.1:9/api/challenge/tunnel");
      expect(values.JOB_TOKEN ?? null).toBe(job.jobToken);
      expect(job.jobToken === null).toBe(behaviour === "old");
      expect(said.join()).toMatch(behaviour === "old" ? /no token of its own/ : /^$/);
      const known = {
        id: job.id,
        baseUrl: proxy.url,
        name: "night run",
        model: "pi0",
        jobToken: job.jobToken,
      };
      expect(findKnownJob(desk, job)).toMatchObject(known);
      expect(JSON.parse(proxy.bodies[proxy.calls.indexOf(POST)] as string)).toEqual({
        name: "night run",
        config: { board: "manip", model_name: "pi0" },
      });
    },
  );

  it.each(["old", "new", "field"] as const)(
    "T40 whose reply is lost is found by its name as %s has it, and posted once",
    async (behaviour) => {
      const { submit, proxy, countUsed, env } = await startStage({ behaviour });
      await submit(); // an older one of the same name is not it
      proxy.script.loses = (call) => call === POST;
      const { job, isTakenOver, said } = await submit();
      expect(isTakenOver).toBe(true);
      expect(proxy.count(POST)).toBe(2);
      expect(await countUsed()).toBe(2);
      expect(job).toMatchObject({ id: 2, parallelism: 2, jobToken: null });
      expect(said.join()).toMatch(/no token of its own/);
      expect(loadStateFile(env).values).toMatchObject({ JOB_ID: "2", JOB_UUID: job.uuid });
      expect(loadStateFile(env).values.JOB_TOKEN).toBeUndefined();
      expect(loadStateFile(env).values.TUNNEL_ENDPOINT).toBe("ws://127.0.0.1:9/api/challenge/tunnel");
    },
  );

  it("T40 has no blanks around its name, which a server may take off", async () => {
    const { submit, proxy } = await startStage();
    proxy.script.loses = (call) => call === POST;
    expect(await submit({ name: " night run " })).toMatchObject({ isTakenOver: true });
    expect(proxy.bodies[proxy.calls.indexOf(POST)]).toContain('"night run"');
  });

  it("T40 is looked for on and on while the server is away, and after a 5xx", async () => {
    const { submit, proxy } = await startStage();
    let looks = 0;
    proxy.script.answers = (call) => {
      if (proxy.count(POST) === 0 || call === POST) return undefined;
      if (!call.endsWith("/jobs") || looks++ >= 3) return undefined;
      return { status: 503, body: "<html>restarting</html>" };
    };
    proxy.script.loses = (call) => call === POST;
    expect(await submit()).toMatchObject({ isTakenOver: true });
    expect(proxy.count(POST)).toBe(1);
  });

  it("T40 that never arrived is not sent again, and what is known is said", async () => {
    const { submit, proxy, countUsed, env } = await startStage();
    proxy.script.answers = (call) => (call === POST ? { status: 502, body: "<html>bad gateway" } : undefined);
    await expect(submit()).rejects.toMatchObject({
      code: "contest_submission_unsure",
      exit: 5,
      retryable: false,
    });
    expect(proxy.count(POST)).toBe(1);
    expect(await countUsed()).toBe(0);
    expect(loadStateFile(env).values.JOB_ID).toBeUndefined();
  });

  it("whose command is gone is settled by the next one, once", async () => {
    const { open, desk, proxy, env, submit } = await startStage();
    const { terms } = await draftSubmission(open(), WISH);
    const gone = { ...desk, identity: { ...desk.identity, start: "0" } };
    recordIntent(gone, terms, []);
    expect((await settleSubmissions(open())).join()).toMatch(/has not arrived yet/);
    desk.store.change('UPDATE challenge_jobs SET body = replace(body, \'"at":"20\', \'"at":"19\')');
    expect((await settleSubmissions(open())).join()).toMatch(/never arrived; no slot was used/);
    recordIntent(gone, terms, []);
    recordIntent(desk, terms, []); // a command that still lives settles its own
    const { job } = await submit();
    expect((await settleSubmissions(open())).join()).toMatch(/is job 1, and the current one now/);
    expect(loadStateFile(env).values.JOB_UUID).toBe(job.uuid);
    expect(findKnownJob(desk, job)?.jobToken).toBe(job.jobToken);
    expect(await settleSubmissions(open())).toEqual([]);
    expect(proxy.count(POST)).toBe(1);
  });

  it("whose command is killed while it asks for the endpoint loses no token", async () => {
    const { open, desk, proxy, env, submit } = await startStage();
    const uuid = "0b5c6f0e-7f0e-4c55-9a6e-6d8f9c1f2a3b";
    const job = { id: 5, uuid, parallelism: 2, tunnel_endpoint: "", job_token: "job-5" };
    const tokens: (string | null | undefined)[] = [];
    proxy.script.answers = (call) => {
      if (call === POST) return { body: job };
      if (call.endsWith("/tunnel/endpoint")) tokens.push(findKnownJob(desk, { uuid })?.jobToken);
      const isThere = call.endsWith("/jobs") && proxy.count(POST) > 0;
      return isThere ? { body: { items: [{ ...job, name: WISH.name, status: 0 }], total: 1 } } : undefined;
    };
    await submit();
    expect(tokens).toEqual(["job-5"]);
    saveState(env, { JOB_ID: null, JOB_UUID: null, JOB_TOKEN: null });
    const { terms } = await draftSubmission(open(), WISH);
    recordIntent({ ...desk, identity: { ...desk.identity, start: "0" } }, terms, []);
    expect((await settleSubmissions(open())).join()).toMatch(/is job 5/);
    expect(loadStateFile(env).values).toMatchObject({ JOB_UUID: uuid, JOB_TOKEN: "job-5" });
    expect(proxy.count(POST)).toBe(1);
  });

  it("to a gateway that names no endpoint asks for it some times, then goes by the default and says so", async () => {
    const { submit, proxy, env } = await startStage();
    const job = { id: 5, uuid: "u-5", parallelism: 2, tunnel_endpoint: "" };
    const ENDPOINT = "GET /api/challenge/tunnel/endpoint";
    proxy.script.answers = (call) =>
      call === POST ? { body: job } : call === ENDPOINT ? { body: "" } : undefined;
    const { said } = await submit();
    expect(said.join()).toContain("names no tunnel endpoint: agents dial the fixed default");
    expect(proxy.count(ENDPOINT)).toBe(3);
    expect(loadStateFile(env).values.TUNNEL_ENDPOINT).toBeUndefined();
  });

  it("that is refused is shown in the server's words, and sent once", async () => {
    const { submit, proxy } = await startStage();
    const refusal = { status: 400, body: { status: "error", error: "no task templates for board" } };
    proxy.script.answers = (call) => (call === POST ? refusal : undefined);
    await expect(submit()).rejects.toMatchObject({
      ...{ code: "challenge_refused", exit: 1 },
      message: expect.stringContaining("no task templates for board"),
    });
    expect(proxy.count(POST)).toBe(1);
  });
});

describe("before a submission", () => {
  it.each([
    ["a board that is none", { board: "manipp" }, /did you mean manip/],
    ["an empty name", { name: " " }, /name/],
    ["a paper link that is none", { paperLink: "ftp://x" }, /paper link/],
  ])("%s is found here, and nothing is asked for it", async (_, wish, words) => {
    const { open, proxy } = await startStage();
    const draft = draftSubmission(open(), { ...WISH, ...wish });
    await expect(draft).rejects.toMatchObject({ code: "challenge_submission_wrong", exit: 2 });
    await expect(draft).rejects.toThrow(words);
    expect(proxy.count(POST)).toBe(0);
  });

  it("the numbers are the API's, and without a slot there is no plan", async () => {
    const { open, proxy } = await startStage();
    const quota = { limit: 99, used: 97, remaining: 2 };
    proxy.script.answers = (call) => (call.endsWith("/quota") ? { body: quota } : undefined);
    const draft = await draftSubmission(open(), WISH);
    expect(draft.quota).toEqual(quota);
    expect(draft.sideEffects.join()).toMatch(/1 submission of the 2 that are left \(97 of 99 are used\)/);
    Object.assign(quota, { used: 99, remaining: 0 });
    await expect(draftSubmission(open(), WISH)).rejects.toMatchObject({
      code: "contest_quota_spent",
      exit: 1,
    });
    expect(await findSubmissionChanges(open(), draft.restsOn)).toEqual([
      "submissions that are left: 0 now, and 2 when it was planned",
    ]);
    Object.assign(quota, { used: 0, remaining: 99 });
    expect(await findSubmissionChanges(open(), draft.restsOn)).toEqual([]);
  });

  it("an account that may run no agent is refused before a slot is used", async () => {
    const { open, proxy } = await startStage();
    const user = { name: "Ann", max_concurrent_cases: 0 };
    proxy.script.answers = (call) => (call.endsWith("/current-user-info") ? { body: user } : undefined);
    await expect(draftSubmission(open(), WISH)).rejects.toMatchObject({ code: "contest_parallelism_zero" });
  });

  it("the handle of a live job that would be overwritten is told, and kept among the known jobs", async () => {
    const { open, submit, desk, env, statePath } = await startStage();
    const first = await draftSubmission(open(), WISH);
    const { job } = await submit();
    desk.store.change("DELETE FROM challenge_jobs");
    expect(await findSubmissionChanges(open(), first.restsOn)).toEqual([
      "submissions that are left: 3 now, and 4 when it was planned",
      'the current job is job 1 "night run" (waiting for agent) now',
    ]);
    const draft = await draftSubmission(open(), { ...WISH, name: "second" });
    expect(draft.notes.join()).toMatch(
      /job 1 "night run" \(waiting for agent\) is the current job and has not ended/,
    );
    expect(draft.sideEffects.join()).toMatch(/replace job 1 "night run"/);
    await executeSubmission(open(), draft.terms);
    expect(findKnownJob(desk, job)).toMatchObject({ id: 1, jobToken: job.jobToken, name: "night run" });
    expect(loadStateFile(env).values.JOB_ID).toBe("2");
    expect(readFileSync(statePath, "utf8").match(/JOB_ID=/g)).toHaveLength(1);
  });

  it("the current job of another challenge counts as live, and its login is not sent here", async () => {
    const own = await startStage();
    const token = loadStateFile(own.env).values.CHALLENGE_TOKEN ?? "";
    const state = `BASE_URL='http://127.0.0.1:9'\nJOB_ID='7'\nJOB_UUID='u-7'\nCHALLENGE_TOKEN='a.b.c'\n`;
    const env = { CHALLENGE_TOKEN: token };
    const { open, env: other } = openContestStage(folder(), { baseUrl: own.proxy.url, state, env });
    const draft = await draftSubmission(open(), WISH);
    expect(draft.notes.join()).toMatch(/job 7 is the current job and has not ended.*could not be asked/);
    await executeSubmission(open(), draft.terms);
    const { values } = loadStateFile(other);
    expect(values).toMatchObject({ JOB_ID: "1", BASE_URL: "http://127.0.0.1:9", CHALLENGE_TOKEN: "a.b.c" });
    expect(own.proxy.tokens).not.toContain("a.b.c");
  });

  it("a broken line of the state file is left as it is, and said", async () => {
    const { submit, env, statePath } = await startStage({ state: "JOB_UUID='never closed\n# mine\n" });
    const { job, said } = await submit();
    expect(loadStateFile(env).values).toMatchObject({ JOB_UUID: job.uuid, JOB_ID: String(job.id) });
    expect(readFileSync(statePath, "utf8")).toContain("JOB_UUID='never closed\n# mine\n");
    expect(said.join()).toMatch(/line 2: what sets JOB_UUID there is left/);
  });

  it("a state file that cannot be written costs no slot", async () => {
    const { env, statePath, proxy } = await startStage();
    const { CHALLENGE_TOKEN = "" } = loadStateFile(env).values;
    rmSync(statePath);
    mkdirSync(statePath);
    const { open } = openContestStage(folder(), { baseUrl: proxy.url, env: { CHALLENGE_TOKEN } });
    const unreadable = { code: "state_file_unreadable", exit: 2 };
    await expect(draftSubmission(open(), WISH)).rejects.toMatchObject(unreadable);
    await expect(findSubmissionChanges(open(), [])).rejects.toMatchObject(unreadable);
    expect(proxy.calls).toEqual([]);
  });
});
