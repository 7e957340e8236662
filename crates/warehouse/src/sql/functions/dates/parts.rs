//! Extracts parts of dates and times, and truncates dates and times to a part.

use jiff::Span;
use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};
use rusqlite::types::Value;

use super::moment::{self, Moment, micros, since_midnight, time_of};
use super::{canonical_date, canonical_datetime, canonical_time};
use crate::sql::expression::Part;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::scalar_call::ScalarCall;

const DATE_NUMBERS: &[Part] = &[
    Part::Day,
    Part::DayOfWeek,
    Part::DayOfYear,
    Part::Week,
    Part::IsoWeek,
    Part::Month,
    Part::Quarter,
    Part::Year,
    Part::IsoYear,
];
const NUMBERS: &[Part] = &[
    Part::Microsecond,
    Part::Millisecond,
    Part::Second,
    Part::Minute,
    Part::Hour,
    Part::Day,
    Part::DayOfWeek,
    Part::DayOfYear,
    Part::Week,
    Part::IsoWeek,
    Part::Month,
    Part::Quarter,
    Part::Year,
    Part::IsoYear,
];
/// The parts of a time of day.
pub(super) const TIMES: &[Part] =
    &[Part::Microsecond, Part::Millisecond, Part::Second, Part::Minute, Part::Hour];
/// The parts that a DATE can be truncated to.
pub(super) const DATES: &[Part] =
    &[Part::Day, Part::Week, Part::IsoWeek, Part::Month, Part::Quarter, Part::Year, Part::IsoYear];
/// The parts that a DATETIME can be truncated to.
pub(super) const DATETIMES: &[Part] = &[
    Part::Microsecond,
    Part::Millisecond,
    Part::Second,
    Part::Minute,
    Part::Hour,
    Part::Day,
    Part::Week,
    Part::IsoWeek,
    Part::Month,
    Part::Quarter,
    Part::Year,
    Part::IsoYear,
];

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("EXTRACT(PART, DATE) -> INT64", |c| number(midnight(c.date(1)?), c.part(0)?))
            .parts(DATE_NUMBERS),
        call("EXTRACT(PART, DATETIME) -> INT64", |c| number(c.datetime(1)?, c.part(0)?))
            .parts(NUMBERS),
        call("EXTRACT(PART, DATETIME) -> DATE", |c| Ok(canonical_date(c.datetime(1)?.date())))
            .parts(&[Part::Date]),
        call("EXTRACT(PART, DATETIME) -> TIME", |c| Ok(canonical_time(c.datetime(1)?.time())))
            .parts(&[Part::Time]),
        call("EXTRACT(PART, TIME) -> INT64", |c| {
            number(Date::MIN.to_datetime(c.time(1)?), c.part(0)?)
        })
        .parts(TIMES),
        call("EXTRACT(PART, TIMESTAMP[, STRING]) -> INT64", |c| {
            number(c.moment(1, 2)?.local, c.part(0)?)
        })
        .parts(NUMBERS),
        call("EXTRACT(PART, TIMESTAMP[, STRING]) -> DATE", |c| {
            Ok(canonical_date(c.moment(1, 2)?.local.date()))
        })
        .parts(&[Part::Date]),
        call("EXTRACT(PART, TIMESTAMP[, STRING]) -> TIME", |c| {
            Ok(canonical_time(c.moment(1, 2)?.local.time()))
        })
        .parts(&[Part::Time]),
        call("EXTRACT(PART, TIMESTAMP[, STRING]) -> DATETIME", |c| {
            Ok(canonical_datetime(c.moment(1, 2)?.local))
        })
        .parts(&[Part::DateTime]),
        call("DATE_TRUNC(DATE, PART) -> DATE", date_trunc).parts(DATES),
        call("DATE_TRUNC(DATETIME, PART) -> DATETIME", datetime_trunc).parts(DATETIMES),
        call("DATE_TRUNC(TIMESTAMP, PART[, STRING]) -> TIMESTAMP", timestamp_trunc)
            .parts(DATETIMES),
        call("DATETIME_TRUNC(DATETIME, PART) -> DATETIME", datetime_trunc).parts(DATETIMES),
        call("DATETIME_TRUNC(TIMESTAMP, PART[, STRING]) -> TIMESTAMP", timestamp_trunc)
            .parts(DATETIMES),
        call("TIMESTAMP_TRUNC(TIMESTAMP, PART[, STRING]) -> TIMESTAMP", timestamp_trunc)
            .parts(DATETIMES),
        call("TIMESTAMP_TRUNC(DATETIME, PART) -> DATETIME", datetime_trunc).parts(DATETIMES),
        call("TIME_TRUNC(TIME, PART) -> TIME", |c| {
            let micros = since_midnight(c.time(0)?);
            let unit = unit(c.part(1)?).ok_or_else(|| unknown(Part::Time))?;
            Ok(canonical_time(time_of(micros - micros.rem_euclid(unit))?))
        })
        .parts(TIMES),
        call("LAST_DAY(DATE[, PART]) -> DATE", |c| last_day(c, c.date(0)?)).parts(DATES),
        call("LAST_DAY(DATETIME[, PART]) -> DATE", |c| last_day(c, c.datetime(0)?.date()))
            .parts(DATES),
    ]
}

pub(super) fn midnight(date: Date) -> DateTime {
    date.to_datetime(Time::midnight())
}

