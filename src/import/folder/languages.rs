//! The languages of an imported site.

use std::collections::BTreeMap;

use model::{Languages, Untranslated, is_in_language};

use super::data::{self, Data};
use super::fields::tag;
use super::source::{Source, SourceLanguage, Text};
use super::walk::TEMPLATE_PAGE;
use crate::found::{OtherLanguage, SourceLanguages};

/// Front matter keys that state a language.
pub const KEYS: [&str; 3] = ["language", "lang", "locale"];

/// Returns the languages in which the site has texts, or `None` if it has one language. Reports
/// languages without texts.
pub fn of(source: &mut Source) -> Option<SourceLanguages> {
    let mut all = std::mem::take(&mut source.languages);
    let (mut languages, mut others) = (Languages::default(), Vec::new());
    let mut empty = Vec::new();
    for (at, language) in all.iter_mut().enumerate() {
        if at == 0 {
            languages.default = Some(language.tag.clone());
            continue;
        }
        let is_own = |text: &&Text| text_language(text).is_some_and(|own| own == language.tag);
        if !source.texts.iter().any(|text| is_own(&text)) {
            empty.push(language.tag.clone());
            continue;
        }
        languages.others.push(language.tag.clone());
        let channel = std::mem::take(&mut language.channel);
        others.push(OtherLanguage {
            tag: language.tag.clone(),
            path: language.path.clone(),
            channel: (!channel.is_empty()).then(|| super::channel(channel)),
        });
    }
    for language in empty {
        let message = format!("the language `{language}` was left out: it has no texts");
        source.note(message, "the settings");
    }
    source.languages = all;
    if source.shows_untranslated {
        languages.untranslated = Untranslated::Show;
    }
    (!others.is_empty()).then_some(SourceLanguages { languages, others })
}

/// Returns the language that a content file states.
pub fn text_language(text: &Text) -> Option<String> {
    let of_fields = || KEYS.iter().find_map(|key| data::text_at(&text.fields, key));
    text.language.clone().or_else(|| of_fields().map(|language| tag(&language)))
}

/// Removes the key that a content file shares with its translations, and returns it.
pub fn take_key(text: &mut Text) -> Option<String> {
    const KEYS: [&str; 6] =
        ["page_id", "ref", "translation_id", "translationKey", "translationId", "i18n_id"];
    data::take_text(&mut text.fields, &KEYS)
}

/// Finds the languages of a site whose settings do not list them: a language is the first part of the
/// addresses of its texts. `default` is the default language according to the settings.
pub fn derive(source: &mut Source, default: Option<String>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in source.texts.iter().filter_map(language_in_address) {
        *counts.entry(path).or_default() += 1;
    }
    let of_site = data::text_at(&source.channel, "language").map(|language| tag(&language));
    let usual = || counts.iter().max_by_key(|(_, count)| **count).map(|(path, _)| tag(path));
    let Some(default) = default.or(of_site).or_else(usual) else { return };
    let (main, others): (Vec<&String>, Vec<&String>) =
        counts.keys().partition(|path| is_in_language(&default, path));
    if others.is_empty() {
        return;
    }
    let language = |tag: String, path: String| SourceLanguage { tag, path, channel: Data::new() };
    let path = main.first().map_or_else(String::new, |path| format!("/{path}"));
    if !path.is_empty() {
        source.add_redirect(format!("{path}/"), "/".to_owned());
    }
    source.languages = vec![language(default.clone(), path)];
    source.languages.extend(others.iter().map(|path| language(tag(path), format!("/{path}"))));
    source.channel.insert("language".to_owned(), default.as_str().into());
    for mut text in std::mem::take(&mut source.texts) {
        if let Some(path) = language_in_address(&text) {
            text.language = Some(tag(&path)).filter(|own| !is_in_language(&default, own));
            text.fields.retain(|key, _| !KEYS.contains(&&**key));
        }
        let path = source.language_path(&text);
        let bare = text.address.as_deref().and_then(|address| address.strip_prefix(&*path));
        let bare = bare.map(str::to_owned);
        text.same = take_key(&mut text).or_else(|| bare.clone());
        // The home page of a language is generated from a template, too.
        match bare.is_some_and(|bare| bare.trim_matches('/').is_empty()) {
            true => source.note(TEMPLATE_PAGE, &*text.path),
            false => source.texts.push(text),
        }
    }
}

/// Returns the first part of a content file's address if it is the language that the file states.
fn language_in_address(text: &Text) -> Option<String> {
    let first = text.address.as_deref()?.split('/').nth(1)?;
    let language = text_language(text)?;
    is_in_language(&language, first).then(|| first.to_owned())
}

impl Source {
    /// Returns the start of a content file's address that contains its language, such as `/de`.
    pub fn language_path(&self, text: &Text) -> String {
        let own = text_language(text);
        let mut languages = self.languages.iter();
        let language = match own {
            Some(own) => languages.find(|language| language.tag == own),
            None => languages.next(),
        };
        let path = language.map_or("", |language| &language.path);
        let rest = text.address.as_deref().and_then(|address| address.strip_prefix(path));
        rest.filter(|rest| rest.starts_with('/')).map_or_else(String::new, |_| path.to_owned())
    }

    /// Returns the translation of a content file into a language, or else the file itself.
    pub fn in_language<'t>(&'t self, text: &'t Text, language: &Option<String>) -> &'t Text {
        let is_it = |other: &&Text| {
            other.language == *language && other.same == text.same && other.is_page == text.is_page
        };
        let own = text.same.as_ref().filter(|_| text.language != *language);
        own.and_then(|_| self.texts.iter().find(is_it)).unwrap_or(text)
    }

    /// Returns the new path, without the language, of the section with a former path.
    pub fn section_path(&self, former: &str) -> Option<String> {
        let is_it = |text: &&Text| {
            let address = text.address.as_deref().map(crate::naming::key);
            text.is_section && text.hidden.is_none() && address == Some(crate::naming::key(former))
        };
        let text = self.texts.iter().find(is_it)?;
        let path =
            text.address.as_deref()?.strip_prefix(&self.language_path(text))?.trim_matches('/');
        model::PageSlug::parse(path).ok().map(|slug| format!("/{slug}/"))
    }
}
