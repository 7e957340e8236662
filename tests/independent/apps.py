"""What the parsers of podcast apps read in an RSS feed, compared with what lxml reads: podcastparser (gPodder),
fastfeedparser (a feed reader) and podcast_chapter_tools (chapters in tags and in descriptions)."""

import logging

import fastfeedparser
import podcastparser
from podcast_chapter_tools import extractors

ENCODED = "{http://purl.org/rss/1.0/modules/content/}encoded"
ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
PSC = "{http://podlove.org/simple-chapters}"
TIMES = '<p class="chapter-times"'

logging.getLogger("podcast_chapter_tools").setLevel(logging.ERROR)


def complaints(path, channel):
    """Yields what the parsers do not read as it is written in the feed at `path`."""
    items = {item.findtext("guid"): item for item in channel.findall("item")}
    episodes = {guid: item for guid, item in items.items() if item.find("enclosure") is not None}
    with path.open("rb") as stream:
        read = {episode["guid"]: episode for episode in podcastparser.parse("https://example.org/", stream)["episodes"]}
    reader = {entry.id: entry for entry in fastfeedparser.parse(path.read_bytes()).entries}
    chapters = extractors.extract_all_psc_chapters_from_file(path)
    if reader.keys() != items.keys():
        yield f"fastfeedparser finds {sorted(reader)}"
    for guid, item in episodes.items():
        file = item.find("enclosure")
        if guid not in read:
            yield f"podcastparser does not find {guid}"
            continue
        expected = (file.get("url"), int(file.get("length")), file.get("type").split(";")[0])
        found = read[guid]["enclosures"][0]
        if (found["url"], found["file_size"], found["mime_type"].split(";")[0]) != expected:
            yield f"podcastparser finds {found} instead of {expected}"
        duration = int(item.findtext(f"{ITUNES}duration") or 0)
        if read[guid]["total_time"] != duration:
            yield f"podcastparser finds {read[guid]['total_time']} s instead of {duration} s"
        if [one["url"] for one in reader.get(guid, {}).get("enclosures", [])] != [file.get("url")]:
            yield f"fastfeedparser does not find {file.get('url')}"
    for guid, item in items.items():
        written = [(one.get("start"), one.get("title"), one.get("href")) for one in item.iterfind(f"{PSC}chapters/{PSC}chapter")]
        starts = [seconds(start) for start, _, _ in written]
        whole = [(int(start), title, href) for start, (_, title, href) in zip(starts, written)]
        if [tuple(one)[:3] for one in chapters.get(guid, [])] != whole:
            yield f"podcast_chapter_tools finds {chapters.get(guid)} instead of {whole}"
        if guid in episodes:
            found = [(one["start"], one["title"]) for one in read.get(guid, {}).get("chapters", [])]
            if found != [(int(start), " ".join(title.split())) for start, (_, title, _) in zip(starts, written)]:
                yield f"podcastparser finds {found} instead of {written}"
        yield from times(guid, item, starts)


def times(guid, item, starts):
    """Compares the times below the text with the chapters."""
    text = item.findtext(ENCODED) or ""
    if TIMES not in text:
        return
    found = extractors.extract_description_chapters(text[text.index(TIMES) :])
    found = [one.start for one in found or []]
    if len(found) < 3 or found[0] != 0 or found != sorted(found) or not set(found[1:]) <= {int(start) for start in starts}:
        yield f"{guid}: podcast_chapter_tools finds the times {found} below the text, and {starts} in tags"


def seconds(time):
    hours, minutes, rest = time.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)
