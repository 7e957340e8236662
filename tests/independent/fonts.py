"""Parts of fonts, read by another library and set by another shaper, beside the whole font.

Builds a site for each font with the program, and reads the parts back. Each has the characters that its rule names and no
others; together they have all. Glyphs keep their widths and outlines, and texts of a part's characters are set as in the
whole font, with and without its optional features. Usage: fonts.py FEEDWRIGHT FOLDER FONT... In CI there have to be four fonts.
"""

import io
import os
import random
import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import uharfbuzz as hb
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

feedwright, folder, fonts = sys.argv[1], Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]]
random.seed(16)


def opened(file):
    """A font, and the same for the shaper, which reads no WOFF."""
    font = TTFont(io.BytesIO(file), recalcBBoxes=False)
    font.flavor = None
    unpacked = io.BytesIO()
    font.save(unpacked, reorderTables=None)
    return font, hb.Font(hb.Face(unpacked.getvalue()))


def shaped(font, text, features, invisible):
    """Glyphs and places; without what stands for characters that are not seen."""
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(font, buffer, features)
    glyphs = zip(buffer.glyph_infos, buffer.glyph_positions)
    return [
        (info.codepoint, at.x_advance, at.y_advance, at.x_offset, at.y_offset)
        for info, at in glyphs
        if at.x_advance or info.codepoint != invisible
    ]


def outline(font, number):
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[font.getGlyphOrder()[number]].draw(pen)
    return pen.value


def named(text):
    """The characters of a `unicode-range`."""
    found = set()
    for one in text.split(","):
        first, _, last = one.strip()[2:].partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


def is_itself(character):
    """Whether it is no mark of any script, nor another way to write one other character: a shaper takes what it finds of
    `ḷ` and of `l` with a mark, and `ḷ` is of another part than `l`."""
    other = unicodedata.decomposition(character)
    is_mark = unicodedata.name(character, "").startswith("COMBINING")
    return not is_mark and (not other or other.startswith("<") or " " in other)


def check(path):
    site = folder / path.stem
    shutil.rmtree(site, ignore_errors=True)
    (site / "content").mkdir(parents=True)
    shutil.copy(path, site / path.name)
    (site / "content/channel.md").write_text("+++\ntitle = \"Fonts\"\nlanguage = \"en\"\n+++\n")
    (site / "site.toml").write_text(f'base_url = "https://fonts.example"\n[theme_options]\nfont = "{path.name}"\n')
    subprocess.run([feedwright, "build", "--site", site], check=True, stderr=subprocess.DEVNULL)
    sheet = next(site.glob("public/assets/*/site.css"))
    rules = re.findall(r'url\("([^"]+)"\).*?unicode-range: ([^;}]+)', sheet.read_text())
    if not rules:
        print(f"   {path.name}: whole")
        return
    early = re.findall(r'rel="preload" href="[^"]*/site/([^"]+)" as="font"', (site / "public/index.html").read_text())
    assert [name for name in early if ".latin." in name] == early and len(early) == 1, early

    whole, whole_shaper = opened(path.read_bytes())
    all_characters, order = whole.getBestCmap(), whole.getGlyphOrder()
    space = whole.getGlyphID(all_characters[0x20]) if 0x20 in all_characters else -1
    optional = {}
    if "GSUB" in whole:
        optional = {record.FeatureTag: True for record in whole["GSUB"].table.FeatureList.FeatureRecord}
    seen, heaviest = set(), 0
    for name, characters in rules:
        file = (sheet.parent / name).read_bytes()
        part, shaper = opened(file)
        own = part.getBestCmap()
        assert set(own) == named(characters) & set(own) and set(own) <= set(all_characters), name
        seen |= set(own)
        heaviest = max(heaviest, len(file))
        used = set()
        for character, glyph in own.items():
            other = all_characters[character]
            number = part.getGlyphID(glyph)
            assert number == whole.getGlyphID(other), f"{name}: U+{character:X}"
            assert part["hmtx"].metrics[glyph] == whole["hmtx"].metrics[other], f"{name}: U+{character:X}"
            used.add(number)
        letters = [chr(character) for character in own if character > 0x20 and is_itself(chr(character))]
        # Marks on letters that have no other form with them.
        marked = [text for text in ("q\u0301", "b\u0304", "Q\u0302", "о\u0301", "ю\u0301") if set(map(ord, text)) <= set(own)]
        texts = ["".join(random.choices(letters, k=random.choice([2, 3, 8]))) for _ in range(300)]
        for text in marked + texts:
            for features in ({}, {"smcp": True, "onum": True, "swsh": True}, optional):
                expected = shaped(whole_shaper, text, features, space)
                found = shaped(shaper, text, features, space)
                assert found == expected, f"{name}: {text!r} {found} instead of {expected}"
                used |= {glyph for glyph, *_ in found}
        for number in random.sample(sorted(used), min(len(used), 200)):
            assert outline(part, number) == outline(whole, number), f"{name}: {order[number]}"
    assert seen == set(all_characters), f"{path.name}: lost {sorted(set(all_characters) - seen)[:9]}"
    print(f"   {path.name}: {len(rules)} parts, {path.stat().st_size // 1000} KB, the heaviest of {heaviest // 1000} KB")


if os.environ.get("CI") and len(fonts) < 4:
    sys.exit(f"fonts: {len(fonts)} fonts are installed, not four: see tests/run")
for font in fonts:
    check(font)
print(f"ok: {len(fonts)} fonts")
