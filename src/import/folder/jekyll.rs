//! Jekyll: `_posts/`, `_drafts/`, collections, pages, Liquid.

mod feeds;
mod plugins;
mod reading;

use jiff::tz::TimeZone;
use serde_json::Value;

use reading::{Kind, Reading, defaults};

use super::data::{self, Data};
use super::dates::short_day;
use super::fields::aliases;
use super::front::Fences;
use super::kramdown;
use super::liquid::{self, FORMS, LIQUID, expression};
use super::slug;
use super::source::{Asked, Engine, Source, Text, expanded, of_day};
use super::tags::{Instead, Tag};
use super::tree::{Tree, ending, is_markdown, kind, split};
use crate::import::found::to_text;
use crate::import::naming::key;

const READ: &[&str] = &[
    "url",
    "baseurl",
    "title",
    "name",
    "description",
    "lang",
    "locale",
    "author",
    "timezone",
    "permalink",
    "collections",
    "defaults",
    "header_pages",
    "copyright",
    "exclude",
    "include",
    "collections_dir",
    "paginate",
    "paginate_path",
    "theme",
    "remote_theme",
    // How Jekyll runs.
    "plugins",
    "gems",
    "markdown",
    "highlighter",
    "kramdown",
    "sass",
    "livereload",
    "port",
    "host",
    "incremental",
    "safe",
    "encoding",
    "source",
    "destination",
    "future",
    "unpublished",
    "show_drafts",
    "limit_posts",
    "feed",
];

pub fn read(tree: &mut Tree) -> Result<Source, String> {
    let file =
        ["_config.yml", "_config.yaml", "_config.toml"].into_iter().find(|path| tree.has(path));
    let settings = file.and_then(|file| data::of_file(file, &tree.text(file)?));
    let has_posts = tree.files.keys().any(|path| path.split('/').any(|part| part == "_posts"));
    if settings.is_none() && !has_posts {
        return Err("no site of Jekyll: it has neither _config.yml nor a folder _posts".into());
    }
    let settings = settings.unwrap_or_default();
    let mut source = Source::new("a site of Jekyll", FORMS, translate);
    source.fences = Fences::Dots;
    source.engine = LIQUID;
    (source.silent, source.deciding) = plugins::blocks(tree);
    if let Some(folder) = data::text_at(&settings, "source") {
        tree.descend(&folder);
    }
    source.authors = authors(tree);
    let mut with_address = settings.clone();
    let address = format!(
        "{}{}",
        data::text_at(&settings, "url").unwrap_or_default(),
        data::text_at(&settings, "baseurl").unwrap_or_default()
    );
    with_address.insert("url".into(), address.into());
    source.take_settings(
        &with_address,
        "url",
        &[
            ("title", "title"),
            ("name", "title"),
            ("description", "description"),
            ("lang", "language"),
            ("locale", "language"),
            ("author", "authors"),
            ("copyright", "copyright"),
        ],
    );
    let zone = data::text_at(&settings, "timezone").and_then(|name| TimeZone::get(&name).ok());
    source.zone = zone.unwrap_or(TimeZone::UTC);
    source.roots = vec![String::new()];
    source.values = settings.clone();
    let paged = data::get(&settings, "paginate").and_then(Value::as_u64);
    source.settings.extend(paged.map(|count| ("items_per_page", count.to_string())));
    let reading = Reading::of(&settings);
    for name in data::get(&settings, "include").cloned().map(data::texts).unwrap_or_default() {
        if name.starts_with('.') && name != ".htaccess" {
            source.note("a hidden file or folder that `include` publishes was not read", name);
        }
    }
    texts(tree, &reading, &settings, &mut source);
    let feed = ["plugins", "gems"].iter().any(|key| {
        data::get(&settings, key)
            .cloned()
            .map(data::texts)
            .unwrap_or_default()
            .iter()
            .any(|name| name == "jekyll-feed")
    });
    for text in source.texts.iter_mut().filter(|text| feed && !text.is_page) {
        text.guid = guid(text, source.base_url.as_ref());
    }
    feeds::redirect(tree, &reading, &settings, &mut source);
    for (order, page) in data::get(&settings, "header_pages")
        .cloned()
        .map(data::texts)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let address = source
            .texts
            .iter()
            .find(|text| text.path == *page)
            .and_then(|text| text.address.as_deref());
        if let (Some(address), Ok(order)) = (address.map(key), i64::try_from(order)) {
            source.navigation.insert(address, (None, order + 1));
        }
    }
    source.left_settings(&settings, READ, "_config.yml");
    Ok(source)
}

