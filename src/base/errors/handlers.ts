import { defineErrors } from "./define.ts";

export const handlersErrors = defineErrors({});
