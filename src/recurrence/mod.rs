//! STUB to be replaced.
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
/// x
#[derive(Debug, Clone, PartialEq)]
pub struct Recurrence;
/// x
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// x
    Date(Date),
    /// x
    Timed(DateTime, TimeZone),
}
impl Recurrence {
    /// x
    pub fn occurrences_from(
        &self,
        start: &Start,
        _from: &Start,
    ) -> impl Iterator<Item = Start> + use<> {
        vec![start.clone()].into_iter()
    }
}
