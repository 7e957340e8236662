//! What an export of WordPress (WXR) says beside RSS: `wp:` tags.

use crate::element::Element;
use crate::feed::{Author, Item};

/// What an export says of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordPress {
    /// The number that other entries name it by.
    pub id: String,
    /// `post`, `page`, `attachment`, or what a plug-in calls it.
    pub kind: String,
    /// `publish`, `draft`, `pending`, `private`, `future`, `trash`, `inherit`.
    pub status: String,
    /// The part of its address that is its own.
    pub name: String,
    /// The number of the entry above it, 0 for none.
    pub parent: String,
    /// Its place among its neighbours.
    pub order: i64,
    /// Whether a password is asked for.
    pub has_password: bool,
    /// The file, of an attachment.
    pub file: Option<String>,
    /// What plug-ins keep, by name.
    pub meta: Vec<(String, String)>,
    /// How many comments there are.
    pub comments: usize,
}

/// Takes an entry's tags out.
pub fn of_item(element: &mut Element, item: &mut Item) -> Option<WordPress> {
    let kind = element.take_text("wp:post_type")?;
    let mut text = |name: &str| element.take_text(&format!("wp:{name}")).unwrap_or_default();
    let (id, status, name, parent) = (
        text("post_id"),
        text("status"),
        text("post_name"),
        text("post_parent"),
    );
    let (order, has_password) = (
        text("menu_order").parse().unwrap_or(0),
        !text("post_password").is_empty(),
    );
    // In GMT; a draft has none.
    let dates = [text("post_date_gmt"), text("post_modified_gmt")].map(|date| {
        let is_none = date.is_empty() || date.starts_with("0000");
        (!is_none)
            .then(|| crate::date::parse(&format!("{date}Z")))
            .flatten()
    });
    item.published = dates[0].or(item.published);
    item.updated = dates[1];
    let file = Some(text("attachment_url")).filter(|url| !url.is_empty());
    for name in [
        "post_date",
        "post_modified",
        "comment_status",
        "ping_status",
        "is_sticky",
    ] {
        text(name);
    }
    let meta = element.take_all("wp:postmeta").into_iter().map(|mut one| {
        let mut text = |name: &str| one.take_text(name).unwrap_or_default();
        (text("wp:meta_key"), text("wp:meta_value"))
    });
    let meta = meta.collect();
    let comments = element.take_all("wp:comment").len();
    Some(WordPress {
        id,
        kind,
        status,
        name,
        parent,
        order,
        has_password,
        file,
        meta,
        comments,
    })
}

/// Takes the channel's tags out: who writes, by the name that entries use.
pub fn authors(channel: &mut Element) -> Vec<(String, Author)> {
    let authors = channel.take_all("wp:author").into_iter().map(|mut one| {
        let mut text = |name: &str| one.take_text(&format!("wp:author_{name}"));
        let login = text("login").unwrap_or_default();
        let name = text("display_name").unwrap_or_else(|| login.clone());
        let author = Author {
            name,
            url: None,
            email: text("email"),
        };
        (login, author)
    });
    let authors = authors.collect();
    for name in [
        "wp:wxr_version",
        "wp:base_site_url",
        "wp:base_blog_url",
        "wp:category",
        "wp:tag",
        "wp:term",
    ] {
        channel.take_all(name);
    }
    authors
}
