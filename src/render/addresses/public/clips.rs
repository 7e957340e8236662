//! The clips that have pages, and their recordings.

use super::{CardOf, Document, Public};
use model::Access;
use site::recordings::ClipRecording;
use site::{Clip, ItemEntry};

impl<'a> Public<'a> {
    /// Returns the clip of a soundbite, if the clip has a page.
    pub(super) fn clip(&self, at: usize, soundbite: usize) -> Option<Clip<'a>> {
        let (config, entry) = (&self.snapshot.config, &self.snapshot.entries[at]);
        let is_wanted = config.access == Access::Public && config.audio.clips;
        let is_here = is_wanted && !self.is_untranslated_item(entry);
        entry.clip_at(soundbite).filter(|_| is_here && entry.is_public())
    }

    /// Returns the recording of the clip of an item's soundbite.
    pub(super) fn clip_recording(&self, at: usize, soundbite: usize) -> Option<ClipRecording<'_>> {
        let entry = &self.snapshot.entries[at];
        let clip = || ClipRecording::at(&self.snapshot.config, entry, soundbite);
        (!self.is_untranslated_item(entry)).then(clip).flatten()
    }

    /// Returns whether the default language has the clips and the card of an item.
    fn is_untranslated_item(&self, entry: &ItemEntry) -> bool {
        self.snapshot.config.is_untranslated(entry.item.language.as_deref())
    }

    /// Returns whether the site has recordings of clips.
    pub fn has_clips(&self) -> bool {
        let mut clips = self.snapshot.soundbites().map(|(at, n)| Document::ClipRecording(at, n));
        let mut editions = 0..self.snapshot.editions.len();
        clips.any(|clip| self.has(&clip)) || editions.any(|at| self.edition(at).has_clips())
    }

    /// Returns the document of a clip, by parts of the document's path.
    pub(super) fn clip_document(&self, key: &str, passage: &str, name: &str) -> Option<Document> {
        let at = self.snapshot.position(key)?;
        let entry = &self.snapshot.entries[at];
        let is_here = |clip: &Clip<'_>| clip.segment(entry).rsplit('/').next() == Some(passage);
        let (soundbite, _) = entry.clips().find(|(_, clip)| is_here(clip))?;
        match name {
            "" => Some(Document::Clip(at, soundbite)),
            "clip.mp3" | "clip.m4a" => Some(Document::ClipRecording(at, soundbite)),
            _ => Some(Document::Card(CardOf::Clip(at, soundbite))),
        }
    }
}
