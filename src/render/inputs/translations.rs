//! Items that say the same in different languages.

use std::collections::HashMap;

use super::LinkedItem;
use crate::model::ItemId;
use crate::site::{ItemEntry, Snapshot};

/// The published items that are translations of each other. It is enough that one names the other, or both a third.
#[derive(Debug)]
pub struct Translations {
    /// The group of each such item, by its id.
    groups: HashMap<ItemId, usize>,
    /// The places of a group's items among the published ones.
    members: HashMap<usize, Vec<usize>>,
}

impl Translations {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let mut found = Self {
            groups: HashMap::new(),
            members: HashMap::new(),
        };
        let published = &snapshot.published;
        if published
            .iter()
            .all(|entry| entry.item.translations.is_empty())
        {
            return found;
        }
        let segments = published
            .iter()
            .zip(0..)
            .map(|(entry, at)| (&*entry.segment, at));
        let ids = published
            .iter()
            .zip(0..)
            .map(|(entry, at)| (entry.item.id.as_str(), at));
        // A segment goes before an id.
        let places: HashMap<&str, usize> = ids.chain(segments).collect();
        for (entry, at) in published.iter().zip(0..) {
            for name in &entry.item.translations {
                if let Some(other) = places.get(name.as_str()) {
                    found.join(snapshot, at, *other);
                }
            }
        }
        found
    }

    fn join(&mut self, snapshot: &Snapshot, one: usize, other: usize) {
        let id = |place: usize| &snapshot.published[place].item.id;
        let [into, from] = [one, other].map(|place| self.group_of(id(place), place));
        if into == from {
            return;
        }
        let moved = self.members.remove(&from).unwrap_or_default();
        for place in &moved {
            self.groups.insert(id(*place).clone(), into);
        }
        self.members.entry(into).or_default().extend(moved);
    }

    /// The group of an item, one of its own if it has none yet.
    fn group_of(&mut self, id: &ItemId, place: usize) -> usize {
        let group = *self.groups.entry(id.clone()).or_insert(place);
        self.members.entry(group).or_insert_with(|| vec![place]);
        group
    }

    /// The others of an item's group that have another language, one for each language.
    pub(super) fn of_item<'a>(
        &self,
        snapshot: &'a Snapshot,
        entry: &'a ItemEntry,
    ) -> Vec<LinkedItem<'a>> {
        let group = self.groups.get(&entry.item.id);
        let Some(members) = group.and_then(|group| self.members.get(group)) else {
            return Vec::new();
        };
        let language = |entry: &'a ItemEntry| {
            let own = entry.item.language.as_deref();
            own.or(snapshot.channel.language.as_deref())
        };
        let own = language(entry);
        let others = members.iter().filter_map(|at| snapshot.published.get(*at));
        let mut others: Vec<(&str, &ItemEntry)> = others
            .filter_map(|other| Some((language(other)?, &**other)))
            .filter(|(language, other)| Some(*language) != own && other.item.id != entry.item.id)
            .collect();
        others.sort_by_key(|(language, other)| (*language, other.segment.clone()));
        others.dedup_by_key(|(language, _)| *language);
        let linked = |(language, other)| LinkedItem {
            language: Some(language),
            ..LinkedItem::of(other)
        };
        others.into_iter().map(linked).collect()
    }
}
