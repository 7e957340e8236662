//! Bad input: every error says where it is, shows the line and says what to do, and all errors of a
//! run are reported together.
//!
//! A test is a list of small sites; its snapshot is what a build of each reports.

use serde_json::Value;

use crate::support::Work;
use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{SmallSite, bare, site, tree};

/// A site with one item whose file is the text.
fn item(text: impl AsRef<[u8]>) -> SmallSite {
    site().item(text)
}

fn site_with_config(text: &str) -> SmallSite {
    site().with("site.toml", format!("base_url = \"https://example.com\"\n{text}"))
}

/// A site with a Site File.
fn site_with_site_file(name: &str, template: impl AsRef<[u8]>) -> SmallSite {
    item("+++\ntitle = \"One & only\"\n+++\n").with(&format!("site-files/{name}"), template)
}

/// Compares what was reported with the snapshot, which does without the sites' sources.
macro_rules! snapshot {
    ($reported:expr) => {
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!($reported);
        })
    };
}

pub const MANIFEST: &str = r#"{
  "formatVersion": 2,
  "packageId": "example.mine",
  "name": "Mine",
  "version": "1.0.0",
  "author": "Someone",
  "license": "MIT",
  "files": {
    "webFeed": "feed.html",
    "webItem": "item.html",
    "webPage": "page.html",
    "webSearch": "search.html",
    "webHeader": "header.html",
    "webBodyStart": "start.html",
    "webBodyEnd": "end.html",
    "rssStylesheet": "rss.xsl"
  },
  "assets": ["style.css"]
}
"#;

/// A site with a theme of its own.
pub fn site_with_theme() -> SmallSite {
    let slots = ["feed", "item", "page", "search", "header", "start", "end"];
    let site = slots.into_iter().fold(site_with_config("theme = \"mine\"\n"), |site, slot| {
        site.with(&format!("themes/mine/{slot}.html"), format!("<!-- {slot} -->\n"))
    });
    site.with("themes/mine/rss.xsl", "<x/>")
        .with("themes/mine/style.css", "")
        .with("themes/mine/theme.json", MANIFEST)
}

fn site_with_manifest(old: &str, new: &str) -> SmallSite {
    assert!(MANIFEST.contains(old), "{old}");
    site_with_theme().with("themes/mine/theme.json", MANIFEST.replace(old, new))
}

