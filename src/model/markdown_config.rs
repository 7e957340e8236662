//! `[markdown]`: what a Markdown text may hold beyond CommonMark, and how its code is shown.

/// `[markdown]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MarkdownConfig {
    /// Whether quotes and dashes become typographic.
    pub smart_punctuation: bool,
    /// Whether code blocks are coloured.
    pub highlight: bool,
    /// Whether a link to sound, video or a picture on a line of its own becomes a player.
    pub media_players: bool,
    /// Whether several pictures in a paragraph are a gallery, and the title of one by itself is its caption.
    pub galleries: bool,
    /// Whether a link to a video of a known host on a line of its own becomes a card.
    pub video_cards: bool,
    /// Whether `[[a name]]` is a link.
    pub wiki_links: bool,
    /// Whether the lines of code blocks are numbered that say nothing of it.
    pub line_numbers: bool,
    /// Whether `> [!NOTE]` begins a note.
    pub notes: bool,
    /// Whether bare addresses are links.
    pub autolinks: bool,
    /// Whether a line that begins with a colon defines the term above it.
    pub definition_lists: bool,
    /// Whether what stands between dollar signs is a formula.
    pub math: bool,
}

impl Default for MarkdownConfig {
    fn default() -> Self {
        Self {
            smart_punctuation: false,
            highlight: true,
            media_players: true,
            galleries: true,
            video_cards: true,
            wiki_links: true,
            line_numbers: false,
            notes: true,
            autolinks: true,
            definition_lists: true,
            math: true,
        }
    }
}
