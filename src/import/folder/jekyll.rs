//! Imports Jekyll sites: `_posts/`, `_drafts/`, collections, pages, Liquid.

mod feeds;
mod languages;
mod plugins;
mod reading;
mod translated;

use serde_json::Value;

use reading::{Kind, Reading, defaults};
use translated::Translations;

use super::data::{self, Data, texts_at};
use super::dates::short_day;
use super::fields::aliases;
use super::front::Fences;
use super::kramdown;
use super::liquid::{self, LIQUID, expression};
use super::slug;
use super::source::{Description, Engine, Source, TagContext, Text, date_token, expand_pattern};
use super::tags::{Replacement, Tag};
use super::tree::{Tree, ending, is_markdown, is_text, kind, split};
use super::walk::{OTHER_FORMAT, SERIES, TEMPLATE_PAGE, Use};
use crate::found::to_text;
use crate::naming::key;

pub const JEKYLL: Description = Description {
    kind: "Jekyll site",
    without: &["_site"],
    fences: Fences::Dots,
    engine: LIQUID,
    translate,
    address: &["url", "baseurl"],
    settings: &[
        ("title", "title"),
        ("name", "title"),
        ("description", "description"),
        ("lang", "language"),
        ("locale", "language"),
        ("author", "authors"),
        ("copyright", "copyright"),
        ("timezone", "timezone"),
        ("paginate", "items_per_page"),
    ],
    others: "permalink collections defaults header_pages exclude include collections_dir \
        paginate_path theme remote_theme plugins gems markdown highlighter kramdown sass \
        livereload port host incremental safe encoding source destination future unpublished \
        show_drafts limit_posts feed languages default_lang exclude_from_localization \
        parallel_localization lang_from_path default_locale_in_subfolder \
        exclude_from_localizations jekyll-archives",
    theme: "",
    read,
};

fn read(tree: &mut Tree) -> Result<Source, String> {
    let file =
        ["_config.yml", "_config.yaml", "_config.toml"].into_iter().find(|path| tree.has(path));
    let settings = file.and_then(|file| data::of_file(file, &tree.text(file)?));
    let has_posts = tree.files.keys().any(|path| path.split('/').any(|part| part == "_posts"));
    if settings.is_none() && !has_posts {
        return Err("not a Jekyll site: it has no _config.yml and no folder `_posts`".into());
    }
    let settings = settings.unwrap_or_default();
    let (silent, deciding) = plugins::blocks(tree);
    if let Some(folder) = data::text_at(&settings, "source") {
        tree.restrict_to(&folder);
    }
    let mut source = Source::new(&JEKYLL, &settings, authors(tree));
    (source.silent, source.deciding) = (silent, deciding);
    source.roots = vec![String::new()];
    source.values = settings.clone();
    let reading = Reading::of(&settings);
    for name in texts_at(&settings, "include") {
        if name.starts_with('.') && name != ".htaccess" {
            source.note("a hidden file or folder listed in `include` was not imported", name);
        }
    }
    texts(tree, &reading, &settings, &mut source);
    languages::read(&settings, &mut source);
    let mut plugins = ["plugins", "gems"].iter().flat_map(|key| texts_at(&settings, key));
    if plugins.any(|name| name == "jekyll-feed") {
        for text in source.texts.iter_mut().filter(|text| !text.is_page) {
            text.guid = guid(text, source.base_url.as_ref());
        }
    }
    feeds::redirect(tree, &reading, &settings, &mut source);
    languages::repeat_redirects(&settings, &mut source);
    feeds::redirect_archives(&settings, &mut source);
    for (page, order) in texts_at(&settings, "header_pages").iter().zip(1..) {
        let text = source.texts.iter().find(|text| text.path == *page);
        if let Some(address) = text.and_then(|text| text.address.as_deref()) {
            source.navigation.insert(key(address), (None, order));
        }
    }
    source.report_unread_settings(&settings, "_config.yml");
    Ok(source)
}