/// What builds of these sites report, one after the other.
fn build_reports<const N: usize>(cases: [(&str, SmallSite); N]) -> String {
    cases
        .iter()
        .map(|(name, site)| format!("## {name}\n{}\n", site.report()))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn front_matter_syntax_errors() {
    snapshot!(build_reports([
        ("TOML: a text without quotes", item("+++\ntitle = Hello\n+++\nText.\n")),
        ("TOML: a key twice", item("+++\ntitle = \"a\"\ntags = []\ntitle = \"b\"\n+++\n")),
        ("TOML: a table twice", item("+++\n[itunes]\nseason = 1\n[itunes]\nepisode = 2\n+++\n")),
        ("TOML: three errors", item("+++\na = \nb = [1,\nc = 'x\n+++\n")),
        ("TOML: no end", item("+++\ntitle = \"a\"\n\nText.\n")),
        ("TOML: a date that is none", item("+++\ndate = 2026-02-30\n+++\n")),
        (
            "TOML: a number too large",
            item("+++\nnavigation = 1\nguid = 99999999999999999999\n+++\n")
        ),
        ("YAML: a colon in a text", item("---\ntitle: Rust: a start\n---\nText.\n")),
        ("YAML: a tab", item("---\nitunes:\n\tseason: 1\n---\n")),
        ("YAML: an open quote", item("---\ntitle: \"Hello\ntags: [a]\n---\n")),
        ("YAML: a key twice", item("---\ntitle: a\ntags: []\ntitle: b\n---\n")),
        ("YAML: a list", item("---\n- a\n- b\n---\n")),
        ("YAML: no end", item("---\ntitle: a\n\nText.\n")),
        ("JSON: a comma too many", item("{\n  \"title\": \"a\",\n}\nText.\n")),
        ("JSON: no end", item("{\n  \"title\": \"a\",\n  \"tags\": [\"b\"]\n\nText.\n")),
        ("JSON: a text without quotes", item("{\"title\": Hello}\nText.\n")),
        (
            "JSON: a key twice",
            item("{\n  \"title\": \"a\",\n  \"itunes\": {\"season\": 1, \"season\": 2}\n}\n")
        ),
        ("CRLF", item("+++\r\ntitle = \"a\"\r\ntags = 7 7\r\n+++\r\n")),
        ("a byte order mark", item("\u{feff}+++\ntitle = Hello\n+++\n")),
        ("the channel", site().with("content/channel.md", "+++\ntitle = \"a\n+++\n")),
        ("a Page", site().with("content/pages/about.md", "---\ntitle: [a\n---\n")),
    ]));
}

#[test]
fn invalid_front_matter_values() {
    snapshot!(build_reports([
        ("a text that is a number", item("+++\ntitle = 5\n+++\n")),
        ("a flag in quotes", item("+++\n[itunes]\nexplicit = \"yes\"\n+++\n")),
        ("a table that is a text", item("---\ntitle: a\nitunes: serial\n---\n")),
        ("a list in a list", item("{\"tags\": [[\"a\"]]}\n")),
        ("a language that is no tag", item("+++\nlanguage = \"not a language\"\n+++\n")),
        ("a number out of bounds", item("+++\n[itunes]\nepisode = 0\n+++\n")),
        ("a season that is a text", item("+++\nitunes = { season = \"one\" }\n+++\n")),
        ("an unknown status", item("+++\ntitle = \"a\"\nstatus = \"publish\"\n+++\n")),
        ("a status that is nothing like one", item("---\nstatus: 3\n---\n")),
        ("dates that are none", item("---\ndate: 20.11.2026\ndate_modified: soon\n---\n")),
        ("a month that does not exist", item("+++\ndate = \"2026-13-01\"\n+++\n")),
        ("a URL without a scheme", item("+++\nurl = \"example.com/post\"\n+++\n")),
        ("an id with a space", item("+++\nid = \"my first\"\n+++\n")),
        ("a slug with a space", item("+++\nslug = \"My first\"\n+++\n")),
        ("an alias with a slash", item("+++\naliases = [\"ok\", \"a/b\"]\n+++\n")),
        (
            "an author without a name",
            item("+++\nauthors = [\"A\", { url = \"https://a.example\" }]\n+++\n")
        ),
        (
            "two attachments",
            item(
                "{\"attachments\": [{\"url\": \"https://a.example/1.mp3\"}, {\"url\": \"https://a.example/2.mp3\"}]}\n"
            )
        ),
        ("a series without letters", item("+++\nseries = \"…\"\n+++\n")),
        ("a series without a name", item("---\nseries:\n  part: 2\n---\n")),
        ("a part out of bounds", item("+++\nseries = { name = \"A\", part = 0 }\n+++\n")),
        ("two series", item("---\nseries: [A, B]\n---\n")),
        ("a series that is a number", item("+++\nseries = 5\n+++\n")),
        ("the order of a series", item("---\nseries: A\nseries_order: 2\n---\n")),
        ("an attachment without a URL", item("+++\n[attachment]\ncategory = \"adio\"\n+++\n")),
        (
            "unknown keys",
            item(
                "+++\ntitel = \"a\"\nlayout = \"post\"\n[itunes]\nsesason = 1\n[seo]\nzzz = 1\n+++\n"
            )
        ),
        (
            "an unknown key of YAML in a list",
            item("---\nauthors:\n  - name: A\n    ulr: https://a.example\n---\n")
        ),
        (
            "a Page without a title",
            site().with("content/pages/about.md", "+++\nslug = \"about\"\n+++\n")
        ),
        (
            "a Page whose name is no slug",
            site().with("content/pages/Über uns.md", "+++\ntitle = \"a\"\n+++\n")
        ),
        (
            "a Page with a slug that is none",
            site().with("content/pages/a.md", "+++\ntitle = \"a\"\nslug = \"About Us\"\n+++\n")
        ),
        (
            "a Page with a long description",
            site().with(
                "content/pages/a.md",
                format!("+++\ntitle = \"a\"\nmeta_description = \"{}\"\n+++\n", "word ".repeat(40))
            )
        ),
        ("a channel without a title", site().with("content/channel.md", "Text.\n")),
        ("no channel", site().without("content/channel.md")),
        ("empty files", item("").with("content/channel.md", "").with("content/pages/a.md", "")),
        (
            "wide characters before the place",
            item("---\n日本語: {slug: \"a b\"}\nslug: 日本 語\n---\n")
        ),
    ]));
}

#[test]
fn invalid_chapters() {
    let with_file = |name: &str, text: &str| {
        item(format!("+++\ntitle = \"a\"\n[podcast]\nchapters = \"{name}\"\n+++\n"))
            .with(&format!("content/items/{name}"), text)
    };
    snapshot!(build_reports([
        (
            "out of order",
            item(
                "+++\n[[podcast.chapters]]\nstartTime = 10\n[[podcast.chapters]]\nstartTime = 5\n+++\n"
            )
        ),
        ("out of order in a file", with_file("c.txt", "00:00 Start\n00:20 Middle\n00:10 End\n")),
        (
            "out of order in JSON",
            with_file(
                "c.json",
                "{\"version\": \"1.2.0\", \"chapters\": [\n  {\"startTime\": 5},\n  {\"startTime\": 1}\n]}\n"
            )
        ),
        ("a file that is no chapters", with_file("c.txt", "Hello\n")),
        ("a file that does not exist", item("+++\n[podcast]\nchapters = \"nope.json\"\n+++\n")),
        (
            "a file out of the site",
            item("+++\n[podcast]\nchapters = \"../../../chapters.json\"\n+++\n")
        ),
    ]));
}

#[test]
fn duplicate_names() {
    let two = |a: &str, b: &str| site().with("content/items/a.md", a).with("content/items/b.md", b);
    let pages = |a: &str, b: &str| {
        site()
            .with("content/pages/a.md", format!("+++\ntitle = \"a\"\n{a}\n+++\n"))
            .with("content/pages/b.md", format!("+++\ntitle = \"b\"\n{b}\n+++\n"))
    };
    snapshot!(build_reports([
        (
            "one id",
            two(
                "+++\nid = \"x\"\ntitle = \"One\"\n+++\n",
                "+++\ntitle = \"Two\"\nid = \"x\"\n+++\n"
            )
        ),
        (
            "one id and one title",
            two(
                "+++\nid = \"x\"\ntitle = \"One\"\n+++\n",
                "+++\ntitle = \"One\"\nid = \"x\"\n+++\n"
            )
        ),
        (
            "the newer item is the first file",
            two(
                "+++\nid = \"x\"\ndate = 2026-02-02\n+++\n",
                "+++\nid = \"x\"\ndate = 2026-01-01\n+++\n"
            )
        ),
        ("one slug", two("+++\nslug = \"same\"\n+++\n", "---\ntitle: b\nslug: same\n---\n")),
        (
            "a slug in two normal forms",
            two("+++\nslug = \"caf\u{e9}\"\n+++\n", "+++\nslug = \"cafe\u{301}\"\n+++\n")
        ),
        ("a slug that is another's id", two("+++\nid = \"x\"\n+++\n", "+++\nslug = \"x\"\n+++\n")),
        (
            "an alias that is another's slug",
            two("+++\naliases = [\"old\", \"same\"]\n+++\n", "+++\nslug = \"same\"\n+++\n")
        ),
        (
            "one alias",
            two(
                "+++\naliases = [\"old\"]\n+++\n",
                "+++\naliases = [\n  \"older\",\n  \"old\",\n]\n+++\n"
            )
        ),
        (
            "three items with one id",
            two("+++\nid = \"x\"\n+++\n", "+++\nid = \"x\"\n+++\n")
                .with("content/items/c.md", "+++\nid = \"x\"\n+++\n")
        ),
        (
            "a file and a folder",
            two("+++\ntitle = \"a\"\n+++\n", "")
                .with("content/items/a/index.md", "+++\ntitle = \"a\"\n+++\n")
        ),
        ("a Page on a reserved path", pages("slug = \"search\"", "")),
        (
            "a Page whose file has a reserved name",
            site().with("content/pages/tags.md", "+++\ntitle = \"Tags\"\n+++\n")
        ),
        ("Pages with one slug", pages("slug = \"same\"", "slug = \"same\"")),
        ("Pages with one id", pages("id = \"same\"", "id = \"same\"")),
        ("a former path of a Page that another has", pages("aliases = [\"c\", \"b\"]", "")),
        ("a former path of a Page that is reserved", pages("aliases = [\"rss\"]", "")),
        (
            "two media with one path",
            site()
                .with("content/media/items/x.png", "")
                .with("content/items/a.md", "![x](x.png)\n")
                .with("content/items/x.png", "")
        ),
        (
            "a medium whose path is another's folder",
            site()
                .with("content/media/items/x", "")
                .with("content/items/a.md", "![x](x/y.svg)\n")
                .with(
                    "content/items/x/y.svg",
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>"
                )
        ),
    ]));
}

#[test]
fn missing_media_and_media_outside_the_site() {
    snapshot!(build_reports([
        ("missing", item("+++\nattachment = \"episode.mp3\"\n+++\n")),
        (
            "missing in a table of YAML",
            item("---\nattachment:\n  url: sound/episode.mp3\nimage: {url: a.png, alt: x}\n---\n")
        ),
        ("missing in the text", item("Text\n\nand ![a picture](a.png) and [a file](b.pdf).\n")),
        (
            "missing in HTML",
            item(
                "Text <img src=\"a.png\">\n\n<video controls\n  poster=\"p.jpg\"><source src=\"v.mp4\"></video>\n"
            )
        ),
        (
            "missing in /media/",
            item("+++\nattachment = \"/media/episode.mp3\"\n+++\n![](/media/a.png)\n")
        ),
        (
            "outside",
            item("+++\nimage = \"../../../../etc/passwd\"\n+++\n![x](../../../etc/passwd)\n")
        ),
        (
            "outside, percent-encoded",
            item("+++\nimage = \"%2e%2e/%2E%2E/%2e%2e/etc/passwd\"\n+++\n")
        ),
        ("an absolute path is one of the site", item("+++\nimage = \"/etc/passwd\"\n+++\n")),
        ("a backslash", item("+++\nimage = \"img\\\\a.png\"\n+++\n")),
        (
            "a folder",
            item("+++\nattachment = \"pictures\"\n+++\n").with("content/items/pictures/a.png", "")
        ),
        (
            "a hidden file",
            item("+++\nattachment = \"../../.feedwright/keys.txt\"\n+++\n")
                .with(".feedwright/keys.txt", "x")
        ),
        (
            "a picture that is none",
            item("+++\nimage = \"a.txt\"\n+++\n").with("content/items/a.txt", "x")
        ),
        ("an empty picture", item("+++\nimage = \"a.png\"\n+++\n").with("content/items/a.png", "")),
        (
            "a broken sound",
            item("+++\nattachment = \"a.mp3\"\n+++\n").with("content/items/a.mp3", "not a sound")
        ),
    ]));
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.md"), "secret").unwrap();
    std::fs::write(outside.path().join("secret.png"), "secret").unwrap();
    std::fs::create_dir(outside.path().join("items")).unwrap();
    std::fs::write(outside.path().join("items/secret.md"), "secret").unwrap();
    let file = outside.path().join("secret.md");
    let picture = outside.path().join("secret.png");
    snapshot!(build_reports([
        ("an item", site().link("content/items/a.md", &file)),
        ("a folder", site().link("content/items/more", outside.path())),
        ("a medium", item("![x](x.png)\n").link("content/items/x.png", &picture)),
        (
            "a medium in a folder",
            item("![x](more/secret.png)\n").link("content/items/more", outside.path())
        ),
        ("in content/media", site().link("content/media/x.png", &picture)),
        ("a Site File", site().link("site-files/secret.txt", &file)),
        ("the channel", site().without("content/channel.md").link("content/channel.md", &file)),
        ("site.toml", site().without("site.toml").link("site.toml", &file)),
        ("the items themselves", site().link("content/items", outside.path())),
        ("content itself", site().without("content").link("content", outside.path())),
        ("in a circle", site().link("content/items/a/again", "..")),
        ("to nowhere", site().link("content/items/a.md", "nowhere.md")),
        (
            "inside the site",
            site()
                .with("content/items/a.md", "+++\nslug = \"a\"\n+++\n")
                .with("content/media/x.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
                .link("content/media/y.svg", "x.svg")
        ),
        ("in a theme", site_with_theme().link("themes/mine/more.css", &file)),
        ("a theme", site_with_config("theme = \"mine\"").link("themes/mine", outside.path())),
    ]));
}

#[test]
fn files_in_other_encodings() {
    let utf16 = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    snapshot!(build_reports([
        ("Latin-1", item(b"+++\ntitle = \"Caf\xe9 au lait\"\n+++\nText.\n")),
        ("UTF-16", item(utf16("+++\ntitle = \"a\"\n+++\n"))),
        ("the channel", site().with("content/channel.md", b"+++\ntitle = \"\xff\"\n+++\n")),
        ("site.toml", site().with("site.toml", b"base_url = \"https://example.com\"\n# \xe9\n")),
        ("a Site File", site_with_site_file("a.txt", b"ok\n\xff\n")),
        ("a slot", site_with_theme().with("themes/mine/feed.html", b"<p>\n\xe9\n")),
        (
            "chapters",
            item("+++\n[podcast]\nchapters = \"c.txt\"\n+++\n")
                .with("content/items/c.txt", b"00:00 Caf\xe9\n")
        ),
    ]));
}

#[test]
fn realtime_apps() {
    let app = |text: &str| site_with_config(&format!("[[realtime]]\n{text}"));
    let webhook = |text: &str| app(&format!("app_id = \"live\"\n\n[[realtime.webhooks]]\n{text}"));
    const ID: &str = "id = \"6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14\"";
    const COMPLETE_APP: &str = "id = \"6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14\"\nname = \"Meetings\"\nurl = \"https://example.com/hook\"\nevents = [\"meeting.ended\"]\n";
    snapshot!(build_reports([
        ("nothing wrong", webhook(COMPLETE_APP)),
        ("no id", app("")),
        ("an id with a space", app("app_id = \"live show\"\n")),
        ("an id that is no text", app("app_id = 1\n")),
        ("an id twice", app("app_id = \"live\"\n[[realtime]]\napp_id = \"live\"\n")),
        ("no table", site_with_config("realtime = [\"live\"]\n")),
        (
            "unknown keys",
            webhook(&format!(
                "{COMPLETE_APP}enable = true\n[[realtime]]\napp_id = \"b\"\nwebhook = []\n"
            ))
        ),
        ("a secret", app("app_id = \"live\"\nsecret = \"hunter2\"\n")),
        ("a secret of a webhook", webhook(&format!("{COMPLETE_APP}secret = \"hunter2\"\n"))),
        (
            "a secret where its variable belongs",
            app("app_id = \"live\"\nsecret_env = \"hunter-2\"\n")
        ),
        (
            "one secret of two apps",
            app(
                "app_id = \"live\"\nsecret_env = \"LIVE\"\n[[realtime]]\napp_id = \"b\"\nsecret_env = \"LIVE\"\n"
            )
        ),
        ("a webhook of nothing", webhook("")),
        (
            "a webhook of wrong types",
            webhook("id = 1\nname = 2\nurl = 3\nenabled = \"yes\"\nevents = [4]\ncreated_at = 5\n")
        ),
        (
            "a webhook of wrong values",
            webhook(
                "id = \"6c9f1a7e\"\nname = \" \"\nurl = \"ftp://example.com/\"\nevents = [\"meeting.start\", \"noise\", \"meeting.ended\", \"meeting.ended\"]\ncreated_at = \"soon\"\n"
            )
        ),
        (
            "a webhook that is changed before it is made",
            webhook(&format!("{COMPLETE_APP}created_at = 2026-03-02\nupdated_at = 2026-03-01\n"))
        ),
        (
            "one webhook of two apps",
            webhook(&format!(
                "{COMPLETE_APP}[[realtime]]\napp_id = \"b\"\n[[realtime.webhooks]]\n{}",
                COMPLETE_APP.replace(ID, &ID.to_uppercase().replace("ID =", "id ="))
            ))
        ),
    ]));
}

#[test]
fn site_toml() {
    snapshot!(build_reports([
        ("none", site().without("site.toml")),
        ("empty", site().with("site.toml", "")),
        ("no base_url", site().with("site.toml", "theme = \"default\"\n")),
        ("base_url without a scheme", site().with("site.toml", "base_url = \"example.com\"\n")),
        (
            "base_url with a query",
            site().with("site.toml", "base_url = \"https://example.com/?a\"\n")
        ),
        ("base_url beyond ASCII", site().with("site.toml", "base_url = \"https://exämple.com\"\n")),
        ("base_url of a wrong type", site().with("site.toml", "base_url = 1\n")),
        ("no TOML", site().with("site.toml", "base_url: https://example.com\n")),
        (
            "a byte order mark and CRLF",
            site().with(
                "site.toml",
                "\u{feff}base_url = \"https://example.com\"\r\ntheem = \"a\"\r\n"
            )
        ),
        (
            "unknown keys",
            site_with_config("theem = \"default\"\n[feed]\nitems_per_pages = 5\n[outptu]\n")
        ),
        (
            "unknown names",
            site_with_config(
                "access = \"pubic\"\n[feed]\nsort = \"date\"\norder = \"descending\"\n[hosting]\ntargets = [\"netlfy\", \"ftp\"]\n"
            )
        ),
        ("numbers out of bounds", site_with_config("[feed]\nitems_per_page = 0\nlimit = 100000\n")),
        ("a time zone", site_with_config("timezone = \"Berlin\"\n")),
        ("a namespace", site_with_config("namespace = \"My Site\"\n")),
        ("a namespace that is taken", site_with_config("namespace = \"site\"\n")),
        ("an output folder of sources", site_with_config("[output]\ndir = \"content\"\n")),
        (
            "an upstream in the clear",
            site_with_config("[warehouse]\nupstream = \"http://warehouse.example\"\n")
        ),
        (
            "an upstream with a query",
            site_with_config("[warehouse]\nupstream = \"https://warehouse.example/?a\"\n")
        ),
        (
            "a key of the warehouse that is none",
            site_with_config("[warehouse]\nupstraem = \"https://warehouse.example\"\n")
        ),
        (
            "AI preferences of another type",
            site_with_config("[ai]\ntrain = \"no\"\nserch = true\n"),
        ),
        ("an output folder outside", site_with_config("[output]\ndir = \"../www\"\n")),
        (
            "wrong types",
            site_with_config(
                "[feed]\nrss = \"no\"\n[output]\ntags = 1\n[markdown]\nhighlight = []\n"
            )
        ),
        ("a media address", site_with_config("[media]\nbase_url = \"cdn.example.com\"\n")),
    ]));
}

#[test]
fn site_files() {
    let large = "x".repeat(300 * 1024);
    snapshot!(build_reports([
        (
            "a section that is not closed",
            site_with_site_file("a.txt", "Items\n{{#items}}\n{{title}}\n")
        ),
        (
            "a section that was not opened",
            site_with_site_file("a.txt", "{{title}}\n  {{/items}}\n")
        ),
        ("a tag that is not closed", site_with_site_file("a.txt", "{{title}\n")),
        ("a partial", site_with_site_file("a.txt", "{{> header}}\n")),
        (
            "invalid JSON",
            site_with_site_file(
                "a.json",
                "{\n  \"items\": [\n{{#items}}    \"{{{title}}}\",\n{{/items}}  ]\n}\n"
            )
        ),
        ("JSON that ends early", site_with_site_file("a.webmanifest", "{\n")),
        (
            "invalid XML: an ampersand",
            site_with_site_file("a.xml", "<r>\n{{#items}}<t>{{{title}}}</t>{{/items}}\n</r>\n")
        ),
        (
            "invalid XML: tags that do not match",
            site_with_site_file("a.rss", "<rss>\n<channel>\n</rss>\n")
        ),
        ("invalid XML: two roots", site_with_site_file("a.atom", "<a/><b/>\n")),
        ("invalid XML: nothing", site_with_site_file("a.xml", "")),
        ("a template too large", site_with_site_file("a.txt", &large)),
        (
            "a rendering too large",
            site_with_site_file(
                "a.txt",
                format!("{}\n{}", "{{#items}}", "{{content_html}}".repeat(100)) + "{{/items}}"
            )
            .with("content/items/b.md", &large)
        ),
        ("a name with capitals", site_with_site_file("README.txt", "x")),
        ("an ending that is not allowed", site_with_site_file("run.js", "x")),
        ("no ending", site_with_site_file("cname", "x")),
        ("a name that is taken", site_with_site_file("openapi.json", "{}")),
        ("a folder", site_with_site_file("deep/a.txt", "x")),
        ("a name of the feeds", site_with_site_file("feed.json", "{}")),
    ]));
}

#[test]
fn themes() {
    let slot = |text: &str| site_with_theme().with("themes/mine/feed.html", text);
    let large = vec![b' '; 5 * 1024 * 1024 + 1];
    snapshot!(build_reports([
        ("a good one", site_with_theme()),
        (
            "an unknown key",
            site_with_manifest("\"formatVersion\"", "\"auther\": \"a\",\n  \"formatVersion\"")
        ),
        ("no such theme", site_with_config("theme = \"mien\"\n")),
        ("a theme out of the site", site_with_config("theme = \"../../mine\"\n")),
        ("no manifest", site_with_theme().without("themes/mine/theme.json")),
        (
            "a manifest that does not parse",
            site_with_theme()
                .with("themes/mine/theme.json", "{\n  \"name\": \"a\"\n  \"version\": 1\n}\n")
        ),
        ("an empty manifest", site_with_theme().with("themes/mine/theme.json", "")),
        ("no format", site_with_manifest("  \"formatVersion\": 2,\n", "")),
        ("format 3", site_with_manifest("\"formatVersion\": 2", "\"formatVersion\": 3")),
        (
            "a slot of format 2 in format 1",
            site_with_manifest("\"formatVersion\": 2", "\"formatVersion\": 1")
        ),
        ("a bad version", site_with_manifest("1.0.0", "1.0")),
        (
            "a missing slot",
            site_with_manifest("    \"webItem\": \"item.html\",\n", "")
                .without("themes/mine/item.html")
        ),
        ("an unknown slot", site_with_manifest("webItem", "webItems")),
        ("a slot that does not exist", site_with_theme().without("themes/mine/item.html")),
        ("an asset that does not exist", site_with_theme().without("themes/mine/style.css")),
        ("a file that is not declared", site_with_theme().with("themes/mine/more.js", "x")),
        ("a path out of the package", site_with_manifest("style.css", "../../content/channel.md")),
        ("a slot that does not parse", slot("<main>\n  {{#items}}\n  <p>{{title}}</p>\n</main>\n")),
        ("a slot that closes another section", slot("{{#items}}{{#tags}}\n{{/items}}{{/tags}}\n")),
        ("a partial that does not exist", slot("<p>\n{{> card}}\n")),
        (
            "a partial in a partial that does not exist",
            site_with_manifest("\"assets\"", "\"partials\": \"parts\",\n  \"assets\"")
                .with("themes/mine/parts/card.html", "<p>\n {{> icon}}\n")
                .with("themes/mine/feed.html", "{{> card}}")
        ),
        (
            "a partial without end",
            site_with_manifest("\"assets\"", "\"partials\": \"parts\",\n  \"assets\"")
                .with("themes/mine/parts/card.html", "<p>\n {{> card}}\n")
                .with("themes/mine/feed.html", "{{> card}}")
        ),
        ("a slot too large", slot(&" ".repeat(128 * 1024 + 1))),
        ("an asset too large", site_with_theme().with("themes/mine/style.css", large)),
        (
            "Pages with a theme of format 1",
            site_with_manifest("\"formatVersion\": 2", "\"formatVersion\": 1")
                .with(
                    "themes/mine/theme.json",
                    MANIFEST.replace("\"formatVersion\": 2", "\"formatVersion\": 1").replace(
                        "    \"webPage\": \"page.html\",\n    \"webSearch\": \"search.html\",\n",
                        ""
                    )
                )
                .without("themes/mine/page.html")
                .without("themes/mine/search.html")
                .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
        ),
    ]));
}

/// A site with two shows.
fn network() -> SmallSite {
    site()
        .with("shows/a/channel.md", "+++\ntitle = \"A\"\n+++\n")
        .with("shows/b/channel.md", "+++\ntitle = \"B\"\n+++\n")
}

#[test]
fn shows() {
    let item = "+++\nid = \"x\"\n+++\n";
    let many = (0..51).fold(site(), |site, at| {
        site.with(&format!("shows/show-{at:02}/channel.md"), "+++\ntitle = \"S\"\n+++\n")
    });
    snapshot!(build_reports([
        ("a reserved name", site().with("shows/tags/channel.md", "+++\ntitle = \"T\"\n+++\n")),
        ("an invalid name", site().with("shows/My show/channel.md", "+++\ntitle = \"T\"\n+++\n")),
        ("a reserved path", network().with("shows/a/show.toml", "\npath = \"/api/\"\n")),
        ("an invalid path", network().with("shows/a/show.toml", "path = \"/A b/\"\n")),
        ("two shows with one path", network().with("shows/b/show.toml", "[feed]\nlimit = 3\n").with("shows/a/show.toml", "path = \"b\"\n")),
        ("a path of a page", network().with("content/pages/a.md", "+++\ntitle = \"A\"\n+++\n")),
        ("a path of an item", network().with("site.toml", "base_url = \"https://example.com\"\n[addresses]\nitems = \"/b/{slug}/\"\n").item("+++\ntitle = \"I\"\n+++\n")),
        ("two items with one id", network().with("shows/a/items/one.md", item).with("shows/b/items/two.md", item)),
        ("an item of the network and one of a show", network().item(item).with("shows/b/items/two.md", item)),
        ("folders and files that are no shows", network().with("shows/notes/a.txt", "").with("shows/readme.txt", "")),
        ("keys of site.toml and of the channel", network().with("shows/a/show.toml", "theme = \"podcast\"\ntitle = \"A\"\nfeeds = 1\n")),
        ("show.toml with an error", network().with("shows/a/show.toml", "path = \n")),
        ("several languages", network().with("site.toml", "base_url = \"https://example.com\"\n[languages]\ndefault = \"en\"\nothers = [\"de\"]\n")),
        ("too many shows", many),
    ]));
}

#[test]
fn all_errors_are_reported_in_one_run() {
    let site = site()
        .with(
            "site.toml",
            "base_url = \"https://example.com\"\ntheme = \"none\"\n[feed]\nlimit = \"all\"\n",
        )
        .with("content/channel.md", "+++\ntitle = 1\n+++\n")
        .with("content/items/a.md", "+++\ntitle = a\n+++\n")
        .with("content/items/b.md", "---\nstatus: no\ndate: no\n---\n")
        .with("content/items/c.md", "+++\nid = \"x\"\n+++\n![](none.png)\n")
        .with("content/items/d.md", "+++\nid = \"x\"\n+++\n")
        .with("content/pages/rss.md", "+++\ntitle = \"RSS\"\n+++\n")
        .with("site-files/a.txt", "{{#items}}")
        .with("site-files/b.json", "{")
        .with("site-files/C.txt", "");
    snapshot!(site.report());
    assert!(!site.exists("public"));
}

#[test]
fn a_failed_build_keeps_the_previous_output() {
    let site = item("+++\ntitle = \"a\"\n+++\nOne.\n");
    site.built();
    let before = tree(&site.path("public"));
    for text in ["+++\ntitle = 1\n+++\n", "{", "![](none.png)"] {
        site.write("content/items/a.md", text);
        site.write("content/items/b.md", "Two.\n");
        assert!(site.build().unwrap_err().has_errors());
        assert!(before == tree(&site.path("public")), "{text}");
    }
    site.write("content/items/a.md", "Two.\n");
    site.write("site-files/a.json", "{");
    assert!(site.build().unwrap_err().has_errors());
    assert!(before == tree(&site.path("public")));
}

fn feedwright(site: &SmallSite, arguments: &[&str]) -> CommandOutput {
    let mut command = program::command();
    let command = command.args(arguments).current_dir(site.root());
    program::run(command.env_remove("SOURCE_DATE_EPOCH"))
}

#[test]
fn exit_codes_distinguish_success_errors_and_wrong_usage() {
    let good = item("+++\ntitle = \"a\"\n+++\n");
    let bad = item("+++\nstatus = \"x\"\n+++\n");
    let none = bare();
    for (site, arguments, code) in [
        (&good, ["build"].as_slice(), 0),
        (&good, &["check"], 0),
        (&good, &["build", "--base-url", "https://preview.example/x/"], 0),
        (&bad, &["build"], 1),
        (&bad, &["check"], 1),
        (&bad, &["check", "--json"], 1),
        (&good, &["bulid"], 2),
        (&good, &["build", "--nope"], 2),
        (&good, &["build", "--base-url", "preview.example"], 2),
        (&good, &["build", "--base-url", "https://preview.example/?x"], 2),
        (&good, &["--site", "nowhere", "build"], 2),
        (&none, &["build"], 2),
    ] {
        let output = feedwright(site, arguments);
        assert_eq!(output.code, Some(code), "{arguments:?}: {}", output.err);
    }
}

#[test]
fn a_build_ends_with_a_summary() {
    let site = item("+++\ntitle = \"a\"\n+++\n")
        .with("content/pages/about.md", "+++\ntitle = \"b\"\n+++\n");
    let last = |output: &CommandOutput| output.err.lines().last().unwrap().to_owned();
    let first = feedwright(&site, &["build"]);
    assert_eq!(first.out, "");
    assert!(last(&first).starts_with("Built 1 item and 1 page into "), "{}", last(&first));
    let again = last(&feedwright(&site, &["build"]));
    assert!(again.contains(", 0 written, in "), "{again}");
    site.remove("content/pages/about.md");
    let fewer = last(&feedwright(&site, &["build"]));
    // The Page, and what the search index had of it.
    assert!(fewer.contains(" removed, in "), "{fewer}");
    site.write("content/items/a.md", "+++\ntitle = 1\n+++\n");
    let failed = feedwright(&site, &["build"]);
    assert_eq!(last(&failed), "1 error; nothing was written");
}

#[test]
fn check_fix_reports_the_number_of_ids_written() {
    let site = site().with("content/items/a.md", "A.\n").with("content/items/b.md", "B.\n");
    for (said, again) in [("2 files were fixed", false), ("0 files were fixed", true)] {
        let output = feedwright(&site, &["check", "--fix"]);
        assert!(output.err.contains(said), "again: {again}");
    }
    assert!(site.read("content/items/a.md").starts_with("+++\nid = \""));
}

#[test]
fn a_theme_in_any_folder_is_validated() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let whole = root.join("themes/default");
    let whole = whole.to_str().unwrap();
    for folder in [".", "./", "../default", "../default/", whole] {
        let mut command = program::command();
        let command = command.args(["theme", "validate", folder]);
        let said = program::run(command.current_dir(root.join("themes/default"))).err;
        assert!(said.contains("is a valid theme of format 2"), "{folder}: {said}");
    }
}

#[test]
fn an_invalid_former_path_is_an_error_with_help() {
    let site = site().item("+++\npermalink = \"/?p=12\"\n+++\nText.\n");
    let output = feedwright(&site, &["check"]);
    let said = output.err;
    assert!(said.contains("the former path /?p=12 is invalid"), "{said}");
    assert!(said.contains("`permalink`"), "{said}");
}

#[test]
fn json_reports_contain_the_same_diagnostics() {
    let bad = item("+++\nstatus = \"publish\"\ntitel = \"a\"\n+++\n![](a.png)\n");
    let expected = serde_json::to_value(bad.build().unwrap_err().sorted()).unwrap();
    for command in ["build", "check"] {
        let output = feedwright(&bad, &[command, "--json"]);
        let report: Value = serde_json::from_str(&output.out).unwrap();
        assert_eq!(report["ok"], false);
        assert_eq!(report["errors"], 2);
        assert_eq!(report["diagnostics"], expected, "{command}");
    }
    let first = &expected[0];
    assert_eq!(
        (&first["file"], &first["line"], &first["column"]),
        (&"content/items/a.md".into(), &2.into(), &10.into())
    );
    assert_eq!(first["source_line"], "status = \"publish\"");
    assert!(first["help"].as_str().unwrap().contains("published"));

    let good = item("+++\ntitel = \"a\"\n+++\n");
    let output = feedwright(&good, &["build", "--json"]);
    let report: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(report["ok"], true);
    assert_eq!(report["items"], 1);
    assert_eq!(report["warnings"][0]["message"], "unknown key `titel`");
}

/// The parser recurses into a block of YAML, and would run out of stack.
#[test]
fn deeply_nested_yaml_is_an_error() {
    let blocks: String = (0..5000).map(|level| format!("{:level$}k:\n", "")).collect();
    for text in
        [format!("---\ntags:\n  {}x\n---\n", "- ".repeat(20_000)), format!("---\n{blocks}---\n")]
    {
        let report = site().item(text).report();
        assert!(report.contains("this value is nested too deeply"), "{report:.300}");
    }
}

/// On a disk that folds case, the files of one replace those of the other.
#[test]
fn names_differing_only_in_case_or_unicode_form_clash() {
    for (a, b, key, what) in [
        ("id = \"Abc\"\nslug = \"x\"", "id = \"abc\"\nslug = \"y\"", "abc", "id"),
        ("slug = \"Walk\"", "slug = \"walk\"", "walk", "URL segment"),
        ("slug = \"Straße\"", "slug = \"strasse\"", "strasse", "URL segment"),
        (
            "slug = \"ὈΔΥΣΣΕΎΣ\"",
            "slug = \"οδυσσεύς\"\naliases = [\"Ὀδυσσεύς\"]",
            "Ὀδυσσεύς",
            "URL segment",
        ),
        ("id = \"Sea-1\"", "slug = \"sea-1\"", "sea-1", "URL segment"),
    ] {
        let report = site()
            .with("content/items/a.md", format!("+++\n{a}\n+++\nA\n"))
            .with("content/items/b.md", format!("+++\n{b}\n+++\nB\n"))
            .report();
        let error = format!(
            "error: the {what} `{key}` differs from one in content/items/a.md only in case or Unicode form\n  --> content/items/b.md:"
        );
        assert!(report.starts_with("not built"), "{report}");
        assert!(report.contains(&error), "{report}");
        assert_eq!(report.matches("in case or").count(), 1, "{report}");
    }
    // NFC and NFD of one slug were the same all along.
    let report = site()
        .with("content/items/a.md", "+++\nslug = \"café\"\n+++\nA\n")
        .with("content/items/b.md", "+++\nslug = \"cafe\u{301}\"\n+++\nB\n")
        .report();
    assert!(report.contains("`café` is already used by"), "{report}");
    // What one item has in two cases is no clash.
    let report =
        site().item("+++\nid = \"walk\"\nslug = \"Walk\"\naliases = [\"WALK\"]\n+++\nA\n").report();
    assert!(!report.contains("clash") && report.starts_with("built"), "{report}");
}

/// A minified page once kept its whole line for each of its links.
#[test]
fn many_links_in_one_long_line_are_fast() {
    let work = Work::begin();
    let outcome = site()
        .with("content/items/a.md", "[x](b.md) ".repeat(50_000))
        .with("content/items/b.md", "x")
        .built();
    assert_eq!(outcome.items, 2);
    let taken = work.so_far();
    assert!(taken.as_secs() < 20, "{taken:?}");
}

/// The address of an example is nobody's: whoever leaves it in publishes feeds that lead nowhere.
#[test]
fn an_example_base_url_is_a_warning() {
    let said = |base_url: &str, arguments: &[&str]| {
        let text = format!("theme = \"default\"\nbase_url = {base_url:?}\n");
        let output = feedwright(&site().with("site.toml", text), arguments);
        assert_eq!(output.code, Some(0));
        output.err + &output.out
    };
    let warning = "warning[example-address]: `base_url` is still the example address example.com\n  --> site.toml:2:12\n";
    for command in ["build", "check"] {
        for example in ["https://example.com", "http://www.Example.com/blog/"] {
            let said = said(example, &[command]);
            assert!(said.contains(warning), "{said}");
            assert!(said.contains("\n  help: write the address where you will publish the site"));
        }
        for own in
            ["https://walks.example", "https://myexample.com", "https://example.com.walks.example"]
        {
            assert!(!said(own, &[command]).contains("an example"), "{own}");
        }
        let report = said("https://example.org", &[command, "--json"]);
        assert!(report.contains("is still the example address example.org"), "{report}");
    }
    let preview = ["build", "--base-url", "https://preview.walks.example"];
    assert!(!said("https://example.com", &preview).contains("an example"));

    // It is what `init` writes, and says so.
    let folder = bare();
    let made = feedwright(&folder, &["init"]);
    let made = made.err;
    assert!(made.contains("Set `base_url` in site.toml"), "{made}");
    let checked = feedwright(&folder, &["check"]);
    let checked = checked.err;
    assert!(
        checked.contains("warning[example-address]: `base_url` is still the example address"),
        "{checked}"
    );
    assert!(checked.ends_with("0 errors and 1 warning\n"), "{checked}");
}

/// A site in English, German and Arabic.
fn multilingual() -> SmallSite {
    let languages = "[languages]\ndefault = \"en\"\nothers = [\"de\", \"ar\"]\n";
    site_with_config(languages)
        .with("content/items/walk.md", "+++\ntitle = \"Walk\"\n+++\nText.\n")
        .with("content/items/walk.de.md", "+++\ntitle = \"Weg\"\n+++\nText.\n")
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\nText.\n")
}

#[test]
fn languages() {
    let config = |text: &str| multilingual().with("site.toml", config_with(text));
    let many: Vec<String> = ('a'..='e')
        .flat_map(|a| ('a'..='k').map(move |b| format!("\"{a}{b}\"")))
        .filter(|tag| tag != "\"de\"")
        .collect();
    let shown = "[languages]\ndefault = \"en\"\nothers = [\"de\"]\nuntranslated = \"show\"\n";
    snapshot!(build_reports([
        (
            "one text twice",
            multilingual().with("content/items/de/walk.md", "+++\ntitle = \"Gang\"\n+++\n")
        ),
        (
            "one text twice by front matter",
            multilingual().with(
                "content/items/walk.ar.md",
                "+++\ntitle = \"Gang\"\nlanguage = \"de\"\n+++\n"
            ),
        ),
        (
            "one page twice",
            multilingual()
                .with("content/pages/about.de.md", "+++\ntitle = \"Über\"\n+++\n")
                .with("content/pages/de/about.md", "+++\ntitle = \"Wir\"\n+++\n"),
        ),
        (
            "a page at the path of a language",
            multilingual().with("content/pages/de.md", "+++\ntitle = \"De\"\n+++\n")
        ),
        (
            "items at the path of a language",
            config(
                "[languages]\ndefault = \"en\"\nothers = [\"de\"]\n[addresses]\nitems = \"/de/{slug}/\"\n"
            ),
        ),
        ("a site file at the path of a language", multilingual().with("site-files/de", "x")),
        (
            "a redirect from the path of a language",
            multilingual().with("content/redirects.toml", "\"/de/\" = \"/about/\"\n")
        ),
        (
            "an untranslated item at the address of a German item",
            config(&format!("{shown}[addresses]\nitems = \"/{{slug}}/\"\n"))
                .with("content/items/weg.md", "+++\ntitle = \"W\"\nslug = \"gleich\"\n+++\n")
                .with("content/items/gang.de.md", "+++\ntitle = \"G\"\nslug = \"gleich\"\n+++\n"),
        ),
        (
            "an untranslated page at the address of a German page",
            config(shown)
                .with("content/pages/us.md", "+++\ntitle = \"Us\"\n+++\n")
                .with("content/pages/wir.de.md", "+++\ntitle = \"Wir\"\nslug = \"us\"\n+++\n"),
        ),
        (
            "an invalid tag",
            config("[languages]\ndefault = \"en\"\nothers = [\"d\", \"de_AT\", \"de\"]\n")
        ),
        (
            "a language twice",
            config("[languages]\ndefault = \"en\"\nothers = [\"de\", \"EN\", \"de\"]\n")
        ),
        ("no default language", config("[languages]\nothers = [\"de\"]\n")),
        ("an empty default language", config("[languages]\ndefault = \"\"\nothers = [\"de\"]\n"),),
        ("an empty language", config("[languages]\ndefault = \"en\"\nothers = [\"de\", \" \"]\n"),),
        ("a reserved path", config("[languages]\ndefault = \"en\"\nothers = [\"de\", \"api\"]\n")),
        (
            "too many languages",
            config(&format!(
                "[languages]\ndefault = \"en\"\nothers = [\"de\", {}]\n",
                many.join(", ")
            )),
        ),
        (
            "a channel in another language",
            multilingual()
                .with("content/channel.md", "+++\ntitle = \"C\"\nlanguage = \"fr\"\n+++\n"),
        ),
        (
            "a German channel in another language",
            multilingual()
                .with("content/channel.de.md", "+++\ntitle = \"C\"\nlanguage = \"fr\"\n+++\n"),
        ),
        (
            "a channel in a language that the site lacks",
            multilingual().with("content/channel.fr.md", "+++\ntitle = \"C\"\n+++\n")
        ),
    ]));
}

fn config_with(text: &str) -> String {
    format!("base_url = \"https://example.com\"\n{text}")
}

#[test]
fn translations_of_drafts_and_into_unknown_languages_are_warnings() {
    let site = multilingual()
        .with("content/items/walk.md", "+++\ntitle = \"Walk\"\nstatus = \"unpublished\"\n+++\n")
        .with("content/items/run.md", "+++\ntitle = \"Run\"\n+++\n")
        .with("content/items/run.fr.md", "+++\ntitle = \"Courir\"\n+++\n")
        .with("content/items/run.2.md", "+++\ntitle = \"Run 2\"\n+++\n")
        .with("content/items/swim.fr.md", "+++\ntitle = \"Nager\"\n+++\n");
    snapshot!(site.report());
}
