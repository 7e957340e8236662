//! The recording of an item: its waveform, and chapters and transcripts from other programs.
//! `tests/browser/recording.cjs` works with them in the page.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::media_fixture;
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, site};

const PIER: &str = "content/items/pier/index.md";

const RECORDING: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/chapters-v24.mp3");

fn sample_site() -> SmallSite {
    let text = "+++\nid = \"pier\"\nslug = \"pier\"\ntitle = \"The pier\"\nstatus = \"unpublished\"\n+++\nWaves.\n";
    let made = site().with(PIER, text);
    fs::write(made.root().join("content/items/pier/talk.mp3"), RECORDING).unwrap();
    made
}

impl Person<'_> {
    fn recording(&self, of: &str) -> Value {
        self.ask("recording", &json!({ "path": PIER, "of": of })).ok()
    }

    fn import(&self, name: &str, text: &str) -> Value {
        self.ask("import", &json!({ "name": name, "text": text })).ok()
    }
}

#[test]
fn a_recording_has_peaks_a_length_and_chapters() {
    let served = serve(sample_site());
    let ada = person(&served);
    let first = ada.recording("talk.mp3");
    let peaks = first["peaks"].as_array().unwrap();
    assert!(peaks.len() > 10_000 && peaks.len() <= 16_384, "{}", peaks.len());
    assert!(peaks.iter().any(|peak| peak.as_u64().unwrap() > 5));
    assert!((first["decoded"].as_f64().unwrap() - first["duration"].as_f64().unwrap()).abs() < 0.1);
    assert!(first["chapters"].as_array().unwrap().len() > 1, "{}", first["chapters"]);
    assert_eq!(first["chapters"][0]["startTime"], 0.0);
    assert_eq!(first["problem"], Value::Null);

    // The peaks are stored by content: a copy has the same, and a damaged file is decoded again.
    let root = served.site.root();
    let folder = root.join(".feedwright/measurements");
    // The other files are the hashes of files that have not changed.
    let stored = || {
        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        files.filter(|file| fs::metadata(file).unwrap().len() > 200).collect::<Vec<_>>()
    };
    fs::copy(root.join("content/items/pier/talk.mp3"), root.join("content/items/pier/copy.mp3"))
        .unwrap();
    let written = fs::metadata(&stored()[0]).unwrap().modified().unwrap();
    assert_eq!(ada.recording("copy.mp3"), first);
    assert_eq!(
        (stored().len(), fs::metadata(&stored()[0]).unwrap().modified().unwrap()),
        (1, written)
    );
    fs::write(&stored()[0], b"damaged").unwrap();
    assert_eq!(ada.recording("talk.mp3"), first);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(ada.recording("talk.mp3"), first);
}

#[test]
fn files_without_a_waveform_have_a_reason() {
    let served = serve(sample_site());
    let ada = person(&served);
    let folder = served.site.root().join("content/items/pier");
    fs::write(folder.join("text.mp3"), "It is not a recording.".repeat(100)).unwrap();
    fs::write(folder.join("empty.wav"), "").unwrap();
    for name in ["text.mp3", "empty.wav"] {
        let found = ada.recording(name);
        assert_eq!(found["peaks"], Value::Null, "{name}");
        assert_eq!(found["problem"], "the file is damaged or not a recording", "{name}");
    }
    fs::copy(media_fixture("silent.webm"), folder.join("talk.webm")).unwrap();
    let found = ada.recording("talk.webm");
    assert_eq!(found["problem"], "recordings in this format cannot be decoded");
    assert!(found["duration"].as_f64().unwrap() > 1.0);
}

#[test]
fn only_media_of_the_site_are_measured() {
    let served = serve(sample_site());
    let ada = person(&served);
    let before = served.files();
    for of in
        ["index.md", "../../../site.toml", "/etc/passwd", "missing.mp3", ".feedwright/x.mp3", ""]
    {
        ada.ask("recording", &json!({ "path": PIER, "of": of })).error(404);
    }
    ada.ask("recording", &json!({ "path": "/etc/passwd", "of": "talk.mp3" })).error(400);
    assert_eq!(served.files(), before);
}

