import { defineErrors } from "./define.ts";

/** Faults on the way to a host, and of the system's OpenSSH client. */
export const sshErrors = defineErrors({
  ssh_missing: {
    exit: 2,
    message: "The OpenSSH client of this machine cannot be started: {reason}.",
    hint: "Install it (on Debian: apt-get install openssh-client), or let PATH name its folder.",
  },
  ssh_folder_unfit: {
    exit: 5,
    message: "{path} cannot hold the connections of Sortie: {reason}.",
    hint: "Remove it if it is not yours to use, or set XDG_RUNTIME_DIR to a folder that only you can read.",
  },
  ssh_unreachable: {
    exit: 5,
    retryable: true,
    message: "{host} cannot be reached: {reason}.",
    hint: "Look whether it is switched on and your network or VPN is up. To see what ssh itself says: {command}",
  },
  ssh_auth_refused: {
    exit: 5,
    retryable: true,
    message: "{host} did not let you in: {reason}.",
    hint: "Sortie never asks for a password. Unlock your key with ssh-add, or name the right one in ~/.ssh/config, until this works: {command}",
  },
  ssh_host_key_changed: {
    exit: 5,
    message:
      "{name}, on the way to {host}, shows another host key than before, so nothing was sent. On record ({file}): {old}. Shown now: {new}.",
    hint: "Somebody may be listening in: ask whoever runs it whether the new key is theirs. If it is, forget the old one: {command}",
  },
  ssh_host_key_unknown: {
    exit: 5,
    message: "The host key of {host} is not on record, so nothing was sent to it{shown}.",
    hint: "Compare it with what whoever runs {host} says, and take it on record by logging in once: {command}",
  },
  ssh_lost: {
    exit: 5,
    retryable: true,
    message: "The connection to {host} was lost in mid-command: {reason}.",
    hint: "What was started there may go on. The same command takes it up again once {host} answers.",
  },
  ssh_shell_silent: {
    exit: 5,
    message: "{host} let us in, but ran nothing: {reason}.",
    hint: "Let its start files do nothing where no terminal is attached: {files}. This must print `there`: {command}",
  },
  sync_failed: {
    exit: 5,
    retryable: true,
    message: "The files did not all come over between this machine and {host}: {reason}.",
    hint: "{advice}",
  },
  ssh_config_bad: {
    exit: 2,
    message: "ssh cannot use what it is told about {host}: {reason}.",
    hint: "Correct it in your ssh configuration or in the target's section. To see the same: {command}",
  },
});
