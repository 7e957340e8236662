//! Where a show stands: pending, live, ended.

use serde_json::json;

use super::*;
use crate::support::served::diff;

#[test]
fn start_and_end_change_two_lines_of_the_event() {
    let served = talk();
    let done = send(&served, &started("s1"));
    assert_eq!(
        done,
        json!({
            "event": "meeting.started",
            "matched": { "calendar": "shows", "event": "talk", "status": "live", "item": null, "written": [TALK] },
        })
    );
    let live = served.site.read(TALK);
    assert_eq!(diff(SINGLE, &live), "+status = \"live\"\n");
    send(&served, &ended("s1"));
    let over = served.site.read(TALK);
    assert_eq!(diff(&live, &over), "-status = \"live\"\n+status = \"ended\"\n");
    let journal = served.journal();
    let operations: Vec<_> = journal.iter().map(|entry| entry.operation.as_str()).collect();
    assert_eq!(operations, ["realtime meeting.started", "realtime meeting.ended"]);
    assert_eq!(journal[0].key_id, "studio");
    assert_eq!(journal[0].subject, "talk");
    assert_eq!(journal[0].path.as_deref(), Some(TALK));
    assert_eq!(journal[0].correlation.as_deref(), Some("s1"));
}

#[test]
fn status_changes_keep_the_rest_of_the_front_matter() {
    for (before, after) in [
        (
            "+++\nid = \"talk\"\nstart = 2025-11-20T19:00:00Z\nlive.app = 'studio' # ours\n+++\nText\n",
            "+++\nid = \"talk\"\nstart = 2025-11-20T19:00:00Z\nlive.app = 'studio' # ours\nlive.status = \"live\"\n+++\nText\n",
        ),
        (
            "---\nid: talk # the talk\nstart: 2025-11-20T19:00:00Z\nlive:\n  # ours\n  app: studio\ntags_of_others: [a,  b]\n---\nText\n",
            "---\nid: talk # the talk\nstart: 2025-11-20T19:00:00Z\nlive:\n  # ours\n  app: studio\n  status: live\ntags_of_others: [a,  b]\n---\nText\n",
        ),
        (
            "{\n  \"id\": \"talk\",\n  \"start\": \"2025-11-20T19:00:00Z\",\n  \"live\": { \"app\": \"studio\" }\n}\nText\n",
            "{\n  \"id\": \"talk\",\n  \"start\": \"2025-11-20T19:00:00Z\",\n  \"live\": { \"app\": \"studio\", \"status\": \"live\" }\n}\nText\n",
        ),
    ] {
        for end in ["\n", "\r\n"] {
            let served = serve(studio().with(TALK, before.replace('\n', end)));
            send(&served, &started("s1"));
            assert_eq!(served.site.read(TALK), after.replace('\n', end));
        }
    }
}

#[test]
fn an_occurrence_of_a_series_gets_its_own_file() {
    let served = weekly();
    let done = send(&served, &started("s1"));
    assert_eq!(done["matched"]["event"], "weekly_20251120T190000Z");
    assert_eq!(done["matched"]["written"], json!([THIRD]));
    assert_eq!(served.site.read(WEEKLY), SERIES);
    let text = served.site.read(THIRD);
    assert_eq!(
        text,
        "+++\nid = \"weekly_20251120T190000Z\"\nrecurringEventId = \"weekly\"\n\n\
         [originalStartTime]\ndateTime = \"2025-11-20T20:00:00+01:00\"\ntimeZone = \"Europe/Berlin\"\n\n\
         [live]\nstatus = \"live\"\n+++\n"
    );
    // The file that is there now is the one that is changed.
    let done = send(&served, &ended("s1"));
    assert_eq!(done["matched"]["written"], json!([THIRD]));
    assert_eq!(served.site.read(THIRD), text.replace("live\"\n", "ended\"\n"));
    assert_eq!(served.files().keys().filter(|path| path.contains("weekly")).count(), 2);
    let report = served.site.report();
    assert!(report.starts_with("built"), "{report}");
    assert!(!report.contains(THIRD), "{report}");
}

