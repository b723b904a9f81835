import { makeToken } from "../../base/ids.ts";
import { makeSettings, readAnswer } from "../../base/script.ts";
import type { LogSource } from "../../runs/log-source.ts";
import { askHost, type HostRunner } from "./ask-host.ts";
import { makeHostScript } from "./host-script.ts";
import readFile from "./scripts/read-file.sh";

const ANSWER_MS = 60_000;
/** What is kept of a host's words beside the bytes that were asked for. */
const WORDS_BYTES = 64 * 1024;

/** A file on a host, read by ranges. Each question is one command; bytes come as they are. */
export function makeRemoteFile(runner: HostRunner, path: string): LogSource {
  return {
    async size() {
      const token = makeToken();
      const script = makeReadScript({ path, token }, "tell_size");
      return askHost(runner, { script, timeoutMs: ANSWER_MS, read: (stdout) => readSize(stdout, token) });
    },
    async read(offset, length) {
      const token = makeToken();
      const chunks: Buffer[] = [];
      const outcome = await runner.run(["sh", "-s"], {
        stdin: makeReadScript({ path, token }, `print_range ${offset + 1} ${length}`),
        timeoutMs: ANSWER_MS,
        maxBytes: WORDS_BYTES,
        onStdout: (chunk) => chunks.push(chunk),
      });
      const bytes = readRange(Buffer.concat(chunks), token);
      if (bytes === null) throw runner.explain(outcome);
      return bytes;
    },
  };
}

function makeReadScript({ path, token }: { path: string; token: string }, call: string): string {
  return makeHostScript([makeSettings({ sortie_file: path, sortie_token: token }), readFile, call]);
}

function readSize(stdout: string, token: string): number | null {
  const values = readAnswer(stdout, token);
  return values === null ? null : Number(Object.fromEntries(values)["size"] ?? 0);
}

/** What stands between the markers; null: not all of it has come. */
function readRange(printed: Buffer, token: string): Uint8Array | null {
  const begin = `begin=${token}\n`;
  const start = printed.indexOf(begin);
  const end = printed.lastIndexOf(`\nend=${token}\n`);
  return start === -1 || end === -1 ? null : printed.subarray(start + begin.length, end);
}
