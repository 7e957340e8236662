//! Files below `content/` that feedwright does not read.

use std::collections::HashSet;

use super::Library;
use crate::channel_file::channel_file;
use crate::listing::below;
use crate::stray_files::{NamedInFaultyFiles, special_files, strays, warn_of_strays};
use crate::text::read_text;
use model::{Aggregate, Diagnostic, SitePath};

impl Library {
    /// Searches for files that feedwright does not read. Returns whether the result changed.
    pub(super) fn find_strays(&mut self) -> bool {
        let strays = strays(&self.root, &self.config.content);
        let special = special_files(&self.root, &self.config.content);
        let changed = strays != self.strays || special != self.special;
        self.strays = strays;
        self.special = special;
        changed
    }

    /// Returns warnings about files below `content/` that feedwright does not read and that no
    /// content file refers to.
    pub(super) fn unread(&self) -> Vec<Diagnostic> {
        let folders = self.items.beside.iter().chain(&self.pages.beside);
        // TOML and YAML files in calendars get a different warning.
        let of_calendars = self.calendars.beside.iter();
        let of_calendars = of_calendars
            .filter(|path| !matches!(path.extension().as_str(), "toml" | "yaml" | "yml"));
        let beside: Vec<&SitePath> = folders.chain(of_calendars).collect();
        if beside.is_empty() && self.strays.is_empty() {
            return Vec::new();
        }
        // Files that symbolic links point to are read under the links' names.
        let linked: Vec<&SitePath> = self.linked().collect();
        let is_linked = |path: &SitePath| {
            let holds = |linked: &&SitePath| {
                *linked == path || below(path.as_str(), linked.as_str()).is_some()
            };
            linked.iter().any(holds)
        };
        let mut strays: Vec<SitePath> =
            self.strays.iter().filter(|path| !is_linked(path)).cloned().collect();
        let looked_up: Option<HashSet<&SitePath>> =
            (!self.items.has_index()).then(|| self.looked_up().collect());
        let is_named = |path: &SitePath| match &looked_up {
            Some(looked_up) => looked_up.contains(path),
            None => self.is_looked_up(path),
        };
        let mut beside: Vec<&SitePath> =
            beside.into_iter().filter(|path| !is_named(path)).collect();
        let has_planet = !self.config.aggregate.is_empty();
        let is_fetched =
            |path: &SitePath| has_planet && below(path.as_str(), Aggregate::FOLDER).is_some();
        strays.retain(|path| !is_named(path) && !is_fetched(path));
        if !beside.is_empty() || !strays.is_empty() {
            let meant = NamedInFaultyFiles::from_texts(self.suspect_texts());
            beside.retain(|path| !meant.contains(path));
            strays.retain(|path| {
                path.parent() != Some(self.config.content.as_str()) || !meant.contains(path)
            });
        }
        warn_of_strays(&self.config.content, &strays, beside)
    }

    /// Returns the contents of content files with errors or warnings.
    fn suspect_texts(&self) -> impl Iterator<Item = String> {
        let content = self.items.suspect().into_iter().chain(self.pages.suspect());
        let all = content.chain(self.calendars.suspect()).cloned();
        let channel = (!self.channel.found.is_empty())
            .then(|| channel_file(&self.root, &self.config.content));
        let all = all.chain(channel.flatten());
        all.filter_map(|path| read_text(&self.root, &path).ok())
    }
}
