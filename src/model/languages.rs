//! The languages of a site: `[languages]` in `site.toml`.

use std::borrow::Cow;

use super::declare::keys;
use super::named::words;
use super::{ContentFolder, LANGUAGE, SitePath};

keys! {
    /// Keys of `[languages]` in `site.toml`.
    LANGUAGES {
        /// language of the site, whose pages are at the root
        Optional "default", LANGUAGE;
        /// other languages; the pages of each are below `/<language>/`, such as `/de/`
        Optional "others", Own("list of language tags", &[Written::Plain]), listed;
        /// whether another language omits texts without a translation, or shows them in the default
        /// language
        Optional "untranslated", Word(Untranslated::NAMES) => "omit";
    }
}

words! {
    /// Texts of the default language in a language into which they are not translated.
    #[derive(Default)]
    Untranslated {
        /// They are left out.
        #[default]
        Omit = "omit",
        /// They are shown in the default language.
        Show = "show",
    }
}

/// The languages of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Languages {
    /// Language tag of the site.
    pub default: Option<String>,
    /// Tags of the other languages. Empty for a site with one language.
    pub others: Vec<String>,
    pub untranslated: Untranslated,
}

impl Languages {
    /// Returns the index of a text's language: 0 for the default language, or one more than its index
    /// in `others`. A text with a region, such as `de-AT`, belongs to the language `de`.
    pub fn index(&self, tag: Option<&str>) -> usize {
        let Some(tag) = tag.filter(|_| !self.others.is_empty()) else { return 0 };
        let fitting = self.tags().filter(|(_, own)| is_in_language(tag, own));
        fitting.max_by_key(|(_, own)| own.len()).map_or(0, |(index, _)| index)
    }

    /// Returns the tag of each language with its index.
    fn tags(&self) -> impl Iterator<Item = (usize, &str)> {
        let default = self.default.iter().map(|tag| (0, tag.as_str()));
        default.chain(self.others.iter().enumerate().map(|(at, tag)| (at + 1, tag.as_str())))
    }

    /// Returns the tag of a language. `None` for a default language that the site does not state.
    pub fn tag(&self, index: usize) -> Option<&str> {
        self.tags().find(|(at, _)| *at == index).map(|(_, tag)| tag)
    }

    /// Returns the language of a text, for a site with several languages also if the text does not
    /// state it.
    pub fn of_text<'a>(&'a self, stated: Option<&'a str>) -> Option<&'a str> {
        stated.or_else(|| self.tag(0).filter(|_| !self.others.is_empty()))
    }

    /// Returns the tag of a language in addresses: in lower case. Empty for a default language that
    /// the site does not state.
    pub fn code(&self, index: usize) -> String {
        self.tag(index).map(str::to_ascii_lowercase).unwrap_or_default()
    }

    /// Returns the path below which the pages of a language are, such as `/de`. Empty for the default
    /// language.
    pub fn mount(&self, index: usize) -> String {
        if index == 0 { String::new() } else { format!("/{}", self.code(index)) }
    }

    /// Returns the paths of the languages other than the default language.
    pub fn mounts(&self) -> impl Iterator<Item = String> {
        (1..=self.others.len()).map(|index| self.mount(index))
    }

    /// Returns the path of the language that a path of the site belongs to. Empty for the default
    /// language.
    pub fn mount_of(&self, path: &str) -> String {
        mount_of(self.mounts(), path)
    }

    /// Returns whether a path, or its first part, is below the path of a language.
    pub fn has_mount(&self, slug: &str) -> bool {
        let first = slug.split('/').next().unwrap_or_default();
        self.others.iter().any(|tag| tag.eq_ignore_ascii_case(first))
    }

    fn tag_of(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags();
        tags.find(|(_, tag)| tag.eq_ignore_ascii_case(name)).map(|(_, tag)| tag)
    }

