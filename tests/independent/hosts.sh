#!/usr/bin/env bash
# Serves a built site with nginx, Apache and Caddy, each with the file the build wrote for it, and asks
# with curl for everything that goes beyond plain files. A server that is not installed is skipped, except in CI. Kinds of
# files that no question asks for are compared with unjudged.txt.
#
#   tests/independent/hosts.sh [path of feedwright]
#
# Binds to 127.0.0.1 only, writes to a temporary folder only, stops what it started.
set -u
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
feedwright=${1:-}
if [ -z "$feedwright" ]; then
    for kind in release debug; do
        [ -x "$root/target/$kind/feedwright" ] && feedwright=$root/target/$kind/feedwright && break
    done
fi
[ -x "$feedwright" ] || { echo "hosts: no feedwright binary: build it, or name it" >&2; exit 2; }
command -v curl >/dev/null || { echo "hosts: curl is missing" >&2; exit 2; }

work=$(mktemp -d)
# Servers that drop root have to read the site.
chmod 755 "$work"
pid=
stop() {
    [ "$failed" = "$before" ] || tail -n 5 "$work/server.log"
    before=$failed
    [ -n "$pid" ] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    pid=
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

passed=0
failed=0
before=0
server=

pass() { passed=$((passed + 1)); }
skipped() {
    echo "$1: skipped, not installed"
    [ -z "${CI:-}" ] || failed=$((failed + 1))
}
fail() {
    failed=$((failed + 1))
    echo "FAIL $server: $1"
    shift
    printf '       %s\n' "$@"
}

# --- The sites ---------------------------------------------------------------------------------

# site NAME BASE_URL: items of three scripts, chapters, media, former addresses of all kinds.
site() {
    local dir=$work/$1
    mkdir -p "$dir/content/items/show" "$dir/content/media" "$dir/site-files"
    cat > "$dir/site.toml" <<TOML
base_url = "$2"
[feed]
limit = 1
[hosting]
targets = ["nginx", "apache", "caddy"]
TOML
    printf '+++\ntitle = "Walks"\n+++\nSounds of walks.\n' > "$dir/content/channel.md"
    cat > "$dir/content/items/show/index.md" <<'TOML'
+++
id = "show1"
title = "日本語のタイトル"
slug = "日本語の散歩"
date_published = 2026-01-01T10:00:00Z
tags = ["walks"]
aliases = ["first-name", "مرحبا-بالعالم", "/old post/été (1).html", "/2019/%E6%97%A5 a+b/", "/archive/no-slash", '/say "hi":*{1}/']
attachment = "show.mp3"
[[podcast.chapters]]
startTime = 0
title = "Start"
[[podcast.chapters]]
startTime = 1
title = "End"
+++
A walk.
TOML
    cp "$root/crates/media-facts/tests/fixtures/cbr-info.mp3" "$dir/content/items/show/show.mp3"
    cp "$root/examples/show/content/media/cover.png" "$dir/content/media/cover.png"
    printf '+++\nid = "next2"\ntitle = "Next"\nslug = "next-walk"\ndate_published = 2026-01-02T10:00:00Z\n+++\n![Cover](/media/cover.png)\n' > "$dir/content/items/next.md"
    {
        printf 'WEBVTT\n\n'
        for name in $(seq 10 59); do printf '00:%s.000 --> 00:%s.900\nHi\n\n' "$name" "$name"; done
    } > "$dir/content/media/show.vtt"
    printf '1\n00:00:00,000 --> 00:00:01,000\nHi\n' > "$dir/content/media/show.srt"
    local name
    for name in drawing.svg DRAWING.SVG page.html script.js feed.xml odd.unheard doc.pdf photo.jpg; do
        printf '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>\n' > "$dir/content/media/$name"
    done
    printf '+++\ntitle = "About"\nslug = "about"\naliases = ["who"]\n+++\nAbout.\n' > "$dir/content/about.tmp"
    mkdir -p "$dir/content/pages" && mv "$dir/content/about.tmp" "$dir/content/pages/about.md"
}

# many NAME: ten thousand redirects.
many() {
    site "$1" "http://127.0.0.1"
    {
        printf '+++\nid = "many3"\ntitle = "Many"\nslug = "many"\ndate_published = 2026-01-03T10:00:00Z\naliases = [\n'
        seq -f '"/was/%05.0f/",' 1 10000
        printf ']\n+++\nMany.\n'
    } > "$work/$1/content/items/many.md"
}

# build NAME OUT: publishes at OUT below the server's root.
build() {
    if ! "$feedwright" --site "$work/$1" build --out "$2" > "$work/build.log" 2>&1; then
        cat "$work/build.log" >&2
        echo "hosts: the site $1 does not build" >&2
        exit 1
    fi
    chmod -R a+rX "$2"
}

site plain "http://127.0.0.1"
site below "http://127.0.0.1/blog"
printf '[output]\nprecompress = true\n' >> "$work/below/site.toml"
many many
build plain "$work/www-plain"
mkdir -p "$work/www-below" && build below "$work/www-below/blog"
build many "$work/www-many"

# one_of_each FOLDER: the first path of each extension below FOLDER of the site, the same on every file system.
one_of_each() { (cd "$work/www-plain" && find "$1" -type f | sort | awk -F. '!seen[$NF]++'); }
assets=$(one_of_each assets)
audio=$(one_of_each media | grep '[.]mp3$')
sizes=$(one_of_each media/sizes)
[ -n "$assets" ] && [ -n "$audio" ] && [ -n "$sizes" ] || { echo "hosts: the fixture site has no asset, media or smaller picture" >&2; exit 1; }

free_port() {
    local port
    while :; do
        # Below those that the system gives to connections.
        port=$((20000 + RANDOM % 12000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

# --- Questions ---------------------------------------------------------------------------------

# ask NAME EXPECTED... -- CURL ARGUMENTS: EXPECTED is `status`, or `field: pattern` (an extended regular
# expression of the whole value), or `no field`, or `body pattern`.
ask() {
    local name=$1 expected=() head=$work/head body=$work/body line field wanted got
    shift
    while [ "$1" != "--" ]; do expected+=("$1"); shift; done
    shift
    printf '%s\n' "${!#}" >> "$work/addresses"
    if ! curl -sS --max-time 10 -D "$head" -o "$body" "$@" 2> "$work/curl.log"; then
        fail "$name" "$(cat "$work/curl.log")"
        return
    fi
    local problems=()
    for line in "${expected[@]}"; do
        case $line in
            30x)
                got=$(grep '^HTTP/' "$head" | tail -n 1 | cut -d' ' -f2 | tr -d '\r')
                case $got in 301 | 308) ;; *) problems+=("status $got, not 301 or 308") ;; esac ;;
            [0-9][0-9][0-9])
                got=$(grep '^HTTP/' "$head" | tail -n 1 | cut -d' ' -f2 | tr -d '\r')
                [ "$got" = "$line" ] || problems+=("status $got, not $line") ;;
            "no "*)
                field=${line#no }
                grep -qi "^$field:" "$head" && problems+=("there is a field $field: $(grep -i "^$field:" "$head" | tr -d '\r')") ;;
            "body "*)
                grep -qE "${line#body }" "$body" || problems+=("the body has no ${line#body }: $(head -c 120 "$body" | tr -d '\0')") ;;
            *)
                field=${line%%: *}
                wanted=${line#*: }
                # Escapes in lower case mean the same (RFC 3986 section 6.2.2.1).
                got=$(grep -i "^$field:" "$head" | tr -d '\r' | sed 's/^[^:]*: *//; s/%[0-9a-f][0-9a-f]/\U&/g')
                printf '%s\n' "$got" | grep -qxE "$wanted" && [ "$(printf '%s\n' "$got" | wc -l)" = 1 ] \
                    || problems+=("$field is \"$got\", not \"$wanted\"") ;;
        esac
    done
    if [ ${#problems[@]} = 0 ]; then pass; else fail "$name" "${problems[@]}"; fi
}

# A Location may be relative or whole; it never names a port or scheme other than the server's own.
place() { printf 'location: (http://127.0.0.1:%s)?%s' "$port" "$(printf %s "$1" | sed 's/[?.+()]/\\&/g')"; }

# questions PORT BASE
questions() {
    port=$1
    local base=$2 at="http://127.0.0.1:$1$2"
    local cors='access-control-allow-origin: \*'
    local show=/i/%E6%97%A5%E6%9C%AC%E8%AA%9E%E3%81%AE%E6%95%A3%E6%AD%A9/
    local about="below ${base:-/}:"

    ask "$about home" 200 'content-type: text/html.*' -- "$at/"
    ask "$about item with a Japanese slug" 200 'content-type: text/html.*' -- "$at$show"
    ask "$about item without its slash" 30x "$(place "$base$show")" -- "$at${show%/}"
    ask "$about id" 301 "$(place "$base$show")" -- "$at/i/show1/"
    ask "$about id, HEAD" 301 "$(place "$base$show")" -- -I "$at/i/show1/"
    ask "$about id, query" 301 "$(place "$base$show?a=b&c=%20D")" -- "$at/i/show1/?a=b&c=%20D"
    ask "$about alias" 301 "$(place "$base$show")" -- "$at/i/first-name/"
    ask "$about alias without its slash ends at the item" 200 "body 日本語" -- -L "$at/i/first-name"
    ask "$about Arabic alias" 301 "$(place "$base$show")" -- "$at/i/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7-%D8%A8%D8%A7%D9%84%D8%B9%D8%A7%D9%84%D9%85/"
    ask "$about Arabic alias, lower-case escapes" 301 "$(place "$base$show")" -- "$at/i/%d9%85%d8%b1%d8%ad%d8%a8%d8%a7-%d8%a8%d8%a7%d9%84%d8%b9%d8%a7%d9%84%d9%85/"
    ask "$about former path with spaces, accents and brackets" 301 "$(place "$base$show")" -- "$at/old%20post/%C3%A9t%C3%A9%20(1).html"
    ask "$about former path written with escapes" 301 "$(place "$base$show")" -- "$at/2019/%E6%97%A5%20a+b/"
    ask "$about former path without a slash" 301 "$(place "$base$show")" -- "$at/archive/no-slash"
    ask "$about former path of punctuation" 301 "$(place "$base$show")" -- -g "$at/say%20%22hi%22:*%7B1%7D/"
    ask "$about a Page's alias" 301 "$(place "$base/about/")" -- "$at/who/"
    ask "$about id of another item" 301 "$(place "$base/i/next-walk/")" -- "$at/i/next2/"

    local json='content-type: application/feed\+json(; ?charset=utf-8)?' rss='content-type: application/xml; ?charset=utf-8'
    local path
    for path in /feed.json /json/ /feed/2.json /i/show1/item.json /i/show1/json/ /tags/walks/feed.json; do
        ask "$about $path" 200 "$json" "$cors" 'body "version": ?"https://jsonfeed.org' -- "$at$path"
    done
    for path in /rss.xml /rss/ /rss/2.xml /i/show1/item.rss /i/show1/rss/ /tags/walks/rss.xml; do
        ask "$about $path" 200 "$rss" "$cors" 'body <rss ' -- "$at$path"
    done
    ask "$about /rss/, HEAD" 200 "$rss" "$cors" -- -I "$at/rss/"
    ask "$about /json/, query" 200 "$json" -- "$at/json/?fresh=1"
    ask "$about /rss.css" 200 'content-type: text/css.*' -- "$at/rss.css"
    for path in "$show" /i/show1/ /i/first-name/; do
        ask "$about ${path}chapters.json" 200 'content-type: application/json\+chapters(; ?charset=utf-8)?' "$cors" 'body "chapters"' -- "$at${path}chapters.json"
    done

    local caching='cache-control: public, max-age=300, must-revalidate'
    ask "$about media" 200 'content-type: audio/mpeg' "$cors" 'accept-ranges: bytes' "$caching" -- "$at/$audio"
    ask "$about media, HEAD" 200 'content-type: audio/mpeg' "$cors" 'content-length: [1-9][0-9]*' -- -I "$at/$audio"
    ask "$about a range of media" 206 'content-range: bytes 10-19/[0-9]+' 'content-length: 10' "$cors" "$caching" -- -H 'Range: bytes=10-19' "$at/$audio"
    ask "$about a transcript" 200 'content-type: text/vtt(; ?charset=utf-8)?' "$cors" -- "$at/media/show.vtt"
    ask "$about a transcript in SubRip" 200 'content-type: application/x-subrip' "$cors" -- "$at/media/show.srt"
    local policy="content-security-policy: sandbox; default-src 'none'; .*" plain='x-content-type-options: nosniff'
    for path in drawing.svg DRAWING.SVG page.html script.js feed.xml odd.unheard; do
        ask "$about $path has no origin" 200 "$policy" "$plain" "$cors" -- "$at/media/$path"
    done
    for path in doc.pdf photo.jpg cover.png show.vtt show.srt "${audio#media/}"; do
        ask "$about $path is what it was" 200 'no content-security-policy' "$plain" "$cors" -- "$at/media/$path"
    done
    ask "$about a page has no policy" 200 'no content-security-policy' -- "$at/"
    for path in $assets $sizes; do
        ask "$about $path never changes" 200 'cache-control: public, max-age=31536000, immutable' -- "$at/$path"
    done
    ask "$about a text" 200 'content-type: text/plain; ?charset=utf-8' -- "$at/llms.txt"

    for path in /nothing/ /nothing /i/ /media/ /assets/ /i/nothing/item.json /i/nothing/json/ /assets/nothing.css; do
        ask "$about $path is not found" 404 'content-type: text/html.*' 'no cache-control' 'body <html' -- "$at$path"
    done
}

# copies PORT BASE FOLDER: the compressed copies that the build wrote, to those who take them and to no one else.
copies() {
    local at="http://127.0.0.1:$1$2" folder=$3 path file type
    local vary='vary: (.*, ?)?[Aa]ccept-[Ee]ncoding(,.*)?' style script
    style=$(cd "$folder" && find assets -name '*.css.gz' | sort | head -n 1)
    script=$(cd "$folder" && find assets search -name '*.js.gz' | sort | head -n 1)
    for path in / /about/ /feed.json /rss.xml /media/show.vtt "/${style%.gz}" "/${script%.gz}"; do
        file=$folder$path
        case $path in */) file=${file}index.html ;; esac
        [ -e "$file.gz" ] || { fail "$path has no copy"; continue; }
        ask "$path as it is" 200 'no content-encoding' "$vary" -- "$at$path"
        cmp -s "$work/body" "$file" && pass || fail "$path as it is has other bytes"
        type=$(grep -i '^content-type:' "$work/head" | tr -d '\r' | sed 's/^[^:]*: *//; s/[.+]/\\&/g')
        ask "$path compressed" 200 'content-encoding: gzip' "$vary" "content-type: $type" -- -H 'Accept-Encoding: gzip, br' "$at$path"
        cmp -s "$work/body" "$file.gz" && pass || fail "$path compressed has other bytes than the copy"
    done
    ask "a compressed feed has CORS" 200 'content-encoding: gzip' 'access-control-allow-origin: \*' -- -H 'Accept-Encoding: gzip' "$at/feed.json"
    ask "a compressed transcript has CORS" 200 'content-encoding: gzip' 'access-control-allow-origin: \*' 'x-content-type-options: nosniff' -- -H 'Accept-Encoding: gzip' "$at/media/show.vtt"
    ask "a compressed asset is kept" 200 'content-encoding: gzip' 'cache-control: public, max-age=31536000, immutable' -- -H 'Accept-Encoding: gzip' "$at/${style%.gz}"
    ask "what is short has no copy" 200 'no content-encoding' -- -H 'Accept-Encoding: gzip' "$at/media/show.srt"
}

# What holds for ten thousand redirects on a server that reads them all.
all_of_many() {
    port=$1
    ask "the first of 10,000 redirects" 301 "$(place /i/many/)" -- "http://127.0.0.1:$1/was/00001/"
    ask "the last of 10,000 redirects" 301 "$(place /i/many/)" -- "http://127.0.0.1:$1/was/10000/"
}

# Waits until the server answers.
await() {
    local tries=0
    until curl -s -o /dev/null --max-time 1 "http://127.0.0.1:$1/"; do
        tries=$((tries + 1))
        if [ $tries -gt 100 ] || ! kill -0 "$pid" 2>/dev/null; then
            fail "it does not start" "$(tail -n 5 "$work/server.log")"
            return 1
        fi
        sleep 0.1
    done
}

# Runs the questions of all three sites.
run() {
    await "$1" || return
    questions "$1" ""
    questions "$2" /blog
    copies "$2" /blog "$work/www-below/blog"
    if [ "$server" = apache ]; then
        port=$3
        ask "the first of 10,000 redirects" 301 "$(place /i/many/)" -- "http://127.0.0.1:$3/was/00001/"
        ask "the last of 10,000 redirects is a page" 200 'body http-equiv="refresh"' -- "http://127.0.0.1:$3/was/10000/"
    else
        all_of_many "$3"
    fi
    local start end
    start=$(date +%s%N)
    curl -s -o /dev/null "http://127.0.0.1:$3/i/many/?[1-200]"
    end=$(date +%s%N)
    echo "$server: $(((end - start) / 200000)) µs a request beside 10,000 redirects"
}

# --- The servers -------------------------------------------------------------------------------

try_nginx() {
    local p1 p2 p3
    p1=$(free_port) p2=$(free_port) p3=$(free_port)
    {
        echo "daemon off; pid $work/nginx.pid; error_log $work/server.log; worker_processes 1;"
        echo "events {} http { include /etc/nginx/mime.types; default_type application/octet-stream; access_log off;"
        for kind in body proxy fastcgi uwsgi scgi; do
            case $kind in body) echo "client_body_temp_path $work/tmp-body;" ;; *) nginx -V 2>&1 | grep -q "without-http_${kind}_module" || echo "${kind}_temp_path $work/tmp-$kind;" ;; esac
        done
        echo "server { listen 127.0.0.1:$p1; root $work/www-plain; include $work/www-plain/feedwright.nginx.conf; }"
        echo "server { listen 127.0.0.1:$p2; root $work/www-below; include $work/www-below/blog/feedwright.nginx.conf; }"
        echo "server { listen 127.0.0.1:$p3; root $work/www-many; include $work/www-many/feedwright.nginx.conf; }"
        echo "}"
    } > "$work/nginx.conf"
    nginx -c "$work/nginx.conf" > "$work/server.log" 2>&1 &
    pid=$!
    run "$p1" "$p2" "$p3"
    stop
}

