/** A script's text, and the way back to its bytes. Whatever its encoding, what is added is ASCII, and the rest stays. */
export interface DecodedScript {
  text: string;
  encode(text: string): Buffer;
}

/** UTF-8, with or without a byte order mark; else one character for each byte, which loses none of them. */
export function decodeScript(bytes: Uint8Array): DecodedScript {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encode: (changed) => Buffer.from(changed, "utf8") };
  } catch {
    // No UTF-8: an older encoding, which its `coding:` comment names.
    return {
      text: Buffer.from(bytes).toString("latin1"),
      encode: (changed) => Buffer.from(changed, "latin1"),
    };
  }
}
