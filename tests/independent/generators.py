"""Addresses that Hugo, Jekyll and Eleventy give to a site's texts lead somewhere when its folder was imported and built, and
texts that they do not publish are not published then either.

The sites are written here, with the names, languages and permalinks that rules of addresses are about; the programs say what
becomes of them. Usage: NODE_PATH=… generators.py FEEDWRIGHT
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

feedwright = str(Path(sys.argv[1]).absolute())
BASE = "https://tides.example"


def text(title, *lines):
    return "\n".join(["---", f"title: {title}", *lines, "---", "Text.", ""])


HUGO = {
    "hugo.toml": f"""
baseURL = "{BASE}/"
title = "Tides"
defaultContentLanguage = "en"
[permalinks]
  news = "/:year/:month/:slug/"
  log = "/log/:contentbasename/"
[languages.en]
  weight = 1
[languages.de]
  weight = 2
[languages.fr]
  weight = 3
  contentDir = "french"
""",
    "content/posts/Low Tide & Mud.md": text("Low tide", "date: 2024-01-05"),
    "content/posts/2024-02-03-fog_bank.md": text("Fog", "date: 2024-02-03"),
    "content/posts/quay/index.md": text("Quay", "date: 2024-03-01"),
    "content/posts/quay/index.de.md": text("Kai", "date: 2024-03-01"),
    "content/posts/named.md": text("Named", "date: 2024-03-02", "slug: Another Name"),
    "content/posts/placed.md": text("Placed", "date: 2024-03-03", "url: /here/it/is.html"),
    "content/posts/deep/er/still.md": text("Still", "date: 2024-03-04"),
    "content/posts/Größe.md": text("Größe", "date: 2024-03-05"),
    "content/posts/fog.md": text("Fog", "date: 2024-03-06", "aliases: [/old/fog/]"),
    "content/posts/fog.de.md": text("Nebel", "date: 2024-03-06"),
    "content/news/Boat_Show.md": text("A Boat, Show!", "date: 2024-04-01"),
    "content/news/salt.md": text("Salt & Pepper - more", "date: 2024-04-03"),
    "content/posts/A & B/vinegar.md": text("Vinegar", "date: 2024-04-03", "slug: Salt & Vinegar"),
    "content/log/X & Y.md": text("Letters", "date: 2024-04-03"),
    "content/log/One Two.md": text("One", "date: 2024-04-02"),
    "content/about.md": text("About"),
    "content/about.de.md": text("Über"),
    "french/posts/brume.md": text("Brume", "date: 2024-03-06"),
}

ELEVENTY = {
    "package.json": '{ "private": true, "type": "module" }',
    "_data/site.json": json.dumps({"title": "Tides", "url": BASE}),
    "posts/posts.json": json.dumps({"tags": "posts"}),
    "posts/2024-01-05-low-tide.md": text("Low tide"),
    "posts/2024-02-03-fog/index.md": text("Fog"),
    "posts/quay/2024-03-01-quay.md": text("Quay"),
    "posts/Two Words.md": text("Two", "date: 2024-03-02"),
    "posts/placed.md": text("Placed", "date: 2024-03-03", "permalink: /here/it/is.html"),
    "posts/pattern.md": text("A Pattern", "date: 2024-03-04", "permalink: '/p/{{ title | slugify }}/'"),
    "posts/dated.md": text("Dated", "date: 2024-03-05", "permalink: '/{{ page.date | date: \"%Y/%m\" }}/{{ page.fileSlug }}/'"),
    "news/news.json": json.dumps({"tags": ["posts"], "permalink": "/n/{{ page.fileSlug }}/"}),
    "news/2024-04-01-boats.md": text("Boats"),
    "about.md": text("About"),
    "notes/index.md": text("Notes"),
    "notes/2024-05-01-stem.md": text("Stem", "permalink: '/f{{ page.filePathStem }}.html'"),
}

JEKYLL = {
    "_posts/2024-01-05-low-tide.md": text("Low tide"),
    "_posts/2024-02-03-Fog_Bank & Co.md": text("Fog", "categories: [Sea, Low Water]"),
    "_posts/2024-02-04-named.md": text("Named", "slug: another-name", "category: Sea"),
    "_posts/2024-02-05-placed.md": text("Placed", "permalink: /here/it/is.html"),
    "_posts/2024-02-06-folder.md": text("Folder", "permalink: /there/it/is/"),
    "_posts/2024-02-07-later.md": text("Later", "date: 2024-03-08 23:30:00 +0200"),
    "_posts/deep/2024-02-08-still.md": text("Still"),
    "_posts/2024-02-09-Größe.md": text("Größe", "tags: sea fog"),
    "_posts/2024-12-30-last.html": text("Last", "categories: sea boats"),
    "news/_posts/2024-04-01-boat-show.markdown": text("Boats", "categories: fairs"),
    "_talks/first.md": text("First"),
    "_talks/2024-05-01-second one.md": text("Second"),
    "_talks/deep/third.md": text("Third"),
    "_walks/coast.md": text("Coast", "date: 2024-05-02"),
    "about.md": text("About"),
    "notes/index.md": text("Notes"),
    "notes/Two Words.md": text("Two"),
    "placed page.md": text("Placed", "permalink: /page/placed/"),
}

# Sites in several languages.
ELEVENTY_LANGUAGES = {
    "package.json": '{ "private": true, "type": "module" }',
    "_data/site.json": json.dumps({"title": "Tides", "url": BASE}),
    "eleventy.config.js": "import { I18nPlugin } from '@11ty/eleventy';\nexport default (config) => { config.addPlugin(I18nPlugin, { defaultLanguage: 'en' }); };\n",
    "en/en.json": json.dumps({"lang": "en"}),
    "de/de.json": json.dumps({"lang": "de"}),
    "en/posts/posts.json": json.dumps({"tags": "posts"}),
    "de/posts/posts.json": json.dumps({"tags": "posts"}),
    "en/index.md": text("Home"),
    "de/index.md": text("Start"),
    "en/about.md": text("About"),
    "de/about.md": text("Wir"),
    "en/posts/2024-01-05-fog.md": text("Fog"),
    "de/posts/2024-01-05-fog.md": text("Nebel"),
    "en/posts/quay.md": text("Quay", "date: 2024-03-02", "translationKey: quay"),
    "de/posts/kai.md": text("Kai", "date: 2024-03-02", "translationKey: quay"),
    "de/posts/nur.md": text("Nur", "date: 2024-03-03", "permalink: /de/hier.html"),
}
JEKYLL_LANGUAGES = {
    "_config.yml": f"""
