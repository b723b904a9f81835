import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { linkTools } from "./shells.ts";

const STAND_IN = fileURLToPath(new URL("nvidia-smi/nvidia-smi", import.meta.url));

/** A GPU of the stand-in; what is left out is that of an idle A100. Values may be what a driver says instead: `[N/A]`. */
export interface FakeGpu {
  readonly uuid?: string;
  readonly name?: string;
  readonly bus?: string;
  readonly memoryUsed?: number | string;
  readonly memoryTotal?: number | string;
  readonly utilization?: number | string;
  readonly power?: number | string;
  readonly mig?: string;
  /** Version of the driver. */
  readonly driver?: string;
}

export interface FakeProcess {
  readonly gpuUuid: string;
  readonly pid: number | string;
  readonly name?: string;
  readonly memory?: number | string;
}

/** What nvidia-smi does instead of printing its table. */
export interface FakeFault {
  readonly exit?: number;
  readonly output?: string;
  readonly errors?: string;
  /** Printed ahead of the rows, which are printed still. */
  readonly before?: string;
  /** Printed instead of the rows, unless one GPU that is there is asked for by itself. */
  readonly blocked?: string;
  /** Nothing is printed for so long, or until the fault is taken away. */
  readonly delaySeconds?: number;
}

export interface FakeGpusSpec {
  readonly gpus?: readonly FakeGpu[];
  readonly processes?: readonly FakeProcess[];
  readonly fault?: FakeFault;
  /** Fields of `--query-gpu` that this driver does not know. */
  readonly unknownFields?: readonly string[];
}

export interface FakeGpus {
  /** Variables to be laid over the environment of a command: the stand-in is first on PATH, leases lie apart. */
  readonly env: Readonly<Record<string, string>>;
  readonly leaseFolder: string;
  setGpus(gpus: readonly FakeGpu[]): void;
  /** Changes one GPU, by its place. */
  changeGpu(index: number, change: FakeGpu): void;
  setProcesses(processes: readonly FakeProcess[]): void;
  setFault(fault: FakeFault | null): void;
  /** The arguments of each call since the stand-in was made, a line a call. */
  readCalls(): string[];
}

/**
 * Puts a stand-in for nvidia-smi into `folder` (a temp folder of the test), with as many idle A100 as the spec names,
 * one if it names none. All can be changed while commands run. The GPU at place N has the UUID of `makeFakeUuid(N)`.
 */
export function makeFakeGpus(folder: string, spec: FakeGpusSpec = {}): FakeGpus {
  const state = join(folder, "nvidia");
  const programs = join(folder, "nvidia-programs");
  const leaseFolder = join(folder, "leases");
  const cards = join(folder, "no-cards");
  for (const path of [state, programs]) mkdirSync(path, { recursive: true });
  rmSync(join(programs, "nvidia-smi"), { force: true });
  symlinkSync(STAND_IN, join(programs, "nvidia-smi"));
  const write = (name: string, text: string) => replaceFile(join(state, name), text);

  let gpus: readonly FakeGpu[] = spec.gpus ?? [{}];
  const setGpus = (next: readonly FakeGpu[]) => {
    gpus = next;
    write("gpus.csv", makeGpuTable(next, spec.unknownFields ?? []));
  };
  const setProcesses = (processes: readonly FakeProcess[]) => write("apps.csv", makeProcessTable(processes));
  const setFault = (fault: FakeFault | null) => {
    for (const name of ["exit", "output", "errors", "before", "blocked", "delay"])
      rmSync(join(state, name), { force: true });
    for (const [name, text] of listFaultFiles(fault ?? {})) write(name, text);
  };
  setGpus(gpus);
  setProcesses(spec.processes ?? []);
  setFault(spec.fault ?? null);
  write("calls", "");

  return {
    env: {
      PATH: `${programs}${delimiter}${process.env["PATH"]}`,
      FAKE_NVIDIA_DIR: state,
      SORTIE_LEASE_DIR: leaseFolder,
      SORTIE_NVIDIA_CARDS: cards,
    },
    leaseFolder,
    setGpus,
    changeGpu: (index, change) =>
      setGpus(gpus.map((gpu, place) => (place === index ? { ...gpu, ...change } : gpu))),
    setProcesses,
    setFault,
    readCalls: () => readFileSync(join(state, "calls"), "utf8").split("\n").filter(Boolean),
  };
}

/** `GPU-00000001-fake-…` for the GPU at place 1. */
export function makeFakeUuid(index: number): string {
  return `GPU-${String(index).padStart(8, "0")}-fa4e-4000-8000-000000000000`;
}

/** An environment whose PATH holds the usual programs but no nvidia-smi, neither a real one nor the stand-in. */
export function makeGpuFreeEnv(folder: string): Record<string, string> {
  const names = [
    "sh",
    "cat",
    "rm",
    "mkdir",
    "uname",
    "grep",
    "sed",
    "cut",
    "tr",
    "sort",
    "sleep",
    "id",
    "date",
  ];
  return { PATH: linkTools(join(folder, "programs"), names), SORTIE_NVIDIA_CARDS: join(folder, "no-cards") };
}

function makeGpuTable(gpus: readonly FakeGpu[], unknownFields: readonly string[]): string {
  const rows = gpus.map((gpu, index) => ({
    index,
    uuid: gpu.uuid ?? makeFakeUuid(index),
    name: gpu.name ?? "NVIDIA A100-SXM4-80GB",
    "pci.bus_id": gpu.bus ?? `00000000:${String(index + 1).padStart(2, "0")}:00.0`,
    "memory.used": gpu.memoryUsed ?? 4,
    "memory.total": gpu.memoryTotal ?? 81920,
    "utilization.gpu": gpu.utilization ?? 0,
    "power.draw": gpu.power ?? "[N/A]",
    "mig.mode.current": gpu.mig ?? "Disabled",
    driver_version: gpu.driver ?? "535.104.05",
  }));
  const fields = Object.keys(rows[0] ?? { index: 0 }).filter((field) => !unknownFields.includes(field));
  const lines = rows.map((row) => fields.map((field) => row[field as keyof typeof row]).join(", "));
  return `${[fields.join(", "), ...lines].join("\n")}\n`;
}

function makeProcessTable(processes: readonly FakeProcess[]): string {
  const rows = processes.map(({ gpuUuid, pid, name, memory }) =>
    [gpuUuid, pid, name ?? "python", memory ?? 1024].join(", "),
  );
  return `${["gpu_uuid, pid, process_name, used_memory", ...rows].join("\n")}\n`;
}

function listFaultFiles(fault: FakeFault): [name: string, text: string][] {
  const files: [string, string | number | undefined][] = [
    ["exit", fault.exit],
    ["output", fault.output],
    ["errors", fault.errors],
    ["before", fault.before],
    ["blocked", fault.blocked],
    ["delay", fault.delaySeconds === undefined ? undefined : Math.ceil(fault.delaySeconds * 10)],
  ];
  return files.flatMap(([name, text]) => (text === undefined ? [] : [[name, `${text}\n`]]));
}

/** Whoever reads meanwhile sees the old text or the new one. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
