//! Rules for transcripts, alternate enclosures, trailers and streams.

use front_matter::Value;
use media_facts::MediaFacts;

use crate::fields::Fields;
use crate::records::{Found, Rules, WithReference, nodes, record, with_reference};
use crate::reference::Reference;
use crate::shapes::{missing, resolve};
use model::field_type::ReadValue;
use model::is_playlist;
use model::podcast::{
    AlternateEnclosure, Enclosure, EnclosureSource, Integrity, IntegrityKind, Trailer, Transcript,
};

/// The media type of files whose type is unknown.
const UNKNOWN: &str = "application/octet-stream";

/// Returns the media type of a reference. Returns `None` if neither the file extension nor the file
/// determines the type.
pub fn known_type(reference: &Reference) -> Option<String> {
    Some(reference.media_type()).filter(|found| found != UNKNOWN)
}

/// Returns the media type that the author wrote, or else the type of the file. Reports an error if
/// there is neither.
fn required_type(found: &Found<'_, '_, '_>, example: &str, written: String) -> Option<String> {
    let reference = found.reference.as_ref();
    let known = Some(written).filter(|written| !written.is_empty());
    let known = known.or_else(|| reference.and_then(known_type));
    if known.is_none() && found.is_alone {
        let address = reference.map_or("", Reference::url);
        let example = format!("{example:?}");
        let table = [("url", "…"), ("type", &example)];
        let table = found.fields.reader.notation().table(&table);
        found.fields.reader.error(
            &found.node.span,
            format!("the media type of {address:?} is unknown"),
            format!("write a table of `url` and `type`, as in {table}"),
        );
    } else if known.is_none() {
        let help = "add `type`, such as \"text/vtt\" or \"audio/mpeg\": the file name does not indicate the media type";
        found.fields.missing("type", &found.node.span, help);
    }
    known
}

impl Rules for Transcript {
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        self.media_type = required_type(found, "text/vtt", self.media_type)?;
        Some(self)
    }
}

impl Rules for Enclosure {
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let reference = found.reference.as_ref();
        self.media_type = required_type(found, "audio/mpeg", self.media_type)?;
        let facts = reference.and_then(Reference::facts);
        if let Some(facts) =
            facts.filter(|_| found.is_alone || found.fields.node("length").is_none())
        {
            self.length = facts.bytes;
        }
        Some(self)
    }
}

impl Rules for Trailer {
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let reference = found.reference.as_ref()?;
        self.length = self.length.or(reference.facts().map(|facts| facts.bytes));
        self.media_type = self.media_type.or_else(|| known_type(reference));
        Some(self)
    }
}

impl Rules for EnclosureSource {}

/// Reads `alternateEnclosures`: paths, URLs or tables.
pub fn alternate_enclosures(fields: &Fields<'_, '_>) -> Vec<AlternateEnclosure> {
    let nodes = nodes(fields, "alternateEnclosures");
    let versions = nodes.filter_map(|(key, node)| match &node.value {
        Value::Table(_) => record(fields, key, node),
        // The value is the address of the only source.
        _ => {
            let reference = resolve(fields, key, node)?;
            let source = EnclosureSource { uri: reference.url().to_owned(), content_type: None };
            let version =
                AlternateEnclosure { sources: vec![source], ..AlternateEnclosure::default() };
            let found = Found { fields, node, reference: Some(reference), is_alone: false };
            with_facts(version, &found)
        }
    });
    versions.collect()
}

