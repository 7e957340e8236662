//! `soundbites`, `season`, `episode`.

use front_matter::Value;

use super::shapes::{each, missing, required_seconds, table};
use crate::model::Rule;
use crate::model::podcast::{Episode, Season, Soundbite};
use crate::source::fields::Fields;

/// `soundbites`: tables.
pub fn soundbites(fields: &Fields<'_, '_>) -> Vec<Soundbite> {
    each(fields, &["soundbites", "soundbite"], |key, node| {
        table(fields, key, node, |bite| {
            let start_time = required_seconds(bite, "startTime", &node.span);
            let duration = required_seconds(bite, "duration", &node.span);
            let title = bite.text("title", 128);
            if let (Some(seconds), Some(node)) = (duration, bite.node("duration"))
                && !(15.0..=120.0).contains(&seconds)
            {
                bite.reader.warning(
                    Rule::Soundbite,
                    &node.span,
                    format!("this soundbite is {seconds} seconds long"),
                    "15 to 120 seconds are recommended; apps may leave others out",
                );
            }
            Some(Soundbite {
                start_time: start_time?,
                duration: duration?,
                title,
            })
        })
    })
}

/// `season`: a number, or a table of `number` and `name`.
pub fn season(fields: &Fields<'_, '_>) -> Option<Season> {
    let node = fields.node("season")?;
    if !matches!(node.value, Value::Table(_)) {
        return fields
            .integer("season", 0..=i64::MAX)
            .map(|number| Season { number, name: None });
    }
    table(fields, "season", node, |season| {
        let name = season.text("name", 128);
        if season.node("number").is_none() {
            missing(season, "number", &node.span);
        }
        let number = season.integer("number", 0..=i64::MAX)?;
        Some(Season { number, name })
    })
}

/// `episode`: a number, or a table of `number` and `display`.
pub fn episode(fields: &Fields<'_, '_>) -> Option<Episode> {
    let node = fields.node("episode")?;
    if !matches!(node.value, Value::Table(_)) {
        return fields.number("episode").map(|number| Episode {
            number,
            display: None,
        });
    }
    table(fields, "episode", node, |episode| {
        let display = episode.text("display", 32);
        if episode.node("number").is_none() {
            missing(episode, "number", &node.span);
        }
        let number = episode.number("number")?;
        Some(Episode { number, display })
    })
}
