//! Languages of a Jekyll site: of the plugins jekyll-polyglot and jekyll-multiple-languages-plugin, or
//! of a site without a plugin.

use crate::folder::data::{self, Data, texts_at};
use crate::folder::fields::tag;
use crate::folder::languages::{KEYS, derive, take_key};
use crate::folder::source::{Source, SourceLanguage, Text};

/// Returns the language and the inner path of a post of jekyll-multiple-languages-plugin, such as
/// `_i18n/de/_posts/2024-01-05-tide.md`.
fn translated_post(path: &str) -> Option<(&str, &str)> {
    let (language, post) = path.strip_prefix("_i18n/")?.split_once('/')?;
    post.starts_with("_posts/").then_some((language, post))
}

/// Returns the path of a file as if its post were in no language.
pub fn without_language(path: &str) -> &str {
    translated_post(path).map_or(path, |(_, post)| post)
}

/// Returns the languages in the settings, starting with the default language.
pub fn names(settings: &Data) -> Vec<String> {
    let names = texts_at(settings, "languages");
    let default = data::text_at(settings, "default_lang").or_else(|| names.first().cloned());
    let others = names.into_iter().filter(|name| Some(name) != default.as_ref());
    default.iter().cloned().chain(others).collect()
}

/// Reads the languages from the settings and from the content files.
pub fn read(settings: &Data, source: &mut Source) {
    let languages = names(settings);
    let Some(default) = languages.first().cloned() else {
        return derive(source, None);
    };
    let mut plugins = ["plugins", "gems"].iter().flat_map(|key| texts_at(settings, key));
    let is_separate = plugins.any(|name| name == "jekyll-multiple-languages-plugin")
        || source.texts.iter().any(|text| translated_post(&text.path).is_some());
    let has_path = is_separate && data::is_set(settings, "default_locale_in_subfolder");
    let path = |name: &String| match *name == default && !has_path {
        true => String::new(),
        false => format!("/{name}"),
    };
    let from_path = data::is_set(settings, "lang_from_path");
    for text in &mut source.texts {
        let post = translated_post(&text.path);
        let of_path = || {
            let mut parts = text.path.split('/').take(2);
            parts.find(|part| from_path && languages.iter().any(|own| own == part))
        };
        let own = KEYS.iter().find_map(|key| data::text_at(&text.fields, key));
        let own = own.or_else(|| post.map(|(language, _)| language.to_owned()));
        let own = own.or_else(|| of_path().map(str::to_owned));
        let own = own.filter(|own| languages.contains(own)).unwrap_or_else(|| default.clone());
        let bare = text.address.as_deref().map(|address| without_languages(address, &languages));
        let post = post.map(|(_, post)| post.to_owned());
        text.same = take_key(text).or(post).or_else(|| bare.clone());
        text.address = bare.map(|address| format!("{}{address}", path(&own)));
        // The name of a file can contain its language, as in `about.de.md`.
        let named = text.segment.as_deref().and_then(|name| name.strip_suffix(&format!(".{own}")));
        text.segment = named.map(str::to_owned).or(text.segment.take());
        text.language = (own != default).then(|| tag(&own));
        remove_language(text, &own);
    }
    source.shows_untranslated = !is_separate;
    source.languages = languages
        .iter()
        .map(|name| SourceLanguage { tag: tag(name), path: path(name), channel: Data::new() })
        .collect();
    source.channel.insert("language".to_owned(), tag(&default).into());
}

/// Adds the redirects of feeds to each language, in which the plugins write all files again.
pub fn repeat_redirects(settings: &Data, source: &mut Source) {
    if names(settings).is_empty() {
        return;
    }
    let home = source.languages.first().map(|main| format!("{}/", main.path));
    let paths: Vec<String> = source.languages.iter().map(|own| own.path.clone()).collect();
    for (from, to) in source.redirects.clone() {
        for path in paths.iter().filter(|path| !path.is_empty()) {
            source.add_redirect(format!("{path}{from}"), to.clone());
        }
    }
    if let Some(home) = home.filter(|home| home != "/") {
        source.add_redirect(home, "/".to_owned());
    }
}

/// Removes the language from the front matter, because the name of the new file states it.
fn remove_language(text: &mut Text, own: &str) {
    text.fields.retain(|key, value| !(KEYS.contains(&&**key) && value == own));
}

/// Removes languages from an address as jekyll-polyglot does: the first of `/de/`, `.de.`, `/de.` and
/// `.de/`, wherever they are.
fn without_languages(address: &str, languages: &[String]) -> String {
    let mut out = address.to_owned();
    for name in languages {
        for (start, end) in [('/', '/'), ('.', '.'), ('/', '.'), ('.', '/')] {
            out = out.replace(&format!("{start}{name}{end}"), "/");
        }
    }
    out
}
