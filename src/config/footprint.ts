import { type FileReading, readConfigFile } from "./read-file.ts";

/** The files that were looked at, and what was there: sha256 of the bytes, or why there are none. */
export type Footprint = Readonly<Record<string, string>>;

/** Reads files and keeps note of each, so that it can be told later whether anything has changed. */
export interface RecordingReader {
  read(path: string): FileReading;
  readonly footprint: Footprint;
}

export function makeRecordingReader(): RecordingReader {
  const footprint: Record<string, string> = {};
  return {
    footprint,
    read(path) {
      const reading = readConfigFile(path);
      footprint[path] = describe(reading);
      return reading;
    },
  };
}

/**
 * The files that differ from what a footprint says. None: the configuration is the same, and need not be parsed
 * again (confirming a plan stays fast).
 */
export function listChangedFiles(footprint: Footprint): string[] {
  return Object.keys(footprint).filter((path) => describe(readConfigFile(path)) !== footprint[path]);
}

function describe(reading: FileReading): string {
  return reading.state === "text" ? reading.sha256 : reading.state;
}
