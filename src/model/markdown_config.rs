//! `[markdown]`: what a Markdown text may hold beyond CommonMark, and how its code is shown.

use super::declare::settings;

settings! {
    /// `[markdown]`: what a text may hold beyond CommonMark.
    #[derive(Copy)]
    MarkdownConfig {
        /// straight quotes and hyphens become typographic
        smart_punctuation: bool = "smart_punctuation", Flag => false;
        /// code blocks are coloured by their language, and say it
        highlight: bool = "highlight", Flag => true;
        /// the lines of code blocks are numbered, but where a fence says `linenos=false`
        line_numbers: bool = "line_numbers", Flag => false;
        /// `> [!NOTE]` begins a note
        notes: bool = "notes", Flag => true;
        /// bare addresses are links
        autolinks: bool = "autolinks", Flag => true;
        /// a line that begins with a colon defines the term above it
        definition_lists: bool = "definition_lists", Flag => true;
        /// what stands between dollar signs is a formula
        math: bool = "math", Flag => true;
        /// `[[a name]]` is a link
        wiki_links: bool = "wiki_links", Flag => true;
        /// a link to sound, video or a picture on a line of its own becomes a player or the picture
        media_players: bool = "media_players", Flag => true;
        /// several pictures in one paragraph are a gallery, and the title of a picture by itself is its caption
        galleries: bool = "galleries", Flag => true;
        /// a link to a video of a known host on a line of its own becomes a card
        video_cards: bool = "video_cards", Flag => true;
    }
}
