import { defineErrors } from "./define.ts";

export const challengeErrors = defineErrors({});
