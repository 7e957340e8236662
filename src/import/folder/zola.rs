//! Imports Zola sites: `content/`, sections, `@/` links, shortcodes.

mod feeds;

use std::collections::BTreeSet;

use super::data::{self, Data, texts_at};
use super::fields::{aliases, tag};
use super::front::Fences;
use super::globs::{Globs, Style};
use super::shown::judged_shortcodes;
use super::slug;
use super::source::{
    Description, Engine, Source, SourceLanguage, TagContext, Text, dated, without_day,
};
use super::tags::{Replacement, Tag, common};
use super::tree::{Tree, ending, split};
use super::walk::{SERIES, Use, is_only_text, series, shows_list_texts};

pub const ZOLA: Description = Description {
    kind: "Zola site",
    without: &["public", "themes"],
    fences: Fences::Plain,
    engine: Engine { forms: &[("{{", "}}"), ("{%", "%}")], conditions: &[] },
    translate,
    address: &["base_url"],
    settings: &[
        ("title", "title"),
        ("description", "description"),
        ("default_language", "language"),
        ("author", "authors"),
        ("extra.author", "authors"),
        ("extra.copyright", "copyright"),
    ],
    others: "languages taxonomies generate_feed taxonomy_root generate_feeds feed_filename \
        feed_filenames slugify theme compile_sass build_search_index minify_html output_dir \
        markdown search link_checker hard_link_static ignored_content ignored_static \
        translations",
    theme: "extra",
    read,
};

/// The properties of a section, from its `_index.md`.
struct Section {
    folder: String,
    language: Option<String>,
    sorted_by_date: bool,
    has_feed: bool,
}

fn read(tree: &mut Tree) -> Result<Source, String> {
    let file = ["config.toml", "zola.toml"].into_iter().find(|path| tree.has(path));
    let settings = file.and_then(|file| data::of_file(file, &tree.text(file)?));
    let Some(settings) = settings.filter(|settings| data::get(settings, "base_url").is_some())
    else {
        return Err("not a Zola site: it has no config.toml with a `base_url`".into());
    };
    let mut source = Source::new(&ZOLA, &settings, Data::new());
    source.roots = vec!["static/".into()];
    (source.silent, source.deciding) = judged_shortcodes(tree, &["templates/shortcodes/"], "body");
    source.languages = languages(&settings, &source);
    let is_template =
        |path: &str| path.starts_with("templates/") && !path.starts_with("templates/shortcodes/");
    let has_theme = data::get(&settings, "theme").is_some();
    source.shows_list_texts = shows_list_texts(tree, &is_template, "section.content", has_theme);
    let (sections, lists) = texts(tree, &settings, &mut source);
    let series = sort(&sections, &mut source);
    add_sections(lists, &mut source);
    redirect_lists(&series, &mut source);
    feeds::redirect(&sections, &settings, &mut source);
    source.report_unread_settings(&settings, "config.toml");
    Ok(source)
}

/// Returns the languages in the settings, starting with the default language.
fn languages(settings: &Data, source: &Source) -> Vec<SourceLanguage> {
    let default = data::text_at(settings, "default_language").unwrap_or_else(|| "en".into());
    let named = data::table_at(settings, "languages").into_iter().flatten();
    let others = named.filter(|(name, _)| **name != default).map(|(name, own)| {
        let texts = ["title", "description"]
            .into_iter()
            .filter_map(|key| Some((key.to_owned(), data::text_at(own.as_object()?, key)?.into())));
        SourceLanguage { tag: tag(name), path: format!("/{name}"), channel: texts.collect() }
    });
    let others: Vec<SourceLanguage> = others.collect();
    if others.is_empty() {
        return others;
    }
    let channel = source.channel.clone();
    let main = SourceLanguage { tag: tag(&default), path: String::new(), channel };
    std::iter::once(main).chain(others).collect()
}

impl Section {
    fn of(text: &Text, folder: &str, has_feed: bool) -> Self {
        let order = data::text_at(&text.fields, "sort_by");
        Self {
            folder: folder.to_owned(),
            language: text.language.clone(),
            sorted_by_date: order.is_some_and(|key| key == "date" || key == "update_date"),
            has_feed,
        }
    }
}

struct Reading {
    ignored: Globs,
    /// Folders of draft sections, each with the `_index.md` file that sets `draft`.
    drafts: Vec<(String, String)>,
}

