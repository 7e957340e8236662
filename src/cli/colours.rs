//! Colours for diagnostics on a terminal.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::ValueEnum;

use model::terminal::escape_lines;
use model::{Diagnostic, Severity};

/// The value of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Colour {
    /// Colour messages on a terminal
    #[default]
    Auto,
    Always,
    Never,
}

/// Whether messages are coloured. The value is set once, by [`choose`].
static IS_COLOURED: OnceLock<bool> = OnceLock::new();

/// Decides whether messages on standard error are coloured; see <https://no-color.org>.
pub fn choose(colour: Colour) {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    let is_wanted = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR") => false,
        Colour::Auto if is_forced => true,
        // Most logs do not render colour codes.
        Colour::Auto => std::io::stderr().is_terminal() && !is_dumb && !is_set("CI"),
    };
    // A command calls this function only once, so the value cannot be set already.
    let _ = IS_COLOURED.set(is_wanted);
}

const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[1;33m";
const BLUE: &str = "\u{1b}[1;34m";
const GREEN: &str = "\u{1b}[1;32m";
const BOLD: &str = "\u{1b}[1m";
const RESET: &str = "\u{1b}[0m";

/// Formats a diagnostic for people. Escapes control characters before it adds colours.
pub fn coloured(diagnostic: &Diagnostic) -> String {
    let text = diagnostic.to_string();
    let text = escape_lines(&text);
    if !IS_COLOURED.get().copied().unwrap_or(false) {
        return text.into_owned();
    }
    let severity = match diagnostic.severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
    };
    let mut out = String::with_capacity(text.len() + 64);
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let _ = push_coloured_line(&mut out, line, number == 0, severity);
    }
    out
}

fn push_coloured_line(
    out: &mut String,
    line: &str,
    is_first: bool,
    severity: &str,
) -> std::fmt::Result {
    if is_first {
        let (label, message) = line.split_once(": ").unwrap_or((line, ""));
        return write!(out, "{severity}{label}{RESET}{BOLD}: {message}{RESET}");
    }
    if let Some(place) = line.strip_prefix("  --> ") {
        return write!(out, "  {BLUE}-->{RESET} {place}");
    }
    if let Some(help) = line.strip_prefix("  help: ") {
        return write!(out, "  {GREEN}help{RESET}: {help}");
    }
    match line.split_once(" |") {
        Some((gutter, source)) if gutter.trim().bytes().all(|byte| byte.is_ascii_digit()) => {
            let is_caret = source.trim() == "^";
            let colour = if is_caret { severity } else { "" };
            let end = if is_caret { RESET } else { "" };
            write!(out, "{BLUE}{gutter} |{RESET}{colour}{source}{end}")
        }
        _ => write!(out, "{line}"),
    }
}
