//! Measurement of the time and memory of commands.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// Time and memory that a run of a command took.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    pub wall: Duration,
    /// User and system time of all threads and processes of the command.
    pub cpu: Duration,
    /// Peak memory of the command's largest process, in bytes.
    pub peak: u64,
}

/// First argument of the helper process that runs and measures a command.
pub const CHILD: &str = "--measure";

/// Runs a command and panics if it fails. See [`try_measure`].
pub fn measure(command: &Command) -> Measured {
    try_measure(command).unwrap_or_else(|errors| panic!("{command:?}: {errors}"))
}

/// Runs and measures a command. If the command fails, the error is its output.
///
/// The operating system only reports the total time and memory of all children of a process. So
/// each command runs in its own helper process, another instance of this bench.
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

/// Runs the command in the arguments. Prints wall time and CPU time in microseconds, and peak
/// memory in bytes.
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
    // Linux reports KiB, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    println!("{} {cpu} {}", wall.as_micros(), usage.max_rss() * unit);
}

/// Measurements of all runs of a command.
#[derive(Debug, Clone, Default)]
pub struct Runs(Vec<Measured>);

impl Runs {
    pub fn push(&mut self, measured: Measured) {
        self.0.push(measured);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the total wall time of all runs in seconds.
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

/// Measures copying a folder with `cp -r`, and removes the copy.
pub fn copy(from: &Path) -> Measured {
    let to = from.with_extension("copy");
    let mut command = Command::new("cp");
    command.arg("-r").arg(from).arg(&to);
    let measured = measure(&command);
    std::fs::remove_dir_all(to).expect("the copy can be removed");
    measured
}