impl Reading {
    fn of(tree: &mut Tree, settings: &Data, source: &mut Source) -> Self {
        let patterns = texts_at(settings, "ignored_content");
        let (ignored, unreadable) = Globs::of(patterns, Style::CROSSING);
        for pattern in unreadable {
            let message =
                format!("the pattern `{pattern}` of `ignored_content` is invalid and was ignored");
            source.note(message, "config.toml");
        }
        let is_list = |path: &&String| split(path).1.starts_with("_index.");
        let lists: Vec<String> = tree.below("content/").filter(is_list).cloned().collect();
        let mut drafts = Vec::new();
        for path in lists {
            let notes = source.notes.len();
            let text = source.read(tree, &path);
            // Errors in this file are discarded here. They are reported when the file is read
            // again.
            source.notes.truncate(notes);
            let flag = text.and_then(|text| data::get(&text.fields, "draft").cloned());
            if flag.is_some_and(|flag| !data::is_false(&flag)) {
                drafts.push((format!("{}/", split(&path).0), path));
            }
        }
        Self { ignored, drafts }
    }

    /// Returns whether the settings exclude a file.
    fn ignores(&self, tree: &Tree, path: &str) -> bool {
        let whole = tree.files.get(path).map(|file| file.to_string_lossy().into_owned());
        self.ignored.matches(path) || whole.is_some_and(|whole| self.ignored.matches(&whole))
    }

    fn hide(&self, text: &mut Text) {
        let draft = data::take(&mut text.fields, &["draft"]);
        if draft.is_some_and(|draft| !data::is_false(&draft)) {
            text.hide("`draft = true`");
        }
        if data::take_false(&mut text.fields, "render") {
            text.hide("`render = false`");
        }
        let mut drafts = self.drafts.iter();
        if let Some((_, place)) = drafts.find(|(folder, _)| text.path.starts_with(folder.as_str()))
        {
            text.hide(format!("`draft = true` in its section, {place}"));
        }
    }
}

/// Reads the content files, and the sections in `_index.md` files. Also returns the texts of lists
/// with further content.
fn texts(tree: &mut Tree, settings: &Data, source: &mut Source) -> (Vec<Section>, Vec<Text>) {
    let reading = Reading::of(tree, settings, source);
    let languages = data::table_at(settings, "languages");
    let languages: Vec<String> = languages.into_iter().flat_map(Data::keys).cloned().collect();
    let judge = |tree: &Tree, path: &str| match path.starts_with("content/") {
        true if ending(path).1 != "md" => Use::Other,
        true if reading.ignores(tree, path) => {
            Use::skipped("excluded by `ignored_content` in config.toml")
        }
        true => Use::Text(()),
        false => Use::Other,
    };
    let mut sections: Vec<Section> = Vec::new();
    let mut lists = Vec::new();
    source.walk(tree, &judge, &mut |mut text, (), source, tree| {
        let path = text.path.clone();
        let (folder, name) = split(&path);
        let (stem, language) = language_of(ending(name).0, &languages);
        let prefix = language.iter().cloned();
        text.language = language.as_deref().map(tag);
        let mut flags = ["generate_feeds", "generate_feed"].iter();
        let has_feed = flags.any(|key| data::take_true(&mut text.fields, key));
        reading.hide(&mut text);
        if stem == "_index" {
            let has_feed = has_feed && text.hidden.is_none();
            sections.push(Section::of(&text, folder, has_feed));
            if redirects_elsewhere(&mut text, source) {
                return;
            }
            LIST_KEYS.iter().for_each(|key| drop(text.fields.remove(*key)));
            let is_alone = folder != "content" && is_only_text(tree, &format!("{folder}/"));
            text.is_section = !is_alone || text.body.trim().is_empty();
        }
        text.same = Some(format!("{folder}/{stem}"));
        if stem == "index" {
            text.folder = Some(format!("{folder}/"));
        }
        let (above, name) =
            if matches!(stem, "index" | "_index") { split(folder) } else { (folder, stem) };
        text.date = dated(name).map(|(day, _)| day.to_owned());
        let slug = data::take_text(&mut text.fields, &["slug"]);
        let own = slug::ascii(slug.as_deref().unwrap_or(without_day(name)));
        let stated = data::take_text(&mut text.fields, &["path"]);
        text.states_address = stated.is_some();
        let folders: Vec<String> = above.split('/').skip(1).map(slug::ascii).collect();
        text.item_folder = folders.join("/");
        let address = stated.unwrap_or_else(|| {
            let parts = prefix.chain(folders).chain([own.clone()]);
            parts.collect::<Vec<_>>().join("/")
        });
        text.address = Some(format!("/{}/", address.trim_matches('/')));
        text.segment = Some(own);
        text.aliases = aliases(&mut text.fields, &["aliases"], "");
        let list = if text.is_section { &mut lists } else { &mut source.texts };
        list.push(text);
    });
    (sections, lists)
}

/// Front matter keys that only list pages use.
const LIST_KEYS: [&str; 6] =
    ["sort_by", "template", "page_template", "paginate_by", "transparent", "insert_anchor_links"];

