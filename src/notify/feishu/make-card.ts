import type { NoticeText } from "../describe-notice.ts";

/** The vendor takes bodies of at most 20 kB; the signature goes beside the card. */
const MOST_BYTES = 19_000;
const FOOT = "Sortie";

export interface Card {
  readonly header: {
    readonly title: { readonly tag: "plain_text"; readonly content: string };
    readonly template: string;
  };
  readonly elements: readonly { readonly tag: "markdown"; readonly content: string }[];
}

/** A card that fits: where it would be too long, its last lines are counted instead of shown. */
export function makeCard({ title, colour, lines }: NoticeText): Card {
  const make = (count: number): Card => {
    const left = lines.length - count;
    const more = left === 0 ? [] : [`… and ${left} more ${left === 1 ? "line" : "lines"}`];
    const shown = [...lines.slice(0, count), ...more].map(escapeMarkdown);
    return {
      header: { title: { tag: "plain_text", content: title }, template: colour },
      elements: [{ tag: "markdown", content: [...shown, FOOT].join("\n") }],
    };
  };
  // Halving finds the most lines that fit: each try costs one JSON text.
  let fits = 0;
  let most = lines.length;
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (countBytes(make(middle)) <= MOST_BYTES) fits = middle;
    else most = middle - 1;
  }
  return make(fits);
}

function countBytes(card: Card): number {
  return Buffer.byteLength(JSON.stringify(card));
}

/** A name or a line of a log must not become markup: `<at id=all></at>` would call everybody of a group. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[&<>*_~`[\]()!#\\|$]/g, (character) => `&#${character.charCodeAt(0)};`);
}
