/** Folders that programs fill and nobody writes code in. */
const GENERATED_FOLDERS = new Set([
  ".venv",
  "node_modules",
  "__pycache__",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".ipynb_checkpoints",
  ".tox",
  ".nox",
  "mlruns",
  "lightning_logs",
]);

/** A folder called `wandb` may be a package; what W&B itself writes there has these names. */
const WANDB_FILE = /(^|\/)wandb\/((offline-)?run-|sweep-|latest-run|debug)/;

/** A file with one of these names makes the folder above it a Python environment, whatever that is called. */
const ENVIRONMENT_MARKS = ["pyvenv.cfg", "conda-meta/history"];

export function isGeneratedFolder(name: string): boolean {
  return GENERATED_FOLDERS.has(name);
}

/** Whether a program made the file: by the folders in its path, as bytecode, or as a file of W&B. */
export function isGeneratedFile(path: string): boolean {
  if (/\.py[co]$/.test(path) || WANDB_FILE.test(path)) return true;
  return path.split("/").slice(0, -1).some(isGeneratedFolder);
}

/** The folders of Python environments among the paths, each with a slash at its end. */
export function findEnvironmentFolders(paths: readonly string[]): string[] {
  return ENVIRONMENT_MARKS.flatMap((mark) =>
    paths.filter((path) => path.endsWith(`/${mark}`)).map((path) => path.slice(0, -mark.length)),
  );
}
