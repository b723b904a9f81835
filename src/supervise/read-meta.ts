import { readFileSync } from "node:fs";
import {
  isFlag,
  isNumber,
  isOneOf,
  isOrAbsent,
  isOrNull,
  isShape,
  isText,
  isTextList,
  parseJson,
} from "../base/shape.ts";
import { nameJobFiles } from "../runs/job-folder.ts";
import { isRunModal, type RunModal } from "../runs/run-modal.ts";
import type { RemotePlace, RunContract, RunRecord, RunRequest, RunWandb } from "../runs/run-record.ts";

/** What `meta.json` holds of a run; see `launch-run.ts`. */
export interface Meta {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly target: { readonly name: string; readonly kind: string; readonly host: string };
  readonly request: RunRequest;
  readonly environment: RunRecord["environment"];
  readonly code: {
    readonly kind: string;
    readonly commit?: string | null;
    readonly branch?: string | null;
    readonly tree?: string;
  };
  /** null, or absent in an older one: it runs where it was launched. */
  readonly remote?: Omit<RemotePlace, "address"> | null;
  /** null, or absent in an older one: it logs to no W&B that Sortie knows of. */
  readonly wandb?: RunWandb | null;
  /** null, or absent: it runs on a machine. */
  readonly modal?: RunModal | null;
}

type Entry = NonNullable<Meta["environment"]["entry"]>;

const isMeta = isShape<Meta>({
  id: isText,
  name: isText,
  plan: isText,
  createdAt: (value) => isText(value) && !Number.isNaN(Date.parse(value as string)),
  target: isShape<Meta["target"]>({ name: isText, kind: isText, host: isText }),
  request: isShape<RunRequest>({
    command: (value) => isTextList(value) && (value as string[]).length > 0,
    cwd: isText,
    configFrom: isOrAbsent(isText),
    target: isOrNull(isText),
    name: isOrNull(isText),
    gpus: (value) => isNumber(value) || isOneOf("none", "default")(value),
    gpu: isTextList,
    envNames: isTextList,
    envFiles: isTextList,
    results: isTextList,
    resultsTo: isOrNull(isText),
    timeoutS: isOrNull(isNumber),
    graceS: isNumber,
    expectS: isOrNull(isNumber),
    waitGpuS: isOrNull(isNumber),
    freeze: isOrAbsent(isFlag),
    copies: isOrAbsent(isTextList),
    environment: isOrAbsent(isText),
    unverified: isOrAbsent(isFlag),
    metricPatterns: isOrAbsent(isTextList),
    wandbWay: isOrAbsent(isOneOf("script", "forward")),
    silentAfterS: isOrAbsent(isNumber),
  }),
  environment: isShape<Meta["environment"]>({
    label: isText,
    python: isOrNull(
      isShape<NonNullable<Meta["environment"]["python"]>>({ path: isText, version: isOrNull(isText) }),
    ),
    contract: isOrAbsent(
      isOrNull(isShape<RunContract>({ name: isText, hash: isText, isUnverified: isFlag })),
    ),
    entry: isOrAbsent(isShape<Entry>({ lines: isTextList, shell: isOneOf("sh", "bash") })),
  }),
  code: isShape<Meta["code"]>({
    kind: isText,
    commit: isOrAbsent(isOrNull(isText)),
    branch: isOrAbsent(isOrNull(isText)),
    tree: isOrAbsent(isText),
  }),
  remote: isOrAbsent(
    isOrNull(
      isShape<NonNullable<Meta["remote"]>>({ codeDir: isText, folder: isText, freeze: isOrAbsent(isFlag) }),
    ),
  ),
  wandb: isOrAbsent(
    isOrNull(
      isShape<RunWandb>({
        ...{ project: isText, entity: isOrNull(isText), id: isText, mode: isText },
        ...{ way: isOrAbsent(isOneOf("forward", "none")), rows: isOrAbsent(isNumber) },
        // What it names is a link that is shown.
        url: (value) =>
          isText(value) && /^https?:\/\//.test(value as string) && URL.canParse(value as string),
      }),
    ),
  ),
  modal: isOrAbsent(isOrNull(isRunModal)),
});

/** null where the text is not that of a run. */
export function parseMeta(text: string): Meta | null {
  try {
    return parseJson(text, isMeta);
  } catch {
    return null; // empty, or broken
  }
}

/** The text of a job folder's `meta.json` on this machine; empty where there is none. */
export function loadMetaText(jobFolder: string): string {
  try {
    return readFileSync(nameJobFiles(jobFolder).meta, "utf8");
  } catch {
    return ""; // there is none
  }
}
