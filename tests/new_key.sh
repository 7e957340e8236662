# Adds a key to a copy of this repository by one declaration, as architecture.md says, and looks for it in files,
# errors, schema, feeds and templates. Run by tests/run after the build of the generator alone.
set -eu
cd "$(dirname "$0")/.."
. tests/steps.sh
target=$(mkdir -p "$target" && cd "$target" && pwd)
copy=$target/new_key
rm -rf "$copy"
mkdir -p "$copy/site/content/items" "$copy/site/site-files"

# Times of files stay, so that only what depends on the changed file is compiled.
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xpf - -C "$copy"
declarations=$copy/src/model/podcast/item_tags.rs
sed -i '/Optional title: Option<String> = "title", Text(128), content;/a\
        /// The mood of the passage.\
        Optional mood: Option<String> = "mood" or "temper", Text(8);' "$declarations"
[ "$(diff -u "$declarations" src/model/podcast/item_tags.rs | grep -c '^-  ')" = 2 ] || {
  echo "new_key: the place for the key was not found in $declarations" >&2
  exit 1
}
# With another number of units, cargo does not reuse this build for the repository, which has the same relative paths.
set -- --config profile.dev.package.feedwright.codegen-units=255
for room in "$copy"/src/*/; do
  set -- "$@" --config "profile.dev.package.feedwright-$(basename "$room").codegen-units=255"
done
(cd "$copy" && CARGO_TARGET_DIR=$target cargo build --quiet --no-default-features "$@")
mv "$target/debug/feedwright" "$copy/feedwright"

# Runs the program on the site.
feedwright() {
  "$copy/feedwright" "$@" --site "$copy/site"
}

# Fails unless FILE contains TEXT.
holds() {
  grep -qF -- "$2" "$1" || {
    echo "new_key: $1 does not contain: $2" >&2
    cat "$1" >&2
    exit 1
  }
}

# Writes the episode with these lines in its soundbite.
episode() {
  cat >"$copy/site/content/items/episode.md" <<ITEM
+++
id = "episode"
title = "An episode"
date_published = 2026-01-01T00:00:00Z
attachment = { url = "https://media.net/a.mp3", mime_type = "audio/mpeg", size_in_bytes = 1 }
[[podcast.soundbites]]
startTime = 1
duration = 30
$1
+++
ITEM
}

echo 'base_url = "https://show.net"' >"$copy/site/site.toml"
printf '+++\ntitle = "A show"\n+++\n' >"$copy/site/content/channel.md"
echo '{{#items}}{{#_service}}{{#podcast}}{{#soundbites}}mood: {{mood}}{{/soundbites}}{{/podcast}}{{/_service}}{{/items}}' \
  >"$copy/site/site-files/moods.txt"

# Builds the site without a warning.
build() {
  feedwright build >"$copy/log" 2>&1 || { cat "$copy/log" >&2; exit 1; }
  if grep -n 'warning' "$copy/log" >&2; then exit 1; fi
}

# The key is read in each spelling, and shown in both feeds and in a template, whose name for it is known.
episode 'temper = "calm"'
build
holds "$copy/site/public/feed.json" '"mood":"calm"'
holds "$copy/site/public/rss.xml" 'mood="calm"'
holds "$copy/site/public/moods.txt" 'mood: calm'
"$copy/feedwright" schema item >"$copy/schema.json"
holds "$copy/schema.json" '"mood"'
holds "$copy/schema.json" 'The mood of the passage.'

# Another value changes the fingerprints of the documents that show it.
episode 'mood = "bright"'
build
holds "$copy/site/public/feed.json" '"mood":"bright"'
holds "$copy/site/public/rss.xml" 'mood="bright"'
holds "$copy/site/public/moods.txt" 'mood: bright'

# A value that is too long is an error, and a misspelt key a warning, each with its place.
episode 'mood = "a calm one"'
if feedwright check >"$copy/log" 2>&1; then
  echo "new_key: a value that is too long was accepted" >&2
  exit 1
fi
holds "$copy/log" 'content/items/episode.md:9:8'
holds "$copy/log" '`podcast.soundbites.mood` has 10 characters; the maximum is 8'
episode 'moood = "calm"'
feedwright check >"$copy/log" 2>&1 || true
holds "$copy/log" 'content/items/episode.md:9:1'
holds "$copy/log" 'did you mean `mood`?'
echo "new_key: one declaration made it a key of files, schema, feeds and templates"
