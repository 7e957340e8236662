//! `feedwright new page`: creates the file of a page.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Failure;
use super::accessibility::{self, Statement};
use super::{NewFile, OTHER_TITLE, status};
use edit::{self, quoted};
use model::{PageSlug, RESERVED_SLUGS};

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
    /// Create a draft (`status = "unpublished"`)
    #[arg(long)]
    draft: bool,
}

/// Returns the file of a new page. The page is shown in the site's navigation.
pub fn compose(root: &Path, arguments: &Arguments) -> Result<NewFile, Failure> {
    let title = arguments.title.as_str();
    let slug = arguments.slug.as_deref();
    let from_title = PageSlug::from_title(title).map(|slug| slug.to_string()).unwrap_or_default();
    let slug = PageSlug::parse(slug.unwrap_or(&from_title))
        .map_err(|error| Failure::Usage(format!("{error}; set the slug with --slug")))?;
    if RESERVED_SLUGS.contains(&slug.as_str()) {
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
    let text = format!(
        "+++\nid = \"{}\"\nslug = \"{slug}\"\n{}{}show_in_navigation = true\n+++\n\n{}",
        edit::new_id(),
        content.front_matter,
        status(arguments.draft),
        content.body
    );
    let path = PathBuf::from(format!("content/pages/{slug}.md"));
    Ok(NewFile { path, text, if_taken })
}
