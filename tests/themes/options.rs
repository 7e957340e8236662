//! What a site chooses in `[theme_options]`, typed by the theme's manifest.

use crate::support::{Output, Site};

fn site(options: &str) -> Site {
    let site = Site::fixture("small-site");
    let text = std::fs::read_to_string(site.root().join("site.toml")).unwrap();
    site.write("site.toml", &format!("{text}\n[theme_options]\n{options}"))
}

/// The style sheet of what was chosen.
fn options_stylesheet(output: &Output) -> String {
    let files = output.files();
    let path = files.iter().find(|path| path.ends_with("/site.css"));
    output.text(path.expect("a style sheet of the options"))
}

/// A font that has the tables that fonts have to have, and no letter.
fn font() -> Vec<u8> {
    let tables: [(&[u8; 4], &[u8]); 3] =
        [(b"OS/2", &[0, 4, 0, 0, 2, 88]), (b"cmap", &[7; 400]), (b"head", &[1, 2, 3])];
    let mut font = vec![0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0];
    let mut data: Vec<u8> = Vec::new();
    for (tag, bytes) in tables {
        font.extend(tag);
        font.extend([9; 4]);
        let start = u32::try_from(12 + 16 * tables.len() + data.len()).unwrap();
        font.extend(start.to_be_bytes());
        font.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
        data.extend(bytes);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    font.extend(data);
    font
}

fn warnings(output: &Output) -> String {
    let lines: Vec<String> = output.outcome.warnings.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn with_file(site: Site, path: &str, bytes: &[u8]) -> Site {
    let site = site.write(path, "");
    std::fs::write(site.root().join(path), bytes).unwrap();
    site
}

#[test]
fn a_site_without_options_has_no_options_style_sheet() {
    for theme in ["default", "podcast", "notes"] {
        let site = Site::fixture("small-site").config(&format!("theme = \"{theme}\""));
        let output = site.build();
        let files = output.files();
        assert!(!files.iter().any(|path| path.ends_with("/site.css")), "{theme}");
        assert!(!output.text("index.html").contains("site.css"), "{theme}");
    }
}

#[test]
fn the_built_in_themes_support_every_option() {
    for theme in ["default", "podcast", "notes"] {
        let site = site(
            r##"
accent = "#c2185b"
font = "humanist"
heading_font = "brand/title.ttf"
interface_font = "rounded"
code_font = "mono"
logo = { light = "brand/logo.svg", dark = "brand/dark.svg" }
logo_alone = true
menu = ["pages", { text = "Shop & more", url = "https://shop.example/" }, { text = "Tags", url = "/tags/" }]
footer = "By hand, <in> Freiburg."
footer_links = [{ text = "Imprint", url = "/about/#us" }]
social = ["https://social.example/@ada", { url = "https://ada.example/", text = "Ada's notes" }]
home = "cards"
head = "snippets/head.html"
css = ["brand/own.css", "https://cdn.example/more.css"]
js = ["brand/own.js", "brand/part.mjs"]
"##,
        );
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\"/>";
        let site = with_file(site, "brand/title.ttf", &font())
            .config(&format!("theme = \"{theme}\""))
            .write("brand/logo.svg", svg)
            .write("brand/dark.svg", svg)
            .write("brand/own.css", "p {}")
            .write("brand/own.js", "1")
            .write("brand/part.mjs", "2")
            .write("snippets/head.html", "<meta name=\"proof\" content=\"a'b\">\n");
        let output = site.build();
        let home = output.html("index.html");

        let logo = home.all(".brand img", "src");
        assert!(logo[0].ends_with("/site/brand/logo.svg"), "{theme}: {logo:?}");
        assert!(logo[1].ends_with("/site/brand/dark.svg"), "{theme}: {logo:?}");
        assert_eq!(home.all(".brand img", "width"), ["60", "60"]);
        assert_eq!(home.all(".brand img", "alt"), ["Small & complete"; 2]);
        assert_eq!(home.one(".brand"), "");

        assert_eq!(home.texts("nav .row a")[2..], ["Shop & more", "Tags"]);
        assert_eq!(home.all("nav .row a", "href")[2..], ["https://shop.example/", "/tags/"]);
        assert_eq!(home.one(".footer-text"), "By hand, <in> Freiburg.");
        assert_eq!(home.all(".footer .row a", "href")[0], "/about/#us");
        assert_eq!(home.texts(".profiles text"), ["A"]);
        let logo = home.attribute(".profiles img", "src").unwrap();
        assert!(logo.ends_with("/mastodon.svg"), "{theme}: {logo}");
        assert_eq!(home.all(".profiles a", "rel"), ["me", "me"]);
        assert!(home.attribute(".entries.is-cards", "class").is_some(), "{theme}");
        assert_eq!(home.attribute("meta[name=proof]", "content").as_deref(), Some("a'b"));

        let styles = home.all("head link[rel=stylesheet]", "href");
        let ends = ["/site.css", "/site/brand/own.css", "https://cdn.example/more.css"];
        let own = styles.iter().rev().take(3).rev();
        assert!(own.zip(ends).all(|(href, end)| href.ends_with(end)), "{styles:?}");
        let preload = home.attribute("link[rel=preload][as=font]", "href").unwrap();
        assert!(preload.ends_with("/site/brand/title.ttf.woff"), "{preload}");
        assert!(output.files().contains(&preload[1..].to_owned()));
        assert_eq!(
            home.all("script[defer]", "src").iter().filter(|src| src.ends_with("own.js")).count(),
            1
        );
        assert_eq!(
            home.all("script[type=module]", "src")
                .iter()
                .filter(|src| src.ends_with("part.mjs"))
                .count(),
            1
        );

        let sheet = options_stylesheet(&output);
        assert!(
            sheet
                .contains("url(\"site/brand/title.ttf.woff\") format(\"woff\"); font-weight: 600;"),
            "{sheet}"
        );
        assert!(sheet.contains("font-display: swap"), "{sheet}");
        assert!(sheet.contains("--display: \"site-heading-font\", system-ui"), "{sheet}");
        assert!(sheet.contains("--accent: light-dark(#c2185b, "), "{sheet}");
        let embed = output.html("i/an-episode/embed/index.html");
        assert!(
            embed
                .all("link[rel=stylesheet]", "href")
                .iter()
                .any(|href| href.ends_with("/site.css"))
        );
    }
}

#[test]
fn each_list_layout_is_rendered() {
    for (theme, layout) in [
        ("default", "show"),
        ("default", "photos"),
        ("podcast", "list"),
        ("podcast", "photos"),
        ("notes", "cards"),
        ("notes", "show"),
        ("notes", "photos"),
    ] {
        let output =
            site(&format!("home = \"{layout}\"\n")).config(&format!("theme = \"{theme}\"")).build();
        let home = output.html("index.html");
        let class = home.attribute(".entries", "class").unwrap();
        assert_eq!(class, format!("entries is-{layout}"), "{theme}");
        let photos = home.texts(".entries .shot").len();
        assert_eq!(photos > 0, layout == "photos", "{theme} {layout}");
        assert!(
            options_stylesheet(&output).contains(&format!(".is-{layout} ")),
            "{theme} {layout}"
        );
    }
}

#[test]
fn paths_in_options_are_below_the_base_url() {
    let output = site("menu = [{ text = \"About\", url = \"/about/?a=b#c\" }]\n")
        .replace("site.toml", "https://example.com", "https://example.com/blog")
        .build();
    let home = output.html("index.html");
    assert_eq!(home.all("nav .row a", "href"), ["/blog/about/?a=b#c"]);
}

#[test]
fn a_changed_option_changes_asset_addresses() {
    let folder = |output: &Output| {
        let home = output.html("index.html");
        home.all("head link[rel=stylesheet]", "href")[0].clone()
    };
    let site = site("css = \"own.css\"\n").write("own.css", "p {}");
    let first = folder(&site.build());
    assert_eq!(folder(&site.build()), first);
    let site = site.write("own.css", "q {}");
    let second = folder(&site.build());
    assert_ne!(first, second);
    let site = site.replace("site.toml", "css = \"own.css\"", "css = \"own.css\"\nfooter = \"A\"");
    assert_ne!(second, folder(&site.build()));
}

#[test]
fn an_invalid_option_has_a_position_and_help() {
    let site = site(
        r##"accent = { light = "#ffd400", dark = "blue" }
acent = "#000"
font = "humanits"
heading_font = "../font.woff2"
interface_font = "no.ttf"
code_font = { bald = "a.woff2" }
logo = "notes.txt"
menu = [{ text = "About", url = "about" }, "page", { text = "A", url = "javascript:alert(1)" }]
footer = 3
social = ["ada"]
home = "card"
logo_alone = "yes"
head = "gone.html"
css = "style.scss"
js = "http://cdn.example/a.js"
"##,
    );
    let site = site.write("no.ttf", "no font").write("notes.txt", "notes").write("a.woff2", "");
    insta::assert_snapshot!("wrong-options", site.errors());
}

#[test]
fn a_too_large_option_file_is_an_error() {
    let site = site("font = \"large.ttf\"\n");
    let file = std::fs::File::create(site.root().join("large.ttf")).unwrap();
    file.set_len(50 * 1024 * 1024).unwrap();
    let told = site.errors();
    assert!(told.contains("large.ttf is larger than 5120 KiB"), "{told}");
}

#[test]
fn one_colour_for_both_schemes_is_adapted_with_a_warning() {
    let outcome =
        site("accent = \"#ffd400\"\nmenu = [{ text = \"A\", url = \"/nowhere/\" }]\n").build();
    let told = warnings(&outcome);
    assert!(
        told.contains(
            "#ffd400 has a contrast of 1.2 : 1 to #eef3f0, but must have at least 4.5 : 1"
        ),
        "{told}"
    );
    assert!(told.contains("broken link: the site has nothing at /nowhere/"), "{told}");
    let dark = site("accent = \"#00694a\"\n").build();
    assert!(!warnings(&dark).contains("contrast"));
}

#[test]
fn a_theme_declares_and_inherits_options() {
    let manifest = r#"{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT", "extends": "default",
"options": {
  "motto": {"type": "text", "default": "Slowly", "description": "A motto."},
  "columns": {"type": "number", "default": 2, "description": "How many columns."}
}}"#;
    let site = site("accent = \"#00694a\"\ncolumns = 3\n")
        .config("theme = \"own\"")
        .write("themes/own/theme.json", manifest)
        .write(
            "themes/own/partials/pager.mustache",
            "<p class=own>{{_theme.options.motto}} {{_theme.options.columns}} {{_theme.options.accent.light}} {{_theme.options.moto}}</p>",
        );
    let output = site.build();
    assert_eq!(output.html("index.html").one(".own"), "Slowly 3 #00694a");
    let told = warnings(&output);
    assert!(told.contains("unknown name `moto`"), "{told}");
    assert!(told.contains("did you mean `motto`?"), "{told}");
}

#[test]
fn an_invalid_declaration_is_an_error_in_the_manifest() {
    let manifest = r#"{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT", "extends": "default",
"options": {
  "Motto": {"type": "text", "description": "A motto."},
  "a": {"type": "txt", "description": "A."},
  "b": {"type": "choice", "description": "B."},
  "c": {"type": "number", "default": "x", "description": "C."},
  "d": {"type": "picture", "default": "x.png", "description": "D."},
  "e": {"type": "text"},
  "f": 3,
  "g": {"type": "colour", "description": "G.", "contrast": {"light": ["white"]}}
}}"#;
    let site = site("").config("theme = \"own\"").write("themes/own/theme.json", manifest);
    insta::assert_snapshot!("wrong-declarations", site.errors());
}

