//! Runs the transcription program of the user, and reads its output.

use std::cell::Cell;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::super::Failure;
use programs::process::{self, Bounds};
use render::text::excerpt;
use transcripts::{Format, read, to_webvtt};

/// The environment variable with the command. A site cannot set it.
pub const VARIABLE: &str = "FEEDWRIGHT_TRANSCRIBE";

/// Maximum size of the output to keep, in bytes. Ten hours of speech are about a megabyte.
const MAX_OUTPUT: usize = 64 << 20;

/// Length of the end of the output from which the progress is read, in bytes.
const TAIL: usize = 4096;

/// Maximum length of a line of a message, in characters. Whisper lists the codes of all languages.
const MAX_LINE: usize = 200;

/// The extensions of usable output files, best first.
const EXTENSIONS: [&str; 3] = ["vtt", "srt", "json"];

/// A command line of the user.
pub struct Program(Vec<String>);

/// The reason why a recording was not transcribed.
pub enum Fault {
    /// The program cannot be started, so it cannot transcribe other recordings either.
    Missing(String),
    Stopped,
    Failed(String),
}

impl Program {
    pub fn of_environment() -> Result<Self, Failure> {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let words = shlex::split(&text).filter(|_| !text.trim().is_empty());
        let words = words.ok_or_else(|| {
            let problem = if text.trim().is_empty() { "not set" } else { "missing a closing quote" };
            Failure::Usage(format!(
                "{VARIABLE} is {problem}: install whisper.cpp or whisper-ctranslate2, and set its command, such as\n  \
                 export {VARIABLE}='whisper-ctranslate2 --model small --output_format vtt {{recording}}'"
            ))
        })?;
        Ok(Self(words.into_iter().map(absolute).collect()))
    }

    /// The name of the program, for messages and the note in the transcript.
    pub fn name(&self) -> &str {
        let name = self.0.first().map_or("", String::as_str);
        name.rsplit(['/', '\\']).next().unwrap_or(name)
    }

    /// Transcribes a recording. Returns WebVTT. The program runs in an empty folder, in which it can
    /// write its output.
    pub fn run(&self, run: &Run<'_>) -> Result<String, Fault> {
        let has_place = self.0.iter().any(|word| word.contains("{recording}"));
        let recording = run.recording.to_string_lossy();
        let fill = |word: &String| {
            word.replace("{recording}", &recording).replace("{language}", run.language)
        };
        let mut words = self.0.iter().map(fill);
        let mut command = Command::new(words.next().unwrap_or_default());
        // Without this variable, Python prints its progress only at the end.
        command.args(words).current_dir(run.folder).env("PYTHONUNBUFFERED", "1");
        if !has_place {
            command.arg(run.recording);
        }
        let (mut tail, last) = (Vec::new(), Cell::new(0));
        let mut hear = |part: &[u8]| {
            tail.extend_from_slice(part);
            tail.drain(..tail.len().saturating_sub(TAIL));
            let now = percent(&String::from_utf8_lossy(&tail), run.seconds).unwrap_or(0);
            (run.advance)(now.saturating_sub(last.get()));
            last.set(last.get().max(now));
        };
        let bounds = Bounds {
            kept: MAX_OUTPUT,
            is_apart: cfg!(feature = "serve"),
            is_stopped: run.is_stopped,
            hear: Some(&mut hear),
            hears_output: true,
            ..Bounds::default()
        };
        let output = process::output(&mut command, Vec::new(), bounds);
        let output = output.map_err(|error| self.fault(&error))?;
        let (name, end) = (self.name(), last_lines(&output, &tail));
        if !output.status.success() {
            return Err(Fault::Failed(format!("{name} failed ({}):{end}", output.status)));
        }
        // whisper.cpp does not fail if it cannot read the recording.
        webvtt(run.folder, &output.stdout).ok_or_else(|| {
            Fault::Failed(format!(
                "{name} wrote no transcript with times (.vtt, .srt or .json) into its folder or to its output: \
                 add its option for WebVTT to {VARIABLE}, or convert the recording to a format that it reads{end}",
            ))
        })
    }

