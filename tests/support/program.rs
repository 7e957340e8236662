//! The built program: run on a terminal, or as a server that tests kill.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::small_site::SmallSite;
use crate::support::wait;

/// The command that runs the built program.
pub fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_feedwright"))
}

/// The exit code of a command, and what it printed.
pub struct CommandOutput {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs a command to its end.
#[track_caller]
pub fn run(command: &mut Command) -> CommandOutput {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    CommandOutput { code: status.code(), out: text(stdout), err: text(stderr) }
}

impl CommandOutput {
    /// The same, for a command that succeeded.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self
    }
}

/// The key of a [`Program`].
const KEY: &str = "the-key-of-the-killed";

/// The built program, serving.
pub struct Program {
    child: Child,
    pub url: String,
}

impl Program {
    pub fn start(root: &Path) -> Self {
        Self::of(command(), root)
    }

    /// Starts the program with a command that takes its arguments.
    pub fn of(mut command: Command, root: &Path) -> Self {
        let mut child = command
            .args(["serve", "--addr", "127.0.0.1:0", "--site"])
            .arg(root)
            .env("FEEDWRIGHT_API_KEY", KEY)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap());
        let mut lines = lines.lines().map_while(Result::ok);
        let url = lines
            .find_map(|line| {
                let start = line.find("http://")?;
                let rest = &line[start..];
                let end = rest
                    .find(['/', ' '])
                    .map(|_| rest[7..].find('/').map_or(rest.len(), |at| at + 7));
                Some(rest[..end.unwrap_or(rest.len())].to_owned())
            })
            .expect("the address");
        // Its messages have to go somewhere.
        thread::spawn(move || lines.for_each(drop));
        Self { child, url }
    }

    /// The most memory that it has held so far, in MiB.
    #[cfg(target_os = "linux")]
    pub fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status.lines().find_map(|line| {
            let kibibytes = line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?;
            kibibytes.parse::<u64>().ok()
        });
        peak.unwrap() / 1024
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(20)))
        .build()
        .new_agent()
}

/// Sends JSON with the key; None where the server is gone.
pub fn send(
    agent: &ureq::Agent,
    method: &str,
    url: &str,
    key: Option<&str>,
    body: &Value,
) -> Option<(u16, Value)> {
    let mut request = ureq::http::Request::builder()
        .method(method)
        .uri(url)
        .header("authorization", format!("Bearer {KEY}"));
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    let mut answer = agent.run(request.body(body.to_string()).unwrap()).ok()?;
    let text = answer.body_mut().read_to_string().ok()?;
    Some((answer.status().as_u16(), serde_json::from_str(&text).ok()?))
}

/// A running command, ended with it.
pub struct Running {
    pub child: Child,
    pub lines: Receiver<String>,
}

pub fn serve(site: &SmallSite, arguments: &[&str]) -> Running {
    let mut child = command()
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
    pub fn wait_for_line(&self, text: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(30));
            let Ok(line) = line else { panic!("{text:?} is not among {said:?}") };
            said.push(line);
            if said.last().is_some_and(|line| line.contains(text)) {
                return said;
            }
        }
    }

    /// Waits until changes are seen: the watch begins after the server says that it serves. Leaves an item.
    pub fn wait_for_watcher(&self, site: &SmallSite) {
        let mut round = 0;
        wait::until(|| {
            round += 1;
            site.write(
                "content/items/watched.md",
                format!("+++\ntitle = \"Watched\"\n+++\nRound {round}.\n"),
            );
            let line = self.lines.recv_timeout(Duration::from_millis(200));
            line.is_ok_and(|line| line.contains("changed content/items/watched.md"))
        });
    }

    pub fn exit_code(&mut self) -> Option<i32> {
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
