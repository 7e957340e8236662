//! Hooks that are refused, and write nothing.

use std::collections::BTreeMap;

use super::*;

/// All that a hook could change.
fn read_all_state(served: &Served) -> (BTreeMap<String, Vec<u8>>, usize) {
    (served.files(), served.journal().len())
}

#[test]
fn only_signed_hooks_of_the_app_are_accepted() {
    let served = talk();
    let before = read_all_state(&served);
    let body = started("s1").to_string();
    let body = body.as_bytes();
    let at = now();
    let right = signature(HOOK_SECRET.1, "m", at, body);
    let forged = signature("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "m", at, body);
    let (time, early, late) = (at.to_string(), (at - 301).to_string(), (at + 360).to_string());
    let signed_early = signature(HOOK_SECRET.1, "m", at - 301, body);
    let signed_late = signature(HOOK_SECRET.1, "m", at + 360, body);
    let long = "m".repeat(257);
    let signed_long = signature(HOOK_SECRET.1, &long, at, body);
    let plus = format!("+{at}");
    let cases: &[&[(&str, &str)]] = &[
        &[],
        &[("webhook-id", "m"), ("webhook-timestamp", &time)],
        &[("webhook-id", "m"), ("webhook-signature", &right)],
        &[("webhook-timestamp", &time), ("webhook-signature", &right)],
        &[("webhook-id", ""), ("webhook-timestamp", &time), ("webhook-signature", &right)],
        &[("webhook-id", "n"), ("webhook-timestamp", &time), ("webhook-signature", &right)],
        &[("webhook-id", "m"), ("webhook-timestamp", &time), ("webhook-signature", &forged)],
        &[("webhook-id", "m"), ("webhook-timestamp", &time), ("webhook-signature", "v1,")],
        &[("webhook-id", "m"), ("webhook-timestamp", "soon"), ("webhook-signature", &right)],
        &[("webhook-id", "m"), ("webhook-timestamp", &plus), ("webhook-signature", &right)],
        &[("webhook-id", "m"), ("webhook-timestamp", &early), ("webhook-signature", &signed_early)],
        &[("webhook-id", "m"), ("webhook-timestamp", &late), ("webhook-signature", &signed_late)],
        &[("webhook-id", &long), ("webhook-timestamp", &time), ("webhook-signature", &signed_long)],
        &[
            ("webhook-id", "m"),
            ("webhook-id", "m"),
            ("webhook-timestamp", &time),
            ("webhook-signature", &right),
        ],
    ];
    for headers in cases {
        let reply = served.send("POST", PATH, headers, body);
        assert_eq!(refusal(&reply, 401), "Unauthorized", "{headers:?}");
    }
    // A body that is another one, be it by a space.
    let headers =
        [("webhook-id", "m"), ("webhook-timestamp", &time), ("webhook-signature", &right)];
    let other = [body, b" "].concat();
    assert_eq!(refusal(&served.send("POST", PATH, &headers, &other), 401), "Unauthorized");
    // A key of the content API is no signature.
    let key = format!("Bearer {}", crate::support::served::KEY);
    let reply = served.send("POST", PATH, &[("authorization", &key)], body);
    assert_eq!(refusal(&reply, 401), "Unauthorized");
    assert_eq!(read_all_state(&served), before);
    // One signature among others is enough: a secret is being replaced.
    let both = format!("v2,zzzz {forged} {right}");
    let headers = [("webhook-id", "m"), ("webhook-timestamp", &time), ("webhook-signature", &both)];
    served.send("POST", PATH, &headers, body).ok();
    assert_ne!(read_all_state(&served), before);
}

#[test]
fn a_replay_is_refused_even_after_a_restart() {
    let served = talk();
    let (id, at) = (new_delivery(), now());
    attempt(&served, &id, at, &started("s1")).ok();
    send(&served, &ended("s1"));
    let before = read_all_state(&served);
    let replay = |served: &Served| attempt(served, &id, at, &started("s1"));
    assert_eq!(refusal(&replay(&served), 401), "Unauthorized");
    let served = served.restarted();
    assert_eq!(refusal(&replay(&served), 401), "Unauthorized");
    assert_eq!(read_all_state(&served), before);
}

#[test]
fn a_retry_gets_the_same_answer() {
    let served = talk();
    let (id, at) = (new_delivery(), now());
    let first = attempt(&served, &id, at - 2, &started("s1")).ok();
    let by_hand = served.site.read(TALK).replace("\"live\"", "\"pending\"");
    served.site.write(TALK, &by_hand);
    let before = read_all_state(&served);
    assert_eq!(attempt(&served, &id, at - 1, &started("s1")).ok(), first);
    let served = served.restarted();
    assert_eq!(attempt(&served, &id, at, &started("s1")).ok(), first);
    assert_eq!(read_all_state(&served), before);
    // Each attempt is one that cannot be replayed.
    for at in [at - 2, at - 1, at] {
        let reply = attempt(&served, &id, at, &started("s1"));
        assert_eq!(refusal(&reply, 401), "Unauthorized");
    }
}

#[test]
fn a_retry_after_a_server_error_is_accepted() {
    let served = talk();
    // An alias repeats the table: to change one would change the other.
    let broken = "---\nid: talk\nstart: 2025-11-20T19:00:00Z\nlive: &live {app: studio}\nother: *live\n---\n";
    served.site.write(TALK, broken);
    let (id, at) = (new_delivery(), now());
    let words = refusal(&attempt(&served, &id, at, &started("s1")), 503);
    assert!(words.contains("try again"), "{words}");
    assert_eq!(served.site.read(TALK), broken);
    assert_eq!(served.journal(), []);
    served.site.write(TALK, SINGLE);
    attempt(&served, &id, at, &started("s1")).ok();
    assert!(served.site.read(TALK).contains("status = \"live\""));
}

#[test]
fn simultaneous_duplicates_are_processed_once() {
    let served = talk();
    let (id, at) = (new_delivery(), now());
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let send = || attempt(&served, &id, at, &started("s1")).status;
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(send)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401, 401, 401]);
    assert_eq!(served.journal().len(), 1);
}