/// Adds the texts of sections that contain items, and reports the texts of other lists.
fn add_sections(lists: Vec<Text>, source: &mut Source) {
    let folder = |text: &Text| split(&text.path).0.strip_prefix("content/").map(str::to_owned);
    let is_below = |path: &str, folder: &str| {
        let rest = path.strip_prefix("content/").and_then(|path| path.strip_prefix(folder));
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let is_language = |folder: &str| {
        let first = folder.split('/').next().unwrap_or_default();
        source.languages.iter().any(|own| own.tag.eq_ignore_ascii_case(first))
    };
    let has_items = |folder: &String| {
        let mut items = source.texts.iter().filter(|text| !text.is_page);
        !is_language(folder) && items.any(|text| is_below(&text.path, folder))
    };
    let folders: BTreeSet<String> = lists.iter().filter_map(folder).filter(has_items).collect();
    for text in source.texts.iter_mut().filter(|text| !text.is_page) {
        let own = folders.iter().filter(|folder| is_below(&text.path, folder));
        let innermost = own.max_by_key(|folder| folder.len());
        text.section = innermost.cloned().unwrap_or_default();
    }
    for text in lists {
        match folder(&text).filter(|folder| folders.contains(folder)) {
            Some(folder) => source.add_section(text, folder),
            None => source.report_left_list(&text),
        }
    }
}

/// Reports a list page that only redirects.
fn redirects_elsewhere(text: &mut Text, source: &mut Source) -> bool {
    let Some(target) = data::take(&mut text.fields, &["redirect_to"]) else { return false };
    let target = data::text(&target).unwrap_or_default();
    source.report_unpublished(&*text.path, format!("its page redirects to {target}"));
    true
}

/// Decides which content files are items, and which are pages. Returns the folders of items.
fn sort(sections: &[Section], source: &mut Source) -> Vec<String> {
    let folder_of = |text: &Text| match &text.folder {
        Some(own) => split(own.trim_end_matches('/')).0.to_owned(),
        None => split(&text.path).0.to_owned(),
    };
    let folders: Vec<String> = source.texts.iter().map(folder_of).collect();
    let is_series = |folder: &str| {
        let is_sorted = sections.iter().any(|section| {
            let below = folder.strip_prefix(&section.folder);
            section.sorted_by_date
                && below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        });
        is_sorted || folder.split('/').nth(1).is_some_and(|name| SERIES.contains(&name))
    };
    let placed = folders.iter().map(String::as_str).zip(&source.texts);
    let series = series(placed.filter(|(folder, _)| *folder != "content"), &is_series);
    let home_is_list =
        sections.iter().any(|section| section.folder == "content" && section.sorted_by_date);
    for (folder, text) in folders.iter().zip(&mut source.texts) {
        let is_at_home = folder == "content" && home_is_list && text.has_date();
        text.is_page = !series.contains(folder) && !is_at_home;
    }
    series
}

/// Redirects the lists of items, which are not sections, in each language.
fn redirect_lists(series: &[String], source: &mut Source) {
    let lists = series.iter().filter_map(|folder| folder.strip_prefix("content/"));
    let lists = lists.map(|list| list.split('/').map(slug::ascii).collect::<Vec<_>>().join("/"));
    let mut paths: Vec<&str> = source.languages.iter().map(|own| own.path.as_str()).collect();
    if paths.is_empty() {
        paths.push("");
    }
    let lists = lists.flat_map(|list| {
        paths.iter().map(move |path| format!("{path}/{list}")).collect::<Vec<_>>()
    });
    let lists: Vec<String> = lists.map(|list| list.trim_start_matches('/').to_owned()).collect();
    source.redirect_lists(lists);
}

/// Splits a language suffix off a file name's stem.
fn language_of<'n>(stem: &'n str, languages: &[String]) -> (&'n str, Option<String>) {
    let parted =
        stem.rsplit_once('.').filter(|(_, suffix)| languages.iter().any(|name| name == suffix));
    parted.map_or((stem, None), |(stem, suffix)| (stem, Some(suffix.to_owned())))
}

fn translate(tag: &Tag<'_>, asked: &TagContext<'_>) -> Replacement {
    let written = &tag.text[tag.span.clone()];
    if let Some(inner) = tag.inner.strip_prefix("/*") {
        let inner = inner.trim_end_matches("*/");
        return tag.replacement(format!("{}{inner}{}", tag.form.0, tag.form.1));
    }
    // Braces that do not call a shortcode are ordinary text.
    let is_call = !tag.name.is_empty() && tag.inner[tag.name.len()..].trim_start().starts_with('(');
    if !is_call && tag.name != "end" {
        return tag.replacement(written);
    }
    match tag.name {
        name if tag.form.0 == "{%" && asked.source.silent.iter().any(|silent| silent == name) => {
            tag.without_text("end")
        }
        "image" if tag.arguments.get("src").is_some() => common(tag, "figure"),
        name => common(tag, name),
    }
}
