//! Reads Ghost's exports and API responses. Both contain the same data. An export stores the data
//! in separate tables, which are joined first.

mod cards;
mod document;
mod html;

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::feed::{Author, Channel, Fault, Faults, Feed, Item, StoredData, Text};
use crate::json_value::{Keys, count, list, moment, object, table, take_bool, text};
use crate::skipped::SkippedFields;
use crate::values::InvalidValues;
use crate::{NotAFeed, not_a_feed};

/// Placeholder for the site's URL in an export.
const SITE_URL_PLACEHOLDER: &str = "__GHOST_URL__";

/// Reads an export file.
///
/// # Errors
///
/// Fails when the file is not an export of Ghost.
pub fn export(bytes: &[u8], base_url: Option<&str>) -> Result<Feed, NotAFeed> {
    let written = String::from_utf8_lossy(bytes);
    // Resolves references to the site itself. If the site's address is unknown, they become
    // relative to its root.
    let base_url = base_url.unwrap_or_default().trim_end_matches('/');
    let written = written.trim_start_matches('\u{feff}').replace(SITE_URL_PLACEHOLDER, base_url);
    let value: Value = serde_json::from_str(&written).map_err(|error| {
        not_a_feed(format!("this is not a Ghost export: it is not valid JSON: {error}"))
    })?;
    let mut keys = object(value).unwrap_or_default();
    let whole = list(&mut keys, "db").into_iter().next();
    let mut tables = table(&mut whole.unwrap_or(keys), "data").unwrap_or_default();
    if !tables.contains_key("posts") {
        let message = "this is not a Ghost export: it has no `data` with `posts`";
        return Err(not_a_feed(message));
    }
    let mut settings = Keys::new();
    for mut row in list(&mut tables, "settings") {
        if let (Some(key), Some(value)) = (text(&mut row, "key"), row.remove("value")) {
            settings.insert(key, value);
        }
    }
    let mut faults = Vec::new();
    let posts = join_posts(&mut tables);
    let message =
        "the export does not contain the addresses of posts; Ghost's default `/slug/` was used";
    faults.push(Fault { line: 1, message: message.to_owned() });
    for name in [
        "custom_redirects", "products", "offers", "snippets", "custom_theme_settings",
        "collections",
    ] {
        if let Some(Value::Array(rows)) = tables.get(name)
            && !rows.is_empty()
        {
            let message = format!(
                "the table `{name}` of the export was not imported: feedwright has no equivalent"
            );
            faults.push(Fault { line: 1, message });
        }
    }
    let mut feed = read(settings, posts);
    feed.faults.splice(0..0, faults);
    Ok(feed)
}

/// Returns the posts of an export, joined with the data of other tables.
fn join_posts(tables: &mut Keys) -> Vec<Keys> {
    let by_id = |rows: Vec<Keys>| -> HashMap<String, Keys> {
        let rows = rows.into_iter();
        rows.filter_map(|row| Some((text(&mut row.clone(), "id")?, row))).collect()
    };
    let tags = by_id(list(tables, "tags"));
    let users = by_id(list(tables, "users"));
    let mut meta: HashMap<String, Keys> = HashMap::new();
    for mut row in list(tables, "posts_meta") {
        row.remove("id");
        if let Some(post) = text(&mut row, "post_id") {
            meta.insert(post, row);
        }
    }
    let mut linked = |name: &str, key: &str, rows: &HashMap<String, Keys>| {
        let mut links = list(tables, name);
        links.sort_by_key(|row| row.get("sort_order").and_then(Value::as_i64));
        let mut by_post: HashMap<String, Vec<Value>> = HashMap::new();
        for mut link in links {
            let row = text(&mut link, key).and_then(|id| rows.get(&id));
            if let (Some(post), Some(row)) = (text(&mut link, "post_id"), row) {
                by_post.entry(post).or_default().push(row.clone().into());
            }
        }
        by_post
    };
    let mut post_tags = linked("posts_tags", "tag_id", &tags);
    let mut post_authors = linked("posts_authors", "author_id", &users);
    let mut posts = list(tables, "posts");
    for post in &mut posts {
        let Some(id) = post.get("id").map(|id| id.to_string().trim_matches('"').to_owned()) else {
            continue;
        };
        if let Some(row) = meta.remove(&id) {
            post.extend(row);
        }
        let tags = post_tags.remove(&id).unwrap_or_default();
        post.insert("tags".to_owned(), tags.into());
        let single = || {
            let author = text(&mut post.clone(), "author_id")?;
            Some(vec![users.get(&author)?.clone().into()])
        };
        let authors = post_authors.remove(&id).or_else(single);
        post.insert("authors".to_owned(), authors.unwrap_or_default().into());
    }
    posts
}