#[test]
fn an_unclosed_html_snippet_is_an_error_with_its_position() {
    let output = site("head = \"head.html\"\n")
        .write("head.html", "<meta name=\"a\">\n<script src=\"/a.js\">\n")
        .build();
    let told = warnings(&output);
    assert!(told.contains("<script> is not closed\n  --> head.html:2:1"), "{told}");
}

#[test]
fn a_menu_marks_the_current_entry_and_its_parent() {
    let output = site(
        "menu = [{ text = \"Home\", url = \"/\" }, { text = \"Tags\", url = \"/tags/\" }, { text = \"Archive\", url = \"/archive/?a#b\" }, { text = \"Elsewhere\", url = \"https://elsewhere.example/\" }]\n",
    )
    .build();
    let marked = |path: &str| {
        let page = output.html(path);
        let mark = |kind: &str| page.texts(&format!("nav .row a[aria-current={kind}]")).join(" ");
        (mark("page"), mark("true"))
    };
    let texts = |page: &str, section: &str| (page.to_owned(), section.to_owned());
    assert_eq!(marked("index.html"), texts("Home", ""));
    assert_eq!(marked("page/2/index.html"), texts("", "Home"));
    assert_eq!(marked("tags/index.html"), texts("Tags", ""));
    assert_eq!(marked("tags/first-tag/index.html"), texts("", "Tags"));
    assert_eq!(marked("archive/index.html"), texts("Archive", ""));
    assert_eq!(marked("i/a-photo-photo000001/index.html"), texts("", "Archive"));
    assert_eq!(marked("about/index.html"), texts("", ""));
}

