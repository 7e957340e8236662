//! Finds faults in the translations of items and of pages.

use std::collections::HashMap;
use std::path::Path;

use super::Site;
use model::{Diagnostic, Languages, Rule, Status};
use site::{Translatable, published_by_language, translatable_by_name, translation_groups};
use source::fields::nearest;
use source::place::place_of;

/// Warns about missing translations, about translations in the same language and of drafts, and about
/// files that look like translations into a language that the site does not have.
pub(super) fn translation_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    let language = snapshot.language();
    let faults =
        |kind| Faults { root, kind, language, same_language: Vec::new(), found: Vec::new() };
    let items = snapshot.entries.iter().map(|entry| (&**entry).into());
    let pages = snapshot.pages.iter().map(Translatable::from);
    let mut found = faults("item").check_all(items.clone());
    found.extend(faults("page").check_all(pages.clone()));
    if snapshot.has_editions() {
        let languages = &snapshot.config.languages;
        found.extend(of_drafts(root, languages, items));
        found.extend(of_drafts(root, languages, pages));
    }
    found
}

/// Warns about published translations of drafts, and about files in languages that the site does not
/// have.
fn of_drafts<'a>(
    root: &Path,
    languages: &Languages,
    all: impl Iterator<Item = Translatable<'a>> + Clone,
) -> Vec<Diagnostic> {
    let default = all.clone().filter(|one| languages.index(one.language) == 0);
    let originals: HashMap<&str, Translatable<'a>> =
        default.filter_map(|one| Some((one.text_path?, one))).collect();
    let mut found = Vec::new();
    for one in all {
        let (Some(path), Some(source)) = (one.text_path, one.source) else { continue };
        let original = originals.get(path).filter(|_| languages.index(one.language) > 0);
        let draft = original.filter(|original| original.status == Status::Unpublished);
        if let Some(draft) = draft.and_then(|draft| draft.source)
            && one.status != Status::Unpublished
        {
            let message = format!("this is a translation of {draft}, which is not published");
            let warning = Diagnostic::warning(Rule::Translation, message)
                .help("publish both files, or set status = \"unpublished\" here too");
            found.push(place_of(root, source, "language", "", warning));
        }
        if let Some((base, tag)) = path.rsplit_once('.')
            && is_language(tag)
            && originals.contains_key(base)
        {
            let message = format!("the site has no language {tag:?}");
            let warning = Diagnostic::warning(Rule::Translation, message).help(format!(
                "add {tag:?} to `others` below [languages] in site.toml, or rename this file"
            ));
            found.push(place_of(root, source, "language", "", warning));
        }
    }
    found
}

/// Returns whether a part of a file's name looks like a language: `fr` or `pt-BR`.
fn is_language(part: &str) -> bool {
    let (language, region) = part.split_once('-').unwrap_or((part, "BR"));
    let are_letters = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_alphabetic());
    are_letters(language) && are_letters(region)
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
        // Two files with one text are an error.
        let is_same_text = one.text_path.is_some() && one.text_path == first.text_path;
        if is_same_text || self.same_language.iter().any(is_told) {
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
