//! What a show leaves for its author.

use super::*;

const DRAFT: &str = "content/items/harbour-talk-2025-11-20.md";

/// What the API shows of the draft that a hook left.
fn item(served: &Served, done: &Value) -> Value {
    let id = done["matched"]["item"].as_str().unwrap();
    served.read(&format!("/items/{id}/")).ok()["items"][0].clone()
}

fn stop_time(hour: u8) -> String {
    format!("2025-11-20T{hour}:00:00Z")
}

#[test]
fn recording_transcript_and_summary_make_one_draft() {
    let served = talk();
    let done = send(&served, &recording("s1", "r1", &stop_time(20)));
    assert_eq!(done["matched"]["written"], json!([DRAFT, TALK]));
    assert_eq!(done["matched"]["status"], json!(null));
    let id = done["matched"]["item"].as_str().unwrap();
    assert_eq!(
        served.site.read(DRAFT),
        format!(
            "+++\nid = \"{id}\"\ntitle = \"Harbour talk, 2025-11-20\"\nstatus = \"unpublished\"\ndate_published = \"2025-11-20T19:00:00Z\"\n\n\
             [attachment]\nduration_in_seconds = 3600\nmime_type = \"video/mp4\"\nsize_in_bytes = 2044680\nurl = \"https://files.example/r1.mp4?sig=a%20b\"\n+++\n"
        )
    );
    let event = served.site.read(TALK);
    assert_eq!(crate::support::served::diff(SINGLE, &event), format!("+item = \"{id}\"\n"));
    send(&served, &transcript("s1"));
    let done = send(&served, &summary("s1"));
    assert_eq!(done["matched"]["written"], json!([DRAFT]));
    let shown = item(&served, &done);
    assert_eq!(shown["_service"]["status"], "unpublished");
    assert_eq!(
        shown["_service"]["podcast"]["transcripts"],
        json!([{ "url": "https://files.example/s1.csv?sig=1", "type": "text/csv" }])
    );
    assert_eq!(shown["attachments"][0]["duration_in_seconds"], 3600.0);
    assert!(
        served.site.read(DRAFT).ends_with("+++\n\n[Summary](<https://files.example/s1.txt>)\n")
    );
    assert_eq!(served.site.read(TALK), event);
    let log: Vec<_> =
        served.journal().into_iter().map(|entry| (entry.operation, entry.subject)).collect();
    let written = |kind: &str, subject: &str| (format!("realtime {kind}"), subject.to_owned());
    assert_eq!(
        log,
        [
            written("recording.statusUpdate", id),
            written("recording.statusUpdate", "talk"),
            written("meeting.transcript", id),
            written("meeting.summary", id),
        ]
    );
    assert!(!served.site.report().contains(DRAFT));
    // Nobody but the author sees it.
    assert!(!served.get("/json/").text().contains("Harbour talk"));
}

#[test]
fn the_draft_does_not_depend_on_the_order_of_hooks() {
    let hooks = [
        recording("s1", "r1", &stop_time(20)),
        recording("s1", "r2", &stop_time(21)),
        transcript("s1"),
        transcript("s2"),
        {
            // It has a text.
            let mut body = summary("s1");
            body["meeting"] = meeting("s1");
            body["summary"] = "They *talked*.\n\n<script>alert(1)</script>".into();
            body
        },
    ];
    let mut shown = Vec::new();
    for first in 0..hooks.len() {
        for backwards in [false, true] {
            let served = weekly();
            let mut order: Vec<usize> =
                (0..hooks.len()).map(|at| (first + at) % hooks.len()).collect();
            if backwards {
                order.reverse();
            }
            let done: Vec<Value> =
                order.iter().chain(&order).map(|at| send(&served, &hooks[*at])).collect();
            let mut one = item(&served, done.last().unwrap());
            one.as_object_mut().unwrap().remove("date_modified");
            shown.push(one.to_string().replace(&served.url, ""));
            assert_eq!(
                served.files().keys().filter(|path| path.starts_with("content/items/")).count(),
                1
            );
            let event = served.site.read(THIRD);
            assert!(event.contains("[live]\nitem = "), "{event}");
        }
    }
    shown.sort();
    shown.dedup();
    assert_eq!(shown.len(), 1, "{shown:#?}");
    let shown: Value = serde_json::from_str(&shown[0]).unwrap();
    assert_eq!(shown["attachments"][0]["url"], "https://files.example/r2.mp4?sig=a%20b");
    assert_eq!(shown["_service"]["podcast"]["transcripts"].as_array().unwrap().len(), 2);
    let html = shown["content_html"].as_str().unwrap();
    assert!(html.contains("<em>talked</em>") && !html.contains("<script"), "{html}");
}

