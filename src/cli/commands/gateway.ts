import { parseDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { makeFirstCommands } from "../../supervise/host/first-commands.ts";
import { type GatewayConfig, loadHostConfig } from "../../supervise/host/load-config.ts";
import type { Challenge } from "../../supervise/host/serve-challenge.ts";
import { type ConfigOption, describeConfig } from "../define-change.ts";
import { defineCommand } from "../define-command.ts";
import { endByCrash } from "../end-by-crash.ts";
import type { Io } from "../io.ts";
import { listenForEnd } from "../listen-for-end.ts";
import { makeQuietWriter } from "../quiet-writer.ts";
import { formatGateway } from "../views/format-gateway.ts";

interface GatewayOptions extends ConfigOption {
  listen?: string;
  grace: string;
  openSimulators?: boolean;
}

/** Beyond the grace, for what must still be written. */
const LAST_MS = 10_000;
const LAST_LINES_MS = 1_000;

export const command = defineCommand<GatewayOptions>({
  describe: (c) =>
    describeConfig(c)
      .option("--listen <host:port>", "listen there instead; port 0 for a free one")
      .option("--grace <time>", "how long what is played may take when it is told to end", "60s")
      .option("--open-simulators", "on this machine simulators need no key")
      .addHelpText("after", "\nHosts a challenge until INT or TERM; a second one ends it at once."),
  below: {
    init: { summary: "write a configuration with every key", load: () => import("./gateway/init.ts") },
    user: { summary: "add, change, delete, list users", load: () => import("./gateway/user.ts") },
    simulator: { summary: "keys of simulators from outside", load: () => import("./gateway/simulator.ts") },
    jobs: { summary: "list jobs, or the cases of one", load: () => import("./gateway/jobs.ts") },
    agents: { summary: "list agents", load: () => import("./gateway/agents.ts") },
    cancel: { summary: "stop a job", load: () => import("./gateway/cancel.ts") },
    requeue: { summary: "play cases that failed again", load: () => import("./gateway/requeue.ts") },
    backup: { summary: "copy the database while it is in use", load: () => import("./gateway/backup.ts") },
  },
  run: async ({ io, options }) => {
    const graceMs = parseDuration(options.grace, "--grace") * 1000;
    const loaded = loadHostConfig(options.config);
    const { applyFlags, listPublicPlaces, serveChallenge } = await import(
      "../../supervise/host/serve-challenge.ts"
    );
    const openSimulators = options.openSimulators ?? false;
    const config = applyFlags(loaded, { listen: options.listen, openSimulators });
    const ending = listenForEnd(io, { longestMs: graceMs + LAST_MS });
    const log = makeQuietWriter(2, formatGap);
    endByCrash(log.writeLast);
    const onLog = (line: string) => log.write(`${line}\n`);
    const challenge = await serveChallenge(config, { openSimulators, onLog });
    announce(io, challenge, config, openSimulators);
    for (const place of listPublicPlaces(config)) io.warn(makeWarning(place));
    await waitForSignal(ending.signal);
    await challenge.stop(graceMs);
    await log.flush(LAST_LINES_MS);
    const exitCode = ending.exitCode();
    return exitCode === 143 ? 0 : (exitCode ?? 0); // told to end and ended: what a service manager calls success
  },
});

function announce(
  io: Io,
  { apiUrl, tunnelUrl, policyUrls }: Challenge,
  config: GatewayConfig,
  openSimulators: boolean,
): void {
  const policy = { openpi: policyUrls.openpi ?? null, corobot: policyUrls.corobot ?? null };
  const { dataFolder } = config;
  const gateway = { api: apiUrl, tunnel: tunnelUrl, policy, dataFolder, pid: process.pid };
  const outside = config.boards.filter(({ simulator }) => simulator === "outside");
  const openBoards = openSimulators ? outside.map(({ name }) => name) : [];
  const first = makeFirstCommands(config, apiUrl);
  if (io.json) io.write(`${JSON.stringify({ schema: 1, gateway })}\n`);
  else for (const line of formatGateway(gateway, { first, openBoards })) io.say(line);
}

/** In a log of JSON lines, in place of what nobody read in time. */
function formatGap(lines: number): string {
  return `${JSON.stringify({ level: "warn", event: "log_gap", lines, msg: "lines left out: nobody read them" })}\n`;
}

function makeWarning(place: string): string {
  return makePrintable(
    `warning: ${place} can be reached from other machines, in clear text: passwords and tokens can be read on the way. Put nginx with TLS before it.`,
  );
}

async function waitForSignal(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
