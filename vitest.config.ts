import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Scripts in other languages are modules whose default export is their text, as in the bundle. */
const scriptText = {
  name: "script-text",
  load(id: string) {
    if (!/\.(sh|py|worker\.cjs)$/.test(id)) return null;
    return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
  },
};

export default defineConfig({
  plugins: [scriptText],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
