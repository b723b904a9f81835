import { join } from "node:path";
import { build, type Metafile, stop } from "esbuild";
import { expect, test } from "vitest";

const checkout = join(import.meta.dirname, "../..");

test("the door of agents loads no code that starts processes, until a handler is started from a file", async () => {
  const { outputs } = await bundleDoor();
  const loaded = findLoaded(outputs, "agent.js", ({ kind }) => kind !== "dynamic-import");
  expect(loaded.inputs).toContain("src/tunnel/start-agent.ts");
  expect(loaded.inputs.filter((file) => /^src\/(process|handlers|supervise)\//.test(file))).toEqual([]);
  expect(loaded.externals.filter((name) => /child_process|worker_threads|cluster/.test(name))).toEqual([]);

  // The same look finds it where it is: behind the one call that needs it.
  const all = findLoaded(outputs, "agent.js", () => true);
  expect(all.externals.some((name) => /child_process/.test(name))).toBe(true);
});

async function bundleDoor(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: checkout,
    entryPoints: { agent: "src/agent.ts" },
    outdir: "out",
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", write: false, metafile: true },
    loader: { ".sh": "text", ".py": "text", ".worker.cjs": "text" },
    logLevel: "silent",
  });
  await stop(); // esbuild works in a process of its own
  return metafile;
}

type Output = Metafile["outputs"][string];

/** Source files and foreign modules of a bundle and of everything that it imports, by the imports that count. */
function findLoaded(
  outputs: Metafile["outputs"],
  entry: string,
  counts: (item: Output["imports"][number]) => boolean,
) {
  const seen = new Set<string>();
  const inputs: string[] = [];
  const externals: string[] = [];
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const output = outputs[path];
    if (output === undefined) throw new Error(`${path} was not bundled`);
    inputs.push(...Object.keys(output.inputs));
    for (const item of output.imports.filter(counts)) {
      if (item.external) externals.push(item.path);
      else visit(item.path);
    }
  };
  visit(Object.keys(outputs).find((path) => path.endsWith(entry)) as string);
  return { inputs, externals };
}
