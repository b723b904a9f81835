import { describe, expect, it } from "vitest";
import type { GatewayEvent } from "../gateway-event.ts";
import { type Metrics, makeMetrics } from "./metrics.ts";

const gauges = {
  countAgents: () => ({ running: 2, away: 1 }),
  countWaiting: () => ({ manip: 7 }),
  countPlaying: () => ({ manip: 2 }),
  countRecordingBytes: () => 1024,
};

let nowMs = 1_000;
const clock = { monotonicMs: () => nowMs };

function tell(metrics: Metrics, event: object) {
  const whose = { at: new Date(0), monotonicMs: nowMs, jobUuid: "job-1", agentId: "agent-1" };
  metrics.observe({ ...event, ...whose } as GatewayEvent);
}

/** The value of a line `name{labels}`; undefined where it is not there. */
async function readMetric(metrics: Metrics, name: string): Promise<number | undefined> {
  const line = (await metrics.text()).split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

describe("metrics", () => {
  it("count frames, bytes, pings and links", async () => {
    const metrics = makeMetrics(gauges, clock);
    tell(metrics, { type: "dialed", resumed: false });
    tell(metrics, { type: "dialed", resumed: true });
    tell(metrics, { type: "link_closed", code: 1006, reason: "", windowOpen: true });
    tell(metrics, { type: "link_closed", code: 4_321, reason: "mine", windowOpen: false });
    tell(metrics, { type: "dialed", resumed: false });
    for (let ping = 0; ping < 5; ping += 1) tell(metrics, { type: "agent_ping" });
    tell(metrics, { type: "observation_sent", sessionId: "s", bytes: 700, resent: false });
    tell(metrics, { type: "observation_sent", sessionId: "s", bytes: 700, resent: true });
    tell(metrics, { type: "reply", sessionId: "s", payload: Buffer.alloc(30), asked: true });
    tell(metrics, { type: "refused", why: "over_cap" });
    tell(metrics, { type: "simulator_connected", dialect: "openpi", peer: "", board: "b", resumed: false });
    tell(metrics, { type: "simulator_refused", dialect: "openpi", peer: "", status: 401, says: "no key" });
    expect(await readMetric(metrics, "sortie_links")).toBe(1);
    expect(await readMetric(metrics, 'sortie_dials_total{resumed="true"}')).toBe(1);
    expect(await readMetric(metrics, 'sortie_links_ended_total{word="broken_off",awaited="true"}')).toBe(1);
    expect(await readMetric(metrics, 'sortie_links_ended_total{word="other",awaited="false"}')).toBe(1);
    expect(await readMetric(metrics, "sortie_pings_received_total")).toBe(5);
    expect(await readMetric(metrics, "sortie_payload_sent_bytes_total")).toBe(1_400);
    expect(await readMetric(metrics, "sortie_frames_resent_total")).toBe(1);
    expect(await readMetric(metrics, "sortie_payload_received_bytes_total")).toBe(30);
    expect(await readMetric(metrics, 'sortie_dials_refused_total{why="over_cap"}')).toBe(1);
    expect(await readMetric(metrics, "sortie_simulators")).toBe(1);
    expect(await readMetric(metrics, 'sortie_simulators_refused_total{status="401"}')).toBe(1);
  });

  it("say the same when they are asked twice", async () => {
    const metrics = makeMetrics(gauges, clock);
    tell(metrics, { type: "agent_pong" });
    await metrics.text();
    expect(await readMetric(metrics, "sortie_pongs_received_total")).toBe(1);
    expect(await readMetric(metrics, 'sortie_agents{state="away"}')).toBe(1);
  });

  it("split the time of an action between gateway and agent", async () => {
    const metrics = makeMetrics(gauges, clock);
    const policy = metrics.watchPolicy({ sessionId: "s", infer: async () => Buffer.from("move") });
    expect(Buffer.from(await policy.infer(Buffer.from("look"))).toString()).toBe("move");
    nowMs += 2_000;
    tell(metrics, { type: "observation_sent", sessionId: "s", bytes: 4, resent: false });
    nowMs += 500;
    tell(metrics, { type: "reply", sessionId: "s", payload: Buffer.alloc(4), asked: true });
    expect(await readMetric(metrics, 'sortie_reply_seconds_sum{part="gateway"}')).toBe(2);
    expect(await readMetric(metrics, 'sortie_reply_seconds_sum{part="agent"}')).toBe(0.5);
    tell(metrics, { type: "reply", sessionId: "s", payload: Buffer.alloc(4), asked: false });
    expect(await readMetric(metrics, 'sortie_reply_seconds_count{part="agent"}')).toBe(1);
    expect(await readMetric(metrics, 'sortie_oddities_total{kind="reply_unasked"}')).toBe(1);
  });

  it("count cases by board, outcome and reason, and jobs", async () => {
    const metrics = makeMetrics(gauges, clock);
    const spec = { board: "manip", task: "pick", index: 0, seed: 0 };
    const end = { type: "case_ended", sessionId: "s", spec };
    tell(metrics, { ...end, score: 0.5, retried: false });
    tell(metrics, { ...end, score: null, retried: false });
    tell(metrics, { ...end, failure: "tunnel_lost", retried: true });
    tell(metrics, { ...end, failure: "tunnel_lost", retried: false });
    tell(metrics, { type: "job_ended", outcome: "failed" });
    const read = (outcome: string, reason = "") =>
      readMetric(
        metrics,
        `sortie_case_attempts_total{board="manip",outcome="${outcome}",reason="${reason}"}`,
      );
    expect(await read("scored")).toBe(1);
    expect(await read("unscored")).toBe(1);
    expect(await read("retried", "tunnel_lost")).toBe(1);
    expect(await read("failed", "tunnel_lost")).toBe(1);
    expect(await readMetric(metrics, 'sortie_jobs_ended_total{outcome="failed"}')).toBe(1);
  });

  it("count requests, refused logins, recordings and faults", async () => {
    const metrics = makeMetrics(gauges, clock);
    metrics.countRequest({ method: "GET", route: "/api/challenge/jobs", status: 200, ms: 20 });
    metrics.countLoginRefused("bad_password");
    tell(metrics, { type: "recording_fault", why: "ENOSPC" });
    const labels = 'method="GET",route="/api/challenge/jobs",status="200"';
    expect(await readMetric(metrics, `sortie_api_request_seconds_sum{${labels}}`)).toBe(0.02);
    expect(await readMetric(metrics, 'sortie_logins_refused_total{why="bad_password"}')).toBe(1);
    expect(await readMetric(metrics, "sortie_recordings_bytes")).toBe(1024);
    expect(await readMetric(metrics, 'sortie_faults_total{kind="recording_fault"}')).toBe(1);
  });

  it("of two gateways in one process do not meet", async () => {
    const [one, other] = [makeMetrics(gauges, clock), makeMetrics(gauges, clock)];
    tell(one, { type: "agent_ping" });
    expect(await readMetric(one, "sortie_pings_received_total")).toBe(1);
    expect(await readMetric(other, "sortie_pings_received_total")).toBe(0);
    expect(one.contentType).toMatch(/^text\/plain/);
  });

  it("keep a bounded number of lines, whatever agents make up", async () => {
    const metrics = makeMetrics(gauges, clock);
    const before = (await metrics.text()).split("\n").length;
    for (let number = 0; number < 500; number += 1) {
      tell(metrics, { type: "link_closed", code: 3_000 + number, reason: `r${number}`, windowOpen: false });
      tell(metrics, { type: "malformed_frame", why: `w${number}` });
      tell(metrics, { type: "reply_unknown_session", sessionId: `s${number}`, bytes: 1 });
    }
    expect((await metrics.text()).split("\n").length - before).toBeLessThanOrEqual(3);
  });
});
