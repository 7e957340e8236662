//! Creates the search result for a document, after checking the clauses that the index alone does
//! not decide.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Found, Matches, Published, Reader};
use crate::highlight::Marker;
use crate::query::Clause;
use crate::static_index::Damaged;
use crate::static_index::addresses::{expand_path, expand_text_path};
use crate::static_index::entry::{
    Kind, Listing, PassageStarts, TranscriptFormat, TranscriptListing,
};
use crate::static_index::files::names;

impl<P: Published> Reader<P> {
    /// Returns the search result for a document, or `None` if its text shows that a clause does not
    /// match.
    pub(super) fn hit(
        &self,
        document: u32,
        matches: &[Matches],
        undecided: &[Clause],
    ) -> Result<Option<Found>, Damaged> {
        let (listing, passage_starts) = self.listing(document)?;
        let first = self.first_passages[document as usize];
        let of_document = first..self.first_passages[document as usize + 1];
        let mut passages: BTreeMap<u32, usize> = BTreeMap::new();
        for one in matches {
            for (passage, _) in one.passages.range(of_document.clone()) {
                *passages.entry(*passage).or_default() += 1;
            }
        }
        if !undecided.is_empty() {
            let marker = Marker::new(undecided, &[]);
            let mut shown = marker.clauses(&listing.title);
            let text = self.published.text(&listing).unwrap_or_default();
            shown |= marker.clauses(&text);
            for passage in passages.keys() {
                let spoken_text =
                    self.spoken_text(&listing, &passage_starts, (*passage - first) as usize);
                shown |= marker.clauses(&spoken_text);
            }
            if shown != marker.all_clauses() {
                return Ok(None);
            }
        }
        let mut best: Vec<(usize, u32)> =
            passages.into_iter().map(|(passage, count)| (count, passage)).collect();
        best.sort_by_key(|(count, passage)| (std::cmp::Reverse(*count), *passage));
        best.truncate(3);
        let starts: Vec<Option<u32>> =
            passage_starts.iter().flat_map(starts).map(|(second, _)| second).collect();
        let passages = best
            .iter()
            .map(|(_, passage)| starts.get((passage - first) as usize).copied().flatten());
        Ok(Some(Found { passages: passages.collect(), listing }))
    }

    /// Returns the text that was spoken in a passage of a document and in the next passage.
    fn spoken_text(
        &self,
        listing: &Listing,
        passage_starts: &[PassageStarts],
        mut passage: usize,
    ) -> String {
        for (transcript, passage_starts) in listing.transcripts.iter().zip(passage_starts) {
            let bytes: Vec<usize> = starts(passage_starts).map(|(_, byte)| byte).collect();
            if passage < bytes.len() {
                let end = bytes.get(passage + 2).copied().unwrap_or(usize::MAX);
                let spoken_text = self.published.spoken_text(transcript, bytes[passage]..end);
                return spoken_text.unwrap_or_default();
            }
            passage -= bytes.len();
        }
        String::new()
    }

    fn listing(&self, document: u32) -> Result<(Listing, Vec<PassageStarts>), Damaged> {
        let per = self.entry.per_listing;
        let name = names(&self.entry.listings).nth(document as usize / per).ok_or(Damaged)?;
        let shard = self.shard(name)?;
        let all: Vec<Value> = serde_json::from_slice(&shard).map_err(|_| Damaged)?;
        let fields = all.get(document as usize % per).and_then(Value::as_array).ok_or(Damaged)?;
        let text = |at: usize| Some(fields.get(at)?.as_str()?.to_owned());
        let kinds = [
            Kind::Post,
            Kind::Page,
            Kind::Audio,
            Kind::Video,
            Kind::Picture,
            Kind::Document,
            Kind::Link,
        ];
        let kind = fields.get(2).and_then(Value::as_u64).ok_or(Damaged)?;
        let title = text(0).ok_or(Damaged)?;
        let path = expand_path(&text(1).ok_or(Damaged)?, &title);
        let mut listing = Listing {
            text: fields.get(4).and_then(|text| expand_text_path(text, &path)),
            title,
            path,
            kind: kinds.get(kind as usize).copied().ok_or(Damaged)?,
            date: text(3),
            to: text(5),
            transcripts: Vec::new(),
        };
        let mut passage_starts = Vec::new();
        for transcript in fields.get(6).and_then(Value::as_array).into_iter().flatten() {
            let (one, numbers) = transcript_of(transcript).ok_or(Damaged)?;
            listing.transcripts.push(one);
            passage_starts.push(numbers);
        }
        Ok((listing, passage_starts))
    }
}

fn transcript_of(fields: &Value) -> Option<(TranscriptListing, PassageStarts)> {
    let formats = [
        TranscriptFormat::Vtt,
        TranscriptFormat::Srt,
        TranscriptFormat::Json,
        TranscriptFormat::Html,
        TranscriptFormat::Text,
    ];
    let numbers = fields.get(2)?.as_array()?.iter().map(Value::as_i64);
    let listing = TranscriptListing {
        address: fields.get(0)?.as_str()?.to_owned(),
        format: *formats.get(fields.get(1)?.as_u64()? as usize)?,
    };
    Some((listing, PassageStarts(numbers.collect::<Option<_>>()?)))
}

/// Returns the start of each passage: the time in seconds, if known, and the byte offset.
fn starts(passage_starts: &PassageStarts) -> impl Iterator<Item = (Option<u32>, usize)> {
    let (mut second, mut byte) = (0i64, 0i64);
    passage_starts.0.chunks_exact(2).map(move |pair| {
        second = second.saturating_add(pair[0].max(0));
        byte = byte.saturating_add(pair[1]);
        let known = (pair[0] >= 0).then(|| u32::try_from(second).unwrap_or(u32::MAX));
        (known, usize::try_from(byte).unwrap_or(0))
    })
}
