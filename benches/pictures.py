"""Compares how fast feedwright, the crate `pictures` alone, Hugo and Zola resize the same photos.

The programs run alternately. Each writes the photos 240 to 1600 pixels wide, as WebP and as JPEG with quality 80, and a
page that shows them. The filter is Lanczos where the program has a choice. Prints the medians of the wall time, of the
CPU time and of the peak memory, and the total size of the resized files.

Usage: python3 benches/pictures.py PHOTOS [COUNT [ROUNDS]]. PHOTOS is a folder of JPEGs, best on an in-memory file
system, where the disk does not affect the times. For programs that are not on PATH, set the environment variables
FEEDWRIGHT, ALONE (the example `alone` of `crates/pictures`), HUGO and ZOLA.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

photos = sorted(Path(sys.argv[1]).glob("*.jpg"))[: int(sys.argv[2]) if len(sys.argv) > 2 else None]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
work = Path(tempfile.mkdtemp(dir=Path(sys.argv[1]).parent))

HUGO_PAGE = """{{ range $photo := .Resources.ByType "image" }}{{ range slice 240 480 960 1600 }}
<img src="{{ ($photo.Resize (printf "%dx webp q80 Lanczos" .)).RelPermalink }}">
<img src="{{ ($photo.Resize (printf "%dx jpg q80 Lanczos" .)).RelPermalink }}">{{ end }}{{ end }}"""
ZOLA_PAGE = """{% for photo in page.assets %}{% for width in [240, 480, 960, 1600] %}{% for format in ["webp", "jpg"] %}
{% set size = resize_image(path=photo, width=width, op="fit_width", format=format, quality=80) %}<img src="{{ size.url }}">
{% endfor %}{% endfor %}{% endfor %}"""


def site(name, files, beside):
    """Creates a site with these text files, and the photos in the folder `beside`."""
    root = work / name
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for photo in photos:
        (root / beside).mkdir(parents=True, exist_ok=True)
        os.link(photo, root / beside / photo.name)
    return root


def program(name):
    return os.environ.get(name.upper()) or shutil.which(name)


shown = "\n\n".join(f"![]({photo.name})" for photo in photos)
sites = {
    "feedwright": (
        {
            "site.toml": 'base_url = "https://log.example"\n',
            "content/channel.md": '+++\ntitle = "Log"\n+++\n',
            "content/items/log/index.md": f'+++\nid = "log"\ntitle = "Log"\n+++\n{shown}\n',
        },
        "content/items/log",
        ["build"],
    ),
    "hugo": (
        {
            "config.toml": 'baseURL = "https://log.example/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n',
            "content/log/index.md": '+++\ntitle = "Log"\n+++\n',
            "layouts/_default/single.html": HUGO_PAGE,
            "layouts/index.html": "Log",
        },
        "content/log",
        [],
    ),
    "zola": (
        {
            "config.toml": 'base_url = "https://log.example"\n',
            "content/log/index.md": '+++\ntitle = "Log"\n+++\n',
            "templates/page.html": ZOLA_PAGE,
            "templates/index.html": "Log",
        },
        "content/log",
        ["build"],
    ),
    "alone": ({}, "photos", ["photos"]),
}


def run(command, root):
    """Runs the command. Returns wall time and CPU time in seconds, and peak memory in MiB."""
    for made in ["public", "resources", ".feedwright", "static/processed_images"]:
        shutil.rmtree(root / made, ignore_errors=True)
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command[0]}: {said.decode()}")
    return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def sizes(root):
    """Returns the total size of the resized files in MB, and their number."""
    originals = {photo.name for photo in photos}
    files = [file for file in (root / "public").rglob("*") if file.suffix in {".webp", ".jpg"}]
    files = [file for file in files if file.name not in originals]
    return sum(file.stat().st_size for file in files) / 1e6, len(files)


there = {name: (program(name), site(name, files, beside), arguments) for name, (files, beside, arguments) in sites.items() if program(name)}
taken = {name: [] for name in there}
for _ in range(rounds):
    for name, (found, root, arguments) in there.items():
        taken[name].append(run([os.path.abspath(found), *arguments], root))
print(f"{len(photos)} photos, {rounds} rounds")
for name, found in taken.items():
    seconds, processors, memory = (statistics.median(column) for column in zip(*found))
    made = "{:.1f} MB in {} files".format(*sizes(there[name][1])) if name != "alone" else ""
    print(f"{name:12} {seconds:7.2f} s {processors:7.2f} s of processors {memory:6.0f} MiB  {made}")
shutil.rmtree(work)
