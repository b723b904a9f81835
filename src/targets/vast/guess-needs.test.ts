import { describe, expect, it } from "vitest";
import { guessNeeds } from "./guess-needs.ts";

describe("a guess from a script", () => {
  it("names need, line and evidence", () => {
    const script = 'import torch\nmodel = load("meta-llama/Llama-3-8B")\nloss.backward()\n';
    expect(guessNeeds(script)).toEqual([
      {
        need: "gpuMemoryMiB",
        value: 122_070,
        line: 2,
        evidence: 'model = load("meta-llama/Llama-3-8B")',
        why: "a model of 8 billion parameters, trained whole: weights, gradients and two moments of Adam: about 128 GB in all",
      },
    ]);
  });

  it.each([
    ["AutoModel('facebook/opt-350m')", "about 1 GB"],
    ["AutoModel('facebook/opt-1.3b')  # then opt-66b", "about 4 GB"],
    ["AutoModel('x/mistral-7b', load_in_4bit=True)", "about 7 GB"],
    ["model = get_peft_model(load('x/mistral-7b'))", "about 21 GB"],
  ])("reckons with the way of working: %s", (line, why) => {
    expect(guessNeeds(line)[0]?.why).toContain(why);
  });

  it.each([
    ["torchrun --nproc_per_node=4 train.py", 4],
    ["accelerate launch --num_processes 2 train.py", 2],
    ["LLM(model, tensor_parallel_size=8)", 8],
  ])("counts GPUs: %s", (line, count) => {
    expect(guessNeeds(line)).toMatchObject([{ need: "gpuCount", value: count, line: 1 }]);
  });

  it.each(["", "batch_16b = 1", "# load('x/y-70b')", "open('part-5m.csv')", `${"/a-".repeat(200_000)}70b`])(
    "is none where nothing is said (%#)",
    (script) => expect(guessNeeds(script)).toEqual([]),
  );
});
