//! Which show a hook is about.

use super::*;

/// The event that a hook is about, or null.
fn matched_event(served: &Served, body: &Value) -> Value {
    send(served, body)["matched"]["event"].clone()
}

/// A meeting that starts at a time.
fn start_meeting_at(room: &str, at: &str) -> Value {
    json!({ "event": "meeting.started", "meeting": { "id": room, "sessionId": format!("{room} {at}"), "startedAt": at } })
}

#[test]
fn a_meeting_without_a_show_is_not_an_error() {
    let served = serve(
        studio()
            .with("content/calendars/shows/other.md", SINGLE.replace("\"studio\"", "\"another\""))
            .with(
                "content/calendars/shows/plain.md",
                SINGLE
                    .replace("\"talk\"", "\"plain\"")
                    .replace("[live]\napp = \"studio\"   # ours\n", ""),
            ),
    );
    let before = served.files();
    let done = send(&served, &started("s1"));
    assert_eq!(done, json!({ "event": "meeting.started", "matched": null }));
    for event in ["meeting.participantJoined", "meeting.participantLeft", "meeting.chatSynced"] {
        let done = send(&served, &json!({ "event": event, "meetingId": "room" }));
        assert_eq!(done, json!({ "event": event, "matched": null }));
    }
    assert_eq!(served.files(), before);
    assert_eq!(served.journal(), []);
}

#[test]
fn a_show_without_a_meeting_id_is_matched_by_time() {
    let served = talk();
    for (at, is_it) in [
        ("2025-11-20T15:59:59Z", false),
        ("2025-11-20T16:00:01Z", true),
        ("2025-11-20T19:30:00Z", true),
        ("2025-11-20T22:59:59Z", true),
        ("2025-11-20T23:00:01Z", false),
        ("2025-11-13T19:00:00Z", false),
    ] {
        let expected = if is_it { json!("talk") } else { json!(null) };
        assert_eq!(matched_event(&served, &start_meeting_at("any", at)), expected, "{at}");
        if is_it {
            send(
                &served,
                &json!({ "event": "meeting.ended", "meeting": { "id": "any", "sessionId": format!("any {at}") } }),
            );
        }
    }
}

#[test]
fn a_show_with_a_meeting_id_matches_at_any_time() {
    let own = SINGLE.replace("app = \"studio\"", "meeting = \"stage\"\napp = \"studio\"");
    let other = SINGLE.replace("\"talk\"", "\"nearer\"");
    let served = serve(studio().with(TALK, own).with("content/calendars/shows/nearer.md", other));
    assert_eq!(matched_event(&served, &start_meeting_at("stage", "2025-11-20T19:00:00Z")), "talk");
    assert_eq!(matched_event(&served, &start_meeting_at("stage", "2026-02-01T10:00:00Z")), "talk");
    assert_eq!(matched_event(&served, &start_meeting_at("room", "2025-11-20T19:00:00Z")), "nearer");
    assert_eq!(
        matched_event(&served, &start_meeting_at("room", "2026-02-01T10:00:00Z")),
        json!(null)
    );
}

#[test]
fn a_series_matches_its_nearest_occurrence() {
    let served = weekly();
    for (at, id) in [
        ("2025-11-06T18:00:00Z", json!("weekly_20251106T190000Z")),
        ("2025-11-13T21:30:00Z", json!("weekly_20251113T190000Z")),
        // A rehearsal in the same room.
        ("2025-11-15T10:00:00Z", json!(null)),
        // The clock changes; the show keeps its hour.
        ("2026-04-02T18:00:00Z", json!("weekly_20260402T180000Z")),
    ] {
        assert_eq!(matched_event(&served, &start_meeting_at("room", at)), id, "{at}");
    }
    assert_eq!(
        matched_event(&served, &start_meeting_at("other", "2025-11-20T19:00:00Z")),
        json!(null)
    );
}

#[test]
fn a_moved_occurrence_is_matched_at_its_new_time() {
    let moved = "+++\nid = \"m\"\nrecurringEventId = \"weekly\"\noriginalStartTime = 2025-11-20T19:00:00Z\nstart = 2025-11-22T10:00:00Z\n+++\n";
    let off = "+++\nid = \"o\"\nrecurringEventId = \"weekly\"\noriginalStartTime = 2025-11-27T19:00:00Z\nstatus = \"cancelled\"\n+++\n";
    let path = "content/calendars/shows/moved.md";
    let served = serve(
        studio().with(WEEKLY, SERIES).with(path, moved).with("content/calendars/shows/off.md", off),
    );
    let done = send(&served, &start_meeting_at("room", "2025-11-22T10:02:00Z"));
    assert_eq!(done["matched"]["event"], "weekly_20251120T190000Z");
    assert_eq!(done["matched"]["written"], json!([path]));
    assert_eq!(
        served.site.read(path),
        moved.replace("10:00:00Z\n+++", "10:00:00Z\n\n[live]\nstatus = \"live\"\n+++")
    );
    assert_eq!(
        matched_event(&served, &start_meeting_at("room", "2025-11-20T19:00:00Z")),
        json!(null)
    );
    // It was called off.
    assert_eq!(
        matched_event(&served, &start_meeting_at("room", "2025-11-27T19:00:00Z")),
        json!(null)
    );
}

