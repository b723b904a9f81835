/** The text of a reply, without a mark of byte order; null: it is longer than that, and the rest is not read. */
export async function readBody(reply: Pick<Response, "body">, mostBytes: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of reply.body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) return null;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
