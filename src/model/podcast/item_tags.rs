//! What only an item has: where it stands in the show, and what is inside it.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::declare::records;

records! {
    /// `podcast:chapters` where the document lies elsewhere.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ChaptersLink = "podcast:chapters" {
        /// Its absolute URL.
        Required url: String = "url", Address, alone;
        /// Its media type, mostly `application/json+chapters`.
        Filled media_type: String = "type", Text(255) => "application/json+chapters".to_owned();
    }

    /// `podcast:soundbite`: a passage worth hearing by itself.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Soundbite = "podcast:soundbite" {
        /// Where it starts, in seconds from the start of the enclosure.
        Required start_time: f64 = "startTime", Seconds;
        /// How long it is, in seconds; 15 to 120 are recommended.
        Required duration: f64 = "duration", Seconds, example("60");
        /// Its title, at most 128 characters; apps take the episode's where it is missing.
        Optional title: Option<String> = "title", Text(128), content;
    }

    /// `podcast:season`.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Season = "podcast:season" {
        /// Its number.
        Required number: i64 = "number", Between(0, i64::MAX), content;
        /// Its name, at most 128 characters.
        Optional name: Option<String> = "name", Text(128);
    }

    /// `podcast:episode`.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Episode = "podcast:episode" {
        /// Its number, which may have decimals (`100.5`).
        Required number: f64 = "number", Number, content;
        /// What is shown in place of the number, at most 32 characters.
        Optional display: Option<String> = "display", Text(32);
    }
}
