//! `podcast:alternateEnclosure` for display on pages: versions with another quality or language.

use mustache::{Data, object};

use super::item_facts::ItemFacts;
use super::links::{NamedLink, host};
use super::record_data::RecordObject;
use crate::text;
use model::podcast::{AlternateEnclosure, EnclosureSource};
use model::url;
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
        let item = self.facts.item().language.as_deref();
        let usual = item.or(self.facts.shared.channel.language.as_deref());
        (usual.map(primary) != Some(primary(language))).then(|| native_name(language))
    }

    /// Returns the version's label for visitors.
    fn text(&self) -> String {
        let words = self.facts.shared.words;
        let kind = match self.version.media_type.split('/').next() {
            Some("audio") => words.text("audio"),
            Some("video") => words.text("video"),
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
    "others" => this.others(),
} else RecordObject(this.version));

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