/// Returns the length of a date part in microseconds, if the length is fixed. A day has 24 hours.
pub(super) fn unit(part: Part) -> Option<i64> {
    Some(match part {
        Part::Microsecond => 1,
        Part::Millisecond => 1_000,
        Part::Second => 1_000_000,
        Part::Minute => 60_000_000,
        Part::Hour => 3_600_000_000,
        Part::Day => 86_400_000_000,
        _ => return None,
    })
}

pub(super) fn unknown(part: Part) -> String {
    format!("the date part {} is not supported here", part.name())
}

/// Returns the day of the week, from 0 to 6. Weeks start on the day `begin` (0 is Sunday).
fn day_of_week(date: Date, begin: u8) -> i64 {
    (i64::from(date.weekday().to_sunday_zero_offset()) - i64::from(begin)).rem_euclid(7)
}

/// Returns the week of the year. Weeks start on the day `begin` (0 is Sunday). The days before the
/// first complete week are in week 0.
pub(super) fn week_of_year(date: Date, begin: u8) -> i64 {
    (i64::from(date.day_of_year()) - 1 + 7 - day_of_week(date, begin)) / 7
}

fn number(local: DateTime, part: Part) -> Result<Value, String> {
    let (date, time) = (local.date(), local.time());
    let nanos = i64::from(time.subsec_nanosecond());
    Ok(Value::Integer(match part {
        Part::Microsecond => nanos / 1_000,
        Part::Millisecond => nanos / 1_000_000,
        Part::Second => i64::from(time.second()),
        Part::Minute => i64::from(time.minute()),
        Part::Hour => i64::from(time.hour()),
        Part::Day => i64::from(date.day()),
        Part::DayOfWeek => day_of_week(date, 0) + 1,
        Part::DayOfYear => i64::from(date.day_of_year()),
        Part::Week => week_of_year(date, 0),
        Part::WeekFrom(begin) => week_of_year(date, begin),
        Part::IsoWeek => i64::from(date.iso_week_date().week()),
        Part::Month => i64::from(date.month()),
        Part::Quarter => i64::from((date.month() - 1) / 3 + 1),
        Part::Year => i64::from(date.year()),
        Part::IsoYear => i64::from(date.iso_week_date().year()),
        Part::Date | Part::Time | Part::DateTime => return Err(unknown(part)),
    }))
}

/// Returns the start of the part that contains `local`, such as the start of the month.
pub(super) fn truncate(local: DateTime, part: Part) -> Result<DateTime, String> {
    let date = local.date();
    if let Some(unit) = unit(part) {
        let at = micros(local);
        return moment::civil(at - at.rem_euclid(unit));
    }
    let first =
        |year: i16, month: i8| Date::new(year, month, 1).map_err(|_| moment::out_of_range());
    let begin = match part {
        Part::Week => week(date, 0)?,
        Part::WeekFrom(begin) => week(date, begin)?,
        Part::IsoWeek => week(date, 1)?,
        Part::Month => first(date.year(), date.month())?,
        Part::Quarter => first(date.year(), (date.month() - 1) / 3 * 3 + 1)?,
        Part::Year => first(date.year(), 1)?,
        Part::IsoYear => iso_year(date.iso_week_date().year())?,
        _ => return Err(unknown(part)),
    };
    Ok(midnight(begin))
}

fn week(date: Date, begin: u8) -> Result<Date, String> {
    moment::day(moment::days(date) - day_of_week(date, begin))
}

/// Returns the first day of an ISO 8601 week-numbering year.
fn iso_year(year: i16) -> Result<Date, String> {
    let begin = ISOWeekDate::new(year, 1, Weekday::Monday).map_err(|_| moment::out_of_range())?;
    moment::day(moment::days(begin.date()))
}

fn date_trunc(call: &ScalarCall) -> Result<String, String> {
    let begin = truncate(midnight(call.date(0)?), call.part(1)?)?;
    Ok(canonical_date(begin.date()))
}

fn datetime_trunc(call: &ScalarCall) -> Result<String, String> {
    Ok(canonical_datetime(truncate(call.datetime(0)?, call.part(1)?)?))
}

fn timestamp_trunc(call: &ScalarCall) -> Result<i64, String> {
    let moment = call.moment(0, 2)?;
    let part = call.part(1)?;
    let local = truncate(moment.local, part)?;
    match part {
        // The offset is kept, so that a local hour that occurs twice counts as two separate hours.
        part if part != Part::Day && unit(part).is_some() => {
            Ok(Moment { local, ..moment }.micros())
        }
        _ => call.instant(local, 2),
    }
}

fn last_day(call: &ScalarCall, date: Date) -> Result<String, String> {
    let part = if call.has(1) { call.part(1)? } else { Part::Month };
    let begin = truncate(midnight(date), part)?.date();
    let later =
        |months: i32| begin.checked_add(Span::new().months(months)).map(Date::last_of_month);
    // Does not compute the start of the next part, because it can be in the year 10000.
    let last = match part {
        Part::Day => Ok(begin),
        Part::Month => later(0),
        Part::Quarter => later(2),
        Part::Year => later(11),
        Part::IsoYear => {
            let weeks = date.iso_week_date().weeks_in_year();
            begin.checked_add(Span::new().days(i32::from(weeks) * 7 - 1))
        }
        _ => begin.checked_add(Span::new().days(6)),
    };
    last.map(canonical_date).map_err(|_| moment::out_of_range())
}
