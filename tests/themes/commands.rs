//! The commands for themes: `theme new`, `list`, `show`, `test`.

use std::path::Path;

use crate::support::program::{self, CommandOutput};
use crate::support::{Page, Site};

fn run_theme(site: &Site, arguments: &[&str]) -> CommandOutput {
    run(site.root(), arguments)
}

fn run(root: &Path, arguments: &[&str]) -> CommandOutput {
    program::run(program::command().arg("theme").args(arguments).current_dir(root))
}

const MANIFEST: &str = r#"{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT", "extends": "default"}"#;

#[test]
fn a_new_theme_builds_and_equals_its_base() {
    for base in ["default", "podcast", "notes"] {
        let site = Site::fixture("small-site");
        let before = Site::fixture("small-site").config(&format!("theme = \"{base}\"")).build();
        assert!(run_theme(&site, &["new", "mine", "--extends", base]).code == Some(0));
        let site = site.config("theme = \"mine\"");
        let output = site.build();
        let sheets = output.html("index.html").all("head link[rel=stylesheet]", "href");
        assert!(sheets.last().unwrap().ends_with("/assets/own.css"), "{sheets:?}");
        let own = format!("<link rel=\"stylesheet\" href=\"{}\">\n", sheets.last().unwrap());
        let text = output.stable("index.html").replace("&#x2F;", "/");
        let own = output.stabilize(&own);
        assert!(text.contains(&own), "{own}");
        assert_eq!(
            text.replace(&own, ""),
            before.stable("index.html").replace("&#x2F;", "/"),
            "{base}"
        );
        assert!(run_theme(&site, &["test"]).code == Some(0), "{base}");
        let again = run_theme(&site, &["new", "mine"]);
        assert_eq!(again.code, Some(2));
        assert!(again.err.contains("themes/mine already exists"));
    }
}

#[test]
fn an_invalid_new_theme_is_an_error_with_a_reason() {
    let site = Site::empty();
    for (arguments, why) in [
        (["new", "../x"].as_slice(), "invalid theme name \"../x\""),
        (&["new", "Mine"], "invalid theme name \"Mine\""),
        (&["new", "mine", "--extends", "podcats"], "did you mean \"podcast\"?"),
    ] {
        let output = run_theme(&site, arguments);
        assert_eq!(output.code, Some(2), "{arguments:?}");
        assert!(output.err.contains(why), "{}", output.err);
    }
    assert!(!site.root().join("themes").exists());
}

#[test]
fn themes_are_listed_and_the_current_one_is_marked() {
    let site = Site::empty()
        .config("theme = \"own\"")
        .write("themes/own/theme.json", MANIFEST)
        .write("themes/broken/theme.json", "{}");
    let listed = run_theme(&site, &["list"]).out;
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 6, "{listed}");
    assert!(lines[0].starts_with("  broken"), "{listed}");
    assert!(lines[0].ends_with("run `feedwright theme validate themes/broken`"), "{listed}");
    assert!(lines[1].starts_with("* own"), "{listed}");
    assert!(lines[1].contains("extends default"), "{listed}");
    let json: serde_json::Value =
        serde_json::from_str(&run_theme(&site, &["list", "--json"]).out).unwrap();
    assert_eq!(json[1]["used"], true);
    assert_eq!(json[0]["ok"], false);
    assert!(json[1]["options"].as_array().unwrap().contains(&"accent".into()));
}

#[test]
fn a_theme_file_is_printed_unchanged() {
    let site = Site::empty()
        .config("theme = \"own\"")
        .write("themes/own/theme.json", MANIFEST)
        .write("themes/own/partials/rail.mustache", "<p>Own</p>");
    let source = |path: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("themes").join(path))
            .unwrap()
    };
    assert_eq!(run_theme(&site, &["show", "rail"]).out, "<p>Own</p>");
    assert_eq!(run_theme(&site, &["show", "webItem"]).out, source("default/slots/item.mustache"));
    // With its comments, which pages are not sent.
    assert_eq!(
        run_theme(&site, &["show", "assets/style.css"]).out,
        source("default/assets/style.css")
    );
    assert_eq!(
        run_theme(&site, &["show", "rail", "--theme", "default"]).out,
        source("default/partials/rail.mustache")
    );
    assert_eq!(
        run_theme(&site, &["show", "head-more", "--theme", "podcast"]).out,
        source("podcast/partials/head-more.mustache")
    );
    let unknown = run_theme(&site, &["show", "webItm"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("did you mean webItem?"), "{}", unknown.err);
    let parts = run_theme(&site, &["show"]).out;
    assert!(parts.contains("webItem "), "{parts}");
    assert!(parts.contains("assets/style.css"), "{parts}");
}

