# shellcheck shell=sh
# GPU leases. A lease is a lock that the kernel holds (flock) on one file per GPU, in a folder for all users of the
# machine. The supervisor takes it and the job inherits the open file: the lock is gone with the last process that has
# the file open, however it ends, and never before. The text in the file only tells people who holds it.
#
#   lease_folder         prints the folder, made where it was missing; fails where none can be used
#   lease_make UUID      makes the file of a GPU where it was missing; its path is in $sortie_lease_file then
#   lease_take FD UUID   takes the lease on descriptor FD, for the run $sortie_run_id: 0 taken, 1 held by another, 2 impossible
#   lease_drop FD        closes the descriptor: the lease is free unless a child has inherited it
#   lease_keep UUID      renews the date of the file, for cleaners of /tmp; worth a call once a day while it is held
#   lease_holder UUID    while the lease is held: prints its text and succeeds
#
# $SORTIE_LEASE_DIR names another folder. In dash and busybox a descriptor has one digit, 3 to 9: whoever takes more
# than six leases (one digit is worth keeping free) runs under bash. Nothing here ends the shell that calls it.

lease_folder() {
  if [ -n "${SORTIE_LEASE_DIR:-}" ]; then
    lease_is_usable "$SORTIE_LEASE_DIR" && printf '%s\n' "$SORTIE_LEASE_DIR"
    return
  fi
  for sortie_lease_place in /run/lock/sortie /tmp/sortie-gpus; do
    if lease_is_usable "$sortie_lease_place"; then
      printf '%s\n' "$sortie_lease_place"
      return
    fi
  done
  return 1
}

# Everyone may write from the first moment on, so that a user who comes between the two steps does not look elsewhere.
# A symbolic link is never followed: it could lead into another user's files.
lease_is_usable() {
  (umask 0 && mkdir "$1") 2>/dev/null
  [ -d "$1" ] && [ ! -L "$1" ] && [ -w "$1" ] && [ -x "$1" ] || return 1
  [ ! -O "$1" ] || [ -k "$1" ] || chmod 1777 "$1" 2>/dev/null
}

# The file is made once and exclusively (set -C), readable and writable for all; one that is there is not opened, since
# fs.protected_regular refuses to open another user's file with O_CREAT.
lease_make() {
  sortie_lease_file=$(lease_folder) && lease_is_uuid "$1" || return 1
  sortie_lease_file=$sortie_lease_file/$1.lease
  (umask 0 && set -C && : >"$sortie_lease_file") 2>/dev/null
  [ -f "$sortie_lease_file" ] && [ ! -L "$sortie_lease_file" ]
}

# A UUID is data from outside: nothing but these characters becomes part of a path.
lease_is_uuid() {
  case "$1" in '' | *[!A-Za-z0-9-]*) return 1 ;; esac
}

lease_take() {
  lease_is_descriptor "$1" && lease_make "$2" || return 2
  # `command` keeps a failing `exec` from ending the shell.
  eval "command exec $1<\"\$sortie_lease_file\"" 2>/dev/null || return 2
  # Ready before the lock is taken: whoever finds the lease held shall find out by whom.
  sortie_lease_text="run=${sortie_run_id:-}
user=$(id -un 2>/dev/null || id -u)
since=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  lease_wait "$1" && lease_is_file_of "$1" && ! lease_is_held_elsewhere "$2"
  sortie_lease_fault=$?
  if [ $sortie_lease_fault -ne 0 ]; then
    lease_drop "$1"
    return $sortie_lease_fault
  fi
  lease_write "$1"
}

# In `exec 12<file` dash would take 12 for a program, and end when there is none.
lease_is_descriptor() {
  case "$1" in
    [3-9]) ;;
    [1-9][0-9]) [ -n "${BASH_VERSION:-}" ] ;;
    *) return 1 ;;
  esac
}

