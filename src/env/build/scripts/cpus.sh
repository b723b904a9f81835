# shellcheck shell=sh
# How many CPUs a process may use here: those that it may run on, or fewer where its control group (version 1 or 2, at any
# level) has a quota; at least one.

count_cpus() {
  sortie_cpus=$(count_allowed)
  case $sortie_cpus in '' | 0 | *[!0-9]*) sortie_cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) ;; esac
  for sortie_quota in $(list_quotas); do
    [ "$sortie_quota" -ge "$sortie_cpus" ] || sortie_cpus=$sortie_quota
  done
  echo "$sortie_cpus"
}

# Ranges as in `0-3,8`.
count_allowed() {
  awk '/^Cpus_allowed_list:/ {
    count = split($2, ranges, ",")
    for (i = 1; i <= count; i++) total += split(ranges[i], ends, "-") == 2 ? ends[2] - ends[1] + 1 : 1
    print total
  }' /proc/self/status 2>/dev/null
}

# Whole CPUs of each quota from this process' own group upwards.
list_quotas() {
  while IFS=: read -r _ sortie_controllers sortie_group; do
    case ,$sortie_controllers, in
      ,,) list_quotas_below "${sortie_cgroups:-/sys/fs/cgroup}" "$sortie_group" ;;
      *,cpu,*)
        for sortie_root in "${sortie_cgroups:-/sys/fs/cgroup}/cpu" "${sortie_cgroups:-/sys/fs/cgroup}/$sortie_controllers"; do
          list_quotas_below "$sortie_root" "$sortie_group"
        done
        ;;
    esac
  done 2>/dev/null <"${sortie_membership:-/proc/self/cgroup}"
}

list_quotas_below() {
  sortie_level=$2
  while :; do
    sortie_limits=$(cat "$1$sortie_level/cpu.max" 2>/dev/null ||
      cat "$1$sortie_level/cpu.cfs_quota_us" "$1$sortie_level/cpu.cfs_period_us" 2>/dev/null | tr '\n' ' ')
    # shellcheck disable=SC2086 # two numbers; `max` and -1 stand for none
    set -- "$1" $sortie_limits
    case ${2:-max} in max | -* | *[!0-9]*) ;; *) [ "${3:-0}" -eq 0 ] || echo $(($2 < $3 ? 1 : $2 / $3)) ;; esac
    [ -n "$sortie_level" ] || break
    sortie_level=${sortie_level%/*}
  done
}
