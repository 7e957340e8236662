//! The addresses to check.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fetch::{Url, is_local_host};
use model::{Access, GeneratedKind, SitePath, is_playlist};
use project::Site;
use render::Document;
use serde_json::Value;

use super::Place;
use super::feed::{self, PublishedFeed};
use super::prober::Prober;
use super::server::without_encryption;

/// Number of newest episodes to check.
const NEWEST: usize = 20;

/// Number of other episodes to check, evenly distributed.
const SAMPLE: usize = 10;

/// An address to check.
pub struct Target {
    pub url: String,
    pub check: Check,
    /// The item that the address belongs to.
    pub source: Option<SitePath>,
}

/// The kind of a check.
pub enum Check {
    Home,
    Asset,
    Recording(Recording),
    /// Chapters or a transcript with this media type.
    Text(String),
    Artwork {
        is_show: bool,
    },
    Certificate,
    /// An address that must redirect to https.
    Unencrypted,
    /// A page that does not exist.
    Missing,
    /// `robots.txt`, and the paths that it must allow.
    Robots(Vec<String>),
    Hub,
}

/// A recording, as the feed describes it.
#[derive(Debug, Default)]
pub struct Recording {
    pub media_type: String,
    pub length: Option<u64>,
    /// Hash of the file, as in Subresource Integrity.
    pub integrity: Option<String>,
    /// Whether the site publishes the recording, whose tags can change.
    pub is_own: bool,
}

impl Target {
    fn new(url: impl Into<String>, check: Check) -> Self {
        Self { url: url.into(), check, source: None }
    }

    /// Returns the host of the address, with the port.
    pub fn host(&self) -> String {
        let url = Url::parse(&self.url).ok();
        url.map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }
}

/// Lists the addresses to check, apart from the feeds.
pub fn targets(
    prober: &Prober,
    site: &Site,
    place: &Place,
    published: &PublishedFeed,
    all: bool,
) -> Vec<Target> {
    let further = if all { feed::further(prober, place, published) } else { Vec::new() };
    let items: Vec<&feeds::Item> = published.items.iter().chain(&further).collect();
    let mut targets = of_items(site, place, &selected(&items, all));
    if let Some(url) = published.channel.image.as_ref().or(published.channel.icon.as_ref()) {
        // Only RSS has artwork in the size that directories require.
        let is_show = published.format.starts_with("RSS");
        targets.push(Target::new(place.published(url), Check::Artwork { is_show }));
    }
    // An address can occur several times, such as a cover that all episodes share.
    let mut seen = BTreeSet::new();
    targets.retain(|target| seen.insert(target.url.clone()));
    let of_site = of_site(site, place, &targets);
    targets.extend(of_hosts(place, &targets));
    targets.extend(of_site);
    targets
}

/// Selects the newest episodes and a sample of the others.
fn selected<'f>(items: &[&'f feeds::Item], all: bool) -> Vec<&'f feeds::Item> {
    let episodes: Vec<_> =
        items.iter().copied().filter(|item| !item.enclosures.is_empty()).collect();
    if all || episodes.len() <= NEWEST + SAMPLE {
        return episodes;
    }
    let (newest, others) = episodes.split_at(NEWEST);
    let step = others.len().div_ceil(SAMPLE);
    newest.iter().chain(others.iter().step_by(step)).copied().collect()
}

/// Lists the recordings, chapters, transcripts and pictures of episodes.
fn of_items(site: &Site, place: &Place, items: &[&feeds::Item]) -> Vec<Target> {
    let entries = site.snapshot.published.iter();
    let sources: HashMap<&str, &SitePath> = entries
        .map(|entry| {
            let item = &entry.item;
            (item.guid.as_deref().unwrap_or(item.id.as_str()), &item.source)
        })
        .collect();
    let of_item = |item: &&feeds::Item| {
        let source = item.guid.as_deref().and_then(|guid| sources.get(guid).copied());
        let mut targets = recordings(place, item);
        targets.extend(texts(place, item));
        if let Some(image) = &item.image {
            targets.push(Target::new(place.published(image), Check::Artwork { is_show: false }));
        }
        targets.into_iter().map(move |target| Target { source: source.cloned(), ..target })
    };
    items.iter().flat_map(of_item).collect()
}

