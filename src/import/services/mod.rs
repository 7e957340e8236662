//! Services that are asked while they run, or whose exports are read.
//!
//! Each asks for what its API has and reads it, by the crate `feeds`, into what any feed becomes. A show's own feed says most of
//! it; the API adds what the feed does not: drafts, Pages, what is older than the feed goes back.
//!
//! - A key goes to the site that a person named, and to no other: [`asked`] holds that.
//! - Nothing is written before all is read.

mod asked;
mod castopod;
mod ghost;
mod microfeed;
mod podlove;

use feeds::{Channel, Feed, Item};
use fetch::{Client, Url};

use super::address::{Origin, is_address};
use super::feed;
use super::found::Found;
pub use asked::Key;
use asked::Site;

/// A service that shows and blogs come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Ghost,
    Microfeed,
    Podlove,
    Castopod,
}

/// Reads a file of a service and what belongs beside it, or asks it.
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
            Service::Ghost => ghost::asked(site),
            Service::Microfeed => microfeed::asked(site),
            Service::Podlove => podlove::asked(site),
            Service::Castopod => castopod::asked(site),
        };
    }
    match service {
        Service::Ghost => ghost::exported(source, base_url, client),
        Service::Microfeed => super::parts::read(source, client),
        Service::Podlove => podlove::exported(source, beside, client),
        Service::Castopod => super::parts::read(source, client),
    }
}

/// What was read from a service, as what is found.
fn found(kind: &str, channel: Channel, items: Vec<Item>, base: &Url) -> Found {
    of_feed(Feed { format: kind.to_owned(), channel, items, ..Feed::default() }, kind, base)
}

fn of_feed(mut read: Feed, kind: &str, base: &Url) -> Found {
    // Addresses of the site itself are where its entries were, not what they are about.
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
    // Answers of an API have no lines.
    let entries = found.items.iter_mut().chain(&mut found.pages);
    let places = entries.map(|entry| &mut entry.place);
    for place in places.chain(found.notes.iter_mut().map(|note| &mut note.place)) {
        place.truncate(place.len() - if place.ends_with(":1") { 2 } else { 0 });
    }
    found
}
