"""Expands random recurrence rules with python-dateutil, for crates/recurrence/tests/independent.rs.

    python tests/independent/recurrence.py [CASES [SEED]] > crates/recurrence/tests/independent.txt

Prints one case a line: the zone (- for days without time), the start, the rule, and the first times on the
zone's clock; then `.` when the rule has ended, or `+` when there may be more. The same arguments print the
same lines on every machine. tests/run compares the default ones with the file.

dateutil only finds times on a clock that no zone has; the rest is done here, as RFC 5545 says:

- The start is the first time and counts (3.8.5.3), dateutil leaves it out when the rule does not give it.
- Times that the zone skips are left out and not counted (3.3.10).
- UNTIL is compared as an instant.

Where dateutil reads the RFC otherwise, it is asked so that its answer is the RFC's:

- BYWEEKNO without BYDAY means all seven days to dateutil; the RFC takes what is missing from DTSTART.
- dateutil counts BYWEEKNO's years from January 1; here a week belongs to the year of its number, which differs
  with INTERVAL and BYSETPOS. And of the weeks that two years share it knows not all by each of their numbers
  (the Monday 2012-12-31 is in week 1 of 2013, but not in week -52). With weeks from Monday on,
  Python's own ISO weeks decide therefore; with others, weeks at the ends of years are not tried.
- BYSETPOS of WEEKLY: dateutil's first week begins with the start; the RFC's begins with WKST.
"""

import datetime as datetime_module
import random
import sys
from datetime import datetime, timedelta, timezone
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

TIMES = 6
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = [
    "UTC",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Europe/Dublin",
    "Pacific/Apia",
]
# How often each frequency is tried, and for how many days it is followed.
FREQUENCIES = [
    ("YEARLY", 6, 9000),
    ("MONTHLY", 5, 5000),
    ("WEEKLY", 4, 2500),
    ("DAILY", 4, 2500),
    ("HOURLY", 2, 1500),
    ("MINUTELY", 2, 800),
    ("SECONDLY", 1, 400),
]


class Dice(random.Random):
    """Draws from random() alone, the one method whose results every Python repeats."""

    def below(self, count):
        return int(self.random() * count)

    def one(self, values):
        return values[self.below(len(values))]

    def likely(self, chance):
        return self.random() < chance

    def some(self, values, most):
        return sorted({self.one(values) for _ in range(1 + self.below(most))})


def either_end(most):
    return [number for number in range(-most, most + 1) if number]


def by_parts(dice, frequency, timed):
    """BY parts that may stand with a frequency."""
    parts = {}
    if dice.likely(0.35):
        parts["BYMONTH"] = dice.some(range(1, 13), 4)
    if frequency == "YEARLY" and dice.likely(0.3):
        parts["BYWEEKNO"] = dice.some([1, 2, 20, 51, 52, 53, -1, -2, -52, -53], 3)
    if frequency not in ("DAILY", "WEEKLY", "MONTHLY") and dice.likely(0.15):
        parts["BYYEARDAY"] = dice.some(either_end(366), 9)
    if frequency != "WEEKLY" and dice.likely(0.3):
        parts["BYMONTHDAY"] = dice.some(either_end(31), 6)
    if dice.likely(0.45):
        days = dice.some(DAYS, 4)
        if frequency in ("YEARLY", "MONTHLY") and "BYWEEKNO" not in parts and dice.likely(0.6):
            most = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 53
            days = [f"{dice.one(either_end(most))}{day}" if dice.likely(0.7) else day for day in days]
        parts["BYDAY"] = days
    if timed:
        # Hours around which clocks change are tried more than others.
        for name, values, chance in (
            ("BYHOUR", [0, 1, 2, 2, 3, 9, 17, 23], 0.2),
            ("BYMINUTE", [0, 15, 30, 45, 59], 0.15),
            ("BYSECOND", [0, 1, 30, 59], 0.1),
        ):
            if dice.likely(chance):
                parts[name] = dice.some(values, 3)
    if parts and dice.likely(0.2):
        # A second or minute has no fifth time, and dateutil would look at each one of a year for it.
        parts["BYSETPOS"] = dice.some(either_end(1 if frequency in ("MINUTELY", "SECONDLY") else 5), 2)
    return parts


