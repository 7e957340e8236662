"""Sizes of pictures, read by another decoder: their pixels against another resizer, and their metadata.

Makes a site of photographs, drawings and files that are none, builds it, and compares what was made with what Pillow
makes of the same files. Usage: pictures.py FEEDWRIGHT FOLDER
"""

import io
import json
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageFilter, ImageOps, ImageStat

feedwright, folder = sys.argv[1], Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
media = folder / "content" / "items" / "log"
media.mkdir(parents=True)


def photo(width, height, seed):
    """Soft colours with fine noise and an edge, the same for the same seed."""
    base = Image.effect_noise((width // 16, height // 16), 90).resize((width, height), Image.BICUBIC)
    ramp = Image.linear_gradient("L").resize((width, height))
    image = Image.merge("RGB", (base, ramp, ImageChops.invert(base)))
    draw = ImageDraw.Draw(image)
    draw.ellipse((width * 0.2, height * 0.3, width * 0.5, height * 0.8), fill=(200, 40 + seed, 30))
    draw.rectangle((0, 0, width // 8, height // 8), fill=(0, 0, 250))
    return image.filter(ImageFilter.GaussianBlur(1))


def exif(orientation):
    """Exif with a place, an author and an orientation."""
    data = Image.Exif()
    data[0x010F] = "Camera"
    data[0x8298] = "Ada Lind"
    data[0x0112] = orientation
    gps = data.get_ifd(0x8825)
    gps[1], gps[2], gps[3], gps[4] = "N", (48.0, 8.0, 0.0), "E", (11.0, 34.0, 0.0)
    data[0x8825] = gps
    return data


sources = {}


def save(name, image, expected=None, **options):
    image.save(media / name, **options)
    sources[name] = expected if expected is not None else image.convert("RGB")


srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def swapped_profile():
    """A profile whose red is green: what ignores it shows other colours."""
    profile = bytearray(srgb)
    count = struct.unpack(">I", profile[128:132])[0]
    entries = {bytes(profile[132 + 12 * n : 136 + 12 * n]): 132 + 12 * n for n in range(count)}
    red, green = entries[b"rXYZ"], entries[b"gXYZ"]
    profile[red + 4 : red + 12], profile[green + 4 : green + 12] = profile[green + 4 : green + 12], profile[red + 4 : red + 12]
    # No plain sRGB any more.
    return bytes(profile).replace(b"s\0R\0G\0B", b"t\0S\0H\0C").replace(b"sRGB", b"tSHC")


for orientation in range(1, 9):
    image = photo(1200, 800, orientation)
    tagged = exif(orientation)
    turned = image.copy()
    turned.getexif()[0x0112] = orientation
    save(f"turned-{orientation}.jpg", image, ImageOps.exif_transpose(turned), quality=95, exif=tagged)
grey = photo(900, 700, 3).convert("L")
save("grey.jpg", grey, quality=95)
save("progressive.jpg", photo(1000, 750, 9), quality=95, progressive=True)
# JPEGs as encoders write them that are rarer, and as editors leave them behind.
odd = photo(803, 597, 2)
for sampling in ("4:4:4", "4:2:2", "4:2:0", "4:1:1"):
    save(f"sampled-{sampling.replace(':', '')}.jpg", odd, quality=95, subsampling=sampling)
    save(f"sampled-progressive-{sampling.replace(':', '')}.jpg", odd, quality=95, subsampling=sampling, progressive=True)
save("restart-blocks.jpg", odd, quality=95, restart_marker_blocks=1)
save("restart-rows.jpg", odd, quality=95, restart_marker_rows=1, progressive=True)
save("plain-colours.jpg", odd, quality=95, keep_rgb=True)
save("plain-colours-progressive.jpg", odd, quality=95, keep_rgb=True, progressive=True)
save("progressive-grey.jpg", odd.convert("L"), quality=95, progressive=True)
usual = io.BytesIO()
odd.save(usual, "JPEG", quality=95)
usual = usual.getvalue()
second = 4 + int.from_bytes(usual[4:6], "big")
for name, content in {
    "filled.jpg": usual[:2] + b"\xff\xff\xff" + usual[2:],
    "stray.jpg": usual[:second] + b"\0\1\2" + usual[second:],
    "empty-comment.jpg": usual[:2] + b"\xff\xfe\0\2" + usual[2:],
    "long-segment.jpg": usual[:2] + b"\xff\xe5\xff\xff" + bytes(65533) + usual[2:],
    "headless.jpg": usual[:2] + usual[second:],
    "trailing.jpg": usual + b"<html>" * 100,
}.items():
    (media / name).write_bytes(content)
    sources[name] = Image.open(media / name).convert("RGB")
cmyk = photo(900, 600, 5).convert("CMYK")
save("inks.jpg", cmyk, quality=95)
wide = photo(1000, 700, 7)
save("profile.jpg", wide, quality=95, icc_profile=swapped_profile())
save("lying-profile.jpg", photo(800, 600, 8), quality=95, icc_profile=b"\0\0\1\0lies" * 40)
drawing = Image.new("RGBA", (1100, 700), (0, 0, 0, 0))
draw = ImageDraw.Draw(drawing)
for step in range(0, 1100, 60):
    draw.line((step, 0, 1100 - step, 700), fill=(200, 30, 90, 255), width=9)
save("drawing.png", drawing, drawing)
palette = photo(900, 600, 4).quantize(32)
save("palette.png", palette)
sixteen = Image.new("I;16", (700, 500))
sixteen.putdata([((x * 90) % 65536) for y in range(500) for x in range(700)])
# Pillow clips 16 bits when it converts them.
save("sixteen.png", sixteen, sixteen.point(lambda value: value / 256).convert("L").convert("RGB"))
save("still.webp", photo(900, 650, 6), quality=95)
save("wrong-ending.png", photo(800, 600, 2), format="JPEG", quality=95)

# What stays as it is.
frames = [photo(400, 300, n) for n in range(3)]
frames[0].save(media / "moving.webp", save_all=True, append_images=frames[1:], duration=100)
frames[0].save(media / "moving.gif", save_all=True, append_images=frames[1:], duration=100)
photo(120, 90, 1).save(media / "small.jpg", quality=90)
as_they_are = ["moving.webp", "moving.gif", "small.jpg", "press.jpg"]
press = srgb[:16] + b"CMYK" + srgb[20:]
photo(900, 600, 5).convert("CMYK").save(media / "press.jpg", quality=90, icc_profile=press, exif=exif(1))

# Kinds without sizes: what tells of a place is written over, and not one pixel changes.
of_boxes = ["walk.avif"]
xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><place>Harbour</place></x:xmpmeta>'
photo(600, 400, 3).save(media / "walk.avif", exif=exif(1), xmp=xmp)
try:
    import pillow_heif

    pillow_heif.register_heif_opener()
    photo(600, 400, 4).save(media / "walk.heic", format="HEIF", exif=exif(1).tobytes(), xmp=xmp)
    of_boxes.append("walk.heic")
except ImportError:
    print("pictures: without pillow-heif no HEIC is read")
# Shown by no text, and published with the others.
loose = folder / "content" / "media"
loose.mkdir()
photo(600, 400, 6).save(loose / "loose.jpg", quality=90, exif=exif(6))

# What no decoder reads.
whole = io.BytesIO()
photo(900, 600, 1).save(whole, "JPEG", quality=90)
broken = bytearray(whole.getvalue())
(media / "no-pixels.jpg").write_bytes(bytes(broken[:700]))
png = io.BytesIO()
photo(900, 600, 1).save(png, "PNG")
torn = bytearray(png.getvalue())
torn[len(torn) // 3 : len(torn) // 2] = bytes(len(torn) // 2 - len(torn) // 3)
(media / "torn.png").write_bytes(bytes(torn))
giant = bytearray(png.getvalue())
giant[16:24] = struct.pack(">II", 50000, 50000)
(media / "giant.png").write_bytes(bytes(giant))
(media / "nothing.jpg").write_bytes(b"")
(media / "text.jpg").write_bytes(b"this is no picture")
bad = ["no-pixels.jpg", "torn.png", "giant.png", "nothing.jpg", "text.jpg"]

(folder / "site.toml").write_text('base_url = "https://log.example"\n[images]\nwidths = [320, 640]\nquality = 90\n')
(folder / "content" / "channel.md").write_text('+++\ntitle = "Log"\n+++\n')
names = [*sources, *as_they_are, *of_boxes, *bad]
shown = "\n\n".join(f"![{name}]({name})" for name in names)
(media / "index.md").write_text(f'+++\nid = "log"\ntitle = "Log"\n+++\n{shown}\n\nThe [whole picture](turned-6.jpg).\n')

out = folder / "public"
ran = subprocess.run([feedwright, "build", "--site", folder, "--out", out], capture_output=True, text=True)
failures = []


def check(what, holds):
    if not holds:
        failures.append(what)


check(f"the build ends well: {ran.stderr}", ran.returncode == 0)
check("the damaged picture is told", "torn.png" in ran.stderr)
sizes = out / "media" / "sizes" / "items" / "log"
compared = 0
for name, expected in sources.items():
    stem = name.rsplit(".", 1)[0]
    # Of this picture, and not of one whose name goes on.
    made = sorted(file for file in sizes.glob(f"{stem}-*.*") if re.fullmatch(rf"-\d+\.[0-9a-f]{{10}}\.\w+", file.name[len(stem):]))
    widths = {int(re.search(r"-(\d+)\.[0-9a-f]{10}\.", file.name)[1]) for file in made}
    wanted = {width for width in (320, 640) if width < expected.width}
    check(f"{name} has its widths: {widths}", widths == wanted)
    check(f"{name} has two formats", len(made) == 2 * len(wanted))
    for file in made:
        image = Image.open(file)
        check(f"{file.name} has no metadata: {dict(image.info)}", not image.getexif() and not {"exif", "xmp", "comment", "photoshop"} & set(image.info))
        height = round(image.width * expected.height / expected.width)
        check(f"{file.name} keeps its proportions", abs(image.height - height) <= 1)
        profile = image.info.get("icc_profile")
        check(f"{file.name} has the right profile", bool(profile) == (name == "profile.jpg"))
        mode = "RGBA" if expected.mode == "RGBA" and file.suffix != ".jpg" else "RGB"
        reference = expected.convert(mode).resize(image.size, Image.LANCZOS)
        difference = ImageChops.difference(image.convert(mode), reference)
        if mode == "RGBA":
            # Where nothing is seen colours do not count.
            seen = Image.new("RGBA", image.size, "white")
            difference = ImageChops.difference(Image.alpha_composite(seen, image.convert(mode)), Image.alpha_composite(seen, reference))
        mean = max(ImageStat.Stat(difference.convert("RGB")).mean)
        # Any encoder loses something: no more than Pillow's own, and a little.
        own = io.BytesIO()
        options = {"JPEG": {"quality": 90, "subsampling": 2}, "WEBP": {"quality": 90, "lossless": False}, "PNG": {}}
        reference.save(own, image.format, **options[image.format])
        lost = max(ImageStat.Stat(ImageChops.difference(Image.open(own).convert("RGB"), reference.convert("RGB"))).mean)
        limit = 1.2 * lost + (6 if name == "inks.jpg" else 0.8)
        check(f"{file.name} looks as Pillow makes it: {mean:.2f} of 255, and at most {limit:.2f}", mean < limit)
        compared += 1
for name in as_they_are:
    stem = name.rsplit(".", 1)[0]
    check(f"{name} has no sizes", not list(sizes.glob(f"{stem}-*")))
    check(f"{name} is published", (out / "media" / "items" / "log" / name).is_file())
for name in of_boxes:
    before, after = (Image.open(at / name) for at in (media, out / "media" / "items" / "log"))
    check(f"{name} is as long as it was", (media / name).stat().st_size == (out / "media" / "items" / "log" / name).stat().st_size)
    check(f"{name} has a place at home", bool(before.getexif().get_ifd(0x8825)) and b"Harbour" in (media / name).read_bytes())
    check(f"{name} tells no place: {dict(after.getexif())}", not after.getexif() and b"Harbour" not in after.fp.read())
    after = Image.open(out / "media" / "items" / "log" / name)
    check(f"{name} has the same pixels", not ImageChops.difference(before.convert("RGB"), after.convert("RGB")).getbbox())
inks = Image.open(out / "media" / "items" / "log" / "press.jpg")
check("a picture of inks keeps its profile and tells no place", inks.info.get("icc_profile") == press and not inks.getexif().get_ifd(0x8825))
check("its remedy is told", "press.jpg" in ran.stderr and "CMYK" in ran.stderr)
tags = Image.open(out / "media" / "loose.jpg").getexif()
check(f"what no text names tells no place: {dict(tags)}", not tags.get_ifd(0x8825) and tags.get(0x0112) == 6)
originals = {file.name for file in (out / "media" / "items" / "log").iterdir()}
check(f"of what has sizes the linked original alone is published: {originals}", originals & set(sources) == {"turned-6.jpg"})
linked = Image.open(out / "media" / "items" / "log" / "turned-6.jpg")
tags = linked.getexif()
check(f"the original tells no place: {dict(tags)}", not tags.get_ifd(0x8825) and 0x010F not in tags)
check("it is turned as it was, and its author's", tags.get(0x0112) == 6 and tags.get(0x8298) == "Ada Lind")
same = ImageChops.difference(linked.convert("RGB"), Image.open(media / "turned-6.jpg").convert("RGB"))
check("its pixels are the same", not same.getbbox())
feed = json.loads((out / "feed.json").read_text())
html = feed["items"][0]["content_html"]
for address in re.findall(r'https://log\.example(/media/[^" ]+)', html):
    check(f"the feed names what is there: {address}", (out / address[1:]).is_file())
page = next((out / "i").glob("log*/index.html")).read_text()
for address in re.findall(r'(?:src|href)="(/media/[^"]+)"', page):
    check(f"the page names what is there: {address}", (out / address[1:]).is_file())

for failure in failures:
    print(f"pictures: {failure}", file=sys.stderr)
print(f"pictures: {compared} sizes of {len(sources)} pictures are as Pillow makes them")
sys.exit(1 if failures else 0)
