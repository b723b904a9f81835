import type { EnvSpec } from "../../env/spec/env-spec.ts";

/** What Modal itself takes where nobody says how long a function may run. */
export const DEFAULT_TIMEOUT_S = 300;
/** The longest that Modal lets a function run. */
export const MOST_TIMEOUT_S = 24 * 3600;
/** Longer than the command's own limit, so that what it made is still saved when that is reached. */
export const SAVING_S = 120;

/** One command that is to run on Modal, with everything that its launcher says. */
export interface ModalWish {
  readonly runId: string;
  /** As the program is to see them: never a shell's text. */
  readonly command: readonly string[];
  /** The folder at home that is put into the container; absolute. */
  readonly codeDir: string;
  /** What of it stays at home, as patterns of a `.dockerignore`, beside what never goes. */
  readonly leftOut: readonly string[];
  /** As Modal names them, `A100-80GB:2`; the first that is to be had is taken. Empty: none. */
  readonly gpus: readonly string[];
  /** For the command; see `limitTimeout`. */
  readonly timeoutS: number;
  /** Keeps what the run makes; null: nothing comes home but the log. */
  readonly volume: string | null;
  /** By their names at Modal. */
  readonly secrets: readonly string[];
  readonly image: ModalImage;
  /** Variables of the environment in which `modal run` is called that the command gets, too. Values stand nowhere. */
  readonly envNames: readonly string[];
  /** Which files below the code are results: patterns, relative to it. */
  readonly results: readonly string[];
}

/** What the container is made of: a spec, a file of requirements (from the code folder), or a plain Python. */
export type ModalImage =
  | { readonly from: "spec"; readonly name: string; readonly hash: string; readonly spec: EnvSpec }
  | { readonly from: "requirements"; readonly file: string; readonly base: string | null }
  | { readonly from: "plain"; readonly base: string | null };

export interface TimeLimit {
  /** What the command gets. */
  readonly timeoutS: number;
  /** For the plan; null: it is what was asked for. */
  readonly note: string | null;
}

/** The time limit that Modal can keep to, and what is to be said of it. */
export function limitTimeout(askedS: number | null): TimeLimit {
  const most = MOST_TIMEOUT_S - SAVING_S;
  if (askedS === null) {
    const note = `No \`modal_timeout\` is set: Modal's default of ${DEFAULT_TIMEOUT_S} s ends the command.`;
    return { timeoutS: DEFAULT_TIMEOUT_S, note };
  }
  if (askedS <= most) return { timeoutS: askedS, note: null };
  const asked = `${Number((askedS / 3600).toFixed(1))} h`;
  const note = `Modal ends every function after 24 h, ${asked} were asked for: the command is stopped ${SAVING_S} s before that, to save what it made.`;
  return { timeoutS: most, note };
}
