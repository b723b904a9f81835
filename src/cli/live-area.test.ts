import { expect, it } from "vitest";
import { makeLiveArea } from "./live-area.ts";

const ESCAPE = "\u001b[";

/** A terminal that knows the few things that a live area uses, and breaks its lines anew when its width changes. */
function makeTerminal(columns: number, rows = 24) {
  let lines = [""];
  let listener: (() => void) | null = null;
  const screen = {
    columns,
    rows,
    write(text: string | Uint8Array) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal lives on them
      for (const [part] of String(text).matchAll(/\u001b\[\d*[A-Z]|\r|\n|[^\r\n\u001b]+/g)) {
        if (part === "\n") lines.push("");
        else if (part === `${ESCAPE}J`) lines = [...lines.slice(0, lines.length - 1 - up), ""];
        else if (part.startsWith(ESCAPE)) up = Number(part.slice(2, -1));
        else if (part !== "\r") lines[lines.length - 1] += part;
      }
    },
  };
  let up = 0;
  const breakLines = () =>
    lines.slice(0, -1).flatMap((line) => line.match(new RegExp(`.{1,${screen.columns}}`, "gu")) ?? [""]);
  return {
    screen,
    shown: () => breakLines(),
    onResize: (call: () => void) => {
      listener = call;
      return () => {
        listener = null;
      };
    },
    resize: (width: number) => {
      lines = [...breakLines(), ""];
      screen.columns = width;
      lines = [...breakLines(), ""];
      listener?.();
    },
  };
}

it("draws over what it drew, however many lines that were", () => {
  const terminal = makeTerminal(40);
  const area = makeLiveArea(terminal.screen, terminal.onResize);
  terminal.screen.write("$ sortie\n");
  area.draw(["one", "two", "three"]);
  area.draw(["one only"]);
  expect(terminal.shown()).toEqual(["$ sortie", "one only"]);
  area.draw(["a", "b"]);
  expect(terminal.shown()).toEqual(["$ sortie", "a", "b"]);
  area.leave();
  terminal.screen.write("asked\n");
  area.draw(["c"]);
  expect(terminal.shown()).toEqual(["$ sortie", "a", "b", "asked", "c"]);
  area.end();
});

it("cuts lines to the terminal, and draws anew what a narrower one has broken", () => {
  const terminal = makeTerminal(20);
  const area = makeLiveArea(terminal.screen, terminal.onResize);
  terminal.screen.write("above\n");
  area.draw(["0123456789012345678901234", "short"]);
  expect(terminal.shown()).toEqual(["above", "01234567890123456789", "short"]);
  terminal.resize(8);
  expect(terminal.shown()).toEqual(["above", "01234567", "short"]);
  terminal.resize(30);
  expect(terminal.shown()).toEqual(["above", "0123456789012345678901234", "short"]);
  area.end();
  terminal.resize(8);
  expect(terminal.shown()).toHaveLength(6);
});

it("never fills the terminal: what has scrolled away cannot be drawn over", () => {
  const terminal = makeTerminal(20, 4);
  const area = makeLiveArea(terminal.screen, terminal.onResize);
  area.draw(["1", "2", "3", "4", "5"]);
  expect(terminal.shown()).toEqual(["1", "2", "… 3 more"]);
  area.end();
});

it("counts the columns that a character takes", () => {
  const terminal = makeTerminal(10);
  const area = makeLiveArea(terminal.screen, terminal.onResize);
  area.draw(["权重文件不存在", "next"]);
  expect(terminal.shown()).toEqual(["权重文件不", "next"]);
  area.end();
});
