/** The query of a call, with its question mark; empty where there is nothing to ask by. */
export function formatQuery(query: Readonly<Record<string, string | number>> = {}): string {
  const parts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return parts.length === 0 ? "" : `?${new URLSearchParams(parts)}`;
}
