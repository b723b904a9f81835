import { expect, it } from "vitest";
import { isLoopbackHost } from "./loopback.ts";

it("tells this machine from every other one", () => {
  const names = [
    "localhost",
    "127.0.0.1",
    "127.8.0.1",
    "[::1]",
    "0.0.0.0",
    "localhost.example",
    "127.0.0.1.example",
    "[::2]",
  ];
  expect(names.filter((name) => isLoopbackHost(new URL(`ws://${name}/`).hostname))).toEqual(
    names.slice(0, 4),
  );
});
