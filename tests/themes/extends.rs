//! A theme that extends another has what it does not bring along.

use crate::support::Site;

const CONFIG: &str = "base_url = \"https://walks.example\"\ntheme = \"own\"\n";

fn manifest(more: &str) -> String {
    format!(
        r#"{{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT"{more}}}"#
    )
}

fn site(more: &str) -> Site {
    Site::empty()
        .write("site.toml", CONFIG)
        .write("content/channel.md", "+++\ntitle = \"Walks\"\n+++\n")
        .write(
            "content/items/a.md",
            "+++\ntitle = \"A\"\nslug = \"a\"\ndate = 2026-01-05T09:00:00Z\n+++\nText.\n",
        )
        .write("themes/own/theme.json", &manifest(more))
}

#[test]
fn missing_files_of_a_theme_come_from_its_base() {
    let output =
        site(r#", "extends": "default", "files": {"webPage": "page.m"}, "assets": ["own.css"]"#)
            .write("themes/own/page.m", "<main>{{_words.hello}}</main>")
            .write("themes/own/own.css", "p {}")
            .write("themes/own/partials/tags.mustache", "<p class=own>{{> own}}</p>")
            .write("themes/own/partials/own.mustache", "Own tags")
            .write("themes/own/assets/style.css", "/* own */")
            .write("themes/own/words/en.toml", "hello = \"Good day\"\nskip = \"Down\"\n")
            .build();
    let item = output.html("i/a/index.html");
    assert_eq!(item.one(".skip"), "Down");
    assert_eq!(item.one("h1"), "A");
    assert_eq!(output.html("404.html").one("main"), "Good day");
    let folder = output
        .files()
        .into_iter()
        .find(|path| path.ends_with("/own.css"))
        .expect("an asset of its own");
    let folder = folder.trim_end_matches("own.css");
    assert_eq!(output.text(&format!("{folder}assets/style.css")), "/* own */");
    assert!(output.files().contains(&format!("{folder}assets/theme.js")));
}

#[test]
fn a_custom_theme_can_extend_the_built_in_theme_of_its_name() {
    let middle = manifest(r#", "extends": "default", "partials": "parts""#);
    let output = site(r#", "extends": "default", "partials": "pieces""#)
        .write("themes/default/theme.json", &middle)
        .write("themes/default/parts/byline.mustache", "<p class=by>Middle</p>")
        .write("themes/own/pieces/rail.mustache", "<p class=rail-own>Own</p>")
        .build();
    let item = output.html("i/a/index.html");
    assert_eq!(item.one(".by"), "Middle");
    assert_eq!(item.one(".rail-own"), "Own");
}

#[test]
fn a_missing_or_circular_base_theme_is_an_error() {
    let lost = site(r#", "extends": "defualt""#).errors();
    assert!(lost.contains("theme \"defualt\" not found"), "{lost}");
    assert!(lost.contains("themes/own/theme.json:1:"), "{lost}");
    let circle = site(r#", "extends": "b""#)
        .write("themes/b/theme.json", &manifest(r#", "extends": "own""#))
        .errors();
    assert!(circle.contains("own → b → own"), "{circle}");
    let format = site("").write(
        "themes/own/theme.json",
        &manifest(r#", "extends": "default""#)
            .replace("\"formatVersion\": 2", "\"formatVersion\": 1"),
    );
    let format = format.errors();
    assert!(format.contains("set \"formatVersion\": 2"), "{format}");
    let path = site(r#", "extends": "../x""#).errors();
    assert!(path.contains("`extends` cannot be"), "{path}");
}
