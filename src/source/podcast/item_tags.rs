//! Rules for soundbites, seasons and episodes.

use front_matter::Value;

use crate::fields::Fields;
use crate::records::{Found, Rules, record};
use model::Rule;
use model::podcast::{ChaptersLink, Episode, Season, Soundbite};

impl Rules for Season {}
impl Rules for Episode {}

impl Rules for ChaptersLink {}

impl Rules for Soundbite {
    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let seconds = self.duration;
        if let Some(node) = found.fields.node("duration")
            && !(15.0..=120.0).contains(&seconds)
        {
            found.fields.reader.warning(
                Rule::Soundbite,
                &node.span,
                format!("this soundbite is {seconds} seconds long"),
                "choose 15 to 120 seconds: apps may ignore other lengths",
            );
        }
        Some(self)
    }
}

/// Reads `season`: a number, or a table of `number` and `name`.
pub fn season(fields: &Fields<'_, '_>) -> Option<Season> {
    let node = fields.node("season")?;
    if !matches!(node.value, Value::Table(_)) {
        let number = fields.integer("season")?;
        return Some(Season { number, name: None });
    }
    record(fields, "season", node)
}

/// Reads `episode`: a number, or a table of `number` and `display`.
pub fn episode(fields: &Fields<'_, '_>) -> Option<Episode> {
    let node = fields.node("episode")?;
    if !matches!(node.value, Value::Table(_)) {
        let number = fields.number("episode")?;
        return Some(Episode { number, display: None });
    }
    record(fields, "episode", node)
}
