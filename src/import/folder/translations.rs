//! Links content files that are translations of each other.

use std::collections::HashMap;

use serde_json::Value;

use super::source::Text;
use crate::found::{Entry, Found};

/// The language versions of content files, by the key that they share.
#[derive(Default)]
pub struct Versions(HashMap<(String, bool), Vec<Version>>);

struct Version {
    id: String,
    /// Language of the version. `None` means the site's main language.
    language: Option<String>,
    segment: Option<String>,
}

impl Versions {
    pub fn add(&mut self, text: &Text, entry: &Entry) {
        let Some(same) = text.same.clone() else {
            return;
        };
        self.0.entry((same, text.is_page)).or_default().push(Version {
            id: entry.id().to_owned(),
            language: text.language.clone(),
            segment: entry.segment.clone(),
        });
    }

    /// Links versions in different languages. If two versions have the same segment, the language
    /// is appended to the segment.
    pub fn link(self, found: &mut Found) {
        let groups = self.0.values().filter(|group| group.len() > 1);
        let own: HashMap<&str, (&Version, &Vec<Version>)> = groups
            .flat_map(|group| group.iter().map(move |one| (one.id.as_str(), (one, group))))
            .collect();
        for entry in found.items.iter_mut().chain(&mut found.pages) {
            let Some((own, group)) = own.get(entry.id()) else {
                continue;
            };
            let others = group.iter().filter(|one| one.language != own.language);
            let ids: Vec<Value> = others.clone().map(|one| one.id.as_str().into()).collect();
            let is_alike = others.clone().any(|one| one.segment == own.segment);
            if let (true, Some(segment), Some(language)) = (is_alike, &own.segment, &own.language) {
                entry.segment = Some(format!("{segment}-{language}"));
            }
            entry.set("translations", ids);
        }
    }
}
