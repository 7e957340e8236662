//! Rules for people, licences and places.

use crate::fields::nearest;
use crate::records::{Found, Rules};
use model::chapter::ChapterLocation;
use model::podcast::vocabulary;
use model::podcast::{License, Location, Person};

impl Rules for Person {}
impl Rules for Location {}
impl Rules for ChapterLocation {}

impl Rules for License {
    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let Self { identifier, url } = self;
        if let Some((identifier, needed)) = vocabulary::known_license(identifier.trim()) {
            return Some(Self {
                identifier: identifier.to_owned(),
                url: url.or(needed.map(str::to_owned)),
            });
        }
        if url.is_none() {
            let names: Vec<&str> = vocabulary::LICENSES
                .into_iter()
                .chain(vocabulary::PUBLIC_LICENSES.map(|(name, _)| name))
                .collect();
            let near = nearest(&identifier, &names)
                .map_or(String::new(), |near| format!("did you mean \"{near}\"? Otherwise "));
            let notation = found.fields.reader.notation();
            let license = notation.table(&[("identifier", "…"), ("url", "…")]);
            let license = notation.pair("license", &license);
            found.fields.reader.error(
                &found.node.span,
                format!("{identifier:?} is not a known public licence, so it needs a `url`"),
                format!("{near}write {license} with the address of its text"),
            );
            return None;
        }
        Some(Self { identifier, url })
    }
}
