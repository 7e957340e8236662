//! The workflow with which a git host publishes the site: whether a push starts it, and when it
//! runs next.

use std::fs;
use std::path::Path;

use jiff::civil::{Date, Weekday};
use jiff::{Timestamp, ToSpan, tz::TimeZone};

/// The folders and files with workflows, from the root of the repository.
pub const PLACES: [&str; 3] = [".github/workflows", ".forgejo/workflows", ".gitlab-ci.yml"];

/// Maximum number of days to search for the next run.
const MAX_DAYS: usize = 366 * 4;

/// Actions that publish the output of `feedwright build`.
const ACTIONS: [&str; 6] = [
    "upload-pages-artifact", "deploy-pages", "actions-gh-pages", "github-pages-deploy-action",
    "wrangler-action", "actions-netlify",
];

/// Commands that publish the output of `feedwright build`.
const COMMANDS: [&str; 5] = ["git push ", "rsync ", "wrangler ", "netlify ", "aws s3 "];

/// The workflows of a repository that publish the site.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Whether a push starts a workflow.
    pub is_on_push: bool,
    /// The times at which a workflow starts, as cron expressions in UTC.
    crons: Vec<Cron>,
}

impl Schedule {
    /// Reads the workflows that the git host gets. Returns None if no workflow publishes the site, or
    /// the show with this name and its own destination.
    pub fn read(
        repository: &Path,
        show: Option<&str>,
        is_at_host: impl Fn(&Path) -> bool,
    ) -> Option<Self> {
        let files = PLACES.iter().flat_map(|place| {
            let place = repository.join(place);
            match fs::read_dir(&place) {
                Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
                Err(_) => vec![place],
            }
        });
        let is_yaml =
            |file: &Path| file.extension().is_some_and(|end| end == "yml" || end == "yaml");
        let texts = files
            .filter(|file| is_yaml(file) && is_at_host(file))
            .filter_map(|file| fs::read_to_string(file).ok());
        // A workflow that runs only for pull requests publishes previews.
        let mut all = texts.filter(|text| publishes(text, show)).filter_map(|text| {
            let one = Self::parse(&text);
            (one.is_automatic() || text.contains("workflow_dispatch")).then_some(one)
        });
        let first = all.next()?;
        Some(all.fold(first, |mut one, other| {
            one.is_on_push |= other.is_on_push;
            one.crons.extend(other.crons);
            one
        }))
    }

    /// Finds the triggers in a workflow's text. GitLab runs its workflow after each push.
    fn parse(text: &str) -> Self {
        let lines = || text.lines().map(|line| line.trim_start().trim_start_matches("- "));
        let cron = |line: &str| Cron::parse(unquoted(line.strip_prefix("cron:")?));
        let is_on_push = |line: &str| {
            let on = line.strip_prefix("on:").unwrap_or_default();
            line.starts_with("push:")
                || line == "push"
                || on.split(|c: char| !c.is_alphanumeric()).any(|word| word == "push")
        };
        Self {
            is_on_push: lines().any(is_on_push) || !lines().any(|line| line.starts_with("on:")),
            crons: lines().filter_map(cron).collect(),
        }
    }

    /// Returns whether a push or a time starts a workflow.
    pub fn is_automatic(&self) -> bool {
        self.is_on_push || !self.crons.is_empty()
    }

    /// Returns the first run after a moment.
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        self.crons.iter().filter_map(|cron| cron.next(after)).min()
    }
}

/// Returns whether a workflow runs `feedwright deploy`, or publishes the output of
/// `feedwright build`. A workflow that only builds is a check. A show with its own destination is
/// published by `deploy --all-shows` and `deploy --show`, which do not publish the site.
fn publishes(text: &str, show: Option<&str>) -> bool {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n");
    // The name of a step is not a command.
    let is_name = |line: &&str| line.trim_start().trim_start_matches("- ").starts_with("name:");
    let script = text.replace("\\\n", " ");
    let script: Vec<&str> = script.lines().filter(|line| !is_name(line)).collect();
    let commands = || script.iter().flat_map(|line| line.split(['|', ';', '&']));
    let mut deploys = commands()
        .filter(|command| runs(command, "deploy") && !command.contains("--dry-run"))
        .map(Deployed::by);
    match show {
        None if deploys.any(|what| what == Deployed::Site) => return true,
        None => {}
        Some(name) => {
            return deploys.any(|what| [Deployed::AllShows, Deployed::Show(name)].contains(&what));
        }
    }
    // GitLab publishes the output of a job that is named `pages` or has the key `pages`.
    let is_pages = |line: &&str| matches!(line.trim(), "pages:" | "pages: true");
    let is_action = |line: &&str| {
        let line = line.to_ascii_lowercase();
        line.contains("uses:") && ACTIONS.iter().any(|action| line.contains(action))
    };
    let is_command = |command: &str| {
        let starts = ["- ", "run:", "npx "];
        let command =
            starts.iter().fold(command.trim(), |rest, start| rest.trim_start_matches(start).trim());
        COMMANDS.iter().any(|known| command.starts_with(known))
    };
    commands().any(|command| runs(command, "build"))
        && (script.iter().any(|line| is_pages(line) || is_action(line))
            || commands().any(is_command))
}

