import { describe, expect, test } from "vitest";
import { formatIssue } from "./issue.ts";
import { parseProject } from "./parse-project.ts";

describe("values", () => {
  test.each([
    ["Code dir: /a/b   # the folder", "/a/b"],
    ["Code dir: /a/b#c", "/a/b#c"],
    ["Code dir: `/a # b`", "/a # b"],
    ["Code dir: `` /a`b ``", "/a`b"],
    ['Code dir: "/a b"', "/a b"],
    ["Code dir: '/a # b'  # why", "/a # b"],
    ["Code dir: /my\\_project/\\*x", "/my_project/*x"],
    ["code-dir:/a", "/a"],
    ["[x] Code dir: /a", "/a"],
    ["`Code dir: /a`", "/a"],
    ["**Code dir: /a**", "/a"],
    ["Remote path: /a", "/a"],
    ["Code dir: /a\n  with more words", "/a"],
  ])("%j", (item, codeDir) => {
    expect(readServer(item).target.codeDir).toBe(codeDir);
  });

  test("what follows a value in backticks is a note", () => {
    expect(readServer("Code dir: `/a` (fast disk) # yes").target.notes).toEqual([
      { text: "(fast disk)", line: 3 },
    ]);
  });

  test.each([
    ["results: `a/*.json`, `b dir/`", ["a/*.json", "b dir/"]],
    ["results: a, b", ["a", "b"]],
    ["results: a b  # both", ["a", "b"]],
    ['results: ["a", b]', ["a", "b"]],
    ["results: `a, b`", ["a, b"]],
    ["results:\n  - `a`\n  - b # x", ["a", "b"]],
    ["results: `a` and `b` (kept)", ["a", "b"]],
    ['results: "a b/"', ["a b/"]],
    ['results: "a b/", c d', ["a b/", "c d"]],
    ["results: 'a, b' \"c # d\" e\\_f  # three", ["a, b", "c # d", "e_f"]],
    ['results: ["a, b", it\'s]', ["a, b", "it's"]],
    ['results:\n  - "a b/"', ["a b/"]],
  ])("the list %j", (item, results) => {
    expect(readServer(item).target.results).toEqual(results);
  });

  test("nested items and groups count like others", () => {
    const { target, warnings } = readServer("Environment:\n  - Conda env: ml\n- a note\n  - Code dir: /a");
    expect(target).toMatchObject({
      conda: { env: "ml" },
      codeDir: "/a",
      notes: [{ text: "a note", line: 5 }],
    });
    expect(warnings).toEqual([]);
  });

  test("sentences, addresses and times are notes", () => {
    const items = [
      "Ask Ann before using more than two: she decides",
      "https://lab.example/wiki",
      "12:30 backup",
    ];
    const { target, warnings } = readServer(items.join("\n- "));
    expect(target.notes.map((note) => note.text)).toEqual(items);
    expect(warnings).toEqual([]);
  });
});

describe("wrong values name the file, the line and what was meant", () => {
  test.each([
    ["code_sync: gti", 'code_sync must be rsync or git, not "gti". Did you mean git?'],
    ["wandb: ture", 'wandb must be true or false, not "ture". Did you mean true?'],
    ["timeout: soon", 'timeout must be seconds, or a duration such as 90s, 15m, 1h30m, not "soon".'],
    ["grace: 0", 'grace must be longer than nothing, not "0".'],
    ["free_memory_mib: -5", 'free_memory_mib must be a whole number above 0, not "-5".'],
    ["gpu: vst", 'gpu names no kind of target: "vst". Did you mean vast?'],
    ["SSH: ssh b", "SSH is given twice, differently: see line 2."],
    ["ssh_port: 99\n- ssh_port: 98", "ssh_port is given twice, differently: see line 3."],
    ["Code dir: `/a\u001b[2J`", "Code dir holds a control character."],
    [`Code dir: /${"a".repeat(9000)}`, "Code dir is longer than 8192 characters."],
    ["conda_hook: /opt/conda", "conda_hook needs a key Conda env beside it, which names the environment."],
    ["Conda: a\n- Conda env: b", "Conda names another environment than Conda env in line 4."],
  ])("%j", (item, message) => {
    const { errors } = readServer(item);
    expect(errors.map(formatIssue)).toEqual([expect.stringMatching(/^AGENTS\.md line \d: /)]);
    expect(formatIssue(errors[0] as never).replace(/^AGENTS\.md line \d: /, "")).toBe(message);
    expect(errors[0]?.target).toBe("remote-server");
  });

  test.each([
    ["auto_destroy: flase", 'auto_destroy must be true or false, not "flase". Did you mean false?'],
    ["max_budget: lots", 'max_budget must be an amount of US dollars above 0, such as 5.00, not "lots".'],
    ["vast_instance: abc", 'vast_instance must be a whole number above 0, not "abc".'],
  ])("on Vast.ai: %j", (item, message) => {
    const { errors } = parseProject(`## Vast.ai\n- ${item}\n`, "/p/AGENTS.md", "AGENTS.md");
    expect(errors.map(formatIssue)).toEqual([`AGENTS.md line 2: ${message}`]);
  });

  test("a list too long to be one is refused, not cut in silence", () => {
    const { errors, target } = readServer(
      Array.from({ length: 1100 }, (_, index) => `note ${index}`).join("\n- "),
    );
    expect(target.notes).toHaveLength(999);
    expect(errors).toMatchObject([{ target: "remote-server", message: expect.stringContaining("too many") }]);
  });
});

