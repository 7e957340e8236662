# To be sourced. `serving SITE LOG` starts a server of a site, with the program that $feedwright names, and
# waits until it says where it is: its process is then $pid, its address $url.
serving() {
    # The server's process may open its log only after it is first read below.
    : >"$2"
    "$feedwright" serve --site "$1" --addr 127.0.0.1:0 >/dev/null 2>"$2" &
    pid=$!
    url=
    for _ in $(seq 100); do
        url=$(sed -n 's|.*\(http://127\.0\.0\.1:[0-9]*\).*|\1|p' "$2" | head -n 1)
        [ -n "$url" ] && return
        sleep 0.1
    done
    cat "$2" >&2
    exit 1
}