/// Reads the responses of the APIs: settings, posts and pages.
pub fn read(mut settings: Keys, posts: Vec<Keys>) -> Feed {
    let (mut faults, mut skipped) = (Faults::default(), SkippedFields::default());
    let mut feed =
        Feed { format: "Ghost".to_owned(), channel: channel(&mut settings), ..Feed::default() };
    let mut tag_paths = Vec::new();
    for post in posts {
        let public = post.get("status").and_then(Value::as_str) == Some("published");
        let item = item(post, public.then_some(&mut tag_paths), &mut faults, &mut skipped);
        feed.items.push(item);
    }
    navigation(&mut settings, &mut feed.items, &mut faults);
    if take_bool(&mut settings, "is_private") {
        let message = "the Ghost site requires a password; the imported site is open to everyone";
        faults.push(Fault { line: 1, message: message.to_owned() });
    }
    tag_paths.sort();
    tag_paths.dedup();
    feed.tag_paths = tag_paths;
    for key in ["codeinjection_head", "codeinjection_foot", "announcement_content"] {
        if text(&mut settings, key).is_some_and(|text| !text.trim().is_empty()) {
            skipped.add(&format!("the setting {key}"), 1);
        }
    }
    feed.faults = faults.into_list();
    feed.skipped = skipped.into_list();
    feed.check_languages();
    feed
}

fn channel(settings: &mut Keys) -> Channel {
    let mut take = |keys: &[&str]| keys.iter().find_map(|key| text(settings, key));
    let link = take(&["url"]);
    let (title, description) = (take(&["title"]), take(&["description"]));
    let mut seo = Map::new();
    for (key, names) in [
        ("title", ["meta_title", "og_title"]),
        ("description", ["meta_description", "og_description"]),
        ("social_image", ["og_image", "twitter_image"]),
    ] {
        seo.extend(take(&names).map(|text| (key.to_owned(), text.into())));
    }
    let mut fields = Map::new();
    if !seo.is_empty() {
        fields.insert("seo".to_owned(), seo.into());
    }
    Channel {
        title,
        description: description.map(Text::Plain),
        link,
        language: take(&["locale", "lang", "default_locale"]),
        image: take(&["logo", "cover_image"]),
        icon: take(&["icon"]),
        timezone: take(&["timezone", "active_timezone"]),
        fields,
        ..Channel::default()
    }
}

