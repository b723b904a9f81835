const SPACE = 1;
const DIGIT = 2;
const LETTER = 4;
/** May stand in a name beside letters and digits: `train/loss`, `acc@1`, `grad-norm`. */
const JOINT = 8;
/** Ends whatever stands before it. */
const BREAK = 16;

const kinds = new Uint8Array(128);
mark("\t\n\v\f\r ", SPACE);
mark("0123456789", DIGIT);
mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", LETTER);
mark("/.-@#+", JOINT);
mark(" \t,;|()[]{}<>\"'", BREAK);

export function isSpace(code: number): boolean {
  return code < 128 && ((kinds[code] as number) & SPACE) !== 0;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Of a word: a letter of any script, a digit, an underscore. */
export function isWordCharacter(code: number): boolean {
  return code < 128 ? ((kinds[code] as number) & (LETTER | DIGIT)) !== 0 : isForeignLetter(code);
}

export function isNameCharacter(code: number): boolean {
  return code < 128 ? ((kinds[code] as number) & (LETTER | DIGIT | JOINT)) !== 0 : isForeignLetter(code);
}

/** Where a number, a name or a path has come to its end. */
export function isBreak(code: number): boolean {
  return code < 128 && ((kinds[code] as number) & BREAK) !== 0;
}

/** Accented Latin, Greek, Cyrillic, and what lies beyond the symbols: not the blocks that bars are drawn with. */
function isForeignLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000) || (code >= 0x3041 && code < 0xd800);
}

function mark(characters: string, kind: number): void {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    kinds[code] = (kinds[code] as number) | kind;
  }
}
