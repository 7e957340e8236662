//! Imports from running services through their APIs, or from their exports.
//!
//! Each importer requests the data that the API of its service has. The crate `feeds` parses the
//! data into the same types as any feed. A show's feed has most of the data. The API adds drafts,
//! pages, and items older than the feed.
//!
//! - A key is sent only to the site that the user named: [`from_api`] ensures that.
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

/// A service from which shows and blogs are imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Ghost,
    Microfeed,
    Podlove,
    Castopod,
}

/// Reads an export of a service, with its second file `beside` if there is one, or requests the
/// data from the service.
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

/// Converts the channel and items of a service to the data of an import.
fn found(kind: &str, channel: Channel, items: Vec<Item>, base: &Url) -> Found {
    of_feed(Feed { format: kind.to_owned(), channel, items, ..Feed::default() }, kind, base)
}

fn of_feed(mut read: Feed, kind: &str, base: &Url) -> Found {
    // Addresses on the site are former addresses of its entries, not links that the entries are
    // about.
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
    // Answers of an API have no line numbers.
    let entries = found.items.iter_mut().chain(&mut found.pages);
    let places = entries.map(|entry| &mut entry.place);
    for place in places.chain(found.notes.iter_mut().map(|note| &mut note.place)) {
        place.truncate(place.len() - if place.ends_with(":1") { 2 } else { 0 });
    }
    found
}
