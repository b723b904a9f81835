import { defineErrors } from "./define.ts";

export const metricsErrors = defineErrors({
  metric_pattern_bad: {
    exit: 2,
    message: "The pattern {pattern} for metrics will not do: {reason}.",
    hint: "Name a group for each metric: step (?<step>\\d+) loss=(?<loss>\\S+). Look-around and back-references are not known.",
  },
  metric_unknown: {
    exit: 2,
    message: "None of these runs has a metric {metric}.",
    hint: "{advice}",
  },
  baseline_unknown: {
    exit: 2,
    message: "The baseline {baseline} is none of the runs that are compared.",
    hint: "Name it among the runs as well: sortie compare RUN… --baseline RUN",
  },
  picture_not_drawn: {
    exit: 5,
    message: "The picture cannot be drawn as PNG: {reason}.",
    hint: "Name one that ends in .svg: --out FILE.svg",
  },
  picture_unwritable: {
    exit: 5,
    retryable: true,
    message: "The picture {path} cannot be written: {reason}.",
    hint: "Name another place: --out FILE.svg or FILE.png",
  },
});
