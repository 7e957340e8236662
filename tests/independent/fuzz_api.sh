#!/usr/bin/env bash
# Serves a copy of the small site with feedwright and sends its APIs what a fuzzer makes of their descriptions: what
# fits them and what does not. Every answer has to be one that the description knows, what fits has to be accepted,
# and nothing that does not fit may be.
#
#   tests/independent/fuzz_api.sh FEEDWRIGHT PYTHON [EXAMPLES [SEED]]
#
# The content API serves its own description; those of the others are in descriptions/. A failure prints the seed,
# which repeats it. PYTHON has schemathesis and openapi-spec-validator. Binds to 127.0.0.1 only, writes to a temporary
# folder only, stops what it started.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
feedwright=$(absolute "$1")
python=$(absolute "$2")
examples=${3:-12}
# By hand a random one. CI takes one seed, so that a commit fails for what it changed.
random=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
seed=${4:-${CI:+99}}
seed=${seed:-$random}
key=the-key-of-the-fuzzer
echo "fuzz: seed $seed"

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
mkdir -p "$work/site/content/calendars/fuzz"
printf 'summary = "Fuzz"\ntimeZone = "Europe/Berlin"\nprimary = true\n' >"$work/site/content/calendars/fuzz/calendar.toml"
cat >"$work/site/content/calendars/fuzz/weekly.md" <<'EVENT'
+++
id = "weekly"
summary = "Every week"
recurrence = ["RRULE:FREQ=WEEKLY"]
attendees = [{ email = "ada@example.com" }]
extendedProperties = { private = { a = "b" }, shared = { c = "d" } }

[start]
dateTime = 2026-03-02T19:00:00
timeZone = "Europe/Berlin"

[end]
dateTime = 2026-03-02T20:00:00
timeZone = "Europe/Berlin"
+++
EVENT
cat >>"$work/site/site.toml" <<'TOML'

[[realtime]]
app_id = "fuzz"

[[realtime.webhooks]]
id = "182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e"
name = "Meetings"
url = "https://example.com/hooks"
events = ["meeting.started"]
TOML

FEEDWRIGHT_API_KEY=$key serving "$work/site" "$work/log"

curl -sf "$url/api/v1/openapi.json" -o "$work/content.json"
curl -sf "$url/api/v1/openapi.yaml" -o "$work/content.yaml"
"$python" - "$work" "$here/descriptions" <<'PYTHON'
import json, pathlib, sys, yaml
work, descriptions = map(pathlib.Path, sys.argv[1:])
own = json.loads((work / "content.json").read_text())
assert own == yaml.safe_load((work / "content.yaml").read_text()), "openapi.json and openapi.yaml differ"
for file in descriptions.iterdir():
    (work / f"{file.stem}.json").write_text(json.dumps(yaml.safe_load(file.read_text())))
PYTHON
for api in content account calendar warehouse; do
  "$python" -m openapi_spec_validator "$work/$api.json"
done

# A dataset, a table and a job for the warehouse.
post() {
  curl -sf -X POST -H "Authorization: Bearer $key" -H 'Content-Type: application/json' -d "$2" \
    "$url/warehouse/v2/projects/site/$1" -o /dev/null
}
post datasets '{"datasetReference": {"datasetId": "fuzz"}}'
post datasets/fuzz/tables '{"tableReference": {"tableId": "t"}, "schema": {"fields": [{"name": "n", "type": "INT64"}, {"name": "t", "type": "STRING"}]}}'
post jobs '{"jobReference": {"jobId": "fuzz"}, "configuration": {"query": {"query": "SELECT 1", "useLegacySql": false}}}'

cat >"$work/schemathesis.toml" <<CONFIG
[parameters]
"path.itemId" = "fuzzed"
"path.slug" = "fuzzed-slug"
"path.app_id" = "fuzz"
"path.webhook_id" = "182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e"
"path.calendarId" = "primary"
"path.eventId" = "weekly"
"path.project" = "site"
"path.dataset" = "fuzz"
"path.table" = "t"
"path.job" = "fuzz"
CONFIG

# Fuzzes one API for so many seconds at most. The rest says where its description and its address are.
fuzz() {
  local api=$1 seconds=$2
  shift 2
  echo "fuzz: the $api API"
  PYTHONPATH=$here SCHEMATHESIS_HOOKS=fuzz_checks "$python" -m schemathesis.cli \
    --config-file "$work/schemathesis.toml" run "$@" \
    --header "Authorization: Bearer $key" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,rejects_what_is_not_described,accepts_what_is_described \
    --phases examples,coverage,fuzzing \
    --max-examples "$examples" --seed "$seed" --max-time "$seconds" --continue-on-failure --no-color
}
cd "$work"
isWell=true
fuzz content 45 "$url/api/v1/openapi.json" --exclude-operation-id deleteItem || isWell=false
fuzz account 10 account.json --url "$url/client/v4" || isWell=false
fuzz calendar 20 calendar.json --url "$url/calendar/v3" || isWell=false
fuzz warehouse 25 warehouse.json --url "$url/warehouse/v2" || isWell=false
"$isWell" || { echo "fuzz: seed $seed repeats this" >&2; exit 1; }
# The server has to be there still.
curl -sf -H "Authorization: Bearer $key" "$url/api/v1/feed/" -o /dev/null
echo "fuzz: $("$feedwright" --version) answered as described"
