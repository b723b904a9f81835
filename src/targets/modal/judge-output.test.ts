import { expect, test } from "vitest";
import { judgeOutput } from "./judge-output.ts";

const START = "✓ Initialized. View run at https://modal.com/apps/me/main/ap-0123456789abcdefghijkl\n";
const BUILD = [
  "Building image im-3zEN08FSupbIqt1uUVYIlO",
  "ERROR: No matching distribution found for tensorflw",
  "Terminating task due to error: failed to run builder command",
  "Error: Image build for im-3zEN08FSupbIqt1uUVYIlO failed.",
  "View the build logs:",
  "  modal image logs im-3zEN08FSupbIqt1uUVYIlO",
].join("\n");
const FRAMED = [
  "╭─ Error ────────────────────────────────────────╮",
  "│ Secret 'wandb-secret' not found in environment │",
  "│ 'main'.                                        │",
  "╰────────────────────────────────────────────────╯",
].join("\n");

test.each([
  [`${START}${BUILD}\n`, "image", ["image", "requirements", "env_spec"], "tensorflw"],
  [FRAMED, "secret", ["modal_secrets"], "wandb-secret"],
  ["Error: Secret 'x' is missing key(s): WANDB_API_KEY", "secret", ["modal_secrets"], "WANDB_API_KEY"],
  ["Error: Volume 'experiment-results' not found in environment 'main'.", "volume", ["modal_volume"], "main"],
  ["Error: Invalid GPU count: x. Value must be an integer.", "gpu", ["modal_gpu"], "count"],
  ["Error: Workspace limit of 10 GPUs exceeded", "gpu", ["modal_gpu"], "10"],
  ["Error: workspace billing cycle spend limit reached", "money", [], "spend limit"],
  [
    `${START}epoch 1\nTask's current input in-01KPJ3 hit its timeout of 300s\n`,
    "timeout",
    ["modal_timeout"],
    "300s",
  ],
  [
    "Runner interrupted due to worker preemption. Your Function will be restarted.",
    "preempted",
    [],
    "worker",
  ],
  [
    "Error: Got unexpected extra arguments (--epochs 3)",
    "app",
    ["modal_app", "modal_function"],
    "--epochs 3",
  ],
  ["Error: Token missing. Could not authenticate client.", "login", [], "Token missing"],
  [
    `${START}modal.exception.ConnectionError: Could not connect to the Modal server.`,
    "network",
    [],
    "Could not",
  ],
])("judges %j as %s", (output, kind, change, words) => {
  const fault = judgeOutput(output);
  expect(fault).toMatchObject({ kind, change });
  expect(fault?.text).toContain(words);
});

test("keeps the words as they are, but for what moves a terminal", () => {
  expect(judgeOutput(`a\u001b[2Jb\n${BUILD}`)?.text).toBe(`a\\x1b[2Jb\n${BUILD}`);
});

test.each([
  `${START}Traceback (most recent call last):\nValueError: secret volume not found\n`,
  `${START}training: the volume of the secret image was not found\n`,
  "",
])("finds no fault of Modal's in %j", (output) => {
  expect(judgeOutput(output)).toBeNull();
});
