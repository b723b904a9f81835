import { expect, it } from "vitest";
import { makeKeyFinder } from "./wandb-key.ts";

const KEY = "0123456789abcdef0123456789abcdef01234567";
const LONG_KEY = `wandb_v1_${"aB3".repeat(20)}`;
const find = (...pieces: string[]) => {
  const look = makeKeyFinder();
  return pieces.map((piece) => look(Buffer.from(piece))).at(-1);
};

it.each([
  "- wandb_api_key: s3cr3tvalue\n",
  `- **W&B API key**: \`${KEY}\``,
  `| wandb_api_key | ${KEY} |`,
  `export WANDB_API_KEY=${KEY}\n`,
  `WANDB_API_KEY="${LONG_KEY}" python train.py`,
  `os.environ["WANDB_API_KEY"] = "local-1234567"`,
  `os.getenv('WANDB_API_KEY', '${KEY}')`,
  `{"wandb_api_key": "${LONG_KEY}"}`,
  `wandb login --relogin ${KEY}`,
  `wandb.login(key="${KEY}")`,
  `wandb_api_key: str = "local-1234567"`,
])("a W&B API key is seen in %s", (text) => {
  expect(find(`first\n${text}`)).toBe(true);
});

it.each([
  "wandb_api_key: str | None = None\n",
  'if "WANDB_API_KEY" not in os.environ:\n',
  "wandb.login(key=args.wandb_api_key)",
  "wandb.init(project=p, wandb_api_key=wandb_api_key)",
  "- wandb_api_key: from your settings page\n",
  "- wandb_api_key: <your key>",
  "export WANDB_API_KEY=$KEY\n",
  "export WANDB_API_KEY=xxxxxxxxxxxxxxxxxxxx\n",
  `commit ${KEY}\nwandb_api_key = load_key2()\n`,
  `wandb_api_key = read()\n${KEY}`,
])("none is seen in %s", (text) => {
  expect(find(text)).toBe(false);
});

it("is seen between two pieces, and stays seen", () => {
  expect(find(`${"x".repeat(1000)}\nWANDB_API_`, `KEY=${KEY}\n`)).toBe(true);
  expect(find(`WANDB_API_KEY=${KEY}\n`, "x".repeat(1000), "y")).toBe(true);
});
