//! Checks the realtime apps that live shows refer to.

use std::path::Path;

use super::Calendars;
use model::calendar::Event;
use model::{Config, Diagnostic, Report, Rule};
use source::fields::nearest;
use source::place::place_of;

/// Warns about shows whose app is not in `site.toml`, since feedwright would never receive messages
/// about them.
pub fn check_apps(root: &Path, config: &Config, calendars: &Calendars, report: &mut Report) {
    let known: Vec<&str> = config.realtime.iter().map(|app| app.id.as_str()).collect();
    for series in calendars.all.iter().flat_map(|entry| &entry.series) {
        let of_series = app(&series.event);
        let changed_instances = series.exceptions.iter().map(|exception| &exception.event);
        let own = changed_instances.filter(|event| app(event) != of_series);
        for event in own.chain([&series.event]) {
            let Some(name) = app(event).filter(|name| !known.contains(name)) else {
                continue;
            };
            let help = match nearest(name, &known) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("add [[realtime]] with app_id = {name:?} and a `secret_env`"),
            };
            let warning = Diagnostic::warning(
                Rule::LiveShow,
                format!("site.toml has no realtime app {name:?}"),
            );
            let warning = place_of(root, &event.source, "live", "", warning.help(help));
            report.push(warning);
        }
    }
}

fn app(event: &Event) -> Option<&str> {
    event.live.as_ref()?.app.as_deref()
}
