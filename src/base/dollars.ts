/** US dollars for people: `$0.42`, `$12.00`; below ten cents as many digits as say something: `$0.0412`. */
export function formatDollars(dollars: number): string {
  return `$${dollars !== 0 && dollars < 0.1 ? dollars.toPrecision(3) : dollars.toFixed(2)}`;
}
