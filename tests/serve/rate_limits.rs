//! Who comes with keys that are not valid, again and again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use feedwright::server::Limits;

use crate::support::served::{KEY, Reply, Served, serve_within};
use crate::support::small_site::site;
use crate::support::wait;

/// Paths of each API that ask for a key.
const PATHS: [&str; 5] = [
    "/api/v1/feed/",
    "/calendar/v3/users/me/calendarList",
    "/warehouse/v2/projects/site/datasets",
    "/client/v4/accounts/a/tokens/verify",
    "/client/v4/accounts/a/realtime/kit/app/webhooks/6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14",
];

fn limits() -> Limits {
    Limits { failures: 10, refusal_delay: Duration::from_millis(200), ..Limits::default() }
}

fn ask(served: &Served, path: &str, secret: &str) -> Reply {
    let key = format!("Bearer {secret}");
    served.send("GET", path, &[("authorization", &key)], b"")
}

#[test]
fn wrong_keys_are_rate_limited_and_valid_keys_are_not() {
    let served = serve_within(site(), limits());
    let mut answers = HashMap::new();
    for number in 0..10 {
        let path = PATHS[number % PATHS.len()];
        let reply = ask(&served, path, &format!("guess-{number}"));
        assert_eq!(reply.status, 401, "{path}: {}", reply.text());
        answers.insert(path, reply.text());
    }
    for path in PATHS {
        let start = Instant::now();
        let reply = ask(&served, path, "another-guess");
        assert_eq!(reply.status, 401, "{path}: {}", reply.text());
        let same = &answers[path];
        assert_eq!(reply.text(), *same, "{path}");
        assert!(start.elapsed() >= Duration::from_millis(200), "{path}");
    }
    let start = Instant::now();
    for path in &PATHS[..4] {
        let status = ask(&served, path, KEY).status;
        assert_eq!(status, 200, "{path}");
    }
    // Nobody without a key is guessing.
    assert_eq!(served.get(PATHS[0]).status, 401);
    assert_eq!(served.get("/feed.json").status, 200);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_delayed_answer_does_not_block_others() {
    let slow = Limits { failures: 0, refusal_delay: Duration::from_secs(3), ..limits() };
    let served = serve_within(site(), slow);
    let asking = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| {
                asking.fetch_add(1, Ordering::Relaxed);
                assert_eq!(ask(&served, PATHS[0], "guess").status, 401);
            });
        }
        wait::until(|| asking.load(Ordering::Relaxed) == 40);
        let start = Instant::now();
        assert_eq!(ask(&served, PATHS[0], KEY).status, 200);
        assert!(start.elapsed() < Duration::from_millis(2500));
    });
}
