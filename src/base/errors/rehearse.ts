import { defineErrors } from "./define.ts";

export const rehearseErrors = defineErrors({});
