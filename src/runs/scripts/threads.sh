# shellcheck shell=sh
# Libraries start a thread for each CPU of the host, also where this run may use few of them, or several processes of it
# share them, one for each of $1 GPUs. Whoever has set one of these variables knows better.
set_threads() {
  [ -z "${OMP_NUM_THREADS+x}${MKL_NUM_THREADS+x}${OPENBLAS_NUM_THREADS+x}${NUMEXPR_NUM_THREADS+x}${VECLIB_MAXIMUM_THREADS+x}" ] || return 0
  set -- $(($(count_cpus) / $1))
  [ "$1" -ge 1 ] || set -- 1
  export OMP_NUM_THREADS="$1" MKL_NUM_THREADS="$1" OPENBLAS_NUM_THREADS="$1" NUMEXPR_NUM_THREADS="$1" VECLIB_MAXIMUM_THREADS="$1"
}