#[test]
fn hooks_in_any_order_give_the_same_show() {
    let hooks = [
        started("s1"),
        ended("s1"),
        started("s2"),
        ended("s2"),
        stream("x", "LIVE"),
        stream("x", "OFFLINE"),
    ];
    // Each as the last one, after the others forwards and backwards; all of it twice.
    for last in 0..hooks.len() {
        for backwards in [false, true] {
            let served = talk();
            let mut order: Vec<usize> = (0..hooks.len()).filter(|index| *index != last).collect();
            if backwards {
                order.reverse();
            }
            order.push(last);
            for index in order.iter().chain(&order) {
                send(&served, &hooks[*index]);
            }
            let text = served.site.read(TALK);
            assert_eq!(diff(SINGLE, &text), "+status = \"ended\"\n", "{order:?}");
        }
    }
}

#[test]
fn a_late_start_hook_does_not_reopen_a_show() {
    let served = talk();
    send(&served, &ended("s1"));
    let over = served.site.read(TALK);
    assert_eq!(send(&served, &started("s1"))["matched"]["status"], "ended");
    assert_eq!(served.site.read(TALK), over);
    // They came back after a break.
    assert_eq!(send(&served, &started("s2"))["matched"]["status"], "live");
    // That the first session ended is told once more, and late.
    assert_eq!(send(&served, &ended("s1"))["matched"]["status"], "live");
    assert_eq!(send(&served, &ended("s2"))["matched"]["status"], "ended");
    assert_eq!(served.site.read(TALK), over);
}

#[test]
fn a_streamed_show_ends_with_its_stream() {
    let served = talk();
    let status = |body| send(&served, &body)["matched"]["status"].clone();
    assert_eq!(status(started("s1")), "live");
    assert_eq!(send(&served, &stream("x", "IDLE"))["matched"], json!(null));
    assert_eq!(status(stream("x", "LIVE")), "live");
    assert_eq!(status(stream("x", "OFFLINE")), "ended");
    assert!(served.site.read(TALK).contains("status = \"ended\""));
    assert_eq!(status(ended("s1")), "ended");
}

#[test]
fn a_status_set_by_the_author_stays_until_a_new_hook() {
    let served = talk();
    send(&served, &started("s1"));
    let by_hand = served.site.read(TALK).replace("\"live\"", "\"pending\"");
    served.site.write(TALK, &by_hand);
    send(&served, &started("s1"));
    assert_eq!(served.site.read(TALK), by_hand);
    send(&served, &ended("s1"));
    assert_eq!(served.site.read(TALK), by_hand.replace("\"pending\"", "\"ended\""));
}

#[test]
fn concurrent_hooks_have_their_individual_effects() {
    let served = weekly();
    let hooks: Vec<_> = [started("s1"), started("s1"), started("s2"), stream("x", "LIVE")]
        .into_iter()
        .chain([recording("s1", "r1", "2025-11-20T20:00:00Z"), transcript("s1"), transcript("s2")])
        .collect();
    std::thread::scope(|scope| {
        for hook in hooks.iter().chain(&hooks) {
            scope.spawn(|| send(&served, hook));
        }
    });
    let files = served.files();
    let made: Vec<_> = files
        .keys()
        .filter(|path| path.contains("weekly-") || path.starts_with("content/items/"))
        .collect();
    assert_eq!(made.len(), 2, "{made:?}");
    assert!(served.site.read(THIRD).contains("status = \"live\""));
}

#[test]
fn the_feed_has_the_status_of_the_show() {
    let start = Timestamp::now() - jiff::SignedDuration::from_mins(5);
    let event = SINGLE
        .replace(
            "{ dateTime = \"2025-11-20T20:00\", timeZone = \"Europe/Berlin\" }",
            &format!("{start:.0}"),
        )
        .replace("end = { dateTime = \"2025-11-20T21:00\", timeZone = \"Europe/Berlin\" }\n", "");
    let served = serve(studio().with(TALK, event));
    let is = |status: &str| {
        served.get("/rss/").text().contains(&format!("<podcast:liveItem status=\"{status}\""))
    };
    let mut hook = started("s1");
    hook["meeting"]["startedAt"] = start.to_string().into();
    assert!(is("pending"));
    send(&served, &hook);
    assert!(is("live") && !is("pending"));
    hook["event"] = "meeting.ended".into();
    send(&served, &hook);
    assert!(is("ended") && !is("live"));
}
