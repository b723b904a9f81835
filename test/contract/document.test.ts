import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COUNT, useContractProject } from "../support/contract-project.ts";

const project = useContractProject();

/** What the documented command runs: it knows --rows and nothing else. */
const TELL = `import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=1)
print("rows:", parser.parse_args().rows)
`;

const writeReadme = (flag: string, more = "") =>
  project.write(
    "README.md",
    `# Digits\n\n\`\`\`sh sortie-check\npython tell.py ${flag} 3\n# expect line rows: 3\n\`\`\`\n${more}`,
  );
const writeProject = () => {
  project.write("tell.py", TELL);
  project.writeSpec({
    base: project.makeQuickBase(),
    run_commands: [COUNT],
    smoke: { import_names: ["json"] },
  });
};
const verify = (...flags: string[]) => project.sortie.ask(["env", "verify", "--yes", ...flags]);

describe("the documented command", () => {
  it("with a wrong flag is caught and named; corrected it passes, and only an edit of it makes it due again", async () => {
    writeProject();
    writeReadme("--lines");
    const wrong = await project.run(["true"]);
    expect(wrong).toMatchObject({ exit: 5, error: { code: "environment_unverified", details: { tier: 3 } } });
    const { divergences } = wrong.error.details;
    expect(divergences[0]).toMatchObject({
      command: "python tell.py --lines 3",
      claim: expect.stringContaining("README.md"),
    });
    expect(divergences.map(({ reality }: { reality: string }) => reality).join("\n")).toContain(
      "unrecognized arguments",
    );
    expect(project.readTries()).toEqual(["1 passed", "2 passed", "3 failed"]);

    writeReadme("--rows");
    expect(await project.plan()).toMatchObject({ action: "reuse", due: [3] });
    expect(await project.run(["true"])).toMatchObject({ exit: 0 });
    expect(project.readTries().slice(3)).toEqual(["3 passed"]);
    expect(project.readLedger()).toMatch(/3 document passed/);

    writeReadme("--rows", "\nMore words, and a block that is not marked:\n\n```sh\nfalse\n```\n");
    expect(await project.plan()).toMatchObject({ action: "reuse", due: [] });
    writeReadme("--rows=");
    const edited = await project.plan();
    expect(edited).toMatchObject({ action: "reuse", due: [3] });
    expect(edited.contract.due[0].why).toBe("what is documented has changed");
    expect(project.countBuilds()).toBe(1);
  });

  it("is not missed where there is none, and its files are a copy", async () => {
    writeProject();
    project.write("README.md", "# Digits\n\n```sh\nfalse\n```\n");
    expect(await project.plan()).toMatchObject({ due: [1, 2] });
    expect(await project.run(["true"])).toMatchObject({ exit: 0 });
    expect(project.readLedger()).toContain("3 document none");
    const checked = await project.sortie.ask(["env", "check"]);
    expect(checked).toMatchObject({ exit: 0, document: "none", trusted: true });
    project.write("README.md", "```sh sortie-check\necho more >made\npwd\n# expect file made\n```\n");
    expect(await project.run(["true"])).toMatchObject({ exit: 0 });
    expect(readdirSync(project.inProject())).not.toContain("made");
  });

  it("of the ledger goes before that of the README, and what is misspelt is told", async () => {
    writeProject();
    writeReadme("--lines");
    expect(await project.run(["true"])).toMatchObject({ exit: 5 });
    const marked = "\n```sh sortie-check\npython tell.py --rows 3\n# expect line rows: 3\n```\n";
    writeFileSync(project.ledger(), project.readLedger() + marked);
    expect(await project.run(["true"])).toMatchObject({ exit: 0 });
    expect(project.readLedger()).toContain(marked);
    project.write("README.md", "```sh sortie-chek\ntrue\n```\n");
    const [block = ""] = project.readLedger().split("\n```sh");
    writeFileSync(project.ledger(), block);
    const planned = await project.plan();
    expect(planned.notes.join("\n")).toMatch(/README.md line 1: .*sortie-check/);
  });
});

const DIVERGENCE = '{"command": "python tell.py", "claim": "rows: 3", "reality": "rows: 4"}';
const BAD_ASSISTANTS = [
  { text: `echo '{"passed": false, "divergences": [${DIVERGENCE}]}'`, reason: /rows: 3, but rows: 4/ },
  { text: `echo '{"passed": true, "divergences": [${DIVERGENCE}]}'`, reason: /rows: 3, but rows: 4/ },
  { text: "echo '{passed: yes}'; echo done", reason: /report that can be read/ },
  { text: `echo '{"passed": true, "divergences": []}'; exit 4`, reason: /exit 4/ },
  { text: "sleep 60", flags: ["--timeout", "2s"], reason: /within 2 s/ },
];

describe("a fresh assistant", () => {
  const writeAgent = (name: string, text: string) => {
    const path = join(project.temp(), `${name} agent`);
    writeFileSync(
      path,
      `#!/bin/sh\ncat >'${join(project.temp().replaceAll("'", `'\\''`), "prompt")}'\n${text}\n`,
      { mode: 0o755 },
    );
    return `'${path.replaceAll("'", `'\\''`)}' --quiet`;
  };
  const readReports = () =>
    readdirSync(project.envs("reports")).map((name) =>
      JSON.parse(readFileSync(project.envs("reports", name), "utf8")),
    );

  it("passes, and is given the document and nothing else", async () => {
    writeProject();
    writeReadme("--rows");
    project.write("secret.md", "the answer is 42");
    const agent = writeAgent(
      "good",
      `ls -A | grep -q . && exit 3; echo 'All is well: {"passed": true, "divergences": []}'`,
    );
    const answer = await verify("--agent", agent);
    expect(answer).toMatchObject({ exit: 0, agent: { passed: true, divergences: [] } });
    expect(JSON.parse(readFileSync(answer.agent.file, "utf8"))).toMatchObject({ schema: 1, passed: true });
    const prompt = readFileSync(join(project.temp(), "prompt"), "utf8");
    expect(prompt).toContain("python tell.py --rows 3");
    expect(prompt).toContain("### env: my-project@");
    expect(prompt).not.toContain("42");
    expect(project.readTries()).toEqual(["1 passed", "2 passed", "3 passed", "3 passed"]);
  });

  it("that says or does anything else does not pass, and its report is kept", async () => {
    writeProject();
    writeReadme("--rows");
    for (const [index, { text, flags = [], reason }] of BAD_ASSISTANTS.entries()) {
      const answer = await verify("--agent", writeAgent("bad", text), ...flags);
      expect(answer).toMatchObject({
        exit: 5,
        error: { code: "environment_unverified", details: { tier: 3 } },
      });
      expect(answer.error.message).toMatch(reason);
      const reports = readReports();
      expect(reports).toHaveLength(index + 1);
      for (const report of reports) expect(report).toMatchObject({ schema: 1, passed: false });
      expect(project.readTries().at(-1)).toBe("3 failed");
    }
    expect(project.readLedger()).toMatch(/3 document failed/);
    // A run is kept from starting until the document is followed again.
    expect(await project.plan()).toMatchObject({ due: [3] });
  });

  it("has nothing to follow where nothing is documented, and one that is not there is told", async () => {
    writeProject();
    expect(await verify("--agent", "true")).toMatchObject({ exit: 2, error: { code: "document_missing" } });
    writeReadme("--rows");
    const answer = await verify("--agent", "no-such-agent");
    expect(answer).toMatchObject({ exit: 5, error: { code: "document_unfollowed" } });
  });
});
