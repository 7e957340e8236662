//! `[markdown]`: extensions to CommonMark, and how code is shown.

use super::declare::settings;

settings! {
    /// `[markdown]`: extensions to CommonMark.
    #[derive(Copy)]
    MarkdownConfig {
        /// converts straight quotes and hyphens to typographic ones
        smart_punctuation: bool = "smart_punctuation", Flag => false;
        /// highlights the syntax of code blocks, and shows their language
        highlight: bool = "highlight", Flag => true;
        /// numbers the lines of code blocks, except with `linenos=false`
        line_numbers: bool = "line_numbers", Flag => false;
        /// reads `> [!NOTE]` as the start of a note
        notes: bool = "notes", Flag => true;
        /// turns bare addresses into links
        autolinks: bool = "autolinks", Flag => true;
        /// reads a line that begins with a colon as a definition of the term above
        definition_lists: bool = "definition_lists", Flag => true;
        /// reads text between dollar signs as a formula
        math: bool = "math", Flag => true;
        /// reads `[[a name]]` as a link
        wiki_links: bool = "wiki_links", Flag => true;
        /// turns a link to audio, video or a picture into a player or picture, if the link is on a
        /// separate line
        media_players: bool = "media_players", Flag => true;
        /// turns several pictures in a paragraph into a gallery. If a paragraph contains only one
        /// picture, the picture's title becomes the caption
        galleries: bool = "galleries", Flag => true;
        /// turns a link to a video on a known host into a card, if the link is on a separate line
        video_cards: bool = "video_cards", Flag => true;
    }
}
