/** Which way a metric gets better; null where its name does not tell. */
export type Direction = "lower" | "higher" | null;

/** Words that tell it wherever they stand in a name: `lossG`, `valloss`. */
const LOWER = /loss|perplexity|rmse|lpips/;
const HIGHER = /accuracy|auroc|bleu|rouge|precision|recall|psnr|reward|success|score/;
/** Shorter ones, which stand in other words, too (`power`, `confidence`, `previous`), tell it where they are a word. */
const LOWER_WORD = makeWordPattern("ppl|nll|mse|mae|mape|smape|rmsle|bce|wer|cer|fid|bpb|bpc|err(?:or)?s?");
const HIGHER_WORD = makeWordPattern("acc|auc|f(?=\\d)|ssim|dice|iou|map|ap|returns?");
/** What only sounds like one: the factor of mixed precision. */
const SCALE = /(?:^|[^a-z])scale(?:[^a-z]|$)/;

/** Judged by the words in its name: a loss falls, an accuracy rises. */
export function findDirection(metric: string): Direction {
  // `valAcc` is two words, `mAP` is one.
  const spellings = [metric, metric.replace(/([a-z])([A-Z])/g, "$1_$2")].map((name) => name.toLowerCase());
  const has = (...patterns: readonly RegExp[]) =>
    patterns.some((pattern) => spellings.some((name) => pattern.test(name)));
  if (has(SCALE)) return null;
  if (has(LOWER, LOWER_WORD)) return "lower";
  return has(HIGHER, HIGHER_WORD) ? "higher" : null;
}

/** A number and what it was measured on may be glued to them: `top5acc`, `valacc`, `f1`, `mIoU`. */
function makeWordPattern(words: string): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:train|val|valid|eval|test|dev|m)?(?:${words})\\d*k?(?:[^a-z0-9]|$)`);
}
