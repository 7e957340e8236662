//! Sections, which are folders of items with a page, and defaults of front matter by folder.

use feedwright::builder::{self, Silent};
use serde_json::{Value, json};

use crate::support::preview_server;
use crate::support::served;
use crate::support::small_site::{SmallSite, feedwright, site};

const CONFIG: &str = "base_url = \"https://example.org\"\n\n[output]\nmarkdown = true\n\n[feed]\nitems_per_page = 2\n\n\
                      [hosting]\ntargets = [\"netlify\"]\n\n[addresses]\nitems = \"/{section}/{slug}/\"\n";
const NOTES: &str = "+++\ntitle = \"Notes\"\nshow_in_navigation = true\naliases = [\"jottings\"]\nmeta_description = \"Short texts\"\n+++\n\
                     Written on *Sundays*. [One](one.md)\n";

fn item(title: &str, day: u8) -> String {
    format!(
        "+++\nid = \"{title}\"\ntitle = \"{title}\"\nslug = \"{title}\"\ndate = 2026-01-0{day}\n+++\nText.\n"
    )
}

/// A section with three items, an inner section with one item, and an item in no section.
fn notes() -> SmallSite {
    site()
        .with("site.toml", CONFIG)
        .with("content/items/notes/section.md", NOTES)
        .with("content/items/notes/one.md", item("one", 1))
        .with("content/items/notes/two.md", item("two", 2))
        .with("content/items/notes/loose/three.md", item("three", 3))
        .with("content/items/notes/deep/section.md", "+++\ntitle = \"Deep\"\n+++\n")
        .with("content/items/notes/deep/four.md", item("four", 4))
        .with("content/items/top.md", item("top", 5))
}

fn page(site: &SmallSite, path: &str) -> String {
    site.read(&format!("public/{path}index.html"))
}

/// The addresses that the entries of a list link to.
fn listed(page: &str) -> Vec<String> {
    let titles = page.split("entry-title p-name").skip(1);
    let link = |title: &str| title.split("href=\"").nth(1)?.split('"').next().map(str::to_owned);
    titles.filter_map(link).map(|address| address.replace("&#x2F;", "/")).collect()
}

