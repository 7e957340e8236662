# What the scripts that run tests share, with `began` of the first.
target="${CARGO_TARGET_DIR:-target}"
venv="$target/validators"

# Says what comes next, and how many minutes have gone.
export began="${began:-$(date +%s)}"
step() {
  echo "== $(( ($(date +%s) - began) / 60 )) min: $1"
}

# What could not be checked is said; in CI it is an error.
without() {
  echo "not checked: $1 (needs $2)" >&2
  [ -z "${CI:-}" ] || failed "$1"
}

# Runs a command if it can run, and goes on after a failure, which is kept in $target/failures:
#
#   check WORDS NEEDS COMMAND...
#
# NEEDS names what is needed: programs, and `venv` or `modules` for the packages of Python and npm.
check() {
  words=$1 needs=$2
  shift 2
  for need in $needs; do
    case $need in
      venv) [ -x "$venv/bin/python" ] || { without "$words" "python3 with venv"; return 0; } ;;
      modules) [ -n "$modules" ] || { without "$words" "node and npm"; return 0; } ;;
      *) command -v "$need" >/dev/null 2>&1 || { without "$words" "$need"; return 0; } ;;
    esac
  done
  "$@" || failed "$words"
}

# Keeps a failure, to be said once more at the end.
failed() {
  echo "failed: $1" | tee -a "$target/failures"
}

# Tests make and delete many small files, which takes a disk most of their time, and saves wait for it. So their sites
# are in memory, where there is room.
sites_in_memory() {
  case "${TMPDIR:-}" in /dev/shm/*) return ;; esac
  if [ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print ($4 > 4000000) }')" = 1 ]; then
    TMPDIR="$(mktemp -d /dev/shm/feedwright-XXXXXX)"
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
  fi
}
