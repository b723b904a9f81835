import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { quoteShell } from "../src/base/quote.ts";
import { makeFakeGpus, makeFakeUuid } from "./support/fake-gpus.ts";
import { startLinkProxy } from "./support/link-proxy.ts";
import { useRemoteSortie } from "./support/remote-stage.ts";
import { useSshd } from "./support/sshd.ts";
import { writeStartFile } from "./support/sshd-accounts.ts";

const sshd = useSshd();
const sortie = useRemoteSortie(sshd);

/** GPUs on the host alone. */
function putGpus(gpus: Parameters<typeof makeFakeGpus>[1]) {
  const made = makeFakeGpus(sortie.temp(), gpus);
  const lines = Object.entries(made.env).map(([name, value]) => `export ${name}=${quoteShell(value)}`);
  writeStartFile(sshd().hostHome, ".bashrc", lines.join("\n"));
}
afterEach(() => rmSync(join(sshd().hostHome, ".bashrc"), { force: true }));

it("gpus --target shows those of the host, and which of them runs of others hold", async () => {
  sortie.writeTargets("box");
  putGpus({ gpus: [{}, {}, { memoryUsed: 3000 }] });
  const call = [
    "run",
    "--target",
    "box",
    "--yes",
    "--detach",
    "--gpus",
    "1",
    "--grace",
    "1",
    "--name",
    "holder",
  ];
  const { run } = await sortie.ask([...call, "--", "sleep", "300"]);
  // Somebody else, who knows nothing of that run but its lease.
  const other = { SORTIE_HOME: join(sortie.temp(), "other home") };
  const { host, gpus, exit } = await sortie.ask(["gpus", "--target", "box"], other);
  expect({ host, exit }).toEqual({ host: "box", exit: 0 });
  const states = gpus.map(({ uuid, state }: { uuid: string; state: string }) => [uuid, state]);
  const free = [0, 1].map(makeFakeUuid).find((uuid) => uuid !== run.gpus[0]);
  expect(Object.fromEntries(states)).toEqual({
    [run.gpus[0]]: "leased",
    [free as string]: "free",
    [makeFakeUuid(2)]: "busy",
  });
  const { stdout } = await sortie.run(["gpus", "--target", "box"], other);
  expect(stdout).toMatch(/^GPUs of box\n/);
  expect(stdout).toContain(`held by run ${run.id}`);
  await sortie.run(["stop", run.id]);
});

it("a run in line on one host is started by the watcher while another host's line cannot be asked", async () => {
  sortie.writeTargets("box", "far");
  const far = await startLinkProxy(sshd().port);
  appendFileSync(sshd().configFile, `Host far\n  HostName 127.0.0.1\n  Port ${far.port}\n`);
  appendFileSync(sshd().knownHostsFile, sshd().server.knownHost.replace(`:${sshd().port} `, `:${far.port} `));
  putGpus({});
  const park = async (target: string, ...command: string[]) => {
    const call = [
      "run",
      "--target",
      target,
      "--yes",
      "--detach",
      "--gpus",
      "1",
      "--wait-gpu",
      "--grace",
      "1",
    ];
    return (await sortie.ask([...call, "--", ...command])).run;
  };
  const holder = await park("box", "sleep", "300");
  expect(holder.state).toBe("running");
  const hidden = await park("far", "true");
  const next = await park("box", "sh", "-c", "echo mine; exit 6");
  expect([hidden.state, next.state]).toEqual(["waiting", "waiting"]);
  far.onDial("swallow");
  far.cut();
  await sortie.run(["stop", holder.id]);
  expect(await sortie.waitForRecord(next.id, ({ state }) => state === "failed")).toMatchObject({
    exitCode: 6,
  });
  const { waitingFor } = await sortie.waitForRecord(hidden.id, ({ state }) => state === "waiting");
  expect(waitingFor).not.toBeNull();
  await far.close();
});

it("adopt --target takes up the runs of a host again, and leaves what is none of them", async () => {
  sortie.writeTargets("box");
  const live = await sortie.launch("box", ["sleep", "300"], ["--name", "live"]);
  const { run: ended } = await sortie.ask([
    ...["run", "--target", "box", "--yes", "--gpus", "none", "--name", "ended", "--"],
    ...["sh", "-c", "echo bad; exit 3"],
  ]);
  for (const name of readdirSync(sortie.home()))
    if (name.startsWith("sortie.db")) rmSync(join(sortie.home(), name));
  const jobs = join(sshd().hostHome, ".sortie", "jobs");
  mkdirSync(join(jobs, "r-strange"));
  writeFileSync(join(jobs, "r-strange", "meta.json"), "{");
  // They are no runs of this machine, though the folders may lie on it.
  expect((await sortie.ask(["adopt", "--job-dir", jobs])).adopted).toEqual([]);
  const { adopted, skipped } = await sortie.ask(["adopt", "--target", "box"]);
  const ids = adopted.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining([live.id, ended.id]));
  expect(skipped).toContainEqual({
    folder: join(jobs, "r-strange"),
    reason: "it holds no meta.json of a run",
  });
  expect(await sortie.show("ended")).toMatchObject({
    ...{ state: "failed", exitCode: 3, kind: "ssh", host: "box", target: "box" },
    evidence: "bad",
  });
  expect(await sortie.ask(["stop", "live"])).toMatchObject({ state: "stopped", exit: 0 });
  expect((await sortie.ask(["adopt", "--target", "box"])).adopted).toEqual([]);
});

describe("doctor", () => {
  const examine = async () => {
    const { findings, exit } = await sortie.ask(["doctor"]);
    const find = (what: string) => findings.filter((finding: { what: string }) => finding.what === what);
    return { exit, find };
  };

  it("examines every host of the project, and says what to do about each that is not well", async () => {
    sortie.writeTargets("box", "gone");
    appendFileSync(sshd().configFile, "Host gone\n  HostName 127.0.0.1\n  Port 1\n");
    appendFileSync(
      join(sortie.project(), "AGENTS.md"),
      "\n## strange\n\n- gpu: remote\n- SSH: `ssh -o ProxyCommand=x box`\n- Code dir: `~/x`\n",
    );
    putGpus({ gpus: [{}, {}] });
    const { find, exit } = await examine();
    expect(exit).toBe(5);
    expect(find("box")).toMatchObject([{ level: "ok", detail: expect.stringContaining("login shell") }]);
    expect(find("box tools")).toMatchObject([{ level: "ok", detail: expect.stringContaining("rsync 3.") }]);
    expect(find("box GPUs")).toMatchObject([{ level: "ok", detail: "2, 2 free" }]);
    expect(find("box disk").length).toBeGreaterThan(0);
    expect(find("gone")).toMatchObject([
      { level: "bad", detail: expect.stringContaining("refused"), advice: expect.stringContaining("ssh") },
    ]);
    expect(find("strange")).toMatchObject([
      { level: "warning", advice: expect.stringContaining("sortie trust") },
    ]);
  });

  it("tells of an environment that is not there, and of all else", async () => {
    sortie.writeTargets("box");
    appendFileSync(join(sortie.project(), "AGENTS.md"), "- Venv: `~/no-such-env`\n");
    writeStartFile(sshd().hostHome, ".bashrc", "echo 'Welcome to the lab'");
    const { find } = await examine();
    expect(find("box env")).toMatchObject([{ level: "bad", detail: expect.stringContaining("no-such-env") }]);
    expect(find("box host")).toMatchObject([{ detail: expect.stringContaining("Welcome to the lab") }]);
  });
});