#[test]
fn a_font_is_split_and_the_language_part_is_preloaded() {
    let Some(font) = system_font() else {
        return;
    };
    for (language, early) in [("en", ["latin"].as_slice()), ("ru", &["cyrillic", "latin"])] {
        let site = with_file(site("font = \"brand/text.ttf\"\n"), "brand/text.ttf", &font);
        let site = site.replace(
            "content/channel.md",
            "language = \"en\"",
            &format!("language = \"{language}\""),
        );
        let output = site.build();
        let sheet = options_stylesheet(&output);
        assert!(
            sheet.contains("url(\"site/brand/text.ttf.greek.woff\") format(\"woff\");"),
            "{sheet}"
        );
        assert_eq!(sheet.matches("@font-face").count(), sheet.matches("unicode-range: U+").count());
        let fonts = output.html("index.html").all("link[rel=preload][as=font]", "href");
        assert_eq!(fonts.len(), early.len(), "{fonts:?}");
        for (href, part) in fonts.iter().zip(early) {
            assert!(href.ends_with(&format!("/text.ttf.{part}.woff")), "{href}");
        }
        // What was cut is kept, and used again.
        let kept: Vec<_> =
            std::fs::read_dir(site.root().join(".feedwright/fonts")).unwrap().collect();
        assert_eq!(kept.len(), 1);
        let path = kept[0].as_ref().unwrap().path();
        let again = std::fs::metadata(&path).unwrap().modified().unwrap();
        assert_eq!(site.build().text("index.html"), output.text("index.html"));
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), again);
        // Damaged, it is made anew.
        std::fs::write(&path, "damaged").unwrap();
        assert_eq!(site.build().text("index.html"), output.text("index.html"));
        assert!(std::fs::metadata(&path).unwrap().len() > 10_000);
    }
}

