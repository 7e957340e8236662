//! The generated site that the benches measure, also used by the tests that count work.

pub mod words;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use words::Random;

/// `site.toml` for the default output without social cards.
pub const DEFAULT_OUTPUT: &str = "base_url = \"https://bench.example\"
[social]
cards = false
";

/// Tags of the items. Each item has two of these tags.
pub const TAGS: [&str; 32] = [
    "harbour", "lantern", "river", "stone", "letter", "window", "garden", "morning", "paper",
    "signal", "winter", "copper", "market", "thread", "silver", "answer", "bridge", "canvas",
    "distant", "engine", "follow", "gentle", "hollow", "island", "journey", "kitchen", "ladder",
    "mirror", "number", "orange", "pocket", "quiet",
];

/// Replaces the folder with a site of `items` items, 100 items per subfolder.
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

/// Writes a file and creates its parent folders.
pub fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().expect("a file has a folder"))
        .expect("the corpus can be written");
    fs::write(path, text).expect("the corpus can be written");
}

/// Returns the path of an item's file.
pub fn item_file(site: &Path, number: usize) -> PathBuf {
    site.join(format!("content/items/{}/item-{number}.md", number / 100))
}

/// A generated item, independent of the generator that builds it.
pub struct Item {
    pub id: String,
    pub title: String,
    /// Publication date in RFC 3339 format.
    pub date: String,
    pub tags: [&'static str; 2],
    /// Text in Markdown.
    pub body: String,
}

impl Item {
    /// Returns the item with this number. The item is identical in every run.
    pub fn of(number: usize) -> Self {
        let mut chance = Random::new(number);
        let title: Vec<&str> = (0..4).map(|_| chance.word()).collect();
        let (year, month, day) = (10 + number % 16, 1 + number % 12, 1 + number % 28);
        Self {
            id: format!("b{number:010}"),
            title: format!("{} {number}", title.join(" ")),
            date: format!("20{year}-{month:02}-{day:02}T{:02}:00:00Z", number % 24),
            tags: [TAGS[chance.below(TAGS.len())], TAGS[number % TAGS.len()]],
            body: body(number, &mut chance),
        }
    }

    fn file(&self) -> String {
        let Self { id, title, date, tags: [one, other], body } = self;
        format!(
            "+++\nid = \"{id}\"\ntitle = \"{title}\"\ndate_published = \"{date}\"\ntags = [\"{one}\", \"{other}\"]\n+++\n{body}"
        )
    }
}

/// Returns about 4.6 KB of Markdown with headings, links and lists. Every fifth item also has a
/// code block.
fn body(number: usize, chance: &mut Random) -> String {
    let mut text = String::new();
    for paragraph in 0..7 {
        if paragraph % 3 == 0 {
            let _ = writeln!(text, "\n## {} {} {}\n", chance.word(), chance.word(), chance.word());
        }
        for sentence in 0..5 {
            push_words(&mut text, 6, chance);
            let _ = write!(text, "*{}* ", chance.word());
            push_words(&mut text, 4, chance);
            let (linked, target) = (chance.word(), chance.word());
            let _ = write!(text, "[{linked}](https://example.org/{target}) ");
            push_words(&mut text, 2, chance);
            let _ = write!(text, "{}. ", chance.word());
            if sentence == 3 {
                let _ = write!(text, "`{}` **{}**. ", chance.word(), chance.word());
            }
        }
        text.push_str("\n\n");
        if paragraph % 4 == 1 {
            for _ in 0..3 {
                text.push_str("- ");
                push_words(&mut text, 3, chance);
                text.push('\n');
            }
            text.push('\n');
        }
    }
    if number.is_multiple_of(5) {
        let name = chance.word();
        let _ = writeln!(text, "```rust\nfn {name}() -> u32 {{\n    {number}\n}}\n```");
    }
    text
}

fn push_words(text: &mut String, count: usize, chance: &mut Random) {
    for _ in 0..count {
        text.push_str(chance.word());
        text.push(' ');
    }
}
