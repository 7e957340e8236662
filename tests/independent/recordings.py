"""Tags of recordings, read back by other libraries: mutagen, TagLib, MediaInfo, eyeD3 and ffprobe.

Makes recordings with ffmpeg in all formats and layouts, tags them, compares every value and chapter, and compares the
decoded audio before and after. Usage: recordings.py TAG FOLDER, where TAG is the example `tag` of `recording-tags`, next to `cut`.
"""

import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import eyed3
import mutagen
import taglib
from mutagen.apev2 import APEv2
from pymediainfo import MediaInfo

tag, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
cut = tag.with_name("cut")
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)

TITLE = "Über die Brücke"
CHAPTERS = [(0, "Start"), (1000, TITLE), (2700, "終わり")]
HIDDEN = (2500, "Pause")
LINK = "https://example.org/bridge?a=1&b=2"


def run(*command):
    result = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, check=False)
    assert result.returncode == 0, f"{command}: {result.stderr.decode()}"
    return result.stdout


def ffmpeg(*arguments):
    return run("ffmpeg", "-v", "error", "-y", *arguments)


NOISE = ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(440*2*PI*t)+0.1*random(0):d=4:s=44100:c=stereo"]
OLD = ["-metadata", "title=Old", "-metadata", "REPLAYGAIN_TRACK_GAIN=-1.25 dB", "-metadata", "artist=Nobody"]
(folder / "old.txt").write_text(
    ";FFMETADATA1\n" + "".join(f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n}\nEND={n + 1}\ntitle=Old {n}\n" for n in range(4))
)
CHAPTERED = ["-i", "old.txt", "-map_metadata", "1"]

ffmpeg("-f", "lavfi", "-i", "testsrc=size=600x600", "-frames:v", "1", "cover.jpg")
ffmpeg("-f", "lavfi", "-i", "testsrc=size=300x300", "-frames:v", "1", "cover.png")
COVERED = ["-i", "cover.png", "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic"]
cover = (folder / "cover.jpg").read_bytes()
# Without noise that decoders generate, which differs from run to run.
AAC = ["-c:a", "aac", "-aac_pns", "0"]

recordings = {
    "cbr.mp3": ["-b:a", "96k", *OLD],
    "vbr.mp3": ["-q:a", "4", *OLD],
    "v23.mp3": ["-q:a", "4", "-id3v2_version", "3", *OLD],
    "bare.mp3": ["-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"],
    "v1.mp3": ["-b:a", "64k", "-write_id3v1", "1", *OLD],
    "mpeg2.mp3": ["-ar", "22050", "-ac", "1", "-b:a", "32k", *OLD],
    "cover.mp3": [*COVERED, *OLD],
    "chapters.mp3": [*CHAPTERED, *OLD],
    "last.m4a": [*AAC, *OLD],
    "first.m4a": [*AAC, "-movflags", "+faststart", *OLD],
    "cover.m4a": [*COVERED, *AAC, *OLD],
    "chapters.m4a": [*CHAPTERED, *AAC, *OLD],
    "lossless.m4a": ["-c:a", "alac", *OLD],
    "speech.m4a": [*AAC, "-ar", "16000", "-ac", "1", "-b:a", "24k", *OLD],
    "chapters.m4b": [*CHAPTERED, *AAC, "-f", "ipod", "-movflags", "+faststart", *OLD],
    "plain.flac": OLD,
    "cover.flac": [*COVERED, *OLD],
    "chapters.flac": [*CHAPTERED, *OLD],
    "plain.opus": OLD,
    "chapters.opus": [*CHAPTERED, "-page_duration", "100000", *OLD],
    "plain.ogg": ["-c:a", "libvorbis", *OLD],
    "chapters.ogg": [*CHAPTERED, "-c:a", "libvorbis", "-page_duration", "100000", *OLD],
}
for name, options in recordings.items():
    ffmpeg(*NOISE, *options, name)

