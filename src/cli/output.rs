//! How commands report.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::Failure;
use super::colours::painted;
use builder::Progress;
use model::terminal::{escape_json, escape_lines};
use model::{Diagnostic, Report, Severity};

/// Prints a line for people on standard error, formatted as `format!` does.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::output::say_line(&format!($($words)*))
    };
}
pub(super) use say;

/// Prints a line for people on standard error. Everything that commands tell goes through here: names
/// of files and titles may hold what a terminal obeys.
pub fn say_line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", escape_lines(text));
}

/// Prints a line for a script on standard output, as it is; for people where that is a terminal.
pub fn answer(text: &str) {
    let mut out = std::io::stdout();
    let _ = if out.is_terminal() {
        writeln!(out, "{}", escape_lines(text))
    } else {
        writeln!(out, "{text}")
    };
}

/// Most warnings that a build prints; `check` prints all.
const MOST_WARNINGS: usize = 20;

/// Prints diagnostics for people: errors all, warnings up to `limit`.
pub fn print(diagnostics: &[Diagnostic], limit: Option<usize>) {
    let mut warnings = 0;
    for diagnostic in diagnostics {
        if diagnostic.severity == Severity::Warning {
            warnings += 1;
            if limit.is_some_and(|limit| warnings > limit) {
                continue;
            }
        }
        let _ = writeln!(std::io::stderr(), "{}\n", painted(diagnostic));
    }
    if let Some(limit) = limit
        && warnings > limit
    {
        say!(
            "… and {} more; `feedwright check` prints them all\n",
            count(warnings - limit, "warning", "warnings")
        );
    }
}

/// Prints the warnings of a build, as many as people read.
pub fn print_warnings(warnings: &[Diagnostic]) {
    print(warnings, Some(MOST_WARNINGS));
}

/// Reports errors, and ends the command.
pub fn fail(report: Report, as_json: bool) -> Failure {
    let last = if report.partly_written {
        "; the output is incomplete until a build succeeds"
    } else {
        "; nothing was written"
    };
    fail_with(report, as_json, last)
}

/// Reports errors with these last words, and ends the command.
pub fn fail_with(report: Report, as_json: bool, last: &str) -> Failure {
    let errors = report.errors();
    let diagnostics = report.sorted();
    if as_json {
        print_json(&json!({ "ok": false, "errors": errors, "diagnostics": diagnostics }));
    } else {
        print(&diagnostics, Some(MOST_WARNINGS));
        say!("{}{last}", count(errors, "error", "errors"));
    }
    Failure::Errors
}

/// Prints a value for a script. One that stops reading, as `head` does, has what it wanted.
pub fn print_json(value: &Value) {
    let text = format!("{value:#}");
    let _ = writeln!(std::io::stdout(), "{}", escape_json(&text));
}

/// Prints lines for a program that reads them.
pub fn print_text(text: &str) {
    let _ = write!(std::io::stdout(), "{}", escape_lines(text));
}

/// Prints what the program itself made, for a program that reads it.
pub fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    // One that stops reading, as `head` does, has what it wanted.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// A number with its noun.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number of bytes as people read it.
#[cfg(feature = "deploy")]
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

/// A duration as people read it.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1000.0) } else { format!("{seconds:.2} s") }
}

/// The variable that makes progress lines for a program that runs this one, with the value `json`.
const PROGRESS: &str = "FEEDWRIGHT_PROGRESS";

/// How often such a line is written at most.
const BETWEEN_LINES: Duration = Duration::from_millis(250);

/// A progress bar on a terminal, lines for a program that asks for them; nothing elsewhere. It shows itself only when
/// work takes a while.
pub struct Bar {
    bar: ProgressBar,
    is_on_terminal: bool,
    /// When the last line was written. None where nobody asked.
    told: Option<Mutex<Instant>>,
}

impl Bar {
    /// Makes a bar on standard error.
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
            told: is_asked.then(|| Mutex::new(Instant::now())),
        }
    }

    fn inc(&self, steps: u64) {
        // Even a hidden bar asks for the time, at each of many thousand steps.
        if self.is_on_terminal || self.told.is_some() {
            self.bar.inc(steps);
        }
        if let Some(told) = &self.told {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.elapsed() >= BETWEEN_LINES {
                self.tell();
                *told = Instant::now();
            }
        }
    }

    fn tell(&self) {
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
        if self.told.is_some() {
            self.tell();
        }
    }

    /// Shows how much was downloaded, of all that was announced.
    #[cfg(feature = "import")]
    pub fn bytes(&self, came: u64, announced: u64) {
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        let of = match announced {
            0 => String::new(),
            all => format!(" of {}", megabytes(all.max(came))),
        };
        self.bar.set_message(format!("Downloading {}{of} MB", megabytes(came)));
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
