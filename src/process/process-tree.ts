import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

export interface LiveProcess {
  readonly pid: number;
  /** Its arguments, with a space between them. */
  readonly command: string;
  /** Memory that it holds, shared pages counted in full. */
  readonly bytes: number;
}

/** A page of memory; other sizes are rare, and then the proportions are still right. */
const PAGE_BYTES = 4096;
const PS_MS = 5000;
/** So many processes are looked at at once: each look waits several times for another thread. */
const READERS = 8;

/** A process and all that it started, directly or not, as far as they still know their parent; the first is itself. */
export async function loadProcessTree(pid: number): Promise<LiveProcess[]> {
  if (process.platform !== "linux") return loadTreeByPs(pid);
  const found: LiveProcess[] = [];
  const open = [pid];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const live = await loadProcess(next);
    if (live === undefined) continue;
    found.push(live);
    open.push(...(await listChildren(next)));
  }
  return found;
}

/** What one thread of this process started itself, while the thread lives. Linux only; `threadId` as the kernel counts. */
export async function listChildrenOfThread(threadId: number): Promise<number[]> {
  if (process.platform !== "linux") return [];
  return listThreadChildren(process.pid, String(threadId));
}

/** Living processes whose environment began with this assignment in it, whoever is their parent by now. Linux only. */
export async function findMarkedProcesses(assignment: string): Promise<LiveProcess[]> {
  if (process.platform !== "linux") return [];
  const names = await readdir("/proc").catch(() => []); // it is not mounted
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  const marked: LiveProcess[] = [];
  const judge = async () => {
    for (let pid = pids.pop(); pid !== undefined; pid = pids.pop()) {
      if (!(await readQuietly(`/proc/${pid}/environ`)).split("\0").includes(assignment)) continue;
      const live = await loadProcess(pid);
      if (live !== undefined) marked.push(live);
    }
  };
  await Promise.all(Array.from({ length: READERS }, judge));
  return marked.sort((one, other) => one.pid - other.pid);
}

/** Undefined for one that has ended, also where its parent has not asked for it yet. */
async function loadProcess(pid: number): Promise<LiveProcess | undefined> {
  const [stat, statm, command] = await Promise.all(
    ["stat", "statm", "cmdline"].map((name) => readQuietly(`/proc/${pid}/${name}`)),
  );
  const state = stat?.slice(stat.lastIndexOf(") ") + 2, stat.lastIndexOf(") ") + 3) ?? "";
  if (state === "" || state === "Z" || state === "X") return undefined;
  const pages = Number(statm?.split(" ")[1] ?? 0);
  return { pid, bytes: pages * PAGE_BYTES, command: (command ?? "").replaceAll("\0", " ").trim() };
}

/** Every thread has children of its own. */
async function listChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []); // it has ended meanwhile
  return (await Promise.all(threads.map((thread) => listThreadChildren(pid, thread)))).flat();
}

async function listThreadChildren(pid: number, thread: string): Promise<number[]> {
  const text = await readQuietly(`/proc/${pid}/task/${thread}/children`);
  return text.split(" ").filter(Boolean).map(Number);
}

function readQuietly(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => ""); // ended meanwhile, or another user's
}

async function loadTreeByPs(root: number): Promise<LiveProcess[]> {
  const rows = (await runPs()).split("\n").flatMap((line) => {
    const [, pid, parent, kilobytes, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z")) return [];
    return [
      { pid: Number(pid), parent: Number(parent), bytes: Number(kilobytes) * 1024, command: command ?? "" },
    ];
  });
  const known = new Set([root]);
  for (let before = 0; before < known.size; ) {
    before = known.size;
    for (const { pid, parent } of rows) if (known.has(parent)) known.add(pid);
  }
  return rows.filter(({ pid }) => known.has(pid)).map(({ pid, bytes, command }) => ({ pid, bytes, command }));
}

function runPs(): Promise<string> {
  const columns = ["-axo", "pid=,ppid=,rss=,state=,args="];
  return new Promise((resolve) => {
    execFile("ps", columns, { encoding: "utf8", timeout: PS_MS }, (fault, stdout) =>
      resolve(fault ? "" : stdout),
    );
  });
}