title: Tides
url: {BASE}
lang: en
permalink: /:categories/:year/:title/
collections: {{ talks: {{ output: true }}, walks: {{ output: true }} }}
defaults:
- scope: {{ path: de }}
  values: {{ lang: de }}
""",
    "_posts/2024-01-05-fog.md": text("Fog", "ref: fog"),
    "de/_posts/2024-01-05-nebel.md": text("Nebel", "ref: fog"),
    "_posts/2024-02-05-quay.md": text("Quay"),
    "de/_posts/2024-02-05-quay.md": text("Kai"),
    "about.md": text("About"),
    "de/about.md": text("Wir"),
    "de/index.md": text("Start"),
}

# Each way to say where posts are published, and ways of an author's own.
STYLES = [
    "date",
    "pretty",
    "ordinal",
    "weekdate",
    "none",
    "/:categories/:slug",
    "/blog/:year/:i_month/:i_day/:title",
    "/:short_year/:month/:title/",
    "/:slugified_categories/:y_day/:title:output_ext",
]


def jekyll_site(style):
    settings = f"""
title: Tides
url: {BASE}
timezone: Europe/Berlin
permalink: {style}
collections:
  talks:
    output: true
  walks:
    output: true
    permalink: /w/:year/:name/
"""
    return {"_config.yml": settings, **JEKYLL}


def hugo(folder):
    program = Path(sys.executable).parent / "hugo"
    listed = subprocess.run([program, "list", "published"], cwd=folder, check=True, capture_output=True, text=True)
    # The program's wrapper says who it is before the table.
    table = listed.stdout[listed.stdout.index("path,") :]
    return {row["permalink"] for row in csv.DictReader(io.StringIO(table))} | {f"{BASE}/old/fog/"}


def hugo_files(folder):
    """All pages and feeds that Hugo writes, except for lists without entries and what browsers never ask for."""
    hugo_build(folder, folder.parent / "built")
    files = [file for file in (folder.parent / "built").rglob("*.*") if file.suffix in {".html", ".xml"} and "sitemap" not in file.name]
    paths = {f"/{file.relative_to(folder.parent / 'built')}".removesuffix("index.html") for file in files}
    return {BASE + path for path in paths - {"/fr/tags/"}}


def eleventy(folder):
    # A settings file finds packages in the folder, and not in NODE_PATH.
    (folder / "node_modules").symlink_to(os.environ["NODE_PATH"])
    program = Path(os.environ["NODE_PATH"]) / "@11ty/eleventy/cmd.cjs"
    made = subprocess.run(["node", program, "--to=json", "--quiet"], cwd=folder, check=True, capture_output=True, text=True)
    return {BASE + page["url"] for page in json.loads(made.stdout)}


def jekyll(folder):
    lists = ["site.posts", "site.pages", "site.talks", "site.walks"]
    loops = [f"{{% for text in {texts} %}}{{{{ text.url }}}}\n{{% endfor %}}" for texts in lists]
    (folder / "all.txt").write_text("---\n---\n" + "".join(loops))
    built = folder.parent / "built"
    command = ["jekyll", "build", "--quiet", "--source", folder, "--destination", built]
    subprocess.run(command, check=True, capture_output=True, text=True)
    urls = (built / "all.txt").read_text().split("\n")
    return {BASE + url for url in urls if url and not url.endswith(".txt")}


def hugo_build(source, built):
    program = Path(sys.executable).parent / "hugo"
    # Old settings that are errors to this release still have pages made by the others.
    subprocess.run([program, "build", "--destination", built], cwd=source, capture_output=True)


def jekyll_build(source, built):
    subprocess.run(["jekyll", "build", "--quiet", "--destination", built], cwd=source, check=True, capture_output=True)


def eleventy_build(source, built):
    program = Path(os.environ["NODE_PATH"]) / "@11ty/eleventy/cmd.cjs"
    package = json.loads((source / "package.json").read_text())
    options = package.get("scripts", {}).get("build", "eleventy").split()[1:]
    command = ["node", program, "--quiet", f"--output={built}", *options]
    subprocess.run(command, cwd=source, check=True, capture_output=True)


# The sites of tests/import/hidden.rs.
HIDDEN = [
    ("hugo", "hugo", hugo_build),
    ("hugo", "hugo-folders", hugo_build),
    ("hugo", "hugo-mounts", hugo_build),
    ("hugo", "hugo-parts", hugo_build),
    ("jekyll", "jekyll", jekyll_build),
    ("jekyll", "jekyll-collections", jekyll_build),
    ("jekyll", "jekyll-blocks", jekyll_build),
    ("eleventy", "eleventy", eleventy_build),
    ("eleventy", "eleventy-formats", eleventy_build),
    ("eleventy", "eleventy-programs", eleventy_build),
    ("eleventy", "eleventy-ways", eleventy_build),
]
FIXTURES = Path(__file__).parent.parent / "fixtures/import/hidden"
HIDDEN += [
    ("eleventy", f"eleventy-settings/{site.name}", eleventy_build)
    for site in sorted((FIXTURES / "eleventy-settings").iterdir())
]


def marks(folder):
    """The marked texts in a folder's files."""
    files = [file.read_text(errors="replace") for file in folder.rglob("*") if file.is_file()]
    return {mark.strip() for text in files for mark in re.findall(r"(?:SHOWN|SECRET) (?:text of )?[\w -]+", text)}


