//! Adds intervals to dates and times, and computes differences between them.

use jiff::civil::{Date, DateTime};

use super::moment::{self, Moment, civil, days, micros, since_midnight, time_of};
use super::parts::{DATES, DATETIMES, TIMES, midnight, unit, unknown};
use super::{canonical_date, canonical_datetime, canonical_time};
use crate::sql::expression::Part;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::scalar_call::ScalarCall;

const DATE_STEPS: &[Part] = &[Part::Day, Part::Week, Part::Month, Part::Quarter, Part::Year];
const DATETIME_STEPS: &[Part] = &[
    Part::Microsecond,
    Part::Millisecond,
    Part::Second,
    Part::Minute,
    Part::Hour,
    Part::Day,
    Part::Week,
    Part::Month,
    Part::Quarter,
    Part::Year,
];
/// Date parts of fixed length, which can be added to a TIMESTAMP.
pub(super) const TIMESTAMP_STEPS: &[Part] =
    &[Part::Microsecond, Part::Millisecond, Part::Second, Part::Minute, Part::Hour, Part::Day];

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("DATE_ADD(DATE, INTERVAL) -> DATE", |c| date_add(c, 1)).parts(DATE_STEPS),
        call("DATE_ADD(DATETIME, INTERVAL) -> DATETIME", |c| datetime_add(c, 1))
            .parts(DATETIME_STEPS),
        call("DATE_ADD(TIMESTAMP, INTERVAL) -> TIMESTAMP", |c| timestamp_add(c, 1))
            .parts(TIMESTAMP_STEPS),
        call("DATE_SUB(DATE, INTERVAL) -> DATE", |c| date_add(c, -1)).parts(DATE_STEPS),
        call("DATE_SUB(DATETIME, INTERVAL) -> DATETIME", |c| datetime_add(c, -1))
            .parts(DATETIME_STEPS),
        call("DATE_SUB(TIMESTAMP, INTERVAL) -> TIMESTAMP", |c| timestamp_add(c, -1))
            .parts(TIMESTAMP_STEPS),
        call("DATETIME_ADD(DATETIME, INTERVAL) -> DATETIME", |c| datetime_add(c, 1))
            .parts(DATETIME_STEPS),
        call("DATETIME_SUB(DATETIME, INTERVAL) -> DATETIME", |c| datetime_add(c, -1))
            .parts(DATETIME_STEPS),
        call("TIME_ADD(TIME, INTERVAL) -> TIME", |c| time_add(c, 1)).parts(TIMES),
        call("TIME_SUB(TIME, INTERVAL) -> TIME", |c| time_add(c, -1)).parts(TIMES),
        call("TIMESTAMP_ADD(TIMESTAMP, INTERVAL) -> TIMESTAMP", |c| timestamp_add(c, 1))
            .parts(TIMESTAMP_STEPS),
        call("TIMESTAMP_SUB(TIMESTAMP, INTERVAL) -> TIMESTAMP", |c| timestamp_add(c, -1))
            .parts(TIMESTAMP_STEPS),
        call("DATE_DIFF(DATE, DATE, PART) -> INT64", |c| {
            boundaries(midnight(c.date(0)?), midnight(c.date(1)?), c.part(2)?)
        })
        .parts(DATES),
        call("DATE_DIFF(DATETIME, DATETIME, PART) -> INT64", datetime_diff).parts(DATETIMES),
        call("DATE_DIFF(TIMESTAMP, TIMESTAMP, PART) -> INT64", timestamp_diff)
            .parts(TIMESTAMP_STEPS),
        call("DATETIME_DIFF(DATETIME, DATETIME, PART) -> INT64", datetime_diff).parts(DATETIMES),
        call("TIME_DIFF(TIME, TIME, PART) -> INT64", |c| {
            boundaries(
                Date::MIN.to_datetime(c.time(0)?),
                Date::MIN.to_datetime(c.time(1)?),
                c.part(2)?,
            )
        })
        .parts(TIMES),
        call("TIMESTAMP_DIFF(TIMESTAMP, TIMESTAMP, PART) -> INT64", timestamp_diff)
            .parts(TIMESTAMP_STEPS),
    ]
}

/// Returns the count (multiplied by `sign`) and the part of the interval in the second and third
/// arguments.
fn interval(call: &ScalarCall, sign: i64) -> Result<(i64, Part), String> {
    let count = call.int(1)?.checked_mul(sign).ok_or_else(moment::out_of_range)?;
    Ok((count, call.part(2)?))
}

