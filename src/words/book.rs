//! The words of a site's interface, in all languages that the site uses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{ENGLISH, Words, chain};
use model::{CustomWords, WordTable};

/// Suffix of the tag of a language's formal variant.
const FORMAL: &str = "-x-formal";

/// The words of one site. Words in a language other than the site's are built when they are first
/// requested.
#[derive(Debug)]
pub struct WordBook {
    /// Words in the site's language.
    pub site: Arc<Words>,
    theme: BTreeMap<String, WordTable>,
    own: CustomWords,
    others: Mutex<BTreeMap<String, Arc<Words>>>,
}

impl WordBook {
    /// Creates the word book of a site whose language is `language`. A theme's words override the
    /// program's, and an author's words override both.
    pub fn new(
        language: Option<&str>,
        theme: &BTreeMap<String, WordTable>,
        own: &CustomWords,
    ) -> Self {
        let language = language.unwrap_or(ENGLISH);
        let names = names(language, own);
        let has_layers = !own.site.is_empty() || has_words(&names, theme, own);
        let layers = layers(&names, theme, own, true);
        let site = Words::of(language, &names, layers.cloned(), has_layers);
        Self {
            site: Arc::new(site),
            theme: theme.clone(),
            own: own.clone(),
            others: Mutex::default(),
        }
    }

    /// Returns the words for a document in `language`, or the site's words if `language` is None.
    pub fn words(&self, language: Option<&str>) -> Arc<Words> {
        let Some(language) =
            language.filter(|language| !language.eq_ignore_ascii_case(&self.site.language))
        else {
            return self.site.clone();
        };
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let made = others.entry(language.to_owned()).or_insert_with(|| {
            let names = names(language, &self.own);
            let layers = layers(&names, &self.theme, &self.own, false);
            let has_layers = has_words(&names, &self.theme, &self.own);
            Arc::new(Words::of(language, &names, layers.cloned(), has_layers))
        });
        made.clone()
    }
}

/// Returns a language and its fallbacks. If visitors are addressed formally, the formal variant of
/// each language comes before the language: `de-x-formal`, `de`.
fn names(language: &str, own: &CustomWords) -> Vec<String> {
    let chain = chain(language).into_iter();
    let with_variants = chain.flat_map(|name| {
        let formal = own.formal.then(|| format!("{name}{FORMAL}"));
        formal.into_iter().chain([name])
    });
    with_variants.collect()
}

/// Returns whether a theme or an author has words in a language.
fn has_words(names: &[String], theme: &BTreeMap<String, WordTable>, own: &CustomWords) -> bool {
    names.iter().any(|name| {
        let mut own = own.languages.keys();
        theme.contains_key(name) || own.any(|own| own.eq_ignore_ascii_case(name))
    })
}

/// Returns the word tables that override the program's words, lowest priority first.
fn layers<'a>(
    names: &[String],
    theme: &'a BTreeMap<String, WordTable>,
    own: &'a CustomWords,
    is_site: bool,
) -> std::vec::IntoIter<&'a WordTable> {
    let names: Vec<_> = names.iter().rev().collect();
    let english = theme.get(ENGLISH).into_iter();
    let of_theme: Vec<_> =
        english.chain(names.iter().filter_map(|name| theme.get(*name))).collect();
    let of_author = names.into_iter().filter_map(|name| {
        let mut tables = own.languages.iter();
        let found = tables.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, table)| table)
    });
    let site = is_site.then_some(&own.site);
    let all: Vec<_> = of_theme.into_iter().chain(site).chain(of_author).collect();
    all.into_iter()
}
