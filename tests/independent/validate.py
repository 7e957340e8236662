"""Checks a built site with other people's parsers.

    python tests/independent/validate.py OUTPUT_FOLDER...

HTML by html5lib (no parse error), RSS by lxml, the podcast namespace's schema, feedparser and the parsers of apps, JSON
Feed by a JSON Schema, calendars by icalendar, sitemaps by lxml, chapter files by their required fields. XML and JSON
files are recognised by their content, wherever they are. Prints one line per complaint and exits with 1 if there is any.
What is not judged is compared with unjudged.txt. requirements.txt lists the packages it needs.
"""

import json
import sys
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import apps
import calendars
import feedparser
import html5lib
import jsonschema
import unjudged
from lxml import etree

HERE = Path(__file__).resolve().parent
PODCAST = "https://podcastindex.org/namespace/1.0"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
ATOM = "http://www.w3.org/2005/Atom"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
NAMESPACE = HERE.parent / "fixtures/podcast-namespace"


class PodcastTags:
    """Judges podcast tags by the namespace's schema, and tags that the schema lacks by the lists in newer.json."""

    def __init__(self):
        self.schema = etree.XMLSchema(etree.parse(str(NAMESPACE / "podcast-wrapper.xsd")))
        elements = etree.parse(str(NAMESPACE / "podcast.xsd")).getroot()
        self.in_schema = {element.get("name") for element in elements if element.get("name")}
        newer = json.loads((NAMESPACE / "newer.json").read_text())
        self.newer, self.attributes, self.optional = newer["tags"], newer["attributes"], newer["optional"]
        self.skipped = set()

    def complaints(self, element):
        name = etree.QName(element).localname
        if name in self.in_schema:
            yield from self.by_the_schema(name, element)
        elif name in self.newer:
            self.skipped.add(f"the content of podcast:{name}, newer than the schema")
            yield from self.by_the_lists(name, element)
        else:
            yield f"podcast:{name} is no tag of the namespace"

    def by_the_schema(self, name, element):
        tag = etree.fromstring(etree.tostring(element, with_tail=False))
        for attribute in self.attributes.get(name, []):
            tag.attrib.pop(attribute, None)
        for attribute in self.optional.get(name, []):
            if attribute not in tag.attrib:
                tag.set(attribute, "any")
        for child in list(tag):
            if etree.QName(child).localname in self.newer:
                yield from self.complaints(child)
                tag.remove(child)
        wrapper = etree.Element(f"{{{PODCAST}}}test-wrapper")
        wrapper.append(tag)
        if not self.schema.validate(wrapper):
            yield from (f"podcast:{name}: {error.message}" for error in self.schema.error_log)

    def by_the_lists(self, name, element):
        for attribute in element.attrib:
            if attribute not in self.newer[name]:
                yield f"podcast:{name} has no attribute {attribute}"
        # The schema knows a recipient inside a value only.
        value = etree.Element(f"{{{PODCAST}}}value", type="any", method="any")
        for child in [child for child in element if etree.QName(child).namespace == PODCAST]:
            if etree.QName(child).localname == "valueRecipient":
                value.append(etree.fromstring(etree.tostring(child, with_tail=False)))
            else:
                yield from self.complaints(child)
        if len(value):
            yield from self.by_the_schema("value", value)


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
        self.podcast = PodcastTags()
        self.skipped = set()

    def complain(self, file, message):
        self.complaints.append(f"{self.folder.name}/{file}: {message}")

    def check(self):
        for path in sorted(self.folder.rglob("*")):
            file = path.relative_to(self.folder).as_posix()
            if not path.is_file():
                continue
            judge = None if file.startswith("media/") else self.judge_of(path)
            if judge:
                judge(file, path)
            else:
                self.skipped.add(unjudged.kind_of(file))
        self.complaints += unjudged.settle(f"validate {self.folder.name}", self.skipped | self.podcast.skipped)

    def judge_of(self, path):
        """The judge of a file, by its extension and its content; None if nothing judges it."""
        if path.suffix == ".html" and path.read_bytes()[:2] == b"<!":
            return self.html
        if path.suffix == ".ics":
            return self.calendar
        # A copy of a feed at a former path is a folder's index.html.
        text = path.read_bytes() if path.suffix in (".html", ".xml", ".xsl", ".rss", ".json", "") else b""
        if b"<rss" in text:
            return self.rss if path.suffix != ".xsl" else self.stylesheet
        if b"<xsl:stylesheet" in text:
            return self.stylesheet
        if b"<urlset" in text or b"<sitemapindex" in text:
            return self.sitemap
        if b"https://jsonfeed.org/version/" in text[:1000]:
            return self.feed
        return self.chapters if path.name == "chapters.json" else None

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
        elif not self.is_at(file, own[0].get("href")):
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
        # A planet has items of other sites, and no tags of podcasts.
        if ITUNES in channel.nsmap.values() and len(channel.findall(f"{{{ITUNES}}}explicit")) != 1:
            self.complain(file, "the channel says once whether it is explicit")
        for parent in [channel, *channel.findall("item")]:
            self.podcast_tags(file, parent)
        self.read(file, path, len(guids))
        for complaint in apps.complaints(path, channel):
            self.complain(file, complaint)

    def podcast_tags(self, file, parent):
        for child in parent:
            if etree.QName(child).namespace == PODCAST:
                for complaint in self.podcast.complaints(child):
                    self.complain(file, complaint)

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
        if not self.is_at(file, document.get("feed_url", "")):
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
        # The first address is the home page of the site, or of a language or show below it.
        base = urlsplit(next(tree.iter(f"{SITEMAP}loc")).text).path.removesuffix(file.removesuffix("sitemap.xml"))
        translations = (link.get("href") for link in tree.iter("{http://www.w3.org/1999/xhtml}link"))
        for url in [loc.text for loc in tree.iter(f"{SITEMAP}loc")] + list(translations):
            public = unquote(urlsplit(url).path.removeprefix(base if base.endswith("/") else ""))
            target = self.folder / public.lstrip("/")
            if public.endswith("/") or not public:
                target = target / "index.html"
            if not target.is_file():
                self.complain(file, f"there is no {url}")

    def is_at(self, file, url):
        """Whether the file is what `url` names, a copy of it for its former address, or a Site File that shows a feed."""
        if "/" not in file and file not in ("rss.xml", "feed.json"):
            return True
        path = unquote(urlsplit(url).path)
        if path.endswith(f"/{file}"):
            return True
        original = [self.folder / path.lstrip("/"), self.folder / path.partition("/")[2].partition("/")[2]]
        return any(found.is_file() and found.read_bytes() == (self.folder / file).read_bytes() for found in original)


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
        print(f"{folder.name}: {checked}, {len(site.complaints)} complaints", file=sys.stderr)
        complaints += len(site.complaints)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
