/** Scripts in other languages are imported as their text; the bundler and the test runner both load them so. */
declare module "*.sh" {
  const text: string;
  export default text;
}
declare module "*.py" {
  const text: string;
  export default text;
}
declare module "*.worker.cjs" {
  const text: string;
  export default text;
}

/** A module and all that it imports, as one program for a worker thread: see `scripts/bundle/program-plugin.mjs`. */
declare module "*?program" {
  const program: {
    /** CommonJS. */
    readonly text: string;
    /** A file of the installed Sortie: what the program does not hold is looked for from there. */
    readonly home: string;
  };
  export default program;
}
