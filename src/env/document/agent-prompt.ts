import type { LedgerBlock } from "../ledger/parse-ledger.ts";
import type { FoundDocument } from "./find-document.ts";

/**
 * The task of a fresh assistant: it is given what a stranger has, the ledger's block and the document, and nothing else
 * that might help where the document is wrong.
 */
export function makeAgentPrompt({
  host,
  folder,
  block,
  page,
}: {
  /** The name of the host, as a person reaches it. */
  readonly host: string;
  /** Of the project there. */
  readonly folder: string;
  readonly block: LedgerBlock | null;
  readonly page: NonNullable<FoundDocument["page"]>;
}): string {
  // A document that stands in the ledger is in its block already.
  const pages = page.text === block?.text ? [] : [showPage(`The document, ${page.file}`, page.text)];
  return [
    "You are new to this project. Follow its document to the letter, on the host named below, and report where the",
    "document and reality part. Run each documented command exactly as it is written, in a fresh copy of the project. Repair",
    "nothing, guess nothing, and change nothing outside that copy: a step that does not work as written is a divergence.",
    "",
    `Host: ${host}`,
    `Project: ${folder}`,
    "",
    ...(block ? [showPage("What the ledger says of the environment", block.text)] : []),
    ...pages,
    "End your output with one JSON object of this form and nothing after it; `passed` is true only if there is no divergence:",
    "",
    '{"passed": false, "divergences": [{"command": "what was run", "claim": "what the document says", "reality": "what happened"}]}',
    "",
  ].join("\n");
}

/** Between marks that the text itself does not hold. */
function showPage(title: string, text: string): string {
  let mark = "=====";
  while (text.includes(mark)) mark += "=";
  return `${title}:\n\n${mark}\n${text.trimEnd()}\n${mark}\n`;
}
