import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LinkProxy, startLinkProxy } from "./support/link-proxy.ts";
import { useRemoteSortie } from "./support/remote-stage.ts";
import { SORTIE } from "./support/sortie.ts";
import { useSshd } from "./support/sshd.ts";
import { waitFor } from "./support/wait-for.ts";

const sshd = useSshd();
const sortie = useRemoteSortie(sshd);
const LIVE = ["sh", "-c", "echo up; exec sleep 300"];
/** The same server as `box`, over a network of its own. */
let far: LinkProxy;

beforeAll(async () => {
  const { port, configFile, knownHostsFile } = sshd();
  far = await startLinkProxy(port);
  appendFileSync(configFile, `Host far\n  HostName 127.0.0.1\n  Port ${far.port}\n`);
  for (const alias of ["b2", "b3", "b4"])
    appendFileSync(configFile, `Host ${alias}\n  HostName 127.0.0.1\n  Port ${port}\n`);
  appendFileSync(knownHostsFile, sshd().server.knownHost.replace(`:${port} `, `:${far.port} `));
});
afterAll(() => far.close());

const silence = () => {
  far.onDial("swallow");
  far.cut();
};
const answerAgain = () => far.onDial("pass");

it("L11 of five hosts the four that answer are shown at once, and the silent one with the age of its news", async () => {
  const aliases = ["box", "b2", "b3", "b4", "far"];
  sortie.writeTargets(...aliases);
  await Promise.all(aliases.map((alias) => sortie.launch(alias, LIVE, ["--name", `on-${alias}`])));
  silence();
  const parts: string[] = [];
  const { stdout, exitCode } = await sortie.runner.run([process.execPath, SORTIE, "ls"], {
    env: sortie.makeEnv(),
    cwd: sortie.project(),
    timeoutMs: 20_000,
    onStdout: (chunk) => parts.push(chunk.toString()),
  });
  expect(exitCode).toBe(0);
  const early = parts
    .slice(
      0,
      parts.findIndex((part) => part.includes("on-far")),
    )
    .join("");
  for (const alias of aliases.slice(0, 4)) expect(early).toMatch(new RegExp(`on-${alias} +running +\\d+ s`));
  expect(stdout).toMatch(/on-far +running \(not seen for \d+ s\)/);
  expect(stdout).toContain("far cannot be reached: no answer came within the time limit.");
  const document = await sortie.show("on-far");
  expect(document).toMatchObject({
    ...{ state: "running", reachable: false, observedAt: expect.stringMatching(/^2/), exit: 0 },
    silence: { code: "ssh_unreachable", hint: expect.stringContaining("ssh") },
  });

  // A plan for one host waits for no other, and for this machine neither.
  const { run } = await sortie.ask(["run", "--target", "box", "--yes", "--gpus", "none", "--", "true"]);
  expect(run).toMatchObject({ state: "succeeded" });

  // Its watcher goes on asking, and no command is called meanwhile.
  answerAgain();
  const { id } = document;
  expect(await sortie.waitForRecord(id, ({ reachable }) => reachable)).toMatchObject({ silence: null });
});

it("L11 a host that sleeps for a while holds up neither the watcher's work on others nor loses its run", async () => {
  sortie.writeTargets("box", "far");
  const gate = join(sshd().hostHome, "gate");
  const wait = ["sh", "-c", `until [ -e ${gate} ]; do sleep 0.1; done; exit 4`];
  const [slow, quick] = await Promise.all([sortie.launch("far", wait), sortie.launch("box", wait)]);
  far.pause();
  expect(await sortie.show(slow.id)).toMatchObject({ state: "running", reachable: false });
  writeFileSync(gate, "");
  const ended = ({ state }: { state: string }) => state === "failed";
  expect(await sortie.waitForRecord(quick.id, ended)).toMatchObject({ exitCode: 4 });
  expect(await sortie.show(slow.id)).toMatchObject({ state: "running", reachable: false });
  far.resume();
  expect(await sortie.waitForRecord(slow.id, ended)).toMatchObject({ exitCode: 4, reachable: true });
});

it("a stop that is not answered claims nothing, and is waited out by whoever waits", async () => {
  sortie.writeTargets("far");
  const slow = ["sh", "-c", "trap 'sleep 1; exit 9' TERM; echo up; while :; do sleep 0.1; done"];
  const { id, name, jobFolder } = await sortie.launch("far", slow, ["--grace", "20"]);
  const waiting = sortie.start(["wait", id], sortie.makeEnv());
  far.onDial("reset");
  far.cut();
  const stopped = await sortie.ask(["stop", id]);
  expect(stopped).toMatchObject({ exit: 5, error: { code: "stop_unanswered", retryable: true } });
  expect(stopped.error.message).toContain(`${name} may still be running`);
  expect(stopped.error.hint).toContain(`sortie stop ${name}`);
  answerAgain();
  // Cut in the middle it is asked for again.
  const stopping = sortie.ask(["stop", id]);
  await waitFor(() => existsSync(join(jobFolder, "stop")), { what: "the stop's beginning" });
  far.cut();
  expect(await stopping).toMatchObject({ exit: 0, state: "stopped", exitCode: 9, wasEnded: false });
  expect(await waiting.exitCode).toBe(1);
});

it("a key that is refused, and a host with another one, are told as such; the run is as it was", async () => {
  sortie.writeTargets("far");
  const { id } = await sortie.launch("far", LIVE);
  const key = join(sshd().personHome, ".ssh", "id_ed25519");
  renameSync(key, `${key}.away`);
  far.cut();
  const shown = async () => (await sortie.run(["show", id])).stdout;
  expect(await shown()).toMatch(/running \(not seen for \d+ s: far does not let you in\)/);
  expect(await sortie.show(id)).toMatchObject({ silence: { code: "ssh_auth_refused" } });
  expect((await sortie.run(["ls"])).stdout).toContain("ssh-add");
  renameSync(`${key}.away`, key);

  const { knownHostsFile, server, port } = sshd();
  const [before, old] = [readFileSync(knownHostsFile, "utf8"), server.fingerprint];
  await server.swapHostKey();
  far.cut();
  expect(await shown()).toContain("far shows another host key than before");
  const { silence, state } = await sortie.show(id);
  expect({ code: silence.code, state }).toEqual({ code: "ssh_host_key_changed", state: "running" });
  for (const told of [old, server.fingerprint, knownHostsFile]) expect(silence.reason).toContain(told);
  expect(await sortie.ask(["stop", id])).toMatchObject({ exit: 5, error: { code: "stop_unanswered" } });
  expect(readFileSync(knownHostsFile, "utf8")).toBe(before);
  writeFileSync(knownHostsFile, server.knownHost + server.knownHost.replace(`:${port} `, `:${far.port} `));
  expect(await sortie.ask(["stop", id])).toMatchObject({ exit: 0, state: "stopped" });
});

it("a watcher that has to leave lets go of a host that hangs", async () => {
  sortie.writeTargets("far");
  const { id } = await sortie.launch("far", LIVE);
  const card = join(sortie.home(), "watcher.json");
  await waitFor(() => existsSync(card), { what: "a watcher" });
  far.pause();
  const { pid } = JSON.parse(readFileSync(card, "utf8")).identity;
  process.kill(pid, "SIGTERM");
  await waitFor(() => !existsSync(card), { what: "its leaving" });
  await waitFor(() => !existsSync(`/proc/${pid}`), { what: "its end" });
  far.resume();
  expect(await sortie.ask(["stop", id])).toMatchObject({ state: "stopped" });
});
