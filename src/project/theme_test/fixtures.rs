//! Fixture sites for testing themes.

use std::fmt::Write;

/// Name of an element that no page may contain. Only the content of the hostile fixture contains
/// the name.
pub const HOSTILE: &str = "x-hostile";

/// The characters before the element in hostile content. They end an HTML attribute and its tag.
pub const BEFORE_HOSTILE: &str = "'\">";

/// A fixture site: its files by path, sorted.
pub struct Fixture {
    pub name: &'static str,
    pub texts: fn() -> Vec<(String, String)>,
}

const fn fixture(name: &'static str, texts: fn() -> Vec<(String, String)>) -> Fixture {
    Fixture { name, texts }
}

pub static FIXTURES: [Fixture; 8] = [
    fixture("empty", empty),
    fixture("minimal", minimal),
    fixture("rich", rich),
    fixture("pagination", pagination),
    fixture("media", media),
    fixture("missing fields", missing_fields),
    fixture("authors and subscriptions", authors),
    fixture("hostile", hostile),
];

fn file(path: &str, text: impl Into<String>) -> (String, String) {
    (path.to_owned(), text.into())
}

fn channel(more: &str) -> (String, String) {
    file(
        "content/channel.md",
        format!("+++\ntitle = \"Walks\"\nlanguage = \"en\"\n{more}+++\nWalks along the coast.\n"),
    )
}

fn item(slug: &str, date: &str, more: &str, text: &str) -> (String, String) {
    file(
        &format!("content/items/{slug}.md"),
        format!(
            "+++\ntitle = \"The {slug}\"\nslug = \"{slug}\"\nstatus = \"published\"\ndate_published = {date}T09:00:00Z\n{more}+++\n{text}\n"
        ),
    )
}

fn empty() -> Vec<(String, String)> {
    vec![file("content/channel.md", "+++\ntitle = \"Walks\"\n+++\n")]
}

fn minimal() -> Vec<(String, String)> {
    vec![channel(""), item("walk", "2026-01-05", "", "Out at low tide.")]
}

/// A site with an example of everything that a theme can render.
fn rich() -> Vec<(String, String)> {
    source::sample_site::sample_texts()
}

/// A site with more than two pages of items. The items are from two years, and have several seasons
/// and tags.
fn pagination() -> Vec<(String, String)> {
    let mut files = vec![channel("")];
    for number in 1..=45 {
        let (year, day) = (2025 + number / 40, 1 + number % 28);
        let more = format!(
            "tags = [\"shore\", \"tide {}\"]\n[podcast]\nseason = {}\nepisode = {number}\n",
            number % 3,
            1 + number % 2
        );
        files.push(item(
            &format!("walk-{number:02}"),
            &format!("{year}-01-{day:02}"),
            &more,
            "Out at low tide.",
        ));
    }
    files
}

/// A site with one item for each kind of attachment, and a link.
fn media() -> Vec<(String, String)> {
    let kinds = [
        ("sound", "mp3", "audio/mpeg"),
        ("film", "mp4", "video/mp4"),
        ("photo", "jpg", "image/jpeg"),
        ("sheet", "pdf", "application/pdf"),
    ];
    let mut files = vec![channel("icon = \"https://media.example/icon.png\"\n")];
    let attached = kinds.map(|(slug, ending, media_type)| {
        let more = format!(
            "image = {{ url = \"https://media.example/{slug}.png\", alt = \"The {slug}\" }}\n[attachment]\nurl = \"https://media.example/a.{ending}\"\nmime_type = \"{media_type}\"\nsize_in_bytes = 1000\nduration_in_seconds = 60\n"
        );
        item(slug, "2026-01-05", &more, "Look and listen.")
    });
    let link =
        item("link", "2026-01-06", "url = \"https://elsewhere.example/a\"\n", "Worth reading.");
    files.extend(attached);
    files.insert(2, link);
    files.sort();
    files
}

