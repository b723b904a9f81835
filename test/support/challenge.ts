import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach } from "vitest";
import { hashPassword } from "../../src/gateway/accounts/password.ts";
import { loadGatewayConfig } from "../../src/gateway/config/load-gateway-config.ts";
import type { GatewayEvent } from "../../src/gateway/gateway-event.ts";
import type { Challenge, ChallengeOptions } from "../../src/gateway/host/challenge-options.ts";
import { startChallenge } from "../../src/gateway/host/start-challenge.ts";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import { insertUser } from "../../src/gateway/records/users.ts";
import type { Store } from "../../src/store/store.ts";
import { type GatewayProcess, spawnGateway, waitForGateway } from "./gateway-process.ts";
import { useTempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

export const PASSWORD = "correct horse battery";

/** A part of `gateway.yaml`; JSON is YAML too. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/** Pings come soon, and nothing that waits ends while a test runs. */
const scaledTimers = { ping: "1s", read_deadline: "20s", window: "20s", drain: "20s" };

/** A board whose cases ask for three actions. */
export function makeEchoBoard(cases: number, steps = 3): ConfigValues {
  return { simulator: "echo", steps, tasks: { pick: { cases, seed: 1 } } };
}

/**
 * An organiser's folder for each test of a file, and a gateway on it: in this process, or the built `sortie gateway`. After
 * each test one that still runs is ended.
 */
export function useChallenge() {
  const temp = useTempFolder();
  let children: ChildProcess[] = [];
  let opened: Store[] = [];
  let hosted: Challenge[] = [];
  let port = 0;
  afterEach(async () => {
    await Promise.all(hosted.map((challenge) => challenge.stop(0)));
    for (const records of opened) records.close();
    for (const child of children) child.kill("SIGKILL");
    await waitFor(() => children.every((child) => child.exitCode !== null || child.signalCode !== null), {
      what: "the end of every gateway",
    });
    [children, opened, hosted, port] = [[], [], [], 0];
  });

  const writeConfig = (values: ConfigValues) => {
    const config = {
      ...{ listen: `127.0.0.1:${port}`, logins_per_minute: 1_000, timers: scaledTimers },
      ...{ boards: { instruction: makeEchoBoard(2) }, ...values },
    };
    writeFileSync(configFile(), JSON.stringify(config));
  };
  const configFile = () => join(temp(), "gateway.yaml");
  const dataFolder = () => join(temp(), "data");
  const open = () => {
    const records = openRecords(dataFolder());
    opened.push(records);
    return records;
  };

  return {
    temp,
    configFile,
    dataFolder,
    /** The gateway's database, as another process sees it. */
    openRecords: open,
    addUser: async (email = "ann@example.org", more: { quota?: number; parallelism?: number } = {}) =>
      insertUser(
        open(),
        { email, name: email.split("@")[0] ?? email, passwordHash: await hashPassword(PASSWORD), ...more },
        new Date(),
      ),
    /** Starts a gateway in this process, again on the port of the one before it. */
    host: async (values: ConfigValues = {}, options: ChallengeOptions = {}) => {
      writeConfig(values);
      const events: GatewayEvent[] = [];
      const onEvent = (event: GatewayEvent) => events.push(event);
      const challenge = await startChallenge(loadGatewayConfig(configFile()), { onEvent, ...options });
      hosted.push(challenge);
      port = Number(new URL(challenge.apiUrl).port);
      const find = <Type extends GatewayEvent["type"]>(type: Type) =>
        events.filter((event) => event.type === type) as Extract<GatewayEvent, { type: Type }>[];
      return { ...challenge, events, find };
    },
    /** Starts the built gateway, again on the port of the one before it. */
    start: async (values: ConfigValues = {}, flags: readonly string[] = []): Promise<GatewayProcess> => {
      writeConfig(values);
      const env = { ...process.env, HOME: temp(), SORTIE_HOME: join(temp(), "sortie home") };
      const child = spawnGateway([...flags, "--config", configFile()], { cwd: temp(), env });
      children.push(child);
      const gateway = await waitForGateway(child);
      port = Number(new URL(gateway.api).port);
      return gateway;
    },
  };
}

/** Calls the challenge API as a contestant does, logged in. */
export async function logIn(api: string, email = "ann@example.org") {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${api}${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: tests read replies freely; their shape is what they check
    return { status: response.status, body: (await response.json()) as any };
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const { body } = await post("/api/challenge/login", { email, password: PASSWORD });
  const authorization = { Authorization: `Bearer ${body.token}` };
  return {
    token: body.token as string,
    get: (path: string) => call(`/api/challenge${path}`, { headers: authorization }),
    submit: async (board = "instruction", name = "a job") =>
      (await post("/api/challenge/job", { name, config: { board, model_name: "model" } }, authorization))
        .body,
    /** The job of this number as the list of jobs shows it. */
    findJob: async (id: number) => {
      const { body: page } = await call("/api/challenge/jobs?per-page=100", { headers: authorization });
      return page.items.find((job: { id: number }) => job.id === id);
    },
  };
}

export type Contestant = Awaited<ReturnType<typeof logIn>>;

/** Waits until a job has ended, and answers how the list of jobs shows it. */
export async function waitForEnd(contestant: Contestant, id: number, timeoutMs = 60_000) {
  let job: Awaited<ReturnType<Contestant["findJob"]>>;
  await waitFor(
    async () => {
      job = await contestant.findJob(id);
      return [2, 3, 4].includes(job?.status);
    },
    { timeoutMs, what: `the end of job ${id}` },
  );
  return job;
}
