import { describe, expect, it } from "vitest";
import type { Answer } from "../../../../test/support/vast/replies.ts";
import {
  askedTooOften,
  onCreate,
  onDestroy,
  onList,
  onSearch,
  onShow,
} from "../../../../test/support/vast/rules.ts";
import { useVastDouble } from "../../../../test/support/vast/vast-double.ts";
import { systemClock } from "../../../base/clock.ts";
import { makeErrorDocument, SortieError } from "../../../base/error.ts";
import { findEndpoint } from "../find-endpoint.ts";
import { openVast, type VastOptions } from "./open-vast.ts";

const vast = useVastDouble();
const timers = { requestMs: 2_000, createMs: 2_000, retryFirstMs: 1, retryMostMs: 5, retryTotalMs: 300 };
const open = (options: Partial<VastOptions> = {}) =>
  openVast({ key: vast().account.key, url: vast().url, clock: systemClock, timers, ...options });

const query = {
  ...{ gpuName: "RTX_4090", gpuCount: 1, gpuMemoryMiB: 24_000, diskGb: 50 },
  ...{ cuda: 12.1, hours: 4, maxDollarsPerHour: 1 },
};
const wish = { image: "pytorch/pytorch", diskGb: 50, label: "run-1", env: { A: "b" }, onstart: null };

/** What a call ends with, after a look that no word of it tells the key. */
const catchFault = async (call: Promise<unknown>): Promise<SortieError> => {
  const thrown = await call.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  if (!(thrown instanceof SortieError)) throw thrown ?? new Error("it went well");
  const told = `${JSON.stringify(makeErrorDocument(thrown))} ${thrown.stack} ${String(thrown.cause)}`;
  expect(told).not.toContain(vast().account.key);
  return thrown;
};

describe("the account's instances", () => {
  it("go from an offer to nothing", async () => {
    const dear = vast().addOffer({ dollarsPerHour: 0.7 });
    const cheap = vast().addOffer({ dollarsPerHour: 0.4 });
    vast().addOffer({ gpuName: "RTX 3090" });
    vast().settings.direct = { host: "127.0.0.1", port: 4_022 };
    vast().settings.lingerS = 60;
    const offers = await open().searchOffers(query);
    expect(offers.map(({ id }) => id)).toEqual([cheap, dear]);
    expect(offers[0]).toMatchObject({
      gpuName: "RTX 4090",
      country: "SE",
      reliability: 0.995,
      hoursLeft: 700,
    });
    expect(offers[0]?.dollarsPerHour).toBeCloseTo(0.4 + (0.15 * 50) / 720, 6);

    const id = await open().createInstance(cheap, wish);
    expect(vast().find(id)).toMatchObject({ label: "run-1", diskGb: 50, env: { A: "b" } });
    const instance = await open().loadInstance(id);
    expect(instance).toMatchObject({ id, label: "run-1", status: "running", gpuCount: 1, isBid: false });
    expect(instance && findEndpoint(instance)).toEqual({ host: "127.0.0.1", port: 4_022, way: "direct" });
    expect(instance?.dollarsPerHour).toBeCloseTo(offers[0]?.dollarsPerHour ?? 0, 9);

    await open().labelInstance(id, "run-2");
    vast().clock.shift(3_600_000);
    await open().stopInstance(id);
    expect(await open().listInstances()).toMatchObject([
      { id, label: "run-2", status: "stopped", direct: null },
    ]);
    vast().clock.shift(3_600_000);
    await open().startInstance(id);
    await open().destroyInstance(id);
    expect(await open().loadInstance(id)).not.toBeNull();
    vast().clock.shift(61_000);
    expect(await open().loadInstance(id)).toBeNull();
    await open().destroyInstance(id);
    const [entry] = vast().readLedger();
    expect(entry?.destroyedAt).not.toBeNull();
    expect(entry?.dollars).toBeCloseTo(0.4 * (1 + 1 / 60) + 0.0104 * (2 + 1 / 60), 2);
  });

  it("are listed page by page", async () => {
    for (let id = 1; id <= 60; id += 1) vast().addInstance({ id, label: null });
    expect(await open().listInstances()).toHaveLength(60);
    expect(vast().count(onList)).toBe(3);
  });

  it("cannot be changed when they are gone", async () => {
    const codes = [open().stopInstance(5), open().startInstance(5), open().labelInstance(5, "a")].map(
      async (call) => (await catchFault(call)).code,
    );
    expect(await Promise.all(codes)).toEqual(Array(3).fill("vast_instance_gone"));
  });

  it("have the account's keys, credit and proposed prices", async () => {
    vast().account.sshKeys.push("ssh-ed25519 AAAA me");
    const row = { contract_id: 7, old_gpu_costpersec: 0.0001, new_gpu_costpersec: 0.0002 };
    vast().account.priceIncreases.push({ ...row, contract_end_date: 1_800_000_000 });
    expect(await open().listSshKeys()).toEqual(["ssh-ed25519 AAAA me"]);
    expect(await open().loadCredit()).toBe(25);
    expect(await open().listPriceIncreases()).toEqual([
      {
        ...{
          instance: 7,
          gpuDollarsPerHour: { old: expect.closeTo(0.36), new: expect.closeTo(0.72) },
          storageDollarsPerGbMonth: null,
        },
        from: new Date(1_800_000_000_000),
      },
    ]);
  });
});

