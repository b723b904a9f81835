import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findShells, findTool, linkTools } from "../../test/support/shells.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { makeLocalRunner } from "../process/local-runner.ts";
import leaseFunctions from "./lease.sh";

const runner = makeLocalRunner();
const folder = useTempFolder();
const UUID = "GPU-91d0a7f4-2c6e-4e1b-8a3f-5b7c0d1e2f21";

interface ScriptOptions {
  readonly shell?: string;
  readonly leases?: string;
  readonly env?: Record<string, string>;
}

/** Runs a script behind the lease functions, in the temp folder; what it printed, by lines. */
async function runScript(
  script: string,
  { shell = "sh", leases, env }: ScriptOptions = {},
): Promise<string[]> {
  const outcome = await runner.run([...shell.split(" "), "-s"], {
    stdin: `${leaseFunctions}\nsortie_run_id=r1\n${script}\n`,
    cwd: folder(),
    env: { ...process.env, SORTIE_LEASE_DIR: leases ?? join(folder(), "leases"), ...env },
    timeoutMs: 30_000,
  });
  return outcome.stdout.trim().split("\n");
}

/** A wish that is refused need not last two seconds. */
const IMPATIENT = "sleep() { :; }";

/** A run that holds the lease until the file `stop` is there; `taken` says that it has it. */
const HOLD = `lease_take 7 ${UUID} && echo yes >taken; while [ ! -e stop ]; do sleep 0.05; done`;

function waitForFile(name: string): Promise<unknown> {
  return waitFor(() => existsSync(join(folder(), name)), { what: name });
}