describe("warnings", () => {
  test.each([
    ["code_snyc: git", "code_snyc is not a key that Sortie knows. Did you mean code_sync?"],
    ["Colour: blue", "Colour is not a key that Sortie knows."],
    ["autodestroy: true", "autodestroy is not a key that Sortie knows. Did you mean auto_destroy?"],
    ["foo: bar", "foo is not a key that Sortie knows."],
    ["partition: gpu", "partition means something to slurm only and is left out: this target is ssh."],
    ["target: local", 'target belongs in a section "Sortie" and is left out here.'],
    ["Code dir:", "Code dir has no value and is left out."],
  ])("%j", (item, message) => {
    expect(readServer(item).warnings.map(formatIssue)).toEqual([`AGENTS.md line 3: ${message}`]);
  });

  test("a key without a bullet is not read, and that is said", () => {
    const { warnings } = parseProject(
      "## Remote Server\nHello.\nSSH: `ssh a`\n",
      "/p/AGENTS.md",
      "AGENTS.md",
    );
    expect(warnings.map(formatIssue)).toEqual([
      'AGENTS.md line 3: SSH is not read: it is not a list item; put "- " before it.',
    ]);
  });

  test.each([
    ["| key | value |\n| --- | --- |\n| **SSH** | lab |\n| Colour | blue |", 5],
    ["SSH | Code dir\n--- | ---\nlab | /a", 3],
  ])("nor is a table: %j", (table, line) => {
    const { warnings } = parseProject(`## Remote Server\n\n${table}\n`, "/p/AGENTS.md", "AGENTS.md");
    expect(warnings.map(formatIssue)).toEqual([
      `AGENTS.md line ${line}: SSH is not read: it is not a list item; write "- SSH: …" instead of a row of a table.`,
    ]);
  });

  test("a W&B key works, is warned of and is shown nowhere", () => {
    const read = parseProject(
      "## Remote Server\n- SSH: a\n- wandb_api_key: s3cr3tvalue\n",
      "/p/AGENTS.md",
      "AGENTS.md",
    );
    expect(read.warnings).toMatchObject([{ line: 3, key: "wandb_api_key" }]);
    expect(read.secrets.map((secret) => secret.reveal())).toEqual(["s3cr3tvalue"]);
    expect(
      JSON.stringify([read, [...read.defaults], [...(read.targets[0]?.source.values ?? [])]]),
    ).not.toContain("s3cr3t");
  });
});

describe("gpu", () => {
  test.each([
    ["gpu: Vast", "vast", undefined],
    ["gpu: `modal`", "modal", undefined],
    ["GPU: 4x A100 (80GB each)", "ssh", "4x A100 (80GB each)"],
    ["GPU: A100", "ssh", "A100"],
    ["GPU: Metal", "ssh", "Metal"],
    ["GPU: 4x A100\n  with NVLink", "ssh", "4x A100 with NVLink"],
    ["gpu: local\n- GPU: M3", "local", "M3"],
  ])("%j", (item, kind, gpuNote) => {
    const read = parseProject(`## Remote GPU\n- ${item}\n`, "/p/AGENTS.md", "AGENTS.md");
    expect(read.targets).toMatchObject([{ kind, ...(gpuNote ? { gpuNote } : {}) }]);
    expect(read.errors).toEqual([]);
  });
});

test("a misspelt kind is an error of its section under any heading", () => {
  const text = "## GPUs\n- gpu: vasr\n- max_price: 1\n";
  const { targets, warnings, errors } = parseProject(text, "/p/AGENTS.md", "AGENTS.md");
  expect(targets.map(({ name, kind }) => [name, kind])).toEqual([["gpus", "vast"]]);
  expect(warnings).toEqual([]);
  expect(errors).toMatchObject([{ target: "gpus", line: 2, nearest: "vast" }]);
});

test("Slurm's keys stand in an object of their own", () => {
  const items = [
    "SSH: login",
    "partition: gpu",
    "time: 2h",
    "gres: gpu:a100:1",
    "cpus-per-task: 8",
    "mem: 32 GB",
  ];
  const { targets, errors } = parseProject(
    `## Slurm\n- ${items.join("\n- ")}\n`,
    "/p/AGENTS.md",
    "AGENTS.md",
  );
  expect(errors).toEqual([]);
  expect(targets[0]?.slurm).toEqual({
    partition: "gpu",
    account: null,
    qos: null,
    time: "120",
    gres: "gpu:a100:1",
    constraint: null,
    nodes: null,
    cpusPerTask: 8,
    mem: "32G",
    sbatch: [],
  });
});

/** A server with one more item, which begins in line 3. */
function readServer(item: string) {
  const read = parseProject(`## Remote Server\n- SSH: a\n- ${item}\n`, "/p/AGENTS.md", "AGENTS.md");
  const [target] = read.targets;
  if (target === undefined) throw new Error("no target");
  return { target, warnings: read.warnings, errors: read.errors };
}
