import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { loadConfig } from "../../config/load-config.ts";
import { readCuda, readDiskGb, readGpuMemoryMiB, readGpuName, readImage } from "./need-values.ts";
import { type RentFlags, readNeeds } from "./needs.ts";

const temp = useTempFolder();

/** What is needed by a project file of these lines, and these flags. */
async function read(lines: readonly string[], flags: RentFlags = {}) {
  writeFileSync(join(temp(), "AGENTS.md"), ["## Vast.ai", "- gpu: vast", ...lines, ""].join("\n"));
  const config = await loadConfig({ cwd: temp(), env: {}, home: temp() });
  const target = config.targets[0];
  if (!target) throw new Error("the section was not read");
  return readNeeds(config, target, flags);
}

describe("what is to be rented", () => {
  it("is little where nobody says anything", async () => {
    const { needs, sources } = await read([]);
    expect(needs).toEqual({
      gpuName: null,
      gpuCount: 1,
      gpuMemoryMiB: null,
      diskGb: 40,
      cuda: 12.4,
      hours: null,
      maxDollarsPerHour: null,
      maxDollars: null,
      image: "pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
    });
    expect(sources.get("disk")).toEqual({ from: "default", text: "default" });
  });

  it("is what the section says, and flags go before it", async () => {
    const lines = [
      "- GPU name: RTX_4090",
      "- gpu_count: 2",
      "- min_gpu_memory: 24G",
      "- disk: 1.5T",
      "- cuda: 12.1",
    ];
    const more = ["- max_price: $0.80", "- max_hours: 3", "- image: me/mine:1", "- max_budget: 5 USD"];
    const { needs, sources } = await read([...lines, ...more], { max_hours: "1.5", max_cost: "2" });
    expect(needs).toEqual({
      gpuName: "RTX 4090",
      gpuCount: 2,
      gpuMemoryMiB: 22_661,
      diskGb: 1500,
      cuda: 12.1,
      hours: 1.5,
      maxDollarsPerHour: 0.8,
      maxDollars: 2,
      image: "me/mine:1",
    });
    expect(sources.get("disk")?.text).toBe("AGENTS.md line 6");
    expect(sources.get("max_hours")?.text).toBe("--max-hours");
    expect(sources.get("max_budget")?.text).toBe("--max-cost");
  });

  it("needs no CUDA of our choice where the image is a person's, and has the budget's place", async () => {
    const { needs, sources } = await read(["- image: me/mine:1", "- max_budget: 5"]);
    expect(needs).toMatchObject({ cuda: null, maxDollars: 5 });
    expect(sources.get("max_budget")).toEqual({ from: "section", text: "AGENTS.md line 4" });
  });

  it.each<[string, RentFlags, string]>([
    ["- disk: 2G", {}, 'disk (AGENTS.md line 3) cannot be "2G": the image alone may take 10 GB.'],
    ["- vram: 24000", {}, 'vram (AGENTS.md line 3) cannot be "24000": it is more than any GPU has.'],
    ["- cuda: new", {}, 'cuda (AGENTS.md line 3) cannot be "new": it is not a version such as 12.4.'],
    ["", { gpu_count: "0" }, '--gpu-count cannot be "0": it must be a whole number above 0, not "0".'],
    [
      "",
      { max_cost: "free" },
      '--max-cost cannot be "free": it must be an amount of US dollars above 0, such as 5.00, not "free".',
    ],
    ["", { max_hours: "1e3" }, '--max-hours cannot be "1e3": it must be a number above 0, not "1e3".'],
    ["", { max_hours: "9000" }, '--max-hours cannot be "9000": that is more than a year.'],
  ])("is refused with place and reason: %s %j", async (line, flags, message) => {
    await expect(read([line], flags)).rejects.toMatchObject({ code: "value_bad", exit: 2, message });
  });
});

describe("single values", () => {
  it.each([
    [readGpuMemoryMiB, "24", 22_661],
    [readGpuMemoryMiB, "80G", 75_538],
    [readDiskGb, "50.2", 51],
    [readCuda, "12", 12],
    [readCuda, ">= 12.1", 12.1],
    [readCuda, "cu118", 11.8],
    [readCuda, "12.4.1", 12.4],
    [readGpuName, "rtx4090", "RTX 4090"],
    [readGpuName, "NVIDIA GeForce RTX-3090 Ti", "RTX 3090 Ti"],
    [readGpuName, "rtx_a6000", "RTX A6000"],
    [readGpuName, "A100_SXM4", "A100 SXM4"],
    [readImage, "registry.example:5000/me/mine@sha256:00ff", "registry.example:5000/me/mine@sha256:00ff"],
  ])("%o reads %s", (parse, text, value) => expect(parse(text)).toEqual({ value }));

  it.each([
    [readCuda, "124"],
    [readCuda, "3.1"],
    [readGpuName, "$(reboot)"],
    [readImage, "--privileged"],
    [readImage, "me/mine -v /:/host"],
  ])("%o refuses %s", (parse, text) => expect(parse(text)).toHaveProperty("problem"));
});
