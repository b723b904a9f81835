/** Whether tests are to take all the time that they can use: `npm run soak`. */
export const isSoak = Boolean(process.env["SORTIE_SOAK"]);

/** How often something is tried at random. */
export function chooseTimes(usual: number, soaking: number): number {
  return isSoak ? soaking : usual;
}
