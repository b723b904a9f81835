import { decodeScript } from "./decode-script.ts";
import { type Instrumented, instrumentScript, type Refused } from "./instrument-script.ts";
import { removeInstrumentation } from "./marks.ts";
import { readScript, type ScriptReading } from "./read-script.ts";

/** A script's file as it is found, read and instrumented: its encoding and line ends stay what they are. */
export async function instrumentBytes(
  bytes: Uint8Array,
  file: string,
): Promise<{ reading: ScriptReading; outcome: (Instrumented & { bytes: Buffer }) | Refused }> {
  const { text, encode } = decodeScript(bytes);
  const reading = await readScript(text);
  const outcome = instrumentScript(text, reading, file);
  return { reading, outcome: "text" in outcome ? { ...outcome, bytes: encode(outcome.text) } : outcome };
}

/** The file as it was before, byte for byte. */
export function restoreBytes(bytes: Uint8Array): Buffer {
  const { text, encode } = decodeScript(bytes);
  return encode(removeInstrumentation(text));
}
