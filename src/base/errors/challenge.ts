import { defineErrors } from "./define.ts";

export const challengeErrors = defineErrors({
  token_missing: {
    exit: 2,
    message: "No token for the job {job} was found, neither in the environment nor in {file}{reasons}.",
    hint: "Log in (challenge-login), which gives CHALLENGE_TOKEN, or set JOB_TOKEN, which came with the job (challenge-submit-job).",
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
    hint: "A token is one word, without blanks and quotes; log in again (challenge-login) if it was damaged.",
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
    hint: "Submit a job (challenge-submit-job), which gives JOB_UUID, and pass that.",
  },
  job_bad: {
    exit: 2,
    message: "{uuid} is not the UUID of a job: {fault}.",
    hint: "Pass the JOB_UUID that submitting the job gave (challenge-submit-job).",
  },
});
