//! The languages of new texts: `--language` and `--translate`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Failure;
use super::super::site_path;
use super::NewFile;
use edit::{KnownText, LanguagePlace};
use model::{Config, SitePath, Source};
use source::load::load;
use source::text::read_text;

/// The language of a new text.
#[derive(Debug, Args)]
pub struct Translated {
    /// Language tag of the text, such as de [default: the site's language]
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,
    /// Create a draft that translates this file into --language
    #[arg(long, value_name = "FILE", requires = "language")]
    pub translate: Option<PathBuf>,
}

impl Translated {
    /// Returns the draft of the translation, if one is wanted.
    pub fn compose(
        &self,
        root: &Path,
        config: &Config,
        title: Option<&str>,
    ) -> Result<Option<NewFile>, Failure> {
        let (Some(file), Some(language)) = (&self.translate, self.language.as_deref()) else {
            return Ok(None);
        };
        let shown = file.display();
        let original = site_path(root, file);
        let original =
            original.ok_or_else(|| Failure::Usage(format!("{shown} is not a file of the site")))?;
        let (sources, _) = load(root, config, &|| ());
        let items = sources.items.iter().map(|(item, _)| &**item);
        let texts = KnownText::all(items, sources.pages.iter().map(|(page, _)| &**page));
        let path = edit::translation_path(root, &config.languages, (&original, language), texts);
        let path = path.map_err(|fault| Failure::Usage(fault.message))?;
        let text = read_text(root, &original).map_err(|error| Failure::Usage(error.message))?;
        let own = edit::unstated_language(&config.languages, &path, Some(language));
        let source = Source { path: &original, text: &text };
        let text = edit::translation_text(source, &edit::new_id(), title, own);
        let text = text.map_err(|_| {
            Failure::Usage(format!("{original} has errors: run `feedwright check`"))
        })?;
        Ok(Some(NewFile {
            path: PathBuf::from(path.as_str()),
            text,
            if_taken: "edit the existing translation",
        }))
    }
}

/// Returns the place of new texts in a language below a folder such as `content/items`. An unknown
/// language is an error.
pub fn place(
    root: &Path,
    config: &Config,
    folder: &str,
    language: Option<&str>,
) -> Result<LanguagePlace, Failure> {
    let unknown = |tag: &str| edit::unknown_language(&config.languages, tag);
    if let Some(message) = language.and_then(unknown) {
        let help = "to add it, list it under `others` of `[languages]` in site.toml";
        return Err(Failure::Usage(format!("{message}; {help}")));
    }
    let folder = SitePath::parse(folder)
        .ok_or_else(|| Failure::Usage(format!("{folder} is not a folder of the site")))?;
    Ok(LanguagePlace::of(root, &config.languages, (&folder, "md"), language))
}

/// Returns the front matter line that states the language of a new file, unless its path does.
pub fn line(config: &Config, path: &Path, language: Option<&str>) -> String {
    let path = path.to_str().and_then(SitePath::parse);
    let stated = path.and_then(|path| {
        edit::unstated_language(&config.languages, &path, language)
            .map(|tag| format!("language = {}\n", edit::quoted(tag)))
    });
    stated.unwrap_or_default()
}

/// Returns an error if a new file would by its name be a translation of an existing text.
pub fn check_is_new<'a>(
    config: &Config,
    path: &Path,
    mut texts: impl Iterator<Item = KnownText<'a>>,
) -> Result<(), Failure> {
    let path = path.to_str().and_then(SitePath::parse);
    let text = path.as_ref().and_then(|path| config.languages.of_file(path));
    let Some((_, text)) = text else { return Ok(()) };
    let own = path.as_ref().map_or("", |path| path.as_str());
    match texts.find(|known| known.path == text && known.file != own) {
        Some(known) => Err(Failure::Usage(format!(
            "the new file would be a translation of {}; choose another title, or add --translate",
            known.file
        ))),
        None => Ok(()),
    }
}
