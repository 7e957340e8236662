//! `feedwright stats`: reports downloads.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use warehouse::{Control, DatasetId, Store};

use super::fit::fit;
use super::plot::{Ink, draw, room};
use super::{Failure, open};
use crate::output::{count, print_json, say};
use crate::{shows, table};
use stats::{self, Episode, Episodes, Figures, Span};

/// The arguments of a report.
#[derive(Debug, Args)]
// Disable clap's argument group, because the parent's arguments have a group with the same name.
#[group(skip)]
pub struct Arguments {
    /// First day to count (UTC), such as 2026-11-01
    #[arg(long, value_name = "DATE")]
    from: Option<Date>,
    /// Last day to count (UTC)
    #[arg(long, value_name = "DATE")]
    to: Option<Date>,
    /// Number of days to count, up to and including today
    #[arg(long, value_name = "DAYS", conflicts_with_all = ["from", "to"],
        value_parser = clap::value_parser!(u16).range(1..))]
    last: Option<u16>,
    /// Group the downloads
    #[arg(long, value_enum, value_name = "GROUP", default_value_t = By::Episode)]
    by: By,
    /// Count only this item
    #[arg(long, value_name = "ID")]
    item: Option<String>,
    /// Count only the items of this show
    #[arg(long, value_name = "NAME", conflicts_with = "item")]
    show: Option<String>,
    /// Print JSON on standard output
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV on standard output
    #[arg(long)]
    csv: bool,
}

/// The criterion by which downloads are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Episode,
    Day,
    Week,
    Month,
    App,
    Device,
}

pub fn run(root: PathBuf, arguments: &Arguments) -> Result<(), Failure> {
    let span = span(arguments, Timestamp::now())?;
    if let Some(name) = &arguments.show {
        shows::folder(&root, name)?;
    }
    let (store, episodes) = open(root)?;
    let figures = figures(&store, &selected_episodes(&episodes, arguments)?, span)?;
    let lines = lines(&figures, arguments.by);
    if arguments.json {
        print_json(&report(&figures, &lines));
    } else if arguments.csv {
        // Ignore write errors, because programs such as `head` may close the pipe early.
        let _ = write_csv(&lines);
    } else if figures.downloads > 0 {
        show(&figures, &lines, arguments.by);
    } else if figures.episodes.is_empty() {
        say!(
            "No downloads were counted. Run `feedwright stats import access.log` to import the log of a web server or CDN"
        );
    } else {
        say!("There are no downloads in this period");
    }
    Ok(())
}

fn span(arguments: &Arguments, now: Timestamp) -> Result<Span, Failure> {
    if let Some(days) = arguments.last {
        let today = now.to_zoned(TimeZone::UTC).date();
        let before = i64::from(days) - 1;
        return Ok(Span { from: today.checked_sub(before.days()).ok(), to: Some(today) });
    }
    match (arguments.from, arguments.to) {
        (Some(from), Some(to)) if from > to => {
            Err(Failure::Usage(format!("--from {from} must not be after --to {to}")))
        }
        (from, to) => Ok(Span { from, to }),
    }
}

fn selected_episodes<'e>(
    episodes: &'e Episodes,
    arguments: &Arguments,
) -> Result<Vec<&'e Episode>, Failure> {
    let Some(id) = &arguments.item else {
        let show = arguments.show.as_deref();
        let is_counted = |episode: &&Episode| show.is_none() || episode.show.as_deref() == show;
        return Ok(episodes.all().iter().filter(is_counted).collect());
    };
    episodes.find(id).map(|episode| vec![episode]).ok_or_else(|| {
        Failure::Usage(format!(
            "no audio or video item has the id {id:?}; run `feedwright search` to find items"
        ))
    })
}

fn figures(store: &Store, episodes: &[&Episode], span: Span) -> Result<Figures, Failure> {
    let mut figures = Figures::of(span);
    if let Some(file) = store.file(&DatasetId::site()) {
        let connection = stats::open(&file)?;
        let control = Control::default();
        stats::downloads(&connection, "main", episodes.iter().copied(), &control, |download| {
            figures.add(&download);
            Ok(())
        })?;
    }
    Ok(figures)
}

/// A line of the report.
struct Line {
    /// The item's id, for a line about an item.
    item_id: Option<String>,
    name: String,
    downloads: u64,
    /// The downloads in the first 7 and the first 30 days. `None` unless the line is about an
    /// episode with a date.
    first: Option<(u64, u64)>,
}

fn lines(figures: &Figures, by: By) -> Vec<Line> {
    fn labelled_lines<K: ToString>(counts: impl IntoIterator<Item = (K, u64)>) -> Vec<Line> {
        let line = |(name, downloads): (K, u64)| Line {
            item_id: None,
            name: name.to_string(),
            downloads,
            first: None,
        };
        counts.into_iter().map(line).collect()
    }
    let mut lines = match by {
        By::Day => return labelled_lines(fill_gaps(&figures.days, By::Day)),
        By::Week => return labelled_lines(fill_gaps(&figures.weeks(), By::Week)),
        By::Month => return labelled_lines(fill_gaps(&figures.months(), By::Month)),
        By::App => labelled_lines(figures.apps.clone()),
        By::Device => {
            let devices = figures.devices.iter();
            labelled_lines(devices.map(|(device, count)| (device.as_str(), *count)))
        }
        By::Episode => {
            let episodes = figures.episodes.iter();
            let line = |(id, episode): (&String, &stats::EpisodeFigures)| Line {
                item_id: Some(id.clone()),
                name: if episode.title.is_empty() { id.clone() } else { episode.title.clone() },
                downloads: episode.downloads,
                first: episode.published.map(|_| (episode.first_7_days, episode.first_30_days)),
            };
            episodes.filter(|(_, episode)| episode.downloads > 0).map(line).collect()
        }
    };
    lines.sort_by_key(|line| std::cmp::Reverse(line.downloads));
    lines
}

