import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CHECKOUT } from "../../../test/support/contestant.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import { makeWandbProbe, readWandbFacts } from "./probe-wandb.ts";

const folder = useTempFolder();
const VENV = join(CHECKOUT, ".venv", "bin", "python");

interface Asked {
  python?: string | null;
  project?: string[];
  netrc?: string;
  env?: Record<string, string>;
  isKeyBrought?: boolean;
  url?: string;
  shell?: string;
}

async function ask({ python = null, project = [], netrc, env = {}, shell = "sh", ...asked }: Asked) {
  if (netrc !== undefined) writeFileSync(join(folder(), ".netrc"), netrc);
  const { isKeyBrought = false, url = "http://127.0.0.1:9" } = asked;
  const text = makeWandbProbe({ url, isKeyBrought, token: "tok", python, project });
  const outcome = await makeLocalRunner().run([shell, "-s"], {
    stdin: text,
    env: { HOME: folder(), PATH: process.env["PATH"], ...env },
    timeoutMs: 20_000,
  });
  expect(outcome.stderr).toBe("");
  return readWandbFacts(outcome.stdout, "tok");
}

async function serve(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("finds the package and its version, and does not ask the server of whom no key would be sent", async () => {
  expect(await ask({ python: VENV })).toEqual({
    version: expect.stringMatching(/^\d+\.\d+/),
    login: null,
    answers: null,
  });
});

it("looks at a project's interpreter, and does not run it", async () => {
  const bin = join(folder(), "project", "env", "bin");
  const info = join(bin, "..", "lib", "python3.11", "site-packages", "wandb-0.1.2.dist-info");
  mkdirSync(info, { recursive: true });
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(info, "METADATA"), "");
  symlinkSync("/nowhere", join(bin, "python"));
  const asked = { python: join(bin, "python"), project: [join(folder(), "project")] };
  expect(await ask(asked)).toMatchObject({ version: "0.1.2" });
});

it("finds none where there is none", async () => {
  const bin = join(folder(), "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "python"), "", { mode: 0o755 });
  expect(await ask({ python: join(bin, "python") })).toMatchObject({ version: null });
  expect(await ask({ python: null })).toMatchObject({ version: null });
});

it.each([
  ["the entry of the server", "machine 127.0.0.1:9\n  login user\n  password k\n", "netrc"],
  ["one line", "machine a login b password c machine 127.0.0.1:9 login user password k", "netrc"],
  ["the default", "default login user password k", "netrc"],
  ["another server's", "machine api.wandb.ai login user password k\n", null],
  ["a comment", "# machine 127.0.0.1:9 password k\n", null],
  ["no password", "machine 127.0.0.1:9 login user\nmachine b password k\n", null],
  ["a password that is called like a word", "machine b password machine\nlogin 127.0.0.1:9 password k", null],
])("reads netrc: %s", async (_, netrc, login) => {
  expect(await ask({ netrc })).toMatchObject({ login });
});

it.each(["dash", "bash"])("asks the server where a key is there, in %s", async (shell) => {
  const url = await serve();
  const call = { url, shell, env: { WANDB_API_KEY: "k", http_proxy: "http://127.0.0.1:9" } };
  expect(await ask(call)).toMatchObject({ login: "environment", answers: true });
  expect(await ask({ url: "http://127.0.0.1:9", isKeyBrought: true })).toMatchObject({ answers: false });
});
