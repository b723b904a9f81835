/** Which way a metric gets better; null where its name does not tell. */
export type Direction = "lower" | "higher" | null;

const LOWER =
  /loss|perplexity|ppl|nll|mse|mae|rmse|mape|bce|logloss|wer|cer|fid|lpips|bpb|bpc|(?:^|[^a-z])err(?:or)?s?(?:[^a-z]|$)/i;
const HIGHER =
  /acc|auc|auroc|f1|fscore|bleu|rouge|precision|recall|psnr|ssim|dice|iou|reward|return|score|success|(?:^|[^a-z])map(?:[^a-z]|$)|per_sec|throughput/i;

/** Judged by the words in its name: a loss falls, an accuracy rises. */
export function findDirection(metric: string): Direction {
  if (LOWER.test(metric)) return "lower";
  return HIGHER.test(metric) ? "higher" : null;
}
