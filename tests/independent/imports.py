"""Feeds from the test suites of feed parsers become sites, and feedparser reads the same from the new feed as from the old one.

Compared are entries, guids, titles, dates, tags, enclosures, durations, authors and texts. A value that feedparser reads by a
rule of its own is not compared; the names of those rules are in unjudged.txt. A feed that is imported again brings nothing new.

Feeds whose guids differ share a site, since making one takes most of the time. Usage: imports.py FEEDWRIGHT FOLDER [PART]:
with PART only files whose path contains it.
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from calendar import timegm
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import feedparser

import unjudged

feedwright, folder = sys.argv[1], Path(sys.argv[2])
PART = sys.argv[3] if len(sys.argv) > 3 else ""
PYTHON_PACKAGES = ["feedparser==6.0.14", "podcastparser==0.6.11", "reader==3.26"]
NODE_PACKAGES = ["feedparser@1.1.6", "rss-parser@3.7.0", "podcast-feed-parser@1.0.4", "feed-read@0.0.1"]
# Folders of tests about transfer, about encodings that a feed does not name, about sanitizing, and about a format of 1997.
OTHER_SUBJECTS = {"http", "sanitize", "cdf", "encoding", "chardet"}
# Values that feedparser reads in another way: the end of a file's path, what is compared, and why ours is as it is.
ALLOWED = {
    ("rss/item_category_image.xml", "title"): "the title of a picture within a category, which is not the item's",
    ("rss/item_description_not_a_doctype2.xml", "text"): "a document type in a text, which browsers do not show",
}
# Feeds in one site.
MOST_IN_GROUP = 60
skipped = set()


def fetched():
    """Downloads the packages and returns the folder of each."""
    packages = folder / "packages"
    packages.mkdir(parents=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:"]
    running = [subprocess.Popen([*pip, "--dest", packages, *PYTHON_PACKAGES])]
    if shutil.which("npm"):
        running.append(subprocess.Popen(["npm", "pack", "--silent", *NODE_PACKAGES], cwd=packages, stdout=subprocess.DEVNULL))
    elif os.environ.get("CI"):
        sys.exit("imports: no npm for the feeds of Node's parsers")
    else:
        print("not checked: the feeds of Node's parsers (needs npm)", file=sys.stderr)
    assert all(process.wait() == 0 for process in running)
    for archive in sorted([*packages.glob("*.tar.gz"), *packages.glob("*.tgz")]):
        place = folder / "sources" / archive.name.removesuffix(".gz").removesuffix(".tar").removesuffix(".tgz")
        with tarfile.open(archive) as held:
            held.extractall(place, filter="data")
        yield place


def files():
    for place in fetched():
        for file in sorted(place.rglob("*")):
            is_text = file.suffix in {".rss", ".atom"} or file.suffix == ".xml" and "reader-" not in place.name
            subjects = set(file.relative_to(place).parts)
            is_test = {"test", "tests"} & subjects and not OTHER_SUBJECTS & subjects and not file.name.startswith("cdf_")
            if file.is_file() and is_text and is_test and PART in str(file):
                yield file


def run(*arguments):
    return subprocess.run([feedwright, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def skip(why):
    skipped.add(why)


def letters(text):
    """The letters and digits of a text, however often its references are escaped."""
    while (plain := html.unescape(text or "")) != text and text:
        text = plain
    return "".join(c for c in text or "" if c.isalnum())


def words(text):
    """The letters and digits of HTML, without elements that the importer removes."""
    text = re.sub(r"(?is)<(script|style|svg|math|form|template|head|select|textarea|button|object|iframe|noscript)\b.*?</\1>", " ", text or "")
    return letters(re.sub(r"(?s)<!--.*?-->|<[^>]*>", " ", text))


def seconds(text):
    """A duration in Apple's form, of which the rightmost of more than three numbers are ignored. None for anything else."""
    parts = (text or "").strip().split(":")[:3]
    if not all(re.fullmatch(r"\d+(\.\d+)?", part.strip()) for part in parts):
        return None
    total = 0.0
    for part in parts:
        total = total * 60 + float(part)
    return total or None


def moment(entry, key):
    parsed = entry.get(key)
    return timegm(parsed) if parsed and 1000 <= parsed.tm_year <= 9998 else None


