import { defineErrors } from "./define.ts";

export const gatewayErrors = defineErrors({});
