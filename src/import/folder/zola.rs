//! Zola: `content/`, sections, `@/` links, shortcodes.

mod feeds;

use std::collections::BTreeMap;

use serde_json::Value;

use super::data::{self, Data};
use super::fields::aliases;
use super::globs::{Globs, Style};
use super::hugo::{SERIES, is_alone};
use super::shown::judged;
use super::slug;
use super::source::{Asked, Source, Text, dated};
use super::tags::{Form, Instead, Tag, common};
use super::tree::{Tree, ending, split};
use crate::import::naming::key;

const FORMS: &[Form] = &[("{{", "}}"), ("{%", "%}")];
const READ: &[&str] = &[
    "base_url",
    "title",
    "description",
    "default_language",
    "languages",
    "author",
    "taxonomies",
    "generate_feed",
    "taxonomy_root",
    "generate_feeds",
    "feed_filename",
    "feed_filenames",
    "extra",
    "slugify",
    // How Zola runs.
    "theme",
    "compile_sass",
    "build_search_index",
    "minify_html",
    "output_dir",
    "markdown",
    "search",
    "link_checker",
    "hard_link_static",
    "ignored_content",
    "ignored_static",
    "translations",
];

/// A section: what its `_index.md` says.
struct Section {
    folder: String,
    language: Option<String>,
    sorted_by_date: bool,
    has_feed: bool,
}

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let file = ["config.toml", "zola.toml"].into_iter().find(|path| tree.has(path));
    let settings = file.and_then(|file| data::of_file(file, &tree.text(file)?));
    let Some(settings) = settings.filter(|settings| data::get(settings, "base_url").is_some())
    else {
        return Err("no site of Zola: it has no config.toml with a base_url".into());
    };
    let mut source = Source::new("a site of Zola", FORMS, translate);
    source.take_settings(
        &settings,
        "base_url",
        &[
            ("title", "title"),
            ("description", "description"),
            ("default_language", "language"),
            ("author", "authors"),
            ("extra.author", "authors"),
            ("extra.copyright", "copyright"),
        ],
    );
    source.roots = vec!["static/".into()];
    source.values = settings.get("extra").and_then(Value::as_object).cloned().unwrap_or_default();
    (source.silent, source.deciding) = judged(tree, &["templates/shortcodes/"], "body");
    let lists = texts(tree, &settings, &mut source);
    feeds::redirect(&lists, &settings, &mut source);
    source.left_settings(&settings, READ, "config.toml");
    let own: Vec<String> = source
        .values
        .keys()
        .filter(|key| !matches!(&***key, "author" | "copyright"))
        .map(|key| format!("`extra.{key}`"))
        .collect();
    if !own.is_empty() {
        source.note(
            format!("settings of the theme that have no place here: {}", own.join(", ")),
            "config.toml",
        );
    }
    Ok(source)
}

struct Reading {
    ignored: Globs,
    /// Folders whose section is a draft, with the file that says so.
    drafts: Vec<(String, String)>,
}

impl Reading {
    fn of(tree: &mut Tree, settings: &Data, source: &mut Source) -> Self {
        let patterns = data::get(settings, "ignored_content").cloned();
        let patterns = patterns.map(data::texts).unwrap_or_default();
        let style = Style { crosses_folders: true, ignores_case: false };
        let (ignored, unreadable) = Globs::of(patterns.iter().map(String::as_str), style);
        for pattern in unreadable {
            let message = format!("the pattern `{pattern}` of `ignored_content` cannot be read");
            source.note(message, "config.toml");
        }
        let is_list = |path: &&String| split(path).1.starts_with("_index.");
        let lists: Vec<String> = tree.below("content/").filter(is_list).cloned().collect();
        let mut drafts = Vec::new();
        for path in lists {
            let notes = source.notes.len();
            let text = source.read(tree, &path);
            // The file is read again later, and its faults are reported then.
            source.notes.truncate(notes);
            let flag = text.and_then(|text| data::get(&text.fields, "draft").cloned());
            if flag.is_some_and(|flag| !data::is_no(&flag)) {
                drafts.push((format!("{}/", split(&path).0), path));
            }
        }
        Self { ignored, drafts }
    }

    /// The reason why Zola does not read a file.
    fn ignores(&self, tree: &Tree, path: &str) -> bool {
        let whole = tree.files.get(path).map(|file| file.to_string_lossy().into_owned());
        self.ignored.matches(path) || whole.is_some_and(|whole| self.ignored.matches(&whole))
    }

    fn hide(&self, text: &mut Text) {
        let draft = data::take(&mut text.fields, &["draft"]);
        if draft.is_some_and(|draft| !data::is_no(&draft)) {
            text.hide("`draft = true`");
        }
        let render = data::take(&mut text.fields, &["render"]);
        if render.is_some_and(|render| data::is_no(&render)) {
            text.hide("`render = false`");
        }
        let mut drafts = self.drafts.iter();
        if let Some((_, place)) = drafts.find(|(folder, _)| text.path.starts_with(folder.as_str()))
        {
            text.hide(format!("`draft = true` of its section in {place}"));
        }
    }
}

