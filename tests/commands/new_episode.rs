//! `feedwright new episode`: recordings become items.

use std::fs;
use std::path::{Path, PathBuf};

use id3::TagLike as _;
use tempfile::TempDir;

use crate::support::media_fixture;
use crate::support::program::{CommandOutput, command, run};
use crate::support::small_site::{SmallSite, site, tree};

const PNG: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/picture.png");

/// A folder outside the site with recordings.
struct Recordings(TempDir);

impl Recordings {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Adds an MP3 with tags.
    fn mp3(&self, name: &str, change: impl FnOnce(&mut id3::Tag)) -> PathBuf {
        let path = self.path(name);
        fs::copy(media_fixture("cbr-bare.mp3"), &path).unwrap();
        let mut tag = id3::Tag::new();
        change(&mut tag);
        tag.write_to_path(&path, id3::Version::Id3v24).unwrap();
        path
    }

    fn text(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

fn new(site: &SmallSite, arguments: &[&str], files: &[&Path]) -> CommandOutput {
    let mut command = command();
    run(command.current_dir(site.root()).args(["new", "episode"]).args(arguments).args(files))
}

/// The text of an item, with a fixed id and a fixed current time.
fn stable(text: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some(("id", _)) => "id = \"…\"".to_owned(),
        Some(("date_published", date)) if date.contains('T') => "date_published = now".to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn walk(recordings: &Recordings) -> PathBuf {
    recordings.text("Walk Final.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nLate.\n");
    recordings.text(
        "Walk Final.chapters.json",
        r#"{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Late"}]}"#,
    );
    recordings.text("Walk Finale.txt", "The transcript of another recording.");
    recordings.mp3("Walk Final.MP3", |tag| {
        tag.set_title("Harbour walk");
        tag.set_track(7);
        tag.set_disc(2);
        tag.set_text("TDRL", "2026-05-04");
        tag.set_text("TDES", "We waited <b>long</b>.\nFor the ferry.");
        tag.add_frame(id3::frame::Picture {
            mime_type: "image/png".to_owned(),
            picture_type: id3::frame::PictureType::CoverFront,
            description: String::new(),
            data: PNG.to_owned(),
        });
    })
}

#[test]
fn an_episode_has_its_tags_its_files_and_a_valid_text() {
    let (site, recordings) = (site(), Recordings::new());
    let recording = walk(&recordings);
    let made = new(&site, &[], &[&recording]).ok();
    assert_eq!(made.out, "content/items/harbour-walk/index.md\n");
    assert!(made.err.contains("Harbour walk: season 2, episode 7, "), "{}", made.err);
    let text = site.read("content/items/harbour-walk/index.md");
    insta::assert_snapshot!(stable(&text), @r#"
    +++
    id = "…"
    slug = "harbour-walk"
    title = "Harbour walk"
    date_published = "2026-05-04"
    attachment = "walk-final.mp3"
    image = "cover.png"

    [podcast]
    chapters = "walk-final.chapters.json"
    episode = 7
    season = 2
    transcripts = ["walk-final.vtt"]
    +++

    We waited &lt;b>long&lt;/b>.
    For the ferry.
    "#);
    let files: Vec<String> = tree(&site.path("content/items/harbour-walk")).into_keys().collect();
    assert_eq!(
        files,
        ["cover.png", "index.md", "walk-final.chapters.json", "walk-final.mp3", "walk-final.vtt"]
    );
    let copy = fs::read(site.path("content/items/harbour-walk/walk-final.mp3")).unwrap();
    assert_eq!(copy, fs::read(&recording).unwrap());
    site.built();
    let feed = site.read("public/rss.xml");
    assert!(feed.contains("<podcast:episode>7</podcast:episode>"), "{feed}");
}

#[test]
fn moved_files_leave_their_folder() {
    let (site, recordings) = (site(), Recordings::new());
    let recording = walk(&recordings);
    let bytes = fs::read(&recording).unwrap();
    new(&site, &["--move", "--draft"], &[&recording]).ok();
    let left: Vec<String> = tree(recordings.0.path()).into_keys().collect();
    assert_eq!(left, ["Walk Finale.txt"]);
    let moved = fs::read(site.path("content/items/harbour-walk/walk-final.mp3")).unwrap();
    assert_eq!(moved, bytes);
    assert!(site.read("content/items/harbour-walk/index.md").contains("status = \"unpublished\""));
}

#[test]
fn several_recordings_continue_the_numbers_in_order() {
    let episode = "+++\nid = \"one\"\ntitle = \"One\"\ndate_published = 2026-01-01\nattachment = { url = \"https://cdn.example.net/1.mp3\", size_in_bytes = 9, duration_in_seconds = 9 }\npodcast = { season = 3, episode = 4 }\n+++\n";
    let (site, recordings) = (site().item(episode), Recordings::new());
    // The number 4 is taken, and 10 comes after 2 in the order of names.
    let files =
        ["part-10.mp3", "part-2.mp3"].map(|name| recordings.mp3(name, |tag| tag.set_track(4)));
    recordings.text("part-2.srt", "1\n00:00:00,000 --> 00:00:01,000\nLate.\n");
    let made = new(&site, &["--into", "2026"], &[&files[0], &files[1]]).ok();
    assert_eq!(
        made.out,
        "content/items/2026/part-2/index.md\ncontent/items/2026/part-10/index.md\n"
    );
    let [two, ten] =
        ["2", "10"].map(|part| site.read(&format!("content/items/2026/part-{part}/index.md")));
    assert!(two.contains("title = \"Part 2\"\n"), "{two}");
    assert!(two.contains("episode = 5\nseason = 3\ntranscripts = [\"part-2.srt\"]"), "{two}");
    assert!(ten.contains("episode = 6\nseason = 3\n"), "{ten}");
    assert!(site.build().is_ok());
}

#[test]
fn chapters_in_a_recording_are_written_as_front_matter() {
    let (site, recordings) = (site(), Recordings::new());
    let path = recordings.path("chapters.m4a");
    fs::copy(media_fixture("chapters.m4a"), &path).unwrap();
    new(&site, &["--title", "Bridges"], &[&path]).ok();
    let text = site.read("content/items/bridges/index.md");
    assert!(text.contains("title = \"Über die Brücke\""), "{text}");
    assert!(site.build().is_ok(), "{text}");
}

#[test]
fn a_recording_in_the_site_stays_where_it_is() {
    let bytes = fs::read(media_fixture("cbr-bare.mp3")).unwrap();
    let site = site()
        .with("content/items/walk/episode.mp3", &bytes)
        .with("content/items/flat.mp3", &bytes)
        .with("content/media/shared one.mp3", &bytes)
        .with("content/media/shared one.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nLate.\n");
    let paths = ["items/walk/episode.mp3", "items/flat.mp3", "media/shared one.mp3"]
        .map(|path| site.path(&format!("content/{path}")));
    let made = new(&site, &["--move"], &paths.each_ref().map(PathBuf::as_path)).ok();
    assert_eq!(
        made.out,
        "content/items/walk/index.md\ncontent/items/flat.md\ncontent/items/shared-one/index.md\n"
    );
    assert!(paths.iter().all(|path| path.exists()));
    let attachment = |path: &str| {
        let text = site.read(path);
        text.lines().find(|line| line.starts_with("attachment")).unwrap().to_owned()
    };
    assert_eq!(attachment("content/items/walk/index.md"), "attachment = \"episode.mp3\"");
    assert_eq!(attachment("content/items/flat.md"), "attachment = \"flat.mp3\"");
    assert_eq!(
        attachment("content/items/shared-one/index.md"),
        "attachment = \"/media/shared one.mp3\""
    );
    let shared = site.read("content/items/shared-one/index.md");
    assert!(shared.contains("transcripts = [\"/media/shared one.vtt\"]"), "{shared}");
    assert!(site.build().is_ok(), "{}", site.report());
}

#[test]
fn unusable_files_are_named_and_nothing_is_written() {
    let (site, recordings) = (site(), Recordings::new());
    let good = recordings.mp3("walk.mp3", |_| ());
    let text = recordings.text("notes.txt", "Notes");
    let noise = recordings.text("noise.mp3", "no recording");
    let missing = recordings.path("missing.mp3");
    let before = tree(&site.path("content"));
    let failed = new(&site, &[], &[&good, &text, &noise, &missing, recordings.0.path(), &good]);
    assert_eq!(failed.code, Some(2));
    for message in [
        "notes.txt is not a recording",
        "noise.mp3 is damaged or not a recording",
        "missing.mp3 cannot be read",
        "is a folder",
        "walk.mp3 is named twice",
    ] {
        assert!(failed.err.contains(message), "{message}: {}", failed.err);
    }
    assert_eq!(tree(&site.path("content")), before);
}

#[test]
fn an_existing_slug_or_folder_is_kept() {
    let (site, recordings) = (site(), Recordings::new());
    let recording = recordings.mp3("walk.mp3", |_| ());
    new(&site, &[], &[&recording]).ok();
    let before = tree(&site.path("content"));
    let again = new(&site, &["--move"], &[&recording]);
    assert_eq!(again.code, Some(2));
    assert!(
        again.err.contains("another item has the slug \"walk\"; set another --title"),
        "{}",
        again.err
    );
    let site = site.with("content/items/low-tide/notes.txt", "Mine");
    let taken = new(&site, &["--title", "Low tide"], &[&recording]);
    assert!(taken.err.contains("already exists; set another --title"), "{}", taken.err);
    site.remove("content/items/low-tide");
    assert_eq!(tree(&site.path("content")), before);
    assert!(recording.exists());
}

/// A picture that is none would be an error of the build.
#[test]
fn a_broken_cover_is_left_out() {
    let (site, recordings) = (site(), Recordings::new());
    let recording = recordings.mp3("walk.mp3", |tag| {
        tag.add_frame(id3::frame::Picture {
            mime_type: "image/png".to_owned(),
            picture_type: id3::frame::PictureType::CoverFront,
            description: String::new(),
            data: PNG[..20].to_owned(),
        });
    });
    new(&site, &[], &[&recording]).ok();
    let files: Vec<String> = tree(&site.path("content/items/walk")).into_keys().collect();
    assert_eq!(files, ["index.md", "walk.mp3"]);
    assert!(site.build().is_ok());
}

/// The folder of a process that was killed while it copied.
#[test]
fn the_next_command_removes_what_a_crash_left() {
    let site = site().with("content/items/.walk.2000000000-0.feedwright-new/walk.mp3", "half");
    run(command().current_dir(site.root()).args(["new", "item", "Tide", "--draft"])).ok();
    let files: Vec<String> = tree(&site.path("content/items")).into_keys().collect();
    assert_eq!(files, ["tide.md"]);
}

#[test]
fn without_a_server_the_editor_is_not_opened() {
    let (site, recordings) = (site(), Recordings::new());
    let recording = recordings.mp3("walk.mp3", |_| ());
    let made = new(&site, &["--open"], &[&recording]).ok();
    assert!(made.err.contains("run `feedwright serve --open`"), "{}", made.err);
}

/// A full disk leaves the recording and the site as they were.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_copied_leaves_nothing() {
    use std::os::unix::process::CommandExt as _;
    let (site, recordings) = (site(), Recordings::new());
    let recording = recordings.mp3("walk.mp3", |_| ());
    let mut shell = std::process::Command::new("sh");
    // SIGXFSZ is ignored, so that the limit is an error like a full disk.
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" new episode \"$1\"";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_feedwright")]).arg(&recording);
    shell.current_dir(site.root()).process_group(0);
    let failed = run(&mut shell);
    assert_eq!(failed.code, Some(2), "{}", failed.err);
    assert!(failed.err.contains("content/items/walk/index.md cannot be written"), "{}", failed.err);
    assert!(!site.exists("content/items"), "{:?}", tree(&site.path("content")));
    assert!(recording.exists());
}
