#!/usr/bin/env bash
# Serves a copy of the small site with feedwright and sends its API what a fuzzer makes of the API's own
# description: what fits it and what does not. Every answer has to be one that the description knows,
# and nothing that does not fit may be taken.
#
#   tests/independent/fuzz_api.sh FEEDWRIGHT PYTHON [EXAMPLES]
#
# PYTHON has schemathesis and openapi-spec-validator. Binds to 127.0.0.1 only, writes to a temporary
# folder only, stops what it started.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
feedwright=$(absolute "$1")
python=$(absolute "$2")
examples=${3:-12}
key=the-key-of-the-fuzzer

. "$here/serving.sh"

work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cp -r "$here/../fixtures/small-site" "$work/site"
# The names that the fuzzer is told, so that it gets beyond "there is no such item".
cat >"$work/site/content/items/fuzzed.md" <<'ITEM'
+++
id = "fuzzed"
title = "Fuzzed"
slug = "fuzzed-slug"

[podcast]
chapters = [{ startTime = 0, title = "Start" }, { startTime = 60 }]
+++
Text
ITEM

FEEDWRIGHT_API_KEY=$key serving "$work/site" "$work/log"

curl -sf "$url/api/v1/openapi.json" -o "$work/openapi.json"
curl -sf "$url/api/v1/openapi.yaml" -o "$work/openapi.yaml"
"$python" -m openapi_spec_validator "$work/openapi.json"
"$python" - "$work" <<'PYTHON'
import json, sys, yaml
work = sys.argv[1]
with open(f"{work}/openapi.json") as own, open(f"{work}/openapi.yaml") as other:
    assert json.load(own) == yaml.safe_load(other), "openapi.json and openapi.yaml differ"
PYTHON

cat >"$work/schemathesis.toml" <<CONFIG
[parameters]
"path.itemId" = "fuzzed"
"path.slug" = "fuzzed-slug"
CONFIG

cd "$work"
"$python" -m schemathesis.cli --config-file "$work/schemathesis.toml" run "$url/api/v1/openapi.json" \
    --header "Authorization: Bearer $key" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection \
    --phases examples,coverage,fuzzing \
    --exclude-operation-id deleteItem \
    --max-examples "$examples" --seed 20261120 --max-time 60 --continue-on-failure --no-color
# It has to be there still.
curl -sf -H "Authorization: Bearer $key" "$url/api/v1/feed/" -o /dev/null
echo "fuzz: $("$feedwright" --version) answered as described"
