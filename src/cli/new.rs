//! `feedwright new`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use serde_json::json;

use super::Failure;
use super::output::print;
use crate::edit;
use crate::model::{PageSlug, RESERVED_SLUGS, Severity, SitePath, Slug};
use crate::source::load::load_config;

/// What `new` takes.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a new item in content/items/
    Item {
        /// Its title; a note may have none
        title: Option<String>,
        /// A folder below content/items/
        #[arg(long, value_name = "FOLDER", default_value = "")]
        into: String,
        /// Make a folder with index.md, for media beside the text
        #[arg(long)]
        folder: bool,
        /// Make a draft: `status = "unpublished"`
        #[arg(long)]
        draft: bool,
    },
    /// Start a new Page in content/pages/
    Page {
        /// Its title
        title: String,
        /// Its path [default: from the title]
        #[arg(long)]
        slug: Option<String>,
        /// Make a draft: `status = "unpublished"`
        #[arg(long)]
        draft: bool,
    },
}

/// Writes a new content file and prints its path.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let (path, text) = match &arguments.command {
        Command::Item {
            title,
            into,
            folder,
            draft,
        } => item(root, title.as_deref(), into, *folder, *draft)?,
        Command::Page { title, slug, draft } => page(title, slug.as_deref(), *draft)?,
    };
    let on_disk = root.join(&path);
    edit::create(&on_disk, text.as_bytes()).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::Usage(format!(
            "{} exists already; give another title",
            path.display()
        )),
        _ => Failure::Usage(format!("{} cannot be written: {error}", path.display())),
    })?;
    println!("{}", path.display());
    Ok(())
}

fn item(
    root: &Path,
    title: Option<&str>,
    into: &str,
    folder: bool,
    draft: bool,
) -> Result<(PathBuf, String), Failure> {
    let (config, report) = load_config(root);
    let found = report.sorted();
    print(
        &found
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .cloned()
            .collect::<Vec<_>>(),
        None,
    );
    let id = edit::new_id();
    let now = Timestamp::now()
        .round(
            TimestampRound::new()
                .smallest(Unit::Second)
                .mode(RoundMode::Floor),
        )
        .unwrap_or_default()
        .to_zoned(config.timezone);
    let date = now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    let date = date
        .strip_suffix("+00:00")
        .map_or_else(|| date.clone(), |utc| format!("{utc}Z"));
    let name = match title.and_then(Slug::from_title) {
        Some(slug) => slug.to_string(),
        None => format!("{}-{id}", now.strftime("%Y-%m-%d")),
    };
    let title = title.map_or(String::new(), |title| {
        format!("title = {}\n", quoted(title))
    });
    let text = format!(
        "+++\nid = \"{id}\"\n{title}date_published = \"{date}\"\n{}+++\n\n",
        status(draft)
    );
    let mut path = PathBuf::from("content/items");
    if !into.is_empty() {
        let below = SitePath::parse(into.trim_matches('/')).ok_or_else(|| {
            Failure::Usage(format!(
                "--into takes a folder below content/items/, not {into:?}"
            ))
        })?;
        path.push(below.as_str());
    }
    path.push(if folder {
        format!("{name}/index.md")
    } else {
        format!("{name}.md")
    });
    Ok((path, text))
}

fn page(title: &str, slug: Option<&str>, draft: bool) -> Result<(PathBuf, String), Failure> {
    let from_title = PageSlug::from_title(title)
        .map(|slug| slug.to_string())
        .unwrap_or_default();
    let slug = PageSlug::parse(slug.unwrap_or(&from_title))
        .map_err(|error| Failure::Usage(format!("{error}; name one with --slug")))?;
    if RESERVED_SLUGS.contains(&slug.as_str()) {
        return Err(Failure::Usage(format!(
            "the path /{slug}/ is reserved; name another with --slug"
        )));
    }
    let text = format!(
        "+++\nid = \"{}\"\ntitle = {}\n{}show_in_navigation = true\n+++\n\n",
        edit::new_id(),
        quoted(title),
        status(draft)
    );
    Ok((PathBuf::from(format!("content/pages/{slug}.md")), text))
}

fn status(draft: bool) -> &'static str {
    if draft {
        "status = \"unpublished\"\n"
    } else {
        ""
    }
}

/// A text as TOML writes it: its basic strings read JSON's escapes.
fn quoted(text: &str) -> String {
    let printable: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    json!(printable).to_string()
}