#[test]
fn every_theme_renders_every_fixture() {
    let site = Site::empty()
        .write("themes/own/theme.json", MANIFEST)
        .write("themes/own/partials/byline.mustache", "<p>{{title}}</p>");
    let listed: serde_json::Value =
        serde_json::from_str(&run_theme(&site, &["list", "--json"]).out).unwrap();
    let listed = listed.as_array().unwrap().iter();
    let names: Vec<&str> = listed.map(|one| one["name"].as_str().unwrap()).collect();
    for name in ["own", "default", "podcast", "photos", "notes"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for name in names {
        let output = run_theme(&site, &["test", name, "--json"]);
        assert!(output.code == Some(0), "{name}: {}", output.out);
        let json: serde_json::Value = serde_json::from_str(&output.out).unwrap();
        assert_eq!(json["sites"], 8);
        assert!(json["pages"].as_u64().unwrap() > 140, "{json}");
        assert_eq!(json["warnings"], serde_json::json!([]));
    }
}

#[test]
fn an_error_in_a_theme_has_its_position() {
    let site = Site::empty()
        .write("themes/own/theme.json", MANIFEST)
        .write(
            "themes/own/partials/pager.mustache",
            "<div class=\"own-pager\">\n<h2>{{{title}}}</h2>\n<img src=\"a.png\">\n<span id=\"theme-main\"></span>\n</section>\n{{item_card}}\n",
        )
        .write("themes/own/partials/byline.mustache", "<p><a href=\"{{url}}\">{{> outer}}</a></p>")
        .write("themes/own/partials/outer.mustache", "<a class=\"inner\" href=\"/\">x</a>");
    let output = run_theme(&site, &["test", "own"]);
    assert_eq!(output.code, Some(1));
    let text = output.err;
    for (message, place) in [
        (
            "text of the site is inserted here as unescaped HTML",
            "themes/own/partials/pager.mustache:2:1",
        ),
        ("<div> is not closed", "themes/own/partials/pager.mustache:1:1"),
        ("this picture has no `alt`", "themes/own/partials/pager.mustache:3:1"),
        ("duplicate id \"theme-main\"", "themes/own/partials/pager.mustache:4:1"),
        ("</section> has no opening tag", "themes/own/partials/pager.mustache:5:1"),
        ("this link is inside another link", "themes/own/partials/outer.mustache:1:1"),
    ] {
        assert!(text.contains(&format!("error: {message}\n  --> {place}\n")), "{message}: {text}");
    }
    assert!(text.contains("unknown name `item_card`"), "{text}");

    let circle = Site::empty()
        .write("themes/own/theme.json", &MANIFEST.replace("default", "other"))
        .write("themes/other/theme.json", &MANIFEST.replace("default", "own"));
    let output = run_theme(&circle, &["test", "own"]);
    assert_eq!(output.code, Some(1));
    assert!(output.err.contains("in a circle"));
}

/// Each by itself: the message, its place, and a part of the remedy.
#[test]
fn each_theme_error_has_a_position_and_help() {
    const PAGER: &str = "themes/own/partials/pager.mustache";
    let of_partial = |text: &str| (PAGER, text.to_owned());
    let of_manifest = |from: &str, to: &str| ("themes/own/theme.json", MANIFEST.replace(from, to));
    for ((path, text), message, place, remedy) in [
        (
            of_partial("<p>\n  {{#title}}x</p>\n"),
            "section `title` opened at line 2 column 3 is never closed",
            "themes/own/partials/pager.mustache:2:3",
            "see the syntax",
        ),
        (
            of_partial("<p>{{> paeger}}</p>"),
            "partial \"paeger\" not found",
            "themes/own/partials/pager.mustache:1:4",
            "add it to the folder that `partials` sets",
        ),
        (
            of_partial("<p>{{> pager}}</p>"),
            "partial `pager` is nested 64 partials deep",
            "themes/own/partials/pager.mustache:1:4",
            "64 deep",
        ),
        (
            of_partial("<p>\n{{{title}}}</p>"),
            "text of the site is inserted here as unescaped HTML",
            "themes/own/partials/pager.mustache:2:1",
            "write the name in double braces",
        ),
        (
            of_partial("<p>\n<a href={{title}}>x</a></p>"),
            "this tag has an invalid attribute name",
            "themes/own/partials/pager.mustache:2:1",
            "put quotes around each value",
        ),
        (
            of_partial("<b><i>x</b>"),
            "<i> is not closed",
            "themes/own/partials/pager.mustache:1:4",
            "add the closing tag",
        ),
        (
            of_manifest("\"default\"", "\"defualt\""),
            "theme \"defualt\" not found",
            "themes/own/theme.json:1:",
            "did you mean \"default\"?",
        ),
        (
            of_manifest("\"default\"", "\"own\""),
            "the theme own extends itself",
            "themes/own/theme.json:1:",
            "extend",
        ),
        (
            of_manifest(
                "}",
                ", \"options\": {\"a\": {\"type\": \"number\", \"default\": \"x\", \"description\": \"D.\"}}}",
            ),
            "`options.a.default` must be a number, not text",
            "themes/own/theme.json:1:",
            "write digits, without quotes",
        ),
        (of_manifest("\"1.0.0\"", "1"), "version", "themes/own/theme.json:1:", ""),
    ] {
        let site = Site::empty().write("themes/own/theme.json", MANIFEST).write(path, &text);
        let output = run_theme(&site, &["test", "own"]);
        assert_eq!(output.code, Some(1), "{text}");
        let told = output.err;
        let (_, from) = told.split_once(message).expect(&told);
        let (before, after) = from.split_once(&format!("--> {place}")).expect(&told);
        assert!(!before.contains("error: "), "{told}");
        let help = after.split("error: ").next().unwrap_or_default();
        assert!(help.contains("help: ") && help.contains(remedy), "{told}");
    }
}

#[test]
fn an_unknown_theme_is_an_error_with_a_suggestion() {
    let site = Site::empty().write("themes/own/theme.json", MANIFEST);
    for arguments in [["test", "onw"].as_slice(), &["show", "rail", "--theme", "onw"]] {
        let output = run_theme(&site, arguments);
        assert_eq!(output.code, Some(2));
        let told = output.err;
        assert!(told.contains("theme \"onw\" not found; did you mean \"own\"?"), "{told}");
    }
    let output = run_theme(&site.config("theme = \"photo\""), &["test"]);
    assert_eq!(output.code, Some(1));
    let told = output.err;
    assert!(told.contains("--> site.toml:") && told.contains("did you mean \"photos\"?"), "{told}");
}

#[test]
fn the_theme_preview_shows_every_page_in_two_widths() {
    let site = crate::support::small_site::site()
        .with(
            "content/items/a.md",
            "+++\ntitle = \"A\"\nslug = \"a\"\ntags = [\"x\"]\n+++\nText.\n",
        )
        .with("content/items/b.md", "+++\ntitle = \"B\"\nslug = \"b\"\n+++\nText.\n");
    let served = crate::support::preview_server::serve(site.root());
    let page = Page(scraper::Html::parse_document(&served.text("/.feedwright/theme")));
    let frames = page.all("iframe", "src");
    let of = |path: &str| frames.iter().filter(|frame| *frame == path).count();
    for path in ["/", "/i/a/", "/tags/", "/tags/x/", "/archive/", "/search/", "/subscribe/"] {
        let expected = if path == "/i/a/" { of("/i/a/") + of("/i/b/") } else { of(path) };
        assert_eq!(expected, 2, "{path}: {frames:?}");
    }
    let widths: Vec<String> = page.all("iframe", "class");
    assert_eq!(widths[..2], ["phone", "desk"]);
}