# Two kinds of tags at the end, as mp3gain and old editors write them.
both = bytearray((folder / "cbr.mp3").read_bytes())
(folder / "ape.mp3").write_bytes(both)
ape = APEv2()
ape["Title"], ape["REPLAYGAIN_TRACK_GAIN"] = "Old", "-1.25 dB"
ape.save(folder / "ape.mp3")
with (folder / "ape.mp3").open("ab") as file:
    file.write(struct.pack("3s30s30s30s4s30sB", b"TAG", b"Old", b"Nobody", b"", b"1999", b"", 255))
recordings["ape.mp3"] = OLD


def decoded(path):
    return ffmpeg("-i", path, "-map", "0:a", "-f", "md5", "-")


def by_ffprobe(path):
    found = json.loads(run("ffprobe", "-v", "error", "-show_chapters", "-show_format", "-of", "json", path))
    chapters = [(round(float(c["start_time"]) * 1000), c["tags"]["title"]) for c in found["chapters"]]
    streams = found["format"].get("tags") or {}
    if path.endswith((".opus", ".ogg")):
        streams = json.loads(run("ffprobe", "-v", "error", "-show_streams", "-of", "json", path))["streams"][0]["tags"]
    return {key.lower(): value for key, value in streams.items()}, chapters


def by_mediainfo(path):
    tracks = MediaInfo.parse(folder / path).tracks
    chapters = []
    for track in tracks:
        data = track.to_data()
        if track.track_type == "Menu":
            times = [(key.split("_"), title) for key, title in data.items() if key[:2].isdigit()]
            chapters.append([(int(h) * 3600000 + int(m) * 60000 + int(ms), title) for (h, m, ms), title in times])
    return tracks[0], chapters


def by_mutagen(path):
    """Returns title, gain, cover and chapters."""
    file = mutagen.File(folder / path)
    tags = file.tags
    if path.endswith(".mp3"):
        chapters = [(c.start_time, c.sub_frames["TIT2"].text[0]) for c in tags.getall("CHAP")]
        bridge = tags["CHAP:chp1"].sub_frames
        assert bridge["WXXX:"].url == LINK and bridge["APIC:"].data == cover
        assert tags["CTOC:toc"].child_element_ids == ["chp0", "chp1", "chp3"]
        return tags["TIT2"].text, tags.get("TXXX:REPLAYGAIN_TRACK_GAIN"), tags.getall("APIC")[0].data, chapters
    if path.endswith((".m4a", ".m4b")):
        chapters = [(round(c.start * 1000), c.title) for c in file.chapters]
        return tags["\xa9nam"], None, bytes(tags["covr"][0]), chapters
    times = [(key, tags[f"chapter{key:03}"][0]) for key in range(1, 10) if f"chapter{key:03}" in tags]
    starts = [(int(t[:2]) * 3600000 + int(t[3:5]) * 60000 + int(t[6:8]) * 1000 + int(t[9:]), key) for key, t in times]
    chapters = [(start, tags[f"chapter{key:03}name"][0]) for start, key in starts]
    assert tags["chapter002url"] == [LINK]
    if path.endswith(".flac"):
        picture = file.pictures[0]
    else:
        import base64

        picture = mutagen.flac.Picture(base64.b64decode(tags["metadata_block_picture"][0]))
    assert picture.type == 3 and picture.mime == "image/jpeg"
    return tags["title"], tags.get("replaygain_track_gain"), picture.data, chapters


