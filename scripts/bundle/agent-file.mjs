import { build } from "esbuild";
import { COMMON_JS, leaveOutOthers } from "./command-programs.mjs";

/**
 * Builds `sortie-agent.cjs`: the command `sortie agent` as one file that needs nothing but Node.js, so that a contestant
 * can put it beside the Python door on the machine where the agent runs.
 */
export async function bundleAgentFile(shared, outdir) {
  await build({
    ...shared,
    entryPoints: { "sortie-agent": "src/cli/start.ts" },
    ...COMMON_JS,
    outdir,
    plugins: [...shared.plugins, leaveOutOthers("agent")],
    banner: { js: 'process.argv.splice(2, 0, "agent");' },
    supported: { "dynamic-import": false },
  });
}
