//! The script of the search dialog and the search page.

use super::inputs::Shared;
use crate::site::paths;
use crate::theme::SearchDestination;

/// The script. It reads the feed, finds the items that hold every word, and shows them.
pub fn script(shared: &Shared<'_>) -> String {
    let destination = match shared.theme.manifest.search_destination {
        SearchDestination::Web => "web",
        SearchDestination::Url => "url",
        SearchDestination::Attachment => "attachment",
    };
    let config = shared.config;
    include_str!("search.js")
        .replace("__FEED__", &config.path(&paths::json_feed(1)))
        .replace("__SITE__", &config.base_url)
        .replace("__ORIGIN__", config.origin())
        .replace("__DESTINATION__", destination)
}
