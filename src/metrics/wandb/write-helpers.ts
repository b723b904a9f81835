import type { ScriptSites } from "./find-sites.ts";
import finish from "./python/finish.py";
import log from "./python/log.py";
import start from "./python/start.py";
import watchHuggingFace from "./python/watch_hf.py";
import watchKeras from "./python/watch_keras.py";
import watchLightning from "./python/watch_lightning.py";

const WATCHERS = { lightning: watchLightning, "hf-trainer": watchHuggingFace, keras: watchKeras };

/** The functions that the written lines call, as few as these sites need. In them `#` stands for an empty line. */
export function writeHelpers({ start: { end }, logs, watcher }: ScriptSites): string[] {
  const parts = [start, log];
  if (end && "decorate" in end) parts.push(finish);
  if (watcher && logs.some(({ kind }) => kind === "watch")) parts.push(WATCHERS[watcher]);
  return parts.join("").trimEnd().split("\n");
}