/// Returns the guid that the plugin `jekyll-feed` writes: the address without its file extension.
fn guid(text: &Text, base: Option<&fetch::Url>) -> Option<String> {
    let address = text.address.as_deref()?.trim_end_matches('/');
    let slug = text.segment.as_deref()?;
    Some(format!(
        "{}{}/{slug}",
        base?.as_str().trim_end_matches('/'),
        match address.rsplit_once('/') {
            Some((folder, _)) if !text.address.as_deref()?.ends_with('/') => folder,
            _ => split(address).0,
        }
    ))
}

fn authors(tree: &mut Tree) -> Data {
    let files = ["_data/authors.yml", "_data/authors.yaml", "_data/authors.json"];
    let held = files.into_iter().find_map(|file| data::of_file(file, &tree.text(file)?));
    held.unwrap_or_default()
}

fn texts(tree: &mut Tree, reading: &Reading, settings: &Data, source: &mut Source) {
    let mut translations = Translations::of(tree, settings);
    let is_translated = translations.has_languages();
    let judge = |_: &Tree, path: &str| match reading.kind(languages::without_language(path)) {
        _ if is_translated && translated::is_part(path) => Use::Other,
        found if !is_text(path) => {
            let is_post = matches!(found, Ok(Kind::Post(_)));
            let is_known = matches!(&*kind(path), "textile" | "adoc" | "rst" | "org");
            if is_known || is_post { Use::Noted(OTHER_FORMAT) } else { Use::Other }
        }
        Ok(kind) => Use::Text(kind),
        Err(reason) if is_markdown(path) => Use::Left(reason),
        Err(_) => Use::Other,
    };
    let mut posts = Vec::new();
    source.walk(tree, &judge, &mut |text, kind, source, tree| {
        // Only posts need no front matter. Jekyll copies other files without front matter
        // unchanged.
        if text.above == 0 && matches!(kind, Kind::Page | Kind::Of(_)) {
            let message =
                "a file without front matter was left out: Jekyll does not generate a page for it";
            return source.note(message, text.path);
        }
        let versions = match kind {
            Kind::Page | Kind::Of(_) => translations.versions(text, tree),
            Kind::Post(_) | Kind::Draft => vec![text],
        };
        for mut text in versions {
            let permalink = data::text_at(&text.fields, "permalink");
            text.states_address = permalink.is_some_and(|permalink| !permalink.contains(':'));
            text.item_folder = reading.item_folder(languages::without_language(&text.path));
            defaults(&mut text, &kind, settings);
            let is_plain = data::take_false(&mut text.fields, "render_with_liquid");
            text.engine = is_plain.then(Engine::default);
            hide(&mut text, &kind, reading, settings);
            if let Some(text) = complete(text, &kind, settings, source) {
                if matches!(kind, Kind::Post(_)) && text.hidden.is_none() {
                    posts.push(source.texts.len());
                }
                source.texts.push(text);
            }
        }
    });
    translations.report_unused(tree, source);
    limit(posts, settings, source);
}

/// Hides a content file that Jekyll does not publish.
fn hide(text: &mut Text, read_as: &Kind, reading: &Reading, settings: &Data) {
    let is_empty = text.empty.iter().any(|key| key == "published");
    let is_hidden = data::take_false(&mut text.fields, "published") || is_empty;
    if is_hidden && !data::is_set(settings, "unpublished") {
        text.hide("`published: false`");
    }
    if matches!(read_as, Kind::Draft) && !data::is_set(settings, "show_drafts") {
        text.hide("it is in `_drafts`");
    }
    if let Kind::Of(name) = read_as
        && !reading.has_pages(name)
    {
        text.hide(format!("the collection `{name}` has no `output: true`"));
    }
    // Themes omit content files with this flag from their lists.
    text.is_unlisted = data::take_true(&mut text.fields, "hidden");
}

