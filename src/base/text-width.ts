const PLAIN = /^[\x20-\x7e]*$/;
/** Drawn over the character before, or not at all. */
const NARROWEST = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** Drawn over two columns: the scripts of East Asia in full width, and emojis. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a text of one line takes, which holds no control characters. */
export function measureWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return Array.from(text).reduce((sum, character) => sum + measureCharacter(character), 0);
}

/** As much of its beginning as fits into so many columns; where that is not all, it ends with `mark`. */
export function cutToWidth(text: string, width: number, mark = ""): string {
  if (measureWidth(text) <= width) return text;
  let left = width - measureWidth(mark);
  const characters = Array.from(text);
  const end = characters.findIndex((character) => {
    left -= measureCharacter(character);
    return left < 0;
  });
  return `${characters.slice(0, end).join("")}${mark}`;
}

function measureCharacter(character: string): number {
  if (NARROWEST.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
