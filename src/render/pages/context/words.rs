//! `_words`: the translated words of the page's language.

use mustache::{Data, Object};

use crate::text::clock;
use model::Word;
use words::{RENAMED, Words};

/// Returns the translated words by key. A word with plural forms is an object whose keys are the
/// plural categories.
pub fn words(words: &Words) -> Data<'_> {
    Data::object(WordsData(words))
}

struct WordsData<'a>(&'a Words);

impl<'a> WordsData<'a> {
    /// Returns a value that is computed from words, numbers and patterns instead of stored under
    /// its key.
    fn computed(&self, key: &str) -> Option<Data<'a>> {
        let words = self.0;
        let numbered = |format: fn(&Words, &str) -> Option<String>| {
            Some(Data::object(Numbered { words, format }))
        };
        match key {
            "minutes" => numbered(|words, n| n.parse().ok().map(|n| words.minutes(n))),
            "number" => numbered(|words, n| Some(words.localize_digits(n))),
            "clock" => {
                numbered(|words, n| n.parse().ok().map(|n| words.localize_digits(&clock(n))))
            }
            "speeds" => Some(speeds(words)),
            "colon" => Some(words.colon().into()),
            "comma" => Some(words.comma().into()),
            "lang" => Some(words.other_language().map_or_else(Data::default, Data::from)),
            "back" => {
                Some(words.fill_placeholders(key, &[("n", &words.localize_digits(BACK))]).into())
            }
            "forward" => {
                Some(words.fill_placeholders(key, &[("n", &words.localize_digits(FORWARD))]).into())
            }
            // A template that prints `by` writes the authors' names after this word itself.
            "by" => {
                let (before, after) = words.around_authors(1);
                let word = if before.is_empty() { after } else { before };
                Some(word.trim().to_owned().into())
            }
            _ => None,
        }
    }
}

/// The keys of [`WordsData::computed`] that language files do not contain.
const COMPUTED: [&str; 7] = ["minutes", "number", "clock", "speeds", "colon", "comma", "lang"];

/// Numbers of seconds that the buttons of a player skip.
const BACK: &str = "15";
const FORWARD: &str = "30";

/// Speeds that a player offers.
const SPEEDS: [&str; 8] = ["0.75", "1", "1.25", "1.5", "1.75", "2", "2.5", "3"];

fn speeds(words: &Words) -> Data<'_> {
    let speeds = SPEEDS.into_iter().map(|speed| {
        let text = words.ungrouped(speed);
        let is_normal = speed == "1";
        Data::from([
            ("value", Data::from(speed)),
            ("text", text.into()),
            ("is_normal", is_normal.into()),
        ])
    });
    speeds.collect()
}

impl<'a> Object<'a> for WordsData<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        if let Some(computed) = self.computed(key) {
            return Some(computed);
        }
        Some(match self.0.get(key) {
            Some(Word::Text(text)) => Data::from(text),
            Some(Word::Counted(forms)) => {
                let forms = forms.iter();
                let forms = forms.map(|(category, form)| (category.as_str(), Data::from(form)));
                Data::object(Forms(forms.collect()))
            }
            None => Data::default(),
        })
    }

    fn keys(&self) -> Vec<String> {
        self.0
            .keys()
            .chain(COMPUTED)
            .chain(RENAMED.map(|(old, _)| old))
            .map(str::to_owned)
            .collect()
    }
}

/// Strings that contain a number. The number is the key: `_words.minutes.15`.
struct Numbered<'a> {
    words: &'a Words,
    format: fn(&Words, &str) -> Option<String>,
}

impl<'a> Object<'a> for Numbered<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        (self.format)(self.words, key).map(Data::from)
    }

    fn keys(&self) -> Vec<String> {
        Vec::new()
    }
}

struct Forms<'a>(Vec<(&'a str, Data<'a>)>);

impl<'a> Object<'a> for Forms<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let found = self.0.iter().find(|(category, _)| *category == key)?;
        Some(found.1.clone())
    }

    fn keys(&self) -> Vec<String> {
        self.0.iter().map(|(category, _)| (*category).to_owned()).collect()
    }
}
