/** The folder of a run on its volume, without a slash before or behind it. */
export function findVolumeFolder(runId: string): string {
  return `results/${runId}`;
}

/** The name of its app, by which `modal app list` shows it. */
export function nameApp(runId: string): string {
  return `sortie-${runId}`;
}
