import { defineErrors } from "./define.ts";

export const notifyErrors = defineErrors({
  notify_settings_unreadable: {
    exit: 2,
    message: "The settings of Feishu in {file} cannot be read: {reason}.",
    hint: "Make it a file of your own that you may read (chmod 600), or remove it: without it nothing is sent.",
  },
  notify_settings_bad: {
    exit: 2,
    message: "The settings of Feishu in {file} will not do: {reason}.",
    hint: '{advice} To send nothing, write "mode": "off".',
  },
  notify_address_bad: {
    exit: 2,
    message: "{what} is no address to send notices to: {reason}.",
    hint: "Write an https:// address; http:// is taken for this machine alone (localhost).",
  },
  notify_not_sent: {
    exit: 5,
    retryable: true,
    message: "The notice did not go out by {channel}: {reason}.",
    hint: "Try again in a minute: sortie notify test",
  },
  notify_refused: {
    exit: 1,
    message: "The notice was refused by {channel}: {reason}.",
    hint: "The same again will be refused again: correct the settings, then try them: sortie notify test",
  },
  notify_unsure: {
    exit: 5,
    message: "Whether the notice went out by {channel} is not known: {reason}.",
    hint: "Look whether it came; it is not sent a second time by itself.",
  },
  notify_unset: {
    exit: 2,
    message: "Nothing is set that a notice could go to: {reason}.",
    hint: 'Write {"mode": "push", "webhook_url": "https://…"} into ~/.codex/feishu.json, or `notify_webhook: https://…` or `notify_desktop: true` into {config}.',
  },
  notify_not_interactive: {
    exit: 2,
    message: "Nobody can be asked over Feishu: {reason}.",
    hint: 'Write {"mode": "interactive", "interactive": {"bridge_url": "http://localhost:5000"}} into ~/.codex/feishu.json, or leave --ask out.',
  },
});
