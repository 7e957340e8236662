//! Schedules the retries of a message.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use jiff::Timestamp;

/// The pauses between attempts, as recommended by the Standard Webhooks specification: about three
/// days in total.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];

/// Maximum pause that a receiver can request.
const LONGEST: Duration = Duration::from_hours(24);

/// Maximum time for a receiver to respond.
const STALL: Duration = Duration::from_secs(15);

/// Maximum time that a command waits for a retry.
const SOON: Duration = Duration::from_secs(7);

/// The environment variable with which tests shorten the pauses.
pub const VARIABLE: &str = "FEEDWRIGHT_WEBHOOK_PACE";

/// The factor by which pauses are shortened, from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Pace(f64);

impl Pace {
    /// Returns the default pace, or the pace in the variable: a number from 0 to 1.
    pub fn of(variable: Option<&str>) -> Self {
        let part = variable.and_then(|text| text.parse().ok());
        Self(part.filter(|part| (0.0..=1.0).contains(part)).unwrap_or(1.0))
    }

    /// Returns the maximum time for a receiver to respond.
    pub fn stall(self) -> Duration {
        STALL.mul_f64(self.0.max(0.04))
    }

    /// Returns the maximum time that a command waits for a retry.
    pub fn soon(self) -> Duration {
        SOON.mul_f64(self.0.max(0.04))
    }

    /// Returns the time of the next attempt after this many attempts, or `None` if the message is
    /// given up. A receiver may request a longer pause.
    pub fn next(self, attempts: u32, asked: Option<Duration>, now: Timestamp) -> Option<Timestamp> {
        let place = usize::try_from(attempts).ok()?.checked_sub(1)?;
        let pause = PAUSES.get(place)?.mul_f64(self.0 * jitter());
        let asked = asked.unwrap_or_default().min(LONGEST);
        now.checked_add(pause.max(asked)).ok()
    }
}

/// Returns a random factor from 0.9 to 1.1, so that receivers that failed together are not all
/// retried at once.
#[allow(clippy::cast_precision_loss)]
fn jitter() -> f64 {
    let random = RandomState::new().hash_one(0) % 1000;
    0.9 + random as f64 / 5000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_given_up_after_ten_attempts_and_three_days() {
        let pace = Pace::of(None);
        let start = Timestamp::UNIX_EPOCH;
        let mut now = start;
        let mut attempts = 1;
        while let Some(next) = pace.next(attempts, None, now) {
            assert!(next > now);
            now = next;
            attempts += 1;
        }
        assert_eq!(attempts, 10);
        let hours = now.duration_since(start).as_hours();
        assert!((68..=84).contains(&hours), "{hours}");
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_and_not_for_ever() {
        let pace = Pace::of(Some("0"));
        let start = Timestamp::UNIX_EPOCH;
        let asked = |seconds| pace.next(1, Some(Duration::from_secs(seconds)), start);
        assert_eq!(asked(90), start.checked_add(Duration::from_secs(90)).ok());
        assert_eq!(asked(u64::MAX), start.checked_add(LONGEST).ok());
        assert_eq!(pace.next(1, None, start), Some(start));
    }
}
