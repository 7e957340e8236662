//! Imports from running services through their APIs, and from exports of services.
//!
//! Each importer requests the data that the API of its service provides. The crate `feeds` parses
//! this data into the same types as a feed. The feed of a show contains most of the data. The API
//! adds drafts, pages, and items that are too old for the feed.
//!
//! - A key is sent only to the site that the user entered. [`from_api`] ensures this.
//! - No file is written before all data is read.

mod castopod;
mod from_api;
mod ghost;
mod microfeed;
mod podlove;

use feeds::{Channel, Feed, Item};
use fetch::{Client, Url};

use super::address::{Origin, is_address};
use super::feed;
use super::found::Found;
pub use from_api::Key;
use from_api::Site;

/// A service that shows and blogs can be imported from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Ghost,
    Microfeed,
    Podlove,
    Castopod,
}

/// Imports from a service. The source is the address of a running service, or an export. `beside`
/// is the second file of an export, if there is one.
pub fn read(
    service: Service,
    (source, beside): (&str, Option<&str>),
    key: Option<Key>,
    base_url: Option<&str>,
    client: &Client,
) -> Result<Found, String> {
    if is_address(source) {
        let site = Site::open(source, key, client)?;
        return match service {
            Service::Ghost => ghost::from_api(site),
            Service::Microfeed => microfeed::from_api(site),
            Service::Podlove => podlove::from_api(site),
            Service::Castopod => castopod::from_api(site),
        };
    }
    match service {
        Service::Ghost => ghost::from_export(source, base_url, client),
        Service::Microfeed => super::parts::read(source, client),
        Service::Podlove => podlove::from_export(source, beside, client),
        Service::Castopod => super::parts::read(source, client),
    }
}

/// Converts the channel and items of a service to imported entries.
fn found(kind: &str, channel: Channel, items: Vec<Item>, base: &Url) -> Found {
    of_feed(Feed { format: kind.to_owned(), channel, items, ..Feed::default() }, kind, base)
}

fn of_feed(mut read: Feed, kind: &str, base: &Url) -> Found {
    // Addresses on the service's site are former addresses of entries. If the channel had no link,
    // these addresses would count as links to other sites.
    read.channel.link.get_or_insert_with(|| base.to_string());
    let origin = Origin {
        bytes: Vec::new(),
        charset: None,
        url: Some(base.clone()),
        name: base.to_string(),
    };
    let mut found = feed::found(read, &origin);
    kind.clone_into(&mut found.kind);
    found.base_url = found.base_url.take().or_else(|| Some(base.clone()));
    // Locations in API responses have no line numbers.
    let entries = found.items.iter_mut().chain(&mut found.pages);
    let places = entries.map(|entry| &mut entry.place);
    for place in places.chain(found.notes.iter_mut().map(|note| &mut note.place)) {
        place.truncate(place.len() - if place.ends_with(":1") { 2 } else { 0 });
    }
    found
}
