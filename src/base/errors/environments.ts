import { defineErrors } from "./define.ts";

export const environmentErrors = defineErrors({
  spec_missing: {
    exit: 2,
    message: "There is no environment specification {wanted}.",
    hint: "Write one with `sortie env init`, or name its file as `env_spec` in the section.",
  },
});
