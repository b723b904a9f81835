import { expect, it } from "vitest";
import { findLikely } from "./nearest.ts";

it("offers what is near, and nothing where nothing is", () => {
  const commands = ["ls", "logs", "show", "stop", "collect", "doctor"];
  const meant = { lgos: "logs", sl: "ls", shwo: "show", colect: "collect", dcotro: "doctor" };
  for (const [word, command] of Object.entries(meant))
    expect([word, findLikely(word, commands)]).toEqual([word, command]);
  for (const word of ["bogus", "x", "slew", "step1", "collation"])
    expect([word, findLikely(word, commands)]).toEqual([word, undefined]);
});
