import { defineKeys } from "./define.ts";

const MACHINES = ["local", "ssh", "slurm", "vast"] as const;

/** The Python environment that a run is started in. */
export const environmentKeys = defineKeys({
  conda: {
    type: "conda",
    kinds: MACHINES,
    about: "A conda environment: its name, or one of the known activation commands, read as data.",
  },
  conda_env: {
    type: "conda",
    spellings: ["conda_environment", "conda_env_name"],
    kinds: MACHINES,
    about: "The name (or folder) of a conda environment.",
  },
  conda_hook: {
    type: "conda_hook",
    spellings: ["conda_init", "conda_path"],
    kinds: MACHINES,
    about: 'How conda is found, with `conda_env`: `eval "$(/opt/conda/bin/conda shell.bash hook)"`.',
  },
  activate: {
    type: "activation",
    spellings: ["activation", "activation_command", "activate_command"],
    kinds: MACHINES,
    about: "How the environment is activated; shell text that is not a known form needs `sortie trust`.",
  },
  venv: {
    type: "venv",
    spellings: ["virtualenv", "virtual_env", "virtual_environment"],
    kinds: MACHINES,
    at: "venv",
    about: "The folder of a Python virtual environment.",
  },
  uv: {
    type: "boolean_or_path",
    spellings: ["uv_project"],
    kinds: MACHINES,
    at: "uv",
    about: "`true` for the uv project in the code folder, or the folder of another one.",
  },
  python: {
    type: "text",
    spellings: ["interpreter", "python_path"],
    kinds: MACHINES,
    at: "python",
    about: "The interpreter to use, a name or a path.",
  },
  env_spec: {
    type: "text",
    spellings: ["environment_spec", "env_spec_file", "environment_spec_file"],
    at: "envSpec",
    setting: true,
    about:
      "The environment specification to use, its name or its file, where a project has several (default: its only one).",
  },
  env_ledger: {
    type: "text",
    spellings: ["environment_ledger", "compute_ledger"],
    at: "envLedger",
    setting: true,
    about: "The folder or file of the environment ledger (default `.aris/compute/`, a file a provider).",
  },
  env_dir: {
    type: "text",
    spellings: ["envs_dir", "environments_dir", "environment_dir"],
    at: "envDir",
    setting: true,
    about: "The folder on the host that environments are built in (default: `envs` in Sortie's home folder).",
  },
});