def title(old, new):
    # A title in RSS is plain text, in Atom also HTML: "<b>" is a word in one and a tag in the other.
    was, now = ({words(entry.get("title")), letters(entry.get("title"))} for entry in (old, new))
    return was != {""} and not was & now and (old.title, new.get("title"))


def date(old, new):
    was, now = moment(old, "published_parsed"), moment(new, "published_parsed")
    return was is not None and was != now and (old.published, new.get("published"))


def enclosures(old, new):
    """The first enclosure is the item's recording; others may have become alternatives of it."""
    links = [link for link in old.get("enclosures", []) if link.get("href", "").startswith("http")]
    there = {link.get("href"): link for link in new.get("enclosures", [])}
    if links and not {link.href for link in links} & set(there):
        return [link.href for link in links], list(there)
    for link in links:
        now = there.get(link.href)
        length = link.get("length", "")
        if now and length.isdigit() and int(length) > 0 and now.get("length") != str(int(length)):
            return length, now.get("length")
    return None


def duration(old, new):
    was, now = seconds(old.get("itunes_duration")), seconds(new.get("itunes_duration"))
    if was and not new.get("enclosures"):
        return skip("a duration without a recording")
    if was and was > 7 * 86400:
        return skip("a duration of more than a week")
    return was and now not in (was, round(was)) and (old.itunes_duration, new.get("itunes_duration"))


def tags(old, new):
    was = set()
    for tag in old.get("tags", []):
        if tag.get("scheme"):
            skip("a category with a scheme")
        elif "," in (tag.get("term") or ""):
            skip("a category with a comma")
        else:
            was.add(words(tag.get("label") or tag.get("term")))
    lost = was - {words(tag.term) for tag in new.get("tags", [])} - {""}
    return lost and (lost, [tag.term for tag in new.get("tags", [])])


def authors(old, new):
    was = {words(author.get("name")).casefold() for author in old.get("authors", [])} - {""}
    now = words(" ".join(author.get("name", "") for author in new.get("authors", [])) + new.get("author", "")).casefold()
    lost = {name for name in was if name not in now}
    return lost and (lost, new.get("authors"))


def text(old, new):
    texts = [content.value for content in old.get("content", []) if "html" in content.type or "text" in content.type]
    was = texts[0] if texts else old.get("summary") or ""
    now = " ".join([content.value for content in new.get("content", [])] + [new.get("summary") or ""])
    is_there = words(was) in words(now) or letters(was) in words(now)
    return not is_there and (words(was)[:120], words(now)[:120])


COMPARED = [title, date, enclosures, duration, tags, authors, text]


def paired(old, new):
    """The entries of a feed beside those that became of them: by their guids, the rest in their order."""
    new = list(new)
    pairs, rest = [], []
    for entry in old:
        # feedparser resolves a guid that looks like a path.
        guid = entry.get("id")
        found = next((one for one in new if guid and (one.id == guid or guid.endswith(f"/{one.id}"))), None)
        if found:
            new.remove(found)
            pairs.append((entry, found))
        else:
            rest.append(entry)
    for entry in rest:
        alike = [one for one in new if words(one.get("title")) == words(entry.get("title"))] or new
        if alike:
            # Readers take the address for a guid that is missing.
            found = next((one for one in alike if one.id == entry.get("link")), alike[0])
            new.remove(found)
            pairs.append((entry, found))
    return pairs


class Source:
    """A feed of a test suite."""

    def __init__(self, file):
        self.file = file
        self.name = str(file.relative_to(folder / "sources"))
        self.parsed = feedparser.parse(file.read_bytes(), sanitize_html=False, resolve_relative_uris=False)
        self.known = {self.identity(entry) for entry in self.parsed.entries}

    @staticmethod
    def identity(entry):
        """What an entry is known by, as the importer has it."""
        file = next((link.get("href") for link in entry.get("enclosures", [])), None)
        texts = [content.value for content in entry.get("content", [])] + [entry.get("summary")]
        return entry.get("id") or entry.get("link") or file or entry.get("title") or str(texts)

    def complaint(self, message):
        return f"{self.name}: {message}"

    def imported(self, site):
        """Adds the feed to a site. Returns the report and the guids of new items, or complaints."""
        before = set(items(site))
        done = run("import", "rss", self.file, "--site", site, "--json", "--base-url", "https://new.example")
        if done.returncode:
            is_none = not self.parsed.version and not self.parsed.entries
            return None, [] if is_none and done.returncode == 2 else [self.complaint(f"import: {done.stderr[-500:]}")]
        made = [front(file) for file in items(site) if file not in before]
        return json.loads(done.stdout), [keys.get("guid", keys["id"]) for keys in made]


