//! The pages of the documentation: each starts with one short sentence about its task, and all
//! together are short.

use std::fs;
use std::path::Path;

/// Pages that are not documentation.
const OTHER_PAGES: [&str; 2] = ["404.md", "about.md"];
const MAX_FIRST_SENTENCE: usize = 25;
const MAX_WORDS: usize = 47_500;

/// The openings of a sentence about the page itself, or about something not yet named.
const EMPTY_OPENINGS: [&str; 9] =
    ["This ", "These ", "Here ", "There ", "It ", "They ", "What ", "In this ", "On this "];

/// The names and texts of the pages in a folder.
fn pages(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let pages = entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "md"));
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    pages.map(|entry| (name(&entry), fs::read_to_string(entry.path()).unwrap())).collect()
}

/// The first sentence after the front matter, or the line that introduces an example.
fn first_sentence(page: &str) -> String {
    let (_, text) = page.split_once("\n+++\n").expect("front matter in TOML");
    let paragraph = text.trim().split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let end = [". ", ": "].iter().filter_map(|end| paragraph.find(end)).min();
    end.map_or(paragraph.clone(), |end| paragraph[..=end].to_owned())
}

fn faults(page: &str) -> Vec<String> {
    let sentence = first_sentence(page);
    let words = sentence.split_whitespace().count();
    let mut faults = Vec::new();
    if words > MAX_FIRST_SENTENCE {
        faults.push(format!("has {words} words, and may have {MAX_FIRST_SENTENCE}"));
    }
    if EMPTY_OPENINGS.iter().any(|opening| sentence.starts_with(opening)) {
        faults.push("does not start with the task".into());
    }
    if !sentence.ends_with(['.', ':']) {
        faults.push("is not a sentence".into());
    }
    faults.into_iter().map(|fault| format!("{sentence:?} {fault}")).collect()
}

#[test]
fn every_page_starts_with_a_short_sentence_about_its_task() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (name, page) in [pages("content/pages"), pages("content/pages/rules")].concat() {
        if !OTHER_PAGES.contains(&name.as_str()) {
            checked += 1;
            wrong.extend(faults(&page).into_iter().map(|fault| format!("{name}: {fault}")));
        }
    }
    assert!(checked > 90, "only {checked} pages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_poor_first_sentence_is_reported() {
    let page = |text: &str| format!("+++\ntitle = \"A\"\n+++\n{text}\n");
    for good in ["Publish a show:\n\n```sh", "Edit `site.toml`. This is it.", "Read it.\n\nThis"] {
        assert_eq!(faults(&page(good)), [""; 0], "{good}");
    }
    let long = "Publish ".repeat(26) + "it.";
    for poor in ["This page shows how to publish.", "## Publish", "", long.as_str()] {
        assert_ne!(faults(&page(poor)), [""; 0], "{poor}");
    }
}

#[test]
fn the_documentation_is_short() {
    let words: usize =
        pages("content/pages").iter().map(|(_, page)| page.split_whitespace().count()).sum();
    assert!(words <= MAX_WORDS, "{words} words, and there may be {MAX_WORDS}");
}
