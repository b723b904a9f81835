import { defineErrors } from "./define.ts";

export const configErrors = defineErrors({});
