import type { HostRunner } from "./ask-host.ts";
import { makeHostScript } from "./host-script.ts";

/** What is kept as text of a host's words: no more than tells why it said too little. */
const WORDS_BYTES = 64 * 1024;

/** A script for `sh -s` whose answer is bytes. */
export interface BytesQuestion<Answer> {
  /** Names in it need not be UTF-8. */
  readonly script: string | Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** null: the answer is not whole. */
  read(printed: Buffer): Answer | null;
}

/** Puts a question to a host whose answer holds names or contents of files. @throws what keeps it from answering */
export async function askForBytes<Answer>(
  runner: Pick<HostRunner, "run" | "explain">,
  { script, timeoutMs, signal, read }: BytesQuestion<Answer>,
): Promise<Answer> {
  const chunks: Buffer[] = [];
  const outcome = await runner.run(["sh", "-s"], {
    stdin: wrapScript(script),
    ...{ timeoutMs, maxBytes: WORDS_BYTES },
    onStdout: (chunk) => chunks.push(chunk),
    ...(signal ? { signal } : {}),
  });
  const answer = read(Buffer.concat(chunks));
  if (answer === null) throw runner.explain(outcome);
  return answer;
}

/** In latin1 a byte is a character, and stays what it is. */
function wrapScript(script: string | Buffer): Buffer {
  return Buffer.from(makeHostScript([Buffer.from(script).toString("latin1")]), "latin1");
}