/// What the plugin `jekyll-feed` writes: the address without its ending.
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
    let paths: Vec<String> = tree.files.keys().cloned().collect();
    let mut posts = Vec::new();
    for path in &paths {
        let is_text = is_markdown(path) || matches!(&*kind(path), "html" | "htm");
        let read_as = match reading.kind(path) {
            read_as if !is_text => {
                let is_post = matches!(read_as, Ok(Kind::Post(_)));
                if matches!(&*kind(path), "textile" | "adoc" | "rst" | "org") || is_post {
                    source
                        .note("a text in another format than Markdown was left out", path.as_str());
                }
                continue;
            }
            Ok(read_as) => read_as,
            Err(reason) => {
                if is_markdown(path) {
                    source.leave(path, reason);
                }
                continue;
            }
        };
        let Some(mut text) = source.read(tree, path) else {
            continue;
        };
        // Only posts need no front matter: Jekyll copies other files unchanged.
        if text.above == 0 && matches!(read_as, Kind::Page | Kind::Of(_)) {
            let message = "a text without front matter, which has no page, was left out";
            source.note(message, path.as_str());
            continue;
        }
        defaults(&mut text.fields, path, &read_as, settings);
        let flag = data::take(&mut text.fields, &["render_with_liquid"]);
        text.engine = flag.is_some_and(|flag| data::is_no(&flag)).then(Engine::default);
        hide(&mut text, &read_as, reading, settings);
        if let Some(text) = complete(text, &read_as, settings, source) {
            if matches!(read_as, Kind::Post(_)) && text.hidden.is_none() {
                posts.push(source.texts.len());
            }
            source.texts.push(text);
        }
    }
    limit(posts, settings, source);
}

/// Hides a text that Jekyll does not publish.
fn hide(text: &mut Text, read_as: &Kind, reading: &Reading, settings: &Data) {
    let is_set = |key: &str| data::get(settings, key).is_some_and(data::is_yes);
    let is_empty = text.empty.iter().any(|key| key == "published");
    let published = data::take(&mut text.fields, &["published"]);
    let is_hidden = is_empty || published.as_ref().is_some_and(data::is_no);
    if is_hidden && !is_set("unpublished") {
        text.hide("`published: false`");
    }
    if matches!(read_as, Kind::Draft) && !is_set("show_drafts") {
        text.hide("it lies in `_drafts`");
    }
    if let Kind::Of(name) = read_as
        && !reading.has_pages(name)
    {
        text.hide(format!("the collection `{name}` has no `output: true`"));
    }
    // Themes omit such texts from their lists.
    text.is_unlisted =
        data::take(&mut text.fields, &["hidden"]).is_some_and(|flag| data::is_yes(&flag));
}

/// Hides all posts except the newest, if the settings have `limit_posts`.
fn limit(mut posts: Vec<usize>, settings: &Data, source: &mut Source) {
    let most = data::get(settings, "limit_posts").and_then(Value::as_u64);
    let Some(most) = most.filter(|most| *most > 0).and_then(|most| usize::try_from(most).ok())
    else {
        return;
    };
    posts.sort_by_key(|at| std::cmp::Reverse(source.texts[*at].moment(&source.zone)));
    for at in posts.into_iter().skip(most) {
        source.texts[at].hide(format!("`limit_posts: {most}` in the settings"));
    }
}

