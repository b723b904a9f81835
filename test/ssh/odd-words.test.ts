import { mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useServerStage } from "../support/server-stage.ts";
import { useSshd } from "../support/sshd.ts";
import type { LoginShell } from "../support/sshd-accounts.ts";

const sshd = useSshd();
const stage = useServerStage(sshd);

const SCRIPT = `my train's "v2".py`;
const WORDS = [
  "it's",
  'a "b"',
  "$HOME",
  "`id`",
  "a;b",
  "two\nlines",
  "😀 é",
  "",
  "-x",
  "--",
  "~",
  "*",
  "\\n\\",
  "%s!",
];
const TELL = `import json, os, sys
os.makedirs("results", exist_ok=True)
json.dump({"argv": sys.argv, "cwd": os.getcwd()}, open("results/told.json", "w"))
`;

interface Place {
  /** The folder of the project at home. */
  readonly root: string;
  readonly codeDir: string;
  readonly jobDir?: string;
}

/** Runs the script with all the words, and answers with what it saw. */
async function tellWords(alias: string, { root: name, codeDir, jobDir }: Place) {
  const root = join(stage.project(), name);
  stage.write({ [SCRIPT]: TELL }, root);
  const jobs = jobDir === undefined ? [] : [`- job_dir: \`${jobDir}\``];
  stage.writeSection([`- Code dir: \`${codeDir}\``, ...jobs], { alias, root });
  const { id } = await stage.launch(["python3", SCRIPT, ...WORDS], [], { cwd: root });
  const shown = await stage.finish(id, { cwd: root });
  const told = JSON.parse(readFileSync(join(shown.resultsFolder, "results/told.json"), "utf8"));
  return { ...told, shown };
}

describe("odd words over ssh", () => {
  const cases: [LoginShell, Place][] = [
    ["bash", { root: `it's "mine" $HOME`, codeDir: `~/it's "code" $HOME/` }],
    ["fish", { root: "größe – 尺寸", codeDir: "relative dir/größe 😀", jobDir: "~/jöbs; it's" }],
    ["tcsh", { root: "a;b & c!", codeDir: "~/a!b (c)/*", jobDir: "~/job's folder/" }],
  ];

  it.each(cases)("L1 reach the program byte for byte where the login shell is %s", async (shell, place) => {
    const { alias, home } = sshd().makeAccount(shell);
    const told = await tellWords(alias, place);
    expect(told.argv).toEqual([SCRIPT, ...WORDS]);
    const codeDir = place.codeDir.replace(/\/$/, "").replace(/^(~\/)?/, `${home}/`);
    expect(told.cwd).toBe(codeDir);
    const jobDir = (place.jobDir ?? "~/.sortie/jobs").replace(/\/$/, "").replace(/^~/, home);
    expect(told.shown.jobFolder).toBe(join(jobDir, told.shown.id));
  });

  it("a code folder that is a link is gone through, and so is the job folder", async () => {
    const home = sshd().hostHome;
    for (const name of ["real code", "real jobs"]) mkdirSync(join(home, name));
    symlinkSync("real code", join(home, "code link"));
    symlinkSync(join(home, "real jobs"), join(home, "jobs"));
    const told = await tellWords("box", { root: "p", codeDir: "~/code link/", jobDir: "~/jobs" });
    expect(told.argv).toEqual([SCRIPT, ...WORDS]);
    expect(statSync(join(home, "real code", SCRIPT)).isFile()).toBe(true);
    expect(statSync(join(home, "real jobs", told.shown.id)).isDirectory()).toBe(true);
  });
});
