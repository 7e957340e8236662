//! The languages of a Hugo site, and their menus.

use serde_json::Value;

use super::Addresses;
use super::setup::{Language, Setup};
use crate::folder::data::{self, Data};
use crate::folder::source::{Source, SourceLanguage, Text};
use crate::naming::key;

/// Settings of a language, each with the key of its channel.
const CHANNEL: [(&str, &str); 6] = [
    ("title", "title"),
    ("params.description", "description"),
    ("params.subtitle", "description"),
    ("copyright", "copyright"),
    ("params.author", "authors"),
    ("params.authors", "authors"),
];

/// Reads the languages from the settings. The values of the default language apply to the site.
pub fn read(setup: &Setup, source: &mut Source) {
    if let Some(language) = setup.usual() {
        let own = channel(setup, language, source);
        source.channel.extend(own);
        let of_site = data::text_at(&source.channel, "language");
        let of_site = of_site.filter(|site| model::is_in_language(site, &language.tag));
        let locale = language.locale.clone().or(of_site).unwrap_or_else(|| language.tag.clone());
        source.channel.insert("language".to_owned(), locale.into());
        let base_url = language.base_url.as_deref().and_then(|url| fetch::Url::parse(url).ok());
        source.base_url = base_url.or(source.base_url.take());
    }
    let languages = setup.enabled().map(|language| SourceLanguage {
        tag: language.tag.clone(),
        path: setup.path_of(Some(language)),
        channel: channel(setup, language, source),
    });
    source.languages = languages.collect();
    for language in setup.enabled().skip(1) {
        if let Some(url) = &language.base_url {
            let message = format!(
                "the pages in `{}` move from {url} to a path of this site: set up their redirects on that host",
                language.name
            );
            source.note(message, "the settings");
        }
    }
}

fn channel(setup: &Setup, language: &Language, source: &Source) -> Data {
    let mut channel = Data::new();
    for (path, key) in CHANNEL {
        let value = data::at(&setup.data, &format!("languages.{}.{path}", language.name));
        let value = value.and_then(|value| match key {
            "authors" => source.author_list(value.clone()),
            _ => data::text(value).map(Value::from),
        });
        if let Some(value) = value {
            channel.entry(key).or_insert(value);
        }
    }
    channel
}

/// Reads the main menu of each language.
pub fn menus(setup: &Setup, addresses: &Addresses, source: &mut Source) {
    let mut languages: Vec<Option<&Language>> = setup.enabled().map(Some).collect();
    if languages.is_empty() {
        languages.push(setup.usual());
    }
    for (at, language) in languages.into_iter().enumerate() {
        let menus =
            ["menus", "menu"].iter().find_map(|key| setup.value(language, key)?.as_object());
        let main =
            menus.and_then(|menus| data::get(menus, "main").or_else(|| menus.values().next()));
        let entries = main.cloned().map(data::list).unwrap_or_default();
        let path = setup.path_of(language);
        let tag = language.filter(|_| at > 0).map(|language| language.tag.clone());
        for entry in entries.iter().filter_map(Value::as_object) {
            let of_page = data::text_at(entry, "pageref");
            let of_url = || Some(data::text_at(entry, "url")?.trim_start_matches('/').to_owned());
            let Some(target) = of_page.clone().or_else(of_url) else { continue };
            let place = (target.trim_matches('/').to_lowercase(), tag.clone());
            let known = addresses.get(&place).filter(|_| of_page.is_some());
            let with_language = format!("{path}/{target}");
            let places = match known {
                Some(address) => vec![key(address)],
                None => [&with_language, &target].map(|path| key(path)).to_vec(),
            };
            let is_page = |place: &&String| {
                let address = |text: &Text| text.address.as_deref().map(key);
                let mut pages = source.texts.iter().filter(|text| text.is_page);
                pages.any(|text| text.language == tag && address(text).as_ref() == Some(place))
            };
            if let Some(place) = places.iter().find(is_page) {
                let order = data::get(entry, "weight").and_then(Value::as_i64).unwrap_or(0);
                source.navigation.insert(place.clone(), (data::text_at(entry, "name"), order));
            } else if !key(&target).is_empty() {
                let message = format!("the menu entry `{target}` was left out: it is not a page");
                source.note(message, "the settings");
            }
        }
    }
}
