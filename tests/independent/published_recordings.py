"""Tags of published recordings, by mutagen and ffprobe, and their audio, by ffmpeg.

A show is built in every format that gets tags. Usage: published_recordings.py FEEDWRIGHT
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import mutagen
from mutagen.id3 import ID3

feedwright = str(Path(sys.argv[1]).resolve())
ROOT = Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "crates/media-facts/tests/fixtures"
FORMATS = {"mp3": "vbr-xing.mp3", "m4a": "tone.m4a", "flac": "tone.flac", "ogg": "chapters.ogg", "opus": "tone.opus"}
ITEM = """+++
id = "{0}"
title = "The pier in {0}"
date = 2026-08-01T10:00:00Z
summary = "Gulls & ferries."
attachment = "walk.{0}"
[podcast]
season = 2
episode = 7
people = [{{name = "Ana", role = "host"}}, {{name = "Ben", role = "guest"}}]
chapters = [{{startTime = 0, title = "Start"}}, {{startTime = 0.5, title = "Über die Brücke", img = "bridge.jpg", url = "https://bridge.example/"}}]
+++
Text.
"""


def show(site):
    (site / "site.toml").write_text('base_url = "https://walks.example"\n')
    (site / "content").mkdir()
    (site / "content/channel.md").write_text('+++\ntitle = "Walks"\nlanguage = "de"\nicon = "cover.jpg"\npublisher = "Quay"\n+++\n')
    shutil.copy(FIXTURES / "picture.jpg", site / "content/cover.jpg")
    for extension, fixture in FORMATS.items():
        folder = site / "content/items" / extension
        folder.mkdir(parents=True)
        shutil.copy(FIXTURES / fixture, folder / f"walk.{extension}")
        shutil.copy(FIXTURES / "picture.jpg", folder / "bridge.jpg")
        (folder / "index.md").write_text(ITEM.format(extension))
    subprocess.run([feedwright, "build"], cwd=site, check=True, stdout=subprocess.DEVNULL)


def frames(file):
    """A hash of each decoded frame."""
    command = ["ffmpeg", "-v", "error", "-i", file, "-map", "0:a", "-f", "framemd5", "-"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.rsplit(",", 1)[1] for line in out.splitlines() if not line.startswith("#")]


def values(file):
    """Title, show and artist by mutagen, by the names that all formats share."""
    tags = mutagen.File(file, easy=True).tags
    return {key: ", ".join(tags.get(key, [])) for key in ("title", "album", "artist")}


def chapters(file):
    command = ["ffprobe", "-v", "error", "-show_chapters", "-of", "json", file]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["chapters"]
    return [(round(float(one["start_time"]), 2), one["tags"]["title"]) for one in found]


def check(site, extension):
    own, published = (site / folder / "items" / extension / f"walk.{extension}" for folder in ("content", "public/media"))
    found = values(published)
    assert found == {"title": f"The pier in {extension}", "album": "Walks", "artist": "Ana, Ben"}, found
    assert chapters(published) == [(0.0, "Start"), (0.5, "Über die Brücke")], chapters(published)
    assert frames(published) == frames(own), "the audio differs"
    rss = (site / "public/rss.xml").read_text()
    length = re.search(rf'walk\.{extension}" length="(\d+)"', rss).group(1)
    assert int(length) == published.stat().st_size, length


def check_id3(file):
    tags = ID3(file)
    assert tags["TRCK"].text == ["7"] and tags["TPOS"].text == ["2"], tags.pprint()
    assert tags.getall("APIC")[0].mime == "image/jpeg"
    assert str(tags.getall("COMM")[0]) == "Gulls & ferries."
    assert tags.getall("TLAN")[0].text == ["deu"]
    one, two = sorted(tags.getall("CHAP"), key=lambda chapter: chapter.start_time)
    assert (one.start_time, one.end_time, two.start_time) == (0, 500, 500)
    assert two.sub_frames["TIT2"].text == ["Über die Brücke"]
    assert two.sub_frames.getall("APIC") and "https://bridge.example/" in two.sub_frames.pprint()


with tempfile.TemporaryDirectory() as folder:
    site = Path(folder)
    show(site)
    for extension in FORMATS:
        check(site, extension)
    check_id3(site / "public/media/items/mp3/walk.mp3")
print(f"recordings: tags and audio of {len(FORMATS)} formats as expected")
