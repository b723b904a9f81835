/**
 * Measures every case once a round, in a new order each time, so that a machine that slows down meanwhile slows all of
 * them. A case is a function that answers with what it measured; the first round warms up and is not kept.
 */
export async function measureRounds(rounds, cases) {
  const results = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of shuffle(Object.keys(cases))) {
      const result = await cases[name]();
      if (round >= 0) results[name].push(result);
    }
    showProgress(round + 1, rounds);
  }
  return results;
}

function shuffle(names) {
  return names
    .map((name) => ({ name, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

function showProgress(round, rounds) {
  if (!process.stderr.isTTY) return;
  process.stderr.write(round < rounds ? `\r  round ${round} of ${rounds} ` : "\r\u001b[2K");
}
