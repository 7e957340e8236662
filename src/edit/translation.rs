//! Places of content files in a site with several languages, and new translations.

use std::path::Path;

use front_matter::Change;

use super::apply;
use model::{Diagnostic, Item, ItemId, Languages, Page, SitePath, Source, is_in_language};
use source::sources::FromFile;

/// Keys that identify a text. Its translation does not have them.
const OWN_KEYS: [&str; 5] = ["aliases", "guid", "permalink", "redirect_from", "language"];

/// The place of the content files in one language: their folder, and the end of their names.
#[derive(Debug, PartialEq, Eq)]
pub struct LanguagePlace {
    pub folder: SitePath,
    /// The extension, such as `md`, or `de.md` if the site has no folder for the language.
    pub extension: String,
}

impl LanguagePlace {
    /// Returns the place in a folder such as `content/items`. The files of a language are in its
    /// own folder if there is one, such as `content/items/de`.
    pub fn of(
        root: &Path,
        languages: &Languages,
        (folder, extension): (&SitePath, &str),
        language: Option<&str>,
    ) -> Self {
        let plain = || Self { folder: folder.clone(), extension: extension.to_owned() };
        let index = languages.index(language);
        let Some(tag) = languages.tag(index).filter(|_| !languages.others.is_empty()) else {
            return plain();
        };
        let is_own = |own: &String| own.eq_ignore_ascii_case(tag);
        let own = folders(&folder.on_disk(root)).into_iter().find(is_own);
        match own.and_then(|own| SitePath::parse(&format!("{folder}/{own}"))) {
            Some(folder) => Self { folder, extension: extension.to_owned() },
            None if index == 0 => plain(),
            None => Self { extension: format!("{tag}.{extension}"), ..plain() },
        }
    }
}

fn folders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// An item or a page of the site.
pub struct KnownText<'a> {
    pub file: &'a str,
    /// The path of the file without its language and extension.
    pub path: &'a str,
    pub language: Option<&'a str>,
}

impl<'a> KnownText<'a> {
    /// Returns the items and pages of a site with several languages.
    pub fn all(
        items: impl Iterator<Item = &'a Item>,
        pages: impl Iterator<Item = &'a Page>,
    ) -> impl Iterator<Item = Self> {
        let items = items.filter_map(|item| {
            let (file, language) = (item.file(), item.language.as_deref());
            Some(Self { file, path: item.text_path.as_deref()?, language })
        });
        let pages = pages.filter_map(|page| {
            let (file, language) = (page.file(), page.language.as_deref());
            Some(Self { file, path: page.text_path.as_deref()?, language })
        });
        items.chain(pages)
    }
}

/// The reason why a text cannot be translated.
#[derive(Debug)]
pub struct NotTranslatable {
    pub message: String,
    /// Whether the translation already exists.
    pub exists: bool,
}

/// Returns the path for a new translation of a content file into a language of the site. `texts` are
/// the items and pages of the site.
///
/// # Errors
///
/// Returns an error if the language is unknown, or if the site already has the translation.
pub fn translation_path<'a>(
    root: &Path,
    languages: &Languages,
    (original, language): (&SitePath, &str),
    texts: impl Iterator<Item = KnownText<'a>>,
) -> Result<SitePath, NotTranslatable> {
    let fault = |exists, message| Err(NotTranslatable { message, exists });
    if languages.others.is_empty() {
        let message = "the site has one language: list others in `[languages]` in site.toml";
        return fault(false, message.to_owned());
    }
    if let Some(message) = unknown_language(languages, language) {
        return fault(false, message);
    }
    let index = languages.index(Some(language));
    if let Some(message) = existing_translation(languages, (original, index), texts) {
        return fault(true, message);
    }
    match path_in(root, languages, original, language) {
        Some(path) if path.on_disk(root).exists() => fault(true, format!("{path} already exists")),
        Some(path) => Ok(path),
        None => fault(false, format!("{original} is neither an item nor a page")),
    }
}

/// Returns the problem if the site already has the text of a file in a language, given by its index.
pub fn existing_translation<'a>(
    languages: &Languages,
    (file, language): (&SitePath, usize),
    mut texts: impl Iterator<Item = KnownText<'a>>,
) -> Option<String> {
    let text = languages.of_file(file).map(|(_, text)| text)?;
    let is_it = |one: &KnownText<'_>| text == one.path && languages.index(one.language) == language;
    let (known, tag) = (texts.find(is_it)?, languages.tag(language).unwrap_or_default());
    Some(format!("{} already has this text in {tag:?}", known.file))
}

