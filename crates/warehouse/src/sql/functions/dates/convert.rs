//! Constructs dates and times from numbers, and converts between date and time types.

use jiff::civil::{Date, DateTime, Time};

use super::moment::{Moment, day, days, micros};
use super::text::read_local;
use super::{
    canonical_date, canonical_datetime, canonical_time, read_date, readable_datetime,
    readable_time, readable_timestamp,
};
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::scalar_call::ScalarCall;

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("DATE(INT64, INT64, INT64) -> DATE", |c| Ok(canonical_date(date(c)?))),
        call("DATE(DATE) -> DATE", |c| Ok(canonical_date(c.date(0)?))),
        call("DATE(TIMESTAMP[, STRING]) -> DATE", |c| {
            Ok(canonical_date(c.moment(0, 1)?.local.date()))
        }),
        call("DATE(DATETIME) -> DATE", |c| Ok(canonical_date(c.datetime(0)?.date()))),
        call("DATE(STRING) -> DATE", |c| Ok(canonical_date(read_date(c.text(0)?)?))),
        call("DATETIME(INT64, INT64, INT64, INT64, INT64, INT64) -> DATETIME", |c| {
            Ok(canonical_datetime(date(c)?.to_datetime(time(c, 3)?)))
        }),
        call("DATETIME(DATE[, TIME]) -> DATETIME", |c| {
            let time = if c.has(1) { c.time(1)? } else { Time::midnight() };
            Ok(canonical_datetime(c.date(0)?.to_datetime(time)))
        }),
        call("DATETIME(TIMESTAMP[, STRING]) -> DATETIME", |c| {
            Ok(canonical_datetime(c.moment(0, 1)?.local))
        }),
        call("DATETIME(DATETIME) -> DATETIME", |c| Ok(canonical_datetime(c.datetime(0)?))),
        call("DATETIME(STRING) -> DATETIME", |c| Ok(canonical_datetime(c.datetime(0)?))),
        call("TIME(INT64, INT64, INT64) -> TIME", |c| Ok(canonical_time(time(c, 0)?))),
        call("TIME(TIMESTAMP[, STRING]) -> TIME", |c| {
            Ok(canonical_time(c.moment(0, 1)?.local.time()))
        }),
        call("TIME(DATETIME) -> TIME", |c| Ok(canonical_time(c.datetime(0)?.time()))),
        call("TIME(TIME) -> TIME", |c| Ok(canonical_time(c.time(0)?))),
        call("TIMESTAMP(STRING[, STRING]) -> TIMESTAMP", timestamp),
        call("TIMESTAMP(DATE[, STRING]) -> TIMESTAMP", |c| {
            c.instant(c.date(0)?.to_datetime(Time::midnight()), 1)
        }),
        call("TIMESTAMP(DATETIME[, STRING]) -> TIMESTAMP", |c| c.instant(c.datetime(0)?, 1)),
        call("TIMESTAMP(TIMESTAMP) -> TIMESTAMP", |c| c.int(0)),
        call("STRING(TIMESTAMP[, STRING]) -> STRING", |c| Ok(readable_timestamp(c.moment(0, 1)?))),
        call("STRING(DATE) -> STRING", |c| Ok(canonical_date(c.date(0)?))),
        call("STRING(DATETIME) -> STRING", |c| Ok(readable_datetime(c.datetime(0)?))),
        call("STRING(TIME) -> STRING", |c| Ok(readable_time(c.time(0)?))),
        call("UNIX_DATE(DATE) -> INT64", |c| Ok(days(c.date(0)?))),
        call("DATE_FROM_UNIX_DATE(INT64) -> DATE", |c| Ok(canonical_date(day(c.int(0)?)?))),
        call("UNIX_SECONDS(TIMESTAMP) -> INT64", |c| Ok(c.int(0)?.div_euclid(1_000_000))),
        call("UNIX_MILLIS(TIMESTAMP) -> INT64", |c| Ok(c.int(0)?.div_euclid(1_000))),
        call("UNIX_MICROS(TIMESTAMP) -> INT64", |c| c.int(0)),
        call("TIMESTAMP_SECONDS(INT64) -> TIMESTAMP", |c| instant(c.int(0)?, 1_000_000)),
        call("TIMESTAMP_MILLIS(INT64) -> TIMESTAMP", |c| instant(c.int(0)?, 1_000)),
        call("TIMESTAMP_MICROS(INT64) -> TIMESTAMP", |c| instant(c.int(0)?, 1)),
    ]
}

fn date(call: &ScalarCall) -> Result<Date, String> {
    let (year, month, day) = (call.int(0)?, call.int(1)?, call.int(2)?);
    let date = i16::try_from(year)
        .ok()
        .filter(|year| (1..=9999).contains(year))
        .zip(i8::try_from(month).ok().zip(i8::try_from(day).ok()))
        .and_then(|(year, (month, day))| Date::new(year, month, day).ok());
    date.ok_or_else(|| {
        format!("Input calculates to invalid date: year {year}, month {month}, day {day}")
    })
}

fn time(call: &ScalarCall, at: usize) -> Result<Time, String> {
    let (hour, minute, second) = (call.int(at)?, call.int(at + 1)?, call.int(at + 2)?);
    let time = i8::try_from(hour)
        .ok()
        .zip(i8::try_from(minute).ok().zip(i8::try_from(second).ok()))
        .and_then(|(hour, (minute, second))| Time::new(hour, minute, second, 0).ok());
    time.ok_or_else(|| {
        format!("Input calculates to invalid time: hour {hour}, minute {minute}, second {second}")
    })
}

/// Converts a number of units since 1970 to microseconds. `unit` is the length of a unit in
/// microseconds.
fn instant(count: i64, unit: i64) -> Result<i64, String> {
    let micros = count.checked_mul(unit);
    let error = || format!("{count} is out of range for TIMESTAMP");
    let micros = micros.ok_or_else(error)?;
    Moment::utc(micros).map(|_| micros).map_err(|_| error())
}

/// Parses a timestamp. The time zone can be given in the text or as the second argument, but not as
/// both.
fn timestamp(call: &ScalarCall) -> Result<i64, String> {
    let (local, zone) = read_local(call.text(0)?)?;
    match zone {
        Some(_) if call.has(1) => {
            Err("TIMESTAMP supports a time zone in its text or as an argument, not both".to_owned())
        }
        Some(zone) => zone.instant(local),
        None => call.instant(local, 1),
    }
}

pub(crate) fn utc_instant(local: DateTime) -> i64 {
    micros(local)
}
