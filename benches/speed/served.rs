//! Times of `feedwright serve`: start, save, API writes and API searches.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::Bench;
use super::change::{CHANGED_ITEM, Change};
use super::corpus::{self, Item};
use super::generators::{Generator, Kind};
use super::queries::KINDS;
use super::table::{mebibytes, milliseconds, print};
use super::words::Random;

/// Secret of an API key with every scope.
const KEY: &str = "a-key-for-benches";
/// Wait before an edit. Long enough for the modification time to distinguish the edited file from
/// the previous version.
const SETTLE: Duration = Duration::from_millis(400);
/// Number of API requests. Enough for a stable 99th percentile.
const REQUESTS: usize = 1_200;
/// Longer than the slowest start and the slowest build after a save, with 10,000 items.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Time after which a save counts as missed while a server starts to watch.
const RETRY: Duration = Duration::from_secs(10);

/// Prints the table of `serve`.
pub fn run(bench: &Bench) {
    let own = &bench.generators[0];
    let site = bench.place.join("default");
    corpus::make(&site, bench.items);
    sleep(SETTLE);
    // All starts use one port: the cache of readings for one address is not valid for another.
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let addr = free.local_addr().expect("the port");
    drop(free);
    let (mut kept, mut anew, mut peak) = (Vec::new(), Vec::new(), 0);
    for _ in 0..bench.runs {
        let _ = fs::remove_dir_all(site.join(".feedwright"));
        let (server, started) = Server::start(own, &site, addr).expect("the program serves");
        anew.push(started);
        wait_for_readings(&site);
        drop(server);
        let (server, started) = Server::start(own, &site, addr).expect("the program serves");
        kept.push(started);
        peak = peak.max(server.peak());
    }
    let (server, _) = Server::start(own, &site, addr).expect("the program serves");
    let saves = bench.runs * 3;
    let id = Item::of(CHANGED_ITEM).id;
    let answer = server.request("GET", &format!("/i/{id}/"), "").expect("an answer");
    let line = answer.lines().find(|line| line.to_lowercase().starts_with("location:"));
    let path = line.and_then(|line| line.split_once(": ")).map_or("", |(_, path)| path.trim());
    let measure_saves =
        measure_saves(&server, path, saves, |round| Change::Text.make(&site, round))
            .expect("the page shows each save");
    let measure_writes = measure_writes(&server, bench.items, REQUESTS);
    let measure_searches = measure_searches(&server, bench.items, REQUESTS);
    let used = server.peak();
    drop(server);
    let _ = fs::remove_dir_all(&site);
    let peers = measure_peer_saves(bench, addr);
    println!("\n`feedwright serve`, default output");
    let row = |name: &str, mut times: Vec<Duration>, peak: Option<u64>| {
        times.sort();
        let at = |percentage: usize| times[(times.len() * percentage).div_ceil(100).max(1) - 1];
        vec![
            name.to_owned(),
            milliseconds(at(50)),
            milliseconds(at(99)),
            times.len().to_string(),
            peak.map_or("–".into(), mebibytes),
        ]
    };
    let mut rows = vec![
        row("start to the first page, with what was read kept", kept, Some(peak)),
        row("start to the first page, nothing kept", anew, None),
        row("a save to the page that shows it", measure_saves, None),
        row("API: an item written, durably", measure_writes, None),
        row("API: a search", measure_searches, Some(used)),
    ];
    for (name, times, peak) in peers {
        rows.push(row(&format!("{name}: a save to the page that shows it"), times, Some(peak)));
    }
    print(&["serve", "median", "99 %", "of", "peak"], &rows);
}

/// Measures the other generators that have a server: from a save to the page, and their maximum memory.
fn measure_peer_saves(bench: &Bench, addr: SocketAddr) -> Vec<(&'static str, Vec<Duration>, u64)> {
    let mut all = Vec::new();
    for peer in bench.generators.iter().filter(|other| other.kind != Kind::Feedwright) {
        let site = bench.place.join(peer.name());
        peer.make_site(&site, bench.items);
        sleep(SETTLE);
        if let Some((server, _)) = Server::start(peer, &site, addr) {
            let path = format!("/item-{CHANGED_ITEM}/");
            let times =
                measure_saves(&server, &path, bench.runs, |round| peer.change(&site, round));
            // Some peers miss a change, and would never show it.
            match times {
                Some(times) => all.push((peer.name(), times, server.peak())),
                None => eprintln!("{} does not show a save", peer.name()),
            }
        }
        let _ = fs::remove_dir_all(&site);
    }
    all
}

/// Waits until the server has written its cache of readings, which happens after the first page.
fn wait_for_readings(site: &Path) {
    let start = Instant::now();
    let is_kept = || {
        let state = fs::read_dir(site.join(".feedwright")).into_iter().flatten();
        let names = state.flatten().map(|entry| entry.file_name());
        let mut names = names.map(|name| name.to_string_lossy().into_owned());
        names.any(|name| name.starts_with("readings-") && !name.contains(".new"))
    };
    while !is_kept() {
        assert!(start.elapsed() < TIMEOUT, "what was read is not kept");
        sleep(SETTLE);
    }
    sleep(SETTLE);
}

