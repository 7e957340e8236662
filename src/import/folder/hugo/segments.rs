//! Segments of a Hugo site. The settings can restrict rendering to some segments.

use serde_json::Value;

use super::cascade::{Matcher, Target};
use crate::folder::data::{self, Data, texts_at};

/// The segments to render. An empty list means the whole site.
pub struct Segments(Vec<Segment>);

struct Segment {
    included: Vec<Matcher>,
    excluded: Vec<Matcher>,
}

impl Segments {
    pub fn of(settings: &Data) -> Self {
        let named = texts_at(settings, "rendersegments");
        let segment = |name: &String| {
            let filters = |key: &str| {
                let tables = data::at(settings, &format!("segments.{name}.{key}")).cloned();
                let tables = tables.map(data::list).unwrap_or_default();
                tables.iter().filter_map(Value::as_object).map(Matcher::of).collect()
            };
            Segment { included: filters("includes"), excluded: filters("excludes") }
        };
        Self(named.iter().map(segment).collect())
    }

    /// Returns whether a content file has no page because it is in none of the segments.
    pub fn excludes(&self, target: &Target<'_>) -> bool {
        let holds =
            |matchers: &[Matcher]| matchers.iter().any(|matcher| matcher.matches_target(target));
        let renders = |segment: &Segment| holds(&segment.included) && !holds(&segment.excluded);
        !self.0.is_empty() && !self.0.iter().any(renders)
    }
}
