/** Whether a text shows nothing: blanks, fillers, joiners and their like alone. */
export function isInvisible(text: string): boolean {
  return /^(?:[\s\p{Z}\u2800]|\p{Default_Ignorable_Code_Point})*$/u.test(text);
}
