"""Checks a built site with other people's parsers.

    python tests/independent/validate.py OUTPUT_FOLDER...

HTML by html5lib (no parse error), RSS by lxml, the podcast namespace's schema and feedparser, JSON
Feed by a JSON Schema, calendars by icalendar, sitemaps by lxml, chapter files by their required fields. Prints one line a
complaint and exits with 1 when there is any. What it needs stands in requirements.txt.
"""

import json
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import calendars
import feedparser
import html5lib
import jsonschema
from lxml import etree

HERE = Path(__file__).resolve().parent
PODCAST = "https://podcastindex.org/namespace/1.0"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
ATOM = "http://www.w3.org/2005/Atom"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PODCAST_SCHEMA = HERE.parent / "fixtures/podcast-namespace/podcast-wrapper.xsd"

# Attributes of the namespace's specification that its schema does not know.
NEWER_THAN_THE_SCHEMA = {"location": ["rel", "country"]}


class Site:
    """An output folder, and what is wrong with it."""

    def __init__(self, folder):
        self.folder = folder
        self.complaints = []
        self.counts = {"html": 0, "rss": 0, "json feed": 0, "chapters": 0, "sitemap": 0, "calendars": 0}
        self.json_feed = jsonschema.Draft202012Validator(
            json.loads((HERE / "json-feed.schema.json").read_text()),
            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
        )
        self.podcast = None
        if PODCAST_SCHEMA.exists():
            self.podcast = etree.XMLSchema(etree.parse(str(PODCAST_SCHEMA)))
            # The schema is older than the specification: it does not know every element.
            tags = etree.parse(str(PODCAST_SCHEMA.with_name("podcast.xsd"))).getroot()
            self.known_tags = {tag.get("name") for tag in tags if tag.get("name")}

    def complain(self, file, message):
        self.complaints.append(f"{self.folder.name}/{file}: {message}")

    def check(self):
        for path in sorted(self.folder.rglob("*")):
            file = path.relative_to(self.folder).as_posix()
            if not path.is_file() or file.startswith(("media/", "assets/")):
                continue
            if file.endswith(".html"):
                self.html(file, path)
            elif file == "rss.xml" or file.startswith("rss/") or file.endswith("/item.rss"):
                self.rss(file, path)
            elif file == "rss.xsl":
                self.stylesheet(file, path)
            elif file == "feed.json" or file.startswith("feed/") or file.endswith("/item.json"):
                self.feed(file, path)
            elif file.endswith("/chapters.json"):
                self.chapters(file, path)
            elif file.endswith(".ics"):
                self.calendar(file, path)
            elif file.startswith("sitemap") and file.endswith(".xml"):
                self.sitemap(file, path)

    def calendar(self, file, path):
        self.counts["calendars"] += 1
        for complaint in calendars.form(path.read_bytes()):
            self.complain(file, complaint)

    def html(self, file, path):
        self.counts["html"] += 1
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        with path.open("rb") as stream:
            parser.parse(stream, transport_encoding="utf-8")
        for (line, column), code, data in parser.errors:
            self.complain(file, f"{line}:{column}: {code} {data or ''}".rstrip())

    def xml(self, file, path):
        try:
            return etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True))
        except etree.XMLSyntaxError as error:
            self.complain(file, f"not well-formed: {error}")
            return None

    def stylesheet(self, file, path):
        tree = self.xml(file, path)
        feed = self.folder / "rss.xml"
        if tree is None or not feed.exists():
            return
        try:
            shown = etree.XSLT(tree)(etree.parse(str(feed)))
        except etree.XSLTError as error:
            self.complain(file, f"{error}")
            return
        title = etree.parse(str(feed)).findtext("channel/title")
        if shown.getroot() is None or title not in "".join(shown.getroot().itertext()):
            self.complain(file, "does not show the feed's title")

    def rss(self, file, path):
        self.counts["rss"] += 1
        tree = self.xml(file, path)
        if tree is None:
            return
        channel = tree.getroot().find("channel")
        if tree.getroot().get("version") != "2.0" or channel is None:
            self.complain(file, "no RSS 2.0")
            return
        for name in ("title", "link", "description"):
            if not (channel.findtext(name) or "").strip():
                self.complain(file, f"the channel has no {name}")
        own = channel.findall(f"{{{ATOM}}}link[@rel='self']")
        if len(own) != 1:
            self.complain(file, f"{len(own)} atom:link rel=self")
        elif not own[0].get("href").endswith(self.public_path(file)):
            self.complain(file, f"says it is {own[0].get('href')}")
        guids = set()
        for item in channel.findall("item"):
            guid = item.findtext("guid")
            if not guid or guid in guids:
                self.complain(file, f"the guid {guid!r} is missing or not unique")
            guids.add(guid)
            if item.findtext("title") is None and item.findtext("description") is None:
                self.complain(file, f"{guid} has neither title nor description")
            for enclosure in item.findall("enclosure"):
                if not all(enclosure.get(name) for name in ("url", "length", "type")):
                    self.complain(file, f"{guid}: an enclosure has url, length and type")
        for date in channel.iter("pubDate", "lastBuildDate"):
            try:
                parsedate_to_datetime(date.text)
            except (TypeError, ValueError):
                self.complain(file, f"{date.text!r} is no date of RFC 822")
        if len(channel.findall(f"{{{ITUNES}}}explicit")) != 1:
            self.complain(file, "the channel says once whether it is explicit")
        for parent in [channel, *channel.findall("item")]:
            self.podcast_tags(file, parent)
        self.read(file, path, len(guids))

    def podcast_tags(self, file, parent):
        """Each podcast tag by the namespace's own schema, in the wrapper it has for tests."""
        if self.podcast is None:
            return
        for child in parent:
            name = etree.QName(child)
            if name.namespace != PODCAST or name.localname not in self.known_tags:
                continue
            wrapper = etree.Element(f"{{{PODCAST}}}test-wrapper")
            tag = etree.fromstring(etree.tostring(child, with_tail=False))
            for attribute in NEWER_THAN_THE_SCHEMA.get(name.localname, []):
                tag.attrib.pop(attribute, None)
            wrapper.append(tag)
            if not self.podcast.validate(wrapper):
                for error in self.podcast.error_log:
                    self.complain(file, f"podcast:{name.localname}: {error.message}")

    def read(self, file, path, items):
        """What a feed reader makes of it."""
        feed = feedparser.parse(path.read_bytes())
        if feed.bozo:
            self.complain(file, f"feedparser: {feed.bozo_exception}")
        if len(feed.entries) != items:
            self.complain(file, f"feedparser finds {len(feed.entries)} items of {items}")
        for entry in feed.entries:
            if not entry.get("id") or not entry.get("link"):
                self.complain(file, f"feedparser finds no id or link: {entry.get('title')!r}")
            if entry.get("published") and not entry.get("published_parsed"):
                self.complain(file, f"feedparser cannot read the date {entry.published!r}")

    def feed(self, file, path):
        self.counts["json feed"] += 1
        document = self.json(file, path)
        if document is None:
            return
        for error in self.json_feed.iter_errors(document):
            place = "/".join(map(str, error.absolute_path))
            self.complain(file, f"{place}: {error.message[:200]}")
        if not document.get("feed_url", "").endswith(self.public_path(file)):
            self.complain(file, f"says it is {document.get('feed_url')}")
        ids = [item.get("id") for item in document.get("items", [])]
        if len(ids) != len(set(ids)):
            self.complain(file, "ids are not unique")

    def json(self, file, path):
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            self.complain(file, f"no JSON: {error}")
            return None

    def chapters(self, file, path):
        self.counts["chapters"] += 1
        document = self.json(file, path)
        if document is None:
            return
        if document.get("version") != "1.2.0":
            self.complain(file, f"the version is {document.get('version')!r}")
        starts = [chapter.get("startTime") for chapter in document.get("chapters", [])]
        if not starts or any(not isinstance(start, (int, float)) for start in starts):
            self.complain(file, "a chapter has no startTime")
        elif starts != sorted(starts) or starts[0] < 0:
            self.complain(file, "chapters are not in order")

    def sitemap(self, file, path):
        self.counts["sitemap"] += 1
        tree = self.xml(file, path)
        if tree is None:
            return
        base = urlsplit(next(tree.iter(f"{SITEMAP}loc")).text).path
        for loc in tree.iter(f"{SITEMAP}loc"):
            public = unquote(urlsplit(loc.text).path.removeprefix(base if base.endswith("/") else ""))
            target = self.folder / public.lstrip("/")
            if public.endswith("/") or not public:
                target = target / "index.html"
            if not target.is_file():
                self.complain(file, f"there is no {loc.text}")

    @staticmethod
    def public_path(file):
        return "/" + file


def main(folders):
    if not folders:
        print(__doc__, file=sys.stderr)
        return 2
    complaints = 0
    for folder in map(Path, folders):
        if not folder.is_dir():
            print(f"{folder} is no folder", file=sys.stderr)
            return 2
        site = Site(folder)
        site.check()
        for complaint in site.complaints:
            print(complaint)
        checked = ", ".join(f"{count} {kind}" for kind, count in site.counts.items() if count)
        schema = "" if site.podcast else " (no schema of the podcast namespace)"
        print(f"{folder.name}: {checked}, {len(site.complaints)} complaints{schema}", file=sys.stderr)
        complaints += len(site.complaints)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
