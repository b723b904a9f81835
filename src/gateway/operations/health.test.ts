import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { checkHealth, findHealthStatus, probeDisk } from "./health.ts";

const folder = useTempFolder();

describe("health", () => {
  it("is ok where every part is", () => {
    const health = checkHealth({ ledger: () => ({ status: "ok" }), disk: probeDisk(folder(), 1) });
    expect(health).toEqual({ status: "ok", parts: { ledger: { status: "ok" }, disk: { status: "ok" } } });
    expect(findHealthStatus(health)).toBe(200);
  });

  it("is as bad as the worst part", () => {
    const health = checkHealth({
      disk: probeDisk(folder(), Number.MAX_SAFE_INTEGER),
      scheduler: () => ({ status: "ok" }),
    });
    expect(health).toMatchObject({
      status: "degraded",
      parts: { disk: { why: expect.stringMatching(/MiB/) } },
    });
    expect(findHealthStatus(health)).toBe(200);
  });

  it("fails where a part cannot be asked, and tells no path", () => {
    const health = checkHealth({
      store: () => {
        throw new RangeError(`no database in ${folder()}`);
      },
      disk: probeDisk(join(folder(), "gone"), 1),
    });
    expect(health.status).toBe("failing");
    expect(findHealthStatus(health)).toBe(503);
    expect(health.parts["disk"]).toEqual({ status: "failing", why: "ENOENT" });
    expect(health.parts["store"]).toEqual({ status: "failing", why: "it could not be asked" });
    expect(JSON.stringify(health)).not.toContain(folder());
  });
});
