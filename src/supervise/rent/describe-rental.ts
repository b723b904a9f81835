import { formatBytes } from "../../base/bytes.ts";
import { countOf } from "../../base/count-of.ts";
import { formatDollars } from "../../base/dollars.ts";
import { formatDuration } from "../../base/duration.ts";
import { quoteCommand } from "../../base/quote.ts";
import type { FoundNeeds } from "../../targets/vast/needs.ts";
import type { RankedOffer, Ranking } from "../../targets/vast/rank-offers.ts";
import type { ChosenTarget } from "../choose-target.ts";
import { GUARD_PACE } from "./guard-pace.ts";
import type { RentalTerms } from "./rental-terms.ts";

/** Everything that confirming a rental will do, in words. */
export function listRentalEffects(terms: RentalTerms, { section }: ChosenTarget): string[] {
  const { offer, needs, tries, sent, request, mostHours, contract } = terms;
  const most = formatDollars(terms.mostDollarsPerHour);
  return [
    `rent ${offer.gpuCount} × ${offer.gpuName} for ${formatDollars(offer.dollarsPerHour)} an hour, or another that fits for at most ${most}`,
    `spend ${describeCap(terms)}`,
    `destroy a machine that does not come up, and try the next: ${countOf(tries, "machine")} at most`,
    `run ${needs.image} on it with ${needs.diskGb} GB of disk`,
    `send ${countOf(sent.files, "file")} (${formatBytes(sent.bytes)}) to ${section.codeDir} there by rsync`,
    ...(contract ? [`make the environment ${contract.name}@${contract.hash} ready there, and try it`] : []),
    `run ${quoteCommand(request.command)}`,
    terms.mayBeUnguarded
      ? `start ${describeGuard()}, where the machine has a key of its own; else it runs without`
      : `start ${describeGuard()}; without one nothing is launched`,
    ...(mostHours === null ? [] : [`have it stopped after ${formatDuration(mostHours * 3600)}`]),
    terms.autoDestroy
      ? "destroy it once the run has ended and its results and logs are home, compared by hash"
      : "leave it as it is at the end; `sortie vast destroy` ends its cost",
  ];
}

function describeGuard(): string {
  const { uncollectedS, idleS } = GUARD_PACE;
  const [late, idle] = [formatDuration(uncollectedS), formatDuration(idleS)];
  return `a guard on it that stops it (its disk stays) when nobody has collected for ${late} after the end, or its GPUs idle for ${idle}`;
}

function describeCap({ mostDollars, offer }: RentalTerms): string {
  if (mostDollars === null) return "without a cap: it costs until it is destroyed (--max-cost sets one)";
  const hours = formatDuration((mostDollars / offer.dollarsPerHour) * 3600);
  return `at most ${formatDollars(mostDollars)}, which pays for ${hours}; then it is stopped`;
}

/** What a person chooses by: the offers side by side, and where each need comes from. */
export function describeRental(
  terms: RentalTerms,
  {
    ranking,
    found,
  }: { readonly chosen: ChosenTarget; readonly ranking: Ranking; readonly found: FoundNeeds },
): string[] {
  return [
    ...describeOffers(ranking),
    `needs: ${describeNeeds(found)}`,
    ...(terms.autoDestroy
      ? []
      : ["auto_destroy is not set: the machine goes on costing money after the run"]),
  ];
}

/** Side by side: one that is the cheapest and the fastest is told once. */
function describeOffers({ cheapest, bestValue, fastest }: Ranking): string[] {
  const words = new Map<number, string[]>();
  const ranks: readonly [string, RankedOffer | null][] = [
    ["cheapest", cheapest],
    ["best value", bestValue],
    ["fastest", fastest],
  ];
  const found = new Map<number, RankedOffer>();
  for (const [word, ranked] of ranks) {
    if (ranked === null) continue;
    const { id } = ranked.offer;
    words.set(id, [...(words.get(id) ?? []), word]);
    found.set(id, ranked);
  }
  return [...found].map(([id, ranked]) => describeOffer(joinWords(words.get(id) ?? []), ranked));
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function describeOffer(word: string, ranked: RankedOffer): string {
  const { offer, totalDollars, cautions } = ranked;
  const reliability = offer.reliability === null ? "unknown" : `${(offer.reliability * 100).toFixed(1)}%`;
  const facts = [
    `${offer.gpuCount} × ${offer.gpuName}`,
    `${formatDollars(offer.dollarsPerHour)} an hour`,
    ...(totalDollars === null ? [] : [`${formatDollars(totalDollars)} in all`]),
    `reliability ${reliability}`,
    offer.country ?? "country unknown",
    ...cautions,
  ];
  return `${word}: offer ${offer.id}, ${facts.join(", ")}`;
}

/** Each with the place where it was said. */
export function describeNeeds({ needs, sources }: FoundNeeds): string {
  const shown: readonly [string, string | null, Parameters<FoundNeeds["sources"]["get"]>[0]][] = [
    ["GPU", needs.gpuName, "gpu_name"],
    ["GPUs", String(needs.gpuCount), "gpu_count"],
    ["GPU memory", needs.gpuMemoryMiB === null ? null : `${needs.gpuMemoryMiB} MiB`, "min_gpu_memory"],
    ["disk", `${needs.diskGb} GB`, "disk"],
    ["CUDA", needs.cuda === null ? null : String(needs.cuda), "cuda"],
    ["hours", needs.hours === null ? null : String(needs.hours), "max_hours"],
    ["an hour for at most", formatMost(needs.maxDollarsPerHour), "max_price"],
    ["in all at most", formatMost(needs.maxDollars), "max_budget"],
  ];
  return shown
    .filter(([, value]) => value !== null)
    .map(([name, value, key]) => `${name} ${value} (${sources.get(key)?.text ?? "default"})`)
    .join(", ");
}

function formatMost(dollars: number | null): string | null {
  return dollars === null ? null : formatDollars(dollars);
}
