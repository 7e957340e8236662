//! The ways up from a page: what leads back from it to home, on the page and for search engines.

use serde_json::Value;

use crate::support::{Output, Page, Site};

fn site() -> Site {
    Site::empty()
        .write("site.toml", "base_url = \"https://walks.example/sub\"\n")
        .write("content/channel.md", "+++\ntitle = \"Walks\"\nlanguage = \"en\"\n+++\n")
}

fn item(site: Site, name: &str, front: &str) -> Site {
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

fn is_list(script: &Value) -> bool {
    script["@type"] == "BreadcrumbList" && script["@context"] == "https://schema.org"
}

/// What is read above the heading, and what search engines read: home first.
fn above(output: &Output, path: &str) -> (Vec<String>, Vec<String>) {
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

fn both(shown: &[&str], listed: &[&str]) -> (Vec<String>, Vec<String>) {
    let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    (owned(shown), owned(listed))
}

#[test]
fn items_lead_to_their_season_or_to_the_archive() {
    let site = item(site(), "post", "date = 2025-01-01");
    let site = item(
        site,
        "one",
        "date = 2025-01-02\n[podcast]\nseason = { number = 2, name = \"The <sea>\" }",
    );
    let site = item(site, "secret", "date = 2025-01-03\nstatus = \"unlisted\"");
    let output = site.build();
    let archive = both(&["", "Archive"], &["Walks", "Archive", "post"]);
    assert_eq!(above(&output, "i/post/"), archive);
    let season = "Season 2: The <sea>";
    let expected = both(&["", season], &["Walks", season, "one"]);
    assert_eq!(above(&output, "i/one/"), expected);
    // The season is seen once: the style sheet leaves out the one beside the date.
    let page = output.html("i/one/index.html");
    let seen = "main a[href*='/season/']:not(.rail-season a)";
    assert_eq!(page.all(seen, "href").len(), 1);
    let unlisted = both(&[], &["Walks", "secret"]);
    assert_eq!(above(&output, "i/secret/"), unlisted);
    assert_eq!(above(&output, ""), both(&[], &[]));
}

#[test]
fn lists_lead_to_the_lists_above_them() {
    let front =
        "date = 2025-01-01\ntags = [\"Sea\"]\nauthors = [\"Ann\", \"Bo\"]\n[podcast]\nseason = 1";
    let output = item(site(), "post", front).build();
    let of = |path: &str| above(&output, path);
    assert_eq!(of("tags/sea/"), both(&["", "Tags"], &["Walks", "Tags", "Sea"]));
    assert_eq!(of("tags/"), both(&[], &["Walks", "Tags"]));
    assert_eq!(of("archive/"), both(&[], &["Walks", "Archive"]));
    assert_eq!(of("season/1/"), both(&[], &["Walks", "Season 1"]));
    assert_eq!(of("author/ann/"), both(&[], &["Walks", "Ann"]));
}

#[test]
fn pages_lead_to_the_pages_of_their_folders() {
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
    let of = |path: &str| above(&output, path);
    assert_eq!(of("guide/"), both(&[], &["Walks", "The guide"]));
    for (path, title) in [("tides/", "Tides"), ("deep/", "Deep"), ("below/", "Below")] {
        assert_eq!(of(path), both(&["", "Guide"], &["Walks", "Guide", title]));
    }
    let tides = output.html("tides/index.html");
    assert_eq!(tides.all("nav.breadcrumbs a[lang]", "lang"), ["en"]);
    assert_eq!(of("404/"), both(&[], &[]));
}
