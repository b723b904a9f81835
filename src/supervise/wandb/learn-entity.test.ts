import { expect, it } from "vitest";
import { findEntity } from "./learn-entity.ts";

const RUN = { url: "https://api.wandb.ai", project: "my digits", id: "r1" };

it("finds the owner in the address of the run's own page", () => {
  const printed = [
    "wandb: View project at https://wandb.ai/my-team/my%20digits",
    "wandb: View run at https://wandb.ai/other/my%20digits/runs/r2",
    "wandb: View run one at: https://wandb.ai/my-team/my%20digits/runs/r1",
  ].join("\r\n");
  expect(findEntity(printed, RUN)).toBe("my-team");
  expect(findEntity(printed, { ...RUN, id: "r" })).toBeNull();
  expect(findEntity(printed, { ...RUN, url: "http://127.0.0.1:8080" })).toBeNull();
});
