//! `transcripts`, `alternateEnclosures`, and the stream of a live item.

use front_matter::{Node, Value};

use super::shapes::{
    address, advise_known, advise_length, count, each, missing, required_address, resolve,
    text_or_table,
};
use crate::model::podcast::{
    AlternateEnclosure, Enclosure, EnclosureSource, Integrity, IntegrityKind, Transcript,
};
use crate::source::fields::Fields;
use crate::source::reference::Reference;

/// What a media type is where nothing tells.
const UNKNOWN: &str = "application/octet-stream";

/// A reference's media type, where its ending or its file tells.
pub fn known_type(reference: &Reference) -> Option<String> {
    Some(reference.media_type()).filter(|found| found != UNKNOWN)
}

/// A media type that has to be known.
fn required_type(
    fields: &Fields<'_, '_>,
    written: Option<String>,
    reference: Option<&Reference>,
    node: &Node,
) -> Option<String> {
    let found = written.or_else(|| reference.and_then(known_type));
    if found.is_none() {
        let help = "the file name does not show the type: add `type`, as in \"text/vtt\" or \"audio/mpeg\"";
        fields.tell_missing_here("type", &node.span, help);
    }
    found
}

/// `transcripts`: paths or URLs, or tables.
pub fn transcripts(fields: &Fields<'_, '_>) -> Vec<Transcript> {
    let reader = fields.reader;
    each(
        fields,
        &["transcripts", "transcript"],
        |key, node| match &node.value {
            Value::Table(table) => fields.within(key, table, |entry| {
                let written = entry.text("type", 255);
                let language = entry.text("language", 64);
                let rel = entry.text("rel", 64);
                if let (Some(rel), Some(node)) = (&rel, entry.node("rel")) {
                    advise_known(entry, "rel", node, rel, "the specification", &["captions"]);
                }
                let reference = required_address(entry, "url", &node.span)?;
                Some(Transcript {
                    url: reference.url().to_owned(),
                    media_type: required_type(entry, written, Some(&reference), node)?,
                    language,
                    rel,
                })
            }),
            _ => {
                let reference = resolve(fields, key, node)?;
                let Some(media_type) = known_type(&reference) else {
                    let table = [("url", "…"), ("type", "\"text/vtt\"")];
                    let table = reader.notation().table(&table);
                    reader.error(
                        &node.span,
                        format!(
                            "the media type of {:?} cannot be told from its name",
                            reference.url()
                        ),
                        format!("write a table of `url` and `type`, as in {table}"),
                    );
                    return None;
                };
                Some(Transcript {
                    url: reference.url().to_owned(),
                    media_type,
                    ..Transcript::default()
                })
            }
        },
    )
}

/// `alternateEnclosures`: paths or URLs, or tables.
pub fn alternate_enclosures(fields: &Fields<'_, '_>) -> Vec<AlternateEnclosure> {
    let keys = ["alternateEnclosures", "alternateEnclosure"];
    each(fields, &keys, |key, node| match &node.value {
        Value::Table(table) => fields.within(key, table, |entry| alternate(entry, node)),
        _ => {
            let reference = resolve(fields, key, node)?;
            let media_type = required_type(fields, None, Some(&reference), node)?;
            let source = EnclosureSource {
                uri: reference.url().to_owned(),
                content_type: None,
            };
            let enclosure = AlternateEnclosure {
                media_type,
                sources: vec![source],
                ..AlternateEnclosure::default()
            };
            Some(with_facts(enclosure, Some(&reference)))
        }
    })
}

