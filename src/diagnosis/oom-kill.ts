export interface OomFacts {
  /** Text of the kernel's log, as far as it could be read. */
  readonly kernelLog?: string;
  /** Processes that belonged to the run. */
  readonly pids?: readonly number[];
  /** The run's own cgroup, from its root. */
  readonly cgroup?: string;
  /** By how much the cgroup's count of killed processes rose while the run lived; neighbours may share the cgroup. */
  readonly oomKills?: number;
  /** The signal that ended the run, without SIG. */
  readonly signal?: string | null;
}

const KILLED = /Killed process (\d+)\b/;
const CONSTRAINT = /oom-kill:.*\btask_memcg=([^,]*),.*\bpid=(\d+)/;

/** The proof that the kernel killed a process of this run for want of memory; null where there is none. */
export function findOomKill(facts: OomFacts): string | null {
  const { kernelLog = "", pids = [], cgroup, oomKills = 0, signal } = facts;
  const lines = kernelLog.split("\n");
  const isOurs = (pid: string | undefined) => pids.includes(Number(pid));
  const killed = lines.find((line) => isOurs(KILLED.exec(line)?.[1]));
  if (killed !== undefined) return killed;
  const inGroup = lines.find((line) => {
    const [, group, pid] = CONSTRAINT.exec(line) ?? [];
    return isOurs(pid) || (cgroup !== undefined && cgroup !== "/" && isInside(group, cgroup));
  });
  if (inGroup !== undefined) return inGroup;
  // The count alone may be about a neighbour: it tells why this run was killed, never that it was.
  if (oomKills <= 0 || signal !== "KILL") return null;
  return `oom_kill of the cgroup that it ran in rose by ${oomKills}, and it ended by signal KILL`;
}

function isInside(group: string | undefined, cgroup: string): boolean {
  return group === cgroup || (group?.startsWith(`${cgroup}/`) ?? false);
}
