"""Feeds that no one here wrote become sites: those of the tests of feed parsers, fetched as source packages.

Each is imported, built, and read by feedparser beside the original: as many items, and every guid as it was. Imported
again, nothing is new. Usage: imports.py FEEDWRIGHT FOLDER
"""

import json
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import feedparser

feedwright, folder = sys.argv[1], Path(sys.argv[2])
PACKAGES = ["feedparser==6.0.14", "podcastparser==0.6.11", "reader==3.26"]
# Of a suite with a file for each detail, one in so many.
EACH = {"feedparser": 8}

shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
subprocess.run(
    [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", "--dest", folder / "packages", *PACKAGES],
    check=True,
)


def feeds():
    for package in sorted((folder / "packages").glob("*.tar.gz")):
        with tarfile.open(package) as archive:
            archive.extractall(folder / "sources", filter="data")
        source = folder / "sources" / package.name.removesuffix(".tar.gz")
        endings = (".xml", ".rss", ".atom") if "feedparser" in package.name else (".rss", ".atom")
        files = sorted(file for file in source.rglob("*") if file.suffix in endings and "/tests/" in str(file))
        # Files of parsers' tests that are about fetching, about what is let through, or no feeds.
        files = [file for file in files if not {"http", "sanitize", "cdf", "encoding"} & set(file.parts)]
        yield from files[:: EACH.get(package.name.split("-")[0], 1)]


def run(*arguments):
    return subprocess.run([feedwright, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def complaints(number, file):
    site = folder / "sites" / str(number)
    original = feedparser.parse(file.read_bytes(), sanitize_html=False)
    imported = run("import", "rss", file, "--site", site, "--json", "--base-url", "https://new.example")
    if imported.returncode:
        no_feed = not original.version and not original.entries
        return [] if no_feed and imported.returncode == 2 else [f"{file}: import: {imported.stderr[-500:]}"]
    report = json.loads(imported.stdout)
    found = []
    built = run("build", "--site", site, "--future")
    if built.returncode:
        return [f"{file}: build: {built.stderr[-500:]}"]
    twice = sum(note["count"] for note in report["notes"] if "stands twice" in note["message"])
    if report["items"] + twice != len(original.entries):
        found.append(f"{file}: {report['items']} items, and feedparser finds {len(original.entries)}")
    new = feedparser.parse((site / "public/rss.xml").read_bytes())
    if new.bozo:
        found.append(f"{file}: the new feed: {new.bozo_exception}")
    guids = {entry.id for entry in new.entries}
    # feedparser makes a guid that is part of an address whole; apps take it as it stands.
    lost = {entry.id for entry in original.entries if entry.get("id")}
    lost = {guid for guid in lost if not any(guid == new or guid.endswith(f"/{new}") for new in guids)}
    if lost:
        found.append(f"{file}: guids {lost} became {guids}")
    again = json.loads(run("import", "rss", file, "--site", site, "--json").stdout)
    if again["items"]:
        found.append(f"{file}: again there are {again['items']} new items")
    return found


files = list(feeds())
assert len(files) >= 200, len(files)
with ThreadPoolExecutor(3) as workers:
    found = [line for lines in workers.map(complaints, range(len(files)), files) for line in lines]
print(*found, sep="\n")
print(f"imports: {len(files)} feeds of parsers' tests, {len(found)} complaints")
sys.exit(1 if found else 0)
