"""Records the kinds of things that an independent judge did not judge, so that their number cannot grow unnoticed.

    python tests/independent/unjudged.py JUDGE FOLDER < PATHS

Every judge passes the kinds that it skipped to `settle`, which compares them with `unjudged.txt`. A kind that is not in the
record fails, and so does a recorded kind that is judged by now. `UPDATE=1` writes the record anew.

As a command: prints the kinds of files in FOLDER of which no file is in PATHS, the judged ones, one path per line.
"""

import os
import sys
from pathlib import Path
from urllib.parse import unquote

RECORD = Path(__file__).with_name("unjudged.txt")


def kind_of(file):
    """The kind of a file of a built site: its top folder and its extension, or its name at the root. Every page has a
    Markdown version, which is one kind."""
    folder, _, name = file.rpartition("/")
    if name == "index.md":
        return "**/index.md"
    if not folder:
        return name
    extension = Path(name).suffix or name
    return f"{folder.split('/')[0]}/**/*{extension}"


def settle(judge, kinds):
    """Complaints about kinds that `judge` skips against the record, or records although it judges them."""
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    recorded = {line.removeprefix(f"{judge}: ") for line in lines if line.startswith(f"{judge}: ")}
    kinds = set(kinds)
    print(f"{judge}: {len(kinds)} kinds not judged", file=sys.stderr)
    if os.environ.get("UPDATE"):
        others = [line for line in lines if not line.startswith(f"{judge}: ")]
        RECORD.write_text("".join(f"{line}\n" for line in sorted(others + [f"{judge}: {kind}" for kind in kinds])))
        return []
    new = [f"{judge}: not judged: {kind}. Judge it, or add the line to {RECORD.name}" for kind in sorted(kinds - recorded)]
    old = [f"{judge}: {kind} is judged by now: remove its line from {RECORD.name}" for kind in sorted(recorded - kinds)]
    return new + old


def main(judge, folder):
    folder = Path(folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    judged = set()
    for path in sys.stdin.read().splitlines():
        path = unquote(path).strip("/")
        judged |= {path, f"{path}/index.html".lstrip("/")} & files
    kinds = {kind_of(file) for file in files} - {kind_of(file) for file in judged}
    complaints = settle(judge, kinds)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