/// The part of the network that a `feedwright deploy` publishes.
#[derive(PartialEq, Eq)]
enum Deployed<'c> {
    Site,
    AllShows,
    Show(&'c str),
}

impl<'c> Deployed<'c> {
    fn by(command: &'c str) -> Self {
        let mut words = command.split([' ', '=']).map(|word| word.trim_matches(is_quote));
        match words.find(|word| matches!(*word, "--all-shows" | "--show")) {
            None => Self::Site,
            Some("--show") => Self::Show(words.next().unwrap_or_default()),
            Some(_) => Self::AllShows,
        }
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | ')' | '`')
}

/// Returns whether a shell command runs a subcommand of feedwright.
fn runs(command: &str, subcommand: &str) -> bool {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(is_quote));
    // The program can have a path or a version: `bin/feedwright`, `feedwright@1.0`.
    let is_program = |word: &str| {
        word.rsplit('/').next().is_some_and(|name| name.split('@').next() == Some("feedwright"))
    };
    words.any(is_program) && words.any(|word| word == subcommand)
}

/// Returns the text of a YAML value, without its quotes and its comment.
fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => value[1..].split(quote).next().unwrap_or_default(),
        None => value.split(" #").next().unwrap_or_default().trim(),
    }
}

/// A cron expression: the minutes, hours, days of the month, months and days of the week as bits.
#[derive(Debug, PartialEq, Eq)]
struct Cron {
    fields: [u64; 5],
    /// Whether the days of the month, and the days of the week, are limited.
    limits_days: [bool; 2],
}

const RANGES: [(u64, u64); 5] = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)];
const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
const DAYS: &str = "sun mon tue wed thu fri sat";

impl Cron {
    fn parse(text: &str) -> Option<Self> {
        let parts: [&str; 5] = text.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
        let mut fields = [0; 5];
        for (at, part) in parts.iter().enumerate() {
            for item in part.split(',') {
                fields[at] |= bits(item, at)?;
            }
        }
        // Sunday is 0 or 7.
        fields[4] |= fields[4] >> 7;
        Some(Self { fields, limits_days: [2, 4].map(|at| !parts[at].starts_with('*')) })
    }

    fn has(&self, field: usize, value: u64) -> bool {
        self.fields[field] & (1 << value) != 0
    }

    /// If both kinds of days are limited, either of them is enough.
    fn runs_on(&self, date: Date) -> bool {
        let in_month = self.has(2, date.day().unsigned_abs().into());
        let in_week = self.has(4, weekday(date.weekday()));
        let is_day = match self.limits_days {
            [true, true] => in_month || in_week,
            _ => in_month && in_week,
        };
        is_day && self.has(3, date.month().unsigned_abs().into())
    }

    fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let from = after.to_zoned(TimeZone::UTC);
        let dates = from.date().series(1.day()).take(MAX_DAYS);
        let times = dates.filter(|date| self.runs_on(*date)).flat_map(|date| {
            (0..24).flat_map(move |hour: i8| (0..60).map(move |minute: i8| (date, hour, minute)))
        });
        let is_set = |field, value: i8| self.has(field, value.unsigned_abs().into());
        let mut runs = times
            .filter(|(_, hour, minute)| is_set(1, *hour) && is_set(0, *minute))
            .filter_map(|(date, hour, minute)| {
                date.at(hour, minute, 0, 0).to_zoned(TimeZone::UTC).ok()
            })
            .map(|time| time.timestamp());
        runs.find(|time| *time > after)
    }
}

fn weekday(day: Weekday) -> u64 {
    day.to_sunday_zero_offset().unsigned_abs().into()
}

/// Returns the values of a part of a field: `*`, `5`, `mon`, `1-5` or `*/15`.
fn bits(item: &str, field: usize) -> Option<u64> {
    let (least, most) = RANGES[field];
    let (range, step) = item.split_once('/').unwrap_or((item, "1"));
    let step: usize = step.parse().ok().filter(|step| *step > 0)?;
    let (from, to) = match range.split_once('-') {
        _ if range == "*" => (least, most),
        Some((from, to)) => (value(from, field)?, value(to, field)?),
        None if item.contains('/') => (value(range, field)?, most),
        None => (value(range, field)?, value(range, field)?),
    };
    let is_valid = least <= from && from <= to && to <= most;
    is_valid.then(|| (from..=to).step_by(step).fold(0, |bits, value| bits | 1 << value))
}