    fn fault(&self, error: &io::Error) -> Fault {
        let name = &self.0[0];
        match error.kind() {
            ErrorKind::Interrupted => Fault::Stopped,
            ErrorKind::NotFound => {
                Fault::Missing(format!("{name} was not found: install it, or correct {VARIABLE}"))
            }
            _ => Fault::Missing(format!("{name} cannot be started: {error}")),
        }
    }
}

/// Returns the last three lines of the messages that a program printed, indented and shortened.
fn last_lines(output: &Output, tail: &[u8]) -> String {
    let said =
        String::from_utf8_lossy(if output.stderr.is_empty() { tail } else { &output.stderr });
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].iter();
    last.map(|line| format!("\n  {}", excerpt(line, MAX_LINE))).collect()
}

/// One run of the program.
pub struct Run<'r> {
    pub recording: &'r Path,
    /// Length of the recording.
    pub seconds: Option<f64>,
    /// ISO 639 code of the language, or `auto`.
    pub language: &'r str,
    pub folder: &'r Path,
    /// Receives how many percent were added.
    pub advance: &'r dyn Fn(u64),
    pub is_stopped: &'r dyn Fn() -> bool,
}

/// Replaces `~` and completes relative paths, because the program runs in another folder.
fn absolute(word: String) -> String {
    let home = std::env::var("HOME").ok();
    if let Some(home) = home.filter(|_| word.starts_with("~/")) {
        return format!("{home}{}", &word[1..]);
    }
    let is_path = word.starts_with("./") || word.starts_with("../");
    match std::path::absolute(&word) {
        Ok(path) if is_path => path.to_string_lossy().into_owned(),
        _ => word,
    }
}

/// Returns the progress at the end of an output: the end of the last cue
/// (`00:00:05.000 --> 00:00:09.000`), or the last percentage.
fn percent(tail: &str, seconds: Option<f64>) -> Option<u64> {
    let lines = tail.rsplit(['\n', '\r']);
    let share = lines.filter_map(|line| match (line.rsplit_once("-->"), seconds) {
        (Some((_, end)), Some(seconds)) if seconds > 0.0 => {
            let end = end.trim_start().split(|c: char| !"0123456789:.,".contains(c)).next()?;
            let end = source::chapters::parse_seconds(&end.replace(',', ".")).ok()?;
            Some(end / seconds * 100.0)
        }
        _ => {
            let before = line[..line.rfind('%')?].trim_end();
            let start =
                before.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
            before.get(start..)?.parse().ok()
        }
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
    share.map(|share: f64| share.clamp(0.0, 100.0) as u64).next()
}

/// Reads the best transcript with times among the output files and the standard output.
fn webvtt(folder: &Path, stdout: &[u8]) -> Option<String> {
    let rank = |path: &PathBuf| {
        let own = path.extension()?.to_str()?.to_ascii_lowercase();
        EXTENSIONS.iter().position(|extension| *extension == own)
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| rank(path).is_some()).collect();
    files.sort_by_key(rank);
    let outputs = files.iter().filter_map(|path| {
        let bytes = source::disk::read_within(path, MAX_OUTPUT as u64).ok()?;
        Some((Format::of("", &path.to_string_lossy(), b""), bytes))
    });
    let printed = [(Format::of("", "", stdout), stdout.to_vec())].into_iter();
    let printed = printed.filter(|(format, _)| !matches!(format, Format::Plain | Format::Html));
    outputs.chain(printed).find_map(|(format, bytes)| {
        let cues: Vec<_> = read(&bytes, format).filter(|cue| cue.start.is_some()).collect();
        (!cues.is_empty()).then(|| to_webvtt(&cues))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_from_times_and_percentages() {
        let of = |tail: &str| percent(tail, Some(60.0));
        assert_eq!(of("[00:00:10.000 --> 00:00:15.000]  Late"), Some(25));
        assert_eq!(of("1\n00:00:10,000 --> 00:00:30,000\nLate\n"), Some(50));
        assert_eq!(of("whisper_print_progress_callback: progress =  37%\n"), Some(37));
        assert_eq!(of(" 12%|###  | 7/60\r 66.5%|#####| 40/60"), Some(66));
        assert_eq!(of("loading the model"), None);
        assert_eq!(of("é% 00:99 --> x"), None);
        assert_eq!(percent("00:10 --> 00:15", None), None);
    }
}
