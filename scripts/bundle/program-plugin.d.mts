import type { Plugin } from "esbuild";

/** For the TypeScript that is checked; the plugin itself is JavaScript. */
export function makeProgramPlugin(): Plugin;
export function loadProgram(id: string): Promise<string | null>;
