import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRecords } from "../../src/gateway/records/open-records.ts";
import {
  spawnGateway,
  startGatewayProcess,
  waitForGateway,
  writeGatewayConfig,
} from "../support/gateway-process.ts";
import { SORTIE, useSortie } from "../support/sortie.ts";
import { waitFor } from "../support/wait-for.ts";

const sortie = useSortie();
const ask = (...words: string[]) => sortie.ask(["gateway", ...words]);
const post = async (url: string, body: object, token?: string) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
};

describe("sortie gateway init", () => {
  it("writes a configuration that loads, and never over another", async () => {
    const folder = join(sortie.project(), "a challenge");
    expect(await ask("init", folder)).toMatchObject({ exit: 0, file: join(folder, "gateway.yaml") });
    expect(await ask("user", "ls", "--config", join(folder, "gateway.yaml"))).toMatchObject({ users: [] });
    writeFileSync(join(folder, "gateway.yaml"), "mine\n");
    const again = await ask("init", folder);
    expect(again).toMatchObject({ exit: 2, error: { code: "gateway_config_exists" } });
    expect(readFileSync(join(folder, "gateway.yaml"), "utf8")).toBe("mine\n");
    mkdirSync(join(sortie.project(), "gateway.yaml"));
    expect((await ask("init")).exit).toBe(2);
  });
});

describe("a place that takes no folder", () => {
  it("is told by init", async () => {
    const file = writeGatewayConfig(sortie);
    for (const place of [file, join(file, "below")]) {
      const { exit, error } = await ask("init", place);
      expect([exit, error.code, error.message]).toEqual([
        2,
        "value_bad",
        expect.stringContaining("is a file."),
      ]);
    }
    symlinkSync(join(sortie.temp(), "none"), join(sortie.temp(), "link"));
    expect((await ask("init", join(sortie.temp(), "link"))).error.message).toContain(
      "it is a link to nothing",
    );
  });

  it.runIf(process.platform === "linux")("as /proc is refused at once", async () => {
    expect((await ask("init", "/proc/sortie")).error.code).toBe("gateway_config_unwritable");
    writeGatewayConfig(sortie, "data_folder: /proc/sortie/data\n");
    for (const words of [[], ["user", "add", "amy@example.org", "--yes"]])
      expect(await ask(...words)).toMatchObject({ exit: 5, error: { code: "gateway_data_unwritable" } });
    writeGatewayConfig(sortie, "recordings: { folder: /proc/sortie/recordings }\n");
    expect((await ask()).error.code).toBe("recordings_unusable");
  });
});

