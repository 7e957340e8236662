//! What `check` says of transcripts, and of chapters that nobody can hear.

use std::fs;

use feedwright::builder::{self, Silent};
use feedwright::model::{Diagnostic, Rule};

use crate::support::program;
use crate::support::small_site::{SmallSite, site};
use crate::support::{fixtures, media_fixture};

/// A site with an item of this front matter beside its first lines, and these files beside it.
fn episode(front: &str, files: &[(&str, &[u8])]) -> SmallSite {
    let item = format!("+++\nid = \"talk00000001\"\ntitle = \"Talk\"\n{front}\n+++\nNotes.\n");
    let site = site().with("content/items/talk/index.md", item);
    files
        .iter()
        .fold(site, |site, (name, bytes)| site.with(&format!("content/items/talk/{name}"), bytes))
}

/// What is said of a transcript alone.
fn check_transcript(name: &str, bytes: &[u8]) -> String {
    let front = format!("[podcast]\ntranscripts = [\"{name}\"]");
    diagnostics(&episode(&front, &[(name, bytes)]))
}

fn diagnostics(site: &SmallSite) -> String {
    let found = builder::check(&site.options(), &Silent).report.sorted();
    let of_sound =
        [Rule::ChapterTime, Rule::Duration, Rule::Media, Rule::Soundbite, Rule::Transcript];
    let of_sound = |one: &&Diagnostic| one.rule.is_none_or(|rule| of_sound.contains(&rule));
    let texts: Vec<String> = found.iter().filter(of_sound).map(ToString::to_string).collect();
    texts.join("\n\n")
}

#[test]
fn errors_have_a_position_and_help() {
    let cases: [(&str, &[u8]); 12] = [
        ("no-header.vtt", b"00:01.000 --> 00:02.000\nWords\n"),
        ("no-times.vtt", b"WEBVTT\n\n00:01.000 --> soon\nLost\n\n00:03.000 --> 00:04.000\nWords\n"),
        (
            "order.srt",
            b"1\n00:00:05,000 --> 00:00:04,000\nA\n\n2\n00:00:03,000 --> 00:00:09,000\nB\n",
        ),
        ("not-utf-8.txt", b"Good\n\nA caf\xE9 by the harbour\n"),
        ("utf-16.vtt", b"\xFF\xFEW\0E\0B\0"),
        ("empty.vtt", b""),
        ("blank.html", b"\n"),
        ("no.json", b"\xEF\xBB\xBFsorry, not found"),
        ("no-segments.json", b"{\n  \"version\": \"1.0.0\"\n}"),
        ("comma.json", b"{\"segments\": [\n  {\"startTime\": 1, \"body\": \"A\"},\n]}"),
        ("cut-off.json", b"{\"segments\": [\n  {\"startTime\": 1, \"body\": \"A\"}, {\"startT"),
        ("silent.html", b"<script>nothing</script>"),
    ];
    let said = cases.map(|(name, bytes)| format!("== {name}\n{}\n", check_transcript(name, bytes)));
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(said.join("\n"));
    });
}

#[test]
fn a_completely_invalid_file_gives_a_short_report() {
    let cues = "x --> y\nWords\n\n".repeat(400);
    let said = check_transcript("a.vtt", format!("WEBVTT\n\n{cues}").as_bytes());
    assert_eq!(said.matches("warning[").count(), 6, "{said}");
    assert!(said.contains("this file has 396 more warnings"), "{said}");
}

#[test]
fn a_transcript_too_long_for_its_page_is_a_warning() {
    let said = check_transcript("a.txt", "Words. ".repeat(1_600_000).as_bytes());
    assert!(said.contains("larger than 10 MB"), "{said}");
}

