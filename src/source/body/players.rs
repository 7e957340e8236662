//! Players for the audio and video files that a body refers to. A player downloads no audio or
//! video data until a visitor starts it, except a video's metadata.

use std::fmt::Write;

use crate::html::Role;
use crate::linker::Linker;
use model::{push_attribute, url};

/// The kind of a media file, according to its file extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sound,
    Video,
    Picture,
}

/// The file extensions that browsers show or play.
const PLAYER_EXTENSIONS: [(Kind, &[&str]); 3] = [
    (Kind::Sound, &["mp3", "m4a", "ogg", "oga", "opus", "wav", "flac", "aac"]),
    (Kind::Video, &["mp4", "m4v", "webm", "ogv", "mov"]),
    (Kind::Picture, &["jpg", "jpeg", "png", "webp", "gif", "svg", "avif"]),
];

impl Kind {
    /// Returns the kind of the file at an address or path, or `None` if a page cannot show or play
    /// it.
    pub fn of(reference: &str) -> Option<Self> {
        let path = url::split_suffix(reference).0;
        let path = match path.split_once("://") {
            // The last part of a host name is not a file extension.
            Some((_, rest)) => rest.split_once('/')?.1,
            None => path,
        };
        let is_web = url::is_http(reference) || !url::is_absolute(reference);
        let (stem, ending) = path.rsplit_once('.').filter(|_| is_web)?;
        let has_name = !stem.is_empty() && !stem.ends_with('/');
        let is_own = |own: &&str| own.eq_ignore_ascii_case(ending);
        let mut kinds = PLAYER_EXTENSIONS.iter().filter(|_| has_name);
        kinds.find(|(_, endings)| endings.iter().any(is_own)).map(|(kind, _)| *kind)
    }
}

/// A media file that is shown or played in the page.
pub struct Medium {
    pub url: String,
    /// Width and height in pixels. `None` if they are unknown, or if the file is not on this site.
    pub dimensions: Option<(u32, u32)>,
}

impl Medium {
    /// Resolves the media file that a content file refers to at byte `offset`.
    pub fn of(linker: &Linker<'_, '_>, destination: &str, offset: usize) -> Self {
        let is_file = destination.starts_with("/media/")
            || !(destination.is_empty()
                || destination.starts_with(['/', '#', '?'])
                || url::is_absolute(destination));
        let found = if is_file { linker.picture(destination, offset) } else { None };
        let dimensions = found.as_ref().and_then(|found| found.facts()?.dimensions);
        if let Some(dimensions) = &dimensions {
            linker.hash_fact(dimensions);
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

    /// Appends attributes such as ` width="640" height="480"` if the dimensions are known, so that
    /// the page does not shift when the file loads.
    pub fn push_dimensions(&self, tag: &mut String) {
        if let Some((width, height)) = self.dimensions {
            let _ = write!(tag, " width=\"{width}\" height=\"{height}\"");
        }
    }

    /// Returns the start tag of a player.
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

/// Returns the end tag of a player.
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
    fn the_extension_of_a_path_determines_its_kind() {
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
