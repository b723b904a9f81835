import { defineRows } from "../diagnosis-row.ts";

/** Ends by a signal, whose sender is not known. */
export const signalRows = defineRows([
  {
    code: "segmentation_fault",
    layer: "program",
    when: { log: { in: "closing", line: /^Fatal Python error: Segmentation fault|Segmentation fault/ } },
    cause: "Compiled code, of the program or of a package, touched memory that is not its own.",
    next: "Run once with PYTHONFAULTHANDLER=1, which shows the Python line; check that the packages fit each other.",
  },
  {
    code: "segmentation_fault",
    layer: "program",
    when: { signals: ["SEGV"] },
    cause: "Compiled code, of the program or of a package, touched memory that is not its own.",
    evidence: "signal SEGV (exit code {exitCode})",
    next: "Run once with PYTHONFAULTHANDLER=1, which shows the Python line; check that the packages fit each other.",
  },
  {
    code: "bus_error",
    layer: "memory",
    when: { signals: ["BUS"] },
    cause:
      "It touched memory that the host could not give: a full /dev/shm, or a file that was cut while it was read.",
    evidence: "signal BUS (exit code {exitCode})",
    next: "Look at `df -h /dev/shm`, and that no file it reads is written anew meanwhile.",
  },
  {
    code: "illegal_instruction",
    layer: "environment",
    when: { signals: ["ILL"] },
    cause: "A package was built for a newer processor than this host has.",
    evidence: "signal ILL (exit code {exitCode})",
    next: "Install a build for this processor, or run on another host.",
  },
  {
    code: "aborted",
    layer: "program",
    when: {
      signals: ["ABRT"],
      log: { in: "closing", line: /what\(\):|[Aa]ssertion|terminate called|Check failed|Fatal/ },
    },
    cause: "Compiled code found itself in a state that it cannot go on from, and gave up.",
    next: "The lines above it in the log say where: `sortie logs {run}`.",
  },
  {
    code: "aborted",
    layer: "program",
    when: { signals: ["ABRT"] },
    cause: "Compiled code found itself in a state that it cannot go on from, and gave up.",
    evidence: "signal ABRT (exit code {exitCode})",
    next: "The last lines of the log may say where: `sortie logs {run}`.",
  },
  {
    code: "killed",
    layer: "host",
    when: { signals: ["KILL"] },
    cause:
      "It was killed with signal 9. Neither the kernel's log nor the count of its cgroup, as far as they can be read, says by whom.",
    evidence: "signal KILL (exit code {exitCode})",
    next: "Ask who stops processes on this host; `sudo dmesg` shows what the kernel did. Then `sortie rerun {run}`.",
  },
  {
    code: "broken_pipe",
    layer: "program",
    when: { signals: ["PIPE"] },
    cause: "It wrote to a program that had already ended.",
    evidence: "signal PIPE (exit code {exitCode})",
    next: "Look at the later parts of the pipeline in the command.",
  },
  {
    code: "terminated",
    layer: "host",
    when: { signals: ["TERM", "INT", "HUP", "QUIT"] },
    cause: "It was ended with the signal {signal}, which was not sent by Sortie.",
    evidence: "signal {signal} (exit code {exitCode})",
    next: "Ask who stops processes on this host: a shutdown, a scheduler, a person. Then `sortie rerun {run}`.",
  },
]);
