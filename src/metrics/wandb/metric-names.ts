/** A number that a script computes: the name for W&B, and the expression. */
export interface FoundMetric {
  key: string;
  text: string;
  /** The names of its numbers, where it is known to be a dict of them. */
  parts?: string[];
}

const METRIC_WORDS = new Set(
  `loss acc accuracy f1 auc ppl perplexity reward rewards return score bleu rouge psnr ssim iou miou mae mse rmse kl
  entropy elbo nll precision recall fid top1 top5 gnorm r2 wer cer bpb bpc`.split(/\s+/),
);
const EVAL_WORDS = new Set(
  "val valid validation eval evaluation test testing dev heldout holdout".split(" "),
);
const EVAL_CALL_WORDS = new Set([...EVAL_WORDS, "evaluate", "validate"]);
/** A word that makes a name with `loss` in it something else than a number of this step. */
const OTHER_WORDS = new Set(
  `best max min prev old target init initial fn func function history hist list lists weight weights scale scaler coef
  threshold name names path file log logs meter meters tracker key keys type criterion module total running buffer
  queue discounted baseline start end`.split(/\s+/),
);
/** Sums that scripts keep over an epoch: metrics, but never the loss of one step. */
const SUM_WORDS = new Set(["total", "running"]);

/** The words of a Python name: `self.valLoss` and `val_loss` are both `val`, `loss`. */
function splitName(name: string): string[] {
  const last = name.split(".").at(-1) ?? name;
  return last
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .filter((word) => word !== "");
}

/** Whether a name says that it holds a number about the training. */
export function isMetricName(name: string): boolean {
  const words = splitName(name);
  if (words.join("_").includes("grad_norm")) return true;
  const isOther = words.some((word) => OTHER_WORDS.has(word) && !SUM_WORDS.has(word));
  return (
    !isOther &&
    words.some((word) => METRIC_WORDS.has(word) || /^(err|loss)[a-z]?$/.test(word)) &&
    !/^err$/i.test(name)
  );
}

export function isLossName(name: string): boolean {
  const words = splitName(name);
  return words.includes("loss") && !words.some((word) => OTHER_WORDS.has(word)) && !isEvalName(name);
}

export function isEvalName(name: string): boolean {
  const words = splitName(name);
  if (words.includes("ppl") || words.includes("perplexity")) return !words.includes("train");
  return isMetricName(name) && words.some((word) => EVAL_WORDS.has(word));
}

/** Whether a function of this name evaluates. Python's own `eval` and `model.eval()` have no other word. */
export function isEvalFunction(name: string): boolean {
  const words = splitName(name);
  if (name === "eval" || words.includes("split") || words.includes("loader")) return false;
  return words.some((word) => EVAL_CALL_WORDS.has(word));
}

/** The name under which W&B shows a metric: `val_loss` is `eval/loss`, `test_acc` `eval/accuracy`. */
export function nameEvalMetric(name: string): string {
  const words = splitName(name).filter(
    (word) => !EVAL_CALL_WORDS.has(word) && word !== "avg" && word !== "mean",
  );
  const rest = words.join("_");
  if (/^(acc|accuracy)$/.test(rest)) return "eval/accuracy";
  if (/^(ppl|perplexity)$/.test(rest)) return "eval/ppl";
  return `eval/${rest || "score"}`;
}

/** The same for training: `train_acc` is `train/accuracy`. A mean over an epoch never takes the name of a step's loss. */
export function nameTrainMetric(name: string, { isEpoch }: { isEpoch: boolean }): string {
  const rest = splitName(name)
    .filter((word) => !/^(train|training)$/.test(word))
    .join("_");
  if (/^acc$/.test(rest)) return "train/accuracy";
  return isEpoch && rest === "loss" ? "train/epoch_loss" : `train/${rest}`;
}