/// Returns the problem if a language is not a language of a site with several languages.
pub fn unknown_language(languages: &Languages, language: &str) -> Option<String> {
    let all = 0..=languages.others.len();
    let all: Vec<&str> = all.filter_map(|at| languages.tag(at)).collect();
    let is_known =
        languages.others.is_empty() || all.iter().any(|own| is_in_language(language, own));
    let message = || format!("the site has the languages {}, not {language:?}", all.join(", "));
    (!is_known).then(message)
}

/// Returns the language of a new file, unless the file's path states it.
pub fn unstated_language<'l>(
    languages: &Languages,
    path: &SitePath,
    language: Option<&'l str>,
) -> Option<&'l str> {
    let of_file = languages.of_file(path).and_then(|(tag, _)| tag.or(languages.tag(0)));
    language.filter(|tag| !of_file.is_some_and(|own| own.eq_ignore_ascii_case(tag)))
}

fn path_in(
    root: &Path,
    languages: &Languages,
    original: &SitePath,
    language: &str,
) -> Option<SitePath> {
    let (_, text) = languages.of_file(original)?;
    let mut parts = text.splitn(3, '/');
    let folder = SitePath::parse(&format!("{}/{}", parts.next()?, parts.next()?))?;
    let name = parts.next()?;
    let is_index = original.stem().split('.').next() == Some("index");
    let end = if is_index { "/index" } else { "" };
    let kind = (&folder, &*original.extension());
    let LanguagePlace { folder, extension } =
        LanguagePlace::of(root, languages, kind, Some(language));
    SitePath::parse(&format!("{folder}/{name}{end}.{extension}"))
}

/// Returns the text of a new translation: a draft that starts as a copy of the original. `language`
/// is the language of the translation, unless its file states it.
///
/// # Errors
///
/// Returns an error if the original's front matter cannot be edited.
pub fn translation_text(
    original: Source<'_>,
    id: &ItemId,
    title: Option<&str>,
    language: Option<&str>,
) -> Result<String, Vec<Diagnostic>> {
    let front = original.front_matter()?;
    let has = |key: &&str| front.table.get(key).is_some();
    let own = OWN_KEYS.into_iter().filter(has).map(|key| Change::remove(&[key]));
    let mut changes: Vec<Change> = own.collect();
    if has(&"id") {
        changes.push(Change::set(&["id"], id.as_str()));
    }
    changes.extend(title.map(|title| Change::set(&["title"], title)));
    changes.extend(language.map(|language| Change::set(&["language"], language)));
    let flags = ["draft", "published"].into_iter().filter(has);
    changes.extend(flags.map(|key| Change::remove(&[key])));
    changes.push(Change::set(&["status"], "unpublished"));
    apply(original, &changes, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages() -> Languages {
        let others = ["de", "pt-BR"].map(str::to_owned).into();
        Languages { default: Some("en".into()), others, ..Languages::default() }
    }

    #[test]
    fn a_translation_is_next_to_its_original_or_in_the_folder_of_its_language()
    -> std::io::Result<()> {
        let site = tempfile::tempdir()?;
        let path = |original: &str, language: &str| {
            let original = SitePath::parse(original)?;
            let path = path_in(site.path(), &languages(), &original, language)?;
            Some(path.to_string())
        };
        let of = |original: &str, language: &str| path(original, language).unwrap_or_default();
        assert_eq!(of("content/items/a/walk.md", "de"), "content/items/a/walk.de.md");
        assert_eq!(
            of("content/items/walk/index.html", "pt-BR"),
            "content/items/walk/index.pt-BR.html"
        );
        assert_eq!(of("content/items/walk.de.md", "en"), "content/items/walk.md");
        assert_eq!(of("content/pages/about.de.md", "pt-BR"), "content/pages/about.pt-BR.md");
        std::fs::create_dir_all(site.path().join("content/items/DE"))?;
        assert_eq!(of("content/items/a/walk.md", "de"), "content/items/DE/a/walk.md");
        assert_eq!(of("content/items/DE/a/walk.md", "pt-BR"), "content/items/a/walk.pt-BR.md");
        assert_eq!(path("content/channel.md", "de"), None);
        Ok(())
    }

    #[test]
    fn a_translation_starts_as_a_copy_without_the_identity_of_its_original() {
        let path = SitePath::parse("content/items/walk.md").unwrap();
        let text = "+++\nid = \"a1\"\nslug = \"walk\"\n# Why\ntitle = \"Walk\"\naliases = [\"old\"]\n\
                    tags = [\"sea\"]\n+++\nBody.\n";
        let id = ItemId::parse("b2").unwrap();
        let made = translation_text(Source { path: &path, text }, &id, Some("Gang"), None);
        let wanted = "+++\nid = \"b2\"\nslug = \"walk\"\n# Why\ntitle = \"Gang\"\ntags = [\"sea\"]\n\
                      status = \"unpublished\"\n+++\nBody.\n";
        assert_eq!(made.unwrap(), wanted);
    }
}