try_apache() {
    local apache=$1 p1 p2 p3 modules name
    p1=$(free_port) p2=$(free_port) p3=$(free_port)
    for modules in /usr/lib/apache2/modules /usr/lib64/httpd/modules /usr/libexec/apache2; do [ -d "$modules" ] && break; done
    {
        echo "ServerRoot $work"
        echo "ServerName 127.0.0.1"
        echo "PidFile $work/apache.pid"
        echo "ErrorLog $work/server.log"
        for name in mpm_event authz_core mime dir autoindex alias rewrite headers; do
            [ -e "$modules/mod_$name.so" ] && echo "LoadModule ${name}_module $modules/mod_$name.so"
        done
        [ "$(id -u)" = 0 ] && [ -e "$modules/mod_unixd.so" ] && echo "LoadModule unixd_module $modules/mod_unixd.so"
        [ "$(id -u)" = 0 ] && printf 'User nobody\nGroup nogroup\n'
        echo "TypesConfig /etc/mime.types"
        for name in "$p1 plain" "$p2 below" "$p3 many"; do
            set -- $name
            printf 'Listen 127.0.0.1:%s\n<VirtualHost 127.0.0.1:%s>\nDocumentRoot %s\n</VirtualHost>\n' "$1" "$1" "$work/www-$2"
            printf '<Directory %s>\nAllowOverride FileInfo\nRequire all granted\nOptions FollowSymLinks Indexes\n</Directory>\n' "$work/www-$2"
        done
    } > "$work/apache.conf"
    [ -e /etc/mime.types ] || sed -i 's#^TypesConfig.*#TypesConfig /dev/null\nAddType audio/mpeg .mp3\nAddType text/html .html\nAddType text/plain .txt#' "$work/apache.conf"
    "$apache" -D FOREGROUND -f "$work/apache.conf" > "$work/server.log" 2>&1 &
    pid=$!
    run "$p1" "$p2" "$p3"
    stop
}

