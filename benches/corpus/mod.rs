//! The site that benches measure with.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A site of `items` items in folders of 100, without the documents that the compared generators do not write.
pub fn make(site: &Path, items: usize) {
    let _ = fs::remove_dir_all(site);
    let write = |path: PathBuf, text: &str| {
        fs::create_dir_all(path.parent().expect("a file has a folder"))
            .expect("the corpus can be written");
        fs::write(path, text).expect("the corpus can be written");
    };
    let output = "[output]\nitem_json = false\nitem_rss = false\ntags = false\nsearch = false\n[hosting]\ntargets = [\"netlify\"]\n";
    write(
        site.join("site.toml"),
        &format!("base_url = \"https://bench.example\"\n{output}"),
    );
    write(
        site.join("content/channel.md"),
        "+++\ntitle = \"Bench\"\nlanguage = \"en\"\n+++\nA corpus.\n",
    );
    for number in 0..items {
        let path = site.join(format!("content/items/{}/item-{number}.md", number / 100));
        write(path, &item(number));
    }
}

/// Words by a small generator of numbers, so that every run has the same corpus.
fn item(number: usize) -> String {
    const WORDS: [&str; 32] = [
        "harbour", "lantern", "river", "stone", "letter", "window", "garden", "morning", "paper",
        "signal", "winter", "copper", "market", "thread", "silver", "answer", "bridge", "canvas",
        "distant", "engine", "follow", "gentle", "hollow", "island", "journey", "kitchen",
        "ladder", "mirror", "number", "orange", "pocket", "quiet",
    ];
    let mut state = number as u64 * 2_654_435_761 + 1;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        WORDS[(state >> 59) as usize]
    };
    let mut text = format!(
        "+++\nid = \"b{number:010}\"\ntitle = \"The {} {} {number}\"\ndate_published = \"20{:02}-{:02}-{:02}T{:02}:00:00Z\"\ntags = [\"{}\"]\n+++\n",
        word(),
        word(),
        10 + number % 16,
        1 + number % 12,
        1 + number % 28,
        number % 24,
        word(),
    );
    for paragraph in 0..6 {
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
    text
}
