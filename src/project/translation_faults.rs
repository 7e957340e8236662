//! Finds faults in the translations of items and of pages.

use std::path::Path;

use super::Site;
use model::{Diagnostic, Rule};
use site::{Translatable, published_by_language, translatable_by_name, translation_groups};
use source::fields::nearest;
use source::place::place_of;

/// Warns about missing translations, and about translations in the same language.
pub(super) fn translation_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let language = snapshot.language();
    let faults =
        |kind| Faults { root, kind, language, same_language: Vec::new(), found: Vec::new() };
    let items = snapshot.entries.iter().map(|entry| (&**entry).into());
    let pages = snapshot.pages.iter().map(Translatable::from);
    let mut found = faults("item").check_all(items);
    found.extend(faults("page").check_all(pages));
    found
}

/// The translation faults of items, or of pages.
struct Faults<'a> {
    root: &'a Path,
    kind: &'static str,
    /// Language of the site.
    language: &'a str,
    /// Reported pairs: an entry, and its translation that has the same language.
    same_language: Vec<[&'a str; 2]>,
    found: Vec<Diagnostic>,
}

impl<'a> Faults<'a> {
    fn check_all(mut self, all: impl Iterator<Item = Translatable<'a>> + Clone) -> Vec<Diagnostic> {
        let named = translatable_by_name(all.clone());
        for one in all.clone() {
            for name in one.translations {
                match named.get(name.as_str()) {
                    None => self.warn_missing(one, name, all.clone()),
                    Some(other) if other.is_in_language_of(&one, self.language) => {
                        self.same_language(one, name, *other);
                    }
                    Some(_) => {}
                }
            }
        }
        for group in translation_groups(all) {
            let published = published_by_language(&group, self.language);
            let in_one =
                |a: &Translatable<'_>, b: &Translatable<'_>| a.is_in_language_of(b, self.language);
            for in_one in published.chunk_by(in_one) {
                in_one[1..].iter().for_each(|one| self.warn_duplicate_language(*one, in_one[0]));
            }
        }
        self.found
    }

    fn warn_missing(
        &mut self,
        one: Translatable<'a>,
        name: &str,
        all: impl Iterator<Item = Translatable<'a>>,
    ) {
        let kind = self.kind;
        let others = all.filter(|other| other.id != one.id);
        let others: Vec<&str> = others.map(|other| other.segment()).collect();
        let help = match nearest(name, &others) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write the last part of the other {kind}'s address, or its id"),
        };
        let message = format!("translation not found: the site has no {kind} {name:?}");
        self.add_warning(one, ["translations", name], message, help);
    }

    fn same_language(&mut self, one: Translatable<'a>, name: &str, other: Translatable<'a>) {
        self.same_language.push([one.id.as_str(), other.id.as_str()]);
        let message =
            format!("the translation {name:?} has the same language as this {}", self.kind);
        let help = "set `language` in both files";
        self.add_warning(one, ["translations", name], message, help.into());
    }

    /// Warns that a group of translations has two entries in one language. Links to that language
    /// point only to `first`.
    fn warn_duplicate_language(&mut self, one: Translatable<'a>, first: Translatable<'a>) {
        let ids = [one.id.as_str(), first.id.as_str()];
        let is_told = |pair: &[&str; 2]| pair.iter().all(|id| ids.contains(id));
        if self.same_language.iter().any(is_told) {
            return;
        }
        let language = one.language.unwrap_or(self.language);
        let message = format!(
            "{:?} and {:?} are translations into the same language, {language}: other translations link only to {:?}",
            first.segment(),
            one.segment(),
            first.segment(),
        );
        let help =
            "correct the `language` of one of the two, or list only one of them in `translations`";
        let key = if one.translations.is_empty() { "language" } else { "translations" };
        self.add_warning(one, [key, ""], message, help.into());
    }

    fn add_warning(
        &mut self,
        one: Translatable<'_>,
        [key, value]: [&str; 2],
        message: String,
        help: String,
    ) {
        let warning = Diagnostic::warning(Rule::Translation, message).help(help);
        self.found.push(match one.source {
            Some(source) => place_of(self.root, source, key, value, warning),
            None => warning,
        });
    }
}
