import { expect, test } from "vitest";
import { findDirection } from "./metric-direction.ts";

test.each([
  [
    "lower",
    "loss Train/Loss valloss lossG eval_ppl val_NLL mse valMSE test_rmse word_error_rate val/err fid FID50k",
  ],
  [
    "higher",
    "acc val_acc valAcc acc@1 top5acc evalacc eval_accuracy f1 macro_f1 mAP mIoU bbox_mAP aAcc bleu4",
  ],
  ["higher", "rougeL episode_return ep_rew_reward success_rate score AUC dice_2"],
  [
    null,
    "lr gpu/power_w gpu/0/power_w confidence answer_length previous_step indices accum_steps loss_scale",
  ],
  [null, "certainty returncode epoch_time run/memory_mib speed/steps_per_sec mapping lower_bound __proto__"],
])("%s is better: %s", (direction, names) => {
  const wrong = names.split(" ").filter((name) => findDirection(name) !== direction);
  expect(wrong).toEqual([]);
});
