//! `feedwright search`, also in transcripts.

use serde_json::{Value, json};

use crate::support::program::{CommandOutput, command, run};
use crate::support::small_site::{SmallSite, site};

fn show() -> SmallSite {
    let item = |id: &str, more: &str| {
        format!("+++\nid = \"{id}00000001\"\ntitle = \"{id}\"\n{more}+++\nA lighthouse.\n")
    };
    let cue = |at: &str, words: &str| format!("{at}:10.000 --> {at}:12.000\n<v Ada>{words}\n\n");
    let filler = cue("00:30", &"Gulls over water. ".repeat(30));
    let said = cue("00:12", "The ferry was late.")
        + &filler
        + &cue("01:02", "A <i>Ferry</i> to the caf\u{e9}?");
    site()
        .with(
            "content/items/walk/index.md",
            item("walk", "[podcast]\ntranscripts = [\"said.vtt\"]\n"),
        )
        .with("content/items/walk/said.vtt", format!("WEBVTT\n\nNOTE ferry\n\n{said}"))
        .with("content/items/ferry.md", item("ferry", ""))
}

fn search(site: &SmallSite, arguments: &[&str]) -> CommandOutput {
    run(command().current_dir(site.root()).arg("search").args(arguments)).ok()
}

#[test]
fn places_in_transcripts_follow_items_with_their_times() {
    let site = show();
    let found = search(&site, &["ferry"]).out;
    let rows: Vec<Vec<&str>> =
        found.lines().map(|line| line.split_whitespace().take(4).collect()).collect();
    assert_eq!(
        rows,
        [
            vec!["content/items/ferry.md", "ferry"],
            vec!["content/items/walk/said.vtt", "12:10", "The", "ferry"],
            vec!["content/items/walk/said.vtt", "1:02:10", "A", "Ferry"],
        ],
        "{found}"
    );
    assert_eq!(search(&site, &["ferry", "--limit", "2"]).out.lines().count(), 2);
    assert_eq!(search(&site, &["lighthouse"]).out.lines().count(), 2);
    assert!(search(&site, &["\"ferry late\""]).err.contains("nothing found"));
    assert!(search(&site, &["?"]).err.contains("nothing found"));
    let found: Value = serde_json::from_str(&search(&site, &["cafe ferry", "--json"]).out).unwrap();
    assert_eq!(
        found,
        json!([{
            "type": "transcript", "id": "walk00000001", "file": "content/items/walk/said.vtt",
            "title": "walk", "excerpt": "A Ferry to the caf\u{e9}?", "start": 3730,
        }])
    );
}
