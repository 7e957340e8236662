//! `feedwright schema`: prints or writes JSON Schemas.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::Failure;
use super::output::{print_json, say};
use source::schema::{Kind, schema};

/// The arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright schema site
  feedwright schema --write")]
pub struct Arguments {
    /// File that the schema describes
    #[arg(required_unless_present = "write", value_parser = kinds())]
    kind: Option<Kind>,
    /// Write all schemas to .feedwright/schema/, where editors find them
    #[arg(long, conflicts_with = "kind")]
    write: bool,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or("not a schema")
    })
}

/// Prints a schema, or writes the schemas of a site.
pub fn run(site: Option<PathBuf>, arguments: &Arguments) -> Result<(), Failure> {
    if let Some(kind) = arguments.kind {
        print_json(&schema(kind));
        return Ok(());
    }
    let folder = write(&super::find_site(site)?, |_| true)?;
    say!("Wrote the schemas into {}", folder.display());
    Ok(())
}

/// Writes schemas into a site, and returns their folder.
pub fn write(site: &Path, is_wanted: fn(Kind) -> bool) -> Result<PathBuf, Failure> {
    let folder = site.join(".feedwright/schema");
    let put = |kind: &Kind| {
        let file = folder.join(format!("{}.json", kind.name()));
        edit::keep(&file, format!("{:#}\n", schema(*kind)).as_bytes())
    };
    let mut wanted = Kind::ALL.iter().filter(|kind| is_wanted(**kind));
    let written: io::Result<()> = wanted.try_for_each(put);
    written.map_err(|error| Failure::cannot_write(&folder, &error))?;
    Ok(folder)
}
