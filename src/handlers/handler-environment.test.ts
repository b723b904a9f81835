import { expect, it } from "vitest";
import { ask, useHandlers } from "../../test/support/handlers.ts";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { makeHandlerEnvironment } from "./handler-environment.ts";

const { startPython, write, start } = useHandlers(useTempFolder());

it("keeps what the agent dials with from the handler, and nothing else", () => {
  const kept = { PATH: "/bin", HF_TOKEN: "hub", SORTIE_RUN_ID: "r1", JOB_UUID: "j1" };
  const secrets = {
    JOB_TOKEN: "a",
    CHALLENGE_TOKEN: "b",
    CHALLENGE_PASSWORD: "c",
    CHALLENGE_EMAIL: "d",
    SORTIE_TOKEN: "e",
  };
  expect(makeHandlerEnvironment({ ...kept, ...secrets })).toEqual(kept);
});

it("pins the GPU", () => {
  const order = { CUDA_DEVICE_ORDER: "PCI_BUS_ID" };
  expect(makeHandlerEnvironment({ CUDA_VISIBLE_DEVICES: "0,1" })).toEqual({ CUDA_VISIBLE_DEVICES: "0,1" });
  expect(makeHandlerEnvironment({}, "GPU-1")).toEqual({ ...order, CUDA_VISIBLE_DEVICES: "GPU-1" });
  expect(makeHandlerEnvironment({}, "cpu")).toEqual({ ...order, CUDA_VISIBLE_DEVICES: "" });
});

it("reaches handlers of both languages", async () => {
  const env = { ...process.env, JOB_TOKEN: "secret", MODEL: "big" };
  const python =
    "import os\ndef handle(s, f): return ' '.join(os.environ.get(n, '-') for n in ['MODEL', 'JOB_TOKEN', 'CUDA_VISIBLE_DEVICES']).encode()\n";
  expect(await ask(await startPython(python, { env, gpu: "GPU-1" }))).toBe("big - GPU-1");
  write(
    "policy.mjs",
    "export const handle = () => Buffer.from(['MODEL', 'JOB_TOKEN', 'CUDA_VISIBLE_DEVICES'].map((n) => process.env[n]).join());",
  );
  expect(await ask(await start("policy.mjs", { env, gpu: "cpu" }))).toBe("big,,");
});
