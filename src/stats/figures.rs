//! Download statistics by episode, day, app and device.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::agents::Device;
use super::count::DAY;
use super::queries::Download;

/// A range of days in UTC, including the first and the last day. `None` means that the range has no
/// limit on that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    pub from: Option<Date>,
    pub to: Option<Date>,
}

impl Span {
    fn holds(&self, day: Date) -> bool {
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }
}

/// The downloads of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EpisodeFigures {
    pub title: String,
    pub published: Option<Timestamp>,
    /// The number of downloads within the span.
    pub downloads: u64,
    /// The number of downloads in the first 7 × 24 hours after publication, regardless of the span.
    pub first_7_days: u64,
    /// The number of downloads in the first 30 × 24 hours after publication, regardless of the
    /// span.
    pub first_30_days: u64,
}

/// The statistics of a span of days.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Figures {
    /// The days whose downloads are counted.
    pub span: Span,
    /// The total number of downloads on these days.
    pub downloads: u64,
    /// The statistics of each episode, by item id.
    pub episodes: BTreeMap<String, EpisodeFigures>,
    /// The number of downloads on each day in UTC. Days without downloads are omitted.
    pub days: BTreeMap<Date, u64>,
    pub apps: BTreeMap<&'static str, u64>,
    pub devices: BTreeMap<Device, u64>,
}

impl Figures {
    pub fn of(span: Span) -> Self {
        Self { span, ..Self::default() }
    }

    pub fn add(&mut self, download: &Download<'_>) {
        let episode = download.episode;
        let figures = match self.episodes.get_mut(&episode.item_id) {
            Some(known) => known,
            None => {
                self.episodes.entry(episode.item_id.clone()).or_insert_with(|| EpisodeFigures {
                    title: episode.title.clone(),
                    published: episode.published,
                    ..EpisodeFigures::default()
                })
            }
        };
        if let Some(published) = episode.published {
            let age = download.time - published.as_microsecond();
            figures.first_7_days += u64::from((0..7 * DAY).contains(&age));
            figures.first_30_days += u64::from((0..30 * DAY).contains(&age));
        }
        let Some(day) = day(download.time).filter(|day| self.span.holds(*day)) else {
            return;
        };
        figures.downloads += 1;
        self.downloads += 1;
        *self.days.entry(day).or_default() += 1;
        *self.apps.entry(download.agent.app).or_default() += 1;
        *self.devices.entry(download.agent.device).or_default() += 1;
    }

    /// Returns the number of downloads in each week, by the Monday of the week.
    pub fn weeks(&self) -> BTreeMap<Date, u64> {
        self.days_by(|day| {
            let past = i64::from(day.weekday().to_monday_zero_offset());
            day.checked_sub(jiff::Span::new().days(past)).unwrap_or(day)
        })
    }

    /// Returns the number of downloads in each month, by the first day of the month.
    pub fn months(&self) -> BTreeMap<Date, u64> {
        self.days_by(Date::first_of_month)
    }

    fn days_by(&self, first: impl Fn(Date) -> Date) -> BTreeMap<Date, u64> {
        let mut sums = BTreeMap::new();
        for (day, count) in &self.days {
            *sums.entry(first(*day)).or_default() += count;
        }
        sums
    }
}

/// Returns the day in UTC of a time in microseconds since 1970.
fn day(time: i64) -> Option<Date> {
    let time = Timestamp::from_microsecond(time).ok()?;
    Some(time.to_zoned(TimeZone::UTC).date())
}
