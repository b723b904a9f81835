// biome-ignore lint/suspicious/noControlCharactersInRegex: colours and cursor moves begin with the escape character
const TERMINAL_CODE = /\u001b(\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007|[()][A-Z0-9])/g;
/** Launchers put the rank before each line of their processes. */
const RANK = /^\[(rank|default)?\d+\]:\s?/;

/** No message needs more, and patterns are slow on lines without end. */
const LINE_CHARACTERS = 2_000;

/** The lines of a log as a person reads them: a progress bar as it looked last, no colours, no ranks, none too long. */
export function readLogLines(log: string): string[] {
  return log.split("\n").map((line) => {
    const shown = line.replace(/\r+$/, "");
    return shown
      .slice(shown.lastIndexOf("\r") + 1)
      .slice(0, LINE_CHARACTERS)
      .replace(TERMINAL_CODE, "")
      .replace(RANK, "");
  });
}

/** What programs, launchers and W&B still say when the work has ended. */
const EPILOGUE = [
  /^\s*$/,
  /^(wandb|srun|slurmstepd|mpirun|prterun): /,
  /^make(\[\d+\])?: \*\*\* /,
  /^[IWEF]\d{4} .*torch\/distributed/,
  /^\[?[IWE]\d{3,4} .*ProcessGroup/,
  /^(INFO|WARNING|ERROR):torch\.distributed/,
  /^\[[\d-]+ [\d:,]+\] torch\.distributed/,
  /^(CUDA kernel errors might be|For debugging consider passing CUDA_LAUNCH|Compile with `TORCH_USE_CUDA)/,
  /^(BufferAssignment|Peak buffers)/,
  /^[=-]{5,}$/,
  /resource_tracker: There appear to be/,
];

export function isEpilogue(line: string): boolean {
  return EPILOGUE.some((pattern) => pattern.test(line));
}
