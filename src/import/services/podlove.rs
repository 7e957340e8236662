//! Podlove Publisher: imports the feed of a show, and adds data missing from the feed through the
//! APIs of Podlove and WordPress.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use feeds::podlove::{
    Contributors, chapters, episode, feeds as feeds_of, files, people, post, transcript,
};
use feeds::{Channel, Item, PodloveExport, StoredData};
use fetch::Client;
use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::super::parts::{self, MAX_PARTS};
use super::super::{address, feed};
use super::from_api::{Refusal, Site};
use super::{Found, found};

const REMEDY: &str = "create an application password in WordPress under Users, Profile, Application Passwords, for a user with permission to \
    edit posts, and set FEEDWRIGHT_IMPORT_KEY to user:password";

/// Number of entries per request.
const PAGE_SIZE: usize = 100;

/// Maximum unpacked size of a Podlove export in bytes. The export does not contain the episodes'
/// show notes, so 1,000 episodes take a few MB.
const MAX_EXPORT: u64 = 64 * 1024 * 1024;

/// Reads a WordPress export, which contains the show notes, and a Podlove export, which contains
/// the other data of episodes.
pub fn from_export(
    source: &str,
    podlove_source: Option<&str>,
    client: &Client,
) -> Result<Found, String> {
    let texts = address::open(source, client)?;
    if export(source, &texts.bytes)?.is_some() {
        return Err(format!(
            "{source} is a Podlove Publisher export, which contains no posts or dates\n  help: export the posts in WordPress under Tools, Export, \
             All content; then pass that file first, and this one second"
        ));
    }
    let Some(podlove_source) = podlove_source else {
        return texts_only(source, client);
    };
    let stored = address::open(podlove_source, client)?;
    let Some(stored) = export(podlove_source, &stored.bytes)? else {
        return Err(format!(
            "{podlove_source} is not a Podlove Publisher export\n  help: export the show under Podlove, Tools, Podcast Export, as .xml.gz or .xml"
        ));
    };
    let mut feed = feeds::read(&texts.bytes, None).map_err(|error| format!("{source}: {error}"))?;
    stored.add_show(&mut feed.channel);
    let episodes = feed.items.iter_mut().filter_map(|item| stored.add_episode(item)).count();
    let mut found = feed::found(feed, &texts);
    if episodes == 0 {
        let message = "the exports of Podlove and WordPress have no episode in common: they are from different sites";
        found.note(message, podlove_source);
    }
    Ok(found)
}

/// Reads a Podlove export, which may be compressed with gzip. Returns `None` if the file is not a
/// Podlove export.
fn export(name: &str, bytes: &[u8]) -> Result<Option<PodloveExport>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(PodloveExport::read(bytes));
    }
    let mut text = Vec::new();
    let unpacked = MultiGzDecoder::new(bytes).take(MAX_EXPORT + 1);
    { unpacked }
        .read_to_end(&mut text)
        .map_err(|error| format!("{name} cannot be unpacked: {error}"))?;
    if text.len() as u64 > MAX_EXPORT {
        return Err(format!(
            "{name} is too large: a Podlove export must be at most 64 MiB unpacked"
        ));
    }
    Ok(PodloveExport::read(&text))
}

/// Reads a WordPress export without a Podlove export.
fn texts_only(source: &str, client: &Client) -> Result<Found, String> {
    let mut found = parts::read(source, client)?;
    let is_bare = |entry: &&super::super::found::Entry| !entry.fields.contains_key("attachment");
    let bare = found.items.iter().filter(is_bare).count();
    if bare > 0 {
        let message = format!(
            "items without a recording: {bare}; the WordPress export has no Podlove data: for recordings, chapters, \
             people and transcripts, import from the show's address, or pass the Podlove export after this file"
        );
        found.note(message, source);
    }
    Ok(found)
}

pub fn from_api(mut site: Site<'_>) -> Result<Found, String> {
    site.authorize(REMEDY)?;
    let show = site.send_checked("wp-json/podlove/v2/podcast").map_err(|refusal| match refusal {
        Refusal::Missing(message) => {
            format!("{message}\n  help: use the address of the home page of a WordPress site with Podlove Publisher 4 or later")
        }
        refusal => refusal.into_message(REMEDY),
    })?;
    if show.get("title").is_none() {
        return Err(format!(
            "{} is not a site with Podlove Publisher: its response contains no show",
            site.base
        ));
    }
    let mut whole = match feeds_of(show).first() {
        Some(feed) => parts::read(feed, site.client)?,
        None => Found::new("Podlove"),
    };
    whole.kind = "Podlove".to_owned();
    let in_feed: HashSet<String> = whole.items.iter().map(|entry| entry.identity.clone()).collect();
    let mut episodes = posts(&site, "episodes")?;
    let items = self::episodes(&site, &mut episodes, &in_feed)?;
    let mut others = posts(&site, "posts")?;
    others.append(&mut posts(&site, "pages")?);
    let items = items.into_iter().chain(others).collect();
    whole.append(found("Podlove", Channel::default(), items, &site.base));
    if site.key.is_none() {
        let message = "drafts were not imported: they require a key";
        whole.note(message, site.base.as_str());
    }
    Ok(whole)
}

