import { basename } from "node:path";
import { SortieError } from "../../base/error.ts";
import { findKeyRow, type KeyName } from "../../config/keys/table.ts";
import type { Config } from "../../config/load-config.ts";
import { resolveSetting, type SettingSource } from "../../config/settings.ts";
import type { Target } from "../../config/target.ts";
import { readValue } from "../../config/value-readers.ts";
import { makeValueText } from "../../config/value-text.ts";
import type { OfferQuery } from "./api/search-offers.ts";
import {
  type NeedValue,
  readCuda,
  readDiskGb,
  readGpuMemoryMiB,
  readGpuName,
  readImage,
  readMost,
} from "./need-values.ts";

/** What is to be rented: what an offer must have, the image that runs there, and what it may cost. */
export interface RentNeeds extends OfferQuery {
  /** US dollars for the whole rental; null: nobody said. */
  readonly maxDollars: number | null;
  readonly image: string;
}

export interface FoundNeeds {
  readonly needs: RentNeeds;
  /** Where each comes from, for the plan; `max_budget` is the one of maxDollars. */
  readonly sources: ReadonlyMap<KeyName, SettingSource>;
}

/** The texts of the flags as they were typed, by the key that each stands for. */
export interface RentFlags extends Readonly<Partial<Record<NeedKey, string>>> {
  /** `--max-cost`, which goes before `max_budget`. */
  readonly max_cost?: string;
}

type NeedKey =
  | "gpu_name"
  | "gpu_count"
  | "min_gpu_memory"
  | "disk"
  | "cuda"
  | "max_hours"
  | "max_price"
  | "image";

/** It has Python, conda, and the libraries of its CUDA, which the host's driver must be able to run. */
const USUAL_IMAGE = "pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime";
const USUAL_IMAGE_CUDA = 12.4;
const USUAL_DISK_GB = 40;
const MOST_GPUS = 64;
const MOST_HOURS = 8_760;
const MOST_DOLLARS_PER_HOUR = 1_000;

/**
 * By flag, then the target's section, then a default that asks for little; the cap by all the places of a setting.
 * @throws SortieError `value_bad`, which names the flag, or the file and line
 */
export function readNeeds(config: Config, target: Target, flags: RentFlags): FoundNeeds {
  const sources = new Map<KeyName, SettingSource>();
  const find = <Value>(key: NeedKey, read: (value: unknown) => NeedValue<Value>, usual: Value): Value => {
    const written = readFlag(key, `--${key.replaceAll("_", "-")}`, flags[key]) ?? findInSection(target, key);
    sources.set(key, written?.source ?? { from: "default", text: "default" });
    return written === undefined ? usual : check(written, read(written.value));
  };
  const image = find("image", readImage, USUAL_IMAGE);
  const usualCuda = sources.get("image")?.from === "default" ? USUAL_IMAGE_CUDA : null;
  const needs = {
    gpuName: find<string | null>("gpu_name", readGpuName, null),
    gpuCount: find("gpu_count", readMost(MOST_GPUS, "no machine has so many"), 1),
    gpuMemoryMiB: find<number | null>("min_gpu_memory", readGpuMemoryMiB, null),
    diskGb: find("disk", readDiskGb, USUAL_DISK_GB),
    cuda: find<number | null>("cuda", readCuda, usualCuda),
    hours: find<number | null>("max_hours", readMost(MOST_HOURS, "that is more than a year"), null),
    maxDollarsPerHour: find<number | null>(
      "max_price",
      readMost(MOST_DOLLARS_PER_HOUR, "it is for one hour"),
      null,
    ),
    image,
  };
  const cap = findCap(config, target, flags.max_cost);
  sources.set("max_budget", cap.source);
  return { needs: { ...needs, maxDollars: cap.value }, sources };
}

interface Written {
  readonly value: unknown;
  /** As it was written, for an error. */
  readonly text: string;
  /** The key or flag, for an error. */
  readonly what: string;
  readonly key: KeyName;
  readonly source: SettingSource;
}

/** As the same text in a section would be read. */
function readFlag(key: KeyName, flag: string, text: string | undefined): Written | undefined {
  if (text === undefined) return undefined;
  const read = readValue(findKeyRow(key), makeValueText(text));
  const source: SettingSource = { from: "flag", text: flag };
  const written = { value: "value" in read ? read.value : null, text, what: flag, key, source };
  if ("problem" in read) throw makeFault(written, `it ${read.problem}`);
  return written;
}

function findInSection({ source: { file, values } }: Target, key: KeyName): Written | undefined {
  const found = values.get(key);
  if (found === undefined) return undefined;
  const place = `${basename(file ?? "")} line ${found.line}`;
  const source: SettingSource = { from: "section", text: place };
  return { value: found.value, text: found.text, what: `${found.label} (${place})`, key, source };
}

function check<Value>(written: Written, read: NeedValue<Value>): Value {
  if ("problem" in read) throw makeFault(written, read.problem);
  return read.value;
}

function makeFault({ what, text, key }: Written, reason: string): SortieError {
  return new SortieError("value_bad", { what, value: `"${text}"`, reason, advice: findKeyRow(key).about });
}

function findCap(config: Config, target: Target, flag: string | undefined) {
  const written = readFlag("max_budget", "--max-cost", flag);
  if (written === undefined) return resolveSetting(config, "max_budget", { target });
  return { value: written.value as number, source: written.source };
}
