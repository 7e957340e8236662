//! Gathers the files of calendars, and reports conflicts between the files.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{CalendarEntry, Calendars, Exception, Series, checks};
use model::calendar::{Calendar, CalendarId, Event, EventKind, EventTime};
use model::{Config, Diagnostic, List, Report, Rule};
use source::calendar::CalendarFile;
use source::history::History;
use source::place::place_of;

/// The files of calendars, each with a fingerprint.
pub type Files = List<(Arc<CalendarFile>, u64)>;

/// Creates the calendars from their files and the repository's history. Returns the `previous`
/// calendars if nothing has changed.
pub fn calendars(
    root: &Path,
    config: &Config,
    (files, history): (Files, Arc<History>),
    previous: Option<&Arc<Calendars>>,
    report: &mut Report,
) -> Arc<Calendars> {
    let made_for = (config.timezone.clone(), config.host.clone());
    if let Some(previous) =
        previous.filter(|previous| previous.matches_inputs(&made_for, &files, &history))
    {
        return Arc::clone(previous);
    }
    let before = report.len();
    let mut folders: BTreeMap<CalendarId, Folder> = BTreeMap::new();
    for (file, fingerprint) in &files {
        match file.as_ref() {
            CalendarFile::Calendar(calendar) => {
                let folder = folders.entry(calendar.id.clone()).or_default();
                folder.described = Some((calendar.clone(), *fingerprint));
            }
            CalendarFile::Event(event) => {
                let folder = folders.entry(event.calendar.clone()).or_default();
                folder.events.push((event, *fingerprint));
            }
        }
    }
    let all: Vec<CalendarEntry> = folders
        .into_iter()
        .map(|(id, folder)| folder.gather(root, id, &config.timezone, &history, report))
        .collect();
    checks::check(root, &config.host, &all, report);
    Arc::new(Calendars {
        all,
        has_no_errors: report.len() == before,
        made_for,
        made_of: files,
        history,
    })
}

impl Calendars {
    /// Returns whether the calendars' files have no errors.
    pub fn has_no_errors(&self) -> bool {
        self.has_no_errors
    }

    /// Returns whether these calendars were made from exactly these inputs, without errors.
    fn matches_inputs(
        &self,
        made_for: &(TimeZone, String),
        files: &Files,
        history: &Arc<History>,
    ) -> bool {
        let mut pairs = self.made_of.iter().zip(files);
        self.has_no_errors
            && self.made_for == *made_for
            && self.history == *history
            && self.made_of.len() == files.len()
            && pairs.all(|(a, b)| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1)
    }
}

/// The files of one calendar.
#[derive(Default)]
struct Folder<'f> {
    described: Option<(Calendar, u64)>,
    events: Vec<(&'f Event, u64)>,
}

impl Folder<'_> {
    fn gather(
        self,
        root: &Path,
        id: CalendarId,
        zone: &TimeZone,
        history: &History,
        report: &mut Report,
    ) -> CalendarEntry {
        let described = self.described;
        let (calendar, seed) = described.unwrap_or_else(|| (Calendar::new(id, zone.clone()), 0));
        let is_own = |event: &Event| matches!(event.kind, EventKind::Own { .. });
        let (mut own, instances): (Vec<_>, Vec<_>) =
            self.events.into_iter().partition(|(event, _)| is_own(event));
        own.sort_by(|a, b| a.0.id.cmp(&b.0.id));
        let mut gathering = Gathering { root, calendar: &calendar, history, report };
        gathering.check_ids(&own);
        let mut by_series: HashMap<&str, Vec<(&Event, u64)>> = HashMap::new();
        for (event, fingerprint) in instances {
            if let EventKind::Instance { of, .. } = &event.kind {
                let of_series = by_series.entry(of.as_str()).or_default();
                of_series.push((event, fingerprint));
            }
        }
        let mut series = Vec::with_capacity(own.len());
        for (event, fingerprint) in own {
            let instances = by_series.remove(event.id.as_str()).unwrap_or_default();
            series.push(gathering.series(event, fingerprint ^ seed, instances));
        }
        by_series
            .into_values()
            .flatten()
            .for_each(|(event, _)| gathering.report_missing_series(event));
        CalendarEntry { calendar, series }
    }
}

struct Gathering<'a> {
    root: &'a Path,
    calendar: &'a Calendar,
    history: &'a History,
    report: &'a mut Report,
}

