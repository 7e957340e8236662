//! `feedwright new page`: creates the file of a page.

use std::path::PathBuf;

use clap::Args;

use super::super::Failure;
use super::{NewFile, status};
use edit::{self, quoted};
use model::{PageSlug, RESERVED_SLUGS};

/// The arguments of `new page`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new page "The team"
  feedwright new page "About our boats" --slug boats --draft"#)]
pub struct Arguments {
    /// Title of the page
    title: String,
    /// Slug of the page [default: from the title]
    #[arg(long)]
    slug: Option<String>,
    /// Create a draft (`status = "unpublished"`)
    #[arg(long)]
    draft: bool,
}

/// Returns the file of a new page. The page is shown in the site's navigation.
pub fn compose(arguments: &Arguments) -> Result<NewFile, Failure> {
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
    let text = format!(
        "+++\nid = \"{}\"\nslug = \"{slug}\"\ntitle = {}\n{}show_in_navigation = true\n+++\n\n",
        edit::new_id(),
        quoted(title),
        status(arguments.draft)
    );
    let path = PathBuf::from(format!("content/pages/{slug}.md"));
    Ok(NewFile { path, text })
}
