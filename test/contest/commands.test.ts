import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { giveOrder } from "../../src/gateway/records/orders.ts";
import { startApiProxy } from "../support/api-proxy.ts";
import { logIn, PASSWORD, useChallenge, waitForEnd } from "../support/challenge.ts";
import { makeToken } from "../support/scripted-api.ts";
import { useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const challenge = useChallenge();
const sortie = useSortie();
const LOGIN = { CHALLENGE_EMAIL: " ann@example.org ", CHALLENGE_PASSWORD: PASSWORD };
const SUBMIT = ["submit", "--board", "instruction", "--model-name", "pi0"];
const POST = "POST /api/challenge/job";

let printed: string[] = [];
beforeEach(() => {
  printed = [];
});

const statePath = () => join(sortie.temp(), "person", ".simubotix-challenge.env");
const readState = () => readFileSync(statePath(), "utf8");
const readVariable = (name: string) => new RegExp(`^${name}='(.*)'$`, "m").exec(readState())?.[1];

type Env = Readonly<Record<string, string>>;
const run = async (args: readonly string[], env: Env = {}) => {
  const outcome = await sortie.run(["challenge", ...args], { env });
  printed.push(outcome.stdout, outcome.stderr);
  return outcome;
};
const ask = async (args: readonly string[], env: Env = {}) => {
  const { stdout, exitCode, stderr } = await run([...args, "--json"], env);
  return { ...JSON.parse(stdout), exit: exitCode, stderr };
};

/** No secret of this test may have come out anywhere, nor lie in a file that is not for it. */
afterEach(() => {
  const files = listFiles(sortie.temp()).filter(
    (path) => !/sortie\.db|\.simubotix-challenge\.env$/.test(path),
  );
  const state = existsSync(statePath()) ? readState() : "";
  const text = [...printed, ...files.map((path) => readFileSync(path, "latin1"))].join("\n");
  for (const name of ["CHALLENGE_TOKEN", "JOB_TOKEN"]) {
    const secret = state.match(new RegExp(`^${name}='(.*)'$`, "m"))?.[1];
    if (secret) expect(text.includes(secret)).toBe(false);
  }
  expect(text.includes(PASSWORD)).toBe(false);
});

async function logInAt(baseUrl: string, flags: readonly string[] = []) {
  const { login, exit } = await ask(["login", "--base-url", baseUrl, ...flags], LOGIN);
  expect(exit).toBe(0);
  return login;
}

/** As a login leaves it, without one. */
async function enter(baseUrl: string) {
  const { token } = await logIn(baseUrl);
  mkdirSync(join(sortie.temp(), "person"), { mode: 0o700 });
  writeFileSync(statePath(), `CHALLENGE_TOKEN='${token}'\nBASE_URL='${baseUrl}'\n`, { mode: 0o600 });
}

describe.each(["old", "new", "field"])("with a server of the %s days", (behaviour) => {
  it("a contestant logs in, submits, and sees the same", async () => {
    const { apiUrl } = await challenge.host({ behaviour });
    await challenge.addUser();
    const login = await logInAt(apiUrl, behaviour === "old" ? ["--get"] : []);
    expect(login).toMatchObject({ baseUrl: apiUrl, user: "ann", file: statePath() });
    const submitted = await ask([...SUBMIT, "--name", "night run", "--yes"]);
    expect(submitted).toMatchObject({ exit: 0, takenOver: false, job: { id: 1, parallelism: 4 } });
    const listed = await run(["jobs"]);
    expect(listed.stdout).toMatch(/^1 \* +instruction +waiting for agent +0\/2 +- .* pi0 +night run$/m);
  });
});

describe("a submission", () => {
  it("is a plan first; another one meanwhile makes it stale, and nothing is sent", async () => {
    const { apiUrl } = await challenge.host();
    await challenge.addUser("ann@example.org", { quota: 2 });
    await enter(apiUrl);
    const { plan, confirm, exit } = await ask(SUBMIT);
    expect([exit, confirm]).toEqual([3, `sortie confirm ${plan.id}`]);
    expect(plan.sideEffects.join()).toMatch(/use 1 submission of the 2 that are left \(0 of 2 are used\)/);
    const other = await logIn(apiUrl);
    await other.submit();
    const stale = await sortie.ask(["confirm", plan.id]);
    expect(stale).toMatchObject({ exit: 4, error: { code: "plan_stale" } });
    expect(stale.error.message).toMatch(/submissions that are left: 1 now, and 2 when it was planned/);
    await other.submit();
    expect(await ask([...SUBMIT, "--yes"])).toMatchObject({
      exit: 1,
      error: { code: "contest_quota_spent" },
    });
  });

  it("T40 whose reply is lost uses one slot, and is taken over; confirmed later too", async () => {
    const { apiUrl } = await challenge.host();
    await challenge.addUser();
    const proxy = await startApiProxy(apiUrl);
    proxy.script.loses = (call) => call === POST;
    await enter(proxy.url);
    const { plan } = await ask(SUBMIT);
    const done = await sortie.ask(["confirm", plan.id]);
    expect(done).toMatchObject({ exit: 0, takenOver: true, job: { id: 1, hasJobToken: false } });
    expect(proxy.count(POST)).toBe(1);
    expect((await ask(["quota"])).quota.used).toBe(1);
    const second = await ask([...SUBMIT, "--name", "second"]);
    expect(second.plan.notes.join()).toMatch(/warning: job 1 .* is the current job and has not ended/);
  });

  it("whose command is killed before the reply is kept is taken over by the next one", async () => {
    const { apiUrl } = await challenge.host();
    await challenge.addUser();
    const proxy = await startApiProxy(apiUrl);
    proxy.script.holds = (call) => call === POST;
    await enter(proxy.url);
    const killed = sortie.start(["challenge", ...SUBMIT, "--name", "night run", "--yes"]);
    await waitFor(() => proxy.answered.includes(POST), { timeoutMs: 30_000, what: "the submission" });
    killed.kill("SIGKILL");
    await killed.exitCode;
    const { job, stderr } = await ask(["status"]);
    expect(job).toMatchObject({ id: 1, name: "night run" });
    expect(stderr).toMatch(/"night run", whose command was killed, is job 1, and the current one now/);
    expect(readVariable("JOB_UUID")).toBe(job.uuid);
    expect(proxy.count(POST)).toBe(1);
  });

  it("that the server refuses ends with 1 and its words", async () => {
    const { apiUrl } = await challenge.host();
    await challenge.addUser();
    const proxy = await startApiProxy(apiUrl);
    const refusal = { status: 400, body: { status: "error", error: "no task templates for board" } };
    proxy.script.answers = (call) => (call === POST ? refusal : undefined);
    await enter(proxy.url);
    const { stderr, exitCode } = await run([...SUBMIT, "--yes"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/refused it with 400: no task templates for board/);
  });
});

describe("a watch", () => {
  it("outlives the gateway's restart and ends with the job: 1 where it was cancelled", async () => {
    const first = await challenge.host();
    await challenge.addUser();
    const proxy = await startApiProxy(first.apiUrl);
    await enter(proxy.url);
    await (await logIn(first.apiUrl)).submit();
    const waitForLook = (number: number) =>
      waitFor(() => proxy.count("GET /api/challenge/jobs") >= number, { what: `look ${number}` });
    const left = await run(["watch", "--timeout", "0", "--json", "a job"]);
    expect(left.exitCode).toBe(124);
    const [seen, fault, ...more] = left.stdout.trim().split("\n");
    expect(more).toEqual([]);
    expect(JSON.parse(seen ?? "")).toMatchObject({ kind: "job" });
    expect(JSON.parse(fault ?? "").error.message).toBe("The job 1 was still waiting for agent after 0 s.");
    const watched = run(["watch", "a job", "--json", "--rest-ms", "50"]);
    await waitForLook(proxy.count("GET /api/challenge/jobs") + 3);
    await first.stop(0);
    await waitForLook(proxy.count("GET /api/challenge/jobs") + 3);
    const second = await challenge.host();
    giveOrder(challenge.openRecords(), "cancel", 1, new Date());
    await waitForEnd(await logIn(second.apiUrl), 1);
    const { exitCode, stdout } = await watched;
    const news = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(news.map(({ kind, report }) => report?.state ?? kind)).toEqual([
      ...["waiting_for_agent", "away", "back"],
      ...news.slice(3).map(({ report }) => report.state),
    ]);
    expect(news.at(-1).report).toMatchObject({ state: "cancelled", isTerminal: true });
    expect(exitCode).toBe(1);
    expect((await run(["watch", "1"])).stdout).toMatch(/Job 1 is cancelled\.\nNext: sortie challenge log 1/);
  });
});

describe("a login", () => {
  it("is refused with the server's words, 1; without a password it is the person's mistake, 2", async () => {
    const { apiUrl } = await challenge.host();
    await challenge.addUser();
    const bad = await run(["login", "--base-url", apiUrl], { ...LOGIN, CHALLENGE_PASSWORD: "not-the-one" });
    expect(bad.exitCode).toBe(1);
    expect(bad.stderr).toMatch(/user not found or wrong password/);
    expect(bad.stderr).not.toMatch(/not-the-one/);
    const none = await run(["login", "--base-url", apiUrl, "--email", "ann@example.org"]);
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--password-stdin/) });
  });

  it("that is null, over, or of another address is none, and the one of the file is used where it is good", async () => {
    const { apiUrl } = await challenge.host();
    await challenge.addUser();
    await enter(apiUrl);
    const good = readVariable("CHALLENGE_TOKEN") as string;
    const over = makeToken("sentinel-token", -3_600);
    for (const CHALLENGE_TOKEN of ["null", over]) {
      const { exit, account, stderr } = await ask(["whoami"], { CHALLENGE_TOKEN });
      expect([exit, account?.name]).toEqual([0, "ann"]);
      if (CHALLENGE_TOKEN === over) expect(stderr).toMatch(/CHALLENGE_TOKEN of the environment is stale/);
    }
    const proxy = await startApiProxy(apiUrl);
    const elsewhere = await ask(["whoami", "--base-url", proxy.url]);
    expect(elsewhere).toMatchObject({ exit: 2, error: { code: "challenge_login_needed" } });
    expect(elsewhere.error.message).toMatch(/is of another address/);
    expect(proxy.tokens.filter((token) => token === good)).toEqual([]);
    expect(readVariable("BASE_URL")).toBe(apiUrl);
    writeFileSync(statePath(), readState().replace(good, over));
    expect(await ask(["whoami"])).toMatchObject({ exit: 2, error: { code: "challenge_login_needed" } });
    expect(printed.join()).not.toContain(over);
  });
});

it("the current job is forgotten when a person says so, and what else stands in the file stays", async () => {
  const { apiUrl } = await challenge.host();
  await challenge.addUser();
  await enter(apiUrl);
  writeFileSync(statePath(), `# mine\nOTHER="x y"\n${readState()}`);
  await ask([...SUBMIT, "--yes"]);
  const planned = await ask(["reset"]);
  expect(planned).toMatchObject({ exit: 3, plan: { action: "challenge reset" } });
  expect(readVariable("JOB_ID")).toBe("1");
  expect(await ask(["reset", "--yes"])).toMatchObject({
    exit: 0,
    cleared: expect.arrayContaining(["JOB_UUID", "JOB_TOKEN"]),
  });
  expect(readState()).toMatch(/^# mine\nOTHER="x y"\nCHALLENGE_TOKEN='.*'\nBASE_URL='.*'\n$/);
  expect((await ask(["status"])).error.code).toBe("contest_job_none");
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
