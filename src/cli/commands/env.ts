import { defineGroup } from "../define-command.ts";

export const command = defineGroup("env", {
  init: {
    summary: "draft a specification from what the project requires",
    load: () => import("./env/init.ts"),
  },
  spec: {
    summary: "show a specification, and what is made of it elsewhere",
    load: () => import("./env/spec.ts"),
  },
  hash: { summary: "print the 8 digits of a specification", load: () => import("./env/hash.ts") },
  build: {
    summary: "build an environment on a target, if it is not there",
    load: () => import("./env/build.ts"),
  },
  check: {
    summary: "show what a target has of an environment, and what is due",
    load: () => import("./env/check.ts"),
  },
  verify: { summary: "try what an environment has yet to show", load: () => import("./env/verify.ts") },
  ledger: { summary: "show or add to what the project's ledger says", load: () => import("./env/ledger.ts") },
});