fn item(
    mut post: Keys,
    tag_paths: Option<&mut Vec<(String, String)>>,
    faults: &mut Faults,
    skipped: &mut SkippedFields,
) -> Item {
    let uuid = text(&mut post, "uuid");
    // A numeric id is unique only within this database.
    let id = text(&mut post, "id");
    let guid = id.filter(|id| id.parse::<u32>().is_err()).or(uuid);
    let title = text(&mut post, "title").unwrap_or_default();
    let mut report = |message: String| faults.push(Fault { line: 1, message });
    let is_page =
        text(&mut post, "type").as_deref() == Some("page") || take_bool(&mut post, "page");
    let status = text(&mut post, "status").unwrap_or_default();
    let visibility = text(&mut post, "visibility").unwrap_or_default();
    let is_for_members = !matches!(&*visibility, "" | "public");
    let is_letter = take_bool(&mut post, "email_only") || status == "sent";
    let hidden = match &*status {
        "draft" => Some("is a draft"),
        "scheduled" => Some("was scheduled for later"),
        _ if is_letter => Some("was sent by e-mail and had no page"),
        _ if is_for_members => Some("is for members only"),
        "published" => None,
        _ => Some("has a status other than published"),
    };
    let slug = text(&mut post, "slug");
    let link = text(&mut post, "url").filter(|_| hidden.is_none());
    let mut stored =
        StoredData { is_page, hidden: hidden.map(str::to_owned), ..StoredData::default() };
    if let (None, None, Some(slug)) = (hidden, &link, &slug) {
        stored.fields.insert("aliases".to_owned(), json!([format!("/{slug}/")]));
    }
    stored.segment = slug.filter(|slug| !slug.starts_with("untitled"));
    seo(&mut post, &mut stored.fields);
    let image = text(&mut post, "feature_image").or_else(|| text(&mut post, "image"));
    let alt = text(&mut post, "feature_image_alt");
    let caption = text(&mut post, "feature_image_caption");
    let mut invalid_values = InvalidValues::default();
    let mut content = body(&mut post, hidden.is_some(), &mut invalid_values);
    if let Some(caption) = &caption {
        content += &format!("\n<p>{caption}</p>");
    }
    let mut item = Item {
        line: 1,
        guid,
        title: Some(Text::Plain(title)),
        link,
        external_url: text(&mut post, "canonical_url"),
        published: moment(&mut post, "published_at", &mut invalid_values),
        updated: moment(&mut post, "updated_at", &mut invalid_values),
        summary: text(&mut post, "custom_excerpt").map(Text::Plain),
        content: Some(Text::Html(content)),
        language: text(&mut post, "language").or_else(|| text(&mut post, "locale")),
        authors: authors(&mut post),
        image,
        invalid_values,
        ..Item::default()
    };
    // In old exports, this field contains the language of Ghost's interface.
    item.language = item.language.filter(|language| language != "en_US");
    if let (Some(image), true) = (item.image.clone(), is_page) {
        let alt = crate::json_value::escape_html(&alt.unwrap_or_default());
        let html = match item.content.take() {
            Some(Text::Html(html)) => html,
            _ => String::new(),
        };
        item.content =
            Some(Text::Html(format!("<p><img src=\"{image}\" alt=\"{alt}\"></p>\n{html}")));
    } else if let (Some(image), Some(alt)) = (&item.image, alt) {
        stored.fields.insert("image".to_owned(), json!({ "url": image, "alt": alt }));
    }
    tags(&mut post, &mut item, tag_paths, &mut report);
    item.stored = Some(stored);
    for key in ["codeinjection_head", "codeinjection_foot", "custom_template"] {
        if text(&mut post, key).is_some() {
            skipped.add(&format!("post/{key}"), 1);
        }
    }
    if take_bool(&mut post, "featured") {
        skipped.add("post/featured", 1);
    }
    item
}

/// Reads the fields for search engines and social networks. If several fields have the same
/// purpose, the first one with a value is used.
fn seo(post: &mut Keys, fields: &mut Keys) {
    let mut seo = Map::new();
    for (key, names) in [
        ("title", ["meta_title", "og_title", "twitter_title"]),
        ("description", ["meta_description", "og_description", "twitter_description"]),
        ("social_image", ["og_image", "twitter_image", ""]),
    ] {
        let texts: Vec<String> = names.iter().filter_map(|name| text(post, name)).collect();
        seo.extend(texts.into_iter().next().map(|text| (key.to_owned(), text.into())));
    }
    if let Some(description) = seo.get("description").cloned() {
        fields.insert("meta_description".to_owned(), description);
    }
    if !seo.is_empty() {
        fields.insert("seo".to_owned(), seo.into());
    }
}

