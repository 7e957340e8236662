#!/usr/bin/env bash
# Makes the packages of packaging/make from the debug program and installs each on a system that has nothing else: the
# wheel into a new venv, the npm package into a new prefix, the Debian package and the archive into folders that hold
# nothing but them. In each the program makes a site and builds it; in the bare folders as their root, with chroot.
#
#   tests/independent/packages.sh [PYTHON]
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "$0")/../.." && pwd)
python=${1:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
not_checked() {
  echo "not checked: $1 (needs $2)" >&2
  [ -z "${CI:-}" ] || exit 1
}
fail() {
  echo "FAIL packages: $1" >&2
  exit 1
}

# The program of the tests, linked once more: only this last step differs, and nothing is compiled.
cd "$root"
deps=$(cargo test --workspace --no-run --message-format json 2>/dev/null | "$python" -c '
import json, os, sys
found = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["reason"] == "compiler-artifact" and not message["profile"]["test"]:
        found.update((message["target"]["name"], name) for name in message["filenames"] if name.endswith(".rlib"))
print(*(f"--extern {name}={found[name]}" for name in ("feedwright", "mimalloc")), "-L", "dependency=" + os.path.dirname(found["mimalloc"]))')
# shellcheck disable=SC2086
rustc --edition 2024 --crate-name feedwright src/main.rs $deps -C target-feature=+crt-static -o "$work/feedwright"

kinds=(static)
"$python" -m venv --help >/dev/null 2>&1 && kinds+=(wheel) || not_checked "the wheel" "python3 with venv"
command -v npm >/dev/null 2>&1 && kinds+=(npm) || not_checked "the npm package" "npm"
command -v dpkg-deb >/dev/null 2>&1 && kinds+=(deb) || not_checked "the Debian package" "dpkg-deb"
PATH=$(dirname "$(command -v "$python")"):$PATH "$root/packaging/make" "${kinds[@]}" \
  --binary "$work/feedwright" --out "$work/packages" --quick >/dev/null
package() { echo "$work"/packages/$1; }

# A program makes a site, and builds it.
try() {
  local name=$1 site=$work/site-$1 program=$2
  [ "$("$program" --version)" = "feedwright $version" ] || fail "$name: --version"
  "$program" init "$site" >/dev/null 2>&1 || fail "$name: init"
  (cd "$site" && "$program" build >/dev/null 2>&1) || fail "$name: build"
  [ -s "$site/public/rss.xml" ] || fail "$name: no feed"
  echo "packages: $name installs and builds a site"
}

# The same where there is no other file, no library and no user but its own.
try_alone() {
  local name=$1 bare=$2 program=$3
  if [ "$(id -u)" != 0 ] || ! command -v chroot >/dev/null 2>&1; then
    not_checked "$name as the only thing there is" "root and chroot"
    return
  fi
  [ "$(chroot "$bare" "$program" --version)" = "feedwright $version" ] || fail "$name: --version in a bare root"
  chroot "$bare" "$program" init /walks >/dev/null 2>&1 || fail "$name: init in a bare root"
  chroot "$bare" "$program" --site /walks build >/dev/null 2>&1 || fail "$name: build in a bare root"
  [ -s "$bare/walks/public/rss.xml" ] || fail "$name: no feed in a bare root"
  echo "packages: $name builds a site in a root that holds nothing else"
}

version=$("$work/feedwright" --version | cut -d ' ' -f 2)

mkdir "$work/static"
tar --extract --file "$(package 'feedwright-*-linux-*.tar.gz')" --directory "$work/static" --strip-components 1
for file in README.md LICENSE THIRD-PARTY-LICENCES man/feedwright-build.1 completions/_feedwright; do
  [ -s "$work/static/$file" ] || fail "the archive has no $file"
done
try archive "$work/static/feedwright"
try_alone archive "$work/static" /feedwright
# What a bare root lacks, the program has inside: zones, and roots of trust.
if [ "$(id -u)" = 0 ] && [ -d "$work/static/walks" ]; then
  sed -i 's/^# timezone.*/timezone = "Europe\/Berlin"/' "$work/static/walks/site.toml"
  chroot "$work/static" /feedwright --site /walks check >/dev/null 2>&1 || fail "no time zones in a bare root"
fi

if [[ " ${kinds[*]} " = *" wheel "* ]]; then
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$(package '*.whl')"
  try wheel "$work/venv/bin/feedwright"
  [ -s "$work/venv/share/man/man1/feedwright.1" ] || fail "the wheel brings no manual pages"
  "$work/venv/bin/pip" uninstall --quiet --yes feedwright
  [ ! -e "$work/venv/bin/feedwright" ] || fail "the wheel does not go again"
fi

if [[ " ${kinds[*]} " = *" npm "* ]]; then
  npm install --global --prefix "$work/npm" --offline --silent --no-audit --no-fund "$(package 'feedwright-*-linux-*.tgz')"
  try npm "$work/npm/bin/feedwright"
fi

if [[ " ${kinds[*]} " = *" deb "* ]]; then
  deb=$(package '*.deb')
  bare=$work/bare
  mkdir "$bare"
  if [ "$(id -u)" = 0 ] && command -v dpkg >/dev/null 2>&1; then
    # dpkg itself, with a database of its own: it installs, verifies and removes.
    mkdir -p "$bare/var/lib/dpkg/info" "$bare/var/lib/dpkg/updates" "$bare/var/lib/dpkg/triggers"
    : > "$bare/var/lib/dpkg/status"
    dpkg() { command dpkg --root="$bare" --force-not-root --log=/dev/null "$@"; }
    dpkg --install "$deb" >/dev/null 2>"$work/dpkg.log" || fail "dpkg: $(cat "$work/dpkg.log")"
    [ -z "$(dpkg --verify feedwright)" ] || fail "the Debian package's files differ from its sums"
    try_alone "the Debian package" "$bare" /usr/bin/feedwright
  else
    dpkg-deb --extract "$deb" "$bare"
    try "debian" "$bare/usr/bin/feedwright"
  fi
  for file in man/man1/feedwright.1.gz man/man1/feedwright-theme-new.1.gz bash-completion/completions/feedwright \
    zsh/vendor-completions/_feedwright fish/vendor_completions.d/feedwright.fish doc/feedwright/copyright; do
    [ -s "$bare/usr/share/$file" ] || fail "the Debian package has no $file"
  done
  gzip --test "$bare"/usr/share/man/man1/*.gz
  bash -c '. "$1"; complete -p feedwright' - "$bare/usr/share/bash-completion/completions/feedwright" >/dev/null ||
    fail "bash cannot read its completions"
fi