/// A running server, killed on drop.
struct Server {
    child: Child,
    addr: SocketAddr,
}

impl Server {
    /// Starts a server and waits for its first page. Returns None if the generator has no server, or
    /// shows no page within `TIMEOUT`.
    fn start(generator: &Generator, site: &Path, addr: SocketAddr) -> Option<(Self, Duration)> {
        let mut command = generator.serve(site, addr)?;
        command
            .env("FEEDWRIGHT_API_KEY", KEY)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let child = command.spawn().expect("the program starts");
        let server = Self { child, addr };
        while !server.get("/").is_some_and(|page| page.contains("<title>Bench")) {
            if start.elapsed() > TIMEOUT {
                eprintln!("{} serves nothing", generator.name());
                return None;
            }
            sleep(Duration::from_micros(500));
        }
        Some((server, start.elapsed()))
    }

    /// Sends a request and returns the whole response, header and body.
    fn request(&self, method: &str, path: &str, body: &str) -> Option<String> {
        let mut stream = TcpStream::connect(self.addr).ok()?;
        stream.set_nodelay(true).ok()?;
        let (addr, length) = (self.addr, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {addr}\r\nAuthorization: Bearer {KEY}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        String::from_utf8(answer).ok()
    }

    /// Returns the response to a GET request, or `None` if the status is not 200.
    fn get(&self, path: &str) -> Option<String> {
        let answer = self.request("GET", path, "")?;
        answer.starts_with("HTTP/1.1 200").then_some(answer)
    }

    /// Returns the server's peak memory in bytes.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kib.unwrap_or_default() * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Measures the time from saving a file to the page that shows the change. Returns `None` if the
/// page does not show a change within `TIMEOUT`.
fn measure_saves(
    server: &Server,
    path: &str,
    times: usize,
    change: impl Fn(usize),
) -> Option<Vec<Duration>> {
    let mut previous = wait_until_watching(server, path, times, &change)?;
    let save = |round| {
        // Some servers show a page before their build has ended, and build again after it.
        sleep(SETTLE.max(previous));
        let start = Instant::now();
        change(round);
        wait_for_change(server, path, round, TIMEOUT)?;
        previous = start.elapsed();
        Some(previous)
    };
    (1..=times).map(save).collect()
}

/// Saves changes until the page shows one, because some servers miss a save soon after their first
/// page. The numbers of these changes are above `times`. Returns the time that this took, or `None`
/// if no change is shown within about `TIMEOUT`.
fn wait_until_watching(
    server: &Server,
    path: &str,
    times: usize,
    change: &impl Fn(usize),
) -> Option<Duration> {
    let (start, first) = (Instant::now(), times + 1);
    for round in first.. {
        change(round);
        if wait_for_change(server, path, first, RETRY).is_some() {
            wait_for_change(server, path, round, TIMEOUT)?;
            return Some(start.elapsed());
        }
        if start.elapsed() > TIMEOUT {
            break;
        }
    }
    None
}

/// Waits until the page shows a change. Returns `None` after `timeout`.
fn wait_for_change(server: &Server, path: &str, round: usize, timeout: Duration) -> Option<()> {
    let start = Instant::now();
    let shown = format!("Change {round}.</p>");
    while !server.get(path).is_some_and(|page| page.contains(&shown)) {
        if start.elapsed() > timeout {
            return None;
        }
        sleep(Duration::from_micros(500));
    }
    Some(())
}

/// Measures requests that change an item, from sending to the response. The change is on disk
/// before the response.
fn measure_writes(server: &Server, items: usize, times: usize) -> Vec<Duration> {
    let write = |round: usize| {
        let path = format!("/api/v1/items/{}/", Item::of(round * 37 % items).id);
        let body = format!("{{\"title\": \"Written {round}\"}}");
        let start = Instant::now();
        let answer = server.request("PUT", &path, &body).expect("an answer");
        let time = start.elapsed();
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        time
    };
    (1..=times).map(write).collect()
}

/// Measures searches of every kind of query. Each query is different.
fn measure_searches(server: &Server, items: usize, times: usize) -> Vec<Duration> {
    let mut chance = Random::new(times);
    let mut search = |round: usize| {
        let item = Item::of(chance.below(items));
        let title: Vec<&str> = item.title.split(' ').collect();
        let text: Vec<&str> = item.body.split_whitespace().filter_map(shown_word).collect();
        let text = KINDS[round % KINDS.len()].1(&title, &text, &mut chance);
        let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let path = format!("/api/v1/search/?q={text}&types=items,pages");
        let start = Instant::now();
        let answer = server.get(&path);
        let time = start.elapsed();
        assert!(answer.is_some(), "{path}");
        time
    };
    // The first search updates the index.
    search(0);
    (1..=times).map(search).collect()
}

/// Returns a Markdown word as shown on the page.
fn shown_word(word: &str) -> Option<&str> {
    let shown = word.split("](").next()?;
    let shown = shown.trim_matches(|letter: char| !letter.is_alphanumeric());
    (!shown.is_empty()).then_some(shown)
}
