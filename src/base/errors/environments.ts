import { defineErrors } from "./define.ts";

export const environmentErrors = defineErrors({
  spec_missing: {
    exit: 2,
    message: "There is no environment specification {wanted}{known}.",
    hint: "Write one with `sortie env init`, or name its file as `env_spec` in the section.",
  },
  spec_ambiguous: {
    exit: 2,
    message: "The project specifies several environments: {names}.",
    hint: "Name one: --environment {example}, or `env_spec: {example}` in the section.",
  },
  spec_doubled: {
    exit: 2,
    message: "Two files specify one environment {name}: {file} and {other}.",
    hint: "Rename or remove one of them: an environment's name must be its own.",
  },
  environment_unverified: {
    exit: 5,
    message:
      "The environment {environment} has not shown that it works: tier {tier} ({what}) failed: {reason}.",
    hint: "{next}",
  },
  witness_insufficient: {
    exit: 2,
    message: "A GPU run cannot be trusted to the environment {environment}: {reason}.",
    hint: "{advice}",
  },
});
