//! Writes time zones as VTIMEZONE (RFC 5545, section 3.6.5), with the clock changes that affect
//! times from a given instant.
//!
//! Once the clock changes of a zone repeat every year, they are written as a rule. Earlier changes
//! are written one by one.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::lines::Lines;

/// Returns a range of years in which only a zone's final rules in the time zone database apply. The
/// range starts no earlier than `earliest`, and is long enough to contain every date that such a
/// rule can produce.
fn final_rule_years(earliest: Timestamp) -> RangeInclusive<i16> {
    let first = TimeZone::UTC.to_datetime(earliest).year();
    // Jiff supports no year after 9999.
    let from = first.saturating_add(2).clamp(2088, 9998 - 28);
    from..=from + 28
}

/// The time zones that a calendar uses, each with the earliest instant written in that zone.
#[derive(Debug, Default)]
pub struct Zones(BTreeMap<String, (TimeZone, Timestamp)>);

impl Zones {
    /// Records that the calendar contains a time in this zone.
    pub fn add_time(&mut self, name: &str, zone: &TimeZone, at: Timestamp) {
        match self.0.get_mut(name) {
            Some((_, earliest)) => *earliest = at.min(*earliest),
            None => {
                self.0.insert(name.to_owned(), (zone.clone(), at));
            }
        }
    }

    pub fn write(&self, lines: &mut Lines) {
        for (name, (zone, earliest)) in &self.0 {
            write(name, zone, *earliest, lines);
        }
    }
}

/// Returns the name of a zone for TZID. Returns None for UTC, whose times need no name.
pub fn name(zone: &TimeZone) -> Option<&str> {
    let is_utc =
        |name: &str| matches!(name, "UTC" | "Etc/UTC" | "Zulu" | "Etc/Zulu" | "UCT" | "Etc/UCT");
    zone.iana_name().filter(|name| !is_utc(name))
}

/// Writes a zone with all its clock changes that affect times from `earliest`.
fn write(name: &str, zone: &TimeZone, earliest: Timestamp, lines: &mut Lines) {
    let final_rule_years = final_rule_years(earliest);
    let onsets = onsets(zone, earliest, *final_rule_years.end());
    lines.component("VTIMEZONE", |lines| {
        lines.property("TZID").text(name);
        for observance in observances(&onsets, &final_rule_years) {
            observance.write(lines);
        }
    });
}

/// A clock change at a certain time.
#[derive(Debug, Clone, PartialEq)]
struct Onset {
    /// The local time just before the change.
    local: DateTime,
    change: ClockChange,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ClockChange {
    from: Offset,
    to: Offset,
    is_daylight: bool,
    name: String,
}

impl ClockChange {
    /// Returns whether the clocks show the same time, with the same name, after both changes.
    fn is_equivalent(&self, other: &Self) -> bool {
        let after = |change: &Self| (change.to, change.is_daylight);
        after(self) == after(other) && self.name == other.name
    }
}

/// Returns the zone's last clock change at or before `earliest`, and all later changes until the
/// end of the year `until`.
fn onsets(zone: &TimeZone, earliest: Timestamp, until: i16) -> Vec<Onset> {
    let just_after = earliest.checked_add(SignedDuration::from_secs(1)).unwrap_or(earliest);
    let first = zone.preceding(just_after).next();
    let since = first.as_ref().map_or(earliest, |first| first.timestamp());
    let onset = |transition: jiff::tz::TimeZoneTransition<'_>| {
        let at = transition.timestamp();
        let before = at.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(at);
        let from = zone.to_offset(before);
        Onset {
            local: from.to_datetime(at),
            change: ClockChange {
                from,
                to: transition.offset(),
                is_daylight: transition.dst().is_dst(),
                name: transition.abbreviation().to_owned(),
            },
        }
    };
    let always = || {
        let info = zone.to_offset_info(earliest);
        let change = ClockChange {
            from: info.offset(),
            to: info.offset(),
            is_daylight: false,
            name: info.abbreviation().to_owned(),
        };
        let local = change.to.to_datetime(earliest.min(Timestamp::UNIX_EPOCH));
        Onset { local, change }
    };
    let first = first.map_or_else(always, onset);
    let later = zone.following(since).map(onset).take_while(|onset| onset.local.year() <= until);
    let mut onsets: Vec<Onset> = std::iter::once(first).chain(later).collect();
    // Some changes in the database do not affect the clocks.
    onsets.dedup_by(|next, last| next.change.is_equivalent(&last.change));
    onsets
}

/// One STANDARD or DAYLIGHT component: the onsets of one change, as a list of times or as a rule.
struct Observance<'o> {
    change: &'o ClockChange,
    first: DateTime,
    more: Vec<DateTime>,
    rule: Option<YearlyRule>,
}

