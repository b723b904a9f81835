import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canMount, useMounts } from "../../../test/support/mounts.ts";
import { useSshd } from "../../../test/support/sshd.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeSshRunner, type SshRunner } from "../../process/ssh/ssh-runner.ts";
import { fetchOverSsh } from "./fetch-over-ssh.ts";

const sshd = useSshd();
const temp = useTempFolder();
const mounts = useMounts();
const MB = 1_000_000;

function makeRunner(): SshRunner {
  const { host, socketFolder, configFile } = sshd();
  return makeSshRunner(host, {
    ...{ env: process.env, socketFolder, configFile, pinsFile: join(socketFolder, "pins") },
  });
}

/** A file on the host, by its absolute path. */
function put(name: string | Buffer, content: string | Buffer): Buffer {
  const folder = join(temp(), "host");
  mkdirSync(folder, { recursive: true });
  const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);
  writeFileSync(path, content);
  return path;
}

const into = () => join(temp(), "fetch");
const atHome = (path: Buffer) => Buffer.concat([Buffer.from(into()), path]);
const hash = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
/** Bytes that no compression makes fewer. */
function makeNoise(bytes: number, seed = 1): Buffer {
  const words = new Uint32Array(bytes / 4);
  let word = seed;
  for (let at = 0; at < words.length; at += 1) {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
    words[at] = word;
  }
  return Buffer.from(words.buffer);
}

describe("results from a host", () => {
  it("L6 come over byte for byte, whatever their names are, in one transfer", async () => {
    const names = ["größe – 尺寸", "a\nb", 'it\'s "one" $HOME', "-x", Buffer.from("bad \xff\x81", "latin1")];
    const files = names.map((name, index) => put(name, `content ${index} \xff`));
    symlinkSync("-x", join(temp(), "host/latest"));
    const link = Buffer.from(join(temp(), "host/latest"));
    const fetched = await fetchOverSsh(makeRunner(), { files: [...files, link], into: into() });
    expect(fetched.size).toBe(names.length + 1);
    for (const path of [...files, link]) {
      const content = readFileSync(path);
      expect(readFileSync(atHome(path))).toEqual(content);
      const file = fetched.get(path.toString("latin1"));
      const facts = { bytes: content.length, sha256: hash(content), changing: false };
      expect(file).toEqual({ place: atHome(path), ...facts });
      expect(statSync(atHome(path)).mtimeMs).toBeCloseTo(statSync(path).mtimeMs, -1);
    }
  });

  it("leave out what is gone, and what is there comes all the same", async () => {
    const there = put("there", "x");
    const gone = put("gone", "y");
    rmSync(gone);
    const fetched = await fetchOverSsh(makeRunner(), { files: [gone, there], into: into() });
    expect([...fetched.keys()]).toEqual([there.toString("latin1")]);
    expect(await fetchOverSsh(makeRunner(), { files: [gone], into: into() })).toEqual(new Map());
  });

  it("go on from where they were cut, without sending twice what has come", async () => {
    const files = [put("first", makeNoise(8 * MB)), put("second", makeNoise(8 * MB, 2))];
    const { proxy } = sshd();
    const fetch = () => fetchOverSsh(makeRunner(), { files, into: into() });
    const startBytes = proxy.passed.down;
    proxy.cutAfter("down", 11 * MB);
    await expect(fetch()).rejects.toMatchObject({ retryable: true });
    const cutBytes = proxy.passed.down;
    expect(cutBytes - startBytes).toBeGreaterThan(10 * MB);
    const fetched = await fetch();
    expect(proxy.passed.down - cutBytes).toBeLessThan(7 * MB);
    for (const path of files) {
      expect(readFileSync(atHome(path)).equals(readFileSync(path))).toBe(true);
      expect(fetched.get(path.toString("latin1"))?.changing).toBe(false);
    }
  });

  it("are fetched anew when they change within their size and time, and marked when they never stand still", async () => {
    const still = put("still", "a");
    const moves = put("moves", "0");
    const runner = makeRunner();
    let rounds = 0;
    const restless: SshRunner = {
      ...runner,
      rsync: async (request) => {
        await runner.rsync(request);
        rounds += 1;
        appendFileSync(moves, `${rounds}`);
        if (rounds === 1) writeFileSync(still, "b");
      },
    };
    const fetched = await fetchOverSsh(restless, { files: [still, moves], into: into() });
    const facts = [still, moves].map((path) => fetched.get(path.toString("latin1")));
    expect(facts).toMatchObject([
      { sha256: hash("b"), changing: false },
      { sha256: hash("012"), bytes: 3, changing: true },
    ]);
    expect(rounds).toBe(3);
  });

  it("L39 a large log comes over with its holes, in bounded memory", async () => {
    const path = put("log", "the beginning\n");
    truncateSync(path, 250 * MB);
    appendFileSync(path, "the end\n");
    const before = process.memoryUsage.rss();
    const fetched = await fetchOverSsh(makeRunner(), { files: [path], into: into() });
    expect(fetched.get(path.toString("latin1"))).toMatchObject({ bytes: 250 * MB + 8, changing: false });
    expect(statSync(atHome(path)).blocks * 512).toBeLessThan(20 * MB);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * MB);
  });

  it.runIf(canMount())("say that a disk at home is full, and lose nothing", async () => {
    const path = put("big", makeNoise(4 * MB));
    const small = join(temp(), "small");
    mounts.mountSmall(small, 1024);
    const fetch = fetchOverSsh(makeRunner(), { files: [path], into: join(small, "f") });
    await expect(fetch).rejects.toMatchObject({
      code: "sync_failed",
      message: expect.stringMatching(/disk is full/),
      hint: expect.stringContaining(small),
    });
    expect(existsSync(path)).toBe(true);
  });

  it("are called off with their signal", async () => {
    const path = put("big", makeNoise(8 * MB));
    const { proxy } = sshd();
    const leave = new AbortController();
    proxy.throttle(1 * MB);
    const bytes = proxy.passed.down;
    const fetch = fetchOverSsh(makeRunner(), { files: [path], into: into() }, { signal: leave.signal });
    await waitFor(() => proxy.passed.down > bytes + 200_000, { what: "some bytes" });
    leave.abort();
    await expect(fetch).rejects.toMatchObject({ retryable: true });
    proxy.throttle(0);
    proxy.cut();
  });
});
