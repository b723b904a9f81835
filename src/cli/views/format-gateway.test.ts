import { expect, it } from "vitest";
import { formatGateway } from "./format-gateway.ts";

const gateway = {
  ...{ api: "http://127.0.0.1:8700", tunnel: "ws://127.0.0.1:8700/api/challenge/tunnel" },
  ...{ policy: { openpi: "ws://127.0.0.1:8701", corobot: null }, dataFolder: "/srv/data", pid: 7 },
};

it("says which board simulators without a key have to name, where there is a choice", () => {
  const format = (openBoards: string[]) => formatGateway(gateway, { first: [], openBoards });
  const lines = format(["kitchen", "two rooms"]);
  expect(lines[lines.indexOf("  openpi   ws://127.0.0.1:8701") + 1]).toBe(
    "           simulators without a key add to the address ?board=kitchen or ?board=two%20rooms",
  );
  expect(format(["kitchen"])).toEqual(format([]));
  expect(format([]).join("\n")).not.toContain("?board=");
});
