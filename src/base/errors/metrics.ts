import { defineErrors } from "./define.ts";

export const metricsErrors = defineErrors({
  metric_pattern_bad: {
    exit: 2,
    message: "The pattern {pattern} for metrics will not do: {reason}.",
    hint: "Name a group for each metric: step (?<step>\\d+) loss=(?<loss>\\S+). Look-around and back-references are not known.",
  },
});
