import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Shell scripts are modules whose default export is their text, as in the bundle. */
const shellText = {
  name: "shell-text",
  load(id: string) {
    if (!id.endsWith(".sh")) return null;
    return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
  },
};

export default defineConfig({
  plugins: [shellText],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