/// Reads a text with its day, its address and other properties by Jekyll's rules.
fn complete(mut text: Text, read_as: &Kind, settings: &Data, source: &mut Source) -> Option<Text> {
    let is_page = matches!(read_as, Kind::Page);
    let stem = text.stem().to_owned();
    match short_day(&stem).filter(|_| !is_page) {
        Some((day, rest)) => {
            text.segment = Some(rest.to_owned());
            text.date = Some(day);
        }
        None => text.segment = Some(stem),
    }
    let has_date = data::get(&text.fields, "date").is_some() || text.date.is_some();
    text.is_page = is_page || matches!(read_as, Kind::Of(_)) && !has_date && !is_series(read_as);
    if let Kind::Post(folders) = read_as {
        text.tags = folders.clone();
    }
    // Jekyll splits these at spaces.
    for key in ["tags", "categories"] {
        if let Some(Value::String(names)) =
            data::get(&text.fields, key).cloned().filter(|_| !is_page)
        {
            let names: Vec<&str> = names
                .split(if names.contains(',') { ',' } else { ' ' })
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect();
            text.fields.insert(key.into(), names.into());
        }
    }
    text.aliases = aliases(&mut text.fields, &["redirect_from", "aliases"], "");
    text.address = address(&text, read_as, settings, source);
    if leads_away(&mut text, source) {
        return None;
    }
    let is_home = text
        .address
        .as_deref()
        .is_some_and(|address| key(address).is_empty() || key(address) == "404");
    let is_feed = || super::feeds::written_by(&text.body).is_some();
    if is_home || (text.is_html && text.is_page && (has_template(&text.body) || is_feed())) {
        source.note("a page made by a template was left out: the theme has its own", &*text.path);
        return None;
    }
    for key in ["permalink", "slug"] {
        data::take(&mut text.fields, &[key])
            .filter(|_| key == "slug")
            .as_ref()
            .and_then(data::text)
            .into_iter()
            .for_each(|slug| text.segment = Some(slug));
    }
    if !text.is_html {
        let (path, above) = (text.path.clone(), text.above);
        text.body = kramdown::plain(&text.body, &mut |what, line| {
            source.note(
                format!("kramdown's `{what}` was left out"),
                format!("{path}:{}", above + line),
            )
        });
    }
    Some(text)
}

/// Whether a text's page redirects to another address, so that visitors do not see the text.
fn leads_away(text: &mut Text, source: &mut Source) -> bool {
    let target = data::take(&mut text.fields, &["redirect_to"]).map(data::texts);
    let Some(target) = target.and_then(|targets| targets.into_iter().next()) else {
        return false;
    };
    source.leave(&*text.path, format!("its page redirects to {target}"));
    let base = source.base_url.as_ref().map(|base| base.as_str().trim_end_matches('/').to_owned());
    let path = base.and_then(|base| target.strip_prefix(&base)).unwrap_or(&target);
    match &text.address {
        Some(from) if path.starts_with('/') && text.hidden.is_none() => {
            source.lead(from.clone(), path.to_owned());
        }
        _ => {}
    }
    true
}

fn is_series(kind: &Kind) -> bool {
    matches!(kind, Kind::Of(name) if super::hugo::SERIES.contains(&name.as_str()))
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
    // Pages and collections end as posts do.
    let end = match dated {
        dated if dated.ends_with('/') => "/",
        dated if dated.ends_with(":output_ext") => ":output_ext",
        _ => "",
    };
    let pattern = own.unwrap_or_else(|| match read_as {
        Kind::Post(_) | Kind::Draft => dated.to_owned(),
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
    let mut categories = text.tags.clone();
    for key in ["categories", "category"] {
        categories
            .extend(data::get(&text.fields, key).cloned().map(data::texts).unwrap_or_default());
    }
    let mut seen = Vec::new();
    for category in categories.iter().map(|category| category.to_lowercase()) {
        if !seen.contains(&category) {
            seen.push(category);
        }
    }
    let token = |token: &str| match token {
        "title" => Some(slug.replace(' ', "-")),
        "slug" => Some(slug::plain(&slug)),
        "categories" => Some(seen.join("/")),
        "slugified_categories" => {
            Some(seen.iter().map(|one| slug::plain(one)).collect::<Vec<_>>().join("/"))
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
        token => of_day(token, text.moment(&source.zone)?),
    };
    expanded(&pattern, &token)
}

fn translate(tag: &Tag<'_>, asked: &Asked<'_>) -> Instead {
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
        return tag.by(expression(tag.inner, &value)?);
    }
    let texts = &asked.source.texts;
    match tag.name {
        "link" => {
            let wanted = tag
                .inner
                .trim_start_matches("link")
                .trim()
                .trim_matches(['"', '\''])
                .trim_start_matches('/');
            match texts.iter().find(|text| text.path == wanted) {
                Some(text) => tag.by(to_text(&text.path)),
                None => tag
                    .by(format!("/{wanted}"))
                    .filter(|_| !wanted.starts_with('_') && !wanted.contains("{{")),
            }
        }
        "post_url" => {
            let wanted = tag
                .inner
                .trim_start_matches("post_url")
                .trim()
                .trim_matches(['"', '\''])
                .trim_start_matches('/');
            let is_it =
                |text: &&Text| ending(&text.path.replace("_posts/", "")).0.ends_with(wanted);
            tag.by(to_text(&texts.iter().find(is_it)?.path))
        }
        _ => liquid::simple(tag, asked),
    }
}
