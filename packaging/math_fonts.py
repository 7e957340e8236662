#!/usr/bin/env python3
"""Cuts STIX Two Math into the fonts of formulas that the default theme ships, and prints their @font-face rules.

    python3 packaging/math_fonts.py STIXTwoMath.ttf

needs fonttools and brotli. The font comes from https://github.com/stipub/stixfonts (SIL Open Font License 1.1, see
packaging/OFL.txt); the present files are cut from `source/STIXTwoMath.input.ttf`, version 2.12 b161.

- `math.woff2` has what most formulas need: Latin, Greek, operators, arrows and all stretched forms. Browsers stretch operators with
  the first font of a formula only, so all that stretches is in this file.
- `math-letters.woff2` has the bold, script, double-struck and Fraktur letters.
- `math-more.woff2` has the remaining alphabets and shapes.

A browser loads a file when a page shows one of its characters.
"""

import io
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ASSETS = Path(__file__).parent.parent / "themes/default/assets"


def chars(ranges):
    found = set()
    for part in ranges.split():
        first, _, last = part.partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


ALPHABETS = chars("1D400-1D7FF")
LETTERS = chars("1D400-1D433 1D468-1D4CF 1D504-1D56B 2102 210B-2110 2112 2115 2119-211B 211D 2124 2128 212C-2131 2133 2134 213C-2140 2145-2149")
USUAL = (
    chars("20-7E A0 A3 A5 A7 A8 AC AF-B1 B4 B6-B8 D7 F0 F7 131 237 2C6 2C7 2D8-2DA 2DC 300-308 30A 30C 332 338")
    | chars("391-3A9 3B1-3C9 3D1 3D5 3D6 3DC 3DD 3F0 3F1 3F4 3F5")
    | chars("2000-200A 2010-2016 2018 2019 201C 201D 2020-2022 2026 2032-2037 203E 2044 2057 2061-2064 20D6 20D7 20DB 20DC 20E1")
    | chars("210E 210F 2111 2113 2118 211C 2127 2132 2135-2138 2141 214B 2190-22FF")
    | chars("2308-230B 231C-231F 2322 2323 239B-23B1 23B4 23B5 23D0 23DC-23E1 27E6-27EF 27F5-27FF 2A00-2A0C")
    | chars("1D434-1D467 1D6A4 1D6A5 1D6E2-1D71B")
)
MORE = (
    (ALPHABETS | chars("2100-214F")) - LETTERS - USUAL
) | chars("25A0-25C3 25CA 25CB 25EF 2605 2660-2663 266D-266F 2713 2720 27C2 29EB 29F5 2A2F 2A3F 2A5E 2A7D 2A7E 2A85-2A8C 2A95 2A96 2AAF 2AB0 2AB5-2ABA 2AC5 2AC6 2ACB 2ACC")

PRIMES = chars("2032-2037 2057")
PARTS = {"math": USUAL, "math-letters": LETTERS, "math-more": MORE}


def lower_primes(font):
    """Gives primes the forms for superscripts, where formulas have them: browsers do not ask for these forms (`ssty`)."""
    table = font["GSUB"].table
    features = [record.Feature for record in table.FeatureList.FeatureRecord if record.FeatureTag == "ssty"]
    forms = {}
    for index in {index for feature in features for index in feature.LookupListIndex}:
        for part in table.LookupList.Lookup[index].SubTable:
            part = getattr(part, "ExtSubTable", part)
            forms |= {glyph: others[0] for glyph, others in getattr(part, "alternates", {}).items()}
            forms |= getattr(part, "mapping", {})
    for cmap in font["cmap"].tables:
        for code in PRIMES & set(cmap.cmap):
            cmap.cmap[code] = forms.get(cmap.cmap[code], cmap.cmap[code])


def cut(source, wanted):
    font = TTFont(source)
    lower_primes(font)
    options = subset.Options()
    options.hinting = False
    options.glyph_names = False
    options.notdef_outline = True
    options.layout_features = []
    # Copyright, family, version, licence and its address stay in each file.
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    options.drop_tables += ["DSIG", "GPOS"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    held = sorted(font.getBestCmap())
    font.flavor = "woff2"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue(), held


def ranges(codes):
    parts = []
    for code in sorted(codes):
        if parts and parts[-1][1] == code - 1:
            parts[-1][1] = code
        else:
            parts.append([code, code])
    return ", ".join(f"U+{a:x}" if a == b else f"U+{a:x}-{b:x}" for a, b in parts)


def main():
    for name, wanted in PARTS.items():
        data, held = cut(sys.argv[1], wanted)
        (ASSETS / f"{name}.woff2").write_bytes(data)
        print(f"{name}.woff2: {len(data)} bytes, {len(held)} characters", file=sys.stderr)
        # The first one has all that the others lack: of several that hold a character the last one counts.
        own = "" if name == "math" else f" unicode-range: {ranges({c for c in held if c < 0x10000} & wanted | (wanted & ALPHABETS))};"
        print(f'@font-face {{ font-family: Formulas; src: url("{name}.woff2") format("woff2");{own} }}')


main()
