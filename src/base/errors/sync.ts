import { defineErrors } from "./define.ts";

export const syncErrors = defineErrors({});
