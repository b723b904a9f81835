import { describe, expect, it } from "vitest";
import type { RentNeeds } from "./needs.ts";
import type { Offer } from "./offer.ts";
import { rankOffers } from "./rank-offers.ts";

const NEEDS: RentNeeds = {
  gpuName: null,
  gpuCount: 1,
  gpuMemoryMiB: 22_000,
  diskGb: 40,
  cuda: 12.4,
  hours: 3,
  maxDollarsPerHour: null,
  maxDollars: null,
  image: "x/y",
};

const OFFER: Offer = {
  id: 1,
  machine: 7,
  gpuName: "RTX 4090",
  gpuCount: 1,
  gpuMemoryMiB: 24_564,
  cpuCores: 8,
  memoryMiB: 64_000,
  diskGb: 100,
  cuda: 12.6,
  dollarsPerHour: 0.4,
  storageDollarsPerHour: 0.01,
  dollarsPerGbDown: 0.001,
  dollarsPerGbUp: 0.001,
  dlperf: 80,
  dlperfPerDollar: null,
  reliability: 0.99,
  location: "Sweden, SE",
  country: "SE",
  megabitsDown: 900,
  megabitsUp: 900,
  hoursLeft: 100,
  directPorts: 10,
};

describe("offers side by side", () => {
  it("are the cheapest, the best value and the fastest, with their totals", () => {
    const cheap = { ...OFFER, id: 2, dollarsPerHour: 0.1, dlperf: 10 };
    const fast = { ...OFFER, id: 3, dollarsPerHour: 2, dlperf: 200 };
    const ranking = rankOffers([fast, OFFER, cheap], { ...NEEDS, maxDollars: 6 });
    expect(ranking.cheapest).toMatchObject({ offer: cheap, hoursWithinCap: 60 });
    expect(ranking.cheapest?.totalDollars).toBeCloseTo(0.3);
    expect(ranking.bestValue?.offer).toBe(OFFER);
    expect(ranking.fastest).toMatchObject({ offer: fast, totalDollars: 6 });
    expect(ranking.fitting.map(({ offer }) => offer.id)).toEqual([2, 1, 3]);
  });

  it("take the vendor's own score for a dollar where it has one", () => {
    const praised = { ...OFFER, id: 2, dollarsPerHour: 1, dlperfPerDollar: 900 };
    expect(rankOffers([OFFER, praised], NEEDS).bestValue?.offer).toBe(praised);
  });

  it("of one price are tried by their reliability, and what is doubtful is said", () => {
    const shaky = { ...OFFER, id: 2, reliability: 0.912, dollarsPerGbDown: 0.05 };
    const unknown = { ...OFFER, id: 3, reliability: null, dlperf: null };
    const { fitting, fastest } = rankOffers([unknown, shaky, OFFER], NEEDS);
    expect(fitting.map(({ offer, cautions }) => [offer.id, ...cautions])).toEqual([
      [1],
      [2, "reliability 91.2%: it may go away in mid-run", "each GB that it downloads costs $0.0500"],
      [3, "its reliability is not known"],
    ]);
    expect(fastest?.offer).toBe(OFFER);
  });

  it.each<[Partial<Offer>, Partial<RentNeeds>, string]>([
    [{}, { gpuName: "A100 SXM4" }, "its GPU is RTX 4090"],
    [{ gpuCount: 2 }, {}, "it has 2 GPUs"],
    [{ gpuMemoryMiB: 16_376 }, {}, "its GPU has 16376 MiB"],
    [{ diskGb: 39.9 }, {}, "it has 39 GB of disk"],
    [{ cuda: 12.2 }, {}, "its driver runs CUDA 12.2"],
    [{ cuda: null }, {}, "its driver runs CUDA unknown"],
    [{ hoursLeft: 2.5 }, {}, "it is to be had for 2.5 h only"],
    [{}, { maxDollarsPerHour: 0.35 }, "an hour costs $0.40, above the most of $0.35"],
    [{}, { maxDollars: 1 }, "3 h cost $1.20, above the cap of $1.00"],
  ])("leave out %j where %j is needed", (offer, needs, reason) => {
    const ranking = rankOffers([{ ...OFFER, ...offer }], { ...NEEDS, ...needs });
    expect(ranking).toMatchObject({ cheapest: null, bestValue: null, fastest: null, fitting: [] });
    expect(ranking.unfit.map((row) => row.reason)).toEqual([reason]);
  });

  it("keep what costs just the cap, and what any name or time fits", () => {
    const needs = { ...NEEDS, gpuName: "rtx_4090", maxDollars: 1.2, maxDollarsPerHour: 0.4 };
    expect(rankOffers([{ ...OFFER, hoursLeft: null }], needs).fitting).toHaveLength(1);
    expect(rankOffers([OFFER], { ...NEEDS, hours: null }).cheapest?.totalDollars).toBeNull();
  });
});
