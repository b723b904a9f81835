import { defineKeys } from "./define.ts";

const HOSTS = ["ssh", "slurm", "vast"] as const;

/** Where the work runs. */
export const placeKeys = defineKeys({
  gpu: {
    type: "gpu",
    spellings: ["gpus"],
    about: "The kind: local, remote (or ssh), slurm, vast, modal. Any other text is a note about the GPUs.",
  },
  ssh: {
    type: "ssh",
    spellings: ["ssh_alias", "ssh_command"],
    kinds: HOSTS,
    about: "An alias of ~/.ssh/config, user@host, or a command such as `ssh -p 2222 user@host`.",
  },
  ssh_host: {
    type: "ssh",
    spellings: ["host", "hostname", "ssh_hostname"],
    kinds: HOSTS,
    about: "The host, where it is not part of `SSH`.",
  },
  ssh_port: {
    type: "integer",
    spellings: ["port"],
    kinds: HOSTS,
    about: "The port, where it is not part of `SSH`.",
  },
  ssh_user: {
    type: "text",
    spellings: ["user", "username"],
    kinds: HOSTS,
    about: "The user, where it is not part of `SSH`.",
  },
  identity_file: {
    type: "text",
    spellings: ["ssh_key", "identity"],
    kinds: HOSTS,
    about: "The key file, where neither `SSH` nor ~/.ssh/config names it.",
  },
  code_dir: {
    type: "text",
    spellings: [
      "code_directory",
      "code_path",
      "code_folder",
      "remote_path",
      "remote_dir",
      "remote_directory",
      "project_dir",
      "working_directory",
      "workdir",
    ],
    at: "codeDir",
    about: "The folder on the host that the code is sent to and the run starts in.",
  },
});
