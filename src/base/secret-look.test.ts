import { expect, it } from "vitest";
import { findSecretLook } from "./secret-look.ts";

it.each([
  [`hf_${"a1".repeat(17)}`, "a Hugging Face token"],
  [`pip install git+https://x:${"p4ss"}@example.org/a.git`, "an address with a password in it"],
  [`login with ghp_${"A1".repeat(18)}`, "a GitHub token"],
  [`sk-${"abc1".repeat(8)}`, "an API key"],
  [`AKIA${"A1B2".repeat(4)}`, "an AWS access key"],
  ["export WANDB_API_KEY=0123456789", "a value of WANDB_API_KEY"],
  ["password: hunter22", "a value of password"],
  ["token==5f4dcc3b5aa765d6", "a value of token"],
  ["token==1.geheim99", "a value of token"],
  [`wandb=${"0a".repeat(20)}`, "a value of wandb"],
  [`tok_sk-${"abc1".repeat(8)}`, "an API key"],
  [`my_hf_${"a1".repeat(17)}`, "a Hugging Face token"],
  [`my_ghp_${"A1".repeat(18)}`, "a GitHub token"],
  [`my_glpat-${"A1".repeat(10)}`, "a GitLab token"],
  [`my_AKIA${"A1B2".repeat(4)}_old`, "an AWS access key"],
  [`my_xoxb-${"12".repeat(8)}`, "a Slack token"],
  [`my_${["eyJhbGciOiJIUzI1", "eyJzdWIiOiIxMjM0", "c2lnbmF0dXJl"].join(".")}`, "a signed web token"],
  ["x_https://ann:p4ss@example.org/a", "an address with a password in it"],
])("%j holds a secret", (text, expected) => {
  expect(findSecretLook(text)).toBe(expected);
});

it.each([
  "built with uv from env-spec.yaml@1a2b3c4d",
  "set WANDB_API_KEY=$WANDB_API_KEY before",
  "HF_TOKEN=<your token>",
  "token: none",
  "tiktoken==0.7.0",
  "secretstorage==3.3.3, tiktoken===0.12.0rc1+cu121",
  "tokenizer: bert-base-uncased-2",
  "password: stored in the safe",
  "needs HF_TOKEN in the environment: ask Ann",
  "https://example.org:8080/simple",
  "https://user:$TOKEN@example.org/",
  `commit ${"0a".repeat(20)}`,
  "task-queue-of-the-second-worker",
])("%j holds none", (text) => {
  expect(findSecretLook(text)).toBeNull();
});
