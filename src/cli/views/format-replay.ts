import { formatBytes } from "../../base/bytes.ts";
import { formatDuration } from "../../base/duration.ts";
import { makePrintable } from "../../base/printable.ts";
import { wrapText } from "../../base/wrap.ts";
import type { FaultDocument, ReplayDocument, SurveyDocument } from "../../supervise/replay/make-document.ts";
import { type Column, formatTable } from "./format-table.ts";

type Survey = SurveyDocument["recordings"][number];
type Session = ReplayDocument["sessions"][number];

const surveyColumns: readonly Column<Survey>[] = [
  { heading: "SESSION", show: nameSession },
  { heading: "CASE", show: nameCase },
  { heading: "BOARD", show: ({ info }) => info.board ?? "-", spare: 2 },
  { heading: "FRAMES", show: ({ observations }) => String(observations.count), isNumber: true },
  { heading: "SIZE", show: ({ observations }) => formatBytes(observations.bytes), isNumber: true },
  {
    heading: "LARGEST",
    show: ({ observations }) => formatBytes(observations.largestBytes),
    ...spareNumber(3),
  },
  { heading: "ANSWERS", show: ({ actions }) => String(actions.count), ...spareNumber(1) },
  { heading: "TIME", show: ({ durationMs }) => formatDuration(durationMs / 1000), isNumber: true },
  { heading: "P50", show: ({ latency }) => showMs(latency?.p50), isNumber: true },
  { heading: "P95", show: ({ latency }) => showMs(latency?.p95), isNumber: true },
  { heading: "SLOWEST", show: ({ latency }) => showMs(latency?.max), ...spareNumber(3) },
  { heading: "SCORE", show: showScore, isNumber: true },
  { heading: "STARTED", show: ({ info }) => info.startedAt.replace(/\.\d+/, ""), spare: 2 },
  { heading: "AGENT", show: ({ info }) => nameAgent(info.agentId), spare: 3 },
];

const replayColumns: readonly Column<Session>[] = [
  { heading: "SESSION", show: nameSession },
  { heading: "CASE", show: nameCase },
  { heading: "BOARD", show: ({ info }) => info.board ?? "-", spare: 2 },
  { heading: "FRAMES", show: ({ observations }) => String(observations), isNumber: true },
  { heading: "EQUAL", show: ({ equal }) => String(equal), isNumber: true },
  { heading: "DIFFER", show: ({ different }) => String(different), isNumber: true },
  { heading: "FAILED", show: ({ faults }) => String(faults), isNumber: true },
  { heading: "P50 THEN", show: ({ latency }) => showMs(latency.recorded?.p50), ...spareNumber(1) },
  { heading: "P50 NOW", show: ({ latency }) => showMs(latency.replayed?.p50), isNumber: true },
  { heading: "P95 THEN", show: ({ latency }) => showMs(latency.recorded?.p95), ...spareNumber(2) },
  { heading: "P95 NOW", show: ({ latency }) => showMs(latency.replayed?.p95), ...spareNumber(2) },
  { heading: "SLOWEST", show: ({ latency }) => showMs(latency.replayed?.max), ...spareNumber(3) },
  { heading: "AGENT THEN", show: ({ info }) => nameAgent(info.agentId), spare: 3 },
];

/** No sentence is longer, however wide the terminal is. */
const WIDEST = 120;

/** What recordings hold: a line each, then what there is to say of some. */
export function formatSurvey({ recordings, faults }: SurveyDocument, columns: number): string[] {
  const notes = recordings.flatMap((survey) => [
    ...(survey.result === null ? [`${nameSession(survey)}: cut off: it has no end`] : []),
    ...(survey.result?.detail ? [`${nameSession(survey)}: ${survey.result.detail}`] : []),
  ]);
  return [
    ...formatTable(recordings, surveyColumns, columns),
    ...formatNotes([...notes, ...tellFaults(faults)], columns),
  ];
}

/** What a replay came to: a line a session, then what differs or failed, and the verdict. */
export function formatReplay(replay: ReplayDocument, columns: number): string[] {
  const { sessions, notPlayed, faults } = replay;
  const notes = [
    ...sessions.flatMap(tellSession),
    ...notPlayed.map((file) => `${file}: not played, since the handler had ended`),
    ...tellFaults(faults),
  ];
  const table = formatTable(sessions, replayColumns, columns);
  return [...table, ...formatNotes(notes, columns), "", ...wrap(tellVerdict(replay), columns)];
}

function tellSession(session: Session): string[] {
  const { firstDifference, firstFault, largest, isTorn, unanswered } = session;
  const name = nameSession(session);
  const apart = Object.entries(largest).map(
    ([place, distance]) => `${place} ${Number(distance.toPrecision(4))}`,
  );
  return [
    ...(firstFault
      ? [`${name}: the handler failed ${tellStep(firstFault.step)}: ${firstFault.message}`]
      : []),
    ...(firstDifference ? [`${name}: ${tellDifference(firstDifference)}`] : []),
    ...(apart.length > 0 ? [`${name}: furthest apart: ${apart.join(", ")}`] : []),
    ...(unanswered > 0 ? [`${name}: ${unanswered} of its observations had no answer in the recording`] : []),
    ...(isTorn ? [`${name}: the recording is cut off; what it holds was played`] : []),
  ];
}

function tellDifference({ step, path, recorded, replayed }: NonNullable<Session["firstDifference"]>): string {
  return `first differs ${tellStep(step)}: ${path} was ${recorded}, now ${replayed}`;
}

function tellStep(step: number): string {
  return step === 0 ? "before the first observation" : `at observation ${step}`;
}

function tellVerdict({ sessions, tolerance, passed }: ReplayDocument): string {
  const sum = (count: (session: Session) => number) =>
    sessions.reduce((all, session) => all + count(session), 0);
  const equal = sum((session) => session.equal);
  const compared = sum((session) => session.compared);
  const within = tolerance === 0 ? "" : ` within ${tolerance}`;
  if (compared === 0) return "No action was compared.";
  const what = `${equal} of ${compared} actions are equal to the recorded ones${within}`;
  return passed ? `${what}.` : `${what}: not the same.`;
}

function tellFaults(faults: readonly FaultDocument[]): string[] {
  return faults.map(({ error }) => error.message);
}

function formatNotes(notes: readonly string[], columns: number): string[] {
  return notes.length === 0 ? [] : ["", ...notes.flatMap((note) => wrap(note, columns))];
}

function wrap(text: string, columns: number): string[] {
  return wrapText(makePrintable(text), Math.min(columns, WIDEST));
}

/** The start of the id tells sessions apart. */
function nameSession({ info }: Survey | Session): string {
  return info.sessionId.slice(0, 8);
}

function nameAgent(agentId: string | null): string {
  return agentId?.slice(0, 8) ?? "-";
}

function nameCase({ info }: Survey | Session): string {
  return `${info.task} ${info.index}`.slice(0, 40);
}

function showScore({ result }: Survey): string {
  if (result === null) return "cut off";
  return result.score === null ? "none" : result.score.toFixed(3);
}

function showMs(ms: number | undefined): string {
  if (ms === undefined) return "-";
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function spareNumber(spare: number) {
  return { isNumber: true, spare };
}
