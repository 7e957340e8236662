//! The duration of a recording, and whether the file is complete.

use std::io;

use super::MediaFacts;

/// Warning about an incomplete file.
pub(super) const CUT_OFF: &str = "the file is shorter than its header says; it may be cut off";

/// A duration that was measured, not estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Length {
    pub(super) seconds: f64,
    /// Whether the file is shorter than its header says. `seconds` is then the duration of the part
    /// that can be played.
    pub(super) is_cut_off: bool,
}

impl Length {
    /// Returns the duration of `samples` at `rate` samples per second, or None if the duration is
    /// zero or not finite.
    pub(super) fn from_samples(samples: u64, rate: f64) -> Option<Self> {
        let seconds = samples as f64 / rate;
        (seconds.is_finite() && seconds > 0.0).then_some(Self { seconds, is_cut_off: false })
    }

    pub(super) fn cut_off_if(self, is_cut_off: bool) -> Self {
        Self { is_cut_off, ..self }
    }
}

impl MediaFacts {
    /// Records the result of a measurement. If there is no duration, adds a problem with the
    /// explanation `absent`.
    pub(super) fn record_length(&mut self, length: io::Result<Option<Length>>, absent: &str) {
        match self.take("length", length.map_err(|error| error.to_string())) {
            Some(Some(length)) => {
                self.duration = Some(length.seconds);
                if length.is_cut_off {
                    self.add_problem("length", CUT_OFF);
                }
            }
            Some(None) => self.add_problem("length", absent),
            None => {}
        }
    }
}
