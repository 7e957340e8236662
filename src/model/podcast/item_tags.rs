//! Podcast tags that only an item has: chapters, soundbites, season and episode number.

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::declare::records;

records! {
    /// `podcast:chapters`, if the chapters document is external.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ChaptersLink = "podcast:chapters" {
        /// Absolute URL of the document.
        Required url: String = "url", Address, alone;
        /// Media type of the document, usually `application/json+chapters`.
        Filled media_type: String = "type", Text(255) => "application/json+chapters".to_owned();
    }

    /// `podcast:soundbite`: a passage worth hearing on its own.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Soundbite = "podcast:soundbite" {
        /// Start in seconds from the start of the enclosure.
        Required start_time: f64 = "startTime", Seconds;
        /// Duration in seconds; 15 to 120 are recommended.
        Required duration: f64 = "duration", Seconds, example("60");
        /// Title, at most 128 characters; apps use the title of the episode when left out.
        Optional title: Option<String> = "title", Text(128), content;
        /// Whether the passage can be cut out of the attachment as a separate recording.
        Filled is_cut: bool = "", Hidden;
    }

    /// `podcast:season`: the season of an episode.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Season = "podcast:season" {
        /// Number of the season.
        Required number: i64 = "number", Between(0, i64::MAX), content;
        /// Name of the season, at most 128 characters.
        Optional name: Option<String> = "name", Text(128);
    }

    /// `podcast:episode`: the number of an episode.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Episode = "podcast:episode" {
        /// Number of the episode, which may have decimals (`100.5`).
        Required number: f64 = "number", Number, content;
        /// Text to show in place of the number, at most 32 characters.
        Optional display: Option<String> = "display", Text(32);
    }
}

impl Soundbite {
    /// Returns the passage in milliseconds from the start of the recording.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn milliseconds(&self) -> Range<u64> {
        // Converts negative numbers to 0.
        let milliseconds = |seconds: f64| (seconds * 1000.0).round() as u64;
        milliseconds(self.start_time)..milliseconds(self.start_time + self.duration)
    }
}
