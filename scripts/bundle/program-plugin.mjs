import { resolve } from "node:path";
import { build } from "esbuild";
import { NATIVE_PACKAGES } from "./native-packages.mjs";

const MARK = /\?program$/;

/**
 * Loads `import program from "./x.ts?program"`: the module and all that it imports as one text, for a worker thread. A
 * text and not a file, so that it works wherever the bundle around it lies.
 */
export function makeProgramPlugin() {
  const texts = new Map();
  const bundleOnce = (path) => {
    if (!texts.has(path)) texts.set(path, bundleProgram(path));
    return texts.get(path);
  };
  return {
    name: "program",
    setup({ onResolve, onLoad, initialOptions: { format } }) {
      const home = format === "cjs" ? "__filename" : "import.meta.url";
      onResolve({ filter: MARK }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.replace(MARK, "")),
        namespace: "program",
      }));
      onLoad({ filter: /./, namespace: "program" }, async ({ path }) => ({
        contents: makeModule(await bundleOnce(path), home),
        loader: "js",
      }));
    },
  };
}

/** The same for a bundler that names modules by path and mark; null for any other module. */
export async function loadProgram(id) {
  if (!MARK.test(id)) return null;
  return makeModule(await bundleProgram(id.replace(MARK, "")), "import.meta.url");
}

function makeModule(text, home) {
  return `export default { text: ${JSON.stringify(text)}, home: ${home} };`;
}

/** A text has no folder to look for packages from: those that are left out are looked for from `workerData.home`. */
async function bundleProgram(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: NATIVE_PACKAGES,
    supported: { "dynamic-import": false },
    banner: { js: "((require) => {" },
    footer: {
      js: '})(require("node:module").createRequire(require("node:worker_threads").workerData.home));',
    },
    logLevel: "warning",
  });
  return outputFiles[0].text;
}
