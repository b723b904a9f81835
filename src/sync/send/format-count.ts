/** `200,000`. By hand: what the language brings for it takes a launch twenty milliseconds to load. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