describe("a create", () => {
  const faults: [string, Answer | "hang" | "cut", string][] = [
    ["an error of the server", { status: 500, body: "Internal Server Error" }, "vast_create_unsure"],
    ["a lost reply", "cut", "vast_create_unsure"],
    ["a reply without the id", { status: 200, body: { success: true } }, "vast_create_unsure"],
    ["no reply at all", "hang", "vast_create_unsure"],
    ["an offer that is gone", { status: 410, body: { error: "no_such_ask" } }, "vast_offer_gone"],
    ["too many requests", askedTooOften, "vast_away"],
    ["no credit", { status: 400, body: { error: "insufficient_credit", msg: "Add credit" } }, "vast_refused"],
    ["a no with status 200", { status: 200, body: { success: false, msg: "no" } }, "vast_refused"],
  ];
  it.each(faults)("is sent once: %s", async (_, answer, code) => {
    const offer = vast().addOffer();
    vast().on({ ...onCreate, answer, isDone: answer === "cut" });
    const short = { ...timers, createMs: 200 };
    const fault = await catchFault(open({ timers: short }).createInstance(offer, wish));
    expect(fault.code).toBe(code);
    expect(vast().count(onCreate)).toBe(1);
    if (code === "vast_create_unsure") expect(fault).toMatchObject({ retryable: false, hint: /run-1/ });
  });

  it("names the instance that was made all the same", async () => {
    const body = { success: false, error: "scheduling", msg: "no room", new_contract: 99 };
    vast().on({ ...onCreate, answer: { status: 400, body } });
    const fault = await catchFault(open().createInstance(vast().addOffer(), wish));
    expect(fault).toMatchObject({ code: "vast_refused", details: { instance: 99 } });
  });

  it("is not sure of anything once it was interrupted", async () => {
    const leaving = new AbortController();
    vast().on({ ...onCreate, answer: "hang", isDone: true, after: () => leaving.abort() });
    const call = open({ signal: leaving.signal }).createInstance(vast().addOffer(), wish);
    expect((await catchFault(call)).code).toBe("vast_create_unsure");
    expect((await catchFault(open({ signal: leaving.signal }).listInstances())).code).toBe("interrupted");
  });
});

describe("what goes wrong on the way", () => {
  it("is asked again after 429 in plain text, 5xx and a cut, without doing harm twice", async () => {
    vast().addInstance({ id: 5 });
    vast().on({ answer: askedTooOften, times: 2 });
    vast().on({ answer: "cut" });
    vast().on({ ...onDestroy, answer: { status: 502, body: "<html>\n<b>bad gateway</b>" }, isDone: true });
    await open().destroyInstance(5);
    expect(vast().calls).toHaveLength(5);
  });

  it("is said in the vendor's words once the time for retries is over", async () => {
    const body = `overloaded\u001b[31m, ask ${vast().account.key} later ${"x".repeat(5_000)}`;
    vast().on({ answer: { status: 503, body }, times: 1_000 });
    const fault = await catchFault(open().loadCredit());
    expect(fault).toMatchObject({ code: "vast_away", retryable: true });
    expect(fault.message).toContain("503: overloaded\\x1b[31m, ask *** later x");
    expect(fault.message.length).toBeLessThan(500);
    expect(vast().calls.length).toBeGreaterThan(5);
  });

  it.each([
    [onSearch, { offers: [{ id: 4, gpu_name: "A", num_gpus: 1, gpu_ram: 1, disk_space: 1 }] }, "`dph_total`"],
    [onSearch, { offers: null }, "`offers`"],
    [onShow, {}, "`instances`"],
    [onShow, { instances: { id: 5, gpu_name: "A", num_gpus: 1, start_date: 1 } }, "`dph_total`"],
    [onShow, { instances: { id: 6, gpu_name: "A", num_gpus: 1, start_date: 1, dph_total: 1 } }, "instance 6"],
    [onList, { instances: [], next_token: "again" }, "no end"],
    [onList, "Welcome to nginx", "no JSON"],
    [onList, "x".repeat(9 * 1024 * 1024), "longer than"],
  ])("names what no reply should be: %#", async (on, body, told) => {
    vast().on({ ...on, answer: { status: 200, body }, times: 1_000 });
    const call =
      on === onSearch
        ? open().searchOffers(query)
        : on === onShow
          ? open().loadInstance(5)
          : open().listInstances();
    const fault = await catchFault(call);
    expect(fault).toMatchObject({ code: "vast_reply_unreadable", message: expect.stringContaining(told) });
  });

  it("is a refused key, or a session that ended", async () => {
    const other = open({ key: "another-key" });
    expect((await catchFault(other.listInstances())).code).toBe("vast_login");
    const body = { success: false, msg: "Session expired. Please log in again." };
    vast().on({ answer: { status: 404, body } });
    expect((await catchFault(open().loadInstance(5))).code).toBe("vast_login");
    expect(() => open({ key: "a\nb" })).toThrow(/cannot be used/);
  });

  it("never takes another 404 for an instance that is gone", async () => {
    vast().on({ answer: { status: 404, body: "404 page not found" } });
    expect((await catchFault(open().loadInstance(5))).code).toBe("vast_refused");
  });

  it("follows no redirect, and knows where nobody is", async () => {
    vast().on({ answer: { status: 302, body: "elsewhere" }, times: 1_000 });
    expect((await catchFault(open().listInstances())).message).toContain("points elsewhere (302)");
    const client = open();
    await vast().stop();
    expect(await catchFault(client.createInstance(1, wish))).toMatchObject({
      code: "vast_away",
      details: { isUnsent: true },
    });
  });
});