fn texts(tree: &mut Tree, settings: &Data, source: &mut Source) -> Vec<Section> {
    let reading = Reading::of(tree, settings, source);
    let languages: Vec<String> = data::get(settings, "languages")
        .and_then(Value::as_object)
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default();
    let paths: Vec<String> =
        tree.below("content/").filter(|path| ending(path).1 == "md").cloned().collect();
    let mut sections: Vec<Section> = Vec::new();
    for path in &paths {
        let (folder, name) = split(path);
        let (stem, language) = language_of(ending(name).0, &languages);
        let is_list = stem == "_index";
        let prefix = format!("{folder}/");
        if reading.ignores(tree, path) {
            source.leave(path, "`ignored_content` in config.toml");
            continue;
        }
        let Some(mut text) = source.read(tree, path) else {
            continue;
        };
        let feed = ["generate_feeds", "generate_feed"].iter().any(|key| {
            data::take(&mut text.fields, &[key]).is_some_and(|flag| data::is_yes(&flag))
        });
        reading.hide(&mut text);
        let is_alone = is_list && is_alone(tree, &prefix);
        if is_list {
            let sorted_by_date = data::text_at(&text.fields, "sort_by")
                .is_some_and(|key| key == "date" || key == "update_date");
            sections.push(Section {
                folder: folder.to_owned(),
                language: language.clone(),
                sorted_by_date,
                has_feed: feed && text.hidden.is_none(),
            });
            if let Some(target) = data::take(&mut text.fields, &["redirect_to"]) {
                let target = data::text(&target).unwrap_or_default();
                source.leave(path, format!("its page redirects to {target}"));
                continue;
            }
            if folder == "content" || !is_alone || text.body.trim().is_empty() {
                source.left_list(&text);
                continue;
            }
            for key in [
                "sort_by",
                "template",
                "page_template",
                "paginate_by",
                "transparent",
                "insert_anchor_links",
            ] {
                text.fields.remove(key);
            }
        }
        text.language = language;
        text.same = Some(format!("{folder}/{stem}"));
        if stem == "index" {
            text.folder = Some(prefix);
        }
        let above = if matches!(stem, "index" | "_index") { split(folder).0 } else { folder };
        let name = if matches!(stem, "index" | "_index") { split(folder).1 } else { stem };
        let bare = dated(name);
        text.date = bare.map(|(day, _)| day.to_owned());
        let name = bare.map_or(name, |(_, rest)| rest);
        let slug = data::take(&mut text.fields, &["slug"]).as_ref().and_then(data::text);
        let path_of = data::take(&mut text.fields, &["path"]).as_ref().and_then(data::text);
        let prefix =
            text.language.as_ref().map_or_else(String::new, |language| format!("{language}/"));
        let above: Vec<String> = above.split('/').skip(1).map(slug::ascii).collect();
        let own = slug::ascii(slug.as_deref().unwrap_or(name));
        let parts: Vec<&str> = above.iter().map(String::as_str).chain([own.as_str()]).collect();
        let address = path_of.unwrap_or_else(|| format!("{prefix}{}", parts.join("/")));
        text.address = Some(format!("/{}/", address.trim_matches('/')));
        text.segment = Some(own);
        text.aliases = aliases(&mut text.fields, &["aliases"], "");
        source.texts.push(text);
    }
    let folder_of = |text: &Text| match &text.folder {
        Some(own) => split(own.trim_end_matches('/')).0.to_owned(),
        None => split(&text.path).0.to_owned(),
    };
    let has_date = |text: &Text| data::get(&text.fields, "date").is_some() || text.date.is_some();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for text in &source.texts {
        let (all, dated) = counts.entry(folder_of(text)).or_default();
        *all += 1;
        *dated += usize::from(has_date(text));
    }
    let is_series = |folder: &str, (all, dated): (usize, usize)| {
        let is_sorted = sections.iter().any(|section| {
            let below = folder.strip_prefix(&section.folder);
            section.sorted_by_date
                && below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        });
        let named = folder.split('/').nth(1);
        is_sorted || dated * 2 > all || named.is_some_and(|name| SERIES.contains(&name))
    };
    let series: Vec<String> = counts
        .into_iter()
        .filter(|(folder, count)| folder != "content" && is_series(folder, *count))
        .map(|(folder, _)| folder)
        .collect();
    let home_is_list =
        sections.iter().any(|section| section.folder == "content" && section.sorted_by_date);
    for text in &mut source.texts {
        let folder = folder_of(text);
        text.is_page =
            !(series.contains(&folder) || folder == "content" && home_is_list && has_date(text));
    }
    let taken: Vec<String> =
        source.texts.iter().filter_map(|text| text.address.as_deref().map(key)).collect();
    let lists = series.iter().filter_map(|folder| folder.strip_prefix("content/"));
    let lists = lists.map(|list| list.split('/').map(slug::ascii).collect::<Vec<_>>().join("/"));
    let lists = lists
        .filter(|list| !taken.contains(list))
        .map(|list| (format!("/{list}/"), "/".to_owned()));
    source.redirects.extend(lists);
    sections
}

/// A name without the language at its end.
fn language_of<'n>(stem: &'n str, languages: &[String]) -> (&'n str, Option<String>) {
    let parted =
        stem.rsplit_once('.').filter(|(_, suffix)| languages.iter().any(|name| name == suffix));
    parted.map_or((stem, None), |(stem, suffix)| (stem, Some(suffix.to_owned())))
}

fn translate(tag: &Tag<'_>, asked: &Asked<'_>) -> Instead {
    let written = &tag.text[tag.span.clone()];
    if let Some(inner) = tag.inner.strip_prefix("/*") {
        let inner = inner.trim_end_matches("*/");
        return tag.by(format!("{}{inner}{}", tag.form.0, tag.form.1));
    }
    // Braces that are no call are text.
    let is_call = !tag.name.is_empty() && tag.inner[tag.name.len()..].trim_start().starts_with('(');
    if !is_call && tag.name != "end" {
        return tag.by(written);
    }
    match tag.name {
        name if tag.form.0 == "{%" && asked.source.silent.iter().any(|silent| silent == name) => {
            let (_, end) = tag.until("end")?;
            Some((String::new(), end))
        }
        "image" if tag.arguments.get("src").is_some() => common(tag, "figure"),
        name => common(tag, name),
    }
}
