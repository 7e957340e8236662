//! Schedules the retries of a message.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use jiff::Timestamp;

/// The pauses between attempts, as recommended by the Standard Webhooks specification. They add up
/// to about three days.
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
const MAX_REQUESTED_PAUSE: Duration = Duration::from_hours(24);

/// Maximum time for a receiver to respond.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);

/// A command waits for a retry only if the pause is at most this long.
const MAX_COMMAND_WAIT: Duration = Duration::from_secs(7);

/// The environment variable that shortens all pauses in tests.
pub const VARIABLE: &str = "FEEDWRIGHT_WEBHOOK_PACE";

/// A factor from 0 to 1 by which all pauses are multiplied.
#[derive(Debug, Clone, Copy)]
pub struct Pace(f64);

impl Pace {
    /// Returns the pace in the environment variable, which is a number from 0 to 1, or else the
    /// default pace.
    pub fn of(variable: Option<&str>) -> Self {
        let part = variable.and_then(|text| text.parse().ok());
        Self(part.filter(|part| (0.0..=1.0).contains(part)).unwrap_or(1.0))
    }

    /// Returns the maximum time for a receiver to respond.
    pub fn response_timeout(self) -> Duration {
        RESPONSE_TIMEOUT.mul_f64(self.0.max(0.04))
    }

    /// Returns the maximum pause for which a command waits for a retry.
    pub fn soon(self) -> Duration {
        MAX_COMMAND_WAIT.mul_f64(self.0.max(0.04))
    }

    /// Returns the time of the next attempt, after this number of attempts. Returns `None` if the
    /// message is given up. The receiver can request a longer pause.
    pub fn next(
        self,
        attempts: u32,
        requested: Option<Duration>,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let place = usize::try_from(attempts).ok()?.checked_sub(1)?;
        let pause = PAUSES.get(place)?.mul_f64(self.0 * jitter());
        let requested = requested.unwrap_or_default().min(MAX_REQUESTED_PAUSE);
        now.checked_add(pause.max(requested)).ok()
    }
}

/// Returns a random factor from 0.9 to 1.1, so that messages that failed together are not retried
/// at the same time.
#[allow(clippy::cast_precision_loss)]
fn jitter() -> f64 {
    let random = RandomState::new().hash_one(0) % 1000;
    0.9 + random as f64 / 5000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_fails_after_ten_attempts_and_three_days() {
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
    fn a_receiver_may_request_a_limited_delay() {
        let pace = Pace::of(Some("0"));
        let start = Timestamp::UNIX_EPOCH;
        let requested = |seconds| pace.next(1, Some(Duration::from_secs(seconds)), start);
        assert_eq!(requested(90), start.checked_add(Duration::from_secs(90)).ok());
        assert_eq!(requested(u64::MAX), start.checked_add(MAX_REQUESTED_PAUSE).ok());
        assert_eq!(pace.next(1, None, start), Some(start));
    }
}
