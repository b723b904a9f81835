import { defineErrors } from "./define.ts";

export const challengeErrors = defineErrors({
  token_missing: {
    exit: 2,
    message: "No token for the job {job} was found, neither in the environment nor in {file}{reasons}.",
    hint: "Log in, which gives CHALLENGE_TOKEN: sortie challenge login; or set JOB_TOKEN, which came with the job.",
  },
  endpoint_unread: {
    exit: 2,
    message:
      "The gateway of the job is not known: {name} on line {line} of {file} is nothing that can be read without a shell.",
    hint: "Write it as {name}=value, or pass the job's TUNNEL_ENDPOINT: --gateway-url URL.",
  },
  token_bad: {
    exit: 2,
    message: "There are characters that no token has in {said}.",
    hint: "A token is one word, without blanks and quotes; log in again if it was damaged: sortie challenge login.",
  },
  login_away: {
    exit: 1,
    retryable: true,
    message: "The login token could not be refreshed: {reason}.",
    hint: "Nothing needs to be done yet: it is tried again.",
  },
  job_missing: {
    exit: 2,
    message: "There is no job: {found} stands where its JOB_UUID belongs.",
    hint: "Submit a job, which gives JOB_UUID, and pass that: sortie challenge submit.",
  },
  job_bad: {
    exit: 2,
    message: "{uuid} is not the UUID of a job: {fault}.",
    hint: "Pass the JOB_UUID that submitting the job gave; `sortie challenge jobs` lists yours.",
  },
  base_url_bad: {
    exit: 2,
    message: "{url} ({said}) is not the address of a challenge: {reason}.",
    hint: "Give it as https://HOST, without a user, a password and a query: --base-url URL, or BASE_URL in the state file.",
  },
  base_url_unread: {
    exit: 2,
    message:
      "The address of the challenge is not known: BASE_URL on line {line} of {file} is nothing that can be read without a shell.",
    hint: "Write it as BASE_URL='https://HOST', or name the address: --base-url URL.",
  },
  state_file_unwritable: {
    exit: 2,
    message: "{file} cannot be changed: its folder cannot be written to ({reason}).",
    hint: "A new file takes the place of the old one there: let yourself write to the folder; then do the same again.",
  },
  state_file_unreadable: {
    exit: 2,
    message: "{file} is not changed, since it cannot be read: {reason}.",
    hint: "Make it a file of your own that you may read and write, or move it away; then do the same again.",
  },
  state_file_broken: {
    exit: 2,
    message:
      "{file} is not changed: {name} would not be read back from it, something before it is not closed.",
    hint: "Look for a quote that is opened and never closed, or move the file away and log in again: sortie challenge login.",
  },
  state_value_bad: {
    exit: 2,
    message: "{name} is not saved: there is a null character in it, which no shell can hold.",
    hint: "It was damaged on its way; ask the challenge for it again.",
  },
  challenge_login_needed: {
    exit: 2,
    message: "{url} takes no login token of yours: {reason}.",
    hint: "Log in: sortie challenge login",
  },
  challenge_login_refused: {
    exit: 1,
    message: "{url} did not log you in: {reason}.",
    hint: "Check the e-mail address and the password; `sortie challenge login --help` names the flag for a server of the first days, which takes a login by GET only.",
  },
  challenge_refused: {
    exit: 1,
    message: "{url} refused it with {status}: {text}",
    hint: "The same again will be refused again: change what it names. `sortie challenge quota` and `sortie challenge jobs` show where you stand.",
  },
  challenge_busy: {
    exit: 5,
    retryable: true,
    message: "{url} wants to be asked later, it answered with {status}: {text}",
    hint: "Nothing was done. Try again in a minute; `sortie challenge watch` asks a job's state no more often than it must.",
  },
  challenge_away: {
    exit: 5,
    retryable: true,
    message: "{url} could not be asked: {reason}.",
    hint: "Try again in a minute. If it stays so, check the network and the address: sortie challenge whoami --base-url URL",
  },
  challenge_fault: {
    exit: 5,
    retryable: true,
    message: "{url} is in trouble, it answered with {status}: {text}",
    hint: "Try again in a minute. Some servers answer so to a login token that they do not know: sortie challenge login",
  },
  challenge_redirected: {
    exit: 5,
    message:
      "{url} sends its callers to {target}, which is {what}. It was not followed, and no token went there.",
    hint: "If you trust that address, name it yourself: --base-url URL",
  },
  challenge_reply_unreadable: {
    exit: 5,
    message: "{url} gave {what} where JSON belongs. It begins: {came}",
    hint: "The address may be that of a web page or a proxy: check it, and name another: --base-url URL",
  },
  challenge_reply_wrong: {
    exit: 5,
    message: "{url} gave a reply that is not what it must be: {what}. It begins: {came}",
    hint: "The challenge may have changed its replies. `sortie challenge status --json` and its web page may say more.",
  },
  challenge_reply_lost: {
    exit: 5,
    message: "Whether {url} took it is not known: {reason}.",
    hint: "Do not send it again before you have looked whether it is there: sortie challenge jobs",
  },
  challenge_job_id_wrong: {
    exit: 2,
    message: "{url} wants the number of a job and took {job} for none: {text}",
    hint: "`sortie challenge jobs` shows the number of each of your jobs beside its UUID.",
  },
  challenge_job_unknown: {
    exit: 2,
    message: "None of your jobs at {url} is {job}.",
    hint: "`sortie challenge jobs` lists them; jobs of another account or address are not among them.",
  },
  challenge_not_offered: {
    exit: 1,
    message: "{url} has no {what}: {text}",
    hint: "A server of another version may have them; there is nothing to be done here.",
  },
  challenge_submission_wrong: {
    exit: 2,
    message: "The job is not submitted, its {field} will not do: {fault}.",
    hint: "Correct it and submit again; nothing was sent and no slot is used. `sortie challenge boards` lists the boards.",
  },
});
