//! The site that benches measure with, and that the tests of counted work count on.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// `site.toml` of the site: everything that is written unless an author says otherwise.
pub const DEFAULT_OUTPUT: &str = "base_url = \"https://bench.example\"\n";

/// Words of the texts, and the tags.
pub const WORDS: [&str; 32] = [
    "harbour", "lantern", "river", "stone", "letter", "window", "garden", "morning", "paper",
    "signal", "winter", "copper", "market", "thread", "silver", "answer", "bridge", "canvas",
    "distant", "engine", "follow", "gentle", "hollow", "island", "journey", "kitchen", "ladder",
    "mirror", "number", "orange", "pocket", "quiet",
];

/// Makes a site of `items` items in folders of 100, in place of what is there.
pub fn make(site: &Path, items: usize) {
    let _ = fs::remove_dir_all(site);
    write(site.join("site.toml"), DEFAULT_OUTPUT);
    write(
        site.join("content/channel.md"),
        "+++\ntitle = \"Bench\"\nlanguage = \"en\"\n+++\nA corpus.\n",
    );
    for number in 0..items {
        write(item_file(site, number), &Item::of(number).file());
    }
}

/// Writes a file and the folders it is in.
pub fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().expect("a file has a folder"))
        .expect("the corpus can be written");
    fs::write(path, text).expect("the corpus can be written");
}

/// The file of an item.
pub fn item_file(site: &Path, number: usize) -> PathBuf {
    site.join(format!("content/items/{}/item-{number}.md", number / 100))
}

/// An item, as any generator can be told it.
pub struct Item {
    pub id: String,
    pub title: String,
    /// RFC 3339.
    pub date: String,
    pub tags: [&'static str; 2],
    /// Markdown.
    pub body: String,
}

impl Item {
    /// The same item of a number in every run.
    pub fn of(number: usize) -> Self {
        let mut word = words(number);
        let title = format!("The {} {} {number}", word(), word());
        let (year, month, day) = (10 + number % 16, 1 + number % 12, 1 + number % 28);
        Self {
            id: format!("b{number:010}"),
            title,
            date: format!("20{year}-{month:02}-{day:02}T{:02}:00:00Z", number % 24),
            tags: [word(), WORDS[number % WORDS.len()]],
            body: body(number, word),
        }
    }

    fn file(&self) -> String {
        let Self {
            id,
            title,
            date,
            tags: [one, other],
            body,
        } = self;
        format!(
            "+++\nid = \"{id}\"\ntitle = \"{title}\"\ndate_published = \"{date}\"\ntags = [\"{one}\", \"{other}\"]\n+++\n{body}"
        )
    }
}

/// Words by a small generator of numbers, so that every run has the same ones.
fn words(seed: usize) -> impl FnMut() -> &'static str {
    let mut state = seed as u64 * 2_654_435_761 + 1;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        WORDS[(state >> 59) as usize]
    }
}

/// About 4.6 KB of Markdown with headings, links and lists, and in every fifth item a block of code.
fn body(number: usize, mut word: impl FnMut() -> &'static str) -> String {
    let mut text = String::new();
    for paragraph in 0..7 {
        if paragraph % 3 == 0 {
            let _ = writeln!(text, "\n## About the {} {}\n", word(), word());
        }
        for sentence in 0..5 {
            let _ = write!(
                text,
                "The {} of the *{}* was a {} for the {}, and [{}](https://example.org/{}) kept it {}. ",
                word(),
                word(),
                word(),
                word(),
                word(),
                word(),
                word()
            );
            if sentence == 3 {
                let _ = write!(text, "See `{}` or **{}**. ", word(), word());
            }
        }
        text.push_str("\n\n");
        if paragraph % 4 == 1 {
            for _ in 0..3 {
                let _ = writeln!(text, "- {} {} {}", word(), word(), word());
            }
            text.push('\n');
        }
    }
    if number.is_multiple_of(5) {
        let _ = writeln!(
            text,
            "```rust\nfn {}() -> u32 {{\n    {number}\n}}\n```",
            word()
        );
    }
    text
}
