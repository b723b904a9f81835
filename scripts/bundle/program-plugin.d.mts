/** For `vitest.config.ts`, which is checked; the plugin itself is JavaScript. */
export function loadProgram(id: string): Promise<string | null>;
