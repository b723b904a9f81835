import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logIn, useChallenge } from "./support/challenge.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";

const challenge = useChallenge();
const sortie = useSortie();
const ECHO = "export function handle(session, payload) { return payload; }\n";
const NO_WEIGHTS = `${ECHO}export function load() { throw new Error("there are no weights at ./pi05"); }\n`;

/** A contestant of a real gateway who has submitted a job. */
async function submit(values = {}) {
  const { apiUrl } = await challenge.host(values);
  await challenge.addUser();
  const ann = await logIn(apiUrl);
  const job = await ann.submit();
  writeState({
    ...{ BASE_URL: apiUrl, CHALLENGE_TOKEN: ann.token, JOB_ID: String(job.id), JOB_UUID: job.uuid },
    ...{
      JOB_TOKEN: job.job_token,
      PARALLELISM: String(job.parallelism),
      TUNNEL_ENDPOINT: job.tunnel_endpoint,
    },
  });
  return { apiUrl, job, secrets: [ann.token, job.job_token as string] };
}

function writeState(values: Record<string, string>) {
  const person = join(sortie.temp(), "person");
  mkdirSync(person, { recursive: true });
  const lines = Object.entries(values).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(person, ".simubotix-challenge.env"), lines.join(""), { mode: 0o600 });
}

/** An agent as a run, from its start to its end. */
async function runAgent(jobUuid: string, policy: string, env: Record<string, string> = {}) {
  writeFileSync(join(sortie.project(), "policy.mjs"), policy);
  const flags = ["--job-uuid", jobUuid, "--handler", "policy.mjs", "--gpu", "cpu", "--no-validate"];
  const run = await sortie.launch([process.execPath, SORTIE, "agent", ...flags], ["--gpus", "none"], { env });
  return sortie.waitForState(run.id, ["succeeded", "failed"]);
}

async function examine(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { exit, ok, job, findings } = await sortie.ask(["doctor", "--job", ...args], { env });
  const find = (code: string) => findings.find((finding: { code: string }) => finding.code === code);
  return { exit, ok, job, find };
}

describe("doctor --job", () => {
  it("says where a login, a job and a gateway are missing, each with the next command", async () => {
    const { exitCode, stdout, stderr } = await sortie.run(["doctor", "--job"], {
      env: { SORTIE_CHALLENGE_URL: "http://127.0.0.1:1" },
    });
    expect(stderr).toBe("");
    expect(exitCode).toBe(5);
    for (const words of ["cannot be reached", "There is no login token.", "No job is known here.", "seen: "])
      expect(stdout).toContain(words);
    expect(stdout).toContain("`sortie challenge login`");
  });

  it("names proxy variables, and the hosts that they would stand before, without a password", async () => {
    const { exitCode, stdout } = await sortie.run(["doctor", "--job"], {
      env: {
        ...{ SORTIE_CHALLENGE_URL: "http://127.0.0.1:1", NO_PROXY: "", no_proxy: "" },
        http_proxy: "http://ann:secret-77@proxy.example.org:3128",
      },
    });
    expect(exitCode).toBe(5);
    expect(stdout).toContain("http_proxy (proxy.example.org:3128)");
    expect(stdout).toContain("NO_PROXY=127.0.0.1");
    expect(stdout).not.toContain("secret-77");
  });

  it("shows the line by which a warm-up failed", async () => {
    const { job, secrets } = await submit();
    const run = await runAgent(job.uuid, NO_WEIGHTS);
    const { exit, find } = await examine();
    expect(exit).toBe(5);
    expect(find("agent_warmup_failed")).toMatchObject({
      ...{
        what: "agents",
        level: "bad",
        evidence: expect.stringContaining("there are no weights at ./pi05"),
      },
      advice: expect.stringContaining(`sortie logs ${run.name}`),
    });
    const { stdout } = await sortie.run(["doctor", "--job", String(job.id)]);
    for (const secret of secrets) expect(stdout).not.toContain(secret);
    expect(stdout).toContain(`job ${job.id} "a job" (${job.uuid})`);
  });

  it("tells a 401 over the token of another job from one over the login, and hides both", async () => {
    const { job } = await submit();
    await runAgent(job.uuid, ECHO, { JOB_TOKEN: "stale-job-token-4711" });
    const { exit, find } = await examine([job.uuid], { JOB_TOKEN: "stale-job-token-4711" });
    expect(exit).toBe(5);
    expect(find("agent_unauthorized_job")).toMatchObject({
      ...{ evidence: expect.stringContaining("401"), advice: expect.stringContaining("unset JOB_TOKEN") },
    });
    expect(JSON.stringify(find("agent_unauthorized_job"))).not.toContain("4711");
  });

  it("is content with a job that was played to its end", async () => {
    const { job } = await submit();
    await runAgent(job.uuid, ECHO);
    const { exit, ok, find } = await examine();
    expect({ exit, ok }).toEqual({ exit: 0, ok: true });
    expect(find("agents_drained")).toMatchObject({
      level: "ok",
      detail: expect.stringContaining("Drain received"),
    });
    expect(find("job_done").advice).toContain(`sortie challenge result ${job.id}`);
  });
});
