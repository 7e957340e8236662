//! Addresses that authors choose: `[addresses]` in `site.toml`, and pages in folders.

use feedwright::builder::{self, Silent};
use feedwright::model::AddressPattern;
use proptest::prelude::*;

use crate::support::preview_server;
use crate::support::served;
use crate::support::small_site::{SmallSite, feedwright, site};

const WALK: &str = "+++\nid = \"w\"\ntitle = \"A walk\"\ndate = 2026-03-04T23:30:00-02:00\n+++\n[Setup](../pages/docs/setup.md)\n";
const PHOTO: &str = "+++\ntitle = \"Sea\"\ndate = 2026-01-09\nattachment = \"sea.svg\"\n+++\n";
const NOTE: &str = "+++\ntitle = \"Tide\"\n+++\nLow.\n";
const SETUP: &str = "+++\ntitle = \"Setup\"\n+++\n[walk](../../items/walk.md)\n";
const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"3\"/>";

/// A site with `[addresses]`, and an item of each kind.
fn addressed(patterns: &str) -> SmallSite {
    let config = format!(
        "base_url = \"https://example.org/blog\"\ntimezone = \"Europe/Berlin\"\n\n[output]\nmarkdown = true\n\n\
         [hosting]\ntargets = [\"netlify\", \"github-pages\"]\n\n[addresses]\n{patterns}\n"
    );
    site()
        .with("site.toml", config)
        .with("content/items/walk.md", WALK)
        .with("content/items/2026-01-09-sea/index.md", PHOTO)
        .with("content/items/2026-01-09-sea/sea.svg", PICTURE)
        .with("content/items/notes/tide.md", NOTE)
        .with("content/pages/docs/setup.md", SETUP)
}

const ALL: &str = "items = \"/{year}/{month}/{day}/{slug}/\"\nphotos = \"/photos/{slug}-{id}/\"\nnested_pages = true\n\
                   folders = { notes = \"/notes/{slug}/\" }";

/// The public paths of a build that do not depend on the theme, the search index or social cards.
fn paths(site: &SmallSite) -> String {
    let files = site.output().into_keys();
    let is_told = |file: &String| {
        !["assets/", "search/", "media/", "rss", "feed"].iter().any(|start| file.starts_with(start))
            && !file.contains("/card.")
    };
    files.filter(is_told).collect::<Vec<_>>().join("\n")
}

#[test]
fn patterns_choose_the_paths_of_items_and_pages() {
    let site = addressed(ALL);
    site.built();
    insta::assert_snapshot!(paths(&site));
    let redirects = site.read("public/_redirects");
    for former in ["w", "a-walk-w"] {
        let line = format!("/blog/i/{former}/ /blog/2026/03/05/walk/ 301");
        assert!(redirects.contains(&line), "{redirects}");
    }
    let page = site.read("public/2026/03/05/walk/index.html");
    assert!(
        page.contains(
            "<link rel=\"canonical\" href=\"https://example.org/blog/2026/03/05/walk/\">"
        )
    );
    assert!(page.contains("href=\"/blog/docs/setup/\""), "{page}");
    let page = site.read("public/docs/setup/index.html");
    assert!(page.contains("href=\"/blog/2026/03/05/walk/\""), "{page}");
    for file in ["feed.json", "rss.xml", "sitemap.xml", "llms.txt"] {
        let text = site.read(&format!("public/{file}"));
        assert!(text.contains("https://example.org/blog/2026/03/05/walk/"), "{file}: {text}");
        assert!(!text.contains("/i/a-walk-w/"), "{file}: {text}");
    }
}

#[test]
fn the_api_knows_chosen_paths() {
    let served = served::serve(addressed(ALL));
    let key = format!("Bearer {}", served::KEY);
    let item = served.send("GET", "/api/v1/items/w/", &[("authorization", &key)], b"").ok();
    let url = item["items"][0]["_service"]["web_url"].as_str().unwrap();
    assert!(url.ends_with("/2026/03/05/walk/"), "{url}");
}

#[test]
fn the_server_answers_at_chosen_paths_and_redirects_the_paths_of_the_service() {
    let site = addressed(ALL);
    let preview = preview_server::serve(site.root());
    assert!(preview.text("/2026/03/05/walk/").contains("A walk"));
    assert!(preview.text("/2026/03/05/walk/index.md").contains("# A walk"));
    assert!(preview.text("/docs/setup/").contains("Setup"));
    let key = preview.text("/i/w/item.json");
    assert!(key.contains("/2026/03/05/walk/"), "{key}");
    for former in ["/i/w/", "/i/a-walk-w/", "/2026/03/05/WALK/", "/2026/03/05/walk"] {
        let reply = preview.ask("GET", former, &[]);
        let location = reply.header("location").unwrap_or_default();
        assert!(location.ends_with("/2026/03/05/walk/"), "{former}: {} {location}", reply.status);
    }
}

