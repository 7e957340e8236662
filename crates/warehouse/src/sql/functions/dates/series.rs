//! Generates arrays of dates and arrays of timestamps.

use super::arithmetic::{TIMESTAMP_STEPS, add, shift};
use super::canonical_date;
use super::moment::Moment;
use super::parts::midnight;
use crate::sql::expression::Part;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::json_text::Json;
use crate::sql::functions::scalar_call::{ScalarCall, check_element_count};

const DATE_STEPS: &[Part] = &[Part::Day, Part::Week, Part::Month, Part::Quarter, Part::Year];

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("GENERATE_DATE_ARRAY(DATE, DATE[, INTERVAL]) -> ARRAY<DATE>", dates).parts(DATE_STEPS),
        call(
            "GENERATE_TIMESTAMP_ARRAY(TIMESTAMP, TIMESTAMP, INTERVAL) -> ARRAY<TIMESTAMP>",
            timestamps,
        )
        .parts(TIMESTAMP_STEPS),
    ]
}

fn dates(call: &ScalarCall) -> Result<String, String> {
    let (begin, end) = (midnight(call.date(0)?), midnight(call.date(1)?));
    let (step, part) = if call.has(2) { (call.int(2)?, call.part(3)?) } else { (1, Part::Day) };
    series(
        begin,
        end,
        step,
        |at| add(begin, step.checked_mul(at)?, part).ok(),
        |day| Ok(Json::text(canonical_date(day.date()))),
    )
}

fn timestamps(call: &ScalarCall) -> Result<String, String> {
    let (begin, end) = (call.int(0)?, call.int(1)?);
    let (step, part) = (call.int(2)?, call.part(3)?);
    series(
        begin,
        end,
        step,
        |at| shift(begin, step.checked_mul(at)?, part).ok(),
        |at| Ok(Json::int(Moment::utc(at)?.micros())),
    )
}

/// Generates the values of a range. Each value is computed from the first value, so that monthly
/// steps from January 31 lead to February 28 and March 31.
fn series<T: PartialOrd + Copy>(
    begin: T,
    end: T,
    step: i64,
    nth: impl Fn(i64) -> Option<T>,
    write: impl Fn(T) -> Result<Json<'static>, String>,
) -> Result<String, String> {
    if step == 0 {
        return Err("Sequence step cannot be 0.".to_owned());
    }
    let is_past = |at: &T| if step > 0 { *at > end } else { *at < end };
    let mut elements = Vec::new();
    let mut next = Some(begin).filter(|begin| !is_past(begin));
    while let Some(at) = next {
        check_element_count(elements.len() as u64 + 1)?;
        elements.push(write(at)?);
        let count = i64::try_from(elements.len()).map_err(|error| error.to_string())?;
        next = nth(count).filter(|at| !is_past(at));
    }
    Ok(Json::Array(elements).to_string())
}
