import { defineErrors } from "./define.ts";

export const vastErrors = defineErrors({
  vast_key_missing: {
    exit: 2,
    message: "There is no key of Vast.ai: not in VAST_API_KEY, in {file} or in {oldFile}.",
    hint: "Take one from your account's page of keys, then `vastai set api-key KEY`, or set VAST_API_KEY.",
  },
  vast_key_unusable: {
    exit: 2,
    message: "The key of Vast.ai in {source} cannot be used: {reason}.",
    hint: "It is one word of plain letters: set it anew with `vastai set api-key KEY`.",
  },
  vast_url_unusable: {
    exit: 2,
    message: "VAST_URL is {url}: {reason}.",
    hint: "Leave VAST_URL unset; the key is sent there.",
  },
  vast_login: {
    exit: 2,
    message: "Vast.ai refuses the key for `{call}` ({status}): {said}",
    hint: "See which key is used (VAST_API_KEY before the files of `vastai`), and what it may do.",
  },
  vast_away: {
    exit: 5,
    retryable: true,
    message: "Vast.ai does not answer `{call}`: {reason}.",
    hint: "Try again later; `sortie vast ls` then shows what there is, and what of it was done.",
  },
  vast_reply_unreadable: {
    exit: 5,
    message: "What Vast.ai replied cannot be used: {what}.",
    hint: "Look at the account's own page; if this stays, its API has changed: report it.",
  },
  vast_refused: {
    exit: 5,
    message: "Vast.ai refuses `{call}` ({status}): {said}",
    hint: "These are the vendor's own words; look at the account's own page.",
  },
  vast_offer_gone: {
    exit: 5,
    message: "The offer {offer} is gone: somebody was faster, or the host withdrew it ({said}).",
    hint: "Search again: `sortie vast search`.",
  },
  vast_instance_gone: {
    exit: 5,
    message: "Vast.ai knows no instance {instance} in this account.",
    hint: "See what there is with `sortie vast ls`.",
  },
  vast_create_unsure: {
    exit: 5,
    message: "Whether Vast.ai rented the offer {offer} is not known: {reason}.",
    hint: "Look for an instance labelled {label} with `sortie vast ls`: it would cost money. It is not asked for again.",
  },
});