/// Each clash names both files.
#[test]
fn two_documents_with_one_path_are_an_error() {
    let site = addressed("items = \"/{slug}/\"\n")
        .with("content/items/other/walk.md", "+++\ntitle = \"Other\"\n+++\n")
        .with("content/items/about.md", "+++\ntitle = \"About\"\n+++\n")
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
        .with("content/items/archive.md", "+++\ntitle = \"Archive\"\n+++\n")
        .with("content/items/tags.md", "+++\ntitle = \"Tags\"\ntags = [\"a\"]\n+++\n");
    insta::assert_snapshot!(site.report());
}

/// An item without a value of its pattern has no address. A draft needs none.
#[test]
fn a_missing_value_is_an_error_of_the_item() {
    let site = addressed("items = \"/{year}/{slug}/\"\nphotos = \"/s{season}/{episode}/\"")
        .with("content/items/draft.md", "+++\ntitle = \"Draft\"\nstatus = \"unpublished\"\n+++\n");
    insta::assert_snapshot!(site.report());
}

#[test]
fn invalid_patterns_are_errors() {
    let patterns = [
        "year", "/{slug}", "//{slug}/", "/../{slug}/", "/{slag}/", "/{slug/", "/a?{slug}/",
        "/{year}/", "/tags/{slug}/", "/i/{slug}/", "/I/{slug}/", "/_edit/{slug}/",
        "/a/.git/{slug}/", "/a/b/c/d/e/f/{slug}/",
    ];
    let report = |pattern: &str| addressed(&format!("items = \"{pattern}\"")).report();
    let reports: Vec<String> = patterns.into_iter().map(report).collect();
    insta::assert_snapshot!(reports.join("\n\n"));
}

/// Messages name the keys of the pattern.
#[test]
fn a_clash_names_the_keys_of_the_pattern() {
    let episode = |id: &str| {
        format!(
            "+++\nid = \"{id}\"\ntitle = \"T\"\n[attachment]\nurl = \"https://cdn.example/{id}.mp3\"\n[itunes]\nepisode = 1\n+++\n"
        )
    };
    let patterns = "episodes = \"/episodes/{episode}/\"\nfolders = { nothere = \"/x/{slug}/\" }";
    let site = addressed(patterns)
        .with("content/items/a.md", episode("a"))
        .with("content/items/b.md", episode("b"));
    insta::assert_snapshot!(site.report());
}

/// The old addresses of a changed pattern become aliases, in one step.
#[test]
fn a_changed_pattern_leaves_aliases() {
    let site = addressed("items = \"/{year}/{slug}/\"\nfolders = { notes = \"/notes/{slug}/\" }");
    site.built();
    let config = site.read("site.toml").replace("/{year}/{slug}/", "/{slug}/");
    site.write("site.toml", config);
    assert_eq!(site.built().warnings.len(), 2);
    let (code, told, _) = feedwright(&site, &["check", "--fix"]);
    assert_eq!(code, 0, "{told}");
    let walk = site.read("content/items/walk.md");
    assert_eq!(walk, WALK.replace("+++\n[", "aliases = [\"/2026/walk/\"]\n+++\n["));
    assert!(site.built().warnings.is_empty());
    assert!(site.read("public/_redirects").contains("/blog/2026/walk/ /blog/walk/ 301"));
    assert!(site.read("public/2026/walk/index.html").contains("url=/blog/walk/"));
}

/// A site whose addresses change has the output of a site that is built for the first time.
#[test]
fn changed_addresses_build_the_same_site() {
    let site = addressed(ALL);
    site.built();
    let others = "items = \"/{slug}/\"\nphotos = \"/{year}/{slug}/\"";
    site.write("site.toml", addressed(others).read("site.toml"));
    site.built();
    let fresh = addressed(others);
    builder::run(&fresh.options(), &Silent).unwrap();
    assert!(site.output() == fresh.output());
}

proptest! {
    /// A pattern is valid or refused with a reason, and never panics.
    #[test]
    fn any_text_is_a_pattern_or_an_error(text in "[/{}a-z.ä_ -]{0,24}|/(\\{(year|slug|id|day)\\}|[a-z]){1,9}/") {
        if let Err(why) = AddressPattern::parse(&text) {
            prop_assert!(!why.is_empty());
        } else {
            prop_assert!(text.starts_with('/') && text.ends_with('/') && !text.contains("//"));
        }
    }
}