describe("sortie gateway", () => {
  it("without a configuration says how to write one", async () => {
    const refused = await sortie.run(["gateway"]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toMatch(/no configuration of a gateway: gateway.yaml.*\n.*`sortie gateway init`/);
  });

  it("tells every fault of its configuration with file and line", async () => {
    writeGatewayConfig(sortie, "timers: { pong: 3s, ping: x }\n");
    const { stderr, exitCode } = await sortie.run(["gateway"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "gateway.yaml:6: timers.pong: is no key that is known here; did you mean ping?\n",
    );
    expect(stderr).toContain(
      'gateway.yaml:6: timers.ping: "x" is not a time; write a time such as 20s, 5m or 1h\n',
    );
  });

  it("prints one line with --json, stays, and ends well when it is told to", async () => {
    writeGatewayConfig(sortie);
    const gateway = await startGatewayProcess(sortie);
    expect(JSON.parse(gateway.output.stdout)).toEqual({
      schema: 1,
      gateway: {
        api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        tunnel: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/api\/challenge\/tunnel$/),
        policy: { openpi: null, corobot: null },
        ...{ dataFolder: join(sortie.project(), "data"), pid: gateway.pid },
      },
    });
    const second = await ask();
    expect(second).toMatchObject({ exit: 5, error: { code: "gateway_running" } });
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
    expect(gateway.output.stdout.trim().split("\n")).toHaveLength(1);
    const interrupted = await startGatewayProcess(sortie, ["--grace", "1s"]);
    interrupted.kill("SIGINT");
    expect(await interrupted.exitCode).toBe(130);
  });

  it.each(["throw fault;", "Promise.reject(fault);"])(
    "ends with one line in its log by %s",
    async (crash) => {
      writeGatewayConfig(sortie);
      writeFileSync(
        join(sortie.project(), "crash.cjs"),
        `const fault = new TypeError("no\\nsuch"); process.on("SIGUSR2", () => { ${crash} });`,
      );
      const env = sortie.makeEnv({ NODE_OPTIONS: "--require ./crash.cjs" });
      const gateway = await waitForGateway(spawnGateway([], { cwd: sortie.project(), env }));
      const before = gateway.output.stderr.length;
      gateway.kill("SIGUSR2");
      expect(await gateway.exitCode).toBe(1);
      const lines = gateway.output.stderr.slice(before).trim().split("\n");
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] as string)).toMatchObject({
        ...{ level: "fatal", event: "crash", where: expect.stringContaining("crash.cjs") },
        msg: "a fault that nobody caught: no\nsuch",
      });
    },
  );

  it("says when its port is taken, and takes another by --listen", async () => {
    writeGatewayConfig(sortie);
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await waitFor(() => other.listening);
    const { port } = other.address() as AddressInfo;
    const refused = await ask("--listen", `127.0.0.1:${port}`);
    expect(refused).toMatchObject({ exit: 5, error: { code: "port_taken", details: { port } } });
    expect((await ask("--listen", "nowhere")).error.code).toBe("value_bad");
  });

  it("on an address that others reach says so, and lets in no simulator without a key there", async () => {
    writeGatewayConfig(sortie);
    const open = await ask("--listen", "0.0.0.0:0", "--open-simulators");
    expect(open).toMatchObject({ exit: 2, error: { code: "listen_unsafe" } });
    const gateway = await startGatewayProcess(sortie, ["--listen", "0.0.0.0:0"]);
    await waitFor(() => gateway.output.stderr.includes("can be reached from other machines, in clear text"));
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
  });

  it("shows commands that work as they are typed, up to a job", async () => {
    const file = writeGatewayConfig(sortie);
    const script = `
      set -e; touch shown
      mkdir bin; printf '#!/bin/sh\nexec "$NODE" "$SORTIE" "$@"\n' >bin/sortie; chmod +x bin/sortie; PATH="$PWD/bin:$PATH"
      sortie gateway --config gateway.yaml >shown 2>log & gateway=$!
      until grep -q '^  sortie challenge submit ' shown; do sleep 0.05; done
      grep -E '^  (export|CHALLENGE_PASSWORD=|sortie)' shown >commands
      . ./commands
      kill -TERM $gateway; wait $gateway`;
    const outcome = await sortie.runner.run(["sh", "-c", script], {
      ...{
        env: sortie.makeEnv({ NODE: process.execPath, SORTIE }),
        cwd: sortie.project(),
        timeoutMs: 60_000,
      },
    });
    expect(outcome.stderr).toBe("");
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout).toMatch(/^Job 1 is submitted: [0-9a-f-]{36}, up to 4 agents\.$/m);
    const { jobs } = await ask("jobs", "--config", file);
    expect(jobs).toMatchObject([{ id: 1, board: "manip", user: "me@example.org", state: "ready" }]);
  });
});