/// Chapters in the formats of other programs, each with the same three chapters.
const CHAPTERS: &[(&str, &str)] = &[
    (
        "labels.txt",
        "0.000000\t0.000000\tOut\n\\\t100.0\t200.0\n20.500000\t21\tFerry & gulls\n3661.0\t3661.0\tHome\n",
    ),
    ("hindenburg.txt", "00:00:00 Out\n00:00:20.5 Ferry & gulls\n01:01:01 Home\n"),
    ("auphonic.txt", "00:00:00.000 Out\n00:00:20.500 Ferry & gulls\n01:01:01.000 Home\n"),
    ("lines.txt", "Chapters of the pier\n\n0:00 Out\n0:20.5 - Ferry & gulls\n1:01:01 Home\n"),
    (
        "podlove.json",
        r#"[{"start":"00:00:00.000","title":"Out","href":"","image":""},{"start":"00:00:20.500","title":"Ferry & gulls"},{"start":"01:01:01.000","title":"Home"}]"#,
    ),
    (
        "player.json",
        r#"{"chapters":[{"start":"0:00","title":"Out"},{"start":"0:20.5","title":"Ferry & gulls"},{"start":"1:01:01","title":"Home"}]}"#,
    ),
    (
        "chapters.json",
        r#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Out"},{"startTime":20.5,"title":"Ferry & gulls"},{"startTime":3661,"title":"Home"}]}"#,
    ),
    (
        "ffprobe.json",
        r#"{"chapters":[{"id":0,"start":0,"start_time":"0.000000","tags":{"title":"Out"}},{"start_time":"20.500000","tags":{"title":"Ferry & gulls"}},{"start_time":"3661.000000","tags":{"title":"Home"}}]}"#,
    ),
    (
        "podlove.psc",
        "<?xml version=\"1.0\"?>\n<psc:chapters version=\"1.2\" xmlns:psc=\"http://podlove.org/simple-chapters\"><psc:chapter start=\"00:00:00.000\" title=\"Out\"/><psc:chapter start=\"20.5\" title=\"Ferry &amp; gulls\" /><psc:chapter start=\"1:01:01\" title=\"Home\"></psc:chapter></psc:chapters>",
    ),
    (
        "session.nhsx",
        "<Session><Markers><Marker Id=\"1\" Name=\"Out\" Time=\"0\"/><Marker Id=\"2\" Name=\"Ferry &amp; gulls\" Time=\"20.5\"/><Marker Id=\"3\" Name=\"Home\" Time=\"1:01:01.0\"/></Markers></Session>",
    ),
    (
        "meta.txt",
        ";FFMETADATA1\ntitle=Pier\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=20500\ntitle=Out\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=20500\nEND=3661000\ntitle=Ferry \\& gulls\n[CHAPTER]\nTIMEBASE=1/1\nSTART=3661\nEND=3700\ntitle=Home\n[STREAM]\ntitle=x\n",
    ),
    (
        "comments.txt",
        "CHAPTER001=00:00:00.000\nCHAPTER001NAME=Out\nCHAPTER002=00:00:20.500\nCHAPTER002NAME=Ferry & gulls\nCHAPTER003=01:01:01.000\nCHAPTER003NAME=Home\n",
    ),
    (
        "chapters.vtt",
        "WEBVTT\n\n00:00.000 --> 00:20.500\nOut\n\n00:20.500 --> 01:01:01.000\nFerry &amp; gulls\n\n01:01:01.000 --> 01:02:00.000\nHome\n",
    ),
    ("late.txt", "1:01:01 Home\n0:20.5 Ferry & gulls\n0:00 Out\n"),
];

#[test]
fn chapters_of_other_programs_are_read() {
    let served = serve(sample_site());
    let ada = person(&served);
    let wanted = json!([
        { "startTime": 0, "title": "Out" },
        { "startTime": 20.5, "title": "Ferry & gulls" },
        { "startTime": 3661, "title": "Home" },
    ]);
    for (name, text) in CHAPTERS.iter().filter(|(name, _)| *name != "late.txt") {
        assert_eq!(ada.import(name, &format!("\u{feff}{text}"))["chapters"], wanted, "{name}");
        assert_eq!(ada.import(name, &text.replace('\n', "\r\n"))["chapters"], wanted, "{name}");
    }
    let linked = r#"[{"start":"0:05","title":"Out","href":"https://a.example/","image":"https://a.example/a.png"}]"#;
    let found = ada.import("a.json", linked);
    assert_eq!(
        found["chapters"],
        json!([{ "startTime": 5, "title": "Out", "img": "https://a.example/a.png", "url": "https://a.example/" }])
    );
}

