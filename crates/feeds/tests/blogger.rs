//! Tests of Blogger's exports: the export of a single blog, and the export of Google Takeout.

use crate::read;

const KIND: &str = "http://schemas.google.com/blogger/2008/kind#";

fn entry(id: u32, kind: &str, inner: &str) -> String {
    format!(
        "<entry><id>tag:blogger.com,1999:blog-1.post-{id}</id><title>Entry {id}</title><content type='html'>Text</content>\
         <category scheme='http://schemas.google.com/g/2005#kind' term='{KIND}{kind}'/><category scheme='http://www.blogger.com/atom/ns#' term='sea'/>{inner}</entry>"
    )
}

fn feed(entries: &str) -> feeds::Feed {
    read(&format!(
        "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:app='http://purl.org/atom/app#' xmlns:a2='http://www.w3.org/2007/app' \
         xmlns:blogger='http://schemas.google.com/blogger/2018'><title>Tides</title>{entries}</feed>"
    ))
}

/// Returns the titles of a feed, each with the reason why it is hidden.
fn hidden_reasons(feed: &feeds::Feed) -> Vec<(String, Option<&str>)> {
    let items = feed.items.iter();
    let title =
        |item: &feeds::Item| item.title.clone().map(feeds::Text::into_plain).unwrap_or_default();
    items
        .map(|item| (title(item), item.stored.as_ref().and_then(|stored| stored.hidden.as_deref())))
        .collect()
}

#[test]
fn only_posts_and_pages_are_items_and_drafts_are_hidden() {
    let draft = |prefix: &str| {
        format!("<{prefix}:control><{prefix}:draft>yes</{prefix}:draft></{prefix}:control>")
    };
    let feed = feed(
        &[
            entry(1, "post", ""),
            entry(2, "post", &draft("app")),
            entry(3, "post", &draft("a2")),
            entry(4, "comment", ""),
            entry(5, "template", ""),
            entry(6, "settings", ""),
            entry(7, "something-new", ""),
            entry(8, "page", ""),
            entry(9, "post", "<app:control><app:draft>no</app:draft></app:control>"),
        ]
        .concat(),
    );
    let expected =
        [(1, None), (2, Some("is a draft")), (3, Some("is a draft")), (8, None), (9, None)];
    let expected = expected.map(|(id, hidden)| (format!("Entry {id}"), hidden));
    assert_eq!(hidden_reasons(&feed), expected);
    assert!(feed.items.iter().all(|item| item.tags == ["sea"]));
    assert!(feed.items[3].stored.as_ref().unwrap().is_page);
    let reported: Vec<&str> = feed.faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(reported.len(), 4, "{reported:#?}");
}

#[test]
fn takeout_entries_are_read_by_type_and_status() {
    let entry = |id: u32, kind: &str, status: &str| {
        format!(
            "<entry><id>tag:blogger.com,1999:blog-1.post-{id}</id><blogger:type>{kind}</blogger:type><blogger:status>{status}</blogger:status>\
             <title>Entry {id}</title><content type='html'>Text</content><blogger:filename>/2024/03/e{id}.html</blogger:filename></entry>"
        )
    };
    let feed = feed(
        &[
            entry(1, "POST", "LIVE"),
            entry(2, "POST", "DRAFT"),
            entry(3, "POST", "SCHEDULED"),
            entry(4, "POST", "SOFT_TRASHED"),
            entry(5, "POST", "SOMETHING_NEW"),
            entry(6, "COMMENT", "LIVE"),
            entry(7, "PAGE", "LIVE"),
            // Entries in which the kind, the status or both are empty.
            entry(8, "POST", ""),
            entry(9, "", "DRAFT"),
            entry(10, "", "").replace(
                "<blogger:filename>",
                "<blogger:trashed>2024-01-01</blogger:trashed><blogger:filename>",
            ),
        ]
        .concat(),
    );
    let hidden: Vec<bool> =
        hidden_reasons(&feed).iter().map(|(_, hidden)| hidden.is_some()).collect();
    assert_eq!(hidden, [false, true, true, true, true, false, true, true, true]);
    let first = feed.items[0].stored.as_ref().unwrap();
    assert_eq!(first.segment.as_deref(), Some("e1"));
    assert_eq!(first.fields["aliases"], serde_json::json!(["/2024/03/e1.html"]));
}

#[test]
fn drafts_of_any_atom_feed_are_hidden() {
    let feed = feed(
        "<entry><id>1</id><title>Secret</title><app:control><app:draft> Yes </app:draft></app:control></entry>",
    );
    assert_eq!(hidden_reasons(&feed), [("Secret".to_owned(), Some("is a draft"))]);
}
