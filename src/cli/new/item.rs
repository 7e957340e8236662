//! `feedwright new item`: creates the file of an item.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::{Failure, shows};
use super::language::{self, Translated};
use super::{NewFile, OTHER_TITLE, config, status};
use edit::{self, KnownText, LanguagePlace, quoted};
use model::{Config, Item, SitePath, Slug, folded};
use source::load::load;

/// The arguments of `new item`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new item "Harbour walk"
  feedwright new item "Low tide" --into 2026/10 --folder
  feedwright new item Gang --language de --translate content/items/walk.md"#)]
pub struct Arguments {
    /// Title of the item (optional for a note)
    title: Option<String>,
    /// Subfolder of content/items/
    #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true)]
    into: String,
    /// Create a folder with index.md, for text and media
    #[arg(long)]
    folder: bool,
    /// Create the item in this show: a folder of shows/
    #[arg(long, value_name = "SHOW")]
    show: Option<String>,
    /// Create a draft (`status = "unpublished"`)
    #[arg(long)]
    draft: bool,
    #[command(flatten)]
    translated: Translated,
}

/// Returns the file of a new item. The item's date is the current time, unless the item is a draft.
pub fn compose(root: &Path, arguments: &Arguments) -> Result<NewFile, Failure> {
    let config = shows::config(root, config(root), arguments.show.as_deref())?;
    let title = arguments.title.as_deref();
    if let Some(translation) = arguments.translated.compose(root, &config, title)? {
        return Ok(translation);
    }
    let language = arguments.translated.language.as_deref();
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
    let (sources, _) = load(root, &config, &|| ());
    let items = || sources.items.iter().map(|(item, _)| &**item);
    let slug = slug.as_deref().unwrap_or(id.as_str());
    let slug = free_slug(in_language(&config, items(), language), slug);
    let path = path(root, &config, arguments, &name)?;
    language::check_is_new(&config, &path, KnownText::all(items(), std::iter::empty()))?;
    let title = title.map_or(String::new(), |title| format!("title = {}\n", quoted(title)));
    let text = format!(
        "+++\nid = \"{id}\"\nslug = \"{slug}\"\n{title}{date}{}{}+++\n\n",
        language::line(&config, &path, language),
        status(arguments.draft)
    );
    Ok(NewFile { path, text, if_taken: OTHER_TITLE })
}

/// Returns the path of a new item's file.
fn path(
    root: &Path,
    config: &Config,
    arguments: &Arguments,
    name: &str,
) -> Result<PathBuf, Failure> {
    let language = arguments.translated.language.as_deref();
    let items = config.content.join("items");
    let folder = folder_of(&items, &arguments.into)?;
    let LanguagePlace { folder: place, extension } =
        language::place(root, config, &items, language)?;
    let below = folder.as_str().strip_prefix(&*items).unwrap_or_default();
    let file = if arguments.folder { format!("{name}/index") } else { name.to_owned() };
    Ok(PathBuf::from(format!("{place}{below}/{file}.{extension}")))
}

/// Returns the items in the language of a new item. Only their slugs can clash with its slug.
pub fn in_language<'i>(
    config: &Config,
    items: impl Iterator<Item = &'i Item> + Clone,
    language: Option<&str>,
) -> impl Iterator<Item = &'i Item> + Clone {
    let languages = &config.languages;
    let own = languages.index(language);
    items.filter(move |item| languages.index(item.language.as_deref()) == own)
}

/// Returns the folder for an item: the folder of items, or the subfolder of `--into`.
pub fn folder_of(items: &str, into: &str) -> Result<SitePath, Failure> {
    let below = into.trim_matches('/');
    let is_plain = into.is_empty() || SitePath::parse(below).is_some();
    let path = format!("{items}/{below}");
    SitePath::parse(path.trim_end_matches('/')).filter(|_| is_plain).ok_or_else(|| {
        Failure::Usage(format!("--into must be a folder below {items}/, not {into:?}"))
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
fn free_slug<'i>(items: impl Iterator<Item = &'i Item>, wanted: &str) -> String {
    let taken = taken_slugs(items);
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut slugs = std::iter::once(wanted.to_owned()).chain(numbered);
    slugs.find(|slug| !taken.contains(&*folded(slug))).unwrap_or_else(|| wanted.to_owned())
}
