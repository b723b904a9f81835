# shellcheck shell=sh
# Looks whether packages of the system are there; nothing is installed on a host that belongs to a person.

# All packages in one answer. Without a package manager that is known, the later checks must show what is missing.
sortie_check_system() {
  if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    sortie_manager=apt sortie_install="sudo apt-get install -y"
  elif command -v rpm >/dev/null 2>&1; then
    sortie_manager=rpm sortie_install="sudo dnf install -y"
  elif command -v apk >/dev/null 2>&1; then
    sortie_manager=apk sortie_install="sudo apk add"
  elif command -v pacman >/dev/null 2>&1; then
    sortie_manager=pacman sortie_install="sudo pacman -S --needed"
  elif command -v brew >/dev/null 2>&1; then
    sortie_manager=brew sortie_install="brew install"
  else
    echo "no package manager that Sortie knows is here; not checked: $*"
    return 0
  fi
  sortie_missing=
  for sortie_package; do
    sortie_has_package "$sortie_package" || sortie_missing="$sortie_missing $sortie_package"
  done
  [ -n "$sortie_missing" ] || return 0
  echo "packages of the system are missing; install them and build again: $sortie_install$sortie_missing" >&2
  return 1
}

sortie_has_package() {
  case $sortie_manager in
    apt) dpkg-query -s -- "${1%%=*}" 2>/dev/null | grep -q '^Status: .* installed$' ;;
    rpm) rpm -q --whatprovides -- "$1" >/dev/null 2>&1 ;;
    apk) apk info -e "$1" >/dev/null 2>&1 ;;
    pacman) pacman -Qq -- "$1" >/dev/null 2>&1 ;;
    brew) brew list --versions "$1" >/dev/null 2>&1 ;;
  esac
}
