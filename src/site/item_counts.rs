//! Numbers of items with rare properties, which are updated after each change.

use std::sync::Arc;

use super::item_entry::ItemEntry;
use model::{Category, Item};

/// Numbers of a snapshot's items with a property. If a number is 0, the items need not be searched
/// for the property.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ItemCounts {
    /// Items that refer to translations, and all items of a site with several languages.
    pub translatable: usize,
    /// Items whose body contains a formula.
    pub with_formula: usize,
    /// Items whose attachment is audio.
    pub with_audio: usize,
    /// Items with former paths.
    pub moved: usize,
}

impl ItemCounts {
    /// Counts items.
    pub fn of<'e>(entries: impl Iterator<Item = &'e Arc<ItemEntry>>) -> Self {
        let mut counts = Self::default();
        entries.for_each(|entry| counts.update(&entry.item, |count| *count += 1));
        counts
    }

    /// Returns the numbers after a change of items.
    pub fn changed(mut self, gone: &[Arc<ItemEntry>], new: &[Arc<ItemEntry>]) -> Self {
        gone.iter().for_each(|entry| self.update(&entry.item, |count| *count -= 1));
        new.iter().for_each(|entry| self.update(&entry.item, |count| *count += 1));
        self
    }

    /// Calls `update` with the number of each property that the item has.
    fn update(&mut self, item: &Item, update: impl Fn(&mut usize)) {
        let is_translatable = !item.translations.is_empty() || item.text_path.is_some();
        let attachment = item.attachment.as_ref();
        let properties = [
            (is_translatable, &mut self.translatable),
            (item.content.has_formula, &mut self.with_formula),
            (attachment.is_some_and(|file| file.category == Category::Audio), &mut self.with_audio),
            (!item.former_paths.is_empty(), &mut self.moved),
        ];
        properties.into_iter().filter(|(has, _)| *has).for_each(|(_, count)| update(count));
    }
}
