import { expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { checkWish } from "./agent-wish.ts";

const folder = useTempFolder();
const OWN = "0b8e6c1e-41f6-4b60-8a8e-3f0d6a6c5d11";

function findId(agentId: string | undefined, given: string | undefined): string {
  const env = { HOME: folder(), JOB_TOKEN: "a.b.c", SORTIE_AGENT_ID: given };
  const jobUuid = "7d4df1a2-6f0c-4c55-9d38-0a8f4d1c2b3e";
  const gatewayUrl = "ws://127.0.0.1:9/api/tunnel";
  return checkWish({ handler: "h:handle", jobUuid, gatewayUrl, agentId }, { env, cwd: folder() }).agentId;
}

it("an agent's id is the one that was named, else that of its seat, else a new one", () => {
  expect(findId("mine", OWN)).toBe("mine");
  expect(findId(undefined, OWN)).toBe(OWN);
  for (const none of [undefined, ""]) expect(findId(undefined, none)).toMatch(/^[0-9a-f-]{36}$/);
  expect(findId(undefined, undefined)).not.toBe(findId(undefined, undefined));
});

it("an id that cannot be one is told by where it comes from", () => {
  expect(() => findId(undefined, "two\nlines")).toThrow(/SORTIE_AGENT_ID/);
  expect(() => findId("two\nlines", OWN)).toThrow(/--agent-id/);
});
