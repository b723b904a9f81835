import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { loadProgram } from "./scripts/bundle/program-plugin.mjs";

/** Scripts in other languages are modules whose default export is their text, as in the bundle. */
const scriptText = {
  name: "script-text",
  load(id: string) {
    if (!/\.(sh|py|worker\.cjs)$/.test(id)) return null;
    return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
  },
};

const workerPrograms = { name: "worker-programs", load: (id: string) => loadProgram(id) };

export default defineConfig({
  plugins: [scriptText, workerPrograms],
  test: {
    // Slow ones, whose subject others hold as well: `npm run soak` runs them, too.
    exclude: [...configDefaults.exclude, ...(process.env["SORTIE_SOAK"] ? [] : ["**/*.soak.test.ts"])],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/setup.ts"],
    // Tests wait for processes as much as they compute: one more than there are cores keeps those busy.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // No module of a room holds a state: its tests share a process, which is not started anew for each file.
      { extends: true, test: { name: "rooms", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"] } },
    ],
  },
});
