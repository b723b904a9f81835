const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Fills the store with copies of the one run that is in it: under other ids and names, a minute apart, in one
 * transaction. The records are as big as real ones, since one of them is. `change` makes of each copy what it is to be.
 */
export function fillStore(desk, count, change = (record) => record) {
  const [row] = desk.store.list("SELECT * FROM runs");
  const columns = Object.keys(row);
  const insert = `INSERT INTO runs (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
  const startMs = Date.parse(row.created_at);
  desk.store.together(() => {
    for (let number = 1; number < count; number += 1) {
      const copy = makeCopy(row, number, new Date(startMs - number * 60_000).toISOString(), change);
      desk.store.change(insert, ...columns.map((column) => copy[column]));
    }
  });
}

function makeCopy(row, number, createdAt, change) {
  const id = `r${writeNumber(number)}`;
  const name = `run-${number}`;
  const rewrite = (json) => JSON.stringify(change({ ...JSON.parse(json), id, name, createdAt }, number));
  return { ...row, id, name, created_at: createdAt, summary: rewrite(row.summary), body: rewrite(row.body) };
}

/** Ten characters, as a run's id has behind its letter. */
function writeNumber(number) {
  const digits = Array.from({ length: 10 }, (_, place) => ALPHABET[Math.floor(number / 32 ** place) % 32]);
  return digits.reverse().join("");
}
