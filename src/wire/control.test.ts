import fc from "fast-check";
import { describe, expect, it } from "vitest";
import fixtures from "../../fixtures/wire/control.json" with { type: "json" };
import {
  type ControlMessage,
  type ControlType,
  controlSenders,
  describeIgnored,
  isSentBy,
  makeControl,
  parseControl,
} from "./control.ts";

interface ControlCase {
  name: string;
  text?: string;
  pieces?: [string, number][];
  message?: { type: string; session_id?: string; reason?: string; replies?: number };
  repeated?: string[];
  ignored?: string;
  type?: string;
}

const cases = fixtures as ControlCase[];
const understood = cases.filter(({ message }) => message !== undefined);
const ignored = cases.filter(({ message }) => message === undefined);

function joinPieces({ text, pieces = [] }: ControlCase): string {
  return text ?? pieces.map(([piece, times]) => piece.repeat(times)).join("");
}

describe("control messages", () => {
  it.each(understood)("are understood: $name", ({ message, repeated, ...sent }) => {
    const { session_id: sessionId, ...fields } = message as NonNullable<ControlCase["message"]>;
    const wanted = { ...fields, ...(sessionId && { sessionId }), ...(repeated && { repeated }) };
    const parsed = parseControl(joinPieces(sent));
    expect(parsed).toEqual(wanted);
    expect(JSON.parse(makeControl(parsed as ControlMessage))).toEqual(message);
  });

  it.each(ignored)("T08 T09 change nothing: $name", ({ ignored: reason, type, ...sent }) => {
    const parsed = parseControl(joinPieces(sent));
    expect(parsed).toEqual({ ignored: reason, ...(type && { type }) });
    expect(parsed.ignored && describeIgnored(parsed)).toMatch(/^a control message .*[^.]$/);
  });

  it("T08 name an unknown type, fit to be printed and short", () => {
    const type = `\u001b]0;${"x".repeat(1000)}`;
    const parsed = parseControl(JSON.stringify({ type }));
    expect(parsed).toEqual({ ignored: "unknown_type", type: `\\x1b]0;${"x".repeat(60)}` });
  });

  it("never throw over any text", () => {
    const words = fc.constantFrom(
      '{"type":',
      '"session_open"',
      '"drain"',
      ',"session_id":',
      '"s"',
      "}",
      "[",
      '\\"',
      "{",
    );
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(words).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (any) => {
        parseControl(any);
      }),
      { numRuns: 2000 },
    );
  });

  it("come back as they were made", () => {
    const sessionId = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    const type = fc.constantFrom(...(Object.keys(controlSenders) as ControlType[]));
    fc.assert(
      fc.property(type, sessionId, fc.nat(), (name, session, replies) => {
        const fields = name.startsWith("session_") || name === "resume" ? { sessionId: session } : {};
        const message = { type: name, ...fields, ...(name === "resume" && { replies }) } as ControlMessage;
        expect(parseControl(makeControl(message))).toEqual(message);
      }),
    );
  });
});

describe("T13 who may send what", () => {
  it.each<[ControlType, boolean, boolean]>([
    ["warmup", true, false],
    ["ready", false, true],
    ["queued", true, false],
    ["session_open", true, false],
    ["session_close", true, true],
    ["drain", true, false],
    ["resume", true, false],
  ])("%s: gateway %s, agent %s", (type, gateway, agent) => {
    expect([isSentBy("gateway", type), isSentBy("agent", type)]).toEqual([gateway, agent]);
  });
});