impl Gathering<'_> {
    /// Returns the time when an event last changed: the time of the event's file, or of the
    /// calendar's file if that is newer and the event uses the calendar's time zone.
    fn revised(&self, event: &Event) -> Timestamp {
        let changed = |path, written| self.history.changed(path, written);
        let own = event.updated;
        let own = own.unwrap_or_else(|| changed(&event.source, event.written));
        let calendar = self.calendar.source.as_ref().zip(self.calendar.written);
        let zones = calendar.filter(|_| event.is_in_calendars_zone);
        zones.map_or(own, |(path, written)| own.max(changed(path, written)))
    }

    fn series(
        &mut self,
        event: &Event,
        fingerprint: u64,
        mut instances: Vec<(&Event, u64)>,
    ) -> Arc<Series> {
        let original = |event: &Event| match &event.kind {
            EventKind::Instance { original, .. } => Some(original.rank()),
            EventKind::Own { .. } => None,
        };
        instances.sort_by_cached_key(|(event, _)| original(event));
        for pair in instances.windows(2) {
            if original(pair[0].0) == original(pair[1].0) {
                let message =
                    format!("{} already changes this event of the series", pair[0].0.source);
                let error = Diagnostic::error(message).help("remove one of the two");
                self.report_at(pair[1].0, "originalStartTime", error);
            }
        }
        let revised = self.revised(event);
        let mut all = fingerprint;
        let mut exceptions = Vec::with_capacity(instances.len());
        for (instance, own) in instances {
            all = xxh3_64_with_seed(&own.to_le_bytes(), all);
            exceptions.push(Exception {
                revised: revised.max(self.revised(instance)),
                event: Arc::new(instance.with_series_defaults(event)),
                fingerprint: xxh3_64_with_seed(&own.to_le_bytes(), fingerprint),
            });
        }
        let series =
            Series { event: Arc::new(event.clone()), exceptions, revised, fingerprint: all };
        for exception in &series.exceptions {
            self.check_original(&series, &exception.event);
        }
        Arc::new(series)
    }

    /// Checks that an instance replaces an occurrence of its series.
    fn check_original(&mut self, series: &Series, event: &Event) {
        let EventKind::Instance { original, .. } = &event.kind else {
            return;
        };
        if !series.is_recurring() {
            let message = format!("{} is not a series", series.event.source);
            let error = Diagnostic::error(message)
                .help("add `recurrence` to that event, or remove `recurringEventId` here");
            self.report_at(event, "recurringEventId", error);
            return;
        }
        let is_day = |series: &Series| series.own().is_some_and(|(span, _)| span.start.is_day());
        if original.is_day() != is_day(series) {
            let message = match original.is_day() {
                true => "`originalStartTime` is a day, but the series starts at a time",
                false => "`originalStartTime` is a time, but the series starts on a day",
            };
            let help = self.start_help(series, original);
            let error = Diagnostic::error(message).help(help);
            self.report_at(event, "originalStartTime", error);
        } else if !series.has_start(original, &self.calendar.time_zone) {
            let message = format!("the series {} has no event at this time", series.event.source);
            let help = self.start_help(series, original);
            let warning = Diagnostic::warning(Rule::EventTime, message).help(help);
            self.report_at(event, "originalStartTime", warning);
        }
    }

    /// Returns the help for a wrong start time of an instance. The help suggests the next start of
    /// the series, searched from one day before the wrong time.
    fn start_help(&self, series: &Series, original: &EventTime) -> String {
        let at = original.instant(&self.calendar.time_zone);
        let from = at.checked_sub(SignedDuration::from_hours(24));
        let nearest = series.next_start(from.unwrap_or(at), &self.calendar.time_zone);
        match nearest {
            Some(EventTime::Day(day)) => format!("did you mean {day}?"),
            Some(EventTime::Moment(time)) => {
                format!("did you mean {}?", time.strftime("%Y-%m-%dT%H:%M:%S%:z"))
            }
            None => "write the event's original start, according to the rule of the series".into(),
        }
    }

    /// Checks that no two events share an id, and that no event has the id of an instance of a
    /// series.
    fn check_ids(&mut self, own: &[(&Event, u64)]) {
        for pair in own.windows(2) {
            let (first, second) = (pair[0].0, pair[1].0);
            if first.id == second.id {
                let message = format!("the id {} is already used by {}", second.id, first.source);
                let error = Diagnostic::error(message).help("change one of the two");
                self.report_at(second, "id", error);
            }
        }
        for (event, _) in own {
            let parts = event.id.as_str().rsplit_once('_');
            let Some((of, _)) = parts.filter(|(_, time)| is_compact_time(time)) else {
                continue;
            };
            let series = own.binary_search_by(|(event, _)| event.id.as_str().cmp(of));
            let series = series.ok().map(|at| own[at].0);
            if let Some(series) = series.filter(|series| is_series(series)) {
                let message = format!(
                    "the id {} is already used by an event of the series {}",
                    event.id, series.source
                );
                let error = Diagnostic::error(message).help("change the id, or remove it");
                self.report_at(event, "id", error);
            }
        }
    }

    fn report_missing_series(&mut self, event: &Event) {
        let EventKind::Instance { of, .. } = &event.kind else {
            return;
        };
        let message = format!("the calendar {} has no event with the id {of}", event.calendar);
        let error =
            Diagnostic::error(message).help("write the `id` of a series in the same calendar");
        self.report_at(event, "recurringEventId", error);
    }

    fn report_at(&mut self, event: &Event, key: &str, diagnostic: Diagnostic) {
        let placed = place_of(self.root, &event.source, key, "", diagnostic);
        self.report.push(placed);
    }
}

fn is_series(event: &Event) -> bool {
    matches!(&event.kind, EventKind::Own { recurrence, .. } if recurrence.is_some())
}

/// Returns whether a string has the form of [`EventTime::compact`].
fn is_compact_time(text: &str) -> bool {
    let form = match text.len() {
        8 => "00000000",
        _ => "00000000T000000Z",
    };
    let fits = |(byte, form): (u8, u8)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}
