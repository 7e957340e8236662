//! Whether a site can be searched, and the script of the search dialog and the search page.

use crate::model::Access;
use crate::site::{Snapshot, paths};
use crate::theme::{SearchDestination, Theme};

/// Whether a site has a search page.
pub fn has_search(snapshot: &Snapshot, theme: &Theme) -> bool {
    snapshot.config.access == Access::Public && snapshot.config.output.search && theme.has_pages()
}

/// The script. It reads the feed, finds the items that hold every word, and shows them.
pub fn script(snapshot: &Snapshot, theme: &Theme) -> String {
    let destination = match theme.manifest.search_destination {
        SearchDestination::Web => "web",
        SearchDestination::Url => "url",
        SearchDestination::Attachment => "attachment",
    };
    let config = &snapshot.config;
    include_str!("search.js")
        .replace("__FEED__", &config.path(&paths::json_feed(1)))
        .replace("__SITE__", &config.base_url)
        .replace("__ORIGIN__", config.origin())
        .replace("__DESTINATION__", destination)
}
