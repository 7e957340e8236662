//! `feedwright new page accessibility`, and `check --accessibility`.

use crate::support::program::{command, run};
use crate::support::small_site::{SmallSite, site};

fn podcast(language: &str) -> SmallSite {
    let item = |id: &str, kind: &str| {
        format!(
            "+++\nid = \"{id}\"\ntitle = \"{id}\"\ndate_published = 2026-01-01\nattachment = {{ url = \"https://cdn.example.net/{id}\", mime_type = \"{kind}\", size_in_bytes = 9, duration_in_seconds = 9 }}\n+++\n![](https://cdn.example.net/a.png)\n"
        )
    };
    site()
        .with("content/channel.md", format!("+++\ntitle = \"Walks\"\nlanguage = \"{language}\"\nitunes.email = \"us@walks.example\"\n+++\n"))
        .with("content/items/a.md", item("a", "audio/mpeg"))
        .with("content/items/b.md", item("b", "audio/mpeg"))
        .with("content/items/c.md", item("c", "video/mp4"))
}

fn statement(site: &SmallSite) -> String {
    let made = run(command().current_dir(site.root()).args(["new", "page", "accessibility"])).ok();
    assert_eq!(made.out.trim(), "content/pages/accessibility.md");
    site.read("content/pages/accessibility.md")
}

#[test]
fn the_statement_contains_the_facts_in_the_language_of_the_site() {
    let english = statement(&podcast("en"));
    for line in [
        "title = \"Accessibility statement\"\n",
        "show_in_navigation = true\n",
        "- Recordings without a transcript: 2\n- Videos without captions: 1\n- Pictures without alternative text: 3\n",
        "Please report barriers to <us@walks.example>.\n",
    ] {
        assert!(english.contains(line), "{english}");
    }
    let german = statement(&podcast("de"));
    assert!(german.contains("title = \"Erklärung zur Barrierefreiheit\"\n"), "{german}");
    assert!(german.contains("- Aufnahmen ohne Transkript: 2\n"), "{german}");
    let site = podcast("de");
    statement(&site);
    assert!(site.build().is_ok(), "the page is valid");
}

#[test]
fn a_site_without_gaps_says_so() {
    let text = statement(&site());
    assert!(text.contains("Automatic checks found no barriers."), "{text}");
    assert!(text.contains("<name@example.com>"), "{text}");
}

#[test]
fn an_existing_statement_is_kept() {
    let site = podcast("en").with("content/pages/accessibility.md", "+++\ntitle = \"Ours\"\n+++\n");
    let made = run(command().current_dir(site.root()).args(["new", "page", "Accessibility"]));
    assert_ne!(made.code, Some(0));
    assert!(made.err.contains("already exists; edit it, or rename it"), "{}", made.err);
    assert_eq!(site.read("content/pages/accessibility.md"), "+++\ntitle = \"Ours\"\n+++\n");
}

#[test]
fn check_counts_gaps_by_clause() {
    let site = podcast("en");
    let checked = run(command().current_dir(site.root()).args(["check", "--accessibility"])).ok();
    let expected = "EN 301 549 requires, and this site lacks:\n  9.1.1.1 Non-text content: 3 (alt-text)\n  9.1.2.1 Audio-only and video-only (pre-recorded): 2 (missing-transcript)\n  9.1.2.2 Captions (pre-recorded): 1 (missing-captions)\n";
    assert!(checked.err.contains(expected), "{}", checked.err);
    assert!(!checked.err.contains("[category]"), "{}", checked.err);
    let all = run(command().current_dir(site.root()).arg("check")).ok();
    assert!(!all.err.contains("missing-transcript"), "{}", all.err);
    let json = run(command().current_dir(site.root()).args(["check", "--accessibility", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["clauses"][1]["clause"], "9.1.2.1");
    assert_eq!(json["clauses"][1]["count"], 2);
}