# Someone who only looks holds a shared lock for a moment, which must not cost the lease: two seconds are waited, or
# $sortie_lease_patience tenths of one.
lease_wait() {
  sortie_lease_tries=0
  while :; do
    lease_lock x "$1"
    sortie_lease_fault=$?
    [ $sortie_lease_fault -eq 1 ] && [ $sortie_lease_tries -lt "${sortie_lease_patience:-20}" ] || return $sortie_lease_fault
    sortie_lease_tries=$((sortie_lease_tries + 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
}

# Locks an open file without waiting, exclusively (x) or shared (s): 0 done, 1 held by another, 2 no tool for it.
# macOS has no flock: perl makes the same system call (tried on Linux only).
lease_lock() {
  if command -v flock >/dev/null 2>&1; then
    flock -n "-$1" "$2" 2>/dev/null
  else
    perl -MFcntl=:flock -e '
      open(my $file, "<&=", $ARGV[1]) or exit 2;
      exit(flock($file, LOCK_NB | ($ARGV[0] eq "x" ? LOCK_EX : LOCK_SH)) ? 0 : 1)' "$1" "$2" 2>/dev/null
  fi
  case $? in 0) ;; 1) return 1 ;; *) return 2 ;; esac
}

# Whether the descriptor is the file of that name still: not the target of a link that someone put there meanwhile,
# not a file that was removed. Where there is no /proc this is not checked.
lease_is_file_of() {
  [ -d /proc/self/fd ] || return 0
  # shellcheck disable=SC3013 # dash, bash and busybox know -ef; so does POSIX since 2024
  [ ! -L "$sortie_lease_file" ] && [ "$sortie_lease_file" -ef "/proc/self/fd/$1" ] || return 2
}

# Someone who came while /run/lock could not be written uses the other folder still.
lease_is_held_elsewhere() {
  [ -z "${SORTIE_LEASE_DIR:-}" ] || return 1
  for sortie_lease_place in /run/lock/sortie /tmp/sortie-gpus; do
    [ "$sortie_lease_place/$1.lease" = "$sortie_lease_file" ] || ! lease_is_held "$sortie_lease_place/$1.lease" || return 0
  done
  return 1
}

lease_is_held() {
  [ -f "$1" ] && [ ! -L "$1" ] || return 1
  (
    command exec 9<"$1" || exit 2
    lease_lock s 9
  ) 2>/dev/null
  [ $? -eq 1 ]
}

# Without O_CREAT, and through the descriptor: the text goes into the locked file whatever now has its name. A text that
# could not be written (a full disk) does not cost the lease.
lease_write() {
  sortie_lease_target=/proc/self/fd/$1
  [ -e "$sortie_lease_target" ] || sortie_lease_target=$sortie_lease_file
  printf '%s\n' "$sortie_lease_text" | dd "of=$sortie_lease_target" conv=nocreat 2>/dev/null && return
  # The dd of busybox has no nocreat.
  { printf '%s\n' "$sortie_lease_text" >"$sortie_lease_target"; } 2>/dev/null
  return 0
}

lease_drop() {
  lease_is_descriptor "$1" && eval "exec $1<&-"
}

lease_keep() {
  lease_make "$1" && touch -c "$sortie_lease_file" 2>/dev/null
}

lease_holder() {
  lease_is_uuid "$1" || return 1
  for sortie_lease_place in ${SORTIE_LEASE_DIR:+"$SORTIE_LEASE_DIR"} /run/lock/sortie /tmp/sortie-gpus; do
    if lease_is_held "$sortie_lease_place/$1.lease"; then
      lease_tell "$sortie_lease_place/$1.lease"
      return 0
    fi
    [ -z "${SORTIE_LEASE_DIR:-}" ] || return 1
  done
  return 1
}

# A holder writes its text just after it has the lock: an empty one is asked for again, for half a second.
lease_tell() {
  sortie_lease_tries=0
  while :; do
    sortie_lease_told=$(dd "if=$1" bs=1024 count=1 2>/dev/null)
    if [ -n "$sortie_lease_told" ] || [ $sortie_lease_tries -ge 5 ]; then break; fi
    sortie_lease_tries=$((sortie_lease_tries + 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
  [ -z "$sortie_lease_told" ] || printf '%s\n' "$sortie_lease_told"
}