impl Rules for AlternateEnclosure {
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let Found { fields, node, .. } = *found;
        if key == "integrity" {
            let integrity: Integrity = record(fields, key, fields.node(key)?)?;
            return Some(ReadValue::Made(Box::new(vec![integrity])));
        }
        let sources = nodes(fields, "sources");
        let sources = sources.filter_map(|(key, node)| with_reference(fields, key, node));
        let sources: Vec<WithReference<EnclosureSource>> = sources.collect();
        if sources.is_empty() && fields.node("sources").or(fields.node("source")).is_none() {
            missing(fields, "sources", &node.span);
        }
        // More facts are known about a file of the site than about a URL, so the first file of the
        // site is used, even if a URL precedes it in the list.
        let same = sources.iter().filter(|(source, _)| source.content_type.is_none());
        let mut references = same.filter_map(|(_, reference)| reference.as_ref());
        let file = references.clone().find(|reference| reference.facts().is_some());
        found.reference = file.or_else(|| references.next()).cloned();
        let sources: Vec<EnclosureSource> = sources.into_iter().map(|(source, _)| source).collect();
        Some(ReadValue::Made(Box::new(sources)))
    }

    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        if self.sources.is_empty() {
            return None;
        }
        with_facts(self, found)
    }
}

/// Fills in missing values from a local file.
fn with_facts(
    mut version: AlternateEnclosure,
    found: &Found<'_, '_, '_>,
) -> Option<AlternateEnclosure> {
    version.media_type = required_type(found, "audio/mpeg", version.media_type)?;
    if let Some((reference, facts)) =
        found.reference.as_ref().and_then(|one| Some((one, one.facts()?)))
    {
        fill(&mut version, facts);
        if version.integrity.is_none() {
            version.integrity = found.fields.reader.integrity(reference).map(sri);
        }
    }
    Some(version)
}

/// Returns the version that a file of the site is.
pub fn version_of(url: String, facts: &MediaFacts) -> AlternateEnclosure {
    let mut version = AlternateEnclosure {
        media_type: facts.media_type.clone(),
        sources: vec![EnclosureSource { uri: url, content_type: None }],
        integrity: facts.integrity.clone().map(sri),
        ..AlternateEnclosure::default()
    };
    fill(&mut version, facts);
    version
}

fn sri(value: String) -> Integrity {
    Integrity { kind: IntegrityKind::Sri, value }
}

/// Fills in missing values from facts about the file. A playlist has the length 0, as in the
/// examples of the podcast namespace.
#[allow(clippy::cast_precision_loss)]
fn fill(version: &mut AlternateEnclosure, facts: &MediaFacts) {
    let is_playlist = is_playlist(&version.media_type);
    let length = *version.length.get_or_insert(if is_playlist { 0 } else { facts.bytes });
    let duration = facts.duration.filter(|seconds| *seconds > 0.0 && length > 0);
    let computed = duration.map(|seconds| (length as f64 * 8.0 / seconds).round());
    version.bitrate = version.bitrate.or(computed);
    if is_playlist || version.media_type.starts_with("video/") {
        let height = facts.dimensions.map(|(_, height)| u64::from(height));
        version.height = version.height.or(height);
    }
    version.codecs = version.codecs.take().or_else(|| facts.codecs.clone());
}

impl Rules for Integrity {
    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let Found { fields, node, .. } = found;
        if self.kind == IntegrityKind::Sri && !is_sri(&self.value) {
            let span = fields.node("value").map_or(&node.span, |node| &node.span);
            fields.reader.error(
                span,
                format!("`{}` is not an integrity string: {:?}", fields.name("value"), self.value),
                "write sha256-, sha384- or sha512- and the hash in base64 (W3C Subresource Integrity)",
            );
            return None;
        }
        Some(self)
    }
}

/// Returns whether a string consists of Subresource Integrity hashes, separated by spaces. Each
/// hash must have the length that its algorithm produces.
fn is_sri(text: &str) -> bool {
    let is_hash = |word: &str| {
        let hash = word.split('?').next().unwrap_or_default();
        let length = match hash.split_once('-') {
            Some(("sha256", _)) => 44,
            Some(("sha384", _)) => 64,
            Some(("sha512", _)) => 88,
            _ => return false,
        };
        let base64 = hash.split_once('-').map_or("", |(_, base64)| base64);
        let digits = base64.trim_end_matches('=');
        base64.len() == length
            && digits.len() + 2 >= length
            && digits.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
    };
    !text.trim().is_empty() && text.split_whitespace().all(is_hash)
}