#[test]
fn cues_after_the_end_of_the_audio_are_reported() {
    let sound = fs::read(media_fixture("chapters.mp3")).unwrap();
    let front = "attachment = \"a.mp3\"\n[podcast]\ntranscripts = [\"a.vtt\"]\nchapters = \"a.chapters.txt\"";
    let words = "WEBVTT\n\n00:00.500 --> 00:01.000\nA\n\n01:00.000 --> 01:01.000\nB\n\n01:02.000 --> 01:03.000\nC\n";
    let site = episode(
        front,
        &[("a.mp3", &sound), ("a.vtt", words.as_bytes()), ("a.chapters.txt", b"0:00 A\n59:00 B\n")],
    );
    let said = diagnostics(&site);
    assert!(said.contains("2 cues start after the end of the recording at 0:"), "{said}");
    assert!(said.contains("content/items/talk/a.vtt:6:1"), "{said}");
    assert!(said.contains("chapter 2 starts at 59:00, but the recording ends at 0:"), "{said}");
    assert!(said.contains("content/items/talk/a.chapters.txt:2:1"), "{said}");
    assert_eq!(said.matches("warning[").count(), 2, "{said}");
}

#[test]
fn chapters_and_soundbites_after_the_end_are_reported() {
    let front = "attachment = { url = \"https://cdn.example/a.mp3\", duration_in_seconds = 60 }\n\
        [podcast]\n\
        chapters = [\n  { startTime = 0, title = \"A\" },\n  { startTime = 90, title = \"B\" },\n]\n\
        soundbites = [\n  { startTime = 5, duration = 20 },\n  { startTime = 45, duration = 20 },\n]";
    let said = diagnostics(&episode(front, &[]));
    assert!(said.contains("content/items/talk/index.md:8:"), "{said}");
    let bite = "this soundbite ends at 1:05, but the recording ends at 1:00\n  --> content/items/talk/index.md:12:";
    assert!(said.contains(bite), "{said}");
    assert_eq!(said.matches("warning[").count(), 2, "{said}");
}

#[test]
fn repeated_soundbites_and_those_that_cannot_be_cut_are_reported() {
    let front = |category: &str| {
        format!(
            "attachment = {{ url = \"walk.mp4\"{category} }}\n[podcast]\nsoundbites = [\n  {{ startTime = 0, duration = 1 }},\n  {{ startTime = 0, duration = 1 }},\n]"
        )
    };
    let recording = fs::read(media_fixture("fragmented.mp4")).unwrap();
    let files: [(&str, &[u8]); 1] = [("walk.mp4", &recording)];
    let repeated = "this soundbite has the same times as an earlier one, so only the earlier one has a page\n  --> content/items/talk/index.md:8:17";
    let uncut = "this soundbite gets no clip: it cannot be cut: it is fragmented (at byte 807)\n  --> content/items/talk/index.md:7:17";
    let said = diagnostics(&episode(&front(", category = \"audio\""), &files));
    assert!(said.contains(repeated) && said.contains(uncut), "{said}");
    assert!(said.contains("help: export the recording again as MP3 or M4A"), "{said}");
    // Nothing is cut out of videos.
    let said = diagnostics(&episode(&front(""), &files));
    assert!(said.contains(repeated) && !said.contains("gets no clip"), "{said}");
}

#[test]
fn a_negative_duration_is_reported() {
    let front = "attachment = { url = \"https://cdn.example/a.mp3\", duration_in_seconds = -5 }";
    let said = diagnostics(&episode(front, &[]));
    let problem = "`attachment.duration_in_seconds` is -5, but must be at least 0";
    assert!(said.contains(problem), "{said}");
}

#[test]
fn well_formed_transcripts_have_no_warnings() {
    let samples = fixtures().join("../../crates/transcripts/tests/samples");
    for sample in fs::read_dir(samples).unwrap() {
        let sample = sample.unwrap();
        let name = sample.file_name().into_string().unwrap();
        let said = check_transcript(&name, &fs::read(sample.path()).unwrap());
        // It has a cue at 100 hours, on purpose.
        let expected = usize::from(name == "interview.vtt");
        assert_eq!(said.matches("warning[").count(), expected, "{said}");
    }
    // Two speak at once.
    let both = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v A>One\n\n00:02.000 --> 00:03.000\n<v B>Two\n";
    assert_eq!(check_transcript("a.vtt", both.as_bytes()), "");
}

#[test]
fn a_build_does_not_report_transcript_warnings() {
    let front = "[podcast]\ntranscripts = [\"a.vtt\"]";
    let site = episode(front, &[("a.vtt", b"nothing")]);
    assert_eq!(site.build().unwrap().warnings, []);
    let checked = program::command().args(["check", "--site"]).arg(site.root()).status();
    assert!(checked.unwrap().success());
}
