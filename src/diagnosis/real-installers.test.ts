import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { writeWheel } from "../../test/support/wheel.ts";
import { diagnoseOutput } from "./diagnose-output.ts";

const BIN = join(import.meta.dirname, "../../.venv/bin");
const temp = useTempFolder();

beforeEach(() => {
  mkdirSync(join(temp(), "wheels"));
  const wheels = [
    { name: "near", version: "1.0", requires: ["base<2"] },
    { name: "far", version: "1.0", requires: ["base>=2"] },
    ...[
      { name: "base", version: "1.0" },
      { name: "base", version: "2.0" },
    ],
  ];
  for (const wheel of wheels) writeWheel(join(temp(), "wheels"), wheel);
  const foreign = writeWheel(temp(), { name: "foreign", version: "1.0" });
  renameSync(foreign, join(temp(), "foreign-1.0-cp27-cp27m-win32.whl"));
  writeFileSync(join(temp(), "hashed.txt"), `base==1.0 --hash=sha256:${"0".repeat(64)}\n`);
});

/** What the newest of these programs say, which may differ from what was recorded. */
const INSTALLERS = {
  pip: [join(BIN, "python"), "-m", "pip", "install", "--target", "into", "--no-input", "--retries", "1"],
  uv: [join(BIN, "uv"), "pip", "install", "--target", "into", "--no-cache"],
} as const;

const lack = findLack();
const LOCAL = ["--no-index", "--find-links", "wheels"];

describe.skipIf(lack !== null)("what is diagnosed from the words of", () => {
  describe.each(Object.entries(INSTALLERS))("%s", (name, argv) => {
    it.each<[string, readonly string[], string]>([
      ["pins that do not go together", [...LOCAL, "near", "far"], "requirements_conflict"],
      ["a package that is nowhere", [...LOCAL, "nowhere"], "package_missing"],
      ["a version that is nowhere", [...LOCAL, "base==9"], "package_missing"],
      ["a wheel of another system", [...LOCAL, "./foreign-1.0-cp27-cp27m-win32.whl"], "wheel_unsuitable"],
      ["a hash that is not the file's", [...LOCAL, "--require-hashes", "-r", "hashed.txt"], "hash_mismatch"],
      ["a file that is not there", [...LOCAL, "-r", "none.txt"], "requirement_unreadable"],
      ["a host without a network", ["--index-url", "http://127.0.0.1:9/simple", "base"], "index_unreachable"],
    ])("%s", (_, words, code) => {
      const env = { HOME: temp(), PATH: process.env["PATH"], NO_PROXY: "*", UV_HTTP_RETRIES: "0" };
      const command = ["-c", 'exec "$@" 2>&1', "sh", ...argv, ...words];
      const options = { cwd: temp(), env, timeout: 50_000, encoding: "utf8" } as const;
      const { status, stdout: text } = spawnSync("sh", command, options);
      expect(status, text).not.toBe(0);
      expect(diagnoseOutput({ stage: "build", text, exitCode: status }), `${name}: ${text}`).toMatchObject({
        code,
      });
    });
  });
});

/** Why the installers cannot be asked here; null: they can. */
function findLack(): string | null {
  try {
    execFileSync(join(BIN, "uv"), ["--version"], { stdio: "ignore" });
    execFileSync(join(BIN, "python"), ["-m", "pip", "--version"], { stdio: "ignore" });
    return null;
  } catch {
    return ".venv has no uv or no pip: its installation was forbidden";
  }
}
