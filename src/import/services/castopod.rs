//! Castopod: imports the feed of a show, and adds episodes missing from the feed through the API.

use std::collections::HashSet;

use feeds::castopod::{Show, episode, show};
use serde_json::Value;

use super::super::parts::{self, MAX_PARTS};
use super::from_api::{Refusal, Site};
use super::{Found, found};

const REMEDY: &str = "set FEEDWRIGHT_IMPORT_KEY to user:password, with `restapi.basicAuthUsername` and \
    `restapi.basicAuthPassword` from `.env` on the server";

/// Number of episodes per request.
const PAGE_SIZE: usize = 100;

/// Imports a show from its own address, such as `https://cast.example/@walks`, or from the address
/// of a site that has only one show.
pub fn from_api(mut site: Site<'_>) -> Result<Found, String> {
    let path = site.base.path().to_owned();
    let handle = path.split_once("/@").map(|(root, rest)| {
        site.base.set_path(&format!("{root}/"));
        rest.split('/').next().unwrap_or_default().to_owned()
    });
    site.authorize(REMEDY)?;
    let shows = match site.send_checked("api/rest/v1/podcasts") {
        Ok(answer) => Some(answer),
        Err(Refusal::Missing(_)) => None,
        Err(Refusal::Key(_)) if site.key.is_none() => None,
        Err(refusal) => return Err(refusal.into_message(REMEDY)),
    };
    let Some(Value::Array(shows)) = shows else {
        return public(&site, handle.as_deref());
    };
    let shows: Vec<Show> = shows.into_iter().filter_map(show).collect();
    let show = select_show(shows, handle.as_deref(), &site)?;
    let feed = feed_of(&site, &show.handle, show.feed_url.as_deref())?;
    let mut whole = parts::read(&feed, site.client)?;
    // The last segment of an episode's address is the same in the feed and in the API.
    let ended = |entry: &super::super::found::Entry| entry.segment.clone();
    let published: HashSet<String> = whole.items.iter().filter_map(ended).collect();
    let mut episodes = Vec::new();
    let mut seen = HashSet::new();
    for part in 0..MAX_PARTS {
        let offset = part * PAGE_SIZE;
        let path = format!(
            "api/rest/v1/episodes?podcastIds={}&order=newest&limit={PAGE_SIZE}&offset={offset}",
            show.id
        );
        let Value::Array(list) =
            site.send_checked(&path).map_err(|refusal| refusal.into_message(REMEDY))?
        else {
            break;
        };
        let known = seen.len();
        for (of, item) in list.into_iter().filter_map(episode) {
            let is_new = seen.insert(item.guid.clone());
            let segment = item.stored.as_ref().and_then(|stored| stored.segment.clone());
            let is_published = segment.is_some_and(|segment| published.contains(&segment));
            if is_new && of == show.id && !is_published {
                episodes.push(item);
            }
        }
        if seen.len() - known < PAGE_SIZE {
            break;
        }
    }
    let without = episodes.iter().filter(|item| item.enclosures.is_empty()).count();
    whole.append(found("Castopod", feeds::Channel::default(), episodes, &site.base));
    whole.kind = "Castopod".to_owned();
    if without > 0 {
        let message = format!(
            "drafts imported without a recording, because the API does not return it: {without}"
        );
        whole.note(message, site.base.as_str());
    }
    Ok(with_unpublished(whole, &site))
}

fn with_unpublished(mut whole: Found, site: &Site<'_>) -> Found {
    let message = "the site's pages, fediverse posts, comments and followers were not imported";
    whole.note(message, site.base.as_str());
    whole
}

/// Returns the show with this handle, or the only show.
fn select_show(shows: Vec<Show>, handle: Option<&str>, site: &Site<'_>) -> Result<Show, String> {
    let named = |show: &Show| format!("{}@{} ({})", site.base, show.handle, show.title);
    let all: Vec<String> = shows.iter().map(named).collect();
    let mut shows =
        shows.into_iter().filter(|show| handle.is_none_or(|handle| handle == show.handle));
    match (shows.next(), shows.next()) {
        (Some(show), None) => Ok(show),
        _ => Err(format!("{} has these shows; import one of them: {}", site.base, all.join(", "))),
    }
}

/// Returns the address of a show's feed. Feeds are public, so they are requested without the key.
fn feed_of(site: &Site<'_>, handle: &str, named: Option<&str>) -> Result<String, String> {
    let own = site.base.join(&format!("@{handle}/feed.xml"));
    let own = own.map_err(|error| error.to_string())?.to_string();
    Ok(named.map_or(own, str::to_owned))
}

/// Imports the public feed of a show when the API is not available.
fn public(site: &Site<'_>, handle: Option<&str>) -> Result<Found, String> {
    let Some(handle) = handle else {
        return Err(format!(
            "the API of {} is not available\n  help: specify the show, as in {0}@walks, or enable the API with `restapi.enabled=true` in `.env`",
            site.base
        ));
    };
    let mut whole = parts::read(&feed_of(site, handle, None)?, site.client)?;
    let message = "unpublished episodes were not imported: the API is disabled, or requires a user and password";
    whole.note(message, site.base.as_str());
    Ok(with_unpublished(whole, site))
}
