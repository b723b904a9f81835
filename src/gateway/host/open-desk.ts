import { systemClock } from "../../base/clock.ts";
import { describeFault } from "../../base/error.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { GatewayEvent } from "../gateway-event.ts";
import type { JobHost } from "../job-parts.ts";
import { openLog } from "../operations/log.ts";
import { makeMetrics } from "../operations/metrics.ts";
import { openRecorder } from "../recording/recorder.ts";
import { noteBoardKinds } from "../records/board-kinds.ts";
import { checkRecords, openRecords } from "../records/open-records.ts";
import { loadSigningKey } from "../records/settings.ts";
import { makeTunnelSide } from "../tunnel-side.ts";
import { AgentBook } from "./agent-book.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeOptions } from "./challenge-options.ts";
import { countLive } from "./count-live.ts";
import { listBoardKinds } from "./find-board-fault.ts";
import { findLoginOwner } from "./find-login-owner.ts";
import { Ledger } from "./ledger.ts";
import { takeDataFolder } from "./take-data-folder.ts";
import type { Undo } from "./undo.ts";

/** How long what is still to be written may take once everything else has ended. */
const LAST_WRITES_MS = 5_000;

/** Takes the data folder and opens what lies in it; `undo` gets what ends it all again. Throws as `startChallenge` does. */
export function openDesk(config: GatewayConfig, options: ChallengeOptions, undo: Undo): ChallengeDesk {
  const { clock = systemClock } = options;
  const observers = listObservers(options);
  const report: JobHost["report"] = (jobUuid, agentId, event) => {
    const whole = { ...event, at: clock.now(), monotonicMs: clock.monotonicMs(), jobUuid, agentId };
    for (const observe of observers) observe(whole);
  };
  const lock = takeDataFolder(config.dataFolder);
  undo.add(() => lock.release());
  const records = openRecords(config.dataFolder);
  undo.add(() => records.close());
  checkRecords(records);
  const signingKey = loadSigningKey(records);
  noteBoardKinds(records, listBoardKinds(config));
  const recorder =
    config.recordings &&
    openRecorder(config.recordings, clock, (fault) =>
      report("", "", { type: "recording_fault", why: describeFault(fault) }),
    );
  undo.add(() => recorder?.close(LAST_WRITES_MS));
  const side = makeTunnelSide({
    ...{ flags: config.flags, timers: config.timers, clock, report },
    findOwner: (token) => findLoginOwner(records, signingKey, token, clock.now()),
  });
  undo.add(() => side.close());
  const metrics = makeMetrics(countLive(side, recorder), clock);
  observers.push(metrics.observe);
  return {
    ...{ config, records, signingKey, clock, side, recorder, metrics, report },
    ledger: new Ledger((why) => report("", "", { type: "store_fault", why })),
    book: new AgentBook(records),
    pulse: { wroteAtMs: clock.monotonicMs(), misplaced: undefined },
  };
}

function listObservers({ onEvent, onLog }: ChallengeOptions): ((event: GatewayEvent) => void)[] {
  const log = onLog && openLog({ stream: { write: (line) => onLog(line.trimEnd()) } });
  return [log?.observe, onEvent].filter((observe) => observe !== undefined);
}
