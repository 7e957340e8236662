//! `feedwright transcribe`, with a script in place of a transcription program.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::support::media_fixture;
use crate::support::program::{CommandOutput, command, run};
use crate::support::small_site::{SmallSite, site, tree};
use crate::support::wait;

const CUES: &str = "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n Late & wet.\n";

/// A site with an episode in a folder, and this script as the program.
fn show(script: &str) -> SmallSite {
    let item = "+++\nid = \"walk00000001\"\nslug = \"walk\"\ntitle = 'Walk' # of Friday\nlanguage = \"pt-BR\"\nattachment = \"episode.mp3\"\n+++\nText.\n";
    let site = site()
        .with("content/items/walk/index.md", item)
        .with("content/items/walk/episode.mp3", fs::read(media_fixture("cbr-bare.mp3")).unwrap())
        .with("program/whisper", format!("#!/bin/sh\n{script}\n"));
    let program = site.path("program/whisper");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    site
}

fn transcribe(site: &SmallSite, options: &str, arguments: &[&str]) -> CommandOutput {
    run(&mut program(site, options, arguments))
}

fn program(site: &SmallSite, options: &str, arguments: &[&str]) -> Command {
    let program = site.path("program/whisper");
    let mut command = command();
    command
        .current_dir(site.root())
        .env("FEEDWRIGHT_TRANSCRIBE", format!("'{}' {options}", program.display()))
        .arg("transcribe")
        .args(arguments);
    command
}

fn transcript(site: &SmallSite) -> String {
    site.read("content/items/walk/episode.vtt")
}

fn print(text: &str) -> String {
    write(text, "/dev/stdout")
}

fn write(text: &str, file: &str) -> String {
    format!("cat > \"{file}\" <<'EOF'\n{text}\nEOF")
}

#[test]
fn a_transcript_is_written_marked_and_linked() {
    let script = format!("echo \"$1 $2\" > \"$0.arguments\"\n{}", write(CUES, "$1.vtt"));
    let site = show(&script);
    let made = transcribe(&site, "out {language} {recording}", &[]).ok();
    assert_eq!(made.out, "content/items/walk/episode.vtt\n");
    let text = transcript(&site);
    let (head, cues) = text.split_once(" made this transcript on ").unwrap();
    assert_eq!(head, "WEBVTT\n\nNOTE ai-content\nwhisper");
    assert!(
        cues.ends_with(". Correct it, then delete this note.\n\n00:00:00.000 --> 00:00:01.500\nLate &amp; wet.\n"),
        "{cues}"
    );
    let item = site.read("content/items/walk/index.md");
    assert_eq!(
        item,
        "+++\nid = \"walk00000001\"\nslug = \"walk\"\ntitle = 'Walk' # of Friday\nlanguage = \"pt-BR\"\nattachment = \"episode.mp3\"\n\n[podcast]\ntranscripts = [\"episode.vtt\"]\n+++\nText.\n"
    );
    assert_eq!(site.read("program/whisper.arguments"), "out pt\n");
    let left: Vec<String> = tree(&site.path(".feedwright")).into_keys().collect();
    assert!(!left.iter().any(|path| path.contains("transcribe")), "{left:?}");
    let checked = run(command().current_dir(site.root()).arg("check")).ok();
    assert!(checked.err.contains("[unreviewed-transcript]"), "{}", checked.err);
    site.write("content/items/walk/episode.vtt", CUES);
    let checked = run(command().current_dir(site.root()).arg("check")).ok();
    assert!(!checked.err.contains("unreviewed-transcript"), "{}", checked.err);
}

#[test]
fn every_form_of_output_becomes_webvtt() {
    let srt = "1\n00:00:00,000 --> 00:00:01,500\nLate & wet.\n";
    let json = r#"{"transcription":[{"offsets":{"from":0,"to":1500},"text":" Late & wet."}]}"#;
    let scripts = [
        print(CUES),
        format!("echo x > episode.vtt\n{}", write(srt, "episode.srt")),
        format!("echo done\n{}", write(json, "episode.mp3.json")),
    ];
    for script in scripts {
        let site = show(&script);
        transcribe(&site, "", &["walk"]).ok();
        let text = transcript(&site);
        assert!(
            text.ends_with("\n\n00:00:00.000 --> 00:00:01.500\nLate &amp; wet.\n"),
            "{script}: {text}"
        );
    }
}

