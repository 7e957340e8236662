//! Season and episode numbers.

use model::Item;

/// Season and episode numbers as in Apple's tags.
#[derive(Debug, Clone, Copy, Default)]
pub struct Numbers {
    pub season: Option<u32>,
    pub episode: Option<u32>,
}

/// Returns the season and episode numbers: Apple's, or else Podcasting 2.0's if they are positive
/// whole numbers.
pub fn numbers(item: &Item) -> Numbers {
    let season = item.podcast.season.as_ref().and_then(|season| u32::try_from(season.number).ok());
    let episode = item.podcast.episode.as_ref().map(|episode| episode.number);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = episode
        .filter(|number| number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(number))
        .map(|number| number as u32);
    Numbers {
        season: item.itunes.season.or(season.filter(|number| *number > 0)),
        episode: item.itunes.episode.or(whole),
    }
}
