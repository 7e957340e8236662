//! Clips: passages of a recording with a page. A clip is made from a soundbite.

use std::sync::{Arc, Weak};

use super::ItemEntry;
use super::paths::{self, rounded};
use model::Item;
use model::podcast::Soundbite;

/// Tolerance in seconds for an end after the end of the recording, because durations are rounded.
const ROUNDING: f64 = 2.0;

/// Maximum end of a passage in seconds, which keeps addresses short.
const MAX_END: f64 = 1e7;

/// A passage of an item's recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip<'a> {
    /// Start in seconds from the start of the recording.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// Title that the author wrote.
    pub title: Option<&'a str>,
}

impl Clip<'_> {
    /// Returns the segment of the clip's page, below `/i/`.
    pub fn segment(&self, entry: &ItemEntry) -> String {
        format!("{}/clips/{}-{}", entry.segment, rounded(self.start), rounded(self.end))
    }

    /// Returns the path of the clip's page.
    pub fn path(&self, entry: &ItemEntry) -> String {
        paths::clip(entry, self.start, self.end)
    }

    /// Returns the passage as a media fragment: `t=73,133.5` (Media Fragments URI 1.0).
    pub fn fragment(&self) -> String {
        format!("{},{}", self.start_fragment(), rounded(self.end))
    }

    /// Returns the fragment of the moment at which the passage starts.
    pub fn start_fragment(&self) -> String {
        format!("t={}", rounded(self.start))
    }

    pub(super) fn has_same_address(&self, other: &Self) -> bool {
        let times = |clip: &Self| [clip.start, clip.end].map(rounded);
        times(self) == times(other)
    }
}

impl ItemEntry {
    /// Returns the passage of a soundbite. Returns None if the passage is not in the recording.
    pub fn clip<'s>(&self, soundbite: &'s Soundbite) -> Option<Clip<'s>> {
        let length = self.item.attachment.as_ref()?.duration_in_seconds;
        let Soundbite { start_time: start, duration, .. } = *soundbite;
        let clip = Clip { start, end: start + duration, title: soundbite.title.as_deref() };
        let last =
            length.filter(|length| *length > 0.0).map_or(MAX_END, |length| length + ROUNDING);
        let is_heard = length.is_none_or(|length| length <= 0.0 || start < length);
        let is_inside =
            start >= 0.0 && duration >= 0.001 && clip.end <= last.min(MAX_END) && is_heard;
        (is_inside && self.item.is_episode()).then_some(clip)
    }

    /// Returns the clip of the soundbite with this index. Returns None if an earlier soundbite has
    /// the same passage.
    pub fn clip_at(&self, at: usize) -> Option<Clip<'_>> {
        let soundbites = &self.item.podcast.soundbites;
        let clip = self.clip(soundbites.get(at)?)?;
        let mut earlier = soundbites[..at].iter().filter_map(|soundbite| self.clip(soundbite));
        (!earlier.any(|other| other.has_same_address(&clip))).then_some(clip)
    }

    /// Returns the clips with their soundbites' indices.
    pub fn clips(&self) -> impl Iterator<Item = (usize, Clip<'_>)> {
        let all = 0..self.item.podcast.soundbites.len();
        all.filter_map(|at| Some((at, self.clip_at(at)?)))
    }

    /// Returns an entry of the same item for a page below the item's page.
    pub fn below(&self, segment: String, item: Item) -> Self {
        Self {
            item: Arc::new(item),
            status: self.status,
            path: paths::key_of(self, &segment),
            segment,
            mount: self.mount.clone(),
            channel: self.channel.clone(),
            tags: Vec::new(),
            authors: self.authors.clone(),
            fingerprint: 0,
            made_of: Weak::new(),
        }
    }
}
