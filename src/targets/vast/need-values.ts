/** A value as it is searched for, or what is wrong with it, as a sentence without its full stop. */
export type NeedValue<Value> = { readonly value: Value } | { readonly problem: string };

const MIB = 1024 ** 2;
const GB = 1000 ** 3;
const POWER: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3, T: 4 };
/** More than any GPU has. */
const MOST_GPU_MEMORY_GB = 1_000;
/** The image alone takes so much. */
const LEAST_DISK_GB = 10;
const MOST_DISK_GB = 100_000;

/**
 * `24G`: decimal, as cards are sold; a bare number is in GB. One percent less, in the MiB that drivers tell: a card sold with
 * 24 GB has between 22,731 MiB (its error correction takes some) and 24,576, and is not to be missed.
 */
export function readGpuMemoryMiB(value: unknown): NeedValue<number> {
  const gigabytes = readGigabytes(value);
  if (gigabytes === null || gigabytes < 1) return { problem: "it is less than any GPU has" };
  if (gigabytes > MOST_GPU_MEMORY_GB) return { problem: "it is more than any GPU has" };
  return { value: Math.floor((gigabytes * GB) / MIB / 1.01) };
}

/** `50G`; a bare number is in GB. Rounded up. */
export function readDiskGb(value: unknown): NeedValue<number> {
  const gigabytes = readGigabytes(value);
  if (gigabytes === null || gigabytes < LEAST_DISK_GB) {
    return { problem: `the image alone may take ${LEAST_DISK_GB} GB` };
  }
  if (gigabytes > MOST_DISK_GB) return { problem: "no machine has so much" };
  return { value: Math.ceil(gigabytes) };
}

/** `12.4`, `12.4.1`, `>=12.1`, `cu124`: the newest CUDA that the driver must be able to run, at least. */
export function readCuda(value: unknown): NeedValue<number> {
  const text = String(value).toLowerCase().replace(/\s+/g, "");
  const [, major, minor] =
    /^(?:>=|≥)?(?:cuda-?)?(\d{1,2})(?:\.(\d)(?:\.\d+)?)?\+?$/.exec(text) ?? /^cu(\d\d)(\d)$/.exec(text) ?? [];
  if (major === undefined) return { problem: "it is not a version such as 12.4" };
  const version = Number(`${major}.${minor ?? 0}`);
  return version >= 9 && version < 30 ? { value: version } : { problem: "there is no such version of CUDA" };
}

/** In the vendor's spelling as far as it follows a rule: `rtx4090` and `RTX_4090` are `RTX 4090`. */
export function readGpuName(value: unknown): NeedValue<string> {
  const text = String(value)
    .trim()
    .replace(/[\s_]+/g, " ");
  if (!/^[A-Za-z][A-Za-z0-9 ./-]{1,39}$/.test(text))
    return { problem: "it is not a GPU's name such as RTX 4090" };
  const name = text
    .replace(/^nvidia /i, "")
    .replace(/^geforce /i, "")
    .replace(/^(rtx|gtx)[ -]?(?=[a-z]?\d)/i, (_, series: string) => `${series.toUpperCase()} `)
    .replace(/\b[a-z]\d{1,4}\b/g, (model) => model.toUpperCase());
  return { value: name };
}

/** As Docker names images: `user/name:tag`, `registry/name@sha256:…`. */
export function readImage(value: unknown): NeedValue<string> {
  const text = String(value);
  if (/^[a-z0-9][A-Za-z0-9._/:@-]{0,254}$/.test(text)) return { value: text };
  return { problem: "it is not an image's name such as pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime" };
}

/** A number up to that; that it is above 0 is the key's own rule. */
export function readMost(most: number, problem: string): (value: unknown) => NeedValue<number> {
  return (value) => (Number(value) <= most ? { value: Number(value) } : { problem });
}

/** The texts that `memory` keys leave: `24`, `24G`, `1.5T`. */
function readGigabytes(value: unknown): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(String(value)) ?? [];
  return amount === undefined ? null : (Number(amount) * 1000 ** (POWER[unit || "G"] as number)) / GB;
}
