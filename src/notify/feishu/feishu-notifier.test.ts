import { expect, it } from "vitest";
import { reply, useNoticeServers } from "../../../test/support/notice-servers.ts";
import { systemClock } from "../../base/clock.ts";
import type { Digest, Notice } from "../notice.ts";
import { makeFeishuNotifier } from "./feishu-notifier.ts";

const servers = useNoticeServers();
const at = "2026-01-02T03:04:05.000Z";
const secret = "s3cr3t-of-the-bot";
const launched: Notice = {
  ...{ kind: "experiment_done", phase: "launched", subject: "r0123456789", at },
  experiments: [
    {
      ...{ id: "r0123456789", name: "lr_3e-4", target: "remote-server" },
      ...{ gpus: ["GPU 0 (A100-SXM4-80GB)", "GPU 1 (A100-SXM4-80GB)"], expectedSeconds: 5_400 },
    },
  ],
};
const ended: Notice = {
  ...{
    kind: "experiment_done",
    phase: "ended",
    subject: "r0123456789",
    at,
    baseline: "base",
    costUsd: 3.456,
  },
  results: [
    {
      ...{ name: "lr_3e-4", status: "succeeded", seconds: 61 },
      metrics: [
        { metric: "eval/accuracy", value: 0.9123456, delta: 0.01 },
        { metric: "train\nloss", value: 0.25, delta: null },
      ],
    },
    {
      name: "lr_1",
      status: "failed",
      lines: ["exit code 1"],
      metrics: [{ metric: "loss", value: null, delta: null }],
      seconds: null,
    },
    { name: "lr_2", status: "failed", seconds: null },
  ],
};
const test: Notice = { kind: "test", phase: "1", subject: "test", at };

function make(webhookUrl: string, more: { secret?: string; timeoutMs?: number } = {}) {
  return makeFeishuNotifier({ webhookUrl, secret: null, clock: systemClock, ...more });
}

interface SentCard {
  readonly header: { readonly title: { readonly content: string }; readonly template: string };
  readonly elements: readonly [{ readonly tag: string; readonly content: string }];
}

async function sendAndRead(notice: Notice | Digest) {
  const bot = await servers.serveFeishu();
  expect(await make(bot.url).send(notice)).toEqual({ state: "sent" });
  const card = bot.cards[0]?.body["card"] as SentCard;
  return { title: card.header.title.content, colour: card.header.template, ...card.elements[0] };
}

it("says at a launch which experiments, which GPUs and how long, on a green card", async () => {
  const card = await sendAndRead(launched);
  expect(card).toMatchObject({ tag: "markdown", title: "1 experiment launched", colour: "green" });
  expect(readText(card.content)).toBe(
    "lr_3e-4 (r0123456789) on remote-server: GPU 0 (A100-SXM4-80GB), GPU 1 (A100-SXM4-80GB), about 1 h 30 min\nSortie",
  );
});

it("says at the end the results, what they are to the baseline, and the cost", async () => {
  const card = await sendAndRead(ended);
  expect(card).toMatchObject({ title: "1 of 3 experiments succeeded", colour: "orange" });
  expect(readText(card.content).split("\n")).toEqual([
    "lr_3e-4: succeeded, after 1 min 01 s",
    "  eval/accuracy 0.91235, +0.01 to base",
    "  train loss 0.25",
    "lr_1: failed",
    "  exit code 1",
    "  loss NaN or infinite",
    "lr_2: failed",
    "Cost: 3.46 USD",
    "Sortie",
  ]);
});

it("has the colours of the other events", async () => {
  const more = { subject: "x", phase: "1", at, lines: [] };
  const colours = async (notice: Notice) => (await sendAndRead(notice)).colour;
  expect(await colours({ ...more, kind: "error", what: "sync", message: "no" })).toBe("red");
  expect(await colours({ ...more, kind: "checkpoint", question: "go?", options: ["yes", "no"] })).toBe(
    "yellow",
  );
  expect(await colours({ ...more, kind: "fleet", title: "ready", isBad: false })).toBe("blue");
  expect(await colours({ ...more, kind: "job", title: "done", isBad: false })).toBe("purple");
  expect(await colours({ ...more, kind: "job", title: "failed", isBad: true })).toBe("orange");
});

it("signs where a secret is set, and says what a wrong signature means", async () => {
  const bot = await servers.serveFeishu({ secret });
  expect(await make(bot.url, { secret }).send(test)).toEqual({ state: "sent" });
  const outcome = await make(bot.url, { secret: "another secret" }).send(test);
  expect(outcome).toMatchObject({ state: "refused", reason: expect.stringMatching(/19021: the signature/) });
});

