/** What one finished command left: its streams as text (UTF-8, invalid bytes replaced) and how it ended. */
export interface Outcome {
  /** null when a signal ended it or it could not be started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** The program was not found or could not be started; `stderr` says why. */
  readonly notStarted: boolean;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  /** The whole environment of the command; absent: the runner's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** TERM to its process group at this time, KILL to what is left of it a second later. There is always one. */
  readonly timeoutMs: number;
  /** Stops it in the same way; aborted before: nothing is started. */
  readonly signal?: AbortSignal;
  /** It ends when this process ends, by `kill -9` too: for what would go on for long with nobody waiting for it. */
  readonly endsWithUs?: boolean;
  /** At most so many bytes of each stream are kept (default 16 MiB); the rest is dropped. */
  readonly maxBytes?: number;
  /** Told each part of stdout as it comes, also what is not kept. */
  readonly onStdout?: (chunk: Buffer) => void;
}

/** Runs argument lists on one host. A command that fails is an Outcome, never an exception. */
export interface Runner {
  /** The host's name for people: `this machine`, or an SSH destination. */
  readonly host: string;
  run(argv: readonly string[], options: RunOptions): Promise<Outcome>;
}
