#!/usr/bin/env bash
# Serves a small site with feedwright, makes keys, and lets a published client library of the warehouse API
# find its way by the server's address alone.
#
#   tests/independent/clients/warehouse.sh FEEDWRIGHT CLIENT...
#
# CLIENT is the command that calls the API; warehouse.py and warehouse.cjs are two. Binds to 127.0.0.1 only,
# writes to a temporary folder only, stops what it started.
set -euo pipefail
export LC_ALL=C.UTF-8 NO_PROXY=127.0.0.1 no_proxy=127.0.0.1

feedwright=$1
shift

. "$(dirname "$0")/../serving.sh"

work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

mkdir -p "$work/site/content/items"
printf 'base_url = "https://example.com"\n' >"$work/site/site.toml"
printf '+++\ntitle = "Clients"\n+++\n' >"$work/site/content/channel.md"
for id in one two three; do
    printf '+++\nid = "%s"\ntitle = "Item %s"\ndate_published = 2026-11-20T20:00:00Z\n+++\nText\n' "$id" "$id" \
        >"$work/site/content/items/$id.md"
done

key() { "$feedwright" keys create --site "$work/site" --name "$1" "${@:2}" 2>/dev/null; }
KEY=$(key all --scope warehouse)
READ_KEY=$(key reader --scope warehouse.read_only)
PLAIN_KEY=$(key plain --scope content:read)
export KEY READ_KEY PLAIN_KEY

serving "$work/site" "$work/log"

ADDRESS=$url SITE=$work/site "$@"