#[test]
fn a_session_keeps_its_show() {
    // A series that has ended: none of its shows is on while the test runs.
    let ended = SERIES.replace("FREQ=WEEKLY", "FREQ=WEEKLY;COUNT=9");
    let served = serve(studio().with(WEEKLY, ended));
    send(&served, &started("s1"));
    let served = served.restarted();
    // Neither says when it was.
    assert_eq!(matched_event(&served, &summary("s1")), "weekly_20251120T190000Z");
    assert_eq!(matched_event(&served, &summary("s2")), json!(null));
    let over = json!({ "event": "meeting.ended", "meeting": { "id": "room", "sessionId": "s1" } });
    assert_eq!(matched_event(&served, &over), "weekly_20251120T190000Z");
}

#[test]
fn all_day_and_private_events_can_be_shows() {
    let day = "+++\nid = \"fair\"\nstart = 2025-11-20\nlive = { app = \"studio\" }\nrecurrence = [\"RRULE:FREQ=YEARLY\"]\n+++\n";
    let served = serve(
        studio()
            .with(
                "content/calendars/own/calendar.toml",
                "public = false\ntimeZone = \"America/New_York\"\n",
            )
            .with("content/calendars/own/fair.md", day),
    );
    assert_eq!(matched_event(&served, &started("s1")), "fair_20251120");
    let text = served.site.read("content/calendars/own/fair-20251120.md");
    assert!(text.contains("[originalStartTime]\ndate = \"2025-11-20\"\n"), "{text}");
    assert_eq!(matched_event(&served, &ended("s1")), "fair_20251120");
}

#[test]
fn a_show_of_an_unknown_app_is_a_warning() {
    let report = |event: &str| studio().with(TALK, event).report();
    let found = report(&SINGLE.replace("\"studio\"", "\"studoi\""));
    assert!(
        found.contains("warning[live-show]: site.toml has no realtime app \"studoi\"\n  --> content/calendars/shows/talk.md:"),
        "{found}"
    );
    assert!(found.contains("did you mean \"studio\"?"), "{found}");
    assert!(report(&SINGLE.replace("\"studio\"", "\"other\"")).contains("add [[realtime]]"));
    assert!(!report(SINGLE).contains("realtime"));
    // It is known as soon as site.toml has it.
    let site = studio().with(TALK, SINGLE.replace("\"studio\"", "\"late\""));
    assert!(site.report().contains("realtime app"));
    let config = site.read("site.toml") + "[[realtime]]\napp_id = \"late\"\n";
    site.write("site.toml", config);
    assert!(!site.report().contains("realtime app"));
}

#[test]
fn an_instance_with_only_a_live_flag_becomes_a_table() {
    for (instance, after) in [
        (
            "+++\nid = \"i\"\nrecurringEventId = \"weekly\"\noriginalStartTime = 2025-11-20T19:00:00Z\nlive = true # it is\n+++\n",
            "+++\nid = \"i\"\nrecurringEventId = \"weekly\"\noriginalStartTime = 2025-11-20T19:00:00Z\nlive = { status = \"live\" } # it is\n+++\n",
        ),
        (
            "---\nid: i\nrecurringEventId: weekly\noriginalStartTime: 2025-11-20T19:00:00Z\nlive: true\n---\n",
            "---\nid: i\nrecurringEventId: weekly\noriginalStartTime: 2025-11-20T19:00:00Z\nlive:\n  status: live\n---\n",
        ),
        (
            "{\"id\": \"i\", \"recurringEventId\": \"weekly\", \"originalStartTime\": \"2025-11-20T19:00:00Z\", \"live\": true}\n",
            "{\"id\": \"i\", \"recurringEventId\": \"weekly\", \"originalStartTime\": \"2025-11-20T19:00:00Z\", \"live\": {\"status\": \"live\"}}\n",
        ),
    ] {
        let path = "content/calendars/shows/i.md";
        let served = serve(studio().with(WEEKLY, SERIES).with(path, instance));
        send(&served, &started("s1"));
        assert_eq!(served.site.read(path), after);
    }
}

#[test]
fn a_long_series_id_does_not_make_a_longer_file_name() {
    let id = "w".repeat(64);
    let served = serve(studio().with(WEEKLY, SERIES.replace("\"weekly\"", &format!("{id:?}"))));
    let expected = format!("{id}_20251120T190000Z");
    assert_eq!(matched_event(&served, &started("s1")), expected.as_str());
    assert_eq!(matched_event(&served, &ended("s1")), expected.as_str());
    let text = served.site.read(THIRD);
    assert!(text.contains(&format!("recurringEventId = \"{id}\"")), "{text}");
    assert!(text.contains("status = \"ended\""), "{text}");
}
