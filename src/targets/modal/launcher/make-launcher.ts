import { type ModalWish, SAVING_S } from "../modal-wish.ts";
import { findVolumeFolder, nameApp } from "../name-run.ts";
import { makeImage } from "./make-image.ts";
import runCommand from "./run_command.py";

/** Where the volume lies in the container, and the code. */
const VOLUME_DIR = "/sortie-volume";
const CODE_DIR = "/sortie-code";
/** What no container needs, or may have. */
const NEVER_SENT = [".git", "**/.venv", "**/__pycache__", "**/.env", "**/.env.*", "**/.netrc"];

/**
 * The Python file that `modal run`, called in the code folder, takes: image, app, one function, and what that does in
 * the container. Kept in the run's folder, to be read. @throws spec_unrenderable
 */
export function makeLauncher(wish: ModalWish): string {
  const { imports, body } = splitProgram(runCommand);
  return [
    `"""Run ${wish.runId} of Sortie on Modal: \`modal run --detach\` this file in the code folder."""`,
    "",
    ...[imports, "", "import modal", "", ""],
    `# ${"-".repeat(20)} what runs, and on what`,
    "",
    ...[makeImage(wish.image), ...addCode(wish), "", `app = modal.App(${quote(nameApp(wish.runId))})`],
    ...(wish.volume === null ? [] : [`volume = modal.Volume.from_name(${quote(wish.volume)})`]),
    ...["", "", `# ${"-".repeat(20)} what the container does with it`, "", "", body, "", ""],
    ...[...makeExperiment(wish), "", ""],
    ...makeFunction(wish),
    ...["", "", ...ENTRY_POINT, ""],
  ].join("\n");
}

/** JSON's text is Python's, too: every argument stays what it is, character by character. */
const quote = (text: string) => JSON.stringify(text);
const quoteAll = (texts: readonly string[]) => `[${texts.map(quote).join(", ")}]`;

/** What follows the file's own title: its imports, and the rest. */
function splitProgram(program: string): { imports: string; body: string } {
  const start = program.indexOf("from __future__");
  const end = program.indexOf("\n\n\n", start);
  return { imports: program.slice(start, end), body: program.slice(end).trim() };
}

function addCode({ codeDir, leftOut }: ModalWish): string[] {
  const ignored = quoteAll([...NEVER_SENT, ...leftOut]);
  return [
    "image = image.add_local_dir(",
    `    ${quote(codeDir)},`,
    `    ${quote(CODE_DIR)},`,
    `    ignore=${ignored},`,
    ")",
  ];
}

function makeExperiment({ runId, command, results, timeoutS, volume }: ModalWish): string[] {
  const kept = `${volume === null ? "/tmp" : VOLUME_DIR}/${findVolumeFolder(runId)}`;
  return [
    "EXPERIMENT = Experiment(",
    `    run_id=${quote(runId)},`,
    "    command=[",
    ...command.map((argument) => `        ${quote(argument)},`),
    "    ],",
    `    code=Path(${quote(CODE_DIR)}),`,
    `    kept=Path(${quote(kept)}),`,
    `    results=${quoteAll(results)},`,
    `    limit_s=${timeoutS},`,
    ")",
  ];
}

function makeFunction({ gpus, timeoutS, volume, secrets, envNames }: ModalWish): string[] {
  const named = secrets.map((secret) => `modal.Secret.from_name(${quote(secret)})`);
  const given = envNames.length === 0 ? [] : [`modal.Secret.from_local_environ(${quoteAll(envNames)})`];
  const all = [...named, ...given];
  const commit = volume === null ? "lambda: None" : "volume.commit";
  return [
    "@app.function(",
    "    image=image,",
    ...(gpus.length === 0
      ? []
      : [`    gpu=${gpus.length === 1 ? quote(gpus[0] as string) : quoteAll(gpus)},`]),
    `    timeout=${timeoutS + SAVING_S},  # the command's own limit, and time to save what it made`,
    ...(volume === null ? [] : [`    volumes={${quote(VOLUME_DIR)}: volume},`]),
    ...(all.length === 0 ? [] : ["    secrets=[", ...all.map((text) => `        ${text},`), "    ],"]),
    ")",
    "def run() -> int:",
    '    """In the container."""',
    `    return run_and_keep(EXPERIMENT, ${commit})`,
  ];
}

const ENTRY_POINT = [
  "@app.local_entrypoint()",
  "def main() -> None:",
  '    """At home: `modal run` ends with the command\'s own exit code."""',
  "    call = run.spawn()  # goes on when this machine is switched off",
  "    deadline_s = time.monotonic() + EXPERIMENT.limit_s + 3600",
  "    while True:",
  "        try:",
  "            code = call.get()",
  "            break",
  "        except (modal.exception.ConnectionError, modal.exception.ServiceError) as fault:",
  "            if time.monotonic() > deadline_s:",
  "                raise",
  '            print(f"sortie: Modal is away, and asked again in 15 s: {fault}", flush=True)',
  "            time.sleep(15)",
  "    if code != 0:",
  "        sys.exit(code)",
];
