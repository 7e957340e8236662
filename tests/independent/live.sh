#!/usr/bin/env bash
# Runs `check --live` against nginx and Caddy. With the file that the build wrote, it finds nothing; with a bad
# configuration, exactly the expected rules. A server that is not installed is skipped, except in CI.
#
#   tests/independent/live.sh [path of feedwright]
#
# Binds to 127.0.0.1 only, writes to a temporary folder only, stops what it started.
set -u
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "$0")/../.." && pwd)
feedwright=${1:-$root/target/debug/feedwright}
[ -x "$feedwright" ] || { echo "live: no feedwright binary: build it, or name it" >&2; exit 2; }
work=$(mktemp -d)
chmod 755 "$work"
pid=
stop() {
    [ -n "$pid" ] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    pid=
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

passed=0
failed=0
fail() {
    failed=$((failed + 1))
    echo "FAIL $1"
    shift
    printf '       %s\n' "$@"
}

free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

# --- The site: a show with chapters, transcript, cover and a hash of its recording ---------------

dir=$work/site
mkdir -p "$dir/content/items/walk" "$dir/content/media"
cat > "$dir/site.toml" <<'TOML'
base_url = "https://walks.test"
[hosting]
targets = ["nginx", "caddy"]
[output]
precompress = true
TOML
cat > "$dir/content/channel.md" <<'TOML'
+++
title = "Walks"
language = "en"
authors = ["Ada Lind"]
icon = { url = "media/cover.png", alt = "A pier" }
categories = ["Science > Nature"]
[itunes]
explicit = false
email = "ada@walks.test"
+++
Sounds of walks.
TOML
recording=$root/crates/media-facts/tests/fixtures/cbr-info.mp3
cp "$recording" "$dir/content/items/walk/walk.mp3"
hash=$(openssl dgst -sha256 -binary "$recording" | base64)
cat > "$dir/content/items/walk/index.md" <<TOML
+++
id = "walk"
title = "Harbour walk"
slug = "walk"
date_published = 2026-01-01T10:00:00Z
attachment = "walk.mp3"
[podcast]
transcripts = "walk.vtt"
chapters = [{ startTime = 0, title = "Start" }]
[[podcast.alternateEnclosures]]
type = "audio/mpeg"
length = $(stat -c %s "$recording")
sources = ["walk.mp3"]
integrity = { type = "sri", value = "sha256-$hash" }
+++
A walk.
TOML
printf 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n' > "$dir/content/items/walk/walk.vtt"
python3 - "$dir/content/media/cover.png" <<'PYTHON'
import struct, sys, zlib
side = 1400
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
pixels = chunk(b"IDAT", zlib.compress((b"\0" + b"\x30\x60\x90" * side) * side))
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + header + pixels + chunk(b"IEND", b""))
PYTHON
www=$work/www
if ! "$feedwright" --site "$dir" build --out "$www" > "$work/build.log" 2>&1; then
    cat "$work/build.log" >&2
    exit 1
fi
chmod -R a+rX "$www"

# --- The check ---------------------------------------------------------------------------------

# expect NAME ADDRESS [RULE...]: the rules that `check --live` reports, without repetition.
expect() {
    local name=$1 address=$2 got wanted
    shift 2
    "$feedwright" --site "$dir" check --live "$address" --json > "$work/report" 2> "$work/log"
    got=$(python3 -c 'import json, sys; print(" ".join(sorted({one.get("rule", "error") for one in json.load(open(sys.argv[1]))["diagnostics"]})))' "$work/report")
    wanted=$(printf '%s\n' "$@" | sort | xargs)
    if [ "$got" = "$wanted" ]; then
        passed=$((passed + 1))
    else
        fail "$name: rules [$got], not [$wanted]" "$(grep -o '"message": *"[^"]*"' "$work/report")" "$(cat "$work/log")"
    fi
}

# told NAME TEXT: the last report contains this text.
told() {
    if grep -qF -- "$2" "$work/report"; then passed=$((passed + 1)); else fail "$1 does not report: $2"; fi
}

# await PORT: waits until a server accepts connections.
await() {
    local tries=0
    until (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -gt 100 ] || ! kill -0 "$pid" 2>/dev/null; then
            fail "the server does not start" "$(tail -n 5 "$work/server.log")"
            return 1
        fi
        sleep 0.1
    done
}

# certificate NAME DAYS: a certificate for localhost, valid from yesterday for a number of days, and its key.
certificate() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$work/$1.key" \
        -subj "/CN=$1" -out "$work/$1.csr" 2> /dev/null
    openssl ca -batch -config "$work/ca.cnf" -in "$work/$1.csr" -out "$work/$1.pem" -notext -extensions "${3:-leaf}" \
        -startdate "$(date -u -d '-60 days' +%Y%m%d%H%M%SZ)" -enddate "$(date -u -d "$2 days" +%Y%m%d%H%M%SZ)" 2> "$work/ca.log" \
        || fail "the certificate $1" "$(cat "$work/ca.log")"
}

authority() {
    mkdir -p "$work/certs" && : > "$work/index" && echo 01 > "$work/serial"
    cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = own
[own]
database = $work/index
serial = $work/serial
new_certs_dir = $work/certs
certificate = $work/authority.pem
private_key = $work/authority.key
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[leaf]
basicConstraints = CA:FALSE
subjectAltName = DNS:localhost
[other]
basicConstraints = CA:FALSE
subjectAltName = DNS:walks.test
CNF
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$work/authority.key" -days 3650 \
        -subj "/CN=authority" -addext "basicConstraints=critical,CA:TRUE" -out "$work/authority.pem" 2> /dev/null
    certificate long "+90"
    certificate short "+5"
    certificate old "-1"
    certificate other "+90" other
}

