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

const VERSION_FOLDERS = new Set([".git", ".hg", ".svn", ".jj"]);

/** A folder called `wandb` may be a package; what W&B itself writes there has these names. */
const WANDB_FILE = /(^|\/)wandb\/((offline-)?run-|sweep-|latest-run|debug)/;

/**
 * A file with one of these names makes the folder above it a program's own, whatever that is called: a Python environment, or
 * the data of a gateway, which changes with every case.
 */
const FOLDER_MARKS = ["pyvenv.cfg", "conda-meta/history", "gateway.db"];

export function isGeneratedFolder(name: string): boolean {
  return GENERATED_FOLDERS.has(name);
}

/** Whether a program made the file: by the folders in its path, as bytecode, or as a file of W&B. */
export function isGeneratedFile(path: string): boolean {
  if (/\.py[co]$/.test(path) || WANDB_FILE.test(path)) return true;
  return path.split("/").slice(0, -1).some(isGeneratedFolder);
}

/** Whether version control keeps its own files in a folder of this name. */
export function isVersionFolder(name: string): boolean {
  return VERSION_FOLDERS.has(name);
}

/** Whether a folder is a program's own by what lies in it; `has` is asked for paths below the folder. */
export function hasFolderMark(has: (path: string) => boolean): boolean {
  return FOLDER_MARKS.some(has);
}

/** The folders among the paths that are a program's own, each with a slash at its end. */
export function findMarkedFolders(paths: readonly string[]): string[] {
  return FOLDER_MARKS.flatMap((mark) =>
    paths.filter((path) => path.endsWith(`/${mark}`)).map((path) => path.slice(0, -mark.length)),
  );
}
