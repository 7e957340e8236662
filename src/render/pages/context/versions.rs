//! `podcast:alternateEnclosure` for display on pages: versions with another quality or language.

use std::iter;

use mustache::{Data, object};

use super::item_facts::ItemFacts;
use super::links::{NamedLink, host};
use super::record_data::RecordObject;
use crate::text;
use model::podcast::{AlternateEnclosure, EnclosureSource};
use model::{Category, is_playlist, url};
use words::native_name;

/// Another version of an item's file.
pub struct VersionData<'a> {
    pub version: &'a AlternateEnclosure,
    pub facts: ItemFacts<'a>,
}

impl<'a> VersionData<'a> {
    /// Returns the source that a browser can fetch.
    fn source(&self) -> Option<&'a EnclosureSource> {
        self.version.sources.iter().find(|source| is_fetched(source))
    }

    /// Returns the quality: `720p`, `64 kbit/s`.
    fn quality(&self) -> Option<String> {
        let words = self.facts.shared.words;
        let height = self.version.height.filter(|height| *height > 0);
        if let Some(height) = height {
            return Some(format!("{}p", words.localize_digits(&height.to_string())));
        }
        let bits = self.version.bitrate.filter(|bits| *bits >= 500.0)?;
        let kilobits = format!("{:.0}", bits / 1000.0);
        Some(format!("{} kbit/s", words.ungrouped(&kilobits)))
    }

    /// Returns the language's own name, if it differs from the item's language.
    fn language(&self) -> Option<&'a str> {
        let language = self.version.lang.as_deref()?;
        let usual = usual_language(self.facts);
        (usual.map(primary) != Some(primary(language))).then(|| native_name(language))
    }

    /// Returns the version's label for visitors.
    fn text(&self) -> String {
        let words = self.facts.shared.words;
        let kind = match self.version.category() {
            kind @ (Category::Audio | Category::Video) => words.text(kind.as_str()),
            _ => "",
        };
        let name = self.version.title.as_deref().unwrap_or(kind);
        let quality = self.quality().filter(|quality| !name.contains(quality));
        let language = self.language().filter(|language| !name.contains(language));
        let parts = [Some(name), quality.as_deref(), language];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        parts.join(" · ")
    }

    fn type_text(&self) -> String {
        let place = self.source().map_or("", |source| source.uri.as_str());
        text::type_text(&self.version.media_type, url::split_suffix(place).0)
    }

    /// Returns links to the other sources, named after the protocol or the host: `BitTorrent`,
    /// `IPFS`, `example.com`.
    fn others(&self) -> Data<'a> {
        let first = self.source();
        let others = self.version.sources.iter();
        let others =
            others.filter(|source| !first.is_some_and(|first| std::ptr::eq(first, *source)));
        others
            .map(|source| {
                let (name, url) = (protocol_name(source), source.uri.clone());
                NamedLink { name, url }.data()
            })
            .collect()
    }
}

object!(impl VersionData<'a>, |this| {
    "url" => this.source().map(|source| source.uri.as_str()),
    "text" => this.text(),
    "lang" => this.version.lang.as_deref(),
    "quality_text" => this.quality(),
    "language_text" => this.language(),
    "type_text" => this.type_text(),
    "size_text" => {
        let bytes = this.version.length.filter(|bytes| *bytes > 0);
        bytes.map(|bytes| this.facts.shared.words.size(bytes))
    },
    "is_playlist" => is_playlist(&this.version.media_type),
    "others" => this.others(),
} else RecordObject(this.version));

/// A file that a player offers: the item's own, or a version of it.
struct PlayableSource<'a> {
    url: &'a str,
    media_type: &'a str,
    codecs: Option<&'a str>,
    is_video: bool,
    text: String,
    language: Option<&'a str>,
}

object!(impl PlayableSource<'a>, |this| {
    "url" => this.url,
    "type" => this.content_type(),
    "is_video" => this.is_video,
    "text" => this.text.clone(),
});

