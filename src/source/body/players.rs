//! The players of sound and video that a text names, which ask for nothing large before they are used.

use std::fmt::Write;

use crate::html::Role;
use crate::linker::Linker;
use model::{push_attribute, url};

/// What a file is, by its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sound,
    Video,
    Picture,
}

/// Endings that browsers show or play.
const ENDINGS: [(Kind, &[&str]); 3] = [
    (Kind::Sound, &["mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "aac"]),
    (Kind::Video, &["mp4", "m4v", "webm", "ogv", "mov"]),
    (Kind::Picture, &["jpg", "jpeg", "png", "webp", "gif", "svg", "avif"]),
];

impl Kind {
    /// The kind of what an address or a path leads to, if a page can show or play it.
    pub fn of(reference: &str) -> Option<Self> {
        let path = url::split_suffix(reference).0;
        let path = match path.split_once("://") {
            // The ending of a host is not that of a file.
            Some((_, rest)) => rest.split_once('/')?.1,
            None => path,
        };
        let is_web = url::is_http(reference) || !url::is_absolute(reference);
        let (stem, ending) = path.rsplit_once('.').filter(|_| is_web)?;
        let has_name = !stem.is_empty() && !stem.ends_with('/');
        let is_own = |own: &&str| own.eq_ignore_ascii_case(ending);
        let mut kinds = ENDINGS.iter().filter(|_| has_name);
        kinds.find(|(_, endings)| endings.iter().any(is_own)).map(|(kind, _)| *kind)
    }
}

/// A medium that is shown or played in place.
pub struct Medium {
    pub url: String,
    /// Width and height, of a file of the site.
    pub dimensions: Option<(u32, u32)>,
}

impl Medium {
    /// What a text names there.
    pub fn of(linker: &Linker<'_, '_>, destination: &str, offset: usize) -> Self {
        let is_file = destination.starts_with("/media/")
            || !(destination.is_empty()
                || destination.starts_with(['/', '#', '?'])
                || url::is_absolute(destination));
        let found = if is_file { linker.picture(destination, offset) } else { None };
        let dimensions = found.as_ref().and_then(|found| found.facts()?.dimensions);
        if let Some(dimensions) = &dimensions {
            linker.remember(dimensions);
        }
        let url = match found {
            Some(found) => found.url().to_owned(),
            None if is_file => url::encode_reference(destination),
            None => linker
                .resolve(Role::Embed, destination, offset)
                .unwrap_or_else(|| url::encode_reference(destination)),
        };
        Self { url, dimensions }
    }

    /// ` width="640" height="480"`, where they are known: so nothing moves when the medium arrives.
    pub fn push_dimensions(&self, tag: &mut String) {
        if let Some((width, height)) = self.dimensions {
            let _ = write!(tag, " width=\"{width}\" height=\"{height}\"");
        }
    }

    /// The start tag of a player.
    pub fn player(&self, kind: Kind) -> String {
        let mut tag = String::from(match kind {
            Kind::Video => "<video controls playsinline preload=\"metadata\" src=\"",
            Kind::Sound | Kind::Picture => "<audio controls preload=\"none\" src=\"",
        });
        push_attribute(&mut tag, &self.url);
        tag.push('"');
        if kind == Kind::Video {
            self.push_dimensions(&mut tag);
        }
        tag.push('>');
        tag
    }
}

/// The end tag of a player.
pub fn end_of_player(kind: Kind) -> &'static str {
    match kind {
        Kind::Video => "</video>",
        Kind::Sound | Kind::Picture => "</audio>",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_the_ending_of_a_path() {
        for (reference, kind) in [
            ("walk.mp3", Some(Kind::Sound)),
            ("../a/WALK.MP4#t=3", Some(Kind::Video)),
            ("/media/pier.jpg?x=.mp3", Some(Kind::Picture)),
            ("https://a.example/x.opus?dl=1", Some(Kind::Sound)),
            ("https://a.mp3", None),
            ("https://a.mp3/", None),
            ("https://a.example/?x.mp3", None),
            ("javascript:alert(1)//x.mp3", None),
            ("data:audio/mpeg,x.mp3", None),
            (".mp3", None),
            ("a/.mp3", None),
            ("mp3", None),
            ("walk.md", None),
        ] {
            assert_eq!(Kind::of(reference), kind, "{reference}");
        }
    }
}