/// Hides all except the newest posts if `limit_posts` is set.
fn limit(mut posts: Vec<usize>, settings: &Data, source: &mut Source) {
    let most = data::get(settings, "limit_posts").and_then(Value::as_u64);
    let most = most.and_then(|most| usize::try_from(most).ok());
    let Some(most) = most.filter(|most| *most > 0) else {
        return;
    };
    posts.sort_by_key(|at| std::cmp::Reverse(source.texts[*at].moment(&source.zone)));
    for at in posts.into_iter().skip(most) {
        source.texts[at].hide(format!("it exceeds `limit_posts: {most}` in the settings"));
    }
}

/// Completes a content file by Jekyll's rules, for example with its date and address.
fn complete(mut text: Text, kind: &Kind, settings: &Data, source: &mut Source) -> Option<Text> {
    let is_page = matches!(kind, Kind::Page);
    let stem = text.stem().to_owned();
    let (day, rest) = short_day(&stem).filter(|_| !is_page).unzip();
    text.date = day;
    text.segment = Some(rest.unwrap_or(&stem).to_owned());
    text.is_page = match kind {
        Kind::Page => true,
        Kind::Of(name) => !text.has_date() && !SERIES.contains(&name.as_str()),
        Kind::Post(_) | Kind::Draft => false,
    };
    if let Kind::Post(folders) = kind {
        text.tags = folders.clone();
    }
    if !is_page {
        ["tags", "categories"].iter().for_each(|key| part(&mut text.fields, key));
    }
    text.aliases = aliases(&mut text.fields, &["redirect_from", "aliases"], "");
    text.address = address(&text, kind, settings, source);
    if redirects_elsewhere(&mut text, source) {
        return None;
    }
    let is_made = || has_template(&text.body) || super::feeds::output_format(&text.body).is_some();
    if text.is_template() || (text.is_html && text.is_page && is_made()) {
        source.note(TEMPLATE_PAGE, &*text.path);
        return None;
    }
    data::take(&mut text.fields, &["permalink"]);
    text.segment = data::take_text(&mut text.fields, &["slug"]).or(text.segment);
    if !text.is_html {
        text.body = kramdown::plain(&text.body, &mut |what, line| {
            let place = format!("{}:{}", text.path, text.above + line);
            source.note(format!("the kramdown markup `{what}` was left out"), place);
        });
    }
    Some(text)
}

/// Splits a string of tags at its commas, or at its spaces if there are no commas.
fn part(fields: &mut Data, key: &str) {
    if let Some(Value::String(names)) = data::get(fields, key) {
        let names = names.split(if names.contains(',') { ',' } else { ' ' }).map(str::trim);
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        fields.insert(key.into(), names.into());
    }
}

/// If the page of a content file redirects to another address, adds the redirect and returns true.
/// Visitors never see the body of such a page.
fn redirects_elsewhere(text: &mut Text, source: &mut Source) -> bool {
    let target = data::take(&mut text.fields, &["redirect_to"]).map(data::texts);
    let Some(target) = target.and_then(|targets| targets.into_iter().next()) else {
        return false;
    };
    source.report_unpublished(&*text.path, format!("its page redirects to {target}"));
    let base = source.base_url.as_ref().map(|base| base.as_str().trim_end_matches('/').to_owned());
    let path = base.and_then(|base| target.strip_prefix(&base)).unwrap_or(&target);
    match &text.address {
        Some(from) if path.starts_with('/') && text.hidden.is_none() => {
            source.add_redirect(from.clone(), path.to_owned());
        }
        _ => {}
    }
    true
}

fn has_template(body: &str) -> bool {
    body.contains("{%")
        && ["for ", "assign ", "include ", "if "].iter().any(|word| body.contains(word))
}