#[test]
fn changes_by_the_author_are_kept() {
    let served = talk();
    send(&served, &recording("s1", "r1", &stop_time(20)));
    let text = served.site.read(DRAFT);
    let by_hand = text
        .replace("Harbour talk, 2025-11-20", "About boats")
        .replace("https://files.example/r1.mp4?sig=a%20b", "https://mine.example/boats.mp4")
        .replace("+++\n\n", "+++\n")
        + "My words.\n";
    served.site.write(DRAFT, &by_hand);
    send(&served, &recording("s1", "r2", &stop_time(21)));
    send(&served, &summary("s1"));
    assert_eq!(served.site.read(DRAFT), by_hand);
    // What nobody touched is completed.
    send(&served, &transcript("s1"));
    let text = served.site.read(DRAFT);
    let added = crate::support::served::diff(&by_hand, &text);
    assert!(added.lines().all(|line| line.starts_with('+')) && added.contains("s1.csv"), "{added}");
}

#[test]
fn unchanged_text_is_replaced_by_later_hooks() {
    let served = talk();
    send(&served, &recording("s1", "r2", &stop_time(20)));
    // One that ended earlier and one that is told twice are no news.
    let text = served.site.read(DRAFT);
    send(&served, &recording("s1", "r1", &stop_time(19)));
    send(&served, &recording("s1", "r2", &stop_time(20)));
    assert_eq!(served.site.read(DRAFT), text);
    send(&served, &recording("s1", "r3", &stop_time(21)));
    assert_eq!(served.site.read(DRAFT), text.replace("r2.mp4", "r3.mp4"));
    // Its links run out, and new ones are told.
    let mut fresh = recording("s1", "r3", &stop_time(21));
    fresh["recording"]["downloadUrl"] = "https://files.example/fresh.mp4".into();
    fresh["recording"]["downloadUrlExpiry"] = "2025-12-27T20:30:00.000Z".into();
    send(&served, &fresh);
    assert_eq!(served.site.read(DRAFT), text.replace("r2.mp4?sig=a%20b", "fresh.mp4"));
}

#[test]
fn published_or_deleted_drafts_are_not_changed() {
    let served = talk();
    let done = send(&served, &recording("s1", "r1", &stop_time(20)));
    let published = served.site.read(DRAFT).replace("unpublished", "published");
    served.site.write(DRAFT, &published);
    let again = send(&served, &transcript("s1"));
    assert_eq!(again["matched"]["item"], done["matched"]["item"]);
    assert_eq!(again["matched"]["written"], json!([]));
    assert_eq!(served.site.read(DRAFT), published);
    served.site.remove(DRAFT);
    let gone = send(&served, &summary("s1"));
    assert_eq!(gone["matched"]["item"], json!(null));
    assert!(!served.site.exists(DRAFT));
}

#[test]
fn a_draft_without_a_record_is_found_again() {
    let served = talk();
    let done = send(&served, &recording("s1", "r1", &stop_time(20)));
    // As after a crash between the two files, before either was known of.
    served.site.write(TALK, SINGLE);
    let site = served.restarted();
    let body = recording("s1", "r1", &stop_time(20));
    let again = send(&site, &body);
    assert_eq!(again["matched"]["item"], done["matched"]["item"]);
    assert_eq!(again["matched"]["written"], json!([TALK]));
    assert_eq!(site.files().keys().filter(|path| path.starts_with("content/items/")).count(), 1);
}

#[test]
fn an_audio_show_gets_its_audio_recording() {
    let event = SINGLE.replace(
        "app = \"studio\"",
        "enclosure = { url = \"https://live.example/a\", type = \"audio/mpeg\", length = 0 }\napp = \"studio\"",
    );
    let served = serve(studio().with(TALK, event));
    let done = send(&served, &recording("s1", "r1", &stop_time(20)));
    let attachment = item(&served, &done)["attachments"][0].clone();
    assert_eq!(attachment["url"], "https://files.example/r1.mp3?sig=1");
    assert_eq!(attachment["mime_type"], "audio/mpeg");
    // The size is that of the pictures.
    assert_eq!(attachment.get("size_in_bytes"), None);
}

#[test]
fn a_recording_without_a_file_makes_no_draft() {
    let served = talk();
    let before = served.files();
    for status in ["INVOKED", "RECORDING", "UPLOADING", "ERRORED", "SOMETHING"] {
        let mut body = recording("s1", "r1", &stop_time(20));
        body["recording"]["status"] = status.into();
        assert_eq!(send(&served, &body)["matched"], json!(null));
    }
    // It was stored where only its author knows.
    let mut body = recording("s1", "r1", &stop_time(20));
    body["recording"]["downloadUrl"] = Value::Null;
    body["recording"]["audioDownloadUrl"] = Value::Null;
    assert_eq!(send(&served, &body)["matched"], json!(null));
    assert_eq!(served.files(), before);
}
