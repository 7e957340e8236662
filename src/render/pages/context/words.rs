//! `_words`: the translated words of the page's language.

use mustache::{Data, Object};

use model::Word;
use words::Words;

/// Returns the words by key. A word with plural forms is an object with the plural categories as
/// keys.
pub fn words(words: &Words) -> Data<'_> {
    Data::object(WordsData(words))
}

struct WordsData<'a>(&'a Words);

impl<'a> Object<'a> for WordsData<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        if key == MINUTES {
            return Some(Data::object(Minutes(self.0)));
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
        self.0.keys().chain([MINUTES]).map(str::to_owned).collect()
    }
}

/// The key of durations: `_words.minutes.15`.
const MINUTES: &str = "minutes";

struct Minutes<'a>(&'a Words);

impl<'a> Object<'a> for Minutes<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        key.parse().ok().map(|n| Data::from(self.0.minutes(n)))
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
