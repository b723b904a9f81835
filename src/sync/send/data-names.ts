/** Folders at the top of a project that hold what a run reads or writes, and not its code. */
export const dataFolders = [
  ...["data", "datasets", "dataset"],
  ...["checkpoints", "checkpoint", "ckpt", "ckpts", "weights"],
  ...["outputs", "output", "runs", "logs"],
] as const;

const CODE_NAME = /\.(pyi?|ipynb|sh|c|cc|cpp|cu|h|hpp|js|ts|rs|go|r|jl|yaml|yml|toml|cfg|ini|md)$/i;

const CHECKPOINT_NAME = /(\.(pt|pth|ckpt|safetensors|onnx|h5|bin|gguf|npz|npy)|\.tfevents[^/]*)$/i;

/** @param name of something at the top of the project */
export function isDataFolder(name: string): boolean {
  return (dataFolders as readonly string[]).includes(name);
}

export function isCodeName(path: string): boolean {
  return CODE_NAME.test(path);
}

export function isCheckpointName(path: string): boolean {
  return CHECKPOINT_NAME.test(path);
}
