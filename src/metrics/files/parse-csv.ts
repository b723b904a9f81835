const DELIMITERS = [",", ";", "\t", "|"];

/** The records of a CSV text (RFC 4180), quotes taken off; any of `,` `;` tab and `|` between the cells. */
export function parseCsv(text: string): { delimiter: string; records: string[][] } {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const delimiter = findDelimiter(body);
  return { delimiter, records: splitRecords(body, delimiter) };
}

/** The one that stands most often in the header, outside of quotes. */
function findDelimiter(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

function splitRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { cell, end } = readCell(text, at, delimiter);
    record.push(cell);
    at = end;
    if (text.charAt(at) === delimiter) {
      at += 1;
      if (at === text.length) record.push("");
      else continue;
    }
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return records;
}

function readCell(text: string, start: number, delimiter: string): { cell: string; end: number } {
  if (text.charAt(start) !== '"') {
    let end = start;
    while (end < text.length && !"\r\n".includes(text.charAt(end)) && text.charAt(end) !== delimiter)
      end += 1;
    return { cell: text.slice(start, end), end };
  }
  const pieces: string[] = [];
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { cell: pieces.join('"') + text.slice(at), end: text.length };
    pieces.push(text.slice(at, quote));
    if (text.charAt(quote + 1) !== '"') return { cell: pieces.join('"'), end: quote + 1 };
    at = quote + 2;
  }
}
