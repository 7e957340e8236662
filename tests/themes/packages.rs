//! What a theme's folder may hold, and what is wrong with one.

use crate::content::errors::site_with_theme;
use crate::support::program;
use crate::support::small_site::SmallSite;

const MANIFEST: &str = "themes/mine/theme.json";
const PUBLISHED: &str = "themes/mine/microfeed-theme.json";

fn validate(site: &SmallSite) -> (Option<i32>, String) {
    let mut command = program::command();
    let ran = program::run(command.args(["theme", "validate", "--site"]).arg(site.root()));
    (ran.code, ran.err)
}

/// The theme with another manifest.
fn with_manifest(old: &str, new: &str) -> SmallSite {
    let site = site_with_theme();
    let text = site.read(MANIFEST);
    assert!(text.contains(old), "{old}");
    site.with(MANIFEST, text.replace(old, new))
}

/// The same package for the published service, in the folder that its tools leave.
fn published_theme() -> SmallSite {
    let site = site_with_theme();
    let text = site.read(MANIFEST);
    let text = text.replace("\"files\"", "\"microfeed\": \">=1.0.0 <2.0.0\",\n  \"files\"");
    site.without(MANIFEST)
        .with(PUBLISHED, text)
        .with("themes/mine/yarn.lock", "# yarn lockfile v1\n")
        .with("themes/mine/scripts/pack.mjs", "secret")
        .with("themes/mine/screenshots/home.png", "secret")
}

#[test]
fn a_microfeed_theme_folder_is_a_theme() {
    let site = published_theme();
    let (code, said) = validate(&site);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("warning[theme-package]:").count(), 1, "{said}");
    for name in ["yarn.lock", "scripts/pack.mjs", "screenshots/home.png"] {
        assert!(said.contains(name), "{said}");
    }
    let outcome = site.built();
    assert!(outcome.warnings.iter().any(|warning| warning.message.contains("yarn.lock")));
    for (path, bytes) in crate::support::small_site::tree(&site.path("public")) {
        assert!(!path.contains("yarn") && !path.contains("pack.mjs"), "{path}");
        assert_ne!(bytes, b"secret", "{path}");
    }
    // Under our own manifest the same file is a mistake.
    let (code, said) = validate(&site_with_theme().with("themes/mine/yarn.lock", ""));
    assert_eq!(code, Some(1));
    assert!(said.contains("does not list this file"), "{said}");
}

#[test]
fn declared_packages_must_be_complete() {
    let fixture = |text: &str| {
        with_manifest("\"assets\"", "\"previewFixture\": \"data.json\",\n  \"assets\"")
            .with("themes/mine/data.json", text)
    };
    let sheet = |text: &str| site_with_theme().with("themes/mine/rss.xsl", text);
    let range =
        |text: &str| with_manifest("\"assets\"", &format!("\"microfeed\": {text},\n  \"assets\""));
    let cases: [(SmallSite, &str, &str); 12] = [
        (sheet(""), "rss.xsl", "the RSS stylesheet is empty"),
        (sheet(" \n"), "rss.xsl", "the RSS stylesheet is empty"),
        (sheet("<a>\n  <b>\n</a>\n"), "rss.xsl:3:", "the RSS stylesheet is invalid XML"),
        (sheet("<a/>\n<b/>\n"), "rss.xsl:2:", "more than one root element"),
        (
            sheet("{{#x}}\n<a>\n{{/x}}\n<b c=1/>\n"),
            "rss.xsl:4:",
            "the RSS stylesheet is invalid XML",
        ),
        (sheet("plain text"), "rss.xsl:1:", "the RSS stylesheet is invalid XML"),
        (
            fixture("{\n  \"title\": \"a\",\n}\n"),
            "data.json:3:1",
            "the preview fixture is invalid JSON",
        ),
        (fixture(""), "data.json:1:1", "the preview fixture is invalid JSON"),
        (fixture("[]"), "data.json:1:1", "the preview fixture is not a JSON object"),
        (range("\"soon\""), "theme.json:18:", "\"soon\" is not a version range"),
        (range("1"), "theme.json:18:", "`microfeed`"),
        (
            with_manifest("[\"style.css\"]", "[\"style.css\", \"style.css\"]"),
            "theme.json:18:",
            "the asset style.css is listed twice",
        ),
    ];
    for (site, place, message) in cases {
        let (code, said) = validate(&site);
        assert_eq!(code, Some(1), "{message}: {said}");
        assert!(said.contains(message), "{message}: {said}");
        assert!(said.contains(place), "{place}: {said}");
        assert!(said.contains("help: "), "{said}");
        assert_eq!(said.matches("error:").count(), 1, "{said}");
    }
    for whole in [
        sheet("<x/>"),
        sheet(
            "<?xml version=\"1.0\"?>\n<!-- a -->\n<x y=\"{{title}}\">{{#items}}<z>{{title}}</z>{{/items}}{{{html}}}</x>\n",
        ),
        fixture("{\"title\": \"a\"}"),
        range("\"^1.2 || ^2\""),
        range("\">= 1.0.0 < 2.0.0\""),
        range("\"1.0.0 - 2.x\""),
    ] {
        let (code, said) = validate(&whole);
        assert_eq!(code, Some(0), "{said}");
    }
}
