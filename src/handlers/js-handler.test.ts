import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { startHandler } from "./start-handler.ts";

const folder = useTempFolder();
const sid = new TextEncoder().encode("s1");

it("answers frames", async () => {
  writeFileSync(
    join(folder(), "echo.mjs"),
    "export function handle(sid, frame) { console.log('hello'); console.error('he'); return Buffer.concat([Buffer.from(sid), frame]) }",
  );
  const handler = await startHandler({ spec: "echo.mjs", cwd: folder(), env: process.env });
  await handler.load();
  await handler.open(sid);
  expect(new TextDecoder().decode(await handler.handle(sid, new TextEncoder().encode("abc")))).toBe("s1abc");
  await handler.close(sid);
  await handler.stop();
});
