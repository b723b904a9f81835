import { makePrintable } from "../base/printable.ts";
import { cutToWidth } from "../base/text-width.ts";
import { wrapText } from "../base/wrap.ts";
import type { EnvironmentNews } from "../supervise/confirm-plan.ts";
import type { TierShown } from "../supervise/environment/try-tiers.ts";
import type { Io } from "./io.ts";

const PLAIN_EVERY_MS = 30_000;
/** Of a build that failed. */
const LINES_OF_LOG = 10;

/**
 * Shows how an environment is made ready: its steps and tiers as lines, and on a terminal below them what its build says
 * now. With `--json` it is silent. To be called for each news of it; `done` when there is no more.
 */
export function showEnvironmentNews(io: Io): { onNews(news: EnvironmentNews): void; done(): void } {
  let step = "";
  let saidMs = performance.now();
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) io.write("\r\u001b[K");
    isDrawn = false;
  };
  const say = (line: string) => {
    clear();
    const shown = makePrintable(line);
    const lines = io.isTerminal ? wrapText(shown, io.columns, "  ", "") : [shown];
    for (const one of lines) io.say(one);
    saidMs = performance.now();
  };
  const showBuild = ({ progress }: Extract<EnvironmentNews, { kind: "build" }>) => {
    const { step: at, lines, isOurs, log } = progress;
    const name = at ? `step ${at.number} of ${at.total}: ${at.name}` : "begins";
    if (name !== step)
      say(`${isOurs ? "build" : "build of another"}: ${name}${step === "" ? `; its log: ${log}` : ""}`);
    step = name;
    const last = lines.findLast((line) => line.trim() !== "" && !line.startsWith("sortie:"));
    if (last === undefined) return;
    if (io.isTerminal) {
      clear();
      io.write(cutToWidth(`  ${makePrintable(last)}`, io.columns - 1));
      isDrawn = true;
    } else if (performance.now() - saidMs >= PLAIN_EVERY_MS) say(`  ${last}`);
  };
  const showEnd = (lines: readonly string[]) => {
    const own = lines.filter((line) => line.trim() !== "" && !line.startsWith("sortie:"));
    for (const line of own.slice(-LINES_OF_LOG)) say(`  | ${line}`);
  };
  const showTier = ({ tier, state, message, divergences }: TierShown) => {
    say(`tier ${tier}: ${state}: ${message}`);
    for (const { command, claim, reality } of divergences) {
      for (const [label, text] of [
        ["command", command],
        ["claim", claim],
        ["reality", reality],
      ] as const)
        say(`  ${label.padEnd(10)}${text.replaceAll("\n", " ↵ ")}`);
    }
  };
  return {
    onNews(news) {
      if (news.kind === "warning") return io.warn(makePrintable(`warning: ${news.text}`));
      if (io.json || news.kind === "building") return;
      if (news.kind === "build") showBuild(news);
      else if (news.kind === "broken") showEnd(news.lines);
      else if (news.kind === "built") say(`built: ${news.ready.prefix}`);
      else if (news.kind === "trying") say(`tier ${news.tier}: is tried, since ${news.why}`);
      else showTier(news.shown);
    },
    done: clear,
  };
}
