"""The loudness of recordings, measured by ffmpeg, and the remedies of `check`, run as they are written.

Makes recordings of many formats, sample rates and channels, and compares what `check` says of them with what the filter
ebur128 of ffmpeg measures. Usage: loudness.py FEEDWRIGHT FOLDER
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

feedwright, folder = sys.argv[1], Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
items = folder / "content" / "items"
items.mkdir(parents=True)
(folder / "site.toml").write_text('base_url = "https://show.example"\n')
(folder / "content" / "channel.md").write_text('+++\ntitle = "Show"\n+++\n')

STEREO = "[0]pan=stereo|c0=c0|c1=0.7*c1+0.3*c0[out]"
MONO = "[0]pan=mono|c0=c0[out]"
SURROUND = "[0]pan=5.1|c0=c0|c1=c1|c2=0.5*c0|c3=c1|c4=0.6*c1|c5=0.7*c0[out]"

# The name, what becomes of the channels, the gain in dB, and how the recording is encoded.
RECORDINGS = [
    ("a.wav", STEREO, 0, "-ar 44100"),
    ("b.wav", MONO, -12, "-ar 48000"),
    ("c.wav", MONO, 6, "-ar 8000"),
    ("d.wav", STEREO, -20, "-ar 96000 -c:a pcm_s24le"),
    ("e.wav", STEREO, 9, "-ar 32000 -c:a pcm_f32le"),
    ("f.wav", STEREO, -6, "-ar 22050 -c:a pcm_u8"),
    ("g.flac", STEREO, -8, "-ar 44100"),
    ("h.flac", MONO, 7, "-ar 48000"),
    ("i.flac", SURROUND, -4, "-ar 48000"),
    ("j.mp3", STEREO, -10, "-ar 44100 -b:a 128k"),
    ("k.mp3", STEREO, 8, "-ar 48000 -q:a 4"),
    ("l.mp3", MONO, -5, "-ar 22050 -b:a 64k"),
    ("m.mp3", MONO, 8, "-ar 44100 -b:a 96k"),
    ("n.mp3", STEREO, -15, "-ar 32000 -b:a 320k -joint_stereo 0"),
    ("o.m4a", STEREO, -7, "-ar 44100 -b:a 128k"),
    ("p.m4a", MONO, 6, "-ar 48000 -b:a 96k"),
    ("q.aac", STEREO, -18, "-ar 48000 -b:a 160k"),
    ("r.ogg", STEREO, -9, "-ar 44100 -c:a libvorbis"),
    ("s.ogg", MONO, 6, "-ar 48000 -c:a libvorbis"),
    ("t.mp4", STEREO, -6, "-ar 44100 -b:a 192k"),
    ("u.opus", STEREO, -8, "-c:a libopus -b:a 96k"),
    ("v.opus", MONO, 5, "-c:a libopus -b:a 24k -application voip"),
    ("w.opus", MONO, -4, "-c:a libopus -b:a 12k -frame_duration 60 -application voip"),
    ("x.mp4", STEREO, -6, "-c:a libopus -b:a 64k -frame_duration 5"),
]
UNMEASURED = ["y.webm", "z.webm"]


def ffmpeg(*arguments):
    done = subprocess.run(["ffmpeg", "-hide_banner", "-nostdin", "-y", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def item(name):
    text = f'+++\nid = "{name[0]}"\ntitle = "Part {name[0]}"\ndate_published = 2026-01-01T10:00:00Z\nattachment = "{name}"\n+++\nWords.\n'
    at = items / name[0]
    at.mkdir()
    (at / "index.md").write_text(text)
    return at / name


# Bursts as of speech, other on each channel, between quiet parts that the measurement leaves out.
BURSTS = "aevalsrc='0.25*(random(0)-0.5)*gt(sin(2.1*t),-0.4)*(1+sin(17*t))+0.02*sin(880*t)|0.2*(random(1)-0.5)*gt(sin(1.7*t),-0.6)+0.03*sin(1400*t)':s=96000:d=14"

for name, channels, gain, options in RECORDINGS:
    ffmpeg("-f", "lavfi", "-i", BURSTS, "-filter_complex", f"{channels};[out]volume={gain}dB[loud]", "-map", "[loud]", *options.split(), item(name))
for name in UNMEASURED:
    ffmpeg("-f", "lavfi", "-i", "sine=duration=2", item(name))


def check():
    done = subprocess.run([str(Path(feedwright).resolve()), "check", "--json"], cwd=folder, capture_output=True, text=True)
    report = json.loads(done.stdout)
    return [one for one in report["diagnostics"] if one.get("rule") in ("loudness", "recording-defect", "recording-format")]


def integrated(file, options):
    # The decoder of ffmpeg differs from the reference decoder by 0.3 LU for speech at a low bit rate.
    decoder = ["-c:a", "libopus"] if "libopus" in options else []
    return float(re.findall(r"^\s+I:\s+(\S+) LUFS", ffmpeg(*decoder, "-i", file, "-map", "0:a", "-af", "ebur128", "-f", "null", "-"), re.M)[-1])


found = check()
said = {one["file"]: float(match[1]) for one in found if (match := re.search(r"its loudness is (\S+) LUFS", one["message"]))}
assert len(said) == len(RECORDINGS), sorted(said)
furthest = 0
for name, _, _, options in RECORDINGS:
    own = said[f"content/items/{name[0]}/{name}"]
    theirs = integrated(items / name[0] / name, options)
    furthest = max(furthest, abs(own - theirs))
    assert abs(own - theirs) < 0.101, f"{name}: {own} LUFS, and {theirs} by ffmpeg"

unmeasured = [one for one in found if "cannot decode" in one["message"]]
assert len(unmeasured) == 1 and "1 more" in unmeasured[0]["message"], unmeasured

# The remedies, as they are written. Lossy files and files of another rate become what directories take.
for name in ["a.wav", "g.flac", "j.mp3", "k.mp3", "m.mp3", "o.m4a"]:
    own = [one for one in found if one["file"].endswith(name) and one["rule"] == "loudness"]
    command = re.search(r"`(ffmpeg [^`]+)`", own[0]["help"])[1]
    done = subprocess.run(command.replace("ffmpeg", "ffmpeg -nostdin", 1), shell=True, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    made = items / name[0] / name
    made.with_stem(f"{made.stem}-new").replace(made)
    left = [one["message"] for one in check() if one["file"].endswith(name) and one["rule"] == "loudness"]
    assert not left, f"{command}: {left}"

print(f"the loudness of {len(RECORDINGS)} recordings differs from that of ffmpeg by at most {furthest:.1f} LU, and the remedies help")
