//! `feedwright new item`: creates the file of an item.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Failure;
use super::{NewFile, OTHER_TITLE, config, status};
use edit::{self, quoted};
use model::{Config, Item, SitePath, Slug, folded};
use source::load::load;

/// The arguments of `new item`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new item "Harbour walk"
  feedwright new item "Low tide" --into 2026/10 --folder
  feedwright new item --draft"#)]
pub struct Arguments {
    /// Title of the item (optional for a note)
    title: Option<String>,
    /// Subfolder of content/items/
    #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true)]
    into: String,
    /// Create a folder with index.md, for text and media
    #[arg(long)]
    folder: bool,
    /// Create a draft (`status = "unpublished"`)
    #[arg(long)]
    draft: bool,
}

/// Returns the file of a new item. The item's date is the current time, unless the item is a draft.
pub fn compose(root: &Path, arguments: &Arguments) -> Result<NewFile, Failure> {
    let config = config(root);
    let title = arguments.title.as_deref();
    let id = edit::new_id();
    let now = edit::current_time(&config.timezone);
    // A draft gets its date when it is published. The file name of a draft contains no day, because
    // the day would count as the date.
    let date = match arguments.draft {
        true => String::new(),
        false => format!("date_published = \"{}\"\n", edit::written(&now)),
    };
    let name = match title.and_then(Slug::from_title) {
        Some(slug) => slug.to_string(),
        None if arguments.draft => id.to_string(),
        None => format!("{}-{id}", now.strftime("%Y-%m-%d")),
    };
    let slug = title.and_then(Slug::from_title).map(|slug| slug.to_string());
    let slug = free_slug(root, &config, slug.as_deref().unwrap_or(id.as_str()));
    let title = title.map_or(String::new(), |title| format!("title = {}\n", quoted(title)));
    let text = format!(
        "+++\nid = \"{id}\"\nslug = \"{slug}\"\n{title}{date}{}+++\n\n",
        status(arguments.draft)
    );
    let mut path = PathBuf::from(folder_of(&arguments.into)?.as_str());
    path.push(if arguments.folder { format!("{name}/index.md") } else { format!("{name}.md") });
    Ok(NewFile { path, text, if_taken: OTHER_TITLE })
}

/// Returns the folder for an item: `content/items`, or the subfolder of `--into`.
pub fn folder_of(into: &str) -> Result<SitePath, Failure> {
    let below = into.trim_matches('/');
    let is_plain = into.is_empty() || SitePath::parse(below).is_some();
    let path = format!("content/items/{below}");
    SitePath::parse(path.trim_end_matches('/')).filter(|_| is_plain).ok_or_else(|| {
        Failure::Usage(format!("--into must be a folder below content/items/, not {into:?}"))
    })
}

/// Returns the ids, slugs and former slugs of items, for comparison.
pub fn taken_slugs<'i>(items: impl Iterator<Item = &'i Item>) -> HashSet<String> {
    items
        .flat_map(|item| {
            let aliases = item.aliases.iter().map(ToString::to_string);
            aliases.chain([item.id.to_string(), item.segment()])
        })
        .map(|name| folded(&name).into_owned())
        .collect()
}

/// Returns a slug that no item uses or has used. Appends a number to the wanted slug if necessary.
/// Slugs that differ only in letter case count as equal.
fn free_slug(root: &Path, config: &Config, wanted: &str) -> String {
    let (sources, _) = load(root, config, &|| ());
    let taken = taken_slugs(sources.items.iter().map(|(item, _)| &**item));
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut slugs = std::iter::once(wanted.to_owned()).chain(numbered);
    slugs.find(|slug| !taken.contains(&*folded(slug))).unwrap_or_else(|| wanted.to_owned())
}