function readLines(name: string): string[] {
  const path = join(folder(), name);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

function makeFile(name: string): void {
  writeFileSync(join(folder(), name), "");
}

describe.each(findShells())("a lease under %s", (shell) => {
  it("names run, user and time, for everyone to read and write, whatever the umask", async () => {
    await runScript(`umask 077; lease_take 7 ${UUID}`, { shell });
    const file = join(folder(), "leases", `${UUID}.lease`);
    expect(readFileSync(file, "utf8")).toMatch(/^run=r1\nuser=\S+\nsince=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
    expect(statSync(file).mode & 0o7777).toBe(0o666);
    expect(statSync(join(folder(), "leases")).mode & 0o7777).toBe(0o1777);
  });

  it("is refused while another run holds it, and can be taken once that one has ended", async () => {
    const holder = runScript(HOLD, { shell });
    await waitForFile("taken");
    expect(
      await runScript(`${IMPATIENT}; lease_holder ${UUID}; lease_take 7 ${UUID}; echo $?`, { shell }),
    ).toEqual(["run=r1", expect.stringMatching(/^user=/), expect.stringMatching(/^since=/), "1"]);
    makeFile("stop");
    await holder;
    expect(await runScript(`lease_holder ${UUID} || lease_take 7 ${UUID}; echo $?`, { shell })).toEqual([
      "0",
    ]);
  });

  it("lives as long as the last process that inherited it, though the one that took it was killed", async () => {
    const child = "(while [ ! -e stop ]; do sleep 0.05; done; : >ended) >/dev/null 2>&1 &";
    await runScript(`lease_take 7 ${UUID}; ${child} kill -9 $$`, { shell });
    expect(await runScript(`${IMPATIENT}; lease_take 7 ${UUID}; echo $?`, { shell })).toEqual(["1"]);
    makeFile("stop");
    await waitForFile("ended");
    expect(await runScript(`lease_take 7 ${UUID}; echo $?`, { shell })).toEqual(["0"]);
  });

  it("is not lost to someone who only looks", async () => {
    const look = `exec 9<"$sortie_lease_file"; lease_lock s 9; : >looking; while [ ! -e refused ]; do sleep 0.01; done`;
    const looker = runScript(`lease_make ${UUID}; ${look}`, { shell });
    await waitForFile("looking");
    const wait = 'sleep() { : >refused; command sleep "$@"; }';
    expect(await runScript(`${wait}; lease_take 7 ${UUID}; echo $?`, { shell })).toEqual(["0"]);
    await looker;
    expect(existsSync(join(folder(), "refused"))).toBe(true);
  });

  it("can be given back early", async () => {
    const script = `lease_take 7 ${UUID}; lease_drop 7; lease_holder ${UUID} || echo free; lease_take 3 ${UUID}; echo $?`;
    expect(await runScript(script, { shell })).toEqual(["free", "0"]);
  });

  it("is impossible, and nothing worse, for names that are no UUID and descriptors that are none", async () => {
    const calls = [
      "7 ../../evil",
      "7 ''",
      "7 'GPU a'",
      "x GPU-1",
      "'7;touch evil' GPU-1",
      "1 GPU-1",
      "'' GPU-1",
    ];
    const script = `${calls.map((call) => `lease_take ${call}; echo $?`).join("\n")}\nlease_drop '7;touch evil'`;
    expect(await runScript(script, { shell })).toEqual(calls.map(() => "2"));
    expect(existsSync(join(folder(), "evil"))).toBe(false);
  });

  it("has more than seven descriptors under bash only; elsewhere the shell says so and lives on", async () => {
    const answer = await runScript(`lease_take 12 ${UUID}; echo $?; lease_drop 12; echo on`, { shell });
    expect(answer).toEqual([shell.startsWith("bash") ? "0" : "2", "on"]);
  });

  it("never follows a symbolic link", async () => {
    const leases = join(folder(), "leases");
    writeFileSync(join(folder(), "victim"), "precious");
    mkdirSync(leases, { mode: 0o1777 });
    symlinkSync(join(folder(), "victim"), join(leases, `${UUID}.lease`));
    symlinkSync(leases, join(folder(), "link"));
    expect(await runScript(`lease_take 7 ${UUID}; echo $?`, { shell })).toEqual(["2"]);
    expect(readFileSync(join(folder(), "victim"), "utf8")).toBe("precious");
    const other = { shell, leases: join(folder(), "link") };
    expect(await runScript("lease_take 7 GPU-1; echo $?", other)).toEqual(["2"]);
    expect(existsSync(join(leases, "GPU-1.lease"))).toBe(false);
  });

  it("makes no file in the place of one that was removed", async () => {
    const remove = `rm "$sortie_lease_file"; lease_write 7; [ -e "$sortie_lease_file" ] || echo none`;
    expect(await runScript(`lease_take 7 ${UUID}; ${remove}`, { shell })).toEqual(["none"]);
  });
});

describe("a lease", () => {
  it("goes to exactly one of many that want it at the same moment", async () => {
    const take = `lease_take 7 ${UUID} && won=yes || echo lost >>losers`;
    const hold = '[ -z "$won" ] || { echo won; while [ ! -e stop ]; do sleep 0.05; done; }';
    const wishes = Array.from({ length: 8 }, () =>
      runScript(`until [ -e go ]; do sleep 0.01; done; ${take}; ${hold}`),
    );
    makeFile("go");
    await waitFor(() => readLines("losers").length === 7, { what: "seven losers" });
    makeFile("stop");
    expect((await Promise.all(wishes)).flat().filter(Boolean)).toEqual(["won"]);
  });

  it("is locked by perl where there is no flock, as on macOS", async () => {
    const names = ["sh", "perl", "mkdir", "chmod", "dd", "id", "date", "sleep", "touch"];
    const env = { PATH: linkTools(join(folder(), "tools"), names) };
    const holder = runScript(HOLD, { env });
    await waitForFile("taken");
    const take = `${IMPATIENT}; lease_take 7 ${UUID}; echo $?`;
    expect(await runScript(`command -v flock; ${take}`, { env })).toEqual(["1"]);
    expect(await runScript(take)).toEqual(["1"]);
    makeFile("stop");
    await holder;
  });

  it("is impossible where nothing can lock, or no folder can be written", async () => {
    const env = { PATH: linkTools(join(folder(), "tools"), ["sh", "mkdir", "chmod", "sleep"]) };
    expect(await runScript(`lease_take 7 ${UUID}; echo $?`, { env })).toEqual(["2"]);
    makeFile("file");
    expect(
      await runScript(`lease_take 7 ${UUID}; echo $?`, { leases: join(folder(), "file", "leases") }),
    ).toEqual(["2"]);
  });

  it("is written without the dd of GNU too", async () => {
    const tools = linkTools(join(folder(), "tools"), ["sh", "flock", "mkdir", "chmod", "id", "date", "cat"]);
    await runScript(`lease_take 7 ${UUID}`, { env: { PATH: tools } });
    expect(readFileSync(join(folder(), "leases", `${UUID}.lease`), "utf8")).toMatch(/^run=r1\n/);
  });

  it("keeps its file young for those who clean /tmp, and is not lost by that", async () => {
    const script = `lease_take 7 ${UUID}; touch -d @1000 "$sortie_lease_file"; lease_keep ${UUID}; lease_holder ${UUID} >/dev/null; echo $?`;
    expect(await runScript(script)).toEqual(["0"]);
    expect(lstatSync(join(folder(), "leases", `${UUID}.lease`)).mtimeMs).toBeGreaterThan(1e12);
  });
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot || !findTool("setpriv"))("a lease among two users", () => {
  const OTHER = "setpriv --reuid=65534 --regid=65534 --clear-groups sh";
  const TAKE = `${IMPATIENT}; sortie_run_id=$(id -u); lease_take 7 ${UUID}; echo $?`;

  /** A place that both can reach: the temp folder itself is closed to others. */
  function makeOpenFolder(): string {
    const outer = join(folder(), "open");
    mkdirSync(outer);
    chmodSync(outer, 0o777);
    chmodSync(folder(), 0o755);
    return join(outer, "leases");
  }

  it.each([
    ["root", "sh", OTHER],
    ["the other", OTHER, "sh"],
  ])("made first by %s can be taken and written by both", async (_, first, second) => {
    const leases = makeOpenFolder();
    for (const shell of [first, second, first]) {
      expect(await runScript(TAKE, { shell, leases })).toEqual(["0"]);
      const text = readFileSync(join(leases, `${UUID}.lease`), "utf8");
      expect(text).toMatch(shell === OTHER ? /^run=65534\n/ : /^run=0\n/);
    }
  });

  it("is never held by both at once", async () => {
    const leases = makeOpenFolder();
    const holder = runScript(HOLD, { leases });
    await waitForFile("taken");
    const look = `lease_holder ${UUID} | sed -n 1p; ${TAKE}`;
    expect(await runScript(look, { shell: OTHER, leases })).toEqual(["run=r1", "1"]);
    makeFile("stop");
    await holder;
  });
});

/** With /tmp and /run/lock of its own, so that the machine's real leases are neither used nor seen. */
describe.skipIf(!isRoot || !findTool("unshare"))("the folder of the leases", () => {
  const MOUNT = "mount -t tmpfs -o mode=1777 none /tmp; mount -t tmpfs -o mode=$LOCK_MODE none /run/lock";
  const OTHER = "setpriv --reuid=65534 --regid=65534 --clear-groups sh -c";

  function runIsolated(script: string, lockMode: string): Promise<string[]> {
    const env = { LOCK_MODE: lockMode, LEASE_FUNCTIONS: leaseFunctions };
    const isolated = `unset SORTIE_LEASE_DIR; ${MOUNT}; echo "$LEASE_FUNCTIONS" >/tmp/lease.sh; ${IMPATIENT}; ${script}`;
    return runScript(isolated, { shell: "unshare --mount sh", env });
  }

  it("is /run/lock/sortie where that can be made, by whomever", async () => {
    const other = `${OTHER} '. /tmp/lease.sh; lease_take 7 ${UUID}; echo $?; lease_folder'`;
    const answer = await runIsolated(
      `${other} </dev/null; lease_folder; stat -c %a /run/lock/sortie`,
      "1777",
    );
    expect(answer).toEqual(["0", "/run/lock/sortie", "/run/lock/sortie", "1777"]);
  });

  it("is in /tmp for users who may not write /run/lock, and what they hold there nobody else takes", async () => {
    const hold = `lease_take 7 ${UUID}; lease_folder >/tmp/taken; until [ -e /tmp/stop ]; do sleep 0.05; done`;
    const wait = "until [ -s /tmp/taken ]; do command sleep 0.05; done; cat /tmp/taken";
    const take = `lease_folder; lease_holder ${UUID} >/dev/null; echo $?; lease_take 7 ${UUID}; echo $?`;
    const end = `: >/tmp/stop; wait; lease_take 7 ${UUID}; echo $?`;
    const answer = await runIsolated(
      `${OTHER} '. /tmp/lease.sh; ${hold}' </dev/null & ${wait}; ${take}; ${end}`,
      "0755",
    );
    expect(answer).toEqual(["/tmp/sortie-gpus", "/run/lock/sortie", "0", "1", "0"]);
  });
});
