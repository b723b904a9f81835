import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { quoteCommand, quotePath } from "./quote.ts";

const shells = ["sh", "bash", "dash"];
const runIn = (shell: string, text: string) =>
  execFileSync(shell, ["-c", text], { env: { ...process.env, HOME: "/h o'm$e" }, encoding: "utf8" });

describe.each(shells)("%s", (shell) => {
  test.each([
    ["~", "/h o'm$e"],
    ["~/", "/h o'm$e/"],
    ["~/a b/it's", "/h o'm$e/a b/it's"],
    ["~/$HOME/~", "/h o'm$e/$HOME/~"],
    ["/a b/$(id)", "/a b/$(id)"],
    ["/~/x", "/~/x"],
    ["~root/x", "~root/x"],
    ["a\nb!", "a\nb!"],
  ])("takes the path %j as %j", (path, expected) => {
    expect(runIn(shell, `printf %s ${quotePath(path)}`)).toBe(expected);
  });

  test("takes arguments as they are", () => {
    const words = ["", "-n", "it's", "a\n", "$HOME", "~", "~/x", "*", "a=b"];
    expect(runIn(shell, `printf '%s|' ${quoteCommand(words)}`)).toBe(
      words.map((word) => `${word}|`).join(""),
    );
  });
});