fn address(text: &Text, read_as: &Kind, settings: &Data, source: &Source) -> Option<String> {
    let style = data::text_at(settings, "permalink").unwrap_or_else(|| "date".into());
    let own = data::text_at(&text.fields, "permalink");
    let dated = match &*style {
        "date" => "/:categories/:year/:month/:day/:title:output_ext",
        "pretty" => "/:categories/:year/:month/:day/:title/",
        "ordinal" => "/:categories/:year/:y_day/:title:output_ext",
        "weekdate" => "/:categories/:year/W:week/:short_day/:title:output_ext",
        "none" => "/:categories/:title:output_ext",
        own => own,
    };
    // The paths of pages, and of documents in collections, end in the same way as the paths of
    // posts.
    let end = match dated {
        dated if dated.ends_with('/') => "/",
        dated if dated.ends_with(":output_ext") => ":output_ext",
        _ => "",
    };
    let pattern = own.unwrap_or_else(|| match read_as {
        Kind::Post(_) | Kind::Draft => data::text_at(settings, "collections.posts.permalink")
            .unwrap_or_else(|| dated.to_owned()),
        Kind::Of(name) => {
            let own = data::text_at(settings, &format!("collections.{name}.permalink"));
            own.unwrap_or_else(|| format!("/:collection/:path{end}"))
        }
        Kind::Page if ending(split(&text.path).1).0 == "index" => "/:path/".to_owned(),
        Kind::Page => format!("/:path/:basename{end}"),
    });
    let (folder, name) = split(&text.path);
    let stem = text.segment.clone().unwrap_or_default();
    let slug = data::text_at(&text.fields, "slug").unwrap_or_else(|| stem.clone());
    let own = ["categories", "category"].iter().flat_map(|key| texts_at(&text.fields, key));
    let mut categories: Vec<String> = Vec::new();
    for category in text.tags.iter().cloned().chain(own).map(|name| name.to_lowercase()) {
        if !categories.contains(&category) {
            categories.push(category);
        }
    }
    let token = |token: &str| match token {
        "title" => Some(slug.replace(' ', "-")),
        "slug" => Some(slug::plain(&slug)),
        "categories" => Some(categories.join("/")),
        "slugified_categories" => {
            Some(categories.iter().map(|one| slug::plain(one)).collect::<Vec<_>>().join("/"))
        }
        "output_ext" => Some(".html".to_owned()),
        "basename" => Some(ending(name).0.to_owned()),
        "name" => Some(slug::plain(&stem)),
        "collection" => match read_as {
            Kind::Of(name) => Some(name.clone()),
            _ => None,
        },
        "path" => match read_as {
            Kind::Of(of) => Some(ending(text.path.split_once(&format!("_{of}/"))?.1).0.to_owned()),
            _ => Some(folder.to_owned()),
        },
        token => date_token(token, text.moment(&source.zone)?),
    };
    expand_pattern(&pattern, &token)
}

fn translate(tag: &Tag<'_>, asked: &TagContext<'_>) -> Replacement {
    if tag.form.0 == "{{" {
        let value = |name: &str| match name {
            "site.baseurl" => Some(String::new()),
            "site.url" => {
                asked.source.base_url.as_ref().map(|url| url.origin().ascii_serialization())
            }
            name => match name.split_once('.')? {
                ("site", key) => data::text_at(&asked.source.values, key),
                ("page", key) => data::text_at(&asked.text.fields, key),
                _ => None,
            },
        };
        return tag.replacement(expression(tag.inner, &value)?);
    }
    let texts = &asked.source.texts;
    let wanted = || {
        let path = tag.inner.trim_start_matches(tag.name).trim().trim_matches(['"', '\'']);
        path.trim_start_matches('/')
    };
    match tag.name {
        "link" => match wanted() {
            path if texts.iter().any(|text| text.path == path) => tag.replacement(to_text(path)),
            path if path.starts_with('_') || path.contains("{{") => None,
            path => tag.replacement(format!("/{path}")),
        },
        "post_url" => {
            let wanted = wanted();
            let is_it =
                |text: &&Text| ending(&text.path.replace("_posts/", "")).0.ends_with(wanted);
            tag.replacement(to_text(&texts.iter().find(is_it)?.path))
        }
        _ => liquid::simple(tag, asked),
    }
}
