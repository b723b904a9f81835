import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { dialRaw } from "../../test/support/raw-agent.ts";
import { systemClock } from "../base/clock.ts";
import { SortieError } from "../base/error.ts";
import { gatewayFlags, gatewayTimers } from "./gateway-flags.ts";
import { makeTunnelSide } from "./tunnel-side.ts";

it("answers a login that cannot be looked up by 500, to be dialled again, and goes on", async () => {
  const seen: string[] = [];
  const side = makeTunnelSide({
    ...{ flags: gatewayFlags, timers: gatewayTimers, clock: systemClock },
    report: (_job, _agent, event) => seen.push("why" in event ? `${event.type} ${event.why}` : event.type),
    findOwner: () => Promise.reject(new SortieError("store_busy", { path: "gateway.db", seconds: 1 })),
  });
  const server = createServer().on("upgrade", side.door.receive);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    side.close();
    server.close();
  });
  const tunnelUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/challenge/tunnel`;
  const agent = await dialRaw({ tunnelUrl }, { uuid: "job", token: "a.b.c" });
  expect(await agent.closed).toMatchObject({ code: 500, body: expect.stringContaining("dial again") });
  expect(seen).toEqual([expect.stringMatching(/^store_fault /), "refused lookup_failed"]);
});