#[test]
fn transcripts_of_other_programs_are_read() {
    let served = serve(sample_site());
    let ada = person(&served);
    let vtt = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Ada>Late &amp; wet.\n\n00:00:03.000 --> 00:00:04.000\n<v Ada>Always.\n";
    let plain = vtt.replace("<v Ada>", "");
    let srt = "1\n00:00:01,000 --> 00:00:02,500\nAda: Late & wet.\n";
    // Captions stay as they are.
    assert_eq!(ada.import("said.vtt", vtt), json!({ "name": "said.vtt", "text": vtt }));
    assert_eq!(ada.import("said.srt", srt), json!({ "name": "said.srt", "text": srt }));
    assert_eq!(ada.import("said.txt", vtt), json!({ "name": "said.vtt", "text": vtt }));
    for (name, text, wanted) in [
        (
            "podcasting.json",
            r#"{"version":"1.0.0","segments":[{"speaker":"Ada","startTime":1,"endTime":2.5,"body":"Late & wet."},{"speaker":"Ada","startTime":3,"endTime":4,"body":"Always."}]}"#,
            vtt,
        ),
        (
            "whisper.json",
            r#"{"text":" Late & wet. Always.","segments":[{"id":0,"seek":0,"start":1.0,"end":2.5,"text":" Late & wet.","tokens":[1,2]},{"id":1,"start":3.0,"end":4.0,"text":" Always."}],"language":"en"}"#,
            &plain,
        ),
        (
            "whisper-cpp.json",
            r#"{"transcription":[{"timestamps":{"from":"00:00:01,000","to":"00:00:02,500"},"offsets":{"from":1000,"to":2500},"text":" Late & wet."},{"offsets":{"from":3000,"to":4000},"text":" Always."}]}"#,
            &plain,
        ),
    ] {
        let stem = name.trim_end_matches(".json");
        assert_eq!(
            ada.import(name, text),
            json!({ "name": format!("{stem}.vtt"), "text": wanted }),
            "{name}"
        );
    }
    let times = "[00:00:01] Late and wet, as every day of this long and cold winter at the pier, where nobody waits for the ferry any more.\n\n[00:00:05] Always and always, says Ada, and looks at the sea, which is grey, and at the gulls, which are loud and white.\n";
    let found = ada.import("transcript.txt", times);
    assert!(
        found["text"].as_str().unwrap().contains("00:00:01.000 --> 00:00:05.000\nLate and wet"),
        "{found}"
    );
    let text = "Late and wet.\n\nAlways.\n";
    assert_eq!(ada.import("said.txt", text), json!({ "name": "said.txt", "text": text }));
}

#[test]
fn other_files_are_refused_with_the_formats_that_are_read() {
    let served = serve(sample_site());
    let ada = person(&served);
    for (name, text) in [
        ("table.json", "{\"rows\": [1, 2]}"),
        ("empty.txt", ""),
        ("blank.vtt", "WEBVTT\n"),
        ("feed.xml", "<rss><channel/></rss>"),
        ("list.json", "[]"),
    ] {
        let refused = ada.ask("import", &json!({ "name": name, "text": text })).error(400);
        assert!(
            refused.contains(name) && refused.contains("Audacity") && refused.contains("WebVTT"),
            "{refused}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // Whatever a file contains, the answer is chapters in order, a transcript, or a refusal.
    #[test]
    fn damaged_files_are_read_or_refused(
        of in 0..CHAPTERS.len(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[\\x00-\u{ff}]{0,3}"), 0..6),
        name in "[a-z]{1,5}\\.(txt|json|xml|vtt|srt)",
    ) {
        thread_local! {
            static SERVED: crate::support::served::Served = serve(sample_site());
        }
        SERVED.with(|served| {
            let ada = person(served);
            let mut text = CHAPTERS[of].1.to_owned();
            for (at, part) in &damage {
                let mut place = at.index(text.len() + 1);
                while !text.is_char_boundary(place) { place -= 1; }
                text.insert_str(place, part);
            }
            let reply = ada.ask("import", &json!({ "name": name, "text": text }));
            if reply.status == 400 { return; }
            let found = reply.ok();
            if let Some(chapters) = found["chapters"].as_array() {
                let starts: Vec<f64> = chapters.iter().map(|own| own["startTime"].as_f64().unwrap()).collect();
                assert!(!starts.is_empty() && starts.is_sorted() && starts[0] >= 0.0, "{starts:?}");
            } else {
                assert!(!found["text"].as_str().unwrap().is_empty());
            }
        });
    }
}