/// Whisper has one code for Bokmål and Norwegian. Python keeps its output to itself, unless told.
#[test]
fn the_program_gets_the_language_that_it_knows_and_prints_at_once() {
    let site = show(&format!("echo \"$1 $PYTHONUNBUFFERED\" > \"$0.given\"\n{}", print(CUES)));
    let item = site.read("content/items/walk/index.md").replace("pt-BR", "nb-NO");
    site.write("content/items/walk/index.md", item);
    transcribe(&site, "{language}", &[]).ok();
    assert_eq!(site.read("program/whisper.given"), "no 1\n");
}

#[test]
fn faults_are_explained_and_nothing_is_written() {
    let cases = [
        (
            "echo loading >&2; echo 'no model' >&2; exit 3",
            "whisper failed (exit status: 3):\n  loading\n  no model",
        ),
        ("echo done", "whisper wrote no transcript with times"),
        // whisper.cpp says so, and succeeds.
        (
            "echo 'error: failed to read audio file' >&2",
            "reads\n  error: failed to read audio file",
        ),
        ("echo WEBVTT > a.vtt", "whisper wrote no transcript with times"),
    ];
    for (script, message) in cases {
        let site = show(script);
        let before = tree(&site.path("content"));
        let failed = transcribe(&site, "", &[]);
        assert_eq!(failed.code, Some(1), "{script}");
        assert!(failed.err.contains(message), "{script}: {}", failed.err);
        assert_eq!(tree(&site.path("content")), before, "{script}");
    }
    let site = show("");
    let with = |value: &str| {
        let mut command = command();
        run(command.current_dir(site.root()).env("FEEDWRIGHT_TRANSCRIBE", value).arg("transcribe"))
    };
    for (value, message) in [
        ("", "FEEDWRIGHT_TRANSCRIBE is not set: install whisper.cpp or whisper-ctranslate2"),
        ("'a", "FEEDWRIGHT_TRANSCRIBE is missing a closing quote"),
        ("no-such-program-7", "no-such-program-7 was not found: install it"),
    ] {
        let failed = with(value);
        assert_eq!(failed.code, Some(2), "{value}");
        assert!(failed.err.contains(message), "{value}: {}", failed.err);
    }
}

/// A site's own files name no program.
#[test]
fn a_site_cannot_choose_the_program() {
    let site = show(&print(CUES));
    site.write("site.toml", site.read("site.toml") + "transcribe = \"program/whisper\"\n");
    let mut command = command();
    let failed =
        run(command.current_dir(site.root()).env_remove("FEEDWRIGHT_TRANSCRIBE").arg("transcribe"));
    assert_ne!(failed.code, Some(0));
    assert!(!site.exists("content/items/walk/episode.vtt"));
}