# --- nginx ---------------------------------------------------------------------------------------

try_nginx() {
    local good bad moved long short old other plain
    good=$(free_port) bad=$(free_port) moved=$(free_port) plain=$(free_port)
    long=$(free_port) short=$(free_port) old=$(free_port) other=$(free_port)
    authority
    {
        echo "daemon off; pid $work/nginx.pid; error_log $work/server.log; worker_processes 1;"
        echo "events {} http { include /etc/nginx/mime.types; default_type application/octet-stream; access_log off;"
        for kind in body proxy fastcgi uwsgi scgi; do
            case $kind in body) echo "client_body_temp_path $work/tmp-body;" ;; *) nginx -V 2>&1 | grep -q "without-http_${kind}_module" || echo "${kind}_temp_path $work/tmp-$kind;" ;; esac
        done
        echo "server { listen 127.0.0.1:$good; root $www; include $www/feedwright.nginx.conf; }"
        echo "server { listen 127.0.0.1:$plain; root $www; }"
        echo "server { listen 127.0.0.1:$bad; root $www; max_ranges 0; etag off; if_modified_since off; expires 30d;"
        echo "  error_page 404 =200 /index.html; location /media/items/walk/ { types {} default_type text/plain; } }"
        for name in long short old other; do
            echo "server { listen 127.0.0.1:${!name} ssl; ssl_certificate $work/$name.pem; ssl_certificate_key $work/$name.key;"
            echo "  root $www; include $www/feedwright.nginx.conf; }"
        done
        echo "server { listen 127.0.0.1:$moved ssl; ssl_certificate $work/long.pem; ssl_certificate_key $work/long.key;"
        echo "  root $www; include $www/feedwright.nginx.conf;"
        echo "  rewrite ^/rss\.xml\$ http://localhost:$good/rss.xml permanent;"
        echo "  rewrite ^(/media/items/walk)/walk\.mp3\$ \$1/1.mp3 redirect; rewrite ^(/media/items/walk)/1\.mp3\$ \$1/walk.mp3 redirect; }"
        echo "}"
    } > "$work/nginx.conf"
    nginx -c "$work/nginx.conf" > "$work/server.log" 2>&1 &
    pid=$!
    await "$good" || return
    expect "nginx with the generated file" "http://127.0.0.1:$good"
    expect "nginx without the generated file" "http://127.0.0.1:$plain" live-headers
    told "nginx without the generated file" "include feedwright.nginx.conf in the server block"
    expect "nginx without ranges, ETag and 404" "http://127.0.0.1:$bad" live-headers live-media live-server
    told "nginx without ranges" "ignores byte ranges"
    told "nginx without ETag" "is sent again with"
    told "nginx with expires" "is cached for 2592000 s"
    told "nginx with a soft 404" "in place of 404"
    export SSL_CERT_FILE=$work/authority.pem
    expect "a certificate for 90 days" "https://localhost:$long"
    expect "a certificate for 5 days" "https://localhost:$short" live-server
    told "a certificate for 5 days" "expires in 4 days"
    expect "an expired certificate" "https://localhost:$old" live-server
    told "an expired certificate" "its certificate expired on"
    expect "a certificate for another host" "https://localhost:$other" live-server
    expect "bad redirects" "https://localhost:$moved" live-redirect
    told "bad redirects" "redirects to an unencrypted address"
    told "bad redirects" "redirects in a loop"
    unset SSL_CERT_FILE
    expect "an unknown authority" "https://localhost:$long" live-server
    told "an unknown authority" "not issued by a known authority"
    stop
}

# --- Caddy ---------------------------------------------------------------------------------------

try_caddy() {
    local good plain bad
    good=$(free_port) plain=$(free_port) bad=$(free_port)
    cat > "$work/Caddyfile" <<CADDY
{
    admin off
    auto_https off
    storage file_system $work/caddy
}
http://127.0.0.1:$good {
    bind 127.0.0.1
    root * $www
    import $www/feedwright.caddy
    file_server {
        precompressed gzip
    }
}
http://127.0.0.1:$plain {
    bind 127.0.0.1
    root * $www
    file_server
}
http://127.0.0.1:$bad {
    bind 127.0.0.1
    root * $www
    @head method HEAD
    respond @head 405
    header -ETag
    header -Last-Modified
    respond /robots.txt "User-agent: *
Disallow: /media/" 200
    try_files {path} {path}/index.html /index.html
    file_server
}
CADDY
    HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work caddy run --config "$work/Caddyfile" --adapter caddyfile > "$work/server.log" 2>&1 &
    pid=$!
    await "$good" || return
    expect "Caddy with the generated file" "http://127.0.0.1:$good"
    expect "Caddy without the generated file" "http://127.0.0.1:$plain" live-headers
    told "Caddy without the generated file" "import feedwright.caddy"
    expect "Caddy without HEAD, ETag and 404" "http://127.0.0.1:$bad" live-feed live-headers live-server
    told "Caddy without HEAD" "has status 405 for HEAD"
    told "Caddy with robots.txt" "forbids all programs to read /media/"
    stop
}

for server in nginx caddy; do
    if command -v "$server" > /dev/null; then
        "try_$server"
    else
        echo "$server: skipped, not installed"
        [ -z "${CI:-}" ] || failed=$((failed + 1))
    fi
done
expect "no server" "http://127.0.0.1:$(free_port)" live-server

echo "live: $passed passed, $failed failed"
[ "$failed" = 0 ]
