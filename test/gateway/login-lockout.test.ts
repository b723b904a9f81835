import { expect, test } from "vitest";
import { hashPassword } from "../../src/gateway/accounts/password.ts";
import { startApiStage } from "../support/api-stage.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const password = "correct horse";

/** Ann's account behind a proxy, where three tries a minute are allowed of an address. */
async function startWithAnn() {
  const stage = await startApiStage(folder(), { config: { loginsPerMinute: 3, trustProxy: true } });
  await stage.addUser({ email: "ann@example.org", passwordHash: await hashPassword(password) });
  const logIn = async (address: string, given = password, email = "ann@example.org") => {
    const headers = { "x-forwarded-for": address };
    return (await stage.call("POST", "/api/challenge/login", { body: { email, password: given }, headers }))
      .status;
  };
  /** Every address tries as often as it may. */
  const guess = async (addresses: readonly string[]) => {
    for (const address of addresses) for (let count = 0; count < 3; count += 1) await logIn(address, "wrong");
  };
  return { logIn, guess };
}

const attackers = Array.from({ length: 10 }, (_, number) => `198.51.100.${number}`);

test("nobody is kept out by one address that guesses, or by a few", async () => {
  const { logIn, guess } = await startWithAnn();
  await guess(attackers.slice(0, 9));
  expect(await logIn("198.51.100.0", "wrong")).toBe(429);
  expect(await logIn("203.0.113.7")).toBe(200);
});

test("many addresses that guess keep out nobody who logged in from there before, and are stopped themselves", async () => {
  const { logIn, guess } = await startWithAnn();
  expect(await logIn("203.0.113.7")).toBe(200);
  expect(await logIn("203.0.113.7", password, " ANN@example.org")).toBe(200);
  await guess(attackers);
  expect(await logIn("198.51.100.99")).toBe(429);
  expect(await logIn("203.0.113.7")).toBe(200);
  expect(await logIn("203.0.113.7")).toBe(429);
});

test("a network of IPv6 counts as one address", async () => {
  const { logIn } = await startWithAnn();
  const statuses = [];
  for (const end of ["1", "2", "3", "4"]) statuses.push(await logIn(`2001:db8::${end}`, "wrong"));
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect(await logIn("2001:db8:0:1::1")).toBe(200);
});
