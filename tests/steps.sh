# What the scripts that run tests share, with `began` of the first.
target="${CARGO_TARGET_DIR:-target}"
venv="$target/validators"

# Says what comes next, and how many minutes have gone.
export began="${began:-$(date +%s)}"
step() {
  echo "== $(( ($(date +%s) - began) / 60 )) min: $1"
}

# Reports what could not be checked. In CI, that is a failure.
without() {
  echo "not checked: $1 (needs $2)" >&2
  [ -z "${CI:-}" ] || failed "$1"
}

# Runs a command if what it needs is installed. If the command fails, records that and goes on.
#
#   check DESCRIPTION NEEDS COMMAND...
#
# NEEDS is a list of programs. `venv` and `modules` stand for the packages of Python and npm.
check() {
  description=$1 needs=$2
  shift 2
  for need in $needs; do
    case $need in
      venv) [ -x "$venv/bin/python" ] || { without "$description" "python3 with venv"; return 0; } ;;
      modules) [ -n "$modules" ] || { without "$description" "node and npm"; return 0; } ;;
      *) command -v "$need" >/dev/null 2>&1 || { without "$description" "$need"; return 0; } ;;
    esac
  done
  "$@" || failed "$description"
}

# Records a failure in $target/failures, which tests/run prints at its end.
failed() {
  hasFailed=true
  echo "failed: $1" | tee -a "$target/failures"
}

# Puts the sites of tests in memory if there is room. Tests create and delete many small files, which on a disk takes
# longer than the tests themselves.
sites_in_memory() {
  case "${TMPDIR:-}" in /dev/shm/*) return ;; esac
  if [ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print ($4 > 4000000) }')" = 1 ]; then
    TMPDIR="$(mktemp -d /dev/shm/feedwright-XXXXXX)"
    # Some tests run the program as another user.
    chmod 755 "$TMPDIR"
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
  fi
}
