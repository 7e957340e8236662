//! The complete feed: its pages, its orders, its cursors.

use serde_json::{Value, json};

use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, site};

/// Seven items with dates that say another order for each sort, statuses of every kind, and two without dates.
fn site_with_items() -> SmallSite {
    let items = [
        ("a", "published", "2026-01-05", "2026-01-01", "2026-02-01"),
        ("b", "unlisted", "2026-01-04", "2026-01-02", "2026-02-05"),
        ("c", "unpublished", "2026-01-03", "2026-01-03", "2026-02-03"),
        ("d", "published", "2026-01-02", "2026-01-04", "2026-02-04"),
        ("e", "published", "2026-01-02", "2026-01-04", "2026-02-04"),
    ];
    let add =
        |site: SmallSite,
         (id, status, published, created, modified): (&str, &str, &str, &str, &str)| {
            let text = format!(
                "+++\nid = \"{id}\"\nstatus = \"{status}\"\ndate_published = {published}\ndate_created = {created}\ndate_modified = {modified}\n+++\n"
            );
            site.with(&format!("content/items/{id}.md"), text)
        };
    items
        .into_iter()
        .fold(site(), add)
        .with("content/items/y.md", "+++\nid = \"y\"\n+++\n")
        .with("content/items/z.md", "+++\nid = \"z\"\n+++\n")
        .with_old_dates()
}

