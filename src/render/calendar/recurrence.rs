//! What makes an event a series: RRULE, RDATE, EXRULE and EXDATE (RFC 5545, section 3.8.5).

use super::lines::Lines;
use super::zone::Zones;
use crate::recurrence::Recurrence;

/// Writes them as they were written, in their canonical form.
pub fn write(_recurrence: &Recurrence, _lines: &mut Lines, _zones: &mut Zones) {}