/// Returns the content of a post as HTML. Uses Ghost's rendered HTML if there is any, and otherwise
/// converts the document of the editor.
fn body(post: &mut Keys, is_hidden: bool, invalid_values: &mut InvalidValues) -> String {
    let rendered = text(post, "html");
    let documents = (text(post, "lexical"), text(post, "mobiledoc"));
    let markdown = text(post, "markdown");
    if let Some(html) = rendered {
        if html.contains("kg-signup-card") {
            invalid_values.report("a form to subscribe by e-mail was left out");
        }
        // A hidden post is imported completely, including the parts for members.
        let (html, gated) = match is_hidden {
            true => (html, 0),
            false => html::remove_member_parts(&html),
        };
        if gated > 0 {
            invalid_values.report(format!("sections for members only were not imported: {gated}"));
        }
        return html::clean_html(&html);
    }
    let document = match &documents {
        (Some(lexical), _) => document::lexical(lexical, !is_hidden),
        (None, Some(mobiledoc)) => document::mobiledoc(mobiledoc, !is_hidden),
        (None, None) => {
            return markdown.map(|text| cards::markdown(&text)).unwrap_or_default();
        }
    };
    let Some(document) = document else {
        invalid_values.report("its text cannot be read; it was left out");
        return String::new();
    };
    document.skipped.into_iter().for_each(|message| invalid_values.report(message));
    document.html
}

fn authors(post: &mut Keys) -> Vec<Author> {
    let people = list(post, "authors").into_iter();
    let people = people.filter_map(|mut person| {
        Some(Author {
            name: text(&mut person, "name")?,
            url: text(&mut person, "website"),
            email: None,
        })
    });
    people.collect()
}

fn tags(
    post: &mut Keys,
    item: &mut Item,
    tag_paths: Option<&mut Vec<(String, String)>>,
    report: &mut impl FnMut(String),
) {
    let mut paths = Vec::new();
    for mut tag in list(post, "tags") {
        let Some(name) = text(&mut tag, "name") else {
            continue;
        };
        if text(&mut tag, "visibility").as_deref() == Some("internal") || name.starts_with('#') {
            report(format!("the internal tag {name} was left out"));
            continue;
        }
        if let Some(slug) = text(&mut tag, "slug") {
            paths.push((format!("/tag/{slug}/"), name.clone()));
        }
        item.add_tag(&name);
    }
    let is_item = item.stored.as_ref().is_none_or(|stored| !stored.is_page);
    if let Some(known) = tag_paths.filter(|_| is_item) {
        known.append(&mut paths);
    }
}

/// Adds the pages in Ghost's menus to the navigation. Reports other menu entries.
fn navigation(settings: &mut Keys, items: &mut [Item], faults: &mut Faults) {
    let mut order = 0_u64;
    for key in ["navigation", "secondary_navigation"] {
        // In an export, the menu is a string that contains JSON.
        let menu = match settings.remove(key) {
            Some(Value::String(text)) => serde_json::from_str(&text).unwrap_or_default(),
            Some(value) => value,
            None => continue,
        };
        for mut entry in list(&mut Map::from_iter([(key.to_owned(), menu)]), key) {
            let (label, url) = (text(&mut entry, "label"), text(&mut entry, "url"));
            let (Some(label), Some(url)) = (label, url) else {
                continue;
            };
            order += 1;
            let last = url.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            let stored = items.iter_mut().filter_map(|item| item.stored.as_mut());
            let page = stored
                .filter(|stored| stored.is_page && stored.hidden.is_none())
                .find(|stored| stored.segment.as_deref() == Some(last));
            let Some(page) = page else {
                if !last.is_empty() {
                    let message =
                        format!("the menu entry {label} ({url}) was left out: it is not a page");
                    faults.push(Fault { line: 1, message });
                }
                continue;
            };
            page.fields.insert("show_in_navigation".to_owned(), true.into());
            page.fields.insert("navigation_label".to_owned(), label.into());
            page.fields.insert("navigation_order".to_owned(), order.into());
        }
    }
}

/// Returns the number of the next page of results, if there is one.
pub fn next_page(answer: &mut Keys) -> Option<u64> {
    let mut meta = table(answer, "meta")?;
    count(&mut table(&mut meta, "pagination")?, "next")
}