#[test]
fn an_existing_transcript_is_replaced_only_with_force() {
    let site = show(&print(CUES));
    site.write("content/items/walk/episode.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nMine.\n");
    // The file of an interrupted run is only linked.
    transcribe(&site, "", &[]).ok();
    assert!(transcript(&site).contains("Mine."));
    assert!(site.read("content/items/walk/index.md").contains("transcripts = [\"episode.vtt\"]"));
    let all = transcribe(&site, "", &[]).ok();
    assert!(all.err.contains("every episode"), "{}", all.err);
    let refused = transcribe(&site, "", &["walk"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("walk: the item has a transcript; replace it with --force"),
        "{}",
        refused.err
    );
    assert!(transcript(&site).contains("Mine."));
    let item = site.read("content/items/walk/index.md");
    transcribe(&site, "", &["content/items/walk/episode.mp3", "--force"]).ok();
    assert!(transcript(&site).contains("Late &amp; wet."));
    assert_eq!(site.read("content/items/walk/index.md"), item);
}

#[test]
fn json_lists_transcripts_and_failures() {
    let site = show(&format!("case \"$1\" in *two*) exit 1;; esac\n{}", print(CUES)))
        .with("content/items/two/two.mp3", fs::read(media_fixture("cbr-bare.mp3")).unwrap())
        .with("content/items/two/index.md", "+++\nid = \"two000000001\"\ntitle = \"Two\"\nattachment = \"two.mp3\"\n+++\n")
        .with("content/items/far.md", "+++\nid = \"far000000001\"\ntitle = \"Far\"\nattachment = { url = \"https://cdn.example.net/1.mp3\", size_in_bytes = 9, duration_in_seconds = 9 }\n+++\n");
    let made = transcribe(&site, "", &["--json"]);
    assert_eq!(made.code, Some(1));
    let mut json: serde_json::Value = serde_json::from_str(&made.out).unwrap();
    assert!(json["failed"][0]["message"].take().as_str().unwrap().contains("exit status: 1"));
    assert_eq!(
        json,
        serde_json::json!({
            "ok": false,
            "transcripts": [{ "item": "walk00000001", "file": "content/items/walk/episode.vtt" }],
            "failed": [{ "item": "two000000001", "message": null }],
            "skipped": 1,
        })
    );
    let far = transcribe(&site, "", &["far000000001"]);
    assert!(far.err.contains("is not a file of the site"), "{}", far.err);
    let unknown = transcribe(&site, "", &["nobody"]);
    assert!(unknown.err.contains("item \"nobody\" not found"), "{}", unknown.err);
}

/// The program and its children end, and no file is left.
#[test]
fn an_interrupt_stops_the_program() {
    let site = show("sleep 60 & echo $! > \"$0.child\"; wait");
    let before = tree(&site.path("content"));
    let mut running = program(&site, "", &[]).spawn().unwrap();
    let child = || fs::read_to_string(site.path("program/whisper.child")).unwrap_or_default();
    wait::until(|| child().ends_with('\n'));
    let own = running.id().to_string();
    assert!(Command::new("kill").args(["-INT", &own]).status().unwrap().success());
    assert_eq!(running.wait().unwrap().code(), Some(1));
    let is_gone = || {
        let state =
            fs::read_to_string(format!("/proc/{}/stat", child().trim())).unwrap_or_default();
        state.is_empty() || state.contains(") Z")
    };
    wait::until(is_gone);
    assert_eq!(tree(&site.path("content")), before);
    let left: Vec<String> = tree(&site.path(".feedwright")).into_keys().collect();
    assert!(!left.iter().any(|path| path.contains("transcribe")), "{left:?}");
}

#[test]
fn episodes_of_shows_are_transcribed() {
    let site = show(&print(CUES));
    for (name, settings) in [("walks", "base_url = \"https://walks.example\"\n"), ("tides", "")] {
        let item = format!(
            "+++\nid = \"{name}-1\"\nslug = \"{name}-1\"\ntitle = \"{name}\"\nattachment = \"talk.mp3\"\n+++\n"
        );
        site.write(&format!("shows/{name}/channel.md"), format!("+++\ntitle = \"{name}\"\n+++\n"));
        site.write(&format!("shows/{name}/show.toml"), settings);
        site.write(&format!("shows/{name}/items/talk/index.md"), item);
        fs::copy(
            media_fixture("cbr-bare.mp3"),
            site.path(&format!("shows/{name}/items/talk/talk.mp3")),
        )
        .unwrap();
    }
    let made = transcribe(&site, "{recording}", &["walks-1"]).ok();
    assert_eq!(made.out, "shows/walks/items/talk/talk.vtt\n");
    let made = transcribe(&site, "{recording}", &[]).ok();
    assert_eq!(made.out, "content/items/walk/episode.vtt\nshows/tides/items/talk/talk.vtt\n");
    run(command().current_dir(site.root()).arg("check")).ok();
}
