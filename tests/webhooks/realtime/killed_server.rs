//! A server that is killed while it takes hooks: sent again, they leave what they would have left.

use std::path::Path;
use std::time::Duration;

use super::*;
use crate::support::program::{self, Program, agent};
use crate::support::small_site::tree;
use crate::support::wait;

/// Starts the built program with the secret of the hooks.
fn start(root: &Path) -> Program {
    let mut command = program::command();
    command.env(HOOK_SECRET.0, HOOK_SECRET.1);
    Program::of(command, root)
}

/// Sends a hook; None where the server is gone.
fn try_to_send(url: &str, id: &str, at: i64, body: &Value) -> Option<u16> {
    let body = body.to_string();
    let request = ureq::http::Request::builder()
        .method("POST")
        .uri(format!("{url}{PATH}"))
        .header("webhook-id", id)
        .header("webhook-timestamp", at.to_string())
        .header("webhook-signature", signature(HOOK_SECRET.1, id, at, body.as_bytes()));
    let answer = agent().run(request.body(body).unwrap()).ok()?;
    Some(answer.status().as_u16())
}

#[test]
fn hooks_are_processed_once_despite_kills() {
    let mut with_times = summary("s1");
    with_times["meeting"] = meeting("s1");
    let hooks = [
        recording("s1", "r1", "2025-11-20T20:00:00Z"),
        started("s1"),
        transcript("s1"),
        with_times,
        ended("s1"),
    ];
    let mut left: Option<Vec<(String, String)>> = None;
    for delay in (0..12).map(|round| Duration::from_millis(round * 4)) {
        let site = studio().with(WEEKLY, SERIES);
        let at = now();
        let program = start(site.root());
        let url = program.url.clone();
        std::thread::scope(|scope| {
            for (number, hook) in hooks.iter().enumerate() {
                let url = &url;
                scope.spawn(move || try_to_send(url, &format!("m{number}"), at - 1, hook));
            }
            wait::pause(delay);
            program.kill();
        });
        let program = start(site.root());
        for (number, hook) in hooks.iter().enumerate() {
            let status = try_to_send(&program.url, &format!("m{number}"), at, hook);
            assert_eq!(status, Some(200), "{hook}");
        }
        program.kill();
        let mut files: Vec<(String, String)> = tree(site.root())
            .into_iter()
            .filter(|(path, _)| path.starts_with("content/") && !path.contains("/."))
            .map(|(path, bytes)| {
                // In which order fields were added is not what they mean.
                let text = String::from_utf8(bytes).unwrap();
                let mut lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
                lines.sort_unstable();
                (path, lines.join("\n"))
            })
            .collect();
        files.sort();
        assert_eq!(files.len(), 4, "{files:#?}");
        assert_eq!(*left.get_or_insert_with(|| files.clone()), files, "{delay:?}");
        assert_eq!(site.report().lines().next(), Some("built"));
    }
    let left = left.unwrap();
    let all = left.iter().map(|(_, text)| text.as_str()).collect::<String>();
    for part in ["r1.mp4", "s1.csv", "s1.txt", "status = \"ended\"", "item = "] {
        assert!(all.contains(part), "{part}: {all}");
    }
}