def draw(dice):
    """A start, its zone (none for a day without time), and the parts of a rule."""
    weights = [each for each in FREQUENCIES for _ in range(each[1])]
    frequency, _, days = dice.one(weights)
    timed = dice.likely(0.8) or frequency in ("HOURLY", "MINUTELY", "SECONDLY")
    zone = dice.one(ZONES) if timed else None
    start = datetime(1995, 1, 1) + timedelta(days=dice.below(7300))
    if timed:
        hour = dice.one([0, 1, 2, 2, 3, 9, 19, 23])
        start += timedelta(hours=hour, minutes=dice.one([0, 0, 30, 59]), seconds=dice.one([0, 0, 0, 30]))
    parts = {"FREQ": frequency}
    if dice.likely(0.4):
        most = {"YEARLY": 4, "MONTHLY": 14}.get(frequency, 50)
        parts["INTERVAL"] = 2 + dice.below(most)
    parts |= by_parts(dice, frequency, timed)
    if dice.likely(0.3):
        parts["WKST"] = dice.one(DAYS)
    if "BYWEEKNO" in parts:
        parts.pop("BYSETPOS", None)
        if parts.get("WKST", "MO") != "MO":
            parts.pop("INTERVAL", None)
            parts["BYWEEKNO"] = dice.some([2, 3, 20, 40, 51, -2, -3, -30], 3)
    return start, zone, parts, start + timedelta(days=days)


def written(parts):
    """The text of a rule."""
    values = {name: value if isinstance(value, list) else [value] for name, value in parts.items()}
    return ";".join(f"{name}={','.join(map(str, value))}" for name, value in values.items())


def clock_times(start, parts, horizon):
    """What dateutil finds from the start on, asked as the top of this file says."""
    asked, from_when, keep = dict(parts), start, lambda time: True
    weekday = DAYS[start.weekday()]
    if "BYWEEKNO" in asked and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & asked.keys():
        asked["BYDAY"] = weekday
    if "BYWEEKNO" in asked and asked.get("WKST", "MO") == "MO":
        weeks, interval = asked.pop("BYWEEKNO"), asked.pop("INTERVAL", 1)
        asked.setdefault("BYDAY", DAYS)
        keep = lambda time: is_in_weeks(time, weeks) and is_in_years(time, start, interval)
    if asked["FREQ"] == "WEEKLY" and "BYSETPOS" in asked:
        asked.setdefault("BYDAY", weekday)
        into = (start.weekday() - DAYS.index(asked.get("WKST", "MO"))) % 7
        from_when = start - timedelta(days=into)
    try:
        found = rrulestr(written(asked), dtstart=from_when)
    except ValueError as error:
        # It sees that the interval never meets BYHOUR, BYMINUTE or BYSECOND.
        assert "empty set" in str(error), (asked, error)
        return
    # dateutil follows a rule that finds nothing up to this year.
    datetime_module.MAXYEAR = horizon.year
    for time in found:
        if time > horizon:
            return
        if time >= start and keep(time):
            yield time


def is_in_weeks(time, weeks):
    """Whether a time's ISO week has one of the numbers, from the start of its year or from the end."""
    year, week, _ = time.isocalendar()
    count = datetime(year, 12, 28).isocalendar().week
    return week in weeks or week - count - 1 in weeks


def is_in_years(time, start, interval):
    return (time.isocalendar().year - start.isocalendar().year) % interval == 0


def instant(time, zone):
    return time.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc) if zone else time


def is_shown(time, zone):
    """Whether the zone's clock ever shows a time."""
    return not zone or instant(time, zone).astimezone(ZoneInfo(zone)).replace(tzinfo=None) == time


def stamp(time, zone):
    return time.strftime("%Y%m%dT%H%M%S" if zone else "%Y%m%d")


def case(dice):
    """A line of the table, or nothing when the start is no time of its zone, or all there is."""
    start, zone, parts, horizon = draw(dice)
    if dice.likely(0.75):
        # Most events start at a time of their own rule.
        start = next(clock_times(start, parts, horizon), start)
    if not is_shown(start, zone):
        return None
    times = (time for time in clock_times(start, parts, horizon) if time > start and is_shown(time, zone))
    times = [start, *islice(times, TIMES)]
    if len(times) == 1 and dice.likely(0.95):
        return None
    # Without an end of its own, a rule may go on after the horizon.
    has_ended = False
    ending = dice.below(10)
    if ending < 3:
        parts["COUNT"] = 1 + dice.below(TIMES + 2)
        has_ended = len(times) >= parts["COUNT"]
        times = times[: parts["COUNT"]]
    elif ending < 6:
        last = dice.one(times) + timedelta(days=dice.one([0, 0, 1, -1]))
        until = instant(last, zone)
        parts["UNTIL"] = stamp(last, None) if not zone else until.strftime("%Y%m%dT%H%M%SZ")
        kept = [time for time in times[1:] if instant(time, zone) <= until]
        has_ended = len(kept) < len(times) - 1
        times = [start, *kept]
    has_ended = has_ended and len(times) <= TIMES
    shown = [stamp(time, zone) for time in times[:TIMES]]
    return " ".join([zone or "-", shown[0], written(parts), *shown[1:], "." if has_ended else "+"])


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    dice = Dice(int(sys.argv[2]) if len(sys.argv) > 2 else 5545)
    while count:
        line = case(dice)
        if line:
            print(line)
            count -= 1


main()
