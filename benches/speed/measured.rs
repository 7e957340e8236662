//! A command, run and measured.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// What a run of a command took.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    pub wall: Duration,
    /// User and system time of all its threads and processes.
    pub cpu: Duration,
    /// Most memory that its largest process held, in bytes.
    pub peak: u64,
}

/// The first argument of the process in between.
pub const CHILD: &str = "--measure";

/// Runs a command that has to succeed. See [`try_measure`].
pub fn measure(command: &Command) -> Measured {
    try_measure(command).unwrap_or_else(|errors| panic!("{command:?}: {errors}"))
}

/// Runs a command. Err is what it printed if it failed.
///
/// The system tells how much time and memory all children of a process took together, so each command is run by a
/// process of its own: this bench, once more.
pub fn try_measure(command: &Command) -> Result<Measured, String> {
    let mut child = Command::new(std::env::current_exe().expect("this program has a file"));
    child.arg(CHILD).arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        child.current_dir(folder);
    }
    let output = child.output().expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{text}{errors}"));
    }
    let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [wall, cpu, peak] => Ok(Measured {
            wall: Duration::from_micros(*wall),
            cpu: Duration::from_micros(*cpu),
            peak: *peak,
        }),
        _ => Err(format!("{text}{errors}")),
    }
}

/// Runs the command in the arguments, and prints microseconds, microseconds and bytes.
pub fn child(arguments: &[String]) {
    let mut command = Command::new(&arguments[0]);
    command.args(&arguments[1..]).stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output().expect("the command starts");
    let wall = start.elapsed();
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stdout));
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        std::process::exit(1);
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system tells");
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    // Linux counts in KiB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    println!("{} {cpu} {}", wall.as_micros(), usage.max_rss() * unit);
}

/// The runs of one command.
#[derive(Debug, Clone, Default)]
pub struct Runs(Vec<Measured>);

impl Runs {
    pub fn push(&mut self, measured: Measured) {
        self.0.push(measured);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Seconds that all runs took together.
    pub fn total(&self) -> f64 {
        self.0.iter().map(|run| run.wall.as_secs_f64()).sum()
    }

    pub fn wall(&self) -> Duration {
        median(self.0.iter().map(|run| run.wall))
    }

    pub fn cpu(&self) -> Duration {
        median(self.0.iter().map(|run| run.cpu))
    }

    pub fn peak(&self) -> u64 {
        self.0.iter().map(|run| run.peak).max().unwrap_or_default()
    }
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Copies a folder to a place where nothing is, as `cp -r` does, and removes the copy.
pub fn copy(from: &Path) -> Measured {
    let to = from.with_extension("copy");
    let mut command = Command::new("cp");
    command.arg("-r").arg(from).arg(&to);
    let measured = measure(&command);
    std::fs::remove_dir_all(to).expect("the copy can be removed");
    measured
}
