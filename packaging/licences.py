#!/usr/bin/env python3
"""Prints the licences of all that is inside the program, with their texts: cargo metadata in, a text out.

    cargo metadata --format-version 1 --locked --filter-platform TARGET | packaging/licences.py

The texts are those in the sources that cargo has fetched. A crate without a text of its own names its licence; those
licences are among the texts of others.
"""

import json
import os
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
HEAD = """\
The program feedwright contains the libraries below. Each is listed with its licence, and each licence's text follows
once, with the libraries that bear it.

A statically linked program for Linux also contains the GNU C Library (https://www.gnu.org/software/libc/), under the
GNU Lesser General Public License, version 2.1 or later (https://www.gnu.org/licenses/old-licenses/lgpl-2.1). To run
feedwright with a changed one, build it from its sources, which its licence (MIT) gives to everyone: without the flag
+crt-static it takes the library of the system. It contains the standard library of Rust (MIT or Apache-2.0), too.

The default theme contains parts of the font STIX Two Math, under the SIL Open Font License 1.1.
"""


# Where Debian and its kin keep the text of the C library's licence.
OF_THE_C_LIBRARY = "/usr/share/common-licenses/LGPL-2.1"


def linked(metadata):
    """The packages that end up in the program: without those that only build or test it."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    found, open_ = set(), [metadata["resolve"]["root"]]
    while open_:
        package = open_.pop()
        if package not in found:
            found.add(package)
            for dependency in nodes[package]["deps"]:
                if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                    open_.append(dependency["pkg"])
    # What has no source is our own.
    found = [packages[package] for package in found if packages[package]["source"]]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """The licence texts in a package, and in the C sources that it brings along."""
    for folder, folders, files in os.walk(os.path.dirname(package["manifest_path"])):
        folders[:] = sorted(name for name in folders if name not in ("test", "tests", "testdata"))
        for name in sorted(files):
            if name.upper().startswith(NAMES) and not name.endswith((".rs", ".py", ".c", ".h", ".html")):
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    yield "\n".join(line.rstrip() for line in file.read().strip().splitlines())


def main():
    packages = linked(json.load(sys.stdin))
    bearers = {}
    print(HEAD)
    for package in packages:
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license'] or 'see its text below'}")
        for text in texts(package):
            names = bearers.setdefault(text, [])
            if name not in names:
                names.append(name)
    if os.path.exists(OF_THE_C_LIBRARY):
        with open(OF_THE_C_LIBRARY, encoding="utf-8") as file:
            bearers[file.read().strip()] = ["The GNU C Library"]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "OFL.txt"), encoding="utf-8") as file:
        bearers[file.read().strip()] = ["STIX Two Math"]
    for text, names in bearers.items():
        print(f"\n{'=' * 100}\n{', '.join(names)}\n{'=' * 100}\n\n{text}")


main()
