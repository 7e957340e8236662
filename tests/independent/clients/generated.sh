#!/usr/bin/env bash
# Generates a client from the description of the content API, which must raise no warning and drop no operation,
# and calls every operation of a served copy of the small site with it: at the site's own address, and as a show.
#
#   tests/independent/clients/generated.sh FEEDWRIGHT python PYTHON
#   tests/independent/clients/generated.sh FEEDWRIGHT javascript NODE_MODULES
#
# PYTHON has openapi-python-client and ruff; NODE_MODULES has @hey-api/openapi-ts and typescript. Binds to 127.0.0.1
# only, writes to a temporary folder only, stops what it started.
set -euo pipefail
export LC_ALL=C.UTF-8 NO_PROXY=127.0.0.1 no_proxy=127.0.0.1

here=$(cd "$(dirname "$0")" && pwd)
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
feedwright=$(absolute "$1")
language=$2
tool=$(absolute "$3")

. "$here/../serving.sh"

work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cp -r "$here/../../fixtures/small-site" "$work/site"
cp -r "$work/site" "$work/network"
mkdir "$work/network/shows"
mv "$work/network/content" "$work/network/shows/small"
export FEEDWRIGHT_API_KEY=the-key-of-the-clients
serving "$work/site" "$work/log"
curl -sf "$url/api/v1/openapi.json" -o "$work/openapi.json"
cd "$work"

# Runs a command with the description of the site, and then with that of the show.
at_both() {
  "$@" openapi.json
  kill "$pid" && wait "$pid" || true
  serving "$work/network" "$work/log"
  curl -sf "$url/small/api/v1/openapi.json" -o openapi-of-show.json
  "$@" openapi-of-show.json
}

# Both generators write their warnings to the terminal and go on.
quiet() {
  if ! "$@" >"$work/generator.log" 2>&1 || grep -inE 'warn|unable|skipping|not be generated|error' "$work/generator.log"; then
    cat "$work/generator.log" >&2
    exit 1
  fi
}

case $language in
  python)
    # The media type of chapter files is JSON without saying so in its name.
    printf 'content_type_overrides:\n  application/json+chapters: application/json\n' >config.yaml
    PATH="$(dirname "$tool"):$PATH" quiet "$(dirname "$tool")/openapi-python-client" generate \
      --path openapi.json --output-path client --config config.yaml --fail-on-warning
    PYTHONPATH="$work/client" at_both "$tool" "$here/generated.py" "$here/generated_calls.json"
    ;;
  javascript)
    quiet "$tool/.bin/openapi-ts" -i openapi.json -o client --no-log-file
    cat >tsconfig.json <<'CONFIG'
{
  "compilerOptions": {
    "strict": true, "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"], "types": [],
    "module": "commonjs", "moduleResolution": "node10", "outDir": "client-js"
  },
  "include": ["client"]
}
CONFIG
    "$tool/.bin/tsc"
    at_both node "$here/generated.cjs" "$work/client-js" "$here/generated_calls.json"
    ;;
esac