describe("while the gateway runs", () => {
  it("users are added, jobs listed, cancelled, and the database is copied", async () => {
    writeGatewayConfig(sortie);
    const gateway = await startGatewayProcess(sortie);
    const { password } = await ask("user", "add", "amy@example.org", "--yes");
    const login = await post(`${gateway.api}/api/challenge/login`, { email: "amy@example.org", password });
    const token = login["token"] as string;
    const submit = (name: string) =>
      post(`${gateway.api}/api/challenge/job`, { name, config: { board: "manip", model_name: "m" } }, token);
    await submit("first");
    await submit("second");
    expect((await ask("jobs", "--state", "live")).jobs).toMatchObject([
      { id: 2, name: "second", cases: { waiting: 2, done: 0 } },
      { id: 1, name: "first" },
    ]);
    const cancelled = await ask("cancel", "1", "--yes");
    expect(cancelled).toMatchObject({ exit: 0, running: true, orders: [{ outcome: "job 1 is stopped" }] });
    expect((await ask("cancel", "1")).error).toMatchObject({ code: "gateway_job_over" });
    expect((await ask("jobs", "--state", "ended")).jobs).toMatchObject([{ id: 1, state: "stopped" }]);
    expect((await ask("jobs", "2")).cases).toMatchObject([{ task: "one", state: "waiting" }, { index: 1 }]);
    expect(await ask("agents")).toMatchObject({ running: true, agents: [] });

    const copy = join(sortie.temp(), "a copy.db");
    expect(await ask("backup", copy)).toMatchObject({ exit: 0, backup: { file: copy } });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect((await ask("backup", copy)).error.code).toBe("backup_exists");
    expect((await ask("backup", copy, "--replace")).exit).toBe(0);
    const removed = await ask("user", "rm", "amy@example.org", "--yes");
    expect(removed.orders).toMatchObject([{ outcome: "1 job is stopped" }]);
    gateway.kill("SIGTERM");
    expect(await gateway.exitCode).toBe(0);
    expect(await ask("agents")).toMatchObject({ running: false });
    expect((await sortie.run(["gateway", "agents"])).stdout).toBe("The gateway does not run.\n");
  });
});

describe("while the gateway does not run", () => {
  it("an order is kept for its next start", async () => {
    writeGatewayConfig(sortie);
    const first = await startGatewayProcess(sortie);
    const { password } = await ask("user", "add", "amy@example.org", "--yes");
    const { token } = await post(`${first.api}/api/challenge/login`, { email: "amy@example.org", password });
    const job = { name: "one", config: { board: "manip", model_name: "m" } };
    await post(`${first.api}/api/challenge/job`, job, token as string);
    first.kill("SIGKILL");
    await first.exitCode;
    const told = await sortie.run(["gateway", "cancel", "1", "--yes"]);
    expect(told.stdout).toContain("The gateway does not run: it is done when it starts next.");
    expect((await ask("jobs")).jobs).toMatchObject([{ state: "ready" }]);
    const second = await startGatewayProcess(sortie);
    await waitFor(async () => (await ask("jobs")).jobs[0].state === "stopped", { what: "the order" });
    second.kill("SIGTERM");
    expect(await second.exitCode).toBe(0);
  });

  it("a backup of nothing is refused, and never takes the database's place", async () => {
    writeGatewayConfig(sortie);
    const copy = join(sortie.temp(), "copy.db");
    expect((await ask("backup", copy)).error.code).toBe("gateway_data_missing");
    expect(existsSync(join(sortie.project(), "data"))).toBe(false);
    openRecords(join(sortie.project(), "data")).close();
    const own = join(sortie.project(), "data", "gateway.db");
    expect((await ask("backup", own, "--replace")).error.code).toBe("backup_place_bad");
    expect((await ask("backup", join(sortie.temp(), "no", "copy.db"))).error.code).toBe("backup_failed");
    expect((await ask("backup", copy)).exit).toBe(0);
  });

  it("a damaged database, or one of a newer Sortie, is left as it is", async () => {
    writeGatewayConfig(sortie);
    const data = join(sortie.project(), "data");
    mkdirSync(data);
    writeFileSync(join(data, "gateway.db"), "no database ".repeat(1000));
    expect(await ask("user", "ls")).toMatchObject({ exit: 5, error: { code: "gateway_data_corrupt" } });
    expect(readFileSync(join(data, "gateway.db"), "utf8")).toContain("no database");
  });
});
