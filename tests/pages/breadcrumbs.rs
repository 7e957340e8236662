//! The ways up from a page: what leads back from it to home, on the page and for search engines.

use serde_json::Value;

use crate::support::{Output, Page, Site};

fn site() -> Site {
    Site::empty()
        .write("site.toml", "base_url = \"https://walks.example/sub\"\n")
        .write("content/channel.md", "+++\ntitle = \"Walks\"\nlanguage = \"en\"\n+++\n")
}

fn add_item(site: Site, name: &str, front: &str) -> Site {
    let text = format!("+++\ntitle = {name:?}\nslug = {name:?}\n{front}\n+++\nText.\n");
    site.write(&format!("content/items/{name}.md"), &text)
}

/// The names and addresses that search engines read.
fn listed(page: &Page) -> Vec<(String, String)> {
    let Some(list) = page.all_json_ld().into_iter().find(is_list) else {
        return Vec::new();
    };
    let entries = list["itemListElement"].as_array().unwrap();
    let positions: Vec<_> = entries.iter().map(|one| &one["position"]).collect();
    let expected: Vec<_> = (1..=entries.len()).map(Value::from).collect();
    assert_eq!(positions, expected.iter().collect::<Vec<_>>());
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let entries = entries.iter();
    entries.map(|one| (text(one, "name"), text(one, "item"))).collect()
}

fn is_breadcrumb_list(script: &Value) -> bool {
    script["@type"] == "BreadcrumbList" && script["@context"] == "https://schema.org"
}

/// What is read above the heading, and what search engines read: home first.
fn page_breadcrumbs(output: &Output, path: &str) -> (Vec<String>, Vec<String>) {
    let page = output.html(&format!("{path}index.html"));
    let listed = listed(&page);
    if let Some((_, url)) = listed.last() {
        assert_eq!(*url, format!("https://walks.example/sub/{path}"));
    }
    let links = page.all("nav.breadcrumbs a", "href");
    let up = listed.iter().take(links.len());
    let up: Vec<_> = up.map(|(_, url)| url.replace("https://walks.example", "")).collect();
    assert_eq!(links, up);
    let shown = page.texts("nav.breadcrumbs li");
    (shown, listed.into_iter().map(|(name, _)| name).collect())
}

fn expected_breadcrumbs(shown: &[&str], listed: &[&str]) -> (Vec<String>, Vec<String>) {
    let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    (owned(shown), owned(listed))
}

#[test]
fn breadcrumbs_of_items_show_the_season_or_the_archive() {
    let site = add_item(site(), "post", "date = 2025-01-01");
    let site = add_item(
        site,
        "one",
        "date = 2025-01-02\n[podcast]\nseason = { number = 2, name = \"The <sea>\" }",
    );
    let site = add_item(site, "secret", "date = 2025-01-03\nstatus = \"unlisted\"");
    let output = site.build();
    let archive = expected_breadcrumbs(&["", "Archive"], &["Walks", "Archive", "post"]);
    assert_eq!(page_breadcrumbs(&output, "i/post/"), archive);
    let season = "Season 2: The <sea>";
    let expected = expected_breadcrumbs(&["", season], &["Walks", season, "one"]);
    assert_eq!(page_breadcrumbs(&output, "i/one/"), expected);
    // The season is seen once: the style sheet leaves out the one beside the date.
    let page = output.html("i/one/index.html");
    let seen = "main a[href*='/season/']:not(.rail-season a)";
    assert_eq!(page.all(seen, "href").len(), 1);
    let unlisted = expected_breadcrumbs(&[], &["Walks", "secret"]);
    assert_eq!(page_breadcrumbs(&output, "i/secret/"), unlisted);
    assert_eq!(page_breadcrumbs(&output, ""), expected_breadcrumbs(&[], &[]));
}

#[test]
fn breadcrumbs_of_lists_show_their_parent_lists() {
    let front =
        "date = 2025-01-01\ntags = [\"Sea\"]\nauthors = [\"Ann\", \"Bo\"]\n[podcast]\nseason = 1";
    let output = add_item(site(), "post", front).build();
    let of = |path: &str| page_breadcrumbs(&output, path);
    assert_eq!(of("tags/sea/"), expected_breadcrumbs(&["", "Tags"], &["Walks", "Tags", "Sea"]));
    assert_eq!(of("tags/"), expected_breadcrumbs(&[], &["Walks", "Tags"]));
    assert_eq!(of("archive/"), expected_breadcrumbs(&[], &["Walks", "Archive"]));
    assert_eq!(of("season/1/"), expected_breadcrumbs(&[], &["Walks", "Season 1"]));
    assert_eq!(of("author/ann/"), expected_breadcrumbs(&[], &["Walks", "Ann"]));
}

#[test]
fn breadcrumbs_of_pages_show_the_pages_of_their_folders() {
    let page = |title: &str, more: &str| format!("+++\ntitle = {title:?}\n{more}\n+++\nText.\n");
    let output = site()
        .write("content/pages/guide/index.md", &page("The guide", "navigation_label = \"Guide\""))
        .write("content/pages/guide/tides.md", &page("Tides", "language = \"de\""))
        .write("content/pages/guide/none/deep/index.md", &page("Deep", ""))
        .write("content/pages/guide/hidden.md", &page("Hidden", "draft = true"))
        .write("content/pages/guide/hidden/below.md", &page("Below", ""))
        .write("content/pages/404.md", &page("Lost", ""))
        // Every Page lies in the folder of Pages; that is no place above them.
        .write("content/pages/index.md", &page("All", ""))
        .build();
    let of = |path: &str| page_breadcrumbs(&output, path);
    assert_eq!(of("guide/"), expected_breadcrumbs(&[], &["Walks", "The guide"]));
    for (path, title) in [("tides/", "Tides"), ("deep/", "Deep"), ("below/", "Below")] {
        assert_eq!(of(path), expected_breadcrumbs(&["", "Guide"], &["Walks", "Guide", title]));
    }
    let tides = output.html("tides/index.html");
    assert_eq!(tides.all("nav.breadcrumbs a[lang]", "lang"), ["en"]);
    assert_eq!(of("404/"), expected_breadcrumbs(&[], &[]));
}