fn titles(site: &SmallSite, feed: &str) -> Vec<String> {
    let feed: Value = serde_json::from_str(&site.read(&format!("public/{feed}"))).unwrap();
    let items = feed["items"].as_array().unwrap().iter();
    items.map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_section_has_a_page_with_its_text_and_the_items_below_it() {
    let site = notes();
    site.built();
    let first = page(&site, "notes/");
    assert!(first.contains("Written on <em>Sundays</em>"), "{first}");
    assert!(first.contains("<title>Notes – "), "{first}");
    assert!(first.contains("content=\"Short texts\""), "{first}");
    assert_eq!(listed(&first), ["/notes/deep/four/", "/notes/three/"]);
    let second = page(&site, "notes/page/2/");
    assert_eq!(listed(&second), ["/notes/two/", "/notes/one/"]);
    assert!(!second.contains("Sundays"), "{second}");
    assert!(second.contains("rel=\"canonical\" href=\"https://example.org/notes/page/2/\""));
    assert_eq!(listed(&page(&site, "notes/deep/")), ["/notes/deep/four/"]);
    assert!(!site.exists("public/notes/page/1/index.html"));
    assert!(site.read("public/notes/index.md").contains("Written on *Sundays*"));
    assert!(site.read("public/sitemap.xml").contains("<loc>https://example.org/notes/</loc>"));
    let redirects = site.read("public/_redirects");
    assert!(redirects.contains("/jottings/ /notes/ 301"), "{redirects}");
    let home = page(&site, "");
    assert!(home.replace("&#x2F;", "/").contains("href=\"/notes/\""), "{home}");
}

#[test]
fn a_section_has_feeds_and_its_items_stay_in_the_feed_of_the_site() {
    let site = notes();
    site.built();
    assert_eq!(titles(&site, "notes/feed.json"), ["four", "three", "two", "one"]);
    assert_eq!(titles(&site, "notes/deep/feed.json"), ["four"]);
    assert_eq!(titles(&site, "feed.json"), ["top", "four", "three", "two", "one"]);
    let rss = site.read("public/notes/rss.xml");
    assert!(rss.contains("https://example.org/notes/"), "{rss}");
    let first = page(&site, "notes/");
    assert!(first.contains(
        "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"A small site – Notes (RSS)\" href=\"https://example.org/notes/rss.xml\">"
    ), "{first}");
    let headers = site.read("public/_headers");
    for path in ["\n/:id/feed.json", "\n/:id/:clip/rss.xml"] {
        assert!(headers.contains(path), "{headers}");
    }
    assert!(!headers.contains("/tags/"), "no file has two rules: {headers}");
}

#[test]
fn items_link_to_their_sections_and_have_them_in_their_addresses() {
    let site = notes();
    site.built();
    let four = page(&site, "notes/deep/four/").replace("&#x2F;", "/");
    let crumbs =
        four.split("class=\"breadcrumbs\"").nth(1).unwrap().split("</nav>").next().unwrap();
    assert!(crumbs.contains("<a href=\"/notes/\" dir=\"auto\">Notes</a>"), "{crumbs}");
    assert!(crumbs.contains("<a href=\"/notes/deep/\" dir=\"auto\">Deep</a>"), "{crumbs}");
    // An item without a section has an address without it.
    assert!(site.exists("public/top/index.html"));
    assert!(page(&site, "notes/one/").contains("Text."));
}

/// A section's file may come, change and go.
#[test]
fn a_changed_section_builds_the_same_site() {
    let site = notes();
    site.built();
    let with_slug = NOTES.replace("title = \"Notes\"", "title = \"Papers\"\nslug = \"papers\"");
    let draft = NOTES.replace("+++\nW", "status = \"unpublished\"\n+++\nW");
    for text in [Some(with_slug), Some(draft), None, Some(NOTES.to_owned())] {
        let fresh = match &text {
            Some(text) => notes().with("content/items/notes/section.md", text),
            None => notes().without("content/items/notes/section.md"),
        };
        match &text {
            Some(text) => site.write("content/items/notes/section.md", text),
            None => site.remove("content/items/notes/section.md"),
        }
        builder::run(&site.options(), &Silent).unwrap();
        builder::run(&fresh.options(), &Silent).unwrap();
        assert_eq!(
            site.output().keys().collect::<Vec<_>>(),
            fresh.output().keys().collect::<Vec<_>>(),
            "{text:?}"
        );
    }
}

/// A theme that does not know sections shows title and text above the list. A section without
/// items has a page, but no feeds.
#[test]
fn a_section_may_have_no_items_and_a_theme_without_sections() {
    let site = notes()
        .with("content/items/empty/section.md", "+++\ntitle = \"Empty\"\n+++\nNothing yet.\n")
        .with("themes/mine/theme.json", "{ \"formatVersion\": 2, \"packageId\": \"example.mine\", \"name\": \"M\", \"author\": \"A\", \"license\": \"MIT\", \"version\": \"1.0.0\", \"extends\": \"default\", \"files\": { \"webFeed\": \"feed.html\" } }")
        .with("themes/mine/feed.html", "<main>{{#items}}[{{title}}]{{/items}}</main>\n")
        .with("site.toml", format!("theme = \"mine\"\n{CONFIG}"));
    site.built();
    let first = page(&site, "notes/");
    assert!(first.contains("<header><h1>Notes</h1><p>Written on <em>Sundays</em>"), "{first}");
    assert!(first.contains("<main>[four][three]</main>"), "{first}");
    assert!(page(&site, "empty/").contains("<h1>Empty</h1>"));
    assert!(!site.exists("public/empty/feed.json"));
}

#[test]
fn the_server_finds_the_documents_of_sections() {
    let site = notes();
    let preview = preview_server::serve(site.root());
    assert!(preview.text("/notes/").contains("Sundays"));
    assert!(preview.text("/notes/page/2/").contains("&#x2F;notes&#x2F;one&#x2F;"));
    assert!(preview.text("/notes/deep/feed.json").contains("\"four\""));
    assert_eq!(preview.ask("GET", "/notes/page/3/", &[]).status, 404);
    assert_eq!(preview.ask("GET", "/notes/page/1/", &[]).status, 404);
}

/// Each clash names both files, or the path.
#[test]
fn paths_of_sections_that_are_in_use_are_errors() {
    let site = notes()
        .with("content/pages/notes.md", "+++\ntitle = \"Page\"\n+++\n")
        .with("content/items/tags/section.md", "+++\ntitle = \"Tags\"\n+++\n")
        .with("content/pages/two.md", "+++\ntitle = \"P\"\nslug = \"notes/page/2\"\n+++\n")
        .with("content/items/Straße/section.md", "+++\ntitle = \"S\"\n+++\n");
    insta::assert_snapshot!(site.report());
    let pattern = CONFIG.replace("/{section}/", "/a-{section}/");
    insta::assert_snapshot!("invalid_pattern", notes().with("site.toml", pattern).report());
}

const DEFAULTS: &str = "\n[defaults.notes]\nlanguage = \"de\"\ncategories = [\"note\"]\nitunes = { season = 2, explicit = true }\ndraft = true\n\
     summary = \"Sum\"\n\n[defaults.\"notes/deep\"]\nitunes.season = 3\nstatus = \"unlisted\"\n";

fn with_defaults() -> SmallSite {
    let own = item("two", 2).replace(
        "+++\nT",
        "language = \"\"\ntags = [\"own\"]\nitunes = { season = 9 }\nstatus = \"published\"\ndescription = \"Own\"\n+++\nT",
    );
    notes().with("site.toml", format!("{CONFIG}{DEFAULTS}")).with("content/items/notes/two.md", own)
}

#[test]
fn a_folder_has_defaults_that_files_and_inner_folders_replace() {
    let site = with_defaults();
    site.built();
    let feed: Value = serde_json::from_str(&site.read("public/notes/feed.json")).unwrap();
    let items = feed["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "drafts by default are not published: {feed}");
    let two = &items[0];
    assert_eq!(two["language"], Value::Null);
    assert_eq!(two["tags"], json!(["own"]));
    assert_eq!(two["summary"], "Own");
    assert_eq!(two["_service"]["itunes:season"], 9);
    assert_eq!(two["_service"]["itunes:explicit"], true);
    let four: Value = serde_json::from_str(&site.read("public/i/four/item.json")).unwrap();
    let four = &four["items"][0];
    assert_eq!(four["language"], "de");
    assert_eq!(four["tags"], json!(["note"]));
    assert_eq!(four["_service"]["itunes:season"], 3);
    assert_eq!(four["_service"]["itunes:explicit"], true);
}

/// An error is reported once, at its place in `site.toml`.
#[test]
fn invalid_defaults_are_errors_in_the_configuration() {
    let wrong = "\n[defaults.notes]\nlanguage = 3\nimage = \"cover.jpg\"\nid = \"x\"\nallow = [\"alt-text\"]\nsummry = \"A\"\nitunes = { seson = 2 }\n\
                 image2 = \"x\"\npodcast = { chapters = \"c.json\" }\n[defaults.\"notes/deep\"]\nimage = \"/media/none.jpg\"\nstatus = \"hidden\"\n[defaults.\"content/pages\"]\n\
                 navigation_order = \"first\"\n[defaults.\"content/media\"]\na = 1\n[defaults.\"../x\"]\na = 1\n[defaults.nots]\nlanguage = \"de\"\n";
    insta::assert_snapshot!(notes().with("site.toml", format!("{CONFIG}{wrong}")).report());
    let wrong = "\ndefaults = [1]\n";
    let first = format!("{wrong}{CONFIG}");
    insta::assert_snapshot!(
        "defaults_that_are_no_table",
        notes().with("site.toml", first).report()
    );
}

#[test]
fn a_file_is_explained() {
    let site = with_defaults();
    let explain = |arguments: &[&str]| {
        let arguments = [&["check", "--explain"], arguments].concat();
        let (code, told, errors) = feedwright(&site, &arguments);
        assert_eq!(code, 0, "{errors}");
        told
    };
    let files = ["notes/two.md", "notes/deep/four.md", "top.md", "notes/section.md"];
    let told = files.map(|file| explain(&[&format!("content/items/{file}")]));
    insta::assert_snapshot!(told.join("\n"));
    let told: Value =
        serde_json::from_str(&explain(&["content/items/notes/deep/four.md", "--json"])).unwrap();
    assert_eq!(told["file"], "content/items/notes/deep/four.md");
    let values = told["values"].as_array().unwrap();
    let season = values.iter().find(|one| one["key"] == "itunes.season").unwrap();
    assert_eq!(season["value"], 3);
    assert_eq!(season["from"], "default");
    let (code, _, told) = feedwright(&site, &["check", "--explain", "content/none.md"]);
    assert_eq!((code, told.contains("content/none.md is not a file")), (2, true), "{told}");
}

/// The API shows defaults, and never writes them.
#[test]
fn the_api_leaves_defaults_out_of_files() {
    let defaults = "\n[defaults.notes]\nlanguage = \"de\"\ntags = [\"note\"]\n";
    let served = served::serve(notes().with("site.toml", format!("{CONFIG}{defaults}")));
    let shown = served.read("/items/one/").ok();
    let shown = &shown["items"][0];
    assert_eq!(shown["language"], "de");
    let mut sent = shown.clone();
    sent["title"] = json!("Uno");
    let keys = ["title", "language", "tags"];
    let sent: serde_json::Map<String, Value> =
        keys.iter().map(|key| ((*key).to_owned(), sent[*key].clone())).collect();
    served.put("/items/one/", &sent.into()).ok();
    let file = |served: &served::Served| {
        String::from_utf8(served.files()["content/items/notes/one.md"].clone()).unwrap()
    };
    let text = file(&served);
    assert!(text.contains("title = \"Uno\""), "{text}");
    assert!(!text.contains("de\"") && !text.contains("note\""), "{text}");
    served.put("/items/one/", &json!({ "language": null, "tags": [] })).ok();
    let text = file(&served);
    assert!(text.contains("language = \"\"\n") && text.contains("tags = []\n"), "{text}");
    let shown = served.read("/items/one/").ok();
    assert_eq!(shown["items"][0].get("language").cloned().unwrap_or_default(), Value::Null);
}
