//! Prints messages, results and progress of commands.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::Failure;
use super::colours::coloured;
use builder::{Changed, Progress};
use model::terminal::{escape_json, escape_lines};
use model::{Diagnostic, Report, Severity};

/// Prints a line for people on standard error. The arguments are the same as for `format!`.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::output::say_line(&format!($($words)*))
    };
}
pub(super) use say;

/// Prints a line for people on standard error. All messages of commands go through this function,
/// because file names and titles may contain terminal control characters.
pub fn say_line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", escape_lines(text));
}

/// Prints a line for scripts on standard output. Escapes control characters only if standard output
/// is a terminal.
pub fn answer(text: &str) {
    let mut out = std::io::stdout();
    let _ = if out.is_terminal() {
        writeln!(out, "{}", escape_lines(text))
    } else {
        writeln!(out, "{text}")
    };
}

/// Maximum number of warnings that a build prints. `check` prints all warnings.
const MAX_WARNINGS: usize = 20;

/// Prints diagnostics for people: all errors, and warnings up to `limit`.
pub fn print(diagnostics: &[Diagnostic], limit: Option<usize>) {
    let mut warnings = 0;
    for diagnostic in diagnostics {
        if diagnostic.severity == Severity::Warning {
            warnings += 1;
            if limit.is_some_and(|limit| warnings > limit) {
                continue;
            }
        }
        let _ = writeln!(std::io::stderr(), "{}\n", coloured(diagnostic));
    }
    if let Some(limit) = limit
        && warnings > limit
    {
        say!(
            "… and {} more; run `feedwright check` to see all\n",
            count(warnings - limit, "warning", "warnings")
        );
    }
}

/// Prints the warnings of a build, up to [`MAX_WARNINGS`].
pub fn print_warnings(warnings: &[Diagnostic]) {
    print(warnings, Some(MAX_WARNINGS));
}

/// Reports the errors of a command, and returns its failure.
pub fn fail(report: Report, as_json: bool) -> Failure {
    let last = if report.partly_written {
        "; the output is incomplete until a build succeeds"
    } else {
        "; nothing was written"
    };
    fail_with(report, as_json, last)
}

/// Reports the errors of a command, and returns its failure. `last` ends the summary line.
pub fn fail_with(report: Report, as_json: bool, last: &str) -> Failure {
    let errors = report.errors();
    let diagnostics = report.sorted();
    if as_json {
        print_json(&json!({ "ok": false, "errors": errors, "diagnostics": diagnostics }));
    } else {
        print(&diagnostics, Some(MAX_WARNINGS));
        say!("{}{last}", count(errors, "error", "errors"));
    }
    Failure::Errors
}

/// Prints a JSON value for a script. Ignores write errors, because programs such as `head` may
/// close the pipe early.
pub fn print_json(value: &Value) {
    let text = format!("{value:#}");
    let _ = writeln!(std::io::stdout(), "{}", escape_json(&text));
}

/// Prints text for another program, with control characters escaped.
pub fn print_text(text: &str) {
    let _ = write!(std::io::stdout(), "{}", escape_lines(text));
}

/// Prints bytes that feedwright generated for another program. Escapes nothing.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    // Ignore write errors, because programs such as `head` may close the pipe early.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Formats a number with the singular or plural of a noun.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Reports recordings whose published bytes change. Listeners who have a part of a recording download
/// it again.
pub fn report_recordings(Changed { count: number, bytes: size }: Changed) {
    if number > 0 {
        let (recordings, size) = (count(number, "recording", "recordings"), bytes(size));
        let verb = if number == 1 { "gets" } else { "get" };
        say!("{recordings} ({size}) {verb} new tags or audio");
    }
}

/// Returns the JSON of recordings whose published bytes change.
pub fn changed_recordings(Changed { count, bytes }: Changed) -> serde_json::Value {
    serde_json::json!({ "changed": count, "bytes": bytes })
}

/// Formats a size in bytes for people.
#[allow(clippy::cast_precision_loss)]
pub fn bytes(number: u64) -> String {
    let (mut shown, mut unit) = (number as f64, "B");
    for larger in ["kB", "MB", "GB", "TB"] {
        if shown < 1000.0 {
            break;
        }
        (shown, unit) = (shown / 1000.0, larger);
    }
    if unit == "B" || shown >= 10.0 {
        format!("{shown:.0} {unit}")
    } else {
        format!("{shown:.1} {unit}")
    }
}

/// Formats a duration for people.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1000.0) } else { format!("{seconds:.2} s") }
}

/// The environment variable that enables progress lines for another program. The value is `json`.
const PROGRESS: &str = "FEEDWRIGHT_PROGRESS";

/// Minimum interval between two progress lines.
const LINE_INTERVAL: Duration = Duration::from_millis(250);

/// A progress bar on a terminal, or progress lines for a program that requests them. Otherwise,
/// nothing is printed.
pub struct Bar {
    bar: ProgressBar,
    is_on_terminal: bool,
    /// The time of the last progress line. `None` if progress lines are disabled.
    last_line: Option<Mutex<Instant>>,
}

impl Bar {
    /// Creates a progress bar on standard error.
    pub fn new() -> Self {
        let is_on_terminal = std::io::stderr().is_terminal();
        let target = if is_on_terminal {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let is_asked = std::env::var(PROGRESS).is_ok_and(|value| value == "json");
        Self {
            bar: ProgressBar::with_draw_target(None, target),
            is_on_terminal,
            last_line: is_asked.then(|| Mutex::new(Instant::now())),
        }
    }

    fn inc(&self, steps: u64) {
        // Skip hidden bars. Even a hidden bar would read the clock in each of many thousand steps.
        if self.is_on_terminal || self.last_line.is_some() {
            self.bar.inc(steps);
        }
        if let Some(last_line) = &self.last_line {
            let mut last_line = last_line.lock().unwrap_or_else(PoisonError::into_inner);
            if last_line.elapsed() >= LINE_INTERVAL {
                self.print_progress();
                *last_line = Instant::now();
            }
        }
    }

    fn print_progress(&self) {
        let (done, all) = (self.bar.position(), self.bar.length());
        say!("progress: {}", json!({ "name": self.bar.message(), "done": done, "of": all }));
    }

    fn begin(&self, name: &'static str, template: &str, length: u64) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        match length {
            0 => self.bar.unset_length(),
            length => self.bar.set_length(length),
        }
        self.bar.set_message(name);
        if self.last_line.is_some() {
            self.print_progress();
        }
    }

    /// Shows the number of downloaded bytes and the expected total.
    #[cfg(feature = "import")]
    pub fn bytes(&self, received: u64, announced: u64) {
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        let of = match announced {
            0 => String::new(),
            all => format!(" of {}", megabytes(all.max(received))),
        };
        self.bar.set_message(format!("Downloading {}{of} MB", megabytes(received)));
    }
}

impl Progress for Bar {
    fn phase(&self, name: &'static str, steps: usize) {
        let template = match steps {
            0 => "{msg} {spinner} {pos}",
            _ => "{msg} {wide_bar} {pos}/{len}",
        };
        self.begin(name, template, steps as u64);
    }

    fn moving(&self, name: &'static str, bytes: u64) {
        let template = "{msg} {wide_bar} {decimal_bytes} of {decimal_total_bytes}, {eta} left";
        self.begin(name, template, bytes);
    }

    fn moved(&self, bytes: u64) {
        self.inc(bytes);
    }

    fn tick(&self) {
        self.inc(1);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