#[test]
fn an_app_without_a_secret_accepts_nothing() {
    let served = talk();
    let before = read_all_state(&served);
    for app in ["unset", "broken", "silent"] {
        let reply = served.send("POST", &format!("/hooks/realtime/{app}"), &[], b"{}");
        let words = refusal(&reply, 503);
        // The name of the variable is not for others.
        assert!(words.contains("no valid secret") && !words.contains("SECRET"), "{words}");
    }
    for path in ["other", "", "studio/more", "st%75dio%2f"] {
        let reply = served.send("POST", &format!("/hooks/realtime/{path}"), &[], b"{}");
        assert_eq!(refusal(&reply, 404), "app not found: check the app id in the URL", "{path}");
    }
    for method in ["GET", "PUT", "DELETE", "OPTIONS"] {
        let reply = served.send(method, PATH, &[], b"");
        assert_eq!(reply.header("allow"), Some("POST"));
        assert!(refusal(&reply, 405).contains("POST"));
    }
    assert_eq!(read_all_state(&served), before);
}

#[test]
fn other_origins_and_hosts_are_refused() {
    let served = talk();
    let reply = served.send("POST", PATH, &[("origin", "https://evil.example")], b"{}");
    refusal(&reply, 403);
    let raw = format!(
        "POST {PATH} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    );
    assert!(served.raw(raw.as_bytes()).starts_with("HTTP/1.1 403"));
    // What hands a hook on from outside speaks to localhost.
    let raw = format!(
        "POST {PATH} HTTP/1.1\r\nHost: localhost:9\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    );
    let answer = served.raw(raw.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

#[test]
fn an_invalid_body_is_an_error_with_a_reason() {
    let served = talk();
    let before = read_all_state(&served);
    let no_meeting = |event: &str| json!({ "event": event, "meeting": { "title": "?" } });
    let cases = [
        (json!([]), "event"),
        (json!({}), "event"),
        (json!({ "event": 7 }), "event"),
        (json!({ "event": {} }), "event"),
        (json!({ "event": "meeting.began", "meeting": { "id": "room" } }), "meeting.started"),
        (no_meeting("meeting.started"), "meeting.id"),
        (no_meeting("meeting.participantJoined"), "meeting.id"),
        (json!({ "event": "meeting.started", "meeting": { "id": ["room"] } }), "meeting.id"),
        (json!({ "event": "meeting.started", "meeting": { "id": "r".repeat(256) } }), "meeting.id"),
        (
            json!({ "event": "recording.statusUpdate", "meeting": { "id": "room" } }),
            "recording.status",
        ),
        (json!({ "event": "livestreaming.statusUpdate", "meeting": { "id": "room" } }), "status"),
        (
            json!({ "event": "meeting.transcript", "meeting": { "id": "room" } }),
            "transcriptDownloadUrl",
        ),
        (json!({ "event": "meeting.summary", "meeting": { "id": "room" } }), "summaryDownloadUrl"),
        (
            json!({ "event": "meeting.transcript", "meeting": { "id": "room" }, "transcriptDownloadUrl": "javascript:alert(1)" }),
            "transcriptDownloadUrl",
        ),
        (
            json!({ "event": "meeting.summary", "meeting": { "id": "room" }, "summaryDownloadUrl": "https://a.example/>x<script>" }),
            "summaryDownloadUrl",
        ),
    ];
    for (body, field) in cases {
        let words = refusal(&attempt(&served, &new_delivery(), now(), &body), 400);
        assert!(words.contains(field), "{body}: {words}");
    }
    for body in ["", "{", "\u{feff}{}", "meeting.started"] {
        let at = now();
        let signature = signature(HOOK_SECRET.1, "m", at, body.as_bytes());
        let at = at.to_string();
        let headers =
            [("webhook-id", "m"), ("webhook-timestamp", &at), ("webhook-signature", &signature)];
        let words = refusal(&served.send("POST", PATH, &headers, body.as_bytes()), 400);
        assert!(words.contains("JSON"), "{words}");
    }
    assert_eq!(read_all_state(&served), before);
}

#[test]
fn a_body_over_a_mebibyte_is_refused() {
    let served = talk();
    let mut body = started("s1");
    body["padding"] = "x".repeat(1024 * 1024).into();
    assert!(refusal(&attempt(&served, "m", now(), &body), 413).contains("1 MiB"));
    body["padding"] = "x".repeat(1000 * 1024).into();
    attempt(&served, "m", now(), &body).ok();
}