/// A site without optional values, such as titles, dates, languages, descriptions and people's
/// names.
fn missing_fields() -> Vec<(String, String)> {
    vec![
        file("content/channel.md", "+++\ntitle = \"\"\n+++\n"),
        file("content/items/no-date.md", "+++\ntitle = \"No date\"\nstatus = \"published\"\n+++\n"),
        file(
            "content/items/no-text.md",
            "+++\ntitle = \"\"\nstatus = \"published\"\ndate_published = 2026-01-05\n+++\n",
        ),
        file(
            "content/items/no-title.md",
            "+++\nstatus = \"published\"\ndate_published = 2026-01-06\n+++\nA thought.\n",
        ),
        file(
            "content/items/sound.md",
            "+++\nstatus = \"published\"\ndate_published = 2026-01-07\nattachment = { url = \"https://media.example/a.mp3\" }\n+++\n",
        ),
        file("content/pages/about.md", "+++\ntitle = \"About\"\nshow_in_navigation = true\n+++\n"),
    ]
}

fn authors() -> Vec<(String, String)> {
    let methods = "authors = [{ name = \"Ada\" }, { name = \"Ben\", url = \"https://ben.example/\" }]\nsubscribe_methods = [{ name = \"Club\", url = \"https://club.example/\" }, { name = \"Letter\", url = \"mailto:walks@fixture.example\" }]\n";
    let mut files = vec![channel(methods)];
    for (slug, names) in [
        ("a-both", "[\"Ada\", \"Ben\"]"),
        ("b-ada", "[\"Ada\"]"),
        ("c-guests", "[\"Cid\", \"Dee\", \"Eve\"]"),
    ] {
        files.push(item(slug, "2026-01-05", &format!("authors = {names}\n"), "Text."));
    }
    files
}

/// A site in a right-to-left language. If a theme does not escape the content, the content breaks
/// out of the surrounding markup.
fn hostile() -> Vec<(String, String)> {
    let text = format!("'\\\"><{HOSTILE}> & </title></script> {{{{title}}}} \u{202e}");
    let long = "long".repeat(200);
    let mut people = String::new();
    for role in ["host", "guest"] {
        let _ = write!(people, "{{ name = \"{text}\", role = \"{role}\" }}, ");
    }
    let common =
        format!("title = \"{text}\"\nlanguage = \"ar\"\nauthors = [{{ name = \"{text}\" }}]\n");
    vec![
        file(
            "content/channel.md",
            format!(
                "+++\n{common}copyright = \"{text}\"\nsubscribe_methods = [{{ name = \"{text}\", url = \"https://a.example/?a='b\" }}]\n[podcast]\npeople = [{people}]\nfunding = {{ url = \"https://a.example/\", text = \"{text}\" }}\n+++\nPlain.\n"
            ),
        ),
        file(
            "content/items/hostile.md",
            format!(
                "+++\n{common}slug = \"hostile\"\nstatus = \"published\"\ndate_published = 2026-01-05\nsummary = \"{text}\"\ntags = [\"{text}\", \"{long}\"]\nimage = {{ url = \"https://a.example/a.png?'\", alt = \"{text}\" }}\nattachment = {{ url = \"https://a.example/a.mp3\", mime_type = \"audio/mpeg\" }}\n[podcast]\npeople = [{people}]\nlocation = {{ name = \"{text}\" }}\nchapters = [{{ startTime = 0, title = \"{text}\" }}]\nsoundbites = [{{ startTime = 0, duration = 1, title = \"{text}\" }}]\nseason = {{ number = 1, name = \"{text}\" }}\nepisode = {{ number = 1, display = \"{text}\" }}\nfunding = {{ url = \"https://a.example/\", text = \"{text}\" }}\n+++\nPlain.\n"
            ),
        ),
        file(
            "content/items/long.md",
            format!(
                "+++\ntitle = \"{long}\"\nslug = \"long\"\nstatus = \"published\"\ndate_published = 2026-01-06\nurl = \"https://{}.example/\"\n+++\n{long}\n",
                "a".repeat(60)
            ),
        ),
        file(
            "content/planet/example-com-a.toml",
            format!(
                "feed = \"https://example.com/a\"\ntitle = \"{text}\"\n[[items]]\nid = \"{text}\"\nurl = \"https://a.example/?a='b\"\ndate = 2026-01-05T00:00:00Z\ntitle = \"{text}\"\nauthor = \"{text}\"\nexcerpt = \"{text}\"\n"
            ),
        ),
        file(
            "content/pages/hostile.md",
            format!(
                "+++\ntitle = \"{text}\"\nslug = \"hostile\"\nshow_in_navigation = true\nnavigation_label = \"{text}\"\n+++\nPlain.\n"
            ),
        ),
    ]
}
