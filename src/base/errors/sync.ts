import { defineErrors } from "./define.ts";

export const syncErrors = defineErrors({
  host_unwritable: {
    exit: 2,
    message: "On {host} nothing can be written to {path}.",
    hint: "Name a folder of yours as `Code dir` (and `job_dir`) in the section, or ask for the right to write there.",
  },
  host_full: {
    exit: 5,
    retryable: true,
    message: "On {host} there is no room at {path}: {what}.",
    hint: "Free space there, or name a folder on another disk as `Code dir` (and `job_dir`) in the section.",
  },
  git_failed: {
    exit: 5,
    message: "git {command} failed: {reason}.",
    hint: "Try the same command by hand in {folder}.",
  },
  git_sync_impossible: {
    exit: 2,
    message: "`code_sync: git` does not work in {folder}: {reason}.",
    hint: "Make it a git repository whose branch has a remote, or set `code_sync: rsync`.",
  },
  git_detached: {
    exit: 2,
    message:
      "No branch is checked out in {folder}: HEAD is at {commit}, and a commit there would belong to none.",
    hint: "Check out a branch (`git switch -c NAME`), then try again.",
  },
  git_upstream_missing: {
    exit: 2,
    message: "The branch {branch} has no upstream at a remote, so there is no place to push it to.",
    hint: "Push it once yourself: `git push -u origin {branch}`.",
  },
  git_push_elsewhere: {
    exit: 2,
    message:
      "The branch {branch} is pushed to {pushRemote}, but its upstream, which servers pull, is at {remote}.",
    hint: "Make {pushRemote} its upstream (`git push -u {pushRemote} {branch}`), or unset the push remote.",
  },
  git_unfinished: {
    exit: 2,
    message: "A {what} is not finished in {folder}.",
    hint: "Finish it or call it off (`git status` says how), then try again.",
  },
  git_locked: {
    exit: 2,
    retryable: true,
    message: "Another git command is at work in {folder}: {lock} is there.",
    hint: "Wait for it to end; if none is running, remove that file.",
  },
  git_identity_missing: {
    exit: 2,
    message: "Git does not know whose name the commit bears: {reason}.",
    hint: "Set it once: `git config --global user.name NAME` and `git config --global user.email ADDRESS`.",
  },
  git_secrets: {
    exit: 2,
    message: "These files look like secrets, and git sync would commit and push them: {paths}.",
    hint: "Name them in .gitignore, or take the secret out; if they hold none, commit them yourself.",
  },
  git_key_staged: {
    exit: 2,
    message: "These files hold a W&B API key and are staged, so a commit would hold it: {paths}.",
    hint: "Unstage them (`git reset -- PATH`): git sync then leaves them out, and they stay as they are.",
  },
  git_secrets_committed: {
    exit: 2,
    message: "Commits that are not pushed yet hold files that look like secrets: {paths}.",
    hint: "Take them out of those commits; if they hold no secret, push yourself with `git push`.",
  },
  git_too_big: {
    exit: 2,
    message: "Git sync would commit {size}, over the limit of {limit}: {paths}.",
    hint: "Name them in .gitignore and bring them to the server in another way, or commit them yourself.",
  },
  git_submodule_unready: {
    exit: 2,
    message: "{path} is {reason}: the server could not get it.",
    hint: "Commit and push there first, or name it in .gitignore if it does not belong to the project.",
  },
  git_behind: {
    exit: 2,
    message: "{remote} has commits on {branch} that are not in the branch here.",
    hint: "Bring them in first: `git pull --rebase`.",
  },
  git_remote_silent: {
    exit: 5,
    retryable: true,
    message: "The remote {remote} ({url}) gives no answer: {reason}.",
    hint: "Try `git ls-remote {remote}` by hand; no password is asked for, so a key or a credential helper must be set up.",
  },
  git_sync_stale: {
    exit: 4,
    message: "The code is not as the plan has it: {changes}. Nothing was committed or pushed.",
    hint: "Look at what changed, then make a new plan.",
  },
  git_commit_refused: {
    exit: 5,
    message: "Git did not make the commit: {reason}. Nothing was committed or pushed.",
    hint: "Settle what it or your hook says, or make the commit yourself; then make a new plan.",
  },
  git_commit_changed: {
    exit: 5,
    message:
      "A git hook changed what was to be committed: {changes}. The commit was taken back, nothing was pushed.",
    hint: "Look at what the hook did to your files (`git status`), then make a new plan.",
  },
  git_push_rejected: {
    exit: 5,
    message: "{remote} did not take the push of {branch}: {reason}. {left}",
    hint: "Settle what it says, push yourself with `git push`, then run the command again.",
  },
  git_server_unfit: {
    exit: 2,
    message: "{folder} on {host} cannot be brought to this code by git: {reason}.",
    hint: "{advice}",
  },
  git_pull_failed: {
    exit: 5,
    message: "{folder} on {host} was not brought to commit {commit}: {reason}.",
    hint: "{advice}",
  },
  restore_place_taken: {
    exit: 2,
    message: "The code cannot be written to {path}: {reason}.",
    hint: "Give a folder that is empty or not there yet.",
  },
  results_glob_bad: {
    exit: 2,
    message: "The results pattern {glob} leads out of the run's folder.",
    hint: "Write a path below the folder, or an absolute one if you mean a place outside.",
  },
  results_place_taken: {
    exit: 2,
    message: "Results cannot be brought to {path}: something else is there already.",
    hint: "Move it aside, or choose another place with `--to`.",
  },
  results_gone: {
    exit: 1,
    message: "Not all results could be copied to {path}: {missing} is no longer in {from}.",
    hint: "Everything else is there; look whether the run's own folder still has what is missing.",
  },
  results_unreadable: {
    exit: 5,
    retryable: true,
    message: "The result {path} cannot be read: {reason}. Nothing was brought home.",
    hint: "Give yourself the right to read it, then run `sortie collect` again.",
  },
  results_unwritable: {
    exit: 5,
    retryable: true,
    message: "Results cannot be brought to {path}: {reason}. {left}",
    hint: "Free space or permissions there, then try again; the results are still where the run wrote them.",
  },
  sync_damaged: {
    exit: 5,
    retryable: true,
    message: "{folder} on {host} does not hold the code that was sent: {reason}. Nothing was started.",
    hint: "Give the same command again: only what differs is sent. If it comes back, somebody else writes to that folder.",
  },
  sync_unreadable: {
    exit: 2,
    message: "{path} should be sent and cannot be read: {reason}.",
    hint: "Give yourself the right to read it, or name it in `sync_exclude`.",
  },
  sync_too_much: {
    exit: 2,
    message:
      "{size} in {files} files would be sent, more than {maxSize} or {maxFiles} files; the largest: {largest}.",
    hint: "Name what is no code in `sync_exclude` or .gitignore; put data on the host once, and send single things with `--copy`.",
  },
  sync_copy_missing: {
    exit: 2,
    message: "There is no {path} to copy in {folder}.",
    hint: "`--copy` takes a path from where you are, or an absolute one.",
  },
  sync_copy_outside: {
    exit: 2,
    message: "{path} cannot be sent: {place} lies outside the project {source}.",
    hint: "Copy it into the project, or bring it to the host by hand (scp, rsync) and name it there.",
  },
  sync_pattern_outside: {
    exit: 2,
    message: "The pattern {glob} of sync_include leads out of the project {folder}.",
    hint: "Write a path below the project folder.",
  },
  send_list_damaged: {
    exit: 5,
    message: "The list of files to be sent, {path}, cannot be used: {reason}.",
    hint: "Make a new plan: run the same command again.",
  },
});
