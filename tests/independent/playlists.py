"""HLS playlists that ffmpeg writes: their files, by the library `m3u8`, and their duration, by ffprobe.

A site is built with playlists of every layout, each the recording of an item. Usage: playlists.py FEEDWRIGHT
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import m3u8

feedwright = str(Path(sys.argv[1]).resolve())
SECONDS = 9
VIDEO = ["-c:v", "mpeg4", "-b:v", "60k", "-g", "10"]
HLS = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"]
TWO = ["-map", "0:v", "-map", "1:a", "-map", "0:v", "-map", "1:a"]
LAYOUTS = {
    "ts": [*VIDEO, *HLS, "walk.m3u8"],
    "fmp4": [*VIDEO, *HLS, "-hls_segment_type", "fmp4", "walk.m3u8"],
    "ranges": [*VIDEO, *HLS, "-hls_flags", "single_file", "walk.m3u8"],
    "fmp4-ranges": [*VIDEO, *HLS, "-hls_segment_type", "fmp4", "-hls_flags", "single_file", "walk.m3u8"],
    "audio": ["-map", "1:a", *HLS, "walk.m3u8"],
    "keys": [*VIDEO, *HLS, "-hls_key_info_file", "key.info", "walk.m3u8"],
    "variants": [
        *TWO, *VIDEO, *HLS, "-s:v:0", "320x180", "-s:v:1", "160x90", "-var_stream_map", "v:0,a:0 v:1,a:1",
        "-master_pl_name", "walk.m3u8", "-hls_segment_filename", "%v/part %d.ts", "%v/index.m3u8",
    ],
    "groups": [
        "-map", "0:v", "-map", "1:a", *VIDEO, *HLS,
        "-var_stream_map", "v:0,agroup:a,name:video a:0,agroup:a,language:de,name:de",
        "-master_pl_name", "walk.m3u8", "-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init_%v.mp4", "of_%v.m3u8",
    ],
}
ITEM = '+++\nid = "{0}"\nslug = "{0}"\ntitle = "{0}"\ndate = 2026-08-01T10:00:00Z\nattachment = "{0}/walk.m3u8"\n+++\nText.\n'
INPUTS = [
    "-f", "lavfi", "-i", f"testsrc=size=320x180:rate=10:duration={SECONDS}",
    "-f", "lavfi", "-i", f"sine=frequency=300:duration={SECONDS}",
]


def make(site):
    (site / "content/items").mkdir(parents=True)
    (site / "site.toml").write_text('base_url = "https://walks.example"\n')
    (site / "content/channel.md").write_text('+++\ntitle = "Walks"\n+++\n')
    for name, layout in LAYOUTS.items():
        folder = site / "content/items" / name
        folder.mkdir()
        if name == "keys":
            (folder / "key.bin").write_bytes(bytes(range(16)))
            (folder / "key.info").write_text("key.bin\nkey.bin\n")
        command = ["ffmpeg", "-v", "error", *INPUTS, "-c:a", "aac", *layout]
        subprocess.run(command, cwd=folder, check=True)
        (site / f"content/items/{name}.md").write_text(ITEM.format(name))
    subprocess.run([feedwright, "build"], cwd=site, check=True, capture_output=True)


def files(playlist):
    """The files of a playlist, and of the playlists that it names."""
    found = {playlist}
    read = m3u8.load(str(playlist))
    inner = [*read.playlists, *read.media, *read.iframe_playlists]
    for one in inner:
        if one.uri:
            found |= files(playlist.parent / unquote(urlsplit(one.uri).path))
    parts = [*read.segments, *read.segment_map, *filter(None, read.keys)]
    return found | {playlist.parent / unquote(part.uri) for part in parts if part.uri}


with tempfile.TemporaryDirectory() as folder:
    site = Path(folder)
    make(site)
    media = site / "public/media/items"
    items = {item["id"]: item for item in json.loads((site / "public/feed.json").read_text())["items"]}
    for name in LAYOUTS:
        published = {path.resolve() for path in (media / name).rglob("*") if path.is_file()}
        expected = {path.resolve() for path in files(site / "public/media/items" / name / "walk.m3u8")}
        assert published == expected, (name, published ^ expected)
        command = ["ffprobe", "-v", "error", "-allowed_extensions", "ALL", "-show_entries", "format=duration", "-of", "csv=p=0"]
        said = subprocess.run([*command, media / name / "walk.m3u8"], check=True, capture_output=True, text=True)
        attachment = items[name]["attachments"][0]
        duration = attachment["duration_in_seconds"]
        assert abs(float(said.stdout) - duration) < 0.2, (name, said.stdout, duration)
        assert attachment["mime_type"] == "application/vnd.apple.mpegurl", attachment
    report = subprocess.run([feedwright, "check", "--json"], cwd=site, capture_output=True, text=True).stdout
    assert '"playlist"' not in report, report
print(f"playlists: files and duration of {len(LAYOUTS)} layouts as expected")
