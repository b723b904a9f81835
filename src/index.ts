/** The door `sortie`: what a program may use of Sortie. Names are exported one by one. */
export { makeErrorDocument, SortieError } from "./base/error.ts";
