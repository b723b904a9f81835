import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { SortieError } from "../base/error.ts";
import { checkTarget, chooseTarget, findTarget, makeChoiceError } from "./choose-target.ts";
import { formatTargets } from "./format-targets.ts";
import { loadConfig } from "./load-config.ts";
import { hashSection } from "./section-hash.ts";

const folder = useTempFolder();
const THREE =
  "## Remote Server\n- SSH: ann@gpu1\n## Lab\n- SSH: gpu2\n## Vast.ai\n- vast_instance: 5\n- SSH: ssh -p 7 root@v\n";

describe("a target is found by", () => {
  test.each([
    ["remote-server", "remote-server"],
    ["Remote Server", "remote-server"],
    ["vast", "vast-ai"],
    ["gpu2", "lab"],
    ["gpu1", "remote-server"],
    ["ann@gpu1", "remote-server"],
    ["local", "local"],
  ])("%s", async (wanted, name) => {
    expect(findTarget(await load(THREE), wanted).name).toBe(name);
  });

  test.each([
    ["remote", "target_ambiguous", "remote-server, lab"],
    ["ssh", "target_ambiguous", "remote-server, lab"],
    ["modal", "target_unknown", "remote-server, lab, vast-ai, local"],
    ["gpu9", "target_unknown", "remote-server, lab, vast-ai, local"],
    ["remote-serve", "target_unknown", "Did you mean remote-server?"],
  ])("%s is refused: %s", async (wanted, code, text) => {
    const config = await load(THREE);
    const error = catchError(() => findTarget(config, wanted));
    expect(error.code).toBe(code);
    expect(error.exit).toBe(2);
    expect(`${error.message} ${error.hint}`).toContain(text);
  });
});

describe("without a name", () => {
  test("the only target is taken", async () => {
    expect(chooseTarget(await load("## Modal\n- modal_app: a.py\n"))).toMatchObject({
      target: { name: "modal" },
    });
  });

  test("of several one must be chosen", async () => {
    const config = await load(THREE);
    const choice = chooseTarget(config);
    if (choice.target !== null) throw new Error("chosen without a name");
    expect(choice.choices.map((target) => target.name)).toEqual(["remote-server", "lab", "vast-ai"]);
    expect(makeChoiceError(config, choice.choices)).toMatchObject({ code: "target_ambiguous", exit: 2 });
  });

  test("nothing found never means this machine", async () => {
    const config = await load("");
    expect(chooseTarget(config)).toEqual({ target: null, choices: [] });
    const error = makeChoiceError(config, []);
    expect(error).toMatchObject({
      code: "target_missing",
      exit: 2,
      hint: expect.stringContaining("--target local"),
    });
    expect(chooseTarget(config, "local")).toMatchObject({
      target: { name: "local", kind: "local", lines: [0, 0] },
    });
  });

  test("the setting target decides", async () => {
    const config = await load(`${THREE}## Sortie\n- target: lab\n`);
    expect(chooseTarget(config)).toMatchObject({ target: { name: "lab" } });
  });
});

test("a file that cannot be read leads nowhere but to this machine, when that is asked for", async () => {
  const config = { ...(await load("")), unreadable: { path: "/p/AGENTS.md", reason: "permission denied" } };
  expect(catchError(() => chooseTarget(config)).code).toBe("file_unreadable");
  expect(catchError(() => chooseTarget(config, "remote")).code).toBe("file_unreadable");
  expect(chooseTarget(config, "local").target?.name).toBe("local");
});

test("a wrong value stops launches on its target only", async () => {
  const config = await load(`${THREE}- auto_destroy: flase\n`);
  expect(() => checkTarget(config, findTarget(config, "lab"))).not.toThrow();
  const error = catchError(() => checkTarget(config, findTarget(config, "vast")));
  expect(error).toMatchObject({ code: "config_bad", exit: 2 });
  expect(error.message).toContain("AGENTS.md line 8");
  expect(error.message).toContain("did you mean false");
});

test("a wrong setting stops launches on every target", async () => {
  const config = await load(`${THREE}## Sortie\n- grace: soon\n`);
  for (const name of ["lab", "vast", "local"]) {
    expect(catchError(() => checkTarget(config, findTarget(config, name))).code).toBe("config_bad");
  }
});

test("the table shows targets, lines, what is missing, and what is wrong", async () => {
  const config = await load(`${THREE}## Modal\n- modal_volme: v\n- wandb: true\n- modal_app: \u202ea.py\n`);
  const missing = "Code dir (the folder there that the code goes to)";
  const project = "wandb_project (needed with wandb: true)";
  expect(formatTargets(config, Number.POSITIVE_INFINITY).replaceAll(/ {2,}/g, "  ").split("\n")).toEqual([
    "target  kind  where  from  missing",
    `remote-server  ssh  ann@gpu1  AGENTS.md:1-2  ${missing}, ${project}`,
    `lab  ssh  gpu2  AGENTS.md:3-4  ${missing}, ${project}`,
    `vast-ai  vast  instance 5  AGENTS.md:5-7  ${missing}, ${project}`,
    `modal  modal  \\u202ea.py  AGENTS.md:8-11  ${project}`,
    "",
    "For the whole file:",
    "  wandb: true  (line 10)",
    "",
    "Warnings:",
    "  AGENTS.md line 9: modal_volme is not a key that Sortie knows. Did you mean modal_volume?",
  ]);
  const narrow = formatTargets(config, 80).split("\n");
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(90);
  expect(narrow.join(" ").replaceAll(/ +/g, " ")).toContain(`${missing}, ${project}`);
  expect(formatTargets(await load(""), 80)).toContain("--target local");
  const folder = "/home/somebody/with/a/long/name/experiments/";
  const below = formatTargets(await load(`## Remote\n- SSH: a-gpu-server\n- Code dir: \`${folder}\`\n`), 80);
  expect(below).toMatch(/^remote {2}ssh {3}a-gpu-server {2}AGENTS\.md:1-3 {2}-\n {14}\/home\/somebody.*$/m);
});

test("a section's hash follows what it means", async () => {
  const hash = async (text: string) => {
    const config = await load(text);
    return hashSection(config, findTarget(config, "remote-server"));
  };
  const base = await hash("## Remote Server\n- SSH: a\n- Code dir: /x\n");
  expect(
    await hash("# Title\n\n## Remote Server\n* code_dir: `/x`  # where\n* SSH: `ssh a`\n* a note\n"),
  ).toBe(base);
  expect(await hash("## Remote Server\n- SSH: a\n- Code dir: /y\n")).not.toBe(base);
  expect(await hash("## Remote Server\n- SSH: a\n- Code dir: /x\n## Vast.ai\n- code_sync: git\n")).not.toBe(
    base,
  );
});

function load(text: string) {
  writeFileSync(join(folder(), "AGENTS.md"), text);
  return loadConfig({ cwd: folder(), env: {}, home: folder() });
}

function catchError(call: () => unknown): SortieError {
  try {
    call();
  } catch (fault) {
    if (fault instanceof SortieError) return fault;
    throw fault;
  }
  throw new Error("nothing was thrown");
}