it.each([
  [19024, "refused", /keyword/],
  [19001, "refused", /names no bot/],
  [77777, "refused", /code 77777/],
  [9499, "busy", /too often/],
  [11232, "busy", /too many/],
])("takes HTTP 200 with code %i for %s", async (code, state, reason) => {
  const bot = await servers.serveFeishu({ script: [code] });
  expect(await make(bot.url).send(test)).toMatchObject({ state, reason: expect.stringMatching(reason) });
});

it.each([
  [429, { "x-ogw-ratelimit-reset": "52" }, { state: "busy", retryAfterMs: 52_000 }],
  [503, { "retry-after": "52" }, { state: "busy", retryAfterMs: 52_000 }],
  [504, {}, { state: "unsure" }],
  [404, {}, { state: "refused" }],
  [307, { location: "http://127.0.0.1:1/" }, { state: "refused" }],
])("knows what status %i means", async (status, headers, outcome) => {
  const bot = await servers.serveFeishu({
    script: [(_call, response) => void response.writeHead(status, headers).end("<html>")],
  });
  expect(await make(bot.url).send(test)).toMatchObject(outcome);
});

it("does not know what became of a card where the answer hangs, drips, is huge, cut, or a web page", async () => {
  const bot = await servers.serveFeishu({
    script: [
      () => undefined,
      (_call, response) => {
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
      (_call, response) => void response.end("x".repeat(5_000_000)),
      (_call, response) => void response.writeHead(200).write('{"code":', () => response.destroy()),
      (_call, response) => void response.end("<html>Please log in</html>"),
    ],
  });
  for (const _ of [1, 2, 3, 4, 5]) {
    expect(await make(bot.url, { timeoutMs: 300 }).send(test)).toMatchObject({ state: "unsure" });
  }
});

it("knows that a card did not go out where nobody took the connection, or it was called off before", async () => {
  const bot = await servers.serveFeishu();
  expect(await make(bot.url).send(test, AbortSignal.abort())).toMatchObject({ state: "busy" });
  await bot.stop();
  expect(await make(bot.url).send(test)).toMatchObject({ state: "busy" });
  expect(bot.calls).toEqual([]);
});

it("shortens what is longer than the vendor takes, and merges several of a kind", async () => {
  const lines = Array.from(
    { length: 150 },
    (_, index) => `${index} 重要 <at id=all></at> ${"x".repeat(400)}`,
  );
  const long: Notice = { kind: "error", what: "w", message: "m", lines, subject: "r", phase: "1", at };
  const shown = readText((await sendAndRead(long)).content);
  expect(shown).toMatch(/… and \d+ more lines\nSortie$/);
  const cut = await sendAndRead({ ...long, message: `${"x".repeat(299)}😀`, lines: [] });
  expect(cut.content).toMatch(/x…\n/);
  const many = Array.from({ length: 30 }, (_, index) => ({ ...launched, subject: `r${index}` }));
  const merged = await sendAndRead({ kind: "digest", notices: many });
  expect(merged.title).toBe("30 experiments launched");
});

it("lets no name become markup", async () => {
  const { content } = await sendAndRead({
    ...test,
    kind: "error",
    what: "w",
    message: "<at id=all></at>",
    lines: ["[a](b)"],
  });
  expect(content).not.toMatch(/[<>[\]]/);
});

it("puts no secret into a card or a reason", async () => {
  const bot = await servers.serveFeishu({
    secret,
    script: [
      (call, response) =>
        reply(response, { code: 19021, msg: `${secret} ${bot.url} ${call.body["sign"] ? "" : "?"}` }),
    ],
  });
  const notice: Notice = {
    ...{ kind: "error", what: `WANDB_API_KEY=${"0a".repeat(20)}`, message: `${secret} at ${bot.url}` },
    ...{ lines: [`Authorization: Bearer ${"abc".repeat(9)}`], subject: "r", phase: "1", at },
  };
  const outcome = await make(bot.url, { secret }).send(notice);
  const told = JSON.stringify(outcome) + bot.calls[0]?.text;
  for (const hidden of [secret, "0a1b2c3d-token", "0a0a0a", "abcabc"]) expect(told).not.toContain(hidden);
});

it("takes no address that is not encrypted, and shows none of it", () => {
  const open = () => make("http://open.feishu.cn/open-apis/bot/v2/hook/0a1b2c3d");
  expect(open).toThrow(
    "webhook_url (http://open.feishu.cn/…) is no address to send notices to: it is not encrypted",
  );
});

function readText(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
