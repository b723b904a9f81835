# shellcheck shell=sh
# Says what git knows of a folder of code, in lines `git_…=value`: `git_checkout FOLDER`. Changes nothing there. May stand
# inside a longer script; all names begin with git_, and everything happens in a subshell.

git_say() {
  printf '%s=%s\n' "$1" "$2"
}

git_become_silent() {
  unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_NAMESPACE GIT_PREFIX
  LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_ASKPASS='' GIT_OPTIONAL_LOCKS=0
  export LC_ALL GIT_TERMINAL_PROMPT GIT_ASKPASS GIT_OPTIONAL_LOCKS
}

# What is not finished, or nothing.
git_find_unfinished() {
  for git_mark in rebase-merge:rebase rebase-apply:rebase MERGE_HEAD:merge CHERRY_PICK_HEAD:cherry-pick \
    REVERT_HEAD:revert BISECT_LOG:bisect; do
    if [ -e "$(git rev-parse --git-path "${git_mark%%:*}")" ]; then
      printf '%s' "${git_mark##*:}"
      return
    fi
  done
}

# URLs as git uses them, without the user's part of https, which may be a password.
git_list_remotes() {
  git remote | while IFS= read -r git_name; do
    git_url=$(git remote get-url "$git_name" 2>/dev/null </dev/null | head -n 1)
    printf 'git_remote=%s %s\n' "$git_name" "$git_url"
  done | sed 's#^\(git_remote=[^ ]* https\{0,1\}://\).*@#\1#'
}

# A semicolon at the end keeps a space that a name may end with.
git_list_changes() {
  git -c core.quotePath=true -c color.status=never status --porcelain=v2 --branch --untracked-files=all \
    --no-renames --ignore-submodules=none 2>/dev/null </dev/null |
    head -n 2000 | sed 's/^/git_status=/; s/$/;/'
}

git_checkout() (
  git_become_silent
  command -v git >/dev/null 2>&1 || { git_say git_state no_git; exit 0; }
  if [ ! -e "$1" ] && [ ! -h "$1" ]; then git_say git_state missing; exit 0; fi
  if [ ! -d "$1" ]; then git_say git_state not_folder; exit 0; fi
  cd "$1" 2>/dev/null || { git_say git_state unreadable; exit 0; }
  # shellcheck disable=SC2012 # only whether there is anything at all
  if [ -z "$(ls -A 2>/dev/null | head -n 1)" ]; then git_say git_state missing; exit 0; fi
  git_inside=$(git rev-parse --is-inside-work-tree 2>&1 </dev/null)
  case $git_inside in
    true) ;;
    *'not a git repository'*) git_say git_state no_repository; exit 0 ;;
    false) git_say git_state bare; exit 0 ;;
    *)
      git_say git_state refused
      git_say git_reason "$(printf '%s' "$git_inside" | head -n 1)"
      exit 0
      ;;
  esac
  git_say git_state checkout
  git_say git_prefix "$(git rev-parse --show-prefix)"
  git_say git_unfinished "$(git_find_unfinished)"
  if [ -e "$(git rev-parse --git-path index.lock)" ]; then git_say git_locked yes; fi
  git_list_remotes
  git_list_changes
)