/// Groups all onsets into observances, ordered by their first onsets.
fn observances<'o>(
    onsets: &'o [Onset],
    final_rule_years: &RangeInclusive<i16>,
) -> Vec<Observance<'o>> {
    let mut by_change: BTreeMap<&ClockChange, Vec<DateTime>> = BTreeMap::new();
    for onset in onsets {
        by_change.entry(&onset.change).or_default().push(onset.local);
    }
    let mut found = Vec::new();
    for (change, times) in by_change {
        let rule = YearlyRule::of_last(&times, final_rule_years);
        let ruled = rule.as_ref().map_or(0, |rule| rule.covers(&times));
        let (single, ruled) = times.split_at(times.len() - ruled);
        let observance = |times: &[DateTime], rule: Option<YearlyRule>| {
            let (first, more) = times.split_first()?;
            let more = if rule.is_none() { more.to_vec() } else { Vec::new() };
            let first = *first;
            Some(Observance { change, first, more, rule })
        };
        found.extend(observance(single, None));
        found.extend(observance(ruled, rule));
    }
    found.sort_by_key(|observance| observance.first);
    found
}

impl Observance<'_> {
    fn write(&self, lines: &mut Lines) {
        let name = if self.change.is_daylight { "DAYLIGHT" } else { "STANDARD" };
        lines.component(name, |lines| {
            lines.property("DTSTART").value(&local(self.first));
            lines.property("TZOFFSETFROM").value(&offset(self.change.from));
            lines.property("TZOFFSETTO").value(&offset(self.change.to));
            lines.text("TZNAME", &self.change.name);
            if let Some(rule) = &self.rule {
                lines.property("RRULE").value(&rule.text());
            }
            if !self.more.is_empty() {
                let times: Vec<String> = self.more.iter().map(|time| local(*time)).collect();
                lines.property("RDATE").value(&times.join(","));
            }
        });
    }
}

/// A rule for the date of a clock change in each year.
#[derive(Debug, Clone, PartialEq)]
enum YearlyRule {
    /// The same date each year.
    Day { month: i8, day: i8 },
    /// The only day with this weekday among the seven days that start at `first`.
    Weekday { month: i8, first: i8, weekday: Weekday },
}

impl YearlyRule {
    /// Returns the rule that the final times of the list follow. Returns None if a year of
    /// `final_rule_years` has no time, or if the times follow no rule.
    fn of_last(times: &[DateTime], final_rule_years: &RangeInclusive<i16>) -> Option<Self> {
        let years = final_rule_years.clone();
        let final_rule_years: Vec<&DateTime> =
            times.iter().filter(|time| years.contains(&time.year())).collect();
        if !final_rule_years.iter().map(|time| time.year()).eq(years.clone()) {
            return None;
        }
        let of_first = final_rule_years[0];
        let month = of_first.month();
        let days = final_rule_years.iter().map(|time| time.day());
        let (first, last) = (days.clone().min()?, days.max()?);
        let rule = match last - first {
            0 => Self::Day { month, day: first },
            6 => Self::Weekday { month, first, weekday: of_first.weekday() },
            _ => return None,
        };
        let is_ruled = |time: &&DateTime| rule.has(time.date()) && time.time() == of_first.time();
        final_rule_years.iter().all(is_ruled).then_some(rule)
    }

    /// Returns the number of times at the end of the list that follow the rule, with one time in
    /// each year.
    fn covers(&self, times: &[DateTime]) -> usize {
        let Some(last) = times.last() else { return 0 };
        let backwards = times.iter().rev().enumerate();
        let is_ruled = |(years, time): &(usize, &DateTime)| {
            let year = i16::try_from(*years).map(|years| last.year() - years);
            self.has(time.date()) && time.time() == last.time() && year == Ok(time.year())
        };
        backwards.take_while(is_ruled).count()
    }

    fn has(&self, date: Date) -> bool {
        match *self {
            Self::Day { month, day } => (date.month(), date.day()) == (month, day),
            Self::Weekday { month, first, weekday } => {
                date.month() == month
                    && date.weekday() == weekday
                    && (first..first + 7).contains(&date.day())
            }
        }
    }

    /// Formats the rule as a RECUR value (section 3.3.10).
    fn text(&self) -> String {
        match *self {
            Self::Day { month, day } => format!("FREQ=YEARLY;BYMONTH={month};BYMONTHDAY={day}"),
            Self::Weekday { month, first, weekday } => {
                let name = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
                let name = name[usize::from(weekday.to_monday_zero_offset().unsigned_abs())];
                let long = Date::constant(2000, 1, 1).with().month(month).build();
                let is_last = long.is_ok_and(|date| date.days_in_month() == first + 6);
                let days = match (first, is_last) {
                    (_, true) => format!("BYDAY=-1{name}"),
                    (1 | 8 | 15 | 22, false) => format!("BYDAY={}{name}", first / 7 + 1),
                    _ => {
                        let days: Vec<String> =
                            (first..first + 7).map(|day| day.to_string()).collect();
                        format!("BYMONTHDAY={};BYDAY={name}", days.join(","))
                    }
                };
                format!("FREQ=YEARLY;BYMONTH={month};{days}")
            }
        }
    }
}