def check(name, options):
    source = name
    name = f"tagged-{source}"
    before = (folder / source).read_bytes()
    run(tag, source, name, "cover.jpg")
    assert (folder / source).read_bytes() == before, "the author's file changed"
    assert decoded(source) == decoded(name), "the audio differs"
    run(tag, name, f"again-{source}", "cover.jpg")
    assert (folder / f"again-{source}").read_bytes() == (folder / name).read_bytes(), "a second time differs"
    is_mp3, is_mp4 = name.endswith(".mp3"), name.endswith((".m4a", ".m4b"))
    expected = sorted([*CHAPTERS, HIDDEN]) if is_mp3 else CHAPTERS

    title, gain, picture, chapters = by_mutagen(name)
    assert title == [TITLE] and picture == cover and sorted(chapters) == expected, (title, chapters)
    # ffmpeg writes no unknown value into MP4, and mp3gain writes its own into an APE tag.
    if OLD[3] in options and not is_mp4:
        assert str(gain) == "-1.25 dB" or gain == ["-1.25 dB"], gain
    if source == "ape.mp3":
        assert dict(APEv2(folder / name)) == {"REPLAYGAIN_TRACK_GAIN": "-1.25 dB"}
    assert b"TAGOld" not in (folder / name).read_bytes()[-128:]

    values, chapters = by_ffprobe(name)
    assert chapters == expected, chapters
    number = {"title": TITLE, "album": "Walks", "track": "12", "disc": "3", "genre": "Podcast"}
    assert number.items() <= values.items(), values
    assert values["artist"] in ("Ada Lovelace, 李白", "Ada Lovelace;李白")
    assert values["date"].startswith("2026-08-01")

    general, menus = by_mediainfo(name)
    assert (general.title, general.album, general.track_name_position) == (TITLE, "Walks", "12")
    assert general.cover == "Yes" and general.recorded_date.startswith("2026-08-01 10:00"), general.recorded_date
    if not is_mp3:
        # The track and the list of an MP4 file.
        assert menus == [CHAPTERS] * (2 if is_mp4 else 1), menus

    with taglib.File(folder / name) as file:
        values = file.tags
        assert values["TITLE"] == [TITLE] and values["LYRICS"] == ["One, two.\nThree."], values
        assert values["TRACKNUMBER"] == ["12"] and values["DISCNUMBER"] == ["3"], values

    if is_mp3:
        found = [(c.times.start, c.title) for c in eyed3.load(folder / name).tag.chapters]
        assert sorted(found) == expected, found


def check_clip(name, start, end):
    """Compares a clip with the decoded recording: the same samples, at most 50 ms too early or too late. In M4A, the
    first sample is exactly at its place, and the file states the exact duration."""
    path = f"clip-{name}"
    run(cut, name, path, start, end)
    streams = json.loads(run("ffprobe", "-v", "error", "-show_streams", "-of", "json", name))["streams"]
    rate = next(int(stream["sample_rate"]) for stream in streams if stream["codec_type"] == "audio")
    whole, clip = (ffmpeg("-i", file, "-map", "0:a", "-ac", "1", "-f", "s16le", "-") for file in (name, path))
    if name.endswith(".mp3"):
        found = whole.find(clip[: rate // 2])
        assert found >= 0 and abs(found / 2 / rate - start / 1000) <= 0.05, found
        assert abs(len(clip) / 2 / rate - (end - start) / 1000) <= 0.05, len(clip)
    else:
        at = start * rate // 1000 * 2
        assert clip[: (end - start) * rate // 1000 * 2] == whole[at:][: (end - start) * rate // 1000 * 2]
        facts = json.loads(run("ffprobe", "-v", "error", "-show_format", "-show_chapters", "-of", "json", path))
        assert abs(float(facts["format"]["duration"]) - (end - start) / 1000) < 0.001 and not facts["chapters"], facts
        # Mutagen ignores edit lists.
        assert abs(mutagen.File(folder / path).info.length - (end - start) / 1000) < 0.1 or rate < 32000
        # A player that seeks to the middle hears the second half.
        seek = ffmpeg("-ss", (end - start) / 2000, "-i", path, "-ac", "1", "-f", "s16le", "-")
        assert 0.3 < len(seek) / len(clip) < 0.7 and clip.endswith(seek[-(rate // 10) * 2 :]), len(seek)


for name, options in recordings.items():
    try:
        check(name, options)
        for span in [(0, 500), (733, 2950), (2000, 3500)]:
            if name.endswith((".mp3", ".m4a", ".m4b", ".mp4")):
                check_clip(name, *span)
    except AssertionError as error:
        sys.exit(f"{name}: {error!r}")
print(f"{len(recordings)} recordings are tagged as other programs expect")
