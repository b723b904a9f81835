import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);

/** As the person types it. */
const ssh = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await stage.runner.run(["ssh", "-F", sshd().configFile, ...args], {
    timeoutMs: 20_000,
  });
  return exitCode === 0 ? stdout.trim() : `${exitCode}: ${stderr}`;
};

it("L8 every step goes by the alias with its jump host, port, user and key; the person's own connection stays theirs", async () => {
  const { name } = sshd().makeAccount("bash");
  const jump = await sshd().startJump();
  const socket = join(sshd().socketFolder, "mine");
  sshd().addConfig(`Host cluster
  HostName 127.0.0.1
  Port ${sshd().port}
  User ${name}
  ProxyJump jump
  ControlMaster auto
  ControlPath ${socket}
  ControlPersist 60`);
  expect(await ssh("cluster", "id -un")).toBe(name);
  expect(existsSync(socket)).toBe(true);
  const { dialed } = jump.proxy;

  stage.write({ "train.sh": "id -un; mkdir -p results; echo 1 >results/one; sleep 300" });
  stage.writeSection(["- Code dir: `~/code`"], { alias: "cluster" });
  const { id, host } = await stage.launch(["sh", "train.sh"]);
  expect(host).toBe("cluster");
  expect((await stage.run(["logs", id])).stdout).toBe(`${name}\n`);
  expect(await stage.ask(["stop", id])).toMatchObject({ exit: 0, state: "stopped" });
  expect(await stage.finish(id)).toMatchObject({ results: [{ path: "results/one" }] });
  expect(jump.proxy.dialed).toBeGreaterThan(dialed);

  const { dialed: before } = jump.proxy;
  expect(await ssh("cluster", "echo still there")).toBe("still there");
  expect(jump.proxy.dialed).toBe(before);
  await ssh("-O", "exit", "cluster");
});