/// A font of several scripts, where the system has one.
fn system_font() -> Option<Vec<u8>> {
    let found = std::fs::read("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    if found.is_err() {
        eprintln!("DejaVu Sans is not installed: no font is cut here");
    }
    found.ok()
}

#[test]
fn an_invalid_font_file_is_an_error_with_its_position() {
    let collection = b"ttcf\0\x01\0\0\0\0\0\x02";
    for (bytes, why) in [
        (b"<svg/>".as_slice(), "is not a font"),
        (collection, "is a font collection, which is not supported"),
        (&font()[..120], "is truncated or not a font"),
        (b"wOFF\0\x01\0\0\0\0\x10\0", "is truncated or not a font"),
        (b"", "is not a font"),
    ] {
        let told = with_file(site("font = \"a.ttf\"\n"), "a.ttf", bytes).errors();
        assert!(told.contains(&format!("error: a.ttf {why}\n  --> site.toml:")), "{told}");
        assert!(told.contains("use the original woff2, woff, ttf or otf file"), "{told}");
    }
}

/// Each by itself: what is written, the message, where it points to, and a part of the remedy.
#[test]
fn each_invalid_option_has_a_position_and_help() {
    let sites_root = "relative to the site's root";
    for (option, message, place, remedy) in [
        (
            "accent = 3",
            "`theme_options.accent` must be text, not a whole number",
            "site.toml:{}:10",
            "put it in quotes",
        ),
        (
            "accent = \"red\"",
            "`theme_options.accent` is not a colour: \"red\"",
            "site.toml:{}:10",
            "six hexadecimal digits",
        ),
        (
            "accent = { light = \"#ffd400\" }",
            "has a contrast of 1.2 : 1 to #eef3f0",
            "site.toml:{}:20",
            "use #846c00, the nearest colour with enough contrast",
        ),
        ("css = \"no.css\"", "no.css does not exist", "site.toml:{}:7", sites_root),
        ("js = [\"no.js\"]", "no.js does not exist", "site.toml:{}:7", sites_root),
        (
            "css = \"../x.css\"", "\"../x.css\" points outside the site", "site.toml:{}:7",
            "next to site.toml",
        ),
        ("head = \"no.html\"", "no.html does not exist", "site.toml:{}:8", sites_root),
        ("head = \"bad.html\"", "this file is UTF-16", "bad.html:1:1", "save it as UTF-8"),
        ("font = 3", "`theme_options.font` must be text", "site.toml:{}:8", "put it in quotes"),
        ("font = \"no.ttf\"", "no.ttf does not exist", "site.toml:{}:8", sites_root),
        ("font = { regular = \"no.ttf\" }", "no.ttf does not exist", "site.toml:{}:20", sites_root),
        (
            "menu = \"x\"",
            "`theme_options.menu` must be a list, not text",
            "site.toml:{}:8",
            "write it like",
        ),
        ("logo = \"no.svg\"", "no.svg does not exist", "site.toml:{}:8", sites_root),
        (
            "logo_alone = 1",
            "`theme_options.logo_alone` must be true or false",
            "site.toml:{}:14",
            "",
        ),
        (
            "home = \"photo\"",
            "`theme_options.home` cannot be \"photo\"",
            "site.toml:{}:8",
            "photos",
        ),
    ] {
        let site = with_file(site(&format!("{option}\n")), "bad.html", b"\xff\xfe");
        let text = std::fs::read_to_string(site.root().join("site.toml")).unwrap();
        let place = place.replace("{}", &text.lines().count().to_string());
        let told = site.errors();
        let (_, from) = told.split_once(message).expect(&told);
        let (before, after) = from.split_once(&format!("--> {place}")).expect(&told);
        assert!(!before.contains("error: "), "{told}");
        let help = after.split("error: ").next().unwrap_or_default();
        assert!(help.contains("help: ") && help.contains(remedy), "{told}");
    }
}
