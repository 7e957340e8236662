//! Imports a WordPress export: posts, pages, drafts, files, and data from plugins.
//!
//! | file | contents |
//! | --- | --- |
//! | `library` | uploaded files and reusable blocks, which posts refer to by id |
//! | `blocks` | posts of the block editor |
//! | `parts` | the starts and ends of blocks |
//! | `codes` | the syntax of shortcodes, and detection of shortcodes that restrict who sees their contents |
//! | `languages` | languages and translations, from Polylang and WPML |
//! | `shortcodes` | conversion of shortcodes such as `[gallery ids="1,2"]` |
//! | `autop` | paragraphs of the classic editor |
//! | `restricted` | content that membership plugins show only to some visitors |
//! | `plugins` | data of plugins for podcasts and search engines |

mod autop;
mod blocks;
mod codes;
mod languages;
mod library;
mod parts;
mod plugins;
mod restricted;
mod shortcodes;

use std::collections::HashSet;

use feeds::{Feed, StoredData, Text, WordPress};

use super::found::{Note, note};
pub use languages::find as find_languages;
use library::Library;
use restricted::Rules;

/// Post types that become items and pages. `podcast` and `episode` come from podcast plugins.
const TEXTS: [&str; 4] = ["post", "page", "podcast", "episode"];

/// Converts the posts and pages of an export. Entries of other types are left out and reported.
pub fn entries(feed: &mut Feed, notes: &mut Vec<Note>, name: &str) {
    languages::read_wpml(feed);
    let (library, rules) = (Library::of(feed), Rules::of(feed));
    let links = feed.items.iter().filter_map(|item| path_of(item.link.as_deref()?));
    let mut taken: HashSet<String> = links.collect();
    let mut report = |message: String, line: usize| {
        note(notes, message, format!("{name}:{line}"));
    };
    let mut lists = Vec::new();
    feed.items.retain_mut(|item| {
        let Some(entry) = item.wordpress.clone() else {
            return true;
        };
        let line = item.line;
        let title = item.title.clone().map_or_else(String::new, super::texts::plain);
        match (entry.kind.as_str(), entry.status.as_str()) {
            // Files and reusable blocks are imported together with the posts that use them.
            ("attachment" | "wp_block" | "revision", _) => return false,
            (_, "trash" | "auto-draft") => {
                report(format!("“{title}” is in the trash; it was left out"), line);
                return false;
            }
            (kind, _) if TEXTS.contains(&kind) => {}
            (kind, _) => {
                report(format!("entries of the type `{kind}` were left out"), line);
                return false;
            }
        }
        if entry.comments > 0 {
            report("comments were left out".to_owned(), line);
        }
        if let Some(Text::Html(html)) = item.content.take() {
            let mut read = blocks::read(&html, &entry, &library);
            for message in read.notes.drain(..) {
                report(format!("“{title}”: {message}"), line);
            }
            let html = library.with_links(&library.with_alternatives(&read.html));
            item.content = Some(Text::Html(html));
        }
        let hidden = hidden(&entry, &rules);
        if hidden.is_none() && entry.kind != "page" {
            let terms = entry.terms.iter();
            let below = language_path(item.link.as_deref(), item.language.as_deref());
            lists.extend(terms.map(|(path, name)| (below.clone() + &decoded(path), name.clone())));
        }
        let files = item.stored.take().map(|stored| stored.files);
        item.stored = Some(StoredData {
            files: files.unwrap_or_default(),
            ..stored(&entry, hidden, former_paths(&entry, item.link.as_deref(), &mut taken))
        });
        plugins::add_plugin_data(item, &entry, &library);
        true
    });
    lists.sort();
    lists.dedup();
    feed.tag_paths.append(&mut lists);
}

/// Returns the reason why an entry is not public, or `None` if it is public.
fn hidden(entry: &WordPress, rules: &Rules) -> Option<String> {
    let why = match entry.status.as_str() {
        "publish" if entry.has_password => "has a password",
        "publish" => return rules.restriction(entry),
        "draft" => "is a draft",
        "pending" => "is pending review",
        "private" => "is private",
        "future" => "was scheduled for later",
        status => return Some(format!("has the status {status:?}")),
    };
    Some(why.to_owned())
}

/// Returns the start of an entry's path that contains its language, such as `/de`.
fn language_path(link: Option<&str>, language: Option<&str>) -> String {
    let path = language.map(|language| format!("/{language}")).unwrap_or_default();
    let is_below = link.and_then(path_of).is_some_and(|link| link.starts_with(&format!("{path}/")));
    if is_below { path } else { String::new() }
}

/// Returns data about an entry that a feed does not contain.
fn stored(entry: &WordPress, hidden: Option<String>, former: Vec<String>) -> StoredData {
    let mut stored = StoredData {
        is_page: entry.kind == "page",
        hidden,
        segment: Some(entry.name.clone()),
        translation_key: entry.translations.clone(),
        ..StoredData::default()
    };
    if !former.is_empty() {
        stored.fields.insert("aliases".to_owned(), former.into());
    }
    if stored.is_page && entry.order > 0 {
        stored.fields.insert("navigation_order".to_owned(), entry.order.into());
    }
    stored
}

/// Returns the percent-decoded path of an address, or `None` for the home page.
fn path_of(link: &str) -> Option<String> {
    let url = fetch::Url::parse(link).ok()?;
    Some(decoded(url.path())).filter(|path| path != "/")
}

fn decoded(path: &str) -> String {
    let path = percent_encoding::percent_decode_str(path);
    path.decode_utf8_lossy().into_owned()
}

/// Returns the paths of an entry's former slugs, which WordPress redirects to the entry. Paths in
/// `taken` are left out.
fn former_paths(entry: &WordPress, link: Option<&str>, taken: &mut HashSet<String>) -> Vec<String> {
    let Some(path) = link.and_then(path_of) else {
        return Vec::new();
    };
    let end = if path.ends_with('/') { "/" } else { "" };
    let folder = path.trim_end_matches('/').rsplit_once('/').map_or("", |(folder, _)| folder);
    let names = entry.meta.iter().filter(|(key, name)| key == "_wp_old_slug" && !name.is_empty());
    let paths = names.map(|(_, name)| format!("{folder}/{}{end}", decoded(name)));
    paths.filter(|path| taken.insert(path.clone())).collect()
}