try_caddy() {
    local p1 p2 p3
    p1=$(free_port) p2=$(free_port) p3=$(free_port)
    {
        printf '{\n\tadmin off\n\tauto_https off\n}\n'
        printf 'http://127.0.0.1:%s {\n\tbind 127.0.0.1\n\troot * %s\n\timport %s/feedwright.caddy\n\tfile_server%b\n}\n' \
            "$p1" "$work/www-plain" "$work/www-plain" "" "$p2" "$work/www-below" "$work/www-below/blog" ' {\n\t\tprecompressed gzip\n\t}' "$p3" "$work/www-many" "$work/www-many" ""
    } > "$work/Caddyfile"
    HOME=$work XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work caddy run --adapter caddyfile --config "$work/Caddyfile" > "$work/server.log" 2>&1 &
    pid=$!
    run "$p1" "$p2" "$p3"
    stop
}

PATH=$PATH:/usr/sbin:/usr/local/sbin
if command -v nginx >/dev/null; then server=nginx; nginx -v 2>&1 | sed 's/^/nginx: /'; try_nginx; else skipped nginx; fi
apache=$(command -v apache2 || command -v httpd)
if [ -n "$apache" ]; then server=apache; "$apache" -v | head -n 1 | sed 's/^/apache: /'; try_apache "$apache"; else skipped apache; fi
if command -v caddy >/dev/null; then server=caddy; caddy version | sed 's/^/caddy: /'; try_caddy; else skipped caddy; fi

sed -E 's#^http://127[.]0[.]0[.]1:[0-9]+##; s#^/blog/#/#; s#[?].*##' "$work/addresses" | python3 "$here/unjudged.py" hosts "$work/www-plain" || failed=$((failed + 1))
echo "hosts: $passed passed, $failed failed"
[ "$failed" = 0 ]
