//! Season and episode numbers.

use model::Item;

/// Season and episode as Apple's tags have them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Numbers {
    pub season: Option<u32>,
    pub episode: Option<u32>,
}

/// Season and episode: Apple's own, or those of Podcasting 2.0 where they are whole numbers from 1 on.
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
