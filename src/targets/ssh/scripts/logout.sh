# shellcheck shell=sh disable=SC2034 # read by the scripts below
# Whether this host ends what a person started when they log out (logind's KillUserProcesses), and whether a scope of
# the person's own service manager is a way round it. $SORTIE_HOST_ROOT stands before the system's paths.

# Sets sortie_kills: empty, `scope`, or `no_way_round`.
read_logout() {
  sortie_kills=''
  sortie_root=${SORTIE_HOST_ROOT:-}
  [ -d "$sortie_root/run/systemd/system" ] || return 0
  sortie_person=$(id -un 2>/dev/null)
  # Without its own word, logind's configuration shows in a comment what it was built with.
  case "$(read_logind '#\{0,1\}KillUserProcesses' no)" in yes | true | on | 1) ;; *) return 0 ;; esac
  case " $(read_logind KillExcludeUsers root) " in *" $sortie_person "*) return 0 ;; esac
  sortie_only=$(read_logind KillOnlyUsers '')
  case " $sortie_only " in '  ' | *" $sortie_person "*) ;; *) return 0 ;; esac
  sortie_kills=no_way_round
  sortie_runtime=${XDG_RUNTIME_DIR:-$sortie_root/run/user/$(id -u)}
  if [ -e "$sortie_root/var/lib/systemd/linger/$sortie_person" ] && [ -e "$sortie_runtime/bus" ] &&
    command -v systemd-run >/dev/null 2>&1; then
    sortie_kills=scope
  fi
}

# The last assignment of a key holds: the main file of the first folder that has one, then all parts by name.
read_logind() {
  sortie_logind=$({
    for sortie_place in etc run usr/local/lib usr/lib; do
      [ -r "$sortie_root/$sortie_place/systemd/logind.conf" ] || continue
      cat "$sortie_root/$sortie_place/systemd/logind.conf"
      break
    done
    for sortie_part in "$sortie_root"/usr/lib/systemd/logind.conf.d/*.conf "$sortie_root"/run/systemd/logind.conf.d/*.conf \
      "$sortie_root"/etc/systemd/logind.conf.d/*.conf; do
      [ ! -r "$sortie_part" ] || printf '%s\t%s\n' "${sortie_part##*/}" "$sortie_part"
    done | LC_ALL=C sort -s -k 1,1 | cut -f 2- | while IFS= read -r sortie_part; do cat "$sortie_part"; done
  } 2>/dev/null | sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" | tail -n 1)
  printf '%s' "${sortie_logind:-$2}"
}
