# shellcheck shell=sh disable=SC2154 # the settings and the functions of checkout.sh stand above this text
# Brings a code folder to one commit, by a clone or by fetch and fast-forward: never by force, and not at all where
# somebody has edited files there. Settings: sortie_token, git_folder, git_action (clone or pull), git_url (for a clone),
# git_remote, git_branch (its name at the remote), git_commit, git_submodules (yes, or empty).

git_finish() {
  [ -z "$git_part" ] || rm -rf "$git_part"
  git_say end "$sortie_token"
  exit 0
}

# The last words of git, in one line.
git_fail() {
  git_say git_problem "$1"
  git_say git_reason "$(printf '%s\n' "$2" | sed '/^hint:/d; /^$/d' | tail -n 6 | tr '\n\r' '; ')"
  git_finish
}

# A person's own ssh command stays; OpenSSH is told not to ask.
git_silence_ssh() {
  git_ssh=${GIT_SSH_COMMAND:-$(git config --get core.sshCommand || printf '%s' "${GIT_SSH:-ssh}")}
  case ${git_ssh%% *} in
    ssh | */ssh)
      GIT_SSH_COMMAND="$git_ssh -o BatchMode=yes"
      export GIT_SSH_COMMAND
      ;;
  esac
}

# What was seen before the plan may have changed since.
git_check_still_fit() {
  git_found=$(git_find_unfinished)
  [ -z "$git_found" ] || git_fail unfinished "a $git_found is not finished there"
  git_found=$(git symbolic-ref --quiet --short HEAD) || git_fail branch 'no branch is checked out there'
  git_upstream=$(git rev-parse --abbrev-ref '@{upstream}' 2>/dev/null) || git_upstream=
  case $git_upstream in
    "$git_remote/$git_branch") ;;
    '') [ "$git_found" = "$git_branch" ] || git_fail branch "the branch $git_found is checked out there" ;;
    *) git_fail branch "the branch $git_found is checked out there" ;;
  esac
  git_found=$(git status --porcelain --untracked-files=no --ignore-submodules=none 2>&1) || git_fail edits "$git_found"
  [ -z "$git_found" ] || git_fail edits "$git_found"
}

# A merge writes over ignored files without a word. Prints those, and untracked ones, that lie where new files come.
git_find_in_the_way() {
  [ -n "$(git diff --name-only --diff-filter=A HEAD "$git_commit" | head -n 1)" ] || return 0
  git diff --name-only --diff-filter=A --no-renames -z HEAD "$git_commit" |
    (cd "$(git rev-parse --show-cdup)./" && xargs -0 git --literal-pathspecs ls-files --others --) | head -n 5
}

git_pull() {
  cd "$git_folder" || git_fail place 'it is not there any more'
  git_silence_ssh
  git_check_still_fit
  git_say git_before "$(git rev-parse --verify --quiet HEAD)"
  if [ "$(git rev-parse --verify --quiet HEAD)" != "$git_commit" ]; then
    git_out=$(git fetch --quiet --no-recurse-submodules "$git_remote" "refs/heads/$git_branch" 2>&1) ||
      git_fail fetch "$git_out"
    git cat-file -e "$git_commit^{commit}" 2>/dev/null || git_fail no_commit 'the remote there does not have it'
    git_found=$(git rev-parse --verify --quiet HEAD >/dev/null && git_find_in_the_way)
    [ -z "$git_found" ] || git_fail in_the_way "$git_found"
    git_out=$(git -c merge.autoStash=false merge --quiet --ff-only "$git_commit" 2>&1) || git_fail merge "$git_out"
  fi
}

# Beside its place first: half a clone is never taken for a checkout.
git_clone() {
  if [ -d "$git_folder" ]; then git_folder=$(cd -P "$git_folder" && pwd -P); fi
  git_silence_ssh
  git_out=$(mkdir -p "$(dirname "$git_folder")" 2>&1) || git_fail place "$git_out"
  git_part=$git_folder.sortie-$sortie_token
  git_out=$(git clone --quiet --no-checkout --origin "$git_remote" --branch "$git_branch" -- "$git_url" "$git_part" 2>&1) ||
    git_fail clone "$git_out"
  git -C "$git_part" cat-file -e "$git_commit^{commit}" 2>/dev/null ||
    git_fail no_commit 'the remote there does not have it'
  git_out=$(git -C "$git_part" update-ref "refs/heads/$git_branch" "$git_commit" 2>&1 &&
    git -C "$git_part" checkout --quiet "$git_branch" -- 2>&1) || git_fail clone "$git_out"
  if [ -d "$git_folder" ]; then git_out=$(rmdir "$git_folder" 2>&1) || git_fail place "$git_out"; fi
  git_out=$(mv "$git_part" "$git_folder" 2>&1) || git_fail place "$git_out"
  git_part=
  cd "$git_folder" || git_fail place 'it is not there any more'
}

git_update_submodules() {
  cd "$(git rev-parse --show-cdup)./" || git_fail submodules 'the top folder cannot be entered'
  git_out=$(git submodule --quiet update --init --recursive 2>&1) || git_fail submodules "$git_out"
  git_out=$(git submodule status --recursive 2>&1 | grep '^[-+U]')
  [ -z "$git_out" ] || git_fail submodules "$git_out"
}

git_main() {
  git_part=
  git_become_silent
  git_say begin "$sortie_token"
  command -v git >/dev/null 2>&1 || git_fail place 'git is not installed there'
  if [ "$git_action" = clone ]; then git_clone; else git_pull; fi
  [ -z "$git_submodules" ] || git_update_submodules
  git_found=$(git rev-parse HEAD 2>&1)
  [ "$git_found" = "$git_commit" ] || git_fail other_commit "it is at ${git_found}"
  git_say git_done "$git_found"
  git_finish
}

git_main </dev/null
