import { defineRows } from "../diagnosis-row.ts";

/** What the host has too little of, or does not allow. */
export const hostRows = defineRows([
  {
    code: "disk_full",
    layer: "disk",
    when: { log: { in: "end", line: /No space left on device|ENOSPC|Disk quota exceeded/ } },
    cause: "The disk that it wrote to is full, or the quota there is used up.",
    next: "Free space there (`df -h`, `quota`; `sortie clean` removes what is already at home), then `sortie rerun {run}`.",
    proves: "disk_full",
  },
  {
    code: "file_too_large",
    layer: "disk",
    when: { signals: ["XFSZ"] },
    cause: "It wrote a file larger than the limit on this host allows.",
    evidence: "signal XFSZ",
    next: "Raise the limit (`ulimit -f`), or write smaller files.",
  },
  {
    code: "read_only",
    layer: "disk",
    when: { log: { in: "end", line: /Read-only file system|EROFS/ } },
    cause: "It wanted to write where the file system is mounted for reading only.",
    next: "Write below the run's folder, or to $SORTIE_RESULTS_DIR.",
  },
  {
    code: "too_many_files",
    layer: "host",
    when: { log: { in: "end", line: /Too many open files|EMFILE/ } },
    cause: "It had more files open than the host allows a process.",
    next: "Raise the limit (`ulimit -n`), or use fewer loader workers; torch.multiprocessing can share by file_system.",
  },
  {
    code: "permission",
    layer: "host",
    when: { log: { in: "end", line: /^PermissionError\b|Permission denied|EACCES/ } },
    cause: "It was not allowed to open or change a file.",
    next: "Look at the file's owner and rights; results may go to $SORTIE_RESULTS_DIR.",
  },
]);
