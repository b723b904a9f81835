import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canMount, useMounts } from "../../../test/support/mounts.ts";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { makeLocalRunner } from "../../process/local-runner.ts";
import type { Runner } from "../../process/runner.ts";
import { parseLedger } from "../ledger/parse-ledger.ts";
import { makeAgentPrompt } from "./agent-prompt.ts";
import { type AgentTerms, askAgent } from "./ask-agent.ts";
import { readReport } from "./read-report.ts";

const folder = useTempFolder();
const mounts = useMounts();
const good = '{"passed": true, "divergences": []}';
const one = { command: "train --x", claim: "exit 0", reality: "exit 2" };

/** A stand-in for an assistant: a shell script that reads its task from stdin. */
const ask = (script: string, terms: Partial<AgentTerms> = {}) => {
  const path = join(folder(), "assistant.sh");
  writeFileSync(path, script);
  return askAgent(makeLocalRunner(), {
    ...{ command: ["sh", path, folder()], prompt: "the task", timeoutMs: 30_000, env: process.env },
    ...terms,
  });
};
const say = (text: string) => `cat >/dev/null; cat <<'END'\n${text}\nEND\n`;

describe("an assistant", () => {
  it("is given its task and an empty folder, which goes", async () => {
    const script = `cat >"$1/task"; ls -A >"$1/listed"; pwd >"$1/where"; touch left; echo '${good}'`;
    expect(await ask(script)).toMatchObject({ passed: true, divergences: [], reason: null });
    const read = (name: string) => readFileSync(join(folder(), name), "utf8").trim();
    expect([read("task"), read("listed")]).toEqual(["the task", ""]);
    expect(existsSync(read("where"))).toBe(false);
  });

  it.each<[string, string, RegExp | null, number]>([
    [
      "names divergences",
      say(`All is well!\n${JSON.stringify({ passed: false, divergences: [one] })}`),
      null,
      1,
    ],
    ["passes what diverges", say(JSON.stringify({ passed: true, divergences: [one] })), null, 1],
    ["fails without a reason", say('{"passed": false, "divergences": []}'), /no divergence/, 0],
    ["says nothing", "cat >/dev/null", /report that can be read/, 0],
    ["says something else last", say(`${good}\n{"cost": 1}`), /report that can be read/, 0],
    ["leaves a key out", say('{"passed": true}'), /report that can be read/, 0],
    ["fails after its report", `${say(good)}exit 3`, /exit 3/, 0],
    ["is killed", `${say(good)}kill -9 $$`, /SIGKILL/, 0],
  ])("that %s has not passed the document", async (_, script, reason, count) => {
    const verdict = await ask(script);
    expect(verdict.passed).toBe(false);
    expect(verdict.divergences).toHaveLength(count);
    if (reason) expect(verdict.reason).toMatch(reason);
    else expect(verdict.reason).toBeNull();
  });

  it.runIf(canMount())("that leaves what cannot be removed has its verdict all the same", async () => {
    const local = makeLocalRunner();
    let place = "";
    const runner: Runner = {
      ...local,
      run: (command, options) => {
        place = options.cwd as string;
        mounts.mountReadOnly(join(place, "closed"));
        return local.run(command, options);
      },
    };
    const terms = { prompt: "", timeoutMs: 30_000, env: process.env };
    const verdict = await askAgent(runner, { ...terms, command: ["sh", "-c", say(good)] });
    mounts.unmount(join(place, "closed"));
    rmSync(place, { recursive: true });
    expect(verdict).toMatchObject({ passed: true });
  });

  it("that hangs is ended with all that it started", async () => {
    const verdict = await ask(`echo $$ >"$1/pid"; sleep 600 & sleep 600`, { timeoutMs: 500 });
    expect(verdict).toMatchObject({ passed: false, reason: "the assistant did not end within 1 s" });
    const pid = readFileSync(join(folder(), "pid"), "utf8").trim();
    await waitFor(() => !existsSync(`/proc/${pid}`), { what: "its end" });
  });

  it("that cannot be started, or is called off, says nothing about the document", async () => {
    await expect(ask("", { command: [join(folder(), "none")] })).rejects.toMatchObject({
      code: "document_unfollowed",
    });
    const over = AbortSignal.abort();
    await expect(ask("", { signal: over })).rejects.toMatchObject({ code: "document_unfollowed" });
  });
});

describe("a report", () => {
  it.each([
    [`{"passed": true, "divergences": []}`, true],
    [`form: {"passed": false, "divergences": []}\nmine:\n\`\`\`json\n${good}\n\`\`\`\nDone {really}.`, true],
    [
      JSON.stringify(
        { passed: false, divergences: [{ ...one, reality: 'printed } and { and "}' }] },
        null,
        2,
      ),
      false,
    ],
  ])("is the last object of %j", (output, passed) => {
    expect(readReport(output)?.passed).toBe(passed);
  });

  it.each(["", "{}", "}{", "[]", good.slice(0, -1), "{".repeat(5000) + "}".repeat(5000), `{"a": ${good}}`])(
    "is not %j",
    (output) => {
      expect(readReport(output)).toBeNull();
    },
  );
});

it("the task holds the host, the block and the document, and no text twice", () => {
  const [block] = parseLedger("### env: a@00000001\n- how: venv\n").blocks;
  if (!block) throw new Error("no block");
  const page = { file: "README.md", text: "# Read me\n=====\nrun it\n" };
  const task = makeAgentPrompt({ host: "box", folder: "/srv/digits", block, page });
  expect(task).toMatch(
    /Host: box\nProject: \/srv\/digits\n[\s\S]*=====\n### env: a@00000001\n- how: venv\n=====\n[\s\S]*\n======\n# Read me/,
  );
  const inLedger = makeAgentPrompt({
    host: "box",
    folder: "/srv/digits",
    block,
    page: { file: "local.md", text: block.text },
  });
  expect(inLedger.split("how: venv")).toHaveLength(2);
});
