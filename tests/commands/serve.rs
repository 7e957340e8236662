//! `feedwright serve` as a person sees it.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::program::{self, Running, agent, send, serve};
use crate::support::small_site::{site, tree};

#[test]
fn a_port_in_use_is_reported_with_a_free_one() {
    let site = site();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let mut running = serve(&site, &["--addr", &addr]);
    let said = running.wait_for_line("another program is already listening on").join("\n");
    assert_eq!(running.exit_code(), Some(2));
    let (_, free) = said.split_once("try --addr ").expect(&said);
    assert_ne!(free, addr);
    serve(&site, &["--addr", free]).wait_for_line("Serving");
}

#[test]
fn an_invalid_address_is_an_error() {
    let site = site();
    let mut running = serve(&site, &["--addr", "nonsense"]);
    running.wait_for_line("write a host and a port");
    assert_eq!(running.exit_code(), Some(2));
}

#[test]
fn unreadable_keys_are_an_error_with_help() {
    let site = site().with(".feedwright/state.sqlite", "no database ".repeat(100));
    let mut running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_line("help: restore it from a backup");
    assert_eq!(running.exit_code(), Some(1));
}

#[test]
fn each_change_is_one_line_and_errors_are_reported_once() {
    let site = site().item("+++\ntitle = \"A\"\n+++\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_line("Serving http://127.0.0.1:");
    running.wait_for_watcher(&site);
    let wrong = "+++\ntitle = \"A\nslug = \"a\"\n+++\n";
    site.write("content/items/a.md", wrong);
    running.wait_for_line("changed content/items/a.md");
    running.wait_for_line("error: ");
    running.wait_for_line("--> content/items/a.md:2:");
    running.wait_for_line("help: ");
    // Another save of another file does not say it again.
    site.write("content/items/b.md", "+++\ntitle = \"B\"\n+++\n");
    running.wait_for_line("changed content/items/b.md");
    site.write("content/items/a.md", "+++\ntitle = \"A\"\n+++\n");
    let said = running.wait_for_line("all errors are fixed");
    assert!(!said.iter().any(|line| line.contains("error:")), "{said:?}");
}

#[test]
fn a_site_with_errors_is_served() {
    let site = site().item("+++\ntitle = \"A\n+++\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_line("Serving");
    running.wait_for_line("--> content/items/a.md:2:");
}

#[cfg(unix)]
#[test]
fn control_c_stops_the_server_at_once() {
    let site = site();
    let mut running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_line("Serving");
    let start = Instant::now();
    let id = running.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    // It may be ended before it listens for the signal.
    assert!(matches!(running.exit_code(), Some(0) | None));
    assert!(start.elapsed() < Duration::from_secs(2));
}

/// The address in what a server says.
fn find_address(said: &[String]) -> String {
    let line = said.last().unwrap();
    let (_, rest) = line.split_once("Serving ").unwrap();
    let (url, _) = rest.split_once("/ ").unwrap();
    url.to_owned()
}

/// Two processes would not know of each other's writes: one key sent to both made two files.
#[test]
fn a_second_server_reports_the_first_and_exits() {
    let site = site();
    let first = serve(&site, &["--addr", "127.0.0.1:0"]);
    let url = find_address(&first.wait_for_line("Serving"));
    for arguments in [["--addr", "127.0.0.1:0"], ["--addr", &url[7..]]] {
        let mut second = serve(&site, &arguments);
        let id = first.child.id();
        let said = second.wait_for_line("--read-only").join("\n");
        let who = format!("process {id} already serves this site, at {url}/");
        assert!(said.contains(&who), "{said}");
        assert_eq!(second.exit_code(), Some(2));
    }
    // Other commands go on beside it.
    for command in [&["build"][..], &["check"], &["keys", "list"]] {
        let mut other = program::command();
        other.arg("--site").arg(site.root()).args(command);
        assert!(other.output().unwrap().status.success(), "{command:?}");
    }
    // However it ends, the site is free again.
    drop(first);
    serve(&site, &["--addr", "127.0.0.1:0"]).wait_for_line("Serving");
}

#[test]
fn only_one_of_many_simultaneous_servers_starts() {
    let site = site();
    let mut all: Vec<Running> = (0..4).map(|_| serve(&site, &["--addr", "127.0.0.1:0"])).collect();
    let said: Vec<String> = all
        .iter()
        .map(|one| {
            let line = one.lines.recv_timeout(Duration::from_secs(30));
            line.unwrap()
        })
        .collect();
    let serving = said.iter().filter(|line| line.contains("Serving")).count();
    let taken = |line: &&String| line.contains("already serves this site, at http://127.0.0.1:");
    assert_eq!(serving, 1, "{said:?}");
    assert_eq!(said.iter().filter(taken).count(), 3, "{said:?}");
    for (one, line) in all.iter_mut().zip(&said) {
        if !line.contains("Serving") {
            assert_eq!(one.exit_code(), Some(2));
        }
    }
}

#[test]
fn a_read_only_server_runs_next_to_another_and_writes_nothing() {
    let site = site()
        .item("+++\nslug = \"a\"\ntitle = \"A\"\n+++\nThe first.\n")
        .with("site-files/humans.txt", "{{title}}");
    let before = tree(site.root());
    let read_only = ["--addr", "127.0.0.1:0", "--read-only"];
    let showing = serve(&site, &read_only);
    let url = find_address(&showing.wait_for_line("Serving"));
    let get = |path: &str| {
        let mut answer = agent().get(format!("{url}{path}")).call().unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        (answer.status().as_u16(), text)
    };
    assert!(get("/i/a/").1.contains("The first."));
    assert_eq!(get("/humans.txt"), (200, "A small site".into()));
    for (method, path) in [
        ("POST", "/api/v1/items/"),
        ("GET", "/api/v1/items/"),
        ("POST", "/calendar/v3/calendars/primary/events"),
        ("POST", "/bigquery/v2/projects/p/jobs"),
    ] {
        let body = serde_json::json!({ "title": "B" });
        let (status, answer) =
            send(&agent(), method, &format!("{url}{path}"), None, &body).unwrap();
        assert_eq!(status, 503, "{method} {path}");
        assert!(answer.to_string().contains("--read-only"), "{answer}");
    }
    // It lives like any other preview.
    showing.wait_for_watcher(&site);
    site.write("content/items/b.md", "+++\nslug = \"b\"\n+++\nThe second.\n");
    showing.wait_for_line("changed content/items/b.md");
    assert!(get("/i/b/").1.contains("The second."));
    site.remove("content/items/b.md");
    showing.wait_for_line("changed content/items/b.md");
    site.remove("content/items/watched.md");
    assert!(tree(site.root()) == before, "{:?}", tree(site.root()).keys());

    let first = serve(&site, &["--addr", "127.0.0.1:0"]);
    first.wait_for_line("Serving");
    let beside = serve(&site, &read_only);
    beside.wait_for_line("Serving");
}
