//! The bench behind the published figures of the warehouse: `cargo bench --bench warehouse [--
//! ROWS]`.
//!
//! Writes an access log of ten million lines, as mixed as a podcast's log. Imports the log and
//! counts the downloads of each episode. Prints the time of each step and the peak memory of the
//! process, which must stay below a limit for any number of lines.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use feedwright::project::{self, Options};
use feedwright::state::State;
use feedwright::stats::{self, Episodes, Figures, Span};
use feedwright::tables::{SiteTables, open_warehouse};
use jiff::Timestamp;
use warehouse::engine::{Done, Engine, Request};
use warehouse::sql::{Parameters, Session};
use warehouse::store::{Disposition, Target};
use warehouse::{Control, DatasetId, Store, TableName};

const EPISODES: usize = 200;
/// 2026-01-01T00:00:00Z in seconds since 1970.
const START: usize = 1_767_225_600;
/// Maximum peak memory in MiB.
const MAX_PEAK_MIB: u64 = 256;

fn main() {
    let lines =
        std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    make_site(root);
    let path = root.join("access.log");
    measure("write the log", || write_log(&path, lines));
    let size = fs::metadata(&path).expect("the log").len();
    println!("{lines} lines, {} MB", size / 1_000_000);

    let (site, _) = project::read(&Options::new(root), &|| ());
    let store = open_warehouse(root).expect("a warehouse");
    let site = site.expect("the site");
    let episodes = Episodes::of(&site.snapshot, root);
    let control = Control::default();
    let done = measure("import", || {
        let log = File::open(&path).expect("the log");
        stats::import(&store, "access.log", log, None, &episodes, &control).expect("an import")
    });
    println!("  {} requests for media, {} others", done.kept, done.skipped);
    let file = store.file(&DatasetId::site()).expect("the dataset");
    let stored = fs::metadata(&file).expect("the dataset").len();
    println!("  {} MB stored", stored / 1_000_000);
    measure("import it again", || {
        let log = File::open(&path).expect("the log");
        let again = stats::import(&store, "access.log.1", log, None, &episodes, &control);
        assert_eq!(again.expect("an import").lines, 0);
    });
    let figures = measure("downloads by episode", || {
        let connection = stats::open(&file).expect("the dataset");
        let mut figures = Figures::of(Span::default());
        let all = episodes.all();
        stats::downloads(&connection, "main", all, &control, |download| {
            figures.add(&download);
            Ok(())
        })
        .expect("downloads");
        figures
    });
    println!(
        "  {} downloads of {} episodes on {} days",
        figures.downloads,
        figures.episodes.len(),
        figures.days.len()
    );
    let state = State::open(root).expect("the state");
    let live = SiteTables {
        snapshot: &site.snapshot,
        state: &state,
        store: &store,
        root,
        now: Timestamp::now(),
    };
    let counted = measure("the same in SQL", || query_downloads(&store, &live));
    assert_eq!(counted, figures.episodes.len() as u64);
    match peak() {
        Some(peak) => {
            println!("{peak} MiB at most");
            assert!(peak <= MAX_PEAK_MIB, "more than {MAX_PEAK_MIB} MiB");
        }
        None => println!("the system does not tell how much memory it took"),
    }
}

/// Queries the downloads of each episode like a client, and returns the number of episodes with
/// downloads.
fn query_downloads(store: &Store, live: &SiteTables<'_>) -> u64 {
    let session = Session {
        project: "site".into(),
        dataset: None,
        parameters: Parameters::None,
        now: Timestamp::now(),
    };
    let result = TableName::parse(DatasetId::of_job("bench").as_str(), "result").expect("a name");
    let outcome = Engine { store, live }.run(&Request {
        text: "SELECT item_id, COUNT(*) AS downloads FROM site.downloads GROUP BY item_id",
        session: &session,
        target: &Target::new(result, Disposition::Truncate),
        job: "bench",
        may_write: false,
        control: &Control::default(),
    });
    match outcome.expect("an answer").done {
        Done::Rows(table) => table.rows.unwrap_or(0),
        other => panic!("{other:?}"),
    }
}

fn measure<T>(name: &str, case: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = case();
    println!("{:>8.2} s  {name}", start.elapsed().as_secs_f64());
    made
}

/// Returns the peak memory of this process in MiB (`VmHWM` of proc_pid_status(5)).
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kibibytes.div_ceil(1024))
}

fn make_site(root: &Path) {
    let write = |path: String, text: String| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("site.toml".into(), "base_url = \"https://bench.example\"\n".into());
    write("content/channel.md".into(), "+++\ntitle = \"Bench\"\n+++\n".into());
    for number in 0..EPISODES {
        let time = Timestamp::from_second((START + number * 86_400) as i64).expect("a time");
        write(
            format!("content/items/{number}.md"),
            format!(
                "+++\nid = \"episode-{number}\"\ntitle = \"Episode {number}\"\ndate_published = \"{time}\"\n\
                 attachment = {{ url = \"https://bench.example/media/{number}.mp3\", size_in_bytes = 48000000, duration_in_seconds = 3000 }}\n+++\n"
            ),
        );
    }
}

/// Writes the access log. One request in 20 is for another file, one in twelve comes from a bot,
/// and one in four is a range request. Listeners return, and prefer the newest episodes.
fn write_log(path: &Path, lines: usize) {
    const AGENTS: [&str; 12] = [
        "Podcasts/1575.1.2 CFNetwork/1220.1 Darwin/20.3.0",
        "AppleCoreMedia/1.0.0.21F90 (iPhone; U; CPU OS 17_5_1 like Mac OS X; en_us)",
        "Overcast/3.0 (+http://overcast.fm/; iOS podcast app)",
        "Spotify/8.9.18 Android/34 (SM-G991B)",
        "PocketCasts/1.0 (Pocket Casts Feed Parser; +http://pocketcasts.com/)",
        "AntennaPod/3.4.0",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
        "Castro 2024.5/1630",
        "PodcastAddict/v5 (+https://podcastaddict.com/; Android podcast app)",
        "AmazonMusic/9.16.0 iPhone11,8 CFNetwork/1121.2.2 Darwin/19.2.0",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Podverse/F-Droid Android Mobile App/4.16.2",
    ];
    let mut chance = Random(7);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).expect("the log"));
    let span = 300 * 86_400;
    for line in 0..lines {
        let second = START + (line as u128 * span as u128 / lines as u128) as usize;
        let newest = ((second - START) / 86_400).min(EPISODES - 1);
        let episode = newest - chance.below(newest + 1).min(chance.below(newest + 1));
        let listener = chance.below(lines / 8 + 1);
        let agent = AGENTS[listener % AGENTS.len()];
        let (status, bytes) = match chance.below(8) {
            0 => (206, 2),
            1 => (206, 65_536 + chance.below(2_000_000)),
            _ => (200, 48_000_000),
        };
        let time = Timestamp::from_second(second as i64).expect("a time");
        let time = time.strftime("%d/%b/%Y:%H:%M:%S +0000");
        let [_, a, b, c] = (listener as u32).to_be_bytes();
        match chance.below(20) {
            0 => writeln!(out, "10.{a}.{b}.{c} - - [{time}] \"GET /rss.xml HTTP/2.0\" 304 0 \"-\" \"{agent}\""),
            _ => writeln!(
                out,
                "10.{a}.{b}.{c} - - [{time}] \"GET /media/{episode}.mp3 HTTP/2.0\" {status} {bytes} \"-\" \"{agent}\""
            ),
        }
        .expect("the log can be written");
    }
    out.flush().expect("the log can be written");
}

/// A pseudorandom number generator with the same sequence in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}
