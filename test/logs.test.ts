import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closeDesk, followRun, openDesk } from "../src/index.ts";
import { SORTIE, useSortie } from "./support/sortie.ts";

const sortie = useSortie();

const finishRun = async (command: readonly string[]) => {
  const run = await sortie.launch(command);
  return sortie.waitForState(run.id, ["succeeded", "failed", "stopped", "lost"]);
};
const readLogs = async (...args: string[]) => (await sortie.run(["logs", ...args])).stdout;

describe("the log of a run", () => {
  it("is read by its last lines, folded for people and raw on demand", async () => {
    const run = await finishRun(["sh", "-c", "printf 'one\\n10%%\\r50%%\\r100%%\\nthree\\n'"]);
    expect(await readLogs(run.id)).toBe("one\n100%\nthree\n");
    expect(await readLogs(run.name, "-n", "2")).toBe("100%\nthree\n");
    expect(await readLogs(run.id, "-n", "2", "--raw")).toBe("10%\r50%\r100%\nthree\n");
    const lines = (await readLogs(run.id, "-n", "1", "--json")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ schema: 1, line: "three" }]);
  });

  it("cannot be raw bytes in JSON", async () => {
    const both = await sortie.ask(["logs", "any", "--raw"]);
    expect(both).toMatchObject({
      exit: 2,
      error: { code: "usage", hint: expect.stringMatching(/^`sortie logs --help`/) },
    });
  });

  it("keeps control characters away from the terminal", async () => {
    const run = await finishRun(["printf", "\\033[31mred\\033[0m \\033[2J\\007\\n"]);
    expect(await readLogs(run.id)).toBe("\u001b[31mred\u001b[0m \\x1b[2J\\x07\u001b[0m\n");
  });

  it("is followed to the end of the run, and the exit code is that of the run", async () => {
    const run = await sortie.launch(["sh", "-c", "for i in 1 2 3; do echo line $i; sleep 0.3; done; exit 3"]);
    const outcome = await sortie.run(["logs", "-f", run.id]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "line 1\nline 2\nline 3\n" });
  });

  it("is read from a time on, by the samples", async () => {
    const run = await finishRun(["sh", "-c", "echo first; echo second"]);
    writeFileSync(run.log, "old line\nnew line\n");
    const samples = join(run.jobFolder, "samples.csv");
    writeFileSync(samples, "time,log_bytes,memory_mib\n2026-01-01T00:00:00Z,0,1\n2026-01-01T00:00:10Z,9,1\n");
    expect(await readLogs(run.id, "--since", "2026-01-01T00:00:15Z")).toBe("new line\n");
    expect(await readLogs(run.id, "--since", "2025-12-31T00:00:00Z")).toBe("old line\nnew line\n");
    const both = ["--since", "2026-01-01T00:00:05Z", "-n"];
    expect(await readLogs(run.id, ...both, "1")).toBe("new line\n");
    expect(await readLogs(run.id, ...both, "9")).toBe("old line\nnew line\n");
    expect(await readLogs(run.id, "--since", "2026-01-01T00:00:15Z", "-n", "9")).toBe("new line\n");
    const wrong = await sortie.run(["logs", run.id, "--since", "yesterday"]);
    expect(wrong).toMatchObject({ exitCode: 2 });
    expect(wrong.stderr).toContain("--since cannot be yesterday");
  });
});

describe("L39 logs that are hard to read", () => {
  it("L39 shows the last state of 100,000 progress updates without a newline", async () => {
    const script =
      "import sys\nfor i in range(100000): sys.stdout.write(f'\\r{i + 1:6d}/100000 done, and more text')\n";
    const run = await finishRun(["python3", "-c", script]);
    expect(readFileSync(run.log).length).toBeGreaterThan(3_000_000);
    expect(await readLogs(run.id, "-n", "50")).toBe("100000/100000 done, and more text\n");
  });

  it("L39 shows both ends of one line of 50 MB", async () => {
    const run = await finishRun(["true"]);
    writeFileSync(run.log, `start${"x".repeat(50_000_000)}end\n`);
    const shown = await readLogs(run.id, "-n", "50");
    expect(shown.length).toBeLessThan(100_000);
    expect(shown).toMatch(/^\[… 41\.6 MB left out …\] x+ \[… \d+ characters left out …\] x+end\n$/);
    const line = JSON.parse(await readLogs(run.id, "--json")).line;
    expect(line).toMatch(/^\[… 41\.6 MB left out …\] x/);
    writeFileSync(run.log, `start${"x".repeat(5_000_000)}end`);
    expect(await readLogs(run.id)).toMatch(/^startx+ \[… \d+ characters left out …\] x+end\n$/);
  });

  it("L39 reads the tail of 3 GB", async () => {
    const run = await finishRun(["true"]);
    truncateSync(run.log, 3_000_000_000);
    appendFileSync(run.log, `\n${Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n")}\n`);
    const lines = (await readLogs(run.id, "-n", "50")).trim().split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([50, "line 10", "line 59"]);
  });

  it("L39 goes on at the byte where following was cut", async () => {
    const run = await sortie.launch([
      "sh",
      "-c",
      "i=0; while [ $i -lt 200 ]; do echo line $i; i=$((i+1)); sleep 0.01; done",
    ]);
    const desk = openDesk({ env: sortie.makeEnv(), self: [process.execPath, SORTIE] });
    try {
      const pieces: Uint8Array[] = [];
      let offset = 0;
      for (let cut = 0; cut < 5; cut += 1) {
        const abort = new AbortController();
        const onBytes = (bytes: Uint8Array) => {
          pieces.push(bytes);
          abort.abort();
        };
        offset = (await followRun(desk, run.id, { onBytes, signal: abort.signal, offset })).offset;
      }
      await followRun(desk, run.id, { onBytes: (bytes) => pieces.push(bytes), offset });
      expect(Buffer.concat(pieces).toString()).toBe(readFileSync(run.log, "utf8"));
      expect(Buffer.concat(pieces).toString().trim().split("\n")).toHaveLength(200);
    } finally {
      closeDesk(desk);
    }
  });
});

it("says that a run which never started has no log", async () => {
  const run = await finishRun(["true"]);
  const missing = await sortie.run(["logs", "no-such-run"]);
  expect(missing).toMatchObject({ exitCode: 2 });
  expect(missing.stderr).toContain("No run is called no-such-run");
  expect((await sortie.run(["logs", run.id])).stdout).toBe("");
});
