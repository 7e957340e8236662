//! Finds contradictions among the episodes of a season.

use std::collections::HashMap;
use std::path::Path;

use super::Site;
use model::{Diagnostic, EpisodeType, Item, Rule, Status};
use site::ItemEntry;
use source::notation::Notation;
use source::place::place_of;

/// Warns about seasons with two names, and about episodes of one season with the same number.
/// Entries in different languages may have different names and equal numbers.
pub(super) fn season_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let language = snapshot.language();
    let mut found = Vec::new();
    let mut names: HashMap<_, (&str, &Item)> = HashMap::new();
    let mut episodes: HashMap<_, &Item> = HashMap::new();
    let entries = snapshot.entries.iter();
    for entry in entries.filter(|entry| entry.status != Status::Unpublished) {
        let Some(number) = entry.item.season() else {
            continue;
        };
        let item = &*entry.item;
        let language = item.language.as_deref().unwrap_or(language);
        let season = (number, language.to_ascii_lowercase());
        let its = item.podcast.season.as_ref();
        if let Some(name) = its.and_then(|season| season.name.as_deref()) {
            let (first, named) = *names.entry(season.clone()).or_insert((name, item));
            if first != name {
                let message = format!(
                    "season {number} is named {name:?} here, but {first:?} in {}",
                    named.source
                );
                let warning = Diagnostic::warning(Rule::Season, message)
                    .help("use the same name in both files");
                found.push(place_of(root, &item.source, "podcast", "", warning));
            }
        }
        let Some(episode) = episode(entry) else {
            continue;
        };
        let first = *episodes.entry((season, episode.to_bits())).or_insert(item);
        if first.id != item.id {
            let message =
                format!("season {number} already has an episode {episode}: {}", first.source);
            let kind = Notation::in_file(root, &item.source).key("itunes.episodeType");
            let help = format!(
                "correct one of the numbers, or mark one of the episodes as a trailer or bonus: {kind}"
            );
            let warning = Diagnostic::warning(Rule::Season, message).help(help);
            let is_podcast = item.podcast.episode.is_some();
            let key = if is_podcast { "podcast" } else { "itunes" };
            found.push(place_of(root, &item.source, key, "", warning));
        }
    }
    found
}

/// Returns the number of a full episode. Returns `None` for trailers and bonus episodes, because
/// they may have the same number as the episode that they belong to.
fn episode(entry: &ItemEntry) -> Option<f64> {
    let item = &entry.item;
    let own = item.podcast.episode.as_ref().map(|episode| episode.number);
    let number = own.or(item.itunes.episode.map(f64::from));
    let is_full = matches!(item.itunes.episode_type, None | Some(EpisodeType::Full));
    number.filter(|_| is_full)
}
