import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { openRecords } from "../records/open-records.ts";
import { checkHealth, findHealthStatus, probeDisk, probeStore } from "./health.ts";

const folder = useTempFolder();

describe("health", () => {
  it("is ok where every part is", () => {
    const records = openRecords(folder());
    onTestFinished(() => records.close());
    const health = checkHealth({ store: probeStore(records), disk: probeDisk(folder(), 1) });
    expect(health).toEqual({ status: "ok", parts: { store: { status: "ok" }, disk: { status: "ok" } } });
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
    const records = openRecords(folder());
    records.close();
    const health = checkHealth({
      store: probeStore(records),
      disk: probeDisk(join(folder(), "gone"), 1),
    });
    expect(health.status).toBe("failing");
    expect(findHealthStatus(health)).toBe(503);
    expect(health.parts["disk"]).toEqual({ status: "failing", why: "ENOENT" });
    expect(health.parts["store"]?.status).toBe("failing");
    expect(JSON.stringify(health)).not.toContain(folder());
  });
});