def leaked(generator, name, build):
    """What is published after an import and not by the program, or is marked as what the program does not make of it."""
    fixture = FIXTURES / name
    with tempfile.TemporaryDirectory() as place:
        source, built, site = (Path(place) / part for part in ["source", "built", "site"])
        shutil.copytree(fixture, source)
        run("import", generator, source, "--site", site)
        run("build", "--site", site)
        build(source, built)
        theirs, ours = marks(built), marks(site / "public")
        texts = {mark for mark in marks(fixture) if mark.startswith("SHOWN text")}
        assert theirs or not texts or "formats" in name, f"{name}: the program published nothing"
        wrong = {f"{mark} is public there" for mark in theirs if mark.startswith("SECRET")}
        wrong |= {f"{mark} is not public there" for mark in texts - theirs}
        # Excerpts here may end within a mark.
        wrong |= {f"{mark} is public here and not there" for mark in ours if not any(known.startswith(mark) for known in theirs)}
        return [f"{name}: {line}" for line in sorted(wrong)]


def run(*arguments):
    done = subprocess.run([feedwright, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lost(generator, files, ask, at_least):
    with tempfile.TemporaryDirectory() as place:
        source, site = Path(place) / "source", Path(place) / "site"
        for name, content in files.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(content.encode() if isinstance(content, str) else content)
        addresses = {unquote(urlsplit(address).path) for address in ask(source)}
        assert len(addresses) >= at_least, addresses
        run("import", generator, source, "--site", site)
        run("build", "--site", site, "--future")
        written = [file for file in (site / "public").rglob("*.*") if file.suffix in {".html", ".xml"}]
        public = {f"/{file.relative_to(site / 'public')}".removesuffix("index.html") for file in written}
        # Servers answer an address without an end by the page or the folder of that name.
        public |= {address.removesuffix(".html").rstrip("/") for address in public}
        return [f"{generator}: {address} leads nowhere" for address in sorted(addresses - public)]


fixture = FIXTURES.parent / "languages/hugo"
LANGUAGES = {str(file.relative_to(fixture)): file.read_bytes() for file in fixture.rglob("*") if file.is_file()}
settings = LANGUAGES["hugo.toml"].replace(b"InSubdir = false", b"InSubdir = true")
assert settings != LANGUAGES["hugo.toml"]

found = lost("hugo", HUGO, hugo, 19) + lost("eleventy", ELEVENTY, eleventy, 11)
found += lost("hugo", LANGUAGES, hugo_files, 55) + lost("hugo", LANGUAGES | {"hugo.toml": settings}, hugo_files, 55)
found += lost("eleventy", ELEVENTY_LANGUAGES, eleventy, 9) + lost("jekyll", JEKYLL_LANGUAGES, jekyll, 7)
for style in STYLES:
    found += [f"{style}: {line}" for line in lost("jekyll", jekyll_site(style), jekyll, len(JEKYLL))]
for generator, name, build in HIDDEN:
    found += leaked(generator, name, build)
print(*found, sep="\n")
print(f"generators: {len(found)} complaints")
sys.exit(1 if found else 0)
