//! Podcasting 2.0: what the `podcast:` namespace says of a channel and of an item.

use super::chapter::Chapter;

/// The channel's tags.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct ChannelPodcast {}

/// An item's tags.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct ItemPodcast {
    /// Chapters
    pub chapters: Vec<Chapter>,
}
impl ItemPodcast {
    /// Takes the chapters embedded in the attachment, unless the author lists some.
    pub fn adopt_embedded_chapters(&mut self, chapters: Vec<Chapter>) {
        if self.chapters.is_empty() {
            self.chapters = chapters;
        }
    }
}
