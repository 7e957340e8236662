//! Warns about feeds and pages of shows whose addresses changed since the last build.

use std::path::Path;

use super::Site;
use model::podcast::vocabulary::guid_of_feed;
use model::url::{encode_path, join_path};
use model::{Access, ContentFolder, Diagnostic, Redirect, Rule, SitePath, Status};
use render::hosting;
use site::{Snapshot, paths};
use source::place::place_of;
use source::redirects;
use source::show::place_of_path;

/// Returns the id of a show in the list of addresses. Ids have no spaces.
pub(super) fn id_of(show: &ContentFolder) -> String {
    encode_path(show.show().unwrap_or_default())
}

/// Returns the path of a show of the site, or the address of a show that is published as a separate
/// site.
pub(super) fn path_of(show: &Snapshot) -> String {
    match &show.config.own_url {
        Some(own_url) => format!("{own_url}/"),
        None => format!("{}/", show.config.mount),
    }
}

/// Returns the show of the site with this id.
pub(super) fn find<'s>(site: &'s Site, id: &str) -> Option<&'s Snapshot> {
    let mut shows = site.snapshot.network_shows();
    shows.find(|(_, show)| id_of(&show.config.content) == id).map(|(_, show)| show)
}

/// Warns about each feed and page of a show that no longer works, with the line that redirects it.
/// `old` is the former path of the show.
pub(super) fn warnings(root: &Path, site: &Site, old: &str, show: &Snapshot) -> Vec<Diagnostic> {
    if site.snapshot.config.access != Access::Public {
        return Vec::new();
    }
    let new = path_of(show);
    let both = addresses(show).into_iter().map(|path| {
        let below = &path[1..];
        [[old, below].concat(), [&*new, below].concat()]
    });
    let lost = both.filter(|[old, _]| site.find(old).is_none());
    let mut found: Vec<Diagnostic> = lost
        .map(|[old, new]| {
            let moved = Redirect { from: old.clone(), to: new.clone() };
            let help = match hosting::is_lost_on_programs(&site.snapshot.config, &moved) {
                true => format!("redirect {old} to {new} in the settings of the host"),
                false => {
                    let file = redirects::file(&ContentFolder::default());
                    format!("keep the old address with this line in {file}: {old:?} = {new:?}")
                }
            };
            let message = format!(
                "the published address {old} no longer works: this show has it at {new} now"
            );
            let warning = Diagnostic::warning(Rule::MovedAddress, message).help(help);
            place_of_path(root, &show.config, warning)
        })
        .collect();
    if !found.is_empty() {
        found.extend(changed_guid(root, site, old, show));
    }
    found
}

/// Returns the paths of the feeds, the home page and the pages of a show. Feeds come first, because
/// readers have stored them.
fn addresses(show: &Snapshot) -> Vec<String> {
    let rss = show.config.feed.rss.then(|| paths::rss(1));
    let feeds = rss.into_iter().chain([paths::json_feed(1)]);
    let has_events = show.calendars.published().next().is_some();
    let calendars = has_events.then(|| paths::CALENDARS.to_owned());
    let pages = show.pages.iter().filter(|entry| entry.status != Status::Unpublished);
    let pages = pages.map(|entry| paths::page(entry.page.slug.as_str()));
    feeds.chain(calendars).chain([paths::home(1)]).chain(pages).collect()
}

/// Warns about the changed guid of a feed, which derives from the feed's address unless the author wrote
/// it.
fn changed_guid(root: &Path, site: &Site, old: &str, show: &Snapshot) -> Option<Diagnostic> {
    if show.channel.podcast.guid.is_some() || !show.config.feed.rss {
        return None;
    }
    let feed = join_path(&site.snapshot.config.published_url, old) + &paths::rss(1)[1..];
    let guid = guid_of_feed(&feed);
    let message = "the `podcast:guid` of this show has changed with its path";
    let warning = Diagnostic::warning(Rule::ChangedId, message)
        .help(format!("keep the old one below [podcast]: guid = {guid:?}"));
    let file = SitePath::parse(&show.config.content.join("channel.md"))?;
    Some(place_of(root, &file, "podcast", "", warning))
}