/// Returns the number of a value. Months and days of the week also have names.
fn value(text: &str, field: usize) -> Option<u64> {
    let (names, first) = match field {
        3 => (MONTHS, 1),
        4 => (DAYS, 0),
        _ => ("", 0),
    };
    let text = text.to_ascii_lowercase();
    let named = names.split(' ').zip(first..).find(|(name, _)| *name == text);
    named.map(|(_, value)| value).or_else(|| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(cron: &str, after: &str) -> Option<String> {
        let schedule = Schedule::parse(&format!("on:\n  schedule:\n    - cron: {cron}\n"));
        schedule.next(after.parse().unwrap()).map(|time| time.to_string())
    }

    #[test]
    fn the_next_run_of_a_schedule_is_in_utc() {
        // 2026-11-18 is a Wednesday.
        for (cron, run) in [
            ("\"17 * * * *\"", "2026-11-18T12:17:00Z"),
            ("'0 8 * * 5' # Fridays", "2026-11-20T08:00:00Z"),
            ("0 8 * * FRI", "2026-11-20T08:00:00Z"),
            ("0 0 * * 7", "2026-11-22T00:00:00Z"),
            ("*/20 12 * * *", "2026-11-18T12:20:00Z"),
            ("0 12 * * *", "2026-11-19T12:00:00Z"),
            ("30 6 1 * *", "2026-12-01T06:30:00Z"),
            ("0 9 13 * mon-tue", "2026-11-23T09:00:00Z"),
            ("0 0 29 2 *", "2028-02-29T00:00:00Z"),
        ] {
            assert_eq!(next(cron, "2026-11-18T12:00:00Z").as_deref(), Some(run), "{cron}");
        }
        for cron in ["", "0 8 * *", "60 * * * *", "0 8 * * xyz", "0 0 31 2 *", "*/0 * * * *"] {
            assert_eq!(next(cron, "2026-11-18T12:00:00Z"), None, "{cron}");
        }
    }

    #[test]
    fn the_triggers_of_a_workflow_are_found() {
        for (text, is_on_push) in [
            ("on:\n  push:\n    branches: [main]\n", true),
            ("on: [push, workflow_dispatch]\n", true),
            ("on: push\n", true),
            ("on:\n  schedule:\n    - cron: '0 8 * * 5'\n", false),
            ("pages:\n  script:\n    - feedwright build\n", true),
        ] {
            assert_eq!(Schedule::parse(text).is_on_push, is_on_push, "{text}");
        }
    }

    #[test]
    fn a_workflow_that_only_checks_the_site_does_not_publish_it() {
        for (text, is_publishing) in [
            ("run: feedwright deploy", true),
            ("run: |\n  feedwright \\\n    --site docs deploy --to git:origin#pages", true),
            ("- .venv/bin/feedwright check && .venv/bin/feedwright deploy", true),
            ("run: \"uvx feedwright@1.0 deploy\"", true),
            ("- run: feedwright build\n- uses: actions/upload-pages-artifact@v4", true),
            ("pages:\n  script:\n    - feedwright build", true),
            ("- run: feedwright build && rsync -a public/ ada@walks.example:site", true),
            ("run: feedwright build", false),
            ("run: apt-get install rsync git; feedwright build", false),
            ("run: feedwright deploy --dry-run", false),
            ("# feedwright deploy\nrun: feedwright check", false),
            ("name: Check before feedwright deploy\nrun: feedwright build", false),
            ("run: pip install feedwright; ./deploy", false),
            ("uses: actions/deploy-pages@v4", false),
            ("run: feedwright deploy --show walks", false),
            ("run: feedwright deploy --all-shows", false),
        ] {
            assert_eq!(publishes(text, None), is_publishing, "{text}");
        }
    }

    #[test]
    fn a_workflow_that_deploys_only_the_site_does_not_publish_a_show() {
        for (text, is_publishing) in [
            ("run: |\n  feedwright deploy\n  feedwright deploy --all-shows", true),
            ("- feedwright build\n- feedwright deploy --all-shows\npages:\n", true),
            ("run: feedwright deploy --notify --show walks", true),
            ("run: \"feedwright deploy --show='walks'\"", true),
            ("run: feedwright deploy", false),
            ("pages:\n  script:\n    - feedwright build", false),
            ("run: feedwright deploy --show tides", false),
            ("run: feedwright deploy --all-shows --dry-run", false),
        ] {
            assert_eq!(publishes(text, Some("walks")), is_publishing, "{text}");
        }
    }
}
