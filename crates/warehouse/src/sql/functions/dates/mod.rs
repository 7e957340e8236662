//! SQL functions of dates and times.
//!
//! A date and time without a zone is a jiff `DateTime`. An instant is a number of microseconds. In
//! a time zone, it is represented as a [`Moment`]. Years range from 1 to 9999, as in the
//! warehouse's types.

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

/// Reads arguments that are dates and times.
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

    /// Returns an instant in the zone that another argument names. Without that argument, the zone
    /// is UTC.
    pub(super) fn moment(&self, at: usize, zone: usize) -> Result<Moment, String> {
        let micros = self.int(at)?;
        if self.has(zone) {
            Moment::in_zone(micros, &*self.zone(zone)?)
        } else {
            Moment::utc(micros)
        }
    }

    /// Converts a local time in the zone of another argument to an instant. Without that argument,
    /// the zone is UTC.
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
