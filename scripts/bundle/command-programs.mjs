import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** In CommonJS `import.meta.url` is the file's own path, from which packages are looked for. */
export const COMMON_JS = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "__filename" },
};

/** Big, and needed by few calls: each is a file of its own, loaded when it is called for. */
const BIG_PACKAGES = ["@clack/prompts", "mdast-util-from-markdown", "re2js", "yaml", "zod"];

/**
 * Builds each command as one file, `commands/NAME.cjs`; `complete.cjs` knows all of them, `help.cjs` none. Finding and
 * opening a file takes Node a third of a millisecond, and what one command needs would be forty files if they shared
 * it. CommonJS loads in half the time of modules.
 */
export async function bundleCommands(shared, outdir) {
  const options = { ...shared, ...COMMON_JS };
  const programs = [...listCommands(shared.absWorkingDir), "complete", "help"];
  await Promise.all([
    build({ ...options, entryPoints: BIG_PACKAGES.map(makeEntry), outdir: join(outdir, "packages") }),
    ...programs.map((program) =>
      build({
        ...options,
        entryPoints: { [program]: "src/cli/start.ts" },
        outdir: join(outdir, "commands"),
        plugins: [...shared.plugins, leaveOutOthers(program), keepBigApart],
        supported: { "dynamic-import": false },
      }),
    ),
  ]);
}

function listCommands(checkout) {
  return readdirSync(join(checkout, "src", "cli", "commands"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -".ts".length));
}

function makeEntry(name) {
  return { in: name, out: nameFile(name) };
}

function nameFile(packageName) {
  return packageName.replaceAll(/[@/]/g, "-").replace(/^-/, "");
}

/** Leaves out of a program what it never calls: the other commands, which the table of commands names. */
export function leaveOutOthers(program) {
  const own = [`./commands/${program}.ts`, "./parse-call.ts"];
  const isCalled = (path) => program === "complete" || (program !== "help" && own.includes(path));
  return {
    name: `program ${program}`,
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, kind, importer }) => {
        if (kind !== "dynamic-import") return undefined;
        const isFromTable = /\/cli\/(main|command-table)\.ts$/.test(importer);
        // Completion asks commands for their options and runs none: what they load to run stays out of it.
        const isForRun =
          program === "complete" && path.startsWith("../") && importer.includes("/cli/commands/");
        return isForRun || (isFromTable && !isCalled(path)) ? { path, external: true } : undefined;
      });
    },
  };
}

const keepBigApart = {
  name: "big packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      BIG_PACKAGES.includes(path) ? { path: `../packages/${nameFile(path)}.cjs`, external: true } : undefined,
    );
  },
};