def items(site):
    return [file for file in (site / "content/items").rglob("*") if file.suffix in {".md", ".html"}]


def front(file):
    return tomllib.loads(file.read_text().split("+++\n")[1])


def groups(sources):
    """Sources that share no guid, in groups."""
    made = []
    for source in sources:
        # A guid of the whole suite, such as that of entries with none, keeps a feed alone.
        fitting = (group for group in made if len(group[0]) < MOST_IN_GROUP and not group[1] & source.known)
        group = next(fitting, None)
        if group is None:
            group = ([], set())
            made.append(group)
        group[0].append(source)
        group[1].update(source.known)
    return [sources for sources, _ in made]


def skeleton():
    """Makes a site without items that has no pages and whose feed is one document."""
    site = folder / "skeleton"
    assert run("init", site).returncode == 0
    shutil.rmtree(site / "content/items")
    settings = (site / "site.toml").read_text()
    settings = re.sub(r"(?m)^# limit = \d+.*$", "limit = 10000", settings)
    (site / "site.toml").write_text(f'access = "headless"\n{settings}')
    return site


def complaints(number, sources):
    site = folder / "sites" / str(number)
    shutil.copytree(empty, site)
    found, made = [], []
    for source in sources:
        report, guids = source.imported(site)
        if report is None:
            found += guids
            continue
        if report["known"] and len(sources) > 1:
            # Identities that only the importer derives are alike: the feed gets a site of its own.
            found += complaints(f"{number}-{len(made)}-{source.file.stem}", [source])
            continue
        twice = sum(note["count"] for note in report["notes"] if "duplicate item" in note["message"])
        if report["items"] + twice != len(source.parsed.entries):
            found.append(source.complaint(f"{report['items']} items, and feedparser finds {len(source.parsed.entries)}"))
        made.append((source, guids))
    if not made:
        return found
    built = run("build", "--site", site, "--future")
    if built.returncode and len(sources) > 1:
        return [line for at, source in enumerate(sources) for line in complaints(f"{number}-{at}", [source])]
    if built.returncode:
        return [*found, sources[0].complaint(f"build: {built.stderr[-500:]}")]
    new = feedparser.parse((site / "public/rss.xml").read_bytes(), sanitize_html=False)
    if new.bozo:
        found.append(f"{site}: the new feed: {new.bozo_exception}")
    for source, guids in made:
        entries = [entry for entry in new.entries if entry.id in guids]
        old = source.parsed.entries
        lost = {entry.id for entry in old if entry.get("id")}
        lost = {guid for guid in lost if not any(guid == entry.id or guid.endswith(f"/{entry.id}") for entry in entries)}
        if lost:
            found.append(source.complaint(f"guids {lost} became {guids}"))
        for before, after in paired(old, entries):
            for compare in COMPARED:
                if differs := compare(before, after):
                    kind = compare.__name__
                    allowed = [why for (end, of), why in ALLOWED.items() if source.name.endswith(end) and of == kind]
                    skipped.update(allowed)
                    if not allowed:
                        found.append(source.complaint(f"{kind} {differs[0]!r} became {differs[1]!r}"))
    again = json.loads(run("import", "rss", made[-1][0].file, "--site", site, "--json").stdout)
    if again["items"]:
        found.append(made[-1][0].complaint(f"again there are {again['items']} new items"))
    return found


shutil.rmtree(folder, ignore_errors=True)
sources = [Source(file) for file in files()]
empty = skeleton()
assert PART or len(sources) >= 1300, len(sources)
made = groups(sources)
with ThreadPoolExecutor(os.cpu_count()) as workers:
    found = [line for lines in workers.map(complaints, range(len(made)), made) for line in lines]
if not PART:
    found += unjudged.settle("imports", skipped)
print(*found, sep="\n")
print(f"imports: {len(sources)} feeds of parsers' tests in {len(made)} sites, {len(found)} complaints")
sys.exit(1 if found else 0)
