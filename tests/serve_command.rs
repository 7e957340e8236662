//! `feedwright serve` as a person sees it.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::small_site::{SmallSite, site};

/// A running command, ended with it.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

fn serve(site: &SmallSite, arguments: &[&str]) -> Running {
    let mut child = Command::new(env!("CARGO_BIN_EXE_feedwright"))
        .args(["serve", "--site"])
        .arg(site.root())
        .args(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stderr.take().unwrap());
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in said.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    Running { child, lines }
}

impl Running {
    /// Everything that is said up to a line that holds this.
    fn says(&self, text: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(30));
            let Ok(line) = line else {
                panic!("{text:?} is not among {said:?}")
            };
            said.push(line);
            if said.last().is_some_and(|line| line.contains(text)) {
                return said;
            }
        }
    }

    fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_taken_port_says_so_and_names_a_free_one() {
    let site = site();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let mut running = serve(&site, &["--addr", &addr]);
    let said = running.says("something else listens on").join("\n");
    assert_eq!(running.exit_code(), Some(2));
    let (_, free) = said.split_once("try --addr ").expect(&said);
    assert_ne!(free, addr);
    serve(&site, &["--addr", free]).says("Serving");
}

#[test]
fn an_address_that_is_none_is_explained() {
    let site = site();
    let mut running = serve(&site, &["--addr", "nonsense"]);
    running.says("write a host and a port");
    assert_eq!(running.exit_code(), Some(2));
}

#[test]
fn keys_that_cannot_be_read_are_an_error_with_what_to_do() {
    let site = site().with(".feedwright/state.sqlite", "no database ".repeat(100));
    let mut running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.says("help: bring it back from a backup");
    assert_eq!(running.exit_code(), Some(1));
}

#[test]
fn changes_are_said_in_a_line_and_errors_once() {
    let site = site().item("+++\ntitle = \"A\"\n+++\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.says("Serving http://127.0.0.1:");
    // The watch begins a moment later.
    thread::sleep(Duration::from_millis(500));
    let wrong = "+++\ntitle = \"A\nslug = \"a\"\n+++\n";
    site.write("content/items/a.md", wrong);
    running.says("changed content/items/a.md: ");
    running.says("error: ");
    running.says("--> content/items/a.md:2:");
    running.says("help: ");
    // Another save of another file does not say it again.
    site.write("content/items/b.md", "+++\ntitle = \"B\"\n+++\n");
    running.says("changed content/items/b.md: ");
    site.write("content/items/a.md", "+++\ntitle = \"A\"\n+++\n");
    let said = running.says("no errors are left");
    assert!(!said.iter().any(|line| line.contains("error:")), "{said:?}");
}

#[test]
fn what_is_wrong_from_the_start_stops_nothing() {
    let site = site().item("+++\ntitle = \"A\n+++\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.says("Serving");
    running.says("--> content/items/a.md:2:");
}

#[cfg(unix)]
#[test]
fn control_c_ends_it_at_once() {
    let site = site();
    let mut running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.says("Serving");
    let start = Instant::now();
    let id = running.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    // It may be ended before it listens for the signal.
    assert!(matches!(running.exit_code(), Some(0) | None));
    assert!(start.elapsed() < Duration::from_secs(2));
}