impl PlayableSource<'_> {
    /// Returns the media type with its codecs. Returns None for types that browsers reject by name,
    /// although they can play many of these files.
    fn content_type(&self) -> Option<String> {
        if matches!(self.media_type, "video/quicktime" | "video/x-matroska") {
            return None;
        }
        let codecs = self.codecs.map(|codecs| format!("; codecs=\"{codecs}\""));
        Some([self.media_type, codecs.as_deref().unwrap_or_default()].concat())
    }
}

/// Returns the item's recording and the versions that a browser may play, in the order in which
/// browsers should try them: first the recording, then versions of its kind, and of these first
/// the versions in its language. Returns None if the recording has no such version.
pub fn playable_sources(facts: ItemFacts<'_>) -> Option<Data<'_>> {
    let versions = &facts.item().podcast.alternate_enclosures;
    let own = facts.attachment().filter(|_| !versions.is_empty())?;
    if !matches!(own.category, Category::Audio | Category::Video) {
        return None;
    }
    let versions = versions.iter().map(|version| VersionData { version, facts });
    let mut others: Vec<PlayableSource<'_>> =
        versions.filter_map(playable).filter(|other| other.url != own.url).collect();
    if others.is_empty() {
        return None;
    }
    let is_video = own.category == Category::Video;
    others.sort_by_key(|other| (other.is_video != is_video, other.language.is_some()));
    // If versions have other languages, the label of the recording shows its language too.
    let languages = others.iter().any(|other| other.language.is_some());
    let language = usual_language(facts).filter(|_| languages).map(native_name);
    let kind = facts.shared.words.text(own.category.as_str());
    let own = PlayableSource {
        url: &own.url,
        media_type: &own.mime_type,
        codecs: None,
        is_video,
        text: iter::once(kind).chain(language).collect::<Vec<_>>().join(" · "),
        language: None,
    };
    let mut all: Vec<PlayableSource<'_>> = iter::once(own).chain(others).collect();
    for at in 1..all.len() {
        let (before, rest) = all.split_at_mut(at);
        if before.iter().any(|one| one.text == rest[0].text) {
            let name = text::type_text(rest[0].media_type, url::split_suffix(rest[0].url).0);
            rest[0].text = [rest[0].text.as_str(), &name].join(" · ");
        }
    }
    Some(all.into_iter().map(Data::object).collect())
}

fn playable(version: VersionData<'_>) -> Option<PlayableSource<'_>> {
    let source = version.source().filter(|source| source.content_type.is_none())?;
    let category = version.version.category();
    matches!(category, Category::Audio | Category::Video).then(|| PlayableSource {
        url: &source.uri,
        media_type: &version.version.media_type,
        codecs: version.version.codecs.as_deref(),
        is_video: category == Category::Video,
        text: version.text(),
        language: version.language(),
    })
}

/// Returns the language of an item's recording.
fn usual_language(facts: ItemFacts<'_>) -> Option<&str> {
    facts.item().language.as_deref().or(facts.shared.channel.language.as_deref())
}

fn is_fetched(source: &EnclosureSource) -> bool {
    let is_web = matches!(url::scheme(&source.uri), None | Some("http" | "https"));
    is_web && protocol_name(source) != TORRENT
}

const TORRENT: &str = "BitTorrent";

/// Returns the name of a source's protocol. For HTTP, returns the host.
fn protocol_name(source: &EnclosureSource) -> &str {
    let is_torrent = source.content_type.as_deref() == Some("application/x-bittorrent");
    match url::scheme(&source.uri) {
        Some("magnet") => TORRENT,
        _ if is_torrent || source.uri.ends_with(".torrent") => TORRENT,
        Some("ipfs" | "ipns") => "IPFS",
        Some("http" | "https") => host(&source.uri).unwrap_or(&source.uri),
        Some(scheme) => scheme,
        None => &source.uri,
    }
}

fn primary(language: &str) -> String {
    let primary = language.split(['-', '_']).next();
    primary.unwrap_or_default().to_ascii_lowercase()
}
