import { makeLocalRunner } from "../process/local-runner.ts";

const CHECK_TIMEOUT_MS = 10_000;

/** Where the first syntax error of a JavaScript file is; empty where the file itself has none, but one that it imports. */
export async function findSyntaxPlace(
  file: string,
  signal?: AbortSignal,
): Promise<{ file?: string; line?: number; text?: string }> {
  const argv = [process.execPath, "--check", file];
  const { stderr } = await makeLocalRunner().run(argv, { timeoutMs: CHECK_TIMEOUT_MS, signal });
  const [, line, text] = /^.+:(\d+)\n(.*)\n/.exec(stderr) ?? [];
  return line === undefined || text === undefined ? {} : { file, line: Number(line), text: text.trim() };
}
