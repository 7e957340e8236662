"""Checks the calendars of feedwright with other people's parsers.

    python tests/independent/calendars.py FEEDWRIGHT OUTPUT_FOLDER

Builds a site with series that are hard to get right and one with an event in every time zone; reads
the .ics back with icalendar and recurring-ical-events, and compares the dates of two years with those
that dateutil and zoneinfo give, and every VTIMEZONE with zoneinfo. The
first site, whose series are live shows, is left in the output folder for validate.py. Prints one line a complaint and exits
with 1 when there is any. What it needs stands in requirements.txt.
"""

import bisect
import os
import shutil
import subprocess
import sys
import tempfile
import zoneinfo
from datetime import datetime, timedelta, timezone
from pathlib import Path

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr

# When the sites are built: 2026-03-28T12:00:00Z.
NOW = "1774699200"
FROM, UNTIL = datetime(2026, 1, 1), datetime(2028, 1, 1)

# Name: zone (None for whole days), start, rule, dates added, dates removed, all on the zone's clock.
# None falls into an hour that a clock skips: RFC 5545, section 3.3.10, leaves such a time out, and
# recurring-ical-events does not.
SERIES = {
    "weekly": ("Europe/Berlin", "2026-01-05T20:00", "FREQ=WEEKLY", [], []),
    "last-friday": ("America/New_York", "2026-01-30T09:30", "FREQ=MONTHLY;BYDAY=-1FR", [], []),
    "half-hour": ("Australia/Lord_Howe", "2026-03-30T01:45", "FREQ=DAILY;COUNT=20", [], []),
    "until": ("Asia/Tokyo", "2026-02-01T23:00", "FREQ=DAILY;INTERVAL=3;UNTIL=20260401T140000Z", [], []),
    "utc": ("UTC", "2026-06-01T00:00", "FREQ=MONTHLY;BYMONTHDAY=31", [], []),
    "days": (None, "2026-12-30", "FREQ=DAILY;COUNT=5", [], ["2027-01-01"]),
    "birthday": (None, "2024-02-29", "FREQ=YEARLY", ["2026-02-28"], []),
    "added": ("Europe/London", "2026-03-25T18:00", "FREQ=WEEKLY;COUNT=4", ["2026-03-30T12:00"], ["2026-04-01T18:00"]),
    "setpos": ("America/Sao_Paulo", "2026-01-01T08:00", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", [], []),
    "weeks": ("Asia/Kolkata", "2026-01-04T08:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU", [], []),
}


LIVE = (
    '{ link = "https://example.com/live/", contentLinks = [{ href = "https://tube.example/1", text = "Tube" }], '
    'enclosure = { url = "https://example.com/stream.mp3", type = "audio/mpeg", length = 1 } }'
)


def front(**keys):
    lines = [f"{key} = {value}" for key, value in keys.items() if value is not None]
    return "+++\n" + "\n".join(lines) + "\n+++\nAbout it: ünïcode, commas; and \\ more.\n"


def quoted(text):
    return '"' + text + '"'


def table(start, zone):
    if zone is None:
        return f'{{ date = "{start}" }}'
    return f'{{ dateTime = "{start}", timeZone = "{zone}" }}'


def write(root, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def site(root):
    write(root, "site.toml", 'base_url = "https://example.com"\n')
    write(root, "content/channel.md", front(title=quoted("A show")))


def read(feedwright, root):
    """Builds a site, and reads its calendar."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": NOW}
    subprocess.run([feedwright, "build", "--site", root], check=True, capture_output=True, env=env)
    return (root / "public/calendar.ics").read_bytes()


def form(raw):
    """What is wrong with the form of a calendar, without a look at what it says."""
    if not raw.endswith(b"\r\n"):
        yield "does not end with a line's end"
    lines = raw.split(b"\r\n")
    for number, line in enumerate(lines, 1):
        if b"\n" in line or b"\r" in line:
            yield f"line {number} ends with a bare CR or LF"
        if len(line) > 75:
            yield f"line {number} has {len(line)} octets"
        try:
            line.decode()
        except UnicodeDecodeError:
            yield f"line {number} is folded inside a character"
    calendar = icalendar.Calendar.from_ical(raw)
    for name in ("PRODID", "VERSION"):
        if name not in calendar:
            yield f"has no {name}"
    zones = {str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")}
    events = calendar.walk("VEVENT")
    if not events:
        yield "has no event"
    known = set()
    for event in events:
        uid = str(event.get("UID"))
        key = (uid, event["RECURRENCE-ID"].to_ical() if "RECURRENCE-ID" in event else None)
        if key in known:
            yield f"has {key} twice"
        known.add(key)
        for name in ("UID", "DTSTAMP", "DTSTART", "SEQUENCE"):
            if name not in event:
                yield f"{uid} has no {name}"
        if event.errors:
            yield f"{uid}: {event.errors}"
        for name in ("DTSTART", "DTEND", "RECURRENCE-ID"):
            zone = event[name].params.get("TZID") if name in event else None
            if zone and zone not in zones:
                yield f"{uid} names {zone}, which is not described"


def expected(zone, start, rule, added, removed):
    """The starts of a series between FROM and UNTIL, in UTC or as days."""
    naive = datetime.fromisoformat(start)
    clock = zoneinfo.ZoneInfo(zone) if zone else None

    def there(local):
        """A time of the clock as an instant; none where the clock skips it."""
        if clock is None:
            return local.date()
        at = local.replace(tzinfo=clock).astimezone(timezone.utc)
        return at if at.astimezone(clock).replace(tzinfo=None) == local else None

    if "UNTIL=" in rule and clock:
        head, _, until = rule.partition("UNTIL=")
        until = datetime.strptime(until, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        rule = head + "UNTIL=" + until.astimezone(clock).strftime("%Y%m%dT%H%M%S")
    # What the clock skips does not count (RFC 5545, section 3.3.10), which dateutil cannot know.
    head, _, count = rule.partition(";COUNT=")
    times = []
    for local in rrulestr(head if count else rule, dtstart=naive):
        if local >= UNTIL or count and len(times) == int(count):
            break
        if there(local) is not None:
            times.append(local)
    # The first of a series is one of it whatever its rule says.
    times = set(times) | {naive} | {datetime.fromisoformat(text) for text in added}
    times -= {datetime.fromisoformat(text) for text in removed}
    return sorted(there(local) for local in times if FROM <= local < UNTIL)


def found(calendar):
    """The starts of each event between FROM and UNTIL."""
    starts = {}
    for event in recurring_ical_events.of(calendar).between(FROM, UNTIL):
        if str(event.get("STATUS")) == "CANCELLED":
            continue
        start = event.start
        # A library's own time zone: the instant counts.
        start = start.astimezone(timezone.utc) if isinstance(start, datetime) else start
        starts.setdefault(str(event["SUMMARY"]), []).append(start)
    return {name: sorted(times) for name, times in starts.items()}


def check_series(feedwright, out):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        site(root)
        wanted = {}
        for name, (zone, start, rule, added, removed) in SERIES.items():
            dates = "".join(f', "{line}"' for line in date_lines(zone, added, removed))
            keys = {
                "id": quoted(name),
                "summary": quoted(name),
                "start": table(start, zone),
                "recurrence": f'["RRULE:{rule}"{dates}]',
                "live": LIVE,
            }
            write(root, f"content/calendars/shows/{name}.md", front(**keys))
            wanted[name] = expected(zone, start, rule, added, removed)
        change_weekly(root, wanted)
        raw = read(feedwright, root)
        for complaint in form(raw):
            yield f"series: {complaint}"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(root / "public", out)
        calendar = icalendar.Calendar.from_ical(raw)
        starts = found(calendar)
        for name in wanted.keys() | starts.keys():
            ours, theirs = starts.get(name, []), wanted.get(name, [])
            if ours != theirs:
                lost = [str(time) for time in theirs if time not in ours]
                more = [str(time) for time in ours if time not in theirs]
                yield f"series {name}: without {lost[:5]}, with {more[:5]}"


def date_lines(zone, added, removed):
    for name, dates in (("RDATE", added), ("EXDATE", removed)):
        for text in dates:
            compact = text.replace("-", "").replace(":", "")
            if zone is None:
                yield f"{name};VALUE=DATE:{compact}"
            else:
                yield f"{name};TZID={zone}:{compact}00"


def change_weekly(root, wanted):
    """Moves one of the weekly shows, calls one off and hides one."""
    berlin = zoneinfo.ZoneInfo("Europe/Berlin")

    def instance(name, day, **keys):
        original = table(f"2026-{day}T20:00", "Europe/Berlin")
        keys = {"recurringEventId": quoted("weekly"), "originalStartTime": original, **keys}
        write(root, f"content/calendars/shows/{name}.md", front(**keys))
        at = datetime.fromisoformat(f"2026-{day}T20:00").replace(tzinfo=berlin)
        wanted["weekly"].remove(at.astimezone(timezone.utc))

    instance("moved", "03-30", start=table("2026-04-01T21:00", "America/New_York"))
    wanted["weekly"].append(datetime(2026, 4, 2, 1, tzinfo=timezone.utc))
    wanted["weekly"].sort()
    instance("off", "10-26", status=quoted("cancelled"))
    instance("hidden", "11-02", visibility=quoted("private"))


def offsets(component):
    """The instants from which on a VTIMEZONE's clocks are off UTC, with by how much."""
    onsets = []
    for observance in component.subcomponents:
        before, after = observance["TZOFFSETFROM"].td, observance["TZOFFSETTO"].td
        start = observance["DTSTART"].dt
        locals_ = [start]
        if "RRULE" in observance:
            rule = rrulestr(observance["RRULE"].to_ical().decode(), dtstart=start)
            locals_ = list(rule.between(start, datetime(2060, 1, 1), inc=True))
        dates = observance.get("RDATE", [])
        dates = dates if isinstance(dates, list) else [dates]
        locals_ += [time.dt.replace(tzinfo=None) for one in dates for time in one.dts]
        onsets += [(local - before, after) for local in locals_]
    return sorted(onsets)


def check_zones(feedwright):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        site(root)
        # Some are no zones, or jiff does not take them for one.
        no_zones = ("posix", "right", "localtime", "Factory", "SystemV")
        names = [name for name in sorted(zoneinfo.available_timezones()) if not name.startswith(no_zones)]
        for number, name in enumerate(names):
            start = table("2005-06-01T12:00", name)
            write(root, f"content/calendars/zones/{number}.md", front(summary=quoted(name), start=start))
        calendar = icalendar.Calendar.from_ical(read(feedwright, root))
        described = {str(zone["TZID"]): zone for zone in calendar.walk("VTIMEZONE")}
        if len(described) < len(names) - 20:
            yield f"zones: {len(described)} of {len(names)} are described"
        for name, component in described.items():
            yield from check_zone(name, component)


def check_zone(name, component):
    clock = zoneinfo.ZoneInfo(name)
    onsets = offsets(component)
    instants = [at for at, _ in onsets]

    def theirs(at):
        return at.replace(tzinfo=timezone.utc).astimezone(clock).utcoffset()

    def ours(at):
        place = bisect.bisect_right(instants, at) - 1
        return onsets[max(place, 0)][1]

    day, last = datetime(2005, 6, 2), datetime(2050, 1, 1)
    step = timedelta(days=5)
    checks = [day + step * n for n in range((last - day) // step)]
    checks += [at + timedelta(seconds=s) for at in instants if day < at < last for s in (-1, 0)]
    for at in checks:
        if ours(at) != theirs(at):
            yield f"zone {name}: {at} UTC is {ours(at)}, and should be {theirs(at)}"
            return


def main(feedwright, out):
    complaints = [*check_series(feedwright, out), *check_zones(feedwright)]
    for complaint in complaints:
        print(complaint)
    print(f"calendars: {len(SERIES)} series and every time zone, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])))
