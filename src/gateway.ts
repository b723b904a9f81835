/** The door `sortie/gateway`: to host a challenge. Thin until the gateway is built. */
export { SortieError } from "./base/error.ts";
