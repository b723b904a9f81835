/** Words that tell a metric also where only a space stands between it and its number: `val loss 0.41`. */
const SPOKEN = [
  ...["loss", "losses", "nll", "mse", "mae", "rmse", "rmsle", "mape", "bce", "kld", "elbo", "logloss"],
  ...["acc", "accuracy", "precision", "recall", "f1", "fscore", "auc", "auroc", "ndcg", "mrr", "score"],
  ...[
    "iou",
    "miou",
    "dice",
    "top1",
    "top5",
    "ppl",
    "perplexity",
    "bpb",
    "bpc",
    "bleu",
    "rouge",
    "meteor",
    "chrf",
  ],
  ...["wer", "cer", "psnr", "ssim", "lpips", "fid", "lr", "norm", "gnorm", "wps", "mfu", "reward", "rewards"],
];

/** Words that tell a metric by name, and mean other things in a sentence: `error 404`, `return 0`. */
const WRITTEN = [
  ...[
    "error",
    "err",
    "return",
    "returns",
    "rate",
    "success",
    "map",
    "ap",
    "roc",
    "kl",
    "ce",
    "em",
    "ter",
    "hits",
  ],
  ...[
    "entropy",
    "regret",
    "winrate",
    "epsilon",
    "temperature",
    "throughput",
    "correlation",
    "spearman",
    "pearson",
  ],
  ...["divergence", "gap", "kappa", "mcc", "r2", "ups", "tps", "metric", "grad", "gradient"],
];

/** Words that say of which kind a metric is, before its own word: `best val loss`. */
const QUALIFIERS = [
  ...[
    "train",
    "training",
    "val",
    "valid",
    "validation",
    "test",
    "testing",
    "eval",
    "evaluation",
    "dev",
    "holdout",
  ],
  ...[
    "avg",
    "average",
    "mean",
    "median",
    "std",
    "min",
    "max",
    "best",
    "last",
    "final",
    "total",
    "running",
    "smoothed",
  ],
  ...[
    "current",
    "learning",
    "grad",
    "gradient",
    "error",
    "success",
    "win",
    "lm",
    "mlm",
    "nsp",
    "loss",
    "policy",
  ],
  ...[
    "value",
    "actor",
    "critic",
    "generator",
    "discriminator",
    "episode",
    "epoch",
    "batch",
    "word",
    "character",
  ],
  ...[
    "token",
    "weighted",
    "macro",
    "micro",
    "balanced",
    "global",
    "local",
    "top",
    "cross",
    "entropy",
    "teacher",
  ],
];

const spoken = makeWordPattern(SPOKEN);
const written = makeWordPattern([...SPOKEN, ...WRITTEN]);
const qualifiers = new Set(QUALIFIERS);

/** Whether a name holds a word that metrics are called by: `train/loss`, `valLoss`, `eval_f1`, `acc@5`. */
export function hasMetricWord(name: string): boolean {
  return written.test(splitCamelCase(name));
}

/** The same of a name that stands before its number with nothing but a space between. */
export function isSpokenMetric(name: string): boolean {
  return spoken.test(splitCamelCase(name));
}

export function isQualifier(word: string): boolean {
  return qualifiers.has(word.toLowerCase());
}

function makeWordPattern(words: readonly string[]): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:${words.join("|")})(?:[^a-z]|$)`);
}

function splitCamelCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
}
