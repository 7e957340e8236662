#!/usr/bin/env bash
# Serves a small site with feedwright, makes keys, and lets a published client library of the account API
# find its way by the base URL alone.
#
#   tests/independent/clients/account.sh FEEDWRIGHT CLIENT...
#
# CLIENT is the command that calls the API; account.py and account.cjs are two. Binds to 127.0.0.1 only,
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

mkdir -p "$work/site/content"
cat >"$work/site/site.toml" <<'TOML'
base_url = "https://example.com"

[[realtime]]
app_id = "14a396e7-ca44-4937-bf1f-050a69118543"

[[realtime.webhooks]]
id = "182bd5e5-6e1a-4fe4-a799-aa6d9a6ab26e"
name = "Meetings"
url = "https://example.com/hooks?a=b"
events = ["meeting.started", "livestreaming.statusUpdate"]
created_at = 2026-03-01T10:00:00Z
updated_at = 2026-07-02T12:30:00Z
TOML
printf '+++\ntitle = "Clients"\n+++\n' >"$work/site/content/channel.md"

key() { "$feedwright" keys create --site "$work/site" --name "$1" "${@:2}" 2>/dev/null; }
KEY=$(key active --scope realtime --not-before 2026-01-01T00:00:00Z --expires 365d)
PLAIN_KEY=$(key plain --scope content:read)
LATER_KEY=$(key later --scope realtime --not-before 365d)
REVOKED_KEY=$(key revoked --scope realtime)
"$feedwright" keys revoke --site "$work/site" revoked 2>/dev/null
export KEY PLAIN_KEY LATER_KEY REVOKED_KEY

serving "$work/site" "$work/log"

BASE_URL=$url/client/v4 "$@"
