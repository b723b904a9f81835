import { expect, test } from "vitest";
import { findStart, readModalApp } from "./read-app.ts";

const APP = `
import modal
from modal import Secret

MINUTES = 60
GPU = "A100-80GB:2"
results = modal.Volume.from_name("experiment-results", create_if_missing=True)
app = modal.App("digits", secrets=[Secret.from_name("wandb-secret")])

@app.function(gpu=[GPU, "H100"], timeout=(10 * MINUTES) + 24 * 60 * MINUTES, volumes={"/vol": results})
def train(*args: str):
    pass

@app.function(gpu=None)
async def look(name: str = "a", *, seed: int = 1):
    pass

@app.cls(gpu=pick(), timeout=LIMIT)
class Model:
    @modal.method()
    def predict(self, *args): pass
    @modal.enter()
    def load(self): pass

@app.local_entrypoint()
def main(epochs: int = 3):
    train.remote("--epochs", str(epochs))
`;

test("reads an app: its functions with GPU, limit, volumes and secrets, and where it starts", async () => {
  const file = await readModalApp(APP);
  const secrets = ["wandb-secret"];
  expect(file).toEqual({
    apps: ["app"],
    entryPoints: [{ name: "main", line: 26, takes: "options" }],
    functions: [
      {
        ...{ name: "train", line: 11, takes: "any", gpus: ["A100-80GB:2", "H100"], timeoutS: 87000 },
        ...{ volumes: ["experiment-results"], secrets },
      },
      { name: "look", line: 15, takes: "options", gpus: [], timeoutS: null, volumes: [], secrets },
      {
        ...{ name: "Model.predict", line: 21, takes: "any", gpus: "unknown", timeoutS: "unknown" },
        ...{ volumes: [], secrets },
      },
    ],
  });
});

test.each([
  [null, "main", 3],
  ["app.train", "train", 1],
  ["Model", "Model.predict", 1],
  ["main", "main", 3],
  ["nothing", undefined, undefined],
])("starts of %j: %j", async (name, entry, functions) => {
  const file = await readModalApp(APP);
  const start = file && findStart(file, name);
  expect([start?.entry.name, start?.functions.length]).toEqual([entry, functions]);
});

test.each([
  "from modal import App as A\nx = A()\n@x.function(**terms)\ndef f(): pass\n",
  "import modal as m\nx: m.App = m.App(name='a')\n@x.function(**terms)\ndef f(): pass\n",
])("knows the app in %j", async (text) => {
  const file = await readModalApp(text);
  expect(file).toMatchObject({
    apps: ["x"],
    functions: [{ name: "f", gpus: "unknown", timeoutS: "unknown" }],
  });
  expect(file && findStart(file, null)).toMatchObject({ entry: { name: "f", takes: "options" } });
});

test.each([
  "",
  "import modal\nprint(modal.App)\n",
  "# import modal; app = modal.App()\n",
  "from flask import App\napp = App()\n",
  "import torch\ntext = 'app = modal.App()'\n",
])("finds no app in %j", async (text) => {
  expect(await readModalApp(text)).toBeNull();
});
