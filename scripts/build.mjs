// Bundles src/ into dist/. `--types` also writes the declarations of the doors into dist/types.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleAgentFile } from "./bundle/agent-file.mjs";
import { bundleCommands } from "./bundle/command-programs.mjs";
import { NATIVE_PACKAGES } from "./bundle/native-packages.mjs";
import { makeProgramPlugin } from "./bundle/program-plugin.mjs";
import { sqlitePlugin } from "./bundle/sqlite-plugin.mjs";

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(checkout, "dist");
const KEEP_OLD_CHUNKS_MS = 24 * 60 * 60 * 1000;

/**
 * Packages written as CommonJS ask for Node's built-ins by `require`, which a module does not have. The maker has a name of
 * its own, as what is bundled may import it too.
 */
const makeRequire = `import { createRequire as makeRequire } from "node:module";const require = makeRequire(import.meta.url);`;

const shared = {
  absWorkingDir: checkout,
  bundle: true,
  platform: "node",
  target: "node20",
  loader: { ".sh": "text", ".py": "text", ".worker.cjs": "text" },
  external: NATIVE_PACKAGES,
  plugins: [sqlitePlugin, makeProgramPlugin()],
  logLevel: "warning",
};

await bundle().catch(() => process.exit(1)); // esbuild has printed why
if (process.argv.includes("--types")) writeTypes();

async function bundle() {
  const fresh = join(checkout, `dist.${process.pid}.tmp`);
  try {
    await Promise.all([bundleDoors(fresh), bundleCommands(shared, fresh), bundleAgentFile(shared, fresh)]);
    moveIntoPlace(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What two doors need lies in chunks, so that a program that opens both has it once. */
async function bundleDoors(outdir) {
  await build({
    ...shared,
    entryPoints: { index: "src/index.ts", agent: "src/agent.ts", gateway: "src/gateway.ts" },
    outdir,
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    banner: { js: makeRequire },
  });
}

/**
 * Puts chunks before the entry files that name them, each by a rename, and leaves the chunks of earlier builds
 * for a day: a `sortie` that is running meanwhile, a watcher for instance, still finds what it loads later.
 */
function moveIntoPlace(fresh) {
  const files = listFiles(fresh).map((path) => relative(fresh, path));
  const entries = listFiles(dist).map((path) => relative(dist, path));
  for (const file of files.sort((a, b) => Number(isChunk(b)) - Number(isChunk(a)))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    renameSync(join(fresh, file), join(dist, file));
  }
  const oldest = Date.now() - KEEP_OLD_CHUNKS_MS;
  for (const file of entries) {
    if (files.includes(file) || file.startsWith("types/")) continue;
    if (!isChunk(file) || statSync(join(dist, file)).mtimeMs < oldest)
      rmSync(join(dist, file), { force: true });
  }
}

function isChunk(file) {
  return file.startsWith("chunks/");
}

function writeTypes() {
  const compiler = join(checkout, "node_modules", "typescript", "bin", "tsc");
  const types = join(dist, "types");
  rmSync(types, { recursive: true, force: true });
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
    cwd: checkout,
    stdio: "inherit",
  });
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