fn local(time: DateTime) -> String {
    time.strftime("%Y%m%dT%H%M%S").to_string()
}

/// Formats an offset as UTC-OFFSET (section 3.3.14).
fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let seconds = seconds.unsigned_abs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match seconds % 60 {
        0 => format!("{sign}{hours:02}{minutes:02}"),
        seconds => format!("{sign}{hours:02}{minutes:02}{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, earliest: &str) -> String {
        let mut lines = Lines::default();
        let zone = TimeZone::get(name).unwrap();
        write(name, &zone, earliest.parse().unwrap(), &mut lines);
        lines.into_text().replace("\r\n", "\n")
    }

    #[test]
    fn a_zone_with_recurring_changes_ends_with_rules() {
        insta::assert_snapshot!(written("Europe/Berlin", "2026-06-01T00:00:00Z"), @"
        BEGIN:VTIMEZONE
        TZID:Europe/Berlin
        BEGIN:DAYLIGHT
        DTSTART:20260329T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        TZNAME:CEST
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:20261025T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        TZNAME:CET
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        END:VTIMEZONE
        ");
    }

    #[test]
    fn changes_before_the_rules_are_listed_individually() {
        insta::assert_snapshot!(written("America/New_York", "2005-06-01T00:00:00Z"), @"
        BEGIN:VTIMEZONE
        TZID:America/New_York
        BEGIN:DAYLIGHT
        DTSTART:20050403T020000
        TZOFFSETFROM:-0500
        TZOFFSETTO:-0400
        TZNAME:EDT
        RDATE:20060402T020000
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:20051030T020000
        TZOFFSETFROM:-0400
        TZOFFSETTO:-0500
        TZNAME:EST
        RDATE:20061029T020000
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:20070311T020000
        TZOFFSETFROM:-0500
        TZOFFSETTO:-0400
        TZNAME:EDT
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:20071104T020000
        TZOFFSETFROM:-0400
        TZOFFSETTO:-0500
        TZNAME:EST
        RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
        END:STANDARD
        END:VTIMEZONE
        ");
    }

    #[test]
    fn a_zone_without_changes_has_one_onset() {
        insta::assert_snapshot!(written("Asia/Kolkata", "2026-06-01T00:00:00Z"), @"
        BEGIN:VTIMEZONE
        TZID:Asia/Kolkata
        BEGIN:STANDARD
        DTSTART:19451015T000000
        TZOFFSETFROM:+0630
        TZOFFSETTO:+0530
        TZNAME:IST
        END:STANDARD
        END:VTIMEZONE
        ");
        insta::assert_snapshot!(written("Etc/GMT+5", "2026-06-01T00:00:00Z"), @"
        BEGIN:VTIMEZONE
        TZID:Etc/GMT+5
        BEGIN:STANDARD
        DTSTART:19691231T190000
        TZOFFSETFROM:-0500
        TZOFFSETTO:-0500
        TZNAME:-05
        END:STANDARD
        END:VTIMEZONE
        ");
    }

    #[test]
    fn zones_have_rules_up_to_the_last_event() {
        for year in ["2100", "5000", "9960"] {
            let text = written("Europe/Berlin", &format!("{year}-06-01T00:00:00Z"));
            let march = format!("DTSTART:{year}03");
            assert!(text.contains(&march), "{text}");
            assert_eq!(text.matches("RRULE:FREQ=YEARLY;BYMONTH=").count(), 2, "{text}");
        }
        // Near the last supported instants, there is no next year.
        written("Europe/Berlin", "9999-12-30T00:00:00Z");
        written("Europe/Berlin", "9990-06-01T00:00:00Z");
        written("Europe/Berlin", "-009999-02-01T00:00:00Z");
    }

    #[test]
    fn a_rule_may_span_two_weeks_of_its_month() {
        insta::assert_snapshot!(written("America/Nuuk", "2026-06-01T00:00:00Z"), @"
        BEGIN:VTIMEZONE
        TZID:America/Nuuk
        BEGIN:DAYLIGHT
        DTSTART:20260328T230000
        TZOFFSETFROM:-0200
        TZOFFSETTO:-0100
        TZNAME:-01
        RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=24,25,26,27,28,29,30;BYDAY=SA
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:20261025T000000
        TZOFFSETFROM:-0100
        TZOFFSETTO:-0200
        TZNAME:-02
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        END:VTIMEZONE
        ");
    }
}
