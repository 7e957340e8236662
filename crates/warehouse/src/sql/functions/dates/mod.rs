//! SQL functions for dates and times.
//!
//! A date and time without a time zone is represented as a jiff `DateTime`, and a timestamp as a
//! number of microseconds, or as a [`Moment`] if its local time in a time zone is needed. Years
//! range from 1 to 9999, as in the warehouse's types.

mod arithmetic;
mod convert;
mod format;
mod moment;
mod parse;
mod parts;
mod series;
mod text;

pub(super) use convert::utc_instant;
pub(super) use moment::{Moment, Zone};
pub(super) use text::{
    canonical_date, canonical_datetime, canonical_time, read_date, read_datetime, read_local,
    read_time, read_timestamp, readable_datetime, readable_time, readable_timestamp, rfc3339,
};

use jiff::civil::{Date, DateTime, Time};

use super::declare::Function;
use super::scalar_call::ScalarCall;

/// Methods that read date and time arguments.
impl ScalarCall<'_> {
    pub(super) fn date(&self, at: usize) -> Result<Date, String> {
        read_date(self.text(at)?)
    }

    pub(super) fn time(&self, at: usize) -> Result<Time, String> {
        read_time(self.text(at)?)
    }

    pub(super) fn datetime(&self, at: usize) -> Result<DateTime, String> {
        read_datetime(self.text(at)?)
    }

    /// Returns the timestamp in argument `at` as a moment in the time zone in argument `zone`, or
    /// in UTC if there is no such argument.
    pub(super) fn moment(&self, at: usize, zone: usize) -> Result<Moment, String> {
        let micros = self.int(at)?;
        if self.has(zone) {
            Moment::in_zone(micros, &*self.zone(zone)?)
        } else {
            Moment::utc(micros)
        }
    }

    /// Converts a local time to a timestamp. The local time is in the time zone in argument `zone`,
    /// or in UTC if there is no such argument.
    pub(super) fn instant(&self, local: DateTime, zone: usize) -> Result<i64, String> {
        if self.has(zone) { self.zone(zone)?.instant(local) } else { Ok(moment::micros(local)) }
    }

    fn zone(&self, at: usize) -> Result<std::sync::Arc<Zone>, String> {
        self.read(at, Zone::read)
    }
}

pub(super) fn functions() -> Vec<Function> {
    [
        convert::functions(),
        parts::functions(),
        arithmetic::functions(),
        format::functions(),
        parse::functions(),
        series::functions(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
