//! `feedwright check --fix`: fixes faults that need no decision by the author.
use model::{Diagnostic, Report};
use project::{self, FixedFile, Options};

/// Applies the automatic fixes for the faults in a report.
pub fn apply_fixes(options: &Options, report: &Report) -> (Vec<FixedFile>, Report) {
    let found: Vec<Diagnostic> = report.clone().into_iter().collect();
    let (config, _) = project::read_config(options);
    project::apply_fixes(&options.root, &config, &found)
}

/// Writes every derived id into its file.
pub fn freeze_ids(options: &Options) -> (Vec<FixedFile>, Report) {
    let (site, _) = project::read(options, &|| ());
    let mut report = Report::default();
    let Some(site) = site else {
        return (Vec::new(), report);
    };
    let items = site
        .snapshot
        .entries
        .iter()
        .map(|entry| &entry.item)
        .filter(|item| item.id_is_derived)
        .map(|item| (&item.source, &item.id));
    let pages =
        site.snapshot.pages.iter().map(|entry| &entry.page).filter(|page| page.id_is_derived);
    let pages = pages.filter_map(|page| Some((page.source.as_ref()?, &page.id)));
    // Only events and series of events need an id. A changed instance of a series is identified by
    // the id of the series and the original start.
    let events = site.snapshot.calendars.all.iter();
    let events = events
        .flat_map(|calendar| &calendar.series)
        .map(|series| &series.event)
        .filter(|event| event.id_is_derived)
        .map(|event| (&event.source, &event.id));
    let mut fixed = Vec::new();
    for (source, id) in items.chain(pages).chain(events) {
        match edit::insert_id(&options.root, source, id) {
            Ok(()) => {
                fixed.push((source.clone(), vec![format!("added `id` {id:?}", id = id.as_str())]))
            }
            Err(diagnostic) => report.push(diagnostic),
        }
    }
    (fixed, report)
}
