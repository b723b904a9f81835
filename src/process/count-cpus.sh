# shellcheck shell=sh disable=SC2030,SC2031 # a subshell on purpose: the caller's shell keeps nothing of it
# Prints how many CPUs a process may use: those of its affinity, and of them as many as the quotas of its cgroups allow;
# at least 1. $1 and $2 stand for the cgroup mounts and the list of the process's own cgroups.
count_cpus() (
  sortie_root=${1:-/sys/fs/cgroup}
  # nproc would take the number of threads that somebody wants for that of CPUs.
  sortie_cpus=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2>/dev/null) ||
    sortie_cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || sortie_cpus=1
  while IFS=: read -r sortie_number sortie_controllers sortie_group; do
    case "$sortie_number:,$sortie_controllers," in
      0:,,) set -- "$sortie_root" "$sortie_root/unified" ;;
      *,cpu,*) set -- "$sortie_root/$sortie_controllers" "$sortie_root/cpu" ;;
      *) continue ;;
    esac
    for sortie_mount; do hold_quotas; done
  done 2>/dev/null <"${2:-/proc/self/cgroup}" || :
  echo $((sortie_cpus > 0 ? sortie_cpus : 1))
)

# A quota holds for all that is below it. In a container its own group may be the mount itself, whatever the list says.
hold_quotas() {
  sortie_group=${sortie_group%/}
  sortie_below=$sortie_group
  while hold_quota "$sortie_mount$sortie_below"; do
    case "$sortie_below" in
      */*) sortie_below=${sortie_below%/*} ;;
      *) return 0 ;;
    esac
  done
}

# `max 100000` or `150000 100000` in one file, or the same in two: microseconds in each so many microseconds.
hold_quota() {
  sortie_quota='' sortie_period=''
  if [ -r "$1/cpu.max" ]; then
    read -r sortie_quota sortie_period <"$1/cpu.max" || return 0
  elif [ -r "$1/cpu.cfs_quota_us" ]; then
    read -r sortie_quota <"$1/cpu.cfs_quota_us" && read -r sortie_period <"$1/cpu.cfs_period_us" || return 0
  fi
  case "$sortie_quota:$sortie_period" in
    :* | *: | *[!0-9:]* | *:0) return 0 ;;
  esac
  sortie_allowed=$((sortie_quota / sortie_period))
  [ "$sortie_allowed" -ge "$sortie_cpus" ] || sortie_cpus=$sortie_allowed
}