fn ids(feed: &Value) -> String {
    feed["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

fn read(served: &Served, query: &str) -> Value {
    served.read(&format!("/feed/{query}")).ok()
}

#[test]
fn the_feed_lists_every_status_newest_first() {
    let served = serve(site_with_items());
    let feed = read(&served, "");
    assert_eq!(ids(&feed), "abcdeyz");
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["title"], "A small site");
    assert_eq!(feed["description"], "<p>Its description.</p>");
    assert_eq!(feed["items"][2]["_service"]["status"], "unpublished");
    let own = &feed["_service"];
    assert_eq!((&own["items_sort"], &own["items_order"]), (&json!("published_at"), &json!("desc")));
    for absent in ["items_next_cursor", "items_prev_cursor", "next_url", "prev_url"] {
        assert_eq!(own.get(absent), None, "{absent}");
    }
    assert!(own["base_url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
}

#[test]
fn every_sort_and_order_is_supported() {
    let served = serve(site_with_items());
    for (query, order) in [
        ("?sort=published_at", "abcdeyz"),
        ("?sort=published_at&order=asc", "zyedcba"),
        ("?sort=created_at&order=desc", "decbayz"),
        ("?sort=created_at&order=asc", "zyabced"),
        ("?sort=updated_at", "bdecayz"),
        ("?sort=updated_at&order=asc", "zyacedb"),
        ("?sort=newest_first", "abcdeyz"),
        ("?sort=newest_first&order=asc", "abcdeyz"),
        ("?sort=oldest_first", "zyedcba"),
        ("?sort=oldest_first&order=desc", "zyedcba"),
        ("?order=asc", "zyedcba"),
        ("?unknown=1", "abcdeyz"),
    ] {
        assert_eq!(ids(&read(&served, query)), order, "{query}");
    }
}

#[test]
fn site_settings_are_the_default_order_and_page_size() {
    let toml = "base_url = \"https://example.com\"\n[feed]\nitems_per_page = 2\nsort = \"created_at\"\norder = \"asc\"\n";
    let served = serve(site_with_items().with("site.toml", toml));
    assert_eq!(ids(&read(&served, "")), "zy");
    assert_eq!(ids(&read(&served, "?order=desc")), "de");
    assert_eq!(ids(&read(&served, "?sort=updated_at&limit=300")), "zyacedb");
    assert_eq!(ids(&read(&served, "?sort=newest_first&limit=1")), "a");
}

#[test]
fn an_invalid_parameter_is_named() {
    let served = serve(site_with_items());
    for (query, name) in [
        ("limit=0", "limit"),
        ("limit=301", "limit"),
        ("limit=-1", "limit"),
        ("limit=1.5", "limit"),
        ("limit=x", "limit"),
        ("limit=", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("sort=title", "sort"),
        ("sort=", "sort"),
        ("sort=Created_at", "sort"),
        ("order=up", "order"),
        ("order=DESC", "order"),
        ("next_cursor=", "next_cursor"),
        ("next_cursor=x", "next_cursor"),
        ("prev_cursor=e30", "prev_cursor"),
        ("sort=%ff", "sort"),
        ("next_cursor=%C3%28", "next_cursor"),
    ] {
        let error = served.read(&format!("/feed/?{query}")).error(400);
        assert!(error.starts_with(&format!("{name}:")), "{query}: {error}");
    }
    let error = served.read("/feed/?limit=1&limit=2").error(400);
    assert!(error.contains("limit"), "{error}");
    let long = "A".repeat(2049);
    served.read(&format!("/feed/?next_cursor={long}")).error(400);
    for good in ["limit=1", "limit=300"] {
        read(&served, &format!("?{good}"));
    }
}

/// Every page from the first, and back again.
fn all_pages_and_back(served: &Served, query: &str) -> (Vec<String>, Vec<String>) {
    let mut pages = vec![read(served, &format!("?{query}"))];
    while let Some(cursor) = pages.last().unwrap()["_service"]["items_next_cursor"].as_str() {
        pages.push(read(served, &format!("?{query}&next_cursor={cursor}")));
    }
    let mut back = vec![pages.last().unwrap().clone()];
    while let Some(cursor) = back.last().unwrap()["_service"]["items_prev_cursor"].as_str() {
        back.push(read(served, &format!("?{query}&prev_cursor={cursor}")));
    }
    (pages.iter().map(ids).collect(), back.iter().map(ids).collect())
}

#[test]
fn pages_can_be_walked_forward_and_back() {
    let served = serve(site_with_items());
    for sort in ["created_at", "updated_at", "published_at", "newest_first", "oldest_first"] {
        for order in ["asc", "desc"] {
            let whole = ids(&read(&served, &format!("?sort={sort}&order={order}")));
            for limit in [1, 2, 3, 6, 7, 8] {
                let (forward, mut back) = all_pages_and_back(
                    &served,
                    &format!("sort={sort}&order={order}&limit={limit}"),
                );
                assert_eq!(forward.concat(), whole, "{sort} {order} {limit}");
                back.reverse();
                assert_eq!(back.concat(), whole, "{sort} {order} {limit}");
            }
        }
    }
}

#[test]
fn next_and_previous_urls_can_be_followed() {
    let served = serve(site_with_items());
    let first = read(&served, "?limit=3&sort=updated_at&order=asc");
    let next = first["_service"]["next_url"].as_str().unwrap();
    assert_eq!(first["next_url"], first["_service"]["next_url"]);
    let path = next.strip_prefix(&format!("{}/api/v1", served.url)).unwrap();
    let second = served.read(path).ok();
    assert_eq!(ids(&second), "ced");
    let prev = second["_service"]["prev_url"].as_str().unwrap();
    let path = prev.strip_prefix(&format!("{}/api/v1", served.url)).unwrap();
    assert_eq!(ids(&served.read(path).ok()), "zya");
}

#[test]
fn a_cursor_survives_changes_of_other_items() {
    let served = serve(site_with_items());
    let first = read(&served, "?limit=2");
    let cursor = first["_service"]["items_next_cursor"].as_str().unwrap().to_owned();
    served
        .post(
            "/items/",
            &json!({ "id": "new", "title": "New", "date_published": "2026-01-06T00:00:00Z" }),
        )
        .ok();
    served
        .post(
            "/items/",
            &json!({ "id": "mid", "title": "Mid", "date_published": "2026-01-02T12:00:00Z" }),
        )
        .ok();
    assert_eq!(ids(&read(&served, &format!("?limit=2&next_cursor={cursor}"))), "cmid");
    // Also when the item it came from is gone.
    served.delete("/items/b/").ok();
    assert_eq!(ids(&read(&served, &format!("?limit=2&next_cursor={cursor}"))), "cmid");
    let served = served.restarted();
    assert_eq!(ids(&read(&served, &format!("?limit=2&next_cursor={cursor}"))), "cmid");
}

#[test]
fn a_cursor_of_another_list_is_rejected() {
    let served = serve(site_with_items());
    let cursor = read(&served, "?limit=2&sort=created_at")["_service"]["items_next_cursor"]
        .as_str()
        .unwrap()
        .to_owned();
    for query in ["", "&sort=updated_at", "&sort=created_at&order=asc", "&sort=newest_first"] {
        for name in ["next_cursor", "prev_cursor"] {
            let error = served.read(&format!("/feed/?limit=2{query}&{name}={cursor}")).error(400);
            assert!(error.starts_with(&format!("{name}:")), "{error}");
        }
    }
    let both = format!("/feed/?sort=created_at&next_cursor={cursor}&prev_cursor={cursor}");
    served.read(&both).error(400);
    let found = served.read("/search/?q=a&types=items,pages&limit=1").ok();
    assert_eq!(found["items"], json!([]));
    // The limit is no part of it.
    assert_eq!(
        ids(&read(&served, &format!("?limit=300&sort=created_at&next_cursor={cursor}"))),
        "cbayz"
    );
}

#[test]
fn an_empty_feed_is_valid() {
    let served = serve(site());
    let feed = read(&served, "");
    assert_eq!(feed["items"], json!([]));
    let one = serve(site_with_items()).read("/items/c/").ok();
    assert_eq!(ids(&one), "c");
    assert_eq!(one["title"], "A small site");
    let keys = |feed: &Value| feed.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&one), keys(&feed));
}

/// The ids of a list, in its order.
fn list_ids(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap()).collect()
}

#[test]
fn api_and_documents_sort_by_update_alike() {
    let text =
        |id: &str, dates: &str| format!("+++\nid = \"{id}\"\ntitle = \"{id}\"\n{dates}+++\nText\n");
    let published = "date_published = 2020-01-01T00:00:00Z\n";
    let both = |year: u32| format!("{published}date_modified = {year}-01-01T00:00:00.0005Z\n");
    let dates = [
        ("a", published.to_owned()),
        ("b", both(2024)),
        ("c", "date_published = 2025-01-01T00:00:00Z\n".to_owned()),
        ("d", String::new()),
        ("e", both(2022)),
        ("f", "date_published = 2025-01-01T00:00:00.0005Z\n".to_owned()),
        ("g", String::new()),
        // The date of a change counts, also where it is before publication.
        (
            "h",
            "date_published = 2026-01-01T00:00:00Z\ndate_modified = 2019-01-01T00:00:00Z\n"
                .to_owned(),
        ),
    ];
    const TEMPLATE: &str = "{{#pages}}{{slug}} {{/pages}}";
    for order in ["desc", "asc"] {
        let toml = format!(
            "base_url = \"https://example.com\"\n[feed]\nsort = \"updated_at\"\norder = \"{order}\"\n"
        );
        let own = site().with("site.toml", toml).with("site-files/pages.txt", TEMPLATE);
        let own = dates.iter().fold(own, |own, (id, dates)| {
            own.with(&format!("content/items/{id}.md"), text(id, dates))
                .with(&format!("content/pages/p{id}.md"), text(&format!("p{id}"), dates))
        });
        let served = serve(own);
        // A clone gives every file the time at which it was made.
        for (number, (id, _)) in dates.iter().enumerate() {
            let date = format!("2026-02-{:02}T00:00:00Z", number * 5 % 7 + 1);
            served.site.touch(&format!("content/items/{id}.md"), &date);
            served.site.touch(&format!("content/pages/p{id}.md"), &date);
        }
        let check = || {
            let document = served.get("/feed.json").json();
            for query in ["", "?sort=updated_at"] {
                let feed = served.read(&format!("/feed/{query}")).ok();
                assert_eq!(list_ids(&feed), list_ids(&document), "{order} {query}");
            }
            let body = json!({ "filename": "pages.txt", "draft_content": TEMPLATE });
            let preview = served.post("/site-files/preview/", &body).ok();
            let shown = served.get("/pages.txt").text();
            assert_eq!(preview["rendered_content"], shown);
            let listed = served.read("/pages/?limit=100").ok();
            let listed: Vec<String> = list_ids(&listed)
                .into_iter()
                .filter(|id| *id != "system-404")
                .map(|id| format!("{id} "))
                .collect();
            assert_eq!(listed.concat(), shown);
            (list_ids(&document).join(""), shown)
        };
        let (items, pages) = check();
        assert_eq!(pages, "pf pc pb pe pa ph pd pg ");
        if order == "desc" {
            assert!(items.starts_with("fcbeah"), "{items}");
        }
        // A write of the API changes no date, and so no order.
        served.put("/items/a/", &json!({ "title": "A" })).ok();
        served.put("/pages/pa/", &json!({ "meta_description": "A" })).ok();
        assert_eq!(check(), (items, pages));
        let item = &served.read("/items/b/").ok()["items"][0];
        assert_eq!(item["date_modified"], "2024-01-01T00:00:00.000Z");
    }
}

#[test]
fn site_files_list_the_newest_items_regardless_of_sort() {
    let template = "{{#items}}{{id}} {{/items}}";
    let expected: Vec<String> = (5..105).rev().map(|n| format!("i{n:03}")).collect();
    let expected = expected.join(" ") + " ";
    for feed in
        ["", "order = \"asc\"", "sort = \"created_at\"", "sort = \"updated_at\"\norder = \"asc\""]
    {
        let mut made = site()
            .with("site.toml", format!("base_url = \"https://example.com\"\n[feed]\n{feed}\n"))
            .with("site-files/items.txt", template);
        for n in 0..105_i64 {
            let date = |second: i64| jiff::Timestamp::from_second(1_700_000_000 + second).unwrap();
            made = made.with(&format!("content/items/{n}.md"), format!(
                "+++\nid = \"i{n:03}\"\ntitle = \"T\"\ndate_published = {}\ndate_created = {}\ndate_modified = {}\n+++\n",
                date(n), date(-n), date(1000 - n),
            ));
        }
        let served = serve(made);
        let body = json!({ "filename": "items.txt", "draft_content": template });
        let preview = served.post("/site-files/preview/", &body).ok();
        assert_eq!(preview["rendered_content"], expected, "{feed}");
        assert_eq!(served.get("/items.txt").text(), expected, "{feed}");
        let llms = served.get("/llms.txt").text();
        let first = llms.split("## Items").nth(1).unwrap();
        assert!(first.trim_start().starts_with("- [T](http"), "{first}");
        assert!(first.lines().nth(2).unwrap().contains("-i104/"), "{first}");
    }
}
