import { expect, it } from "vitest";
import { redactText } from "./redact.ts";

it.each([
  [`login with ghp_${"A1".repeat(18)} now`, "login with *** now"],
  ["env WANDB_API_KEY=0123456789 set", "env WANDB_API_KEY=*** set"],
  ["first\npassword: hunter22\nlast", "first\n*** (a value of password)\nlast"],
  ["Authorization: Bearer abcdef123456", "Authorization: Bearer ***"],
  ["my_Bearer abcdef123456", "my_Bearer ***"],
  [`print tok_sk-${"abc1".repeat(8)} here`, "print *** here"],
  [
    "see https://open.feishu.cn/open-apis/bot/v2/hook/12345678-abcd.",
    "see https://open.feishu.cn/open-apis/bot/v2/hook/***",
  ],
  [`a\n-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\nb`, "a\n***\nb"],
  ["epoch 3: loss=0.25, tokens=4096", "epoch 3: loss=0.25, tokens=4096"],
])("%j is shown as %j", (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

it("hides the secrets that it is told of in each spelling", () => {
  const secret = 'a"b/c d';
  expect(redactText(`${secret} ${JSON.stringify(secret)} ${encodeURIComponent(secret)}`, [secret, ""])).toBe(
    '*** "***" ***',
  );
});

it("hides a secret whole that begins with another", () => {
  expect(redactText("log in as lab-7 with lab-7-geheim", ["lab-7", "lab-7-geheim"])).toBe(
    "log in as *** with ***",
  );
});

it("is done soon with one line of megabytes", () => {
  expect(redactText("a.".repeat(2_000_000)).length).toBeLessThan(5_000);
});
