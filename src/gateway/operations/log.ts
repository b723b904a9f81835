import { type DestinationStream, destination, pino, stdTimeFunctions } from "pino";
import type { GatewayEvent } from "../gateway-event.ts";
import type { LogFields, LogLevel } from "./describe-event.ts";
import { redactFields, redactLogText } from "./redact.ts";
import { makeLines } from "./thin-out.ts";

export interface LogOptions {
  /** What goes out; default `info`. */
  readonly level?: LogLevel;
  /** Default: standard error, line by line at once. */
  readonly stream?: DestinationStream;
}

export interface GatewayLog {
  /** A line of JSON: `{"level":"info","time":"…Z","msg":…}` and the fields, without secrets and control characters. */
  write(level: LogLevel, message: string, fields?: LogFields): void;
  /** The line of an event; nothing for what happens all the time, as pings and frames, or for what others repeat. */
  observe(event: GatewayEvent): void;
}

const STANDARD_ERROR = 2;

export function openLog({ level = "info", stream }: LogOptions = {}): GatewayLog {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream ?? destination({ dest: STANDARD_ERROR, sync: true }),
  );
  const write = (at: LogLevel, message: string, fields: LogFields = {}) => {
    if (logger.isLevelEnabled(at)) logger[at](redactFields(fields), redactLogText(message));
  };
  const makeLinesOf = makeLines();
  return {
    write,
    observe(event) {
      for (const { level: at, message, fields } of makeLinesOf(event)) write(at, message, fields);
    },
  };
}
