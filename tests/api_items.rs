//! Items through the API: every row of the interface, and what it does to the files.

use serde_json::json;

use crate::served::{Served, serve};
use crate::small_site::site;

const EPISODE: &str = r#"+++
# A walk by the sea.
id = "walk"
title = "Harbour walk"   # said aloud
date_published = 2026-05-01T09:00:00Z
tags = ["sea", 'walks']

[podcast]
people = [
  "Ada",  # host
]
+++

The ferry was **late**.
"#;

fn walk() -> Served {
    serve(site().with("content/items/walk.md", EPISODE))
}

#[test]
fn a_field_that_is_sent_is_a_line_of_the_diff() {
    let served = walk();
    let item = served
        .put("/items/walk/", &json!({ "language": "en" }))
        .ok();
    assert_eq!(item["language"], "en");
    let text = served.site.read("content/items/walk.md");
    assert_eq!(
        text,
        EPISODE.replace("'walks']\n", "'walks']\nlanguage = \"en\"\n")
    );
    served
        .put(
            "/items/walk/",
            &json!({ "date_published": "2026-05-02T09:00:00.000Z" }),
        )
        .ok();
    let expected = text.replace("2026-05-01T09:00:00Z", "2026-05-02T09:00:00Z");
    assert_eq!(served.site.read("content/items/walk.md"), expected);
}

#[test]
fn what_is_read_can_be_sent_back_and_changes_nothing() {
    let served = walk();
    let feed = served.read("/items/walk/").ok();
    let mut item = feed["items"][0].clone();
    // The slug is frozen by sending it.
    item["_service"].as_object_mut().unwrap().remove("slug");
    served.put("/items/walk/", &item).ok();
    assert_eq!(served.site.read("content/items/walk.md"), EPISODE);
}
