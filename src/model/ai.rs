//! Preferences about the use of the site by AI systems: `[ai]` in `site.toml`.

use super::declare::keys;

keys! {
    /// Keys of `[ai]` in `site.toml`.
    AI {
        /// whether AI systems that generate content may be trained with the site
        Optional "train", Flag, left_out("says nothing");
        /// whether search engines may use the site to direct people to it
        Optional "search", Flag, left_out("says nothing");
    }
}

/// The author's preferences. None means that the site says nothing about this use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AiPreferences {
    pub train: Option<bool>,
    pub search: Option<bool>,
}

impl AiPreferences {
    /// The name of the HTTP field and of the rule in `robots.txt` (draft-ietf-aipref-attach-05).
    pub const FIELD: &str = "Content-Usage";

    /// The name of the HTTP field and of the `<meta>` element that reserve the right to text and
    /// data mining (TDM Reservation Protocol).
    pub const RESERVATION: &str = "tdm-reservation";

    /// Returns the stated preferences with their labels (draft-ietf-aipref-vocab-08).
    pub fn stated(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let all = [("train-ai", self.train), ("search", self.search)];
        all.into_iter().filter_map(|(label, value)| Some((label, value?)))
    }

    /// Returns the preferences as a structured field: `train-ai=n, search=y`. Returns None if there
    /// are none.
    pub fn content_usage(&self) -> Option<String> {
        let stated = self.stated().map(|(label, allowed)| {
            let value = if allowed { "y" } else { "n" };
            format!("{label}={value}")
        });
        let stated: Vec<String> = stated.collect();
        (!stated.is_empty()).then(|| stated.join(", "))
    }

    /// Returns whether the author reserves the right to text and data mining, which AI training
    /// needs (Directive (EU) 2019/790, article 4).
    pub fn reserves_mining(&self) -> bool {
        self.train == Some(false)
    }

    /// Returns the HTTP fields to send with every document.
    pub fn http_fields(&self) -> Vec<(&'static str, String)> {
        let usage = self.content_usage().map(|usage| (Self::FIELD, usage));
        let reservation = self.reserves_mining().then(|| (Self::RESERVATION, "1".to_owned()));
        usage.into_iter().chain(reservation).collect()
    }
}
