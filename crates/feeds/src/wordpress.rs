//! WordPress exports (WXR): reads the `wp:` tags that WordPress adds to RSS.

use std::collections::HashMap;

use crate::element::Element;
use crate::entities::unescape;
use crate::feed::{Author, Item};

/// The data of an entry in an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordPress {
    /// Id by which other entries refer to this entry.
    pub id: String,
    /// `post`, `page`, `attachment`, or a post type that a plug-in defines.
    pub kind: String,
    /// `publish`, `draft`, `pending`, `private`, `future`, `trash`, `inherit`.
    pub status: String,
    /// Slug: the part of the entry's URL that identifies the entry.
    pub name: String,
    /// Id of the parent entry, or 0 if there is none.
    pub parent: String,
    /// Position of the entry among its siblings.
    pub order: i64,
    /// Whether the entry requires a password.
    pub has_password: bool,
    /// Address of the file, for an attachment.
    pub file: Option<String>,
    /// The summary, or the caption of a file.
    pub excerpt: String,
    /// Values stored by WordPress and plug-ins, with their keys.
    pub meta: Vec<(String, String)>,
    /// Number of comments.
    pub comments: usize,
    /// Categories and tags of the entry. For each, the path of the page that lists its entries
    /// (with WordPress's usual `/category/` or `/tag/`), and its name.
    pub terms: Vec<(String, String)>,
    /// Key that the entry shares with its translations.
    pub translations: Option<String>,
}

/// Removes the `wp:` tags of an entry, and returns their data.
pub fn read_item(element: &mut Element, item: &mut Item) -> Option<WordPress> {
    let kind = element.take_text("wp:post_type");
    // An entry that has a status but no type is a post.
    let has_status = element.elements().any(|it| it.name == "wp:status");
    let kind = kind.or_else(|| has_status.then(|| "post".to_owned()))?;
    let mut text = |name: &str| element.take_text(&format!("wp:{name}")).unwrap_or_default();
    let (id, status, name, parent) =
        (text("post_id"), text("status"), text("post_name"), text("post_parent"));
    let (order, has_password) =
        (text("menu_order").parse().unwrap_or(0), !text("post_password").is_empty());
    let mut dates = ["post_date_gmt", "post_modified_gmt", "post_date"].map(&mut text);
    // A draft's date is the local time at which the draft was created, so the date is ignored.
    if matches!(&*status, "draft" | "pending" | "auto-draft") {
        dates[2].clear();
    }
    let file = Some(text("attachment_url")).filter(|url| !url.is_empty());
    set_dates(element, item, dates.each_ref().map(String::as_str));
    let mut text = |name: &str| element.take_text(&format!("wp:{name}")).unwrap_or_default();
    for name in ["post_modified", "comment_status", "ping_status", "is_sticky"] {
        text(name);
    }
    let meta = element.take_all("wp:postmeta").into_iter().map(|mut one| {
        let mut text = |name: &str| one.take_text(name).unwrap_or_default();
        (text("wp:meta_key"), text("wp:meta_value"))
    });
    let meta = meta.collect();
    let comments = element.take_all("wp:comment").len();
    let mut short = element.elements().filter(|it| it.name == "excerpt:encoded");
    let excerpt = short.next().map(Element::text).unwrap_or_default();
    Some(WordPress {
        id,
        kind,
        status,
        name,
        parent,
        order,
        has_password,
        file,
        excerpt,
        meta,
        comments,
        terms: Vec::new(),
        translations: None,
    })
}

/// Sets the dates of an entry. `dates` contains the publication date in GMT, the date of the last
/// change in GMT, and the publication date in local time. A draft has the year 0 in all three, and
/// -1 in RSS.
fn set_dates(element: &mut Element, item: &mut Item, dates: [&str; 3]) {
    let names = ["wp:post_date_gmt", "wp:post_modified_gmt", "wp:post_date"];
    let mut moments = [0, 1, 2].map(|at| {
        let (name, date) = (names[at], dates[at]);
        // The local time is treated as GMT, because the time zone is unknown. It is used only if
        // there is no other date.
        let is_none = date.is_empty() || date.starts_with("0000");
        (!is_none).then(|| item.invalid_values.date(name, &format!("{date}Z"), None))?
    });
    let in_rss = element.take_text("pubDate");
    let in_rss = in_rss.and_then(|date| crate::date::parse(&date));
    item.published = moments[0].take().or(in_rss).or(moments[2]);
    item.updated = moments[1];
}

/// Reads the categories of an entry, which can belong to different taxonomies. Topics become tags.
/// Languages, authors and internal terms do not.
pub fn set_terms(element: &mut Element, item: &mut Item) {
    let (mut terms, mut translations) = (Vec::new(), None);
    const INTERNAL_TAXONOMIES: [&str; 10] = [
        "post_format", "nav_menu", "term_language", "term_translations", "translation_priority",
        "yst_prominent_words", "wp_theme", "wp_pattern_category", "link_category", "author",
    ];
    for term in element.take_all("category") {
        match term.attribute("domain") {
            Some("language") => item.language = term.attribute("nicename").map(str::to_owned),
            Some("post_translations") => {
                translations = term.attribute("nicename").map(str::to_owned);
            }
            Some(domain) if INTERNAL_TAXONOMIES.contains(&domain) => {}
            domain => {
                let name = unescape(&term.text());
                item.add_tag(&name);
                let list = match domain {
                    Some("category") => "category",
                    Some("post_tag") => "tag",
                    _ => continue,
                };
                let slug = term.attribute("nicename");
                terms.extend(slug.map(|slug| (format!("/{list}/{slug}/"), name)));
            }
        }
    }
    if let Some(entry) = &mut item.wordpress {
        entry.terms = terms;
        entry.translations = translations;
    }
}

/// Adds the parent categories to the paths of categories.
pub fn complete_terms(channel: &mut Element, items: &mut [Item]) {
    const MAX_DEPTH: usize = 20;
    let categories = channel.take_all("wp:category").into_iter();
    let parents: HashMap<String, String> = categories
        .filter_map(|mut one| {
            let slug = one.take_text("wp:category_nicename")?;
            Some((slug, one.take_text("wp:category_parent")?))
        })
        .collect();
    let entries = items.iter_mut().filter_map(|item| item.wordpress.as_mut());
    for (path, _) in entries.flat_map(|entry| &mut entry.terms) {
        let slug = path.strip_prefix("/category/").map(|slug| slug.trim_end_matches('/'));
        let parent = slug.and_then(|slug| parents.get(slug));
        let above: Vec<&String> =
            std::iter::successors(parent, |slug| parents.get(*slug)).take(MAX_DEPTH).collect();
        for parent in above {
            path.insert_str("/category/".len(), &format!("{parent}/"));
        }
    }
}

/// Removes the `wp:` tags of the channel. Returns the authors of the site, each with the login name
/// that entries use to refer to the author.
pub fn authors(channel: &mut Element) -> Vec<(String, Author)> {
    let authors = channel.take_all("wp:author").into_iter().map(|mut one| {
        let mut text = |name: &str| one.take_text(&format!("wp:author_{name}"));
        let login = text("login").unwrap_or_default();
        let name = text("display_name").unwrap_or_else(|| login.clone());
        let name = unescape(&name);
        let author = Author { name, url: None, email: text("email") };
        (login, author)
    });
    let authors = authors.collect();
    for name in ["wp:wxr_version", "wp:base_site_url", "wp:base_blog_url", "wp:tag", "wp:term"] {
        channel.take_all(name);
    }
    authors
}
