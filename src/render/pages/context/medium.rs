//! What a feed holds, for people.

use model::podcast::Medium;
use words::Words;

/// What the show is: `Music`, or for a list of what plays elsewhere `Music · Playlist`. None for what needs no word: a
/// podcast, and a feed of several kinds.
pub fn text(medium: Medium, words: &Words) -> Option<String> {
    let name = medium.as_str();
    let (kind, is_list) = match name.strip_suffix('L') {
        Some(kind) => (kind, true),
        None => (name, false),
    };
    let kind_text = match kind {
        "music" => Some("music"),
        "video" => Some("video"),
        "film" => Some("film"),
        "audiobook" => Some("audiobook"),
        "newsletter" => Some("newsletter"),
        "blog" => Some("blog"),
        "publisher" => Some("publisher"),
        "course" => Some("course"),
        _ => None,
    };
    // Nothing of these plays.
    let is_playlist = is_list && !matches!(kind, "newsletter" | "blog" | "publisher");
    let parts = [kind_text, is_playlist.then_some("playlist")];
    let texts: Vec<&str> = parts.iter().flatten().map(|key| words.text(key)).collect();
    (!texts.is_empty()).then(|| texts.join(" · "))
}