/// Returns every day, week or month from the first to the last, including periods without
/// downloads.
fn fill_gaps(counts: &BTreeMap<Date, u64>, by: By) -> Vec<(Date, u64)> {
    let (Some((first, _)), Some((last, _))) = (counts.first_key_value(), counts.last_key_value())
    else {
        return Vec::new();
    };
    let step = match by {
        By::Week => 1.week(),
        By::Month => 1.month(),
        _ => 1.day(),
    };
    first
        .series(step)
        .take_while(|day| day <= last)
        .map(|day| (day, counts.get(&day).copied().unwrap_or(0)))
        .collect()
}

fn share(line: &Line, figures: &Figures) -> f64 {
    line.downloads as f64 / figures.downloads.max(1) as f64
}

fn report(figures: &Figures, lines: &[Line]) -> Value {
    let line = |line: &Line| {
        let mut report = json!({
            "name": line.name,
            "downloads": line.downloads,
            "share": (share(line, figures) * 10_000.0).round() / 10_000.0,
        });
        if let Some(id) = &line.item_id {
            report["item_id"] = id.as_str().into();
            report["first_7_days"] = line.first.map(|(days, _)| days).into();
            report["first_30_days"] = line.first.map(|(_, days)| days).into();
        }
        report
    };
    json!({
        "from": figures.span.from.map(|day| day.to_string()),
        "to": figures.span.to.map(|day| day.to_string()),
        "downloads": figures.downloads,
        "lines": lines.iter().map(line).collect::<Vec<_>>(),
    })
}

fn write_csv(lines: &[Line]) -> csv::Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    let has_items = lines.iter().any(|line| line.item_id.is_some());
    let mut header = vec!["name", "downloads"];
    if has_items {
        header.extend(["item_id", "first_7_days", "first_30_days"]);
    }
    out.write_record(header)?;
    for line in lines {
        let mut record = vec![line.name.clone(), line.downloads.to_string()];
        if let Some(id) = &line.item_id {
            let first = line.first.map(|(week, month)| (week.to_string(), month.to_string()));
            let (week, month) = first.unwrap_or_default();
            record.extend([id.clone(), week, month]);
        }
        out.write_record(record)?;
    }
    out.flush()?;
    Ok(())
}

fn show(figures: &Figures, lines: &[Line], by: By) {
    let mut rows = rows(figures, lines, by);
    let width = width();
    // Keep full names in a pipe, because programs need them.
    if io::stdout().is_terminal() {
        fit(&mut rows, width);
    }
    table::print(&rows);
    let bars = bars(figures, by, width);
    let counts: Vec<u64> = bars.iter().map(|(_, count)| *count).collect();
    let day = |bar: Option<&(Date, u64)>| bar.map_or(String::new(), |(day, _)| day.to_string());
    let ink = Ink::of(io::stdout().is_terminal(), |name| std::env::var(name).ok());
    let plot = draw(&counts, &day(bars.first()), &day(bars.last()), width, ink);
    let _ = writeln!(io::stdout(), "\n{}", plot.join("\n"));
    let downloads = usize::try_from(figures.downloads).unwrap_or(usize::MAX);
    say!("{}; days are in UTC", count(downloads, "download", "downloads"));
}

fn rows(figures: &Figures, lines: &[Line], by: By) -> Vec<Vec<String>> {
    let mut header = vec![format!("{by:?}").to_uppercase(), "DOWNLOADS".into()];
    if by == By::Episode {
        header.extend(["7 DAYS", "30 DAYS"].map(str::to_owned));
    }
    header.push("SHARE".into());
    let mut rows = vec![header];
    rows.extend(lines.iter().map(|line| {
        let mut row = vec![line.name.clone(), line.downloads.to_string()];
        if by == By::Episode {
            let first = line.first.map(|(week, month)| [week.to_string(), month.to_string()]);
            row.extend(first.unwrap_or_else(|| ["-", "-"].map(str::to_owned)));
        }
        row.push(format!("{:.1} %", share(line, figures) * 100.0));
        row
    }));
    // Numbers are right-aligned.
    for column in 1..rows[0].len() {
        let width = rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        for row in &mut rows {
            row[column] = format!("{:>width$}", row[column]);
        }
    }
    rows
}

/// Returns the bars of a chart: one for each day, week or month, as requested. If no unit is
/// requested, chooses the smallest unit whose bars fit. If not all bars fit, keeps the newest.
fn bars(figures: &Figures, by: By, width: usize) -> Vec<(Date, u64)> {
    let days = || fill_gaps(&figures.days, By::Day);
    let weeks = || fill_gaps(&figures.weeks(), By::Week);
    let months = || fill_gaps(&figures.months(), By::Month);
    let room = room(width, figures.downloads).max(1);
    let mut bars = match by {
        By::Day => days(),
        By::Week => weeks(),
        By::Month => months(),
        _ => [days(), weeks()].into_iter().find(|bars| bars.len() <= room).unwrap_or_else(months),
    };
    bars.drain(..bars.len().saturating_sub(room));
    bars
}

/// Returns the width of the terminal in columns.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    said.or_else(terminal_columns).unwrap_or(80).clamp(20, 400)
}

#[cfg(target_os = "linux")]
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

#[cfg(not(target_os = "linux"))]
fn terminal_columns() -> Option<usize> {
    None
}
