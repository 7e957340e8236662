//! Labels for the medium of a feed.

use model::podcast::Medium;
use words::Words;

/// Returns the label for a kind of show: `Music`, or `Music · Playlist` for a list of content from
/// other feeds. Returns None for kinds that need no label: a podcast, or a feed of mixed kinds.
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
    // Newsletters, blogs and publishers contain nothing to play, so a list of them is no playlist.
    let is_playlist = is_list && !matches!(kind, "newsletter" | "blog" | "publisher");
    let parts = [kind_text, is_playlist.then_some("playlist")];
    let texts: Vec<&str> = parts.iter().flatten().map(|key| words.text(key)).collect();
    (!texts.is_empty()).then(|| texts.join(" · "))
}
