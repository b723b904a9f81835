import { defineErrors } from "./define.ts";

export const gpusErrors = defineErrors({});
