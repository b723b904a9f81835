/** Keys of a section, and files, that a fault can be mended in. */
export type ModalSetting =
  | "modal_secrets"
  | "modal_volume"
  | "modal_gpu"
  | "modal_timeout"
  | "modal_app"
  | "modal_function"
  | "image"
  | "requirements"
  | "env_spec";

export type ModalFaultKind =
  | "image"
  | "secret"
  | "volume"
  | "gpu"
  | "timeout"
  | "preempted"
  | "money"
  | "app"
  | "network"
  | "login";

export interface FaultRow {
  readonly kind: ModalFaultKind;
  /** What the message of an error says. */
  readonly says?: RegExp;
  /** A line of Modal's that says it, where no error does. */
  readonly event?: RegExp;
  readonly change: readonly ModalSetting[];
  readonly advice: string;
  readonly isPassing?: boolean;
}

/** What Modal's words mean; the first row that fits counts. */
export const FAULT_ROWS: readonly FaultRow[] = [
  {
    kind: "timeout",
    event: /^Task's current input\b.* hit its timeout of \d+|^Stopping app - .*\bFunctionTimeoutError\b/,
    says: /\bhit its timeout of \d+|FunctionTimeoutError/,
    change: ["modal_timeout"],
    advice:
      "Set a longer `modal_timeout` (24 h at most), or let the command save and go on in a further run.",
  },
  {
    kind: "image",
    says: /image build|ImageBuildError|image builder|manifest unknown|dockerfile|\bbuilding image\b/i,
    change: ["image", "requirements", "env_spec"],
    advice: "Correct what the image is made of: `image`, the file of `requirements`, or that of `env_spec`.",
  },
  {
    kind: "secret",
    says: /\bsecrets? .*(not found|does not exist|doesn't exist|missing)|no secret (named|with)/i,
    change: ["modal_secrets"],
    advice: "Create the secret (`modal secret create NAME KEY=…`), or correct `modal_secrets`.",
  },
  {
    kind: "volume",
    says: /\bvolumes? .*(not found|does not exist|doesn't exist|deleted|in use|quota|full|exceed)|no volume (named|with)/i,
    change: ["modal_volume"],
    advice: "Create the volume (`modal volume create NAME`), or correct `modal_volume`.",
  },
  {
    kind: "money",
    says: /spend(ing)? limit|billing|payment|out of credits?|insufficient (funds|credits?)|budget/i,
    change: [],
    advice: "See usage and limits of the workspace at modal.com/settings.",
  },
  {
    kind: "gpu",
    says: /\bgpus?\b.*(invalid|unknown|unsupported|not (supported|available)|quota|limit|exceed)|(invalid|unknown|unsupported|no) gpu|(quota|limit)\b.*\bgpus?\b/i,
    change: ["modal_gpu"],
    advice:
      "Ask for another or fewer GPUs in `modal_gpu`; a list (`H100, A100-80GB`) takes what is to be had.",
  },
  {
    kind: "preempted",
    event: /\b(runner|worker|container|task|function)\b.*\bpreempt(ed|ion)\b/i,
    change: [],
    advice:
      "Modal took the machine away and starts the function again; let the command save and go on from there.",
    isPassing: true,
  },
  {
    kind: "app",
    says: /no entrypoints|could not find .* in the|multiple (possible )?entrypoints|unexpected extra argument|no such option|missing option|module paths must|invalid object reference/i,
    change: ["modal_app", "modal_function"],
    advice:
      "Correct `modal_app` or `modal_function`, or the arguments behind `--`: `modal run APP --help` lists them.",
  },
  {
    kind: "network",
    event: /\bConnection lost!/,
    says: /ConnectionError|ServiceError|could not connect|connection (refused|reset|closed)|deadline exceeded|timed out/i,
    change: [],
    advice: "The network or Modal was away; what was started detached goes on, and is found again.",
    isPassing: true,
  },
];
