#!/usr/bin/env python3
"""Judges the JSON Schemas of `feedwright schema` by an independent validator: they are valid schemas of draft 2020-12,
what the reader takes fits them, and no misspelt key does.

    schemas.py FEEDWRIGHT SITE...
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tomllib

import yaml
from jsonschema import Draft202012Validator

KINDS = ["site", "item", "page", "channel", "calendar", "event"]


class Yaml(yaml.SafeLoader):
    """Reads dates as texts, as JSON has them."""


Yaml.yaml_implicit_resolvers = {
    letter: [(tag, form) for tag, form in forms if tag != "tag:yaml.org,2002:timestamp"]
    for letter, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def plain(value):
    """A value of TOML as JSON has it; null is what is left out."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [plain(inner) for inner in value if inner is not None]
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return value


def front_matter(text):
    """What stands before the text. None if there is nothing."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if found := re.match(r"\+\+\+ *\n(.*?)^\+\+\+ *$", text, re.DOTALL | re.MULTILINE):
        return plain(tomllib.loads(found[1]))
    if found := re.match(r"--- *\n(.*?)^--- *$", text, re.DOTALL | re.MULTILINE):
        return plain(yaml.load(found[1], Yaml) or {})
    if text.startswith("{"):
        return plain(json.JSONDecoder().raw_decode(text)[0])
    return None


def files(site):
    """Every file of a site that has a schema, with its kind."""
    if (site / "site.toml").exists():
        yield site / "site.toml", "site"
    content = site / "content"
    for path in sorted(content.rglob("*")):
        folder = path.relative_to(content).parts[0]
        if path.suffix not in (".md", ".html", ".toml") or not path.is_file():
            continue
        if path.name == "channel.md" and path.parent == content:
            yield path, "channel"
        elif path.name == "calendar.toml":
            yield path, "calendar"
        elif path.suffix != ".toml" and folder in ("items", "pages", "calendars"):
            yield path, folder.removesuffix("s").replace("calendar", "event")


def main():
    feedwright, *sites = sys.argv[1:]
    validators = {}
    for kind in KINDS:
        printed = subprocess.run([feedwright, "schema", kind], check=True, capture_output=True).stdout
        schema = json.loads(printed)
        Draft202012Validator.check_schema(schema)
        validators[kind] = Draft202012Validator(schema)
    faults, checked, misspelt = [], dict.fromkeys(KINDS, 0), 0
    for site in map(pathlib.Path, sites):
        for path, kind in files(site):
            text = path.read_text(encoding="utf-8")
            fields = plain(tomllib.loads(text)) if path.suffix == ".toml" else front_matter(text)
            if fields is None:
                continue
            checked[kind] += 1
            for error in validators[kind].iter_errors(fields):
                faults.append(f"{path}: {error.json_path}: {error.message[:200]}")
            for key in fields:
                wrong = {name + "q" if name == key else name: value for name, value in fields.items()}
                misspelt += 1
                if validators[kind].is_valid(wrong):
                    faults.append(f"{path}: {key}q is a known key")
    for kind, count in checked.items():
        if count == 0:
            faults.append(f"no file of the kind {kind} was there to be checked")
    for fault in faults:
        print("FAIL", fault)
    print(f"schemas: {sum(checked.values())} files fit, {misspelt} misspelt keys do not: {len(faults)} faults")
    sys.exit(bool(faults))


main()