/// Lists the enclosures and alternate enclosures of an episode.
fn recordings(place: &Place, item: &feeds::Item) -> Vec<Target> {
    let mut found: BTreeMap<String, Recording> = BTreeMap::new();
    for file in item.enclosures.iter().filter(|file| file.category.is_none()) {
        let media_type = file.media_type.clone().unwrap_or_default();
        // A length of 0 means an unknown length.
        let length = file.length.filter(|length| *length > 0);
        let recording = Recording { media_type, length, ..Recording::default() };
        found.insert(place.published(&file.url), recording);
    }
    let alternates = item.podcast.get("alternateEnclosures").and_then(Value::as_array);
    for alternate in alternates.into_iter().flatten() {
        let text = |key: &str| alternate.get(key).and_then(Value::as_str).map(str::to_owned);
        let integrity = alternate.get("integrity").filter(|one| one["type"] == "sri");
        let integrity = integrity.and_then(|one| one["value"].as_str()).map(str::to_owned);
        for uri in uris(alternate) {
            let recording = found.entry(place.published(&uri)).or_insert_with(|| Recording {
                media_type: text("type").unwrap_or_default(),
                length: alternate.get("length").and_then(Value::as_u64).filter(|one| *one > 0),
                ..Recording::default()
            });
            recording.integrity = integrity.clone();
        }
    }
    // The length of a playlist is the length of the files that it lists.
    for recording in found.values_mut().filter(|one| is_playlist(&one.media_type)) {
        recording.length = None;
    }
    let web = found.into_iter().filter(|(url, _)| url.starts_with("http"));
    let target = |(url, recording): (String, Recording)| {
        let is_own = url.starts_with(place.url.as_str());
        Target::new(url, Check::Recording(Recording { is_own, ..recording }))
    };
    web.map(target).collect()
}

/// Returns the addresses of an alternate enclosure that are not torrents or similar files.
fn uris(alternate: &Value) -> Vec<String> {
    let sources = alternate.get("sources").and_then(Value::as_array).into_iter().flatten();
    let plain = sources.filter(|source| source.get("contentType").is_none());
    plain
        .filter_map(|source| source.get("uri").unwrap_or(source).as_str())
        .map(str::to_owned)
        .collect()
}

/// Lists the chapters and transcripts of an episode.
fn texts(place: &Place, item: &feeds::Item) -> Vec<Target> {
    let listed = ["transcripts", "chapters"].into_iter().filter_map(|key| item.podcast.get(key));
    let each = listed.flat_map(|value| match value {
        Value::Array(list) => list.iter().collect(),
        one => vec![one],
    });
    let target = |value: &Value| {
        let url = value.get("url").unwrap_or(value).as_str()?;
        let media_type = value.get("type").and_then(Value::as_str);
        let media_type = media_type.unwrap_or("application/json+chapters").to_owned();
        Some(Target::new(place.published(url), Check::Text(media_type)))
    };
    each.filter_map(target).collect()
}

/// Lists the addresses of the site itself.
fn of_site(site: &Site, place: &Place, targets: &[Target]) -> Vec<Target> {
    let config = &site.snapshot.config;
    let mut found: Vec<Target> =
        config.hubs.iter().map(|hub| Target::new(hub.as_str(), Check::Hub)).collect();
    let own = targets.iter().filter_map(|target| Url::parse(&target.url).ok());
    let mut paths: Vec<String> =
        own.filter(|url| place.is_own(url)).map(|url| url.path().to_owned()).collect();
    paths.extend(feed::feeds_of(site).into_iter().flatten().map(|feed| {
        let url = Url::parse(&place.at(&feed.path(site)));
        url.map(|url| url.path().to_owned()).unwrap_or_default()
    }));
    if let Ok(url) = place.url.join(&format!("/{}", GeneratedKind::Robots.filename())) {
        found.push(Target::new(url.as_str(), Check::Robots(paths)));
    }
    if config.access != Access::Public {
        return found;
    }
    let languages = &config.languages;
    let homes = (0..=languages.others.len()).map(|at| languages.mount(at) + "/");
    found.extend(homes.map(|home| Target::new(place.at(&home), Check::Home)));
    found.push(Target::new(place.at("/feedwright-no-such-page/"), Check::Missing));
    // GitHub Pages sends fixed headers.
    let has_fixed_headers = config.hosting.contains(&model::HostingTarget::GithubPages);
    let assets = site.routes().routes.iter();
    let mut assets = assets.filter(|route| matches!(route.document, Document::Asset(_)));
    if let Some(asset) = assets.find(|route| route.path.starts_with("/assets/"))
        && !has_fixed_headers
    {
        found.push(Target::new(place.at(&asset.path), Check::Asset));
    }
    found
}

/// Lists the certificates of all hosts, and the addresses that must not be readable without
/// encryption. Local hosts need no encryption.
fn of_hosts(place: &Place, targets: &[Target]) -> Vec<Target> {
    let urls = targets.iter().filter_map(|target| Url::parse(&target.url).ok());
    let urls = urls.chain([place.url.clone()]);
    let hosts: BTreeMap<_, _> = urls.map(|url| (url.origin().ascii_serialization(), url)).collect();
    let of_host = |(origin, url): (String, Url)| match url.scheme() {
        "https" => {
            let plain = Some(place.url.clone()).filter(|_| place.is_own(&url));
            let plain = plain.as_ref().and_then(without_encryption);
            let plain = plain.map(|plain| Target::new(plain, Check::Unencrypted));
            plain.into_iter().chain([Target::new(origin, Check::Certificate)]).collect::<Vec<_>>()
        }
        _ if is_local_host(&url) => Vec::new(),
        _ => vec![Target::new(url.as_str(), Check::Unencrypted)],
    };
    hosts.into_iter().flat_map(of_host).collect()
}
