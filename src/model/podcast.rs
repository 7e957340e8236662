//! Podcasting 2.0: what the `podcast:` namespace says of a channel and of an item.

/// The channel's tags.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChannelPodcast {}

/// An item's tags.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemPodcast {}
impl ItemPodcast {
    /// Takes the chapters embedded in the attachment, unless the author lists some.
    pub fn adopt_embedded_chapters(&mut self, _: Vec<super::chapter::Chapter>) {}
}
