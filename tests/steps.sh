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
  [ -z "${CI:-}" ] || exit 1
}