fn alternate(fields: &Fields<'_, '_>, node: &Node) -> Option<AlternateEnclosure> {
    let mut first = None;
    let sources = each(fields, &["sources", "source"], |key, node| {
        let (reference, content_type) = match &node.value {
            Value::Table(table) => fields.within(key, table, |source| {
                let content_type = source.text("contentType", 255);
                Some((required_address(source, "uri", &node.span)?, content_type))
            })?,
            _ => (resolve(fields, key, node)?, None),
        };
        let uri = reference.url().to_owned();
        // A file of the site tells more than an address: its facts count, wherever it stands.
        if first
            .as_ref()
            .is_none_or(|first: &Reference| first.facts().is_none())
            && content_type.is_none()
        {
            first = Some(match first.take() {
                Some(first) if reference.facts().is_none() => first,
                _ => reference,
            });
        }
        Some(EnclosureSource { uri, content_type })
    });
    if sources.is_empty() && fields.node("sources").or(fields.node("source")).is_none() {
        missing(fields, "sources", &node.span);
    }
    let written = fields.text("type", 255);
    let enclosure = AlternateEnclosure {
        media_type: String::new(),
        length: count(fields, "length"),
        bitrate: fields.number("bitrate"),
        height: count(fields, "height"),
        lang: fields.text("lang", 64),
        title: advise_length(fields, "title", 32),
        rel: advise_length(fields, "rel", 32),
        codecs: fields.text("codecs", 255),
        default: fields.bool("default"),
        integrity: fields
            .table("integrity", |value| integrity(value, node))
            .flatten(),
        sources,
    };
    if enclosure.sources.is_empty() {
        return None;
    }
    let media_type = required_type(fields, written, first.as_ref(), node)?;
    Some(with_facts(
        AlternateEnclosure {
            media_type,
            ..enclosure
        },
        first.as_ref(),
    ))
}

/// Fills in what a local file tells and the author did not.
#[allow(clippy::cast_precision_loss)]
fn with_facts(
    mut enclosure: AlternateEnclosure,
    reference: Option<&Reference>,
) -> AlternateEnclosure {
    let Some(facts) = reference.and_then(Reference::facts) else {
        return enclosure;
    };
    let length = *enclosure.length.get_or_insert(facts.bytes);
    let duration = facts.duration.filter(|seconds| *seconds > 0.0);
    let computed = duration.map(|seconds| (length as f64 * 8.0 / seconds).round());
    enclosure.bitrate = enclosure.bitrate.or(computed);
    if enclosure.media_type.starts_with("video/") {
        let height = facts.dimensions.map(|(_, height)| u64::from(height));
        enclosure.height = enclosure.height.or(height);
    }
    enclosure
}

fn integrity(fields: &Fields<'_, '_>, place: &Node) -> Option<Integrity> {
    let value = fields.required_text("value", 100_000, &place.span);
    let written = fields.choice("type", &IntegrityKind::NAMES, IntegrityKind::parse);
    let value = value?;
    let kind = written.unwrap_or(IntegrityKind::Sri);
    if kind == IntegrityKind::Sri && !is_sri(&value) {
        let span = fields.node("value").map_or(&place.span, |node| &node.span);
        fields.reader.error(
            span,
            format!(
                "`{}` is no integrity string: {value:?}",
                fields.name("value")
            ),
            "write sha256-, sha384- or sha512- and the hash in base64 (W3C Subresource Integrity)",
        );
        return None;
    }
    Some(Integrity { kind, value })
}

/// Hashes of Subresource Integrity apart by spaces, each of the length its algorithm gives.
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
            && digits
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
    };
    !text.trim().is_empty() && text.split_whitespace().all(is_hash)
}

/// A live item's `enclosure`: a URL, or a table of `url`, `type` and `length`.
pub fn enclosure(fields: &Fields<'_, '_>) -> Option<Enclosure> {
    let found = each(fields, &["enclosure", "attachment"], |key, node| {
        let alone = |_| {
            let reference = resolve(fields, key, node)?;
            let media_type = required_type(fields, None, Some(&reference), node)?;
            Some(stream(&reference, media_type, None))
        };
        text_or_table(fields, key, node, alone, |entry| {
            let written = entry.text("type", 255);
            let length = count(entry, "length");
            let Some(reference) = address(entry, "url") else {
                missing(entry, "url", &node.span);
                return None;
            };
            let media_type = required_type(entry, written, Some(&reference), node)?;
            Some(stream(&reference, media_type, length))
        })
    });
    found.into_iter().next()
}

fn stream(reference: &Reference, media_type: String, length: Option<u64>) -> Enclosure {
    let bytes = reference.facts().map(|facts| facts.bytes);
    Enclosure {
        url: reference.url().to_owned(),
        media_type,
        length: length.or(bytes).unwrap_or_default(),
    }
}