fn date_add(call: &ScalarCall, sign: i64) -> Result<String, String> {
    let (count, part) = interval(call, sign)?;
    Ok(canonical_date(add(midnight(call.date(0)?), count, part)?.date()))
}

fn datetime_add(call: &ScalarCall, sign: i64) -> Result<String, String> {
    let (count, part) = interval(call, sign)?;
    Ok(canonical_datetime(add(call.datetime(0)?, count, part)?))
}

fn timestamp_add(call: &ScalarCall, sign: i64) -> Result<i64, String> {
    let (count, part) = interval(call, sign)?;
    Ok(Moment::utc(shift(call.int(0)?, count, part)?)?.micros())
}

fn time_add(call: &ScalarCall, sign: i64) -> Result<String, String> {
    let (count, part) = interval(call, sign)?;
    let day = unit(Part::Day).unwrap_or(1);
    let unit = unit(part).ok_or_else(|| unknown(part))?;
    let moved = since_midnight(call.time(0)?) + (count % (day / unit)) * unit;
    Ok(canonical_time(time_of(moved)?))
}

/// Adds `count` date parts of fixed length to a time in microseconds.
pub(super) fn shift(at: i64, count: i64, part: Part) -> Result<i64, String> {
    let unit = unit(part).ok_or_else(|| unknown(part))?;
    let distance = count.checked_mul(unit);
    distance.and_then(|distance| at.checked_add(distance)).ok_or_else(moment::out_of_range)
}

/// Adds `count` date parts to a date and time. If the resulting month is too short for the day,
/// uses the last day of the month.
pub(super) fn add(local: DateTime, count: i64, part: Part) -> Result<DateTime, String> {
    let months = match part {
        Part::Week => {
            return add(local, count.checked_mul(7).ok_or_else(moment::out_of_range)?, Part::Day);
        }
        Part::Month => 1,
        Part::Quarter => 3,
        Part::Year => 12,
        part => return civil(shift(micros(local), count, part)?),
    };
    let date = local.date();
    let month = count
        .checked_mul(months)
        .and_then(|months| months.checked_add(month_number(date)))
        .ok_or_else(moment::out_of_range)?;
    let first = i16::try_from(month.div_euclid(12))
        .ok()
        .zip(i8::try_from(month.rem_euclid(12) + 1).ok())
        .filter(|(year, _)| *year >= 1)
        .and_then(|(year, month)| Date::new(year, month, 1).ok())
        .ok_or_else(moment::out_of_range)?;
    let day = date.day().min(first.days_in_month());
    let moved = Date::new(first.year(), first.month(), day).map_err(|_| moment::out_of_range())?;
    Ok(moved.to_datetime(local.time()))
}

fn month_number(date: Date) -> i64 {
    i64::from(date.year()) * 12 + i64::from(date.month()) - 1
}

/// Returns the number of boundaries between two times, such as midnights for days. For example,
/// 23:59 and 00:01 on the next day are one day apart.
fn boundaries(to: DateTime, from: DateTime, part: Part) -> Result<i64, String> {
    match unit(part) {
        Some(unit) => Ok(micros(to).div_euclid(unit) - micros(from).div_euclid(unit)),
        None => Ok(number(to.date(), part)? - number(from.date(), part)?),
    }
}

/// Numbers all weeks, months or other parts consecutively, and returns the number of the part that
/// contains a day.
fn number(date: Date, part: Part) -> Result<i64, String> {
    // 1970-01-01 was a Thursday.
    let week = |begin: u8| (days(date) + 4 - i64::from(begin)).div_euclid(7);
    Ok(match part {
        Part::Week => week(0),
        Part::WeekFrom(begin) => week(begin),
        Part::IsoWeek => week(1),
        Part::Month => month_number(date),
        Part::Quarter => month_number(date).div_euclid(3),
        Part::Year => i64::from(date.year()),
        Part::IsoYear => i64::from(date.iso_week_date().year()),
        _ => return Err(unknown(part)),
    })
}

fn datetime_diff(call: &ScalarCall) -> Result<i64, String> {
    boundaries(call.datetime(0)?, call.datetime(1)?, call.part(2)?)
}

/// Returns the number of whole date parts, such as hours, between two timestamps.
fn timestamp_diff(call: &ScalarCall) -> Result<i64, String> {
    let part = call.part(2)?;
    let unit = unit(part).ok_or_else(|| unknown(part))?;
    let distance = call.int(0)?.checked_sub(call.int(1)?);
    distance.map(|distance| distance / unit).ok_or_else(moment::out_of_range)
}
