import { defineErrors } from "./define.ts";

export const tunnelErrors = defineErrors({});
