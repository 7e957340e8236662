//! Posts of other generators, copied below `content/items/` as they are: they build, with warnings
//! for what is not understood.

use std::path::Path;

use feedwright::model::Severity;
use serde_json::Value;

use crate::support::small_site::{SmallSite, copy, site};

fn imported_site(fixture: &str) -> SmallSite {
    let site = site()
        .with("site.toml", "base_url = \"https://example.com\"\ntimezone = \"Europe/Berlin\"\n");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    copy(&fixtures.join(fixture), &site.path("content/items"));
    site
}

/// What became of the posts, for people: items, redirects, media, and what the build said.
fn build_outcome(site: &SmallSite) -> String {
    let built = site.built();
    let mut lines = Vec::new();
    let feed: Value = serde_json::from_str(&site.read("public/feed.json")).unwrap();
    for item in feed["items"].as_array().unwrap() {
        lines.push(format!(
            "{} {}\n  published {} modified {} tags {}\n  image {}",
            item["url"].as_str().unwrap(),
            item["title"],
            item["date_published"],
            item["date_modified"],
            item["tags"],
            item["image"],
        ));
        for part in item["content_html"].as_str().unwrap().split(['<', '>']) {
            if part.contains("src=") || part.contains("href=") {
                lines.push(format!("  <{part}>"));
            }
        }
    }
    lines.push("\nredirects".into());
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((_, rest)) = text.split_once("http-equiv=\"refresh\" content=\"0; url=") {
            lines.push(format!("/{path} -> {}", rest.split('"').next().unwrap()));
        }
    }
    lines.push("\nmedia".into());
    lines.extend(site.output().into_keys().filter(|path| path.starts_with("media/")));
    lines.push("\nwarnings".into());
    for warning in built.warnings {
        assert_eq!(warning.severity, Severity::Warning);
        let place = warning.line.map(|line| format!(":{line}")).unwrap_or_default();
        lines.push(format!("{}{place}: {}", warning.file.unwrap(), warning.message));
    }
    lines.join("\n")
}

#[test]
fn jekyll_posts() {
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(build_outcome(&imported_site("jekyll-posts")));
    });
}

#[test]
fn hugo_content() {
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(build_outcome(&imported_site("hugo-content")));
    });
}

#[test]
fn links_to_files_other_than_pages_are_resolved() {
    let site = imported_site("hugo-content")
        .with(
            "content/items/rope/index.md",
            "[a demo](demo.html) and [the notes](../posts/_index.md)\n",
        )
        .with("content/items/rope/demo.html", "<p>Pull.</p>\n");
    site.built();
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("feedwright-content:"), "{path}");
    }
    assert_eq!(site.read("public/media/items/rope/demo.html"), "<p>Pull.</p>\n");
}

#[test]
fn obsidian_notes() {
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(build_outcome(&imported_site("obsidian-notes")));
    });
}
