//! The languages of a source: links between translations, and the languages of a new site.

use std::collections::HashMap;

use serde_json::Value;

use super::found::{Entry, Found, Note};
use super::run::Outcome;
use model::{Config, Languages};

/// Sorts the entries by language. Links translations that the new site cannot recognize by their file
/// names, because it has no pages in one of the languages. If two of them have the same segment, the
/// language is appended to the segment.
pub fn link(found: &mut Found, languages: &Languages) {
    let tags = found.languages.as_ref().map(|own| own.languages.clone()).unwrap_or_default();
    let order = |entry: &Entry| {
        let language = entry.text("language");
        (languages.index(language), tags.index(language))
    };
    found.items.sort_by_key(order);
    found.pages.sort_by_key(order);
    let mut groups: HashMap<(String, bool), Vec<Version>> = HashMap::new();
    let items = found.items.iter().map(|entry| (entry, false));
    let pages = found.pages.iter().filter(|entry| !entry.is_section);
    for (entry, is_page) in items.chain(pages.map(|entry| (entry, true))) {
        let Some(key) = entry.translation_key.clone() else { continue };
        groups.entry((key, is_page)).or_default().push(Version::of(entry, languages));
    }
    let is_linked = |group: &&Vec<Version>| {
        let mut indices: Vec<usize> = group.iter().map(|one| one.index).collect();
        indices.sort_unstable();
        indices.windows(2).any(|pair| pair[0] == pair[1])
    };
    let linked = groups.values().filter(is_linked);
    let own: HashMap<&str, (&Version, &Vec<Version>)> = linked
        .flat_map(|group| group.iter().map(move |one| (one.id.as_str(), (one, group))))
        .collect();
    for entry in found.items.iter_mut().chain(&mut found.pages) {
        let Some((own, group)) = own.get(entry.id()) else { continue };
        let others = group.iter().filter(|one| one.language != own.language);
        let ids: Vec<Value> = others.clone().map(|one| one.id.as_str().into()).collect();
        let mut alike = others.filter(|one| one.index == own.index && one.segment == own.segment);
        if let (Some(_), Some(segment), Some(language)) =
            (alike.next(), &own.segment, &own.language)
        {
            entry.segment = Some(format!("{segment}-{language}"));
        }
        entry.set("translations", ids);
    }
}

/// A text in one of several languages.
struct Version {
    id: String,
    /// Language of the version. `None` means the site's main language.
    language: Option<String>,
    /// Index of the language in the new site.
    index: usize,
    segment: Option<String>,
}

impl Version {
    fn of(entry: &Entry, languages: &Languages) -> Self {
        let language = entry.text("language");
        Self {
            id: entry.id().to_owned(),
            language: language.map(str::to_owned),
            index: languages.index(language),
            segment: entry.segment.clone(),
        }
    }
}

/// Advises to add the languages of a source that the site does not have.
pub fn advise(found: &Found, config: &Config, outcome: &mut Outcome) {
    let Some(source) = &found.languages else { return };
    let own = &config.languages;
    let is_known = |tag: &String| own.others.iter().chain(&own.default).any(|own| own == tag);
    if source.languages.others.iter().all(is_known) {
        return;
    }
    let message = format!(
        "the source has several languages; to give each its own pages, add these lines to site.toml:\n{}",
        table(&source.languages)
    );
    outcome.notes.push(Note::new(message, "site.toml"));
}

/// Returns the table `[languages]` of `site.toml`.
pub fn table(languages: &Languages) -> String {
    let quoted = |tag: &String| Value::from(tag.as_str()).to_string();
    let default = languages.default.iter().map(quoted).collect::<String>();
    let others: Vec<String> = languages.others.iter().map(quoted).collect();
    let untranslated = match languages.untranslated {
        model::Untranslated::Omit => "",
        model::Untranslated::Show => "untranslated = \"show\"\n",
    };
    format!("[languages]\ndefault = {default}\nothers = [{}]\n{untranslated}", others.join(", "))
}

/// Adds the path of a language to the targets of redirects from its former lists and feeds. Redirects
/// the former home page of a language whose path changes, such as `/cn/`.
pub fn mount_redirects(found: &mut Found, languages: &Languages) {
    let Some(source) = &found.languages else { return };
    for other in source.others.iter().filter(|other| !other.path.is_empty()) {
        let Some(at) = languages.others.iter().position(|tag| *tag == other.tag) else { continue };
        let mount = languages.mount(at + 1);
        for (from, to) in &mut found.redirects {
            if is_below(from, &other.path) && to.starts_with('/') && !is_below(to, &mount) {
                to.insert_str(0, &mount);
            }
        }
        if other.path != mount {
            found.redirects.push((format!("{}/", other.path), format!("{mount}/")));
        }
    }
}

/// Returns whether a path is a folder or below it.
fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder).filter(|_| !folder.is_empty());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
