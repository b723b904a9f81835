# shellcheck shell=sh disable=SC2034,SC2154 # the settings and the guard's state are shared with guard.sh
# The guard's talk with the vendor. The instance's own key goes by standard input or a file of mode 0600: the arguments
# of a process can be read by everybody on the machine.

# The vendor puts the instance's key and number into the environment of its first process. The key is good for this
# instance alone.
find_key() {
  sortie_key=$(read_variable CONTAINER_API_KEY)
  sortie_own_id=$(read_variable CONTAINER_ID)
  case "$sortie_key" in
    '') refuse no_key "$sortie_environ has no CONTAINER_API_KEY" ;;
    *[!A-Za-z0-9_.-]*) refuse no_key "the CONTAINER_API_KEY of $sortie_environ is not a key" ;;
  esac
  [ "$sortie_own_id" = "$sortie_instance" ] ||
    refuse other_instance "this should be instance $sortie_instance, but its CONTAINER_ID is '$sortie_own_id'"
}

read_variable() {
  tr '\0' '\n' 2>/dev/null <"$sortie_environ" | sed -n "s/^$1=//p" | head -n 1
}

# Sets sortie_clients, those of the programs that can do it here. The wget of busybox can send no PUT.
find_clients() {
  sortie_clients=''
  ! command -v curl >/dev/null 2>&1 || sortie_clients='curl '
  case "$(wget --version 2>/dev/null)" in
    "GNU Wget"*)
      # Written now: the disk may be full later.
      printf 'header = Authorization: Bearer %s\n' "$sortie_key" 2>/dev/null >wget.conf && sortie_clients="${sortie_clients}wget "
      ;;
  esac
  ! command -v python3 >/dev/null 2>&1 || sortie_clients="${sortie_clients}python3 "
  [ -n "$sortie_clients" ] || refuse no_client "none of curl, GNU wget and python3 is here"
}

# Asks until the machine stops under it. That the vendor agreed does not end it: only the stop itself does.
have_it_stopped() {
  sortie_wait_cs=$sortie_retry_cs
  while :; do
    is_ours || leave replaced
    [ "$sortie_reason" != uncollected ] || ! is_collected || leave collected
    sortie_asks=$((sortie_asks + 1))
    if ask_vendor; then
      log_line "stopping: asked ${sortie_clients%% *} for the stop ($sortie_asks), the vendor agreed"
      sortie_wait_cs=$sortie_retry_cs
    else
      log_line "stopping: asked ${sortie_clients%% *} for the stop ($sortie_asks), in vain: $(shorten_answer)"
      # The next client in turn: this one may be what is wrong.
      sortie_clients="${sortie_clients#* }${sortie_clients%% *} "
      sortie_wait_cs=$((sortie_wait_cs * 2))
      [ $sortie_wait_cs -le $((sortie_retry_cs * 16)) ] || sortie_wait_cs=$((sortie_retry_cs * 16))
    fi
    read_clock
    sortie_elapsed_cs=$((sortie_before_cs + sortie_now_cs - sortie_start_cs))
    write_state
    pause_cs "$sortie_wait_cs"
  done
}

# The last line of an answer is the HTTP status. A refusal may come with status 200 and say so only in its text.
ask_vendor() {
  sortie_body='{"state":"stopped"}'
  sortie_answer=$(ask_by_"${sortie_clients%% *}" 2>&1)
  case "$(printf '%s' "$sortie_answer" | tail -n 1)" in 2[0-9][0-9]) ;; *) return 1 ;; esac
  case "$(printf '%s' "$sortie_answer" | tr -d ' \t\r\n')" in *'"success":true'*) ;; *) return 1 ;; esac
}

ask_by_curl() {
  printf 'header = "Authorization: Bearer %s"\n' "$sortie_key" |
    curl -q -g -sS --noproxy '*' --max-time 60 -X PUT -H 'Content-Type: application/json' -d "$sortie_body" \
      -w '\n%{http_code}' -K - "$sortie_stop_url"
}

ask_by_wget() {
  wget --config=wget.conf -q --no-proxy --tries=1 --timeout=60 --max-redirect=0 --method=PUT \
    --header='Content-Type: application/json' --body-data="$sortie_body" --content-on-error -O - "$sortie_stop_url"
  sortie_exit=$?
  if [ $sortie_exit -eq 0 ]; then printf '\n200'; else printf '\nwget ended with %s' $sortie_exit; fi
}

ask_by_python3() {
  printf '%s' "$sortie_key" | python3 -I -c "$sortie_python" "$sortie_stop_url" "$sortie_body"
}

# One printable line, without the key.
shorten_answer() {
  while :; do
    case "$sortie_answer" in
      *"$sortie_key"*) sortie_answer="${sortie_answer%%"$sortie_key"*}(key)${sortie_answer#*"$sortie_key"}" ;;
      *) break ;;
    esac
  done
  printf '%s' "$sortie_answer" | tr '\n' ' ' | tr -cd ' -~' | cut -c1-300
}

pause_cs() {
  sortie_rest=$((100 + $1 % 100))
  sleep $(($1 / 100)).${sortie_rest#1} 2>/dev/null || sleep $(($1 / 100 + 1))
}
