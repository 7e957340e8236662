//! Unknown keys of a table, and missing required keys. A mistyped required key is both unknown and
//! missing, and is reported once.

use std::ops::Range;

use front_matter::Entry;

use super::reader::UnknownKey;
use super::{Fields, Missing, UNKNOWN_KEY_HELP};
use crate::hiding_keys::{self, Meaning, Subject};
use crate::key_advice::{KeyAdvice, KeyReplacement};
use crate::nearest::{is_synonym, nearest};
use model::shape::{Field, Shape};
use model::{Fix, Rule};

/// Returns whether the written key is a mistyped `key` or a synonym of it.
fn is_intended(written: &str, key: &str, advice: KeyAdvice) -> bool {
    nearest(written, &[key]).is_some()
        || is_synonym(written, key)
        || KeyReplacement::of(written, advice).and_then(KeyReplacement::key) == Some(key)
}

impl Fields<'_, '_> {
    /// Reports a missing required key. If an unknown key of the table is a misspelling or synonym
    /// of it, [`finish`](Self::finish) reports the two keys as one mistake.
    pub fn missing(&self, key: &'static str, place: &Range<usize>, help: impl Into<String>) {
        let missing = Missing { key, place: place.clone(), help: help.into() };
        let advice = self.key_advice.get();
        let mut entries = self.table.entries.iter();
        if entries.any(|entry| is_intended(&entry.key, key, advice)) {
            self.missing.borrow_mut().push(missing);
        } else {
            self.report_missing(missing);
        }
    }

    /// Returns the known keys.
    fn known(&self) -> Vec<&'static str> {
        let declared = self.shape.map(Shape::in_files).unwrap_or_default();
        let declared = declared.into_iter().flat_map(Field::keys);
        declared.chain(self.asked.borrow().iter().copied()).collect()
    }

    fn is_known(&self, key: &str) -> bool {
        self.shape.is_some_and(|shape| shape.field(key).is_some())
            || self.asked.borrow().contains(&key)
    }

    /// Warns about unknown keys, and reports missing required keys.
    pub fn finish(self) {
        let mut missing = self.missing.take();
        for entry in self.table.entries.iter().filter(|entry| !self.is_known(&entry.key)) {
            // A missing key and a mistyped key are one mistake, which is reported once.
            let advice = self.key_advice.get();
            let like = |missing: &Missing| is_intended(&entry.key, missing.key, advice);
            match missing.iter().position(like) {
                Some(at) => self.report_misspelled(missing.swap_remove(at).key, entry),
                None if self.report_hiding(entry, &self.known()) => {}
                None if self.prefix.is_empty() => self.warn_unknown(entry, &self.known()),
                None => self.reader.record_unknown(|| UnknownKey {
                    key: entry.key.clone(),
                    span: entry.key_span.clone(),
                    prefix: self.prefix.clone(),
                    near: nearest(&entry.key, &self.known()),
                    replacement: KeyReplacement::of(&entry.key, advice),
                }),
            }
        }
        missing.into_iter().for_each(|missing| self.report_missing(missing));
        if self.prefix.is_empty() {
            self.reader.warn_unknown(|key| self.is_known(key), self.key_advice.get());
        }
    }

    fn report_missing(&self, missing: Missing) {
        let message = format!("`{}` is missing", self.name(missing.key));
        self.reader.error(&missing.place, message, missing.help);
    }

    fn report_misspelled(&self, key: &str, entry: &Entry) {
        let message =
            format!("`{}` is missing, and `{}` is an unknown key", self.name(key), entry.key);
        let help = format!("did you mean `{key}`?");
        self.reader.error(&entry.key_span, message, help);
    }

    /// Reports an unknown key if another generator would hide the file because of it. Returns
    /// whether the key was reported.
    fn report_hiding(&self, entry: &Entry, known: &[&'static str]) -> bool {
        let reader = self.reader;
        let found = Subject::of(reader.source.path).and_then(|subject| {
            let found = hiding_keys::find(subject, entry, known, &self.prefix);
            found.map(|found| (subject, found))
        });
        let Some((subject, hiding)) = found else {
            return false;
        };
        let help = if !self.prefix.is_empty() && hiding.is_misplaced() {
            reader.misplaced_help(&entry.key, &self.prefix)
        } else {
            subject.remedy(hiding.meaning, reader.notation())
        };
        let is_own = self.prefix.is_empty() && std::ptr::eq(hiding.entry, entry);
        let moves = is_own && subject == Subject::Text && hiding.meaning == Meaning::Date;
        let fix =
            moves.then(|| Fix::Move { from: entry.key.clone(), to: "date_published".to_owned() });
        let message = format!(
            "unknown key `{}` does not hide this {}",
            self.name(&hiding.path),
            subject.noun()
        );
        reader.report_with(None, &hiding.entry.key_span, || (message, help, fix));
        true
    }

    fn warn_unknown(&self, entry: &Entry, known: &[&'static str]) {
        self.reader.report_with(Some(Rule::UnknownKey), &entry.key_span, || {
            let replacement = KeyReplacement::of(&entry.key, self.key_advice.get());
            let near = || nearest(&entry.key, known).map(|near| format!("did you mean `{near}`?"));
            let help = replacement
                .map(|replacement| replacement.remedy(self.reader.notation()))
                .or_else(near)
                .unwrap_or_else(|| UNKNOWN_KEY_HELP.to_owned());
            let to = replacement.and_then(|replacement| replacement.key_for(&entry.node.value));
            let fix = to.map(|to| Fix::Move { from: entry.key.clone(), to: to.to_owned() });
            let message = format!("unknown key `{}`", self.name(&entry.key));
            (message, help, fix)
        });
    }
}
