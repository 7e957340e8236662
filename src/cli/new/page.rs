//! `feedwright new page`: creates the file of a page.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::{Failure, shows};
use super::accessibility::{self, Statement};
use super::language::{self, Translated};
use super::{NewFile, OTHER_TITLE, config, status};
use edit::{self, KnownText, LanguagePlace, quoted};
use model::{PageSlug, is_reserved};
use source::load::load;

/// The arguments of `new page`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new page "The team"
  feedwright new page accessibility
  feedwright new page "About our boats" --slug boats --draft"#)]
pub struct Arguments {
    /// Title of the page, or `accessibility` for an accessibility statement
    title: String,
    /// Slug of the page [default: from the title]
    #[arg(long)]
    slug: Option<String>,
    /// Create the page in this show: a folder of shows/
    #[arg(long, value_name = "SHOW")]
    show: Option<String>,
    /// Create a draft (`status = "unpublished"`)
    #[arg(long)]
    draft: bool,
    #[command(flatten)]
    translated: Translated,
}

/// Returns the file of a new page. The page is shown in the site's navigation.
pub fn compose(root: &Path, arguments: &Arguments) -> Result<NewFile, Failure> {
    let title = arguments.title.as_str();
    let config = shows::config(root, config(root), arguments.show.as_deref())?;
    if let Some(translation) = arguments.translated.compose(root, &config, Some(title))? {
        return Ok(translation);
    }
    let slug = arguments.slug.as_deref();
    let from_title = PageSlug::from_title(title).map(|slug| slug.to_string()).unwrap_or_default();
    let slug = PageSlug::parse(slug.unwrap_or(&from_title))
        .map_err(|error| Failure::Usage(format!("{error}; set the slug with --slug")))?;
    if is_reserved(slug.as_str()) {
        return Err(Failure::Usage(format!(
            "the path /{slug}/ is reserved; choose another with --slug"
        )));
    }
    let (content, if_taken) = match title.eq_ignore_ascii_case(accessibility::TITLE) {
        true => (
            accessibility::statement(root)?,
            "edit it, or rename it to get a new statement with today's facts",
        ),
        false => {
            let front_matter = format!("title = {}\n", quoted(title));
            (Statement { front_matter, body: String::new() }, OTHER_TITLE)
        }
    };
    let language = arguments.translated.language.as_deref();
    let LanguagePlace { folder, extension } =
        language::place(root, &config, &config.content.join("pages"), language)?;
    let path = PathBuf::from(format!("{folder}/{slug}.{extension}"));
    let (sources, _) = load(root, &config, &|| ());
    let pages = sources.pages.iter().map(|(page, _)| &**page);
    language::check_is_new(&config, &path, KnownText::all(std::iter::empty(), pages))?;
    let text = format!(
        "+++\nid = \"{}\"\nslug = \"{slug}\"\n{}{}{}show_in_navigation = true\n+++\n\n{}",
        edit::new_id(),
        content.front_matter,
        language::line(&config, &path, language),
        status(arguments.draft),
        content.body
    );
    Ok(NewFile { path, text, if_taken })
}