/// Returns the episodes missing from the feed, with all their data from Podlove.
fn episodes(
    site: &Site<'_>,
    posts: &mut Vec<Item>,
    in_feed: &HashSet<String>,
) -> Result<Vec<Item>, String> {
    let api = "wp-json/podlove/v2";
    let status = if site.key.is_some() { "all" } else { "publish" };
    let listed = site.send_checked(&format!("{api}/episodes?status={status}"));
    let listed = listed.map_err(|refusal| refusal.into_message(REMEDY))?;
    let listed = listed.get("results").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut by_post: HashMap<String, Item> = std::mem::take(posts)
        .into_iter()
        .filter_map(|item| Some((item.wordpress.as_ref()?.id.clone(), item)))
        .collect();
    let known = Contributors::new(
        site.ask_for(&format!("{api}/contributors?filter=all"))?,
        site.ask_for(&format!("{api}/contributors/roles"))?,
    );
    let mut items = Vec::new();
    for one in &listed {
        let Some(id) = one.get("id").map(|id| id.to_string().trim_matches('"').to_owned()) else {
            continue;
        };
        let Some(about) = site.ask_for(&format!("{api}/episodes/{id}"))? else {
            continue;
        };
        let number = about.get("post_id").map(|id| id.to_string().trim_matches('"').to_owned());
        let post = number.and_then(|number| by_post.remove(&number));
        if about.get("guid").and_then(Value::as_str).is_some_and(|guid| in_feed.contains(guid)) {
            continue;
        }
        // If WordPress does not list the post, its status is unusual, such as trash.
        let mut item = post.unwrap_or_else(|| Item {
            stored: Some(StoredData {
                hidden: Some("is not in WordPress's list of posts".to_owned()),
                ..StoredData::default()
            }),
            ..Item::default()
        });
        let request = |path: String| site.ask_for(&format!("{api}/{path}"));
        let _ =
            request(format!("episodes/{id}/media"))?.and_then(|answer| files(answer, &mut item));
        let _ = request(format!("chapters/{id}"))?.and_then(|answer| chapters(answer, &mut item));
        let answer = request(format!("episodes/{id}/contributions"))?;
        let _ = answer.and_then(|answer| people(answer, &known, &mut item));
        let _ =
            request(format!("transcripts/{id}"))?.and_then(|answer| transcript(answer, &mut item));
        let _ = episode(about, &mut item);
        items.push(item);
    }
    Ok(items)
}

/// Returns all WordPress posts of a type. If there is a key, unpublished posts are included.
fn posts(site: &Site<'_>, kind: &str) -> Result<Vec<Item>, String> {
    let with = match site.key {
        Some(_) => "&context=edit&status=any",
        None => "",
    };
    let (mut items, mut before) = (Vec::new(), None);
    for page in 1..=MAX_PARTS {
        let path = format!("wp-json/wp/v2/{kind}?per_page={PAGE_SIZE}&page={page}&_embed=1{with}");
        let list = match site.send_checked(&path) {
            Ok(Value::Array(list)) => list,
            // Requests for the page after the last one fail.
            Ok(_) | Err(Refusal::Missing(_)) => break,
            Err(refusal) => return Err(refusal.into_message(REMEDY)),
        };
        let count = list.len();
        // A server that ignores `page` returns the same list again.
        let first = list.first().and_then(|post| post.get("id").cloned());
        if first.is_some() && first == before {
            break;
        }
        before = first;
        items.extend(list.into_iter().filter_map(post));
        if count < PAGE_SIZE {
            break;
        }
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::read::GzEncoder;

    use super::*;

    #[test]
    fn a_too_large_export_is_refused() {
        let bomb = std::io::repeat(b' ').take(2 * MAX_EXPORT);
        let mut packed = Vec::new();
        GzEncoder::new(bomb, Compression::fast()).read_to_end(&mut packed).unwrap();
        assert!(packed.len() < 2_000_000);
        let Err(refused) = export("export.xml.gz", &packed) else {
            panic!("it was read");
        };
        assert!(refused.contains("64 MiB"), "{refused}");
    }
}
