import { expect, it } from "vitest";
import type { ContractTerms } from "./contract-terms.ts";
import { hideValues } from "./hide-values.ts";

it("shows the variables of a specification, but for values that look like secrets", () => {
  const secret = `hf_${"a1B2".repeat(9)}`;
  const env = { MODE: "fast = 1", HF_TOKEN: secret };
  const shown = hideValues({ spec: { env } } as unknown as ContractTerms);
  expect(shown.spec.env["MODE"]).toBe("fast = 1");
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(Object.keys(shown.spec.env)).toEqual(["MODE", "HF_TOKEN"]);
});
