//! The number of the next episode of a show.

use super::{EpisodeType, Item};

/// The season and the number of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpisodeNumber {
    pub season: Option<i64>,
    pub episode: i64,
}

impl EpisodeNumber {
    /// Returns the numbers of the next episode of a show. Returns None if the last episode has no
    /// number. Trailers and bonus episodes are not counted.
    pub fn after<'i>(items: impl Iterator<Item = &'i Item> + Clone) -> Option<Self> {
        let is_full =
            |item: &&Item| item.itunes.episode_type.is_none_or(|kind| kind == EpisodeType::Full);
        let items = items.filter(is_full);
        let episodes = items.clone();
        let episodes = episodes.filter(|item| item.is_episode() && item.date_published.is_some());
        let last = episodes.max_by_key(|item| item.date_published)?;
        last.episode()?;
        let season = last.season();
        let numbers = items.filter(|item| item.season() == season).filter_map(Item::episode);
        let highest = numbers.fold(0.0, f64::max).floor();
        #[expect(clippy::cast_possible_truncation, reason = "a cast of a float stays in the range")]
        let episode = (highest as i64).checked_add(1)?;
        Some(Self { season, episode })
    }
}
