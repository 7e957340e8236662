//! What is wrong with a `podcast` table is said with its place and its remedy.

use std::fmt::Write as _;

use feedwright::model::{Config, SitePath, Source};
use feedwright::source::fields::Reader;
use feedwright::source::{channel, item};

use super::site;

/// Lines of an item's `[podcast]` table.
const ITEM: &[&str] = &[
    "locked = true",
    "sesaon = 1",
    "people = [{ role = \"host\" }]",
    "people = [{ name = \"Ann\", role = \"hots\", group = \"Casts\" }, 7]",
    "people = \"EIGHT_TIMES_SIXTEEN_AND_ONE\"",
    "people = [{ name = \"Ann\", img = \"nowhere.jpg\", href = \"ann.example\" }]",
    "license = \"CC-BY-5.0\"",
    "license = { url = \"https://example.com/l\" }",
    "location = { name = \"X\", rel = \"about\", geo = \"geo:91,0\", osm = \"113314\", country = \"UK\" }",
    "location = [{ geo = \"48.85,2.29\" }, { name = \"Y\", geo = \"geo:1,2;u=3\" }]",
    "funding = \"example.com\"",
    "funding = { text = \"Give\" }",
    "transcripts = [\"missing.vtt\", \"https://example.com/transcript\"]",
    "transcripts = [{ type = \"text/vtt\" }, { url = \"https://example.com/a.srt\", rel = \"caption\" }]",
    "chapters = \"missing.txt\"",
    "chapters = \"bad-chapters.txt\"",
    "chapters = 5",
    "chapters = [{ title = \"No time\" }]",
    "chapters = [{ startTime = -1 }, { startTime = \"1:99\" }, { startTime = 2, endTime = 1 }]",
    "chapters = [{ startTime = 0 }, { startTime = 60 }, { startTime = 30, title = \"Back\" }]",
    "chapters = [{ startTime = 0, location = { name = \"X\" } }, { startTime = 1, url = \"x\", tok = true }]",
    "soundbites = [{ startTime = 1 }, { startTime = 1, duration = 300 }]",
    "season = \"one\"",
    "season = { name = \"One\" }",
    "episode = { number = 1, display = \"a display that is longer than thirty-two characters\" }",
    "alternateEnclosures = [{ type = \"audio/mpeg\" }, { sources = [\"https://example.com/x\"] }, { sources = [] }]",
    "alternateEnclosures = [{ source = \"https://e.org/a.mp3\", title = \"a title that is longer than thirty-two characters\", bitrate = \"128k\", integrity = { type = \"sha\", value = \"x\" } }]",
    "alternateEnclosures = [{ source = \"https://e.org/a.mp3\", integrity = { type = \"sri\", value = \"sha384-abc\" } }]",
    "image = [{ alt = \"nothing\" }, { href = \"https://e.org/a.png\", aspect-ratio = \"wide\", width = -3 }]",
    "srcset = [{ descriptor = \"2x\" }, \"gone.png 2x\", 3]",
    "value = { type = \"lightning\", recipients = [{ address = \"a@example.com\", split = 1.5 }] }",
    "value = { type = \"lightning\", method = \"keysend\", suggested = \"much\", recipients = [] }",
    "value = { type = \"l\", method = \"k\", recipients = [{ address = \"?\", split = 1 }, { address = \"?\", split = -1, type = \"node\" }] }",
    "value = { type = \"l\", method = \"k\", recipients = [{ address = \"a@example.com\", type = \"lnadress\", split = 1 }], timeSplits = [{ startTime = 1, duration = 1 }, { startTime = 1, duration = 2, remotePercentage = 101, remoteItem = { feedUrl = \"https://e.org\" } }] }",
    "socialInteract = [{ protocol = \"activitypup\", uri = \"https://e.org/1\" }, { protocol = \"nostr\" }, \"off\"]",
    "chat = { server = \"https://irc.example.com/\", protocol = \"ircc\" }",
    "chat = \"irc.example.com\"",
    "txt = [{ purpose = \"verify\" }, true]",
    "contentLinks = [{ text = \"Watch\" }, \"watch\"]",
];

/// Lines of the channel's `[podcast]` table.
const CHANNEL: &[&str] = &[
    "transcripts = \"a.vtt\"",
    "medium = \"podcasts\"",
    "guid = \"y0ur-gu1d\"",
    "locked = \"me\"",
    "locked = 1",
    "locked = { locked = \"maybe\", owner = \"me@\" }",
    "block = [\"gogle\", { id = \"amazon\", block = 1 }]",
    "trailers = [{ url = \"https://e.org/t.mp3\", pubdate = \"soon\" }, { title = \"T\" }, \"t.mp3\"]",
    "updateFrequency = { rrule = \"WEEKLY\" }",
    "updateFrequency = { rrule = \"INTERVAL=2\" }",
    "updateFrequency = { rrule = \"FREQ=WEEKLY;COUNT=0\" }",
    "updateFrequency = { rrule = \"FREQ=WEEKLY;COUNT=10\" }",
    "updateFrequency = { rrule = \"FREQ=WEEKLY;COUNT=1;UNTIL=20261231\", dtstart = \"then\" }",
    "updateFrequency = { rrule = \"FREQ=WEEKLY;UNTIL=soon\" }",
    "podping = \"yes\"",
    "publisher = { feedGuid = \"003af0a0-6a45-55cf-b765-68e3d349551a\", medium = \"music\" }",
    "publisher = \"https://example.com/publisher.xml\"",
    "podroll = [{ title = \"No guid\" }, { feedGuid = \"x\", medium = \"musik\", feedUrl = \"e.org\" }]",
    "liveItems = [{ status = \"on\" }]",
    "liveItems = [{ status = \"live\", start = 2026-01-02T00:00:00Z, end = 2026-01-01T00:00:00Z, title = \"L\", guid = \"g\", enclosure = \"https://e.org/stream\" }]",
];

#[test]
fn item_errors_have_a_position_and_help() {
    insta::assert_snapshot!(error_report(ITEM, "content/items/a.md", item::read));
}

#[test]
fn channel_errors_have_a_position_and_help() {
    insta::assert_snapshot!(error_report(CHANNEL, "content/channel.md", channel::read));
}

fn error_report<T>(lines: &[&str], path: &str, read: impl Fn(&Reader<'_>) -> Option<T>) -> String {
    let path = SitePath::parse(path).unwrap();
    let config = Config::default();
    let root = site::folder("podcast-errors");
    let mut report = String::new();
    for line in lines {
        let line = line.replace("EIGHT_TIMES_SIXTEEN_AND_ONE", &"x".repeat(129));
        let text = format!("+++\ntitle = \"T\"\n[podcast]\n{line}\n+++\n");
        let source = Source { path: &path, text: &text };
        let reader = Reader::new(source, &config, &root);
        read(&reader);
        let (found, _) = reader.finish();
        assert!(!found.is_empty(), "nothing is said of {line}");
        writeln!(report, "{line}").unwrap();
        for diagnostic in found {
            assert!(diagnostic.line.is_some(), "no place: {diagnostic}");
            assert!(diagnostic.help.is_some(), "no remedy: {diagnostic}");
            let file = diagnostic.file.as_deref().unwrap_or_default();
            writeln!(
                report,
                "  {:?} {file}:{}:{} {}\n    {}",
                diagnostic.severity,
                diagnostic.line.unwrap(),
                diagnostic.column.unwrap(),
                diagnostic.message,
                diagnostic.help.unwrap()
            )
            .unwrap();
        }
    }
    report
}