    /// Returns the language in a file's name, as in `walk.de.md`, and the file's path without the
    /// language and the extension. Returns `None` for a site with one language.
    pub fn of_name<'p>(&self, path: &'p str) -> Option<(&str, &'p str)> {
        let (rest, name) = path.rsplit_once('.')?.0.rsplit_once('.')?;
        let tag = self.tag_of(name).filter(|_| !self.others.is_empty())?;
        Some((tag, rest))
    }

    /// Returns the language of a content file by its name, as in `walk.de.md`, or else by its folder,
    /// as in `content/items/de/walk.md`. Also returns the file's [`page_path`](SitePath::page_path)
    /// without the language. Returns `None` for a site with one language.
    pub fn of_file<'p>(&self, path: &'p SitePath) -> Option<(Option<&str>, Cow<'p, str>)> {
        if self.others.is_empty() {
            return None;
        }
        let (tag, rest) = match self.of_name(path.as_str()) {
            Some((tag, rest)) => (Some(tag), Cow::Borrowed(rest)),
            None => {
                let whole = path.as_str().rsplit_once('.').map_or(path.as_str(), |(path, _)| path);
                let in_folder = || {
                    let (content, inner) = ContentFolder::split(whole)?;
                    let (kind, inner) = inner.split_once('/')?;
                    let (folder, rest) = inner.split_once('/')?;
                    Some((Some(self.tag_of(folder)?), format!("{content}/{kind}/{rest}").into()))
                };
                in_folder().unwrap_or((None, whole.into()))
            }
        };
        let rest = match rest {
            Cow::Borrowed(rest) => Cow::Borrowed(rest.strip_suffix("/index").unwrap_or(rest)),
            Cow::Owned(rest) => rest.strip_suffix("/index").unwrap_or(&rest).to_owned().into(),
        };
        Some((tag, rest))
    }
}

/// Returns whether a language tag is `language`, or `language` with a region or other subtags.
pub fn is_in_language(tag: &str, language: &str) -> bool {
    let start = tag.get(..language.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(language))
        && matches!(tag.as_bytes().get(language.len()), None | Some(b'-'))
}

/// Returns the path in `mounts` that a path is below, or an empty path.
pub(super) fn mount_of(mut mounts: impl Iterator<Item = String>, path: &str) -> String {
    let is_below = |mount: &String| {
        let rest = path.strip_prefix(&**mount);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    mounts.find(is_below).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages() -> Languages {
        let others = ["de", "pt-BR"].map(str::to_owned).into();
        Languages { default: Some("en".into()), others, ..Languages::default() }
    }

    #[test]
    fn the_language_of_a_file_is_in_its_name_or_its_folder() {
        let found = |path: &str| {
            let languages = languages();
            let path = SitePath::parse(path).unwrap();
            let (tag, rest) = languages.of_file(&path).unwrap();
            (tag.map(str::to_owned), rest.into_owned())
        };
        let de = Some("de".to_owned());
        assert_eq!(found("content/items/walk.de.md"), (de.clone(), "content/items/walk".into()));
        assert_eq!(found("content/items/walk.DE.md"), (de.clone(), "content/items/walk".into()));
        assert_eq!(found("content/items/de/walk.md"), (de.clone(), "content/items/walk".into()));
        assert_eq!(found("content/items/walk/index.de.md"), (de, "content/items/walk".into()));
        let brazil = (Some("pt-BR".to_owned()), "content/pages/a/about".to_owned());
        assert_eq!(found("content/pages/a/about.pt-br.md"), brazil);
        assert_eq!(found("content/items/v1.2.md"), (None, "content/items/v1.2".into()));
        assert_eq!(found("content/items/de.md"), (None, "content/items/de".into()));
    }

    #[test]
    fn a_language_with_a_region_belongs_to_the_nearest_language() {
        let tags = [
            None,
            Some("en-GB"),
            Some("de-AT"),
            Some("DE"),
            Some("pt-BR"),
            Some("pt"),
            Some("den"),
        ];
        assert_eq!(tags.map(|tag| languages().index(tag)), [0, 0, 1, 1, 2, 0, 0]);
        assert_eq!([0, 1, 2].map(|at| languages().mount(at)), ["", "/de", "/pt-br"]);
    }
}
