//! The themes that are part of the program: `default`, and `podcast`, `photos` and `notes`, which extend it.

use crate::support::program;
use crate::support::{Output, Site};

fn build_with_theme(theme: &str) -> Output {
    let site = Site::fixture("small-site");
    site.config(&format!("theme = \"{theme}\"")).build()
}

/// The main part of a document.
fn main_content(output: &Output, path: &str) -> String {
    let text = output.stable(path);
    let start = text.find("<main").unwrap();
    let end = text.find("</main>").unwrap();
    text[start..end].to_owned()
}

#[test]
fn the_podcast_theme_starts_with_cover_and_latest_episode() {
    let output = build_with_theme("podcast");
    let home = output.html("index.html");
    assert_eq!(home.texts(".hosts li").len(), 1);
    assert!(home.attribute(".show-cover .u-photo", "src").is_some());
    assert_eq!(home.texts(".lead-item .p-name").len(), 1);
    insta::assert_snapshot!("podcast-home", main_content(&output, "index.html"));
    let path = "i/an-episode/index.html";
    insta::assert_snapshot!("podcast-item", main_content(&output, path));
}

#[test]
fn the_photos_theme_shows_a_grid_and_large_pictures() {
    let output = build_with_theme("photos");
    insta::assert_snapshot!("photos-home", main_content(&output, "index.html"));
    let page = output.html("i/a-photo-photo000001/index.html");
    assert_eq!(page.texts(".photo > figure > figcaption h1"), ["A photo"]);
    let text = output.text("i/a-photo-photo000001/index.html");
    assert!(text.find("class=\"frame\"").unwrap() < text.find("<h1").unwrap());
}

#[test]
fn the_notes_theme_lists_dated_texts_and_the_page_tree() {
    let output = build_with_theme("notes");
    let home = output.html("index.html");
    assert_eq!(home.texts(".list-head"), ["Latest"]);
    assert_eq!(home.texts(".lead-item").len(), 0);
    assert_eq!(home.texts(".entries > .entry").len(), 4, "the newest is among them");
    insta::assert_snapshot!("notes-home", main_content(&output, "index.html"));
    let page = output.text("about/index.html");
    let side = page.find("<nav class=\"side\"").unwrap();
    assert!(side < page.find("<main").unwrap());
    insta::assert_snapshot!("notes-page", output.stable("about/index.html"));
}

#[test]
fn every_theme_applies_the_colour_scheme_before_the_first_paint() {
    for (theme, sheets) in [("default", 1), ("podcast", 2), ("photos", 3), ("notes", 2)] {
        let output = build_with_theme(theme);
        let text = output.text("index.html");
        let at = |what: &str| text.find(what).unwrap();
        let script = at("/assets/colours.js\"></script>");
        assert!(at("/assets/style.css") < script && script < at("</head>"), "{theme}");
        let home = output.html("index.html");
        let styles = home.all("head link[rel=stylesheet]", "href");
        let own = styles.iter().filter(|href| href.contains("/assets/"));
        assert_eq!(own.count(), sheets, "{theme}");
        assert_eq!(home.all("meta[name=theme-color]", "data-scheme").len(), 2);
        let choice = home.attribute("select[data-colours]", "aria-label");
        assert_eq!(choice.as_deref(), Some("Color theme"));
        assert_eq!(home.texts("select[data-colours] option").len(), 3);
    }
}

/// A build looks for unknown names in the templates of a site, and not in those of the program.
#[test]
fn every_variable_in_built_in_templates_is_known() {
    for theme in ["themes/default", "themes/podcast", "themes/photos", "themes/notes"] {
        let validated = program::command()
            .args(["theme", "validate", theme, "--json"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let told: serde_json::Value = serde_json::from_slice(&validated.stdout).unwrap();
        assert_eq!(told["warnings"], serde_json::json!([]), "{theme}");
    }
}
