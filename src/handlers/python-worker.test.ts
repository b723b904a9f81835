import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeLocalRunner } from "../process/local-runner.ts";

it("the worker's own tests, in its own language, pass", async () => {
  const argv = ["python3", "-B", "-W", "error", "-m", "unittest", "discover", "-s", "python"];
  const cwd = fileURLToPath(new URL("../../", import.meta.url));
  const { exitCode, stderr } = await makeLocalRunner().run(argv, { cwd, timeoutMs: 50_000 });
  expect(stderr).toMatch(/^Ran [1-9]\d* tests/m);
  expect(exitCode, stderr).toBe(0);
});
