//! `feedwright init`: creates a new site.

mod ci;
pub mod template;
pub mod texts;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;

use super::Failure;
use super::output::say;
use project::Forge;
use source::schema::Kind;

/// The arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright init --language de spaziergang
  feedwright init --template show walks
  feedwright init --ci github")]
pub struct Arguments {
    /// Folder of the new site [default: the current folder]
    dir: Option<PathBuf>,
    /// Start from a complete example site
    #[arg(long, value_name = "NAME", conflicts_with = "language")]
    template: Option<template::Template>,
    /// Language of the new site, such as de or pt-BR
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Write a workflow that publishes the site from this git host
    #[arg(long, value_name = "HOST", value_parser = PossibleValuesParser::new(Forge::NAMES))]
    ci: Option<String>,
}

/// The files of a new site. `{now}` is replaced with the current time, and `{id}` with a new id.
pub const FILES: [(&str, &str); 7] = [
    ("site.toml", include_str!("init/site.toml")),
    ("content/channel.md", include_str!("init/channel.md")),
    ("content/items/hello.md", include_str!("init/hello.md")),
    ("content/pages/about.md", include_str!("init/about.md")),
    ("content/pages/404.md", include_str!("init/404.md")),
    ("site-files/humans.txt", include_str!("init/humans.txt")),
    (".gitignore", include_str!("init/gitignore")),
];

/// Creates a site that can be built immediately. Never changes existing files.
pub fn run(site: Option<PathBuf>, arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments.dir.clone().or(site);
    let forge = arguments.ci.as_deref().and_then(Forge::parse);
    if let Some(forge) = forge
        && let Ok(there) = super::find_site(named.clone())
    {
        if arguments.template.is_some() || arguments.language.is_some() {
            let help = "remove --template and --language; they are for new sites";
            return Err(Failure::Usage(format!("{} is already a site: {help}", there.display())));
        }
        return ci::write(&there, forge);
    }
    let language = arguments.language.as_deref().unwrap_or(words::ENGLISH);
    if !words::is_name(language) {
        let help = "write a language tag such as de or pt-BR";
        return Err(Failure::Usage(format!("{language:?} is not a language: {help}")));
    }
    let folder = named.unwrap_or_else(|| PathBuf::from("."));
    if folder.join("site.toml").exists() {
        return Err(Failure::Usage(format!(
            "{} is already a site: it has a site.toml",
            folder.display()
        )));
    }
    let has_content = folder.join("content").exists();
    match arguments.template {
        // Refuses to copy an example into a folder with content, because the two would be mixed.
        Some(_) if has_content => {
            return Err(Failure::Usage(format!(
                "{} already has content; choose a new folder for the template",
                folder.display()
            )));
        }
        Some(template) => {
            for (name, bytes) in template.files() {
                match template::with_placeholders(&name, bytes) {
                    Some(text) => write(&folder, &name, &filled(&text))?,
                    None => write(&folder, &name, bytes)?,
                }
            }
        }
        None => {
            for (name, text) in FILES {
                // If the folder contains content, example content is left out.
                let example = !matches!(name, "site.toml" | "content/channel.md" | ".gitignore");
                if !(has_content && example) {
                    write(&folder, name, &filled(&texts::translated(text, language)))?;
                }
            }
        }
    }
    super::schema::write(&folder, Kind::is_toml)?;
    say!(
        "Created a site in {}. Set `base_url` in site.toml, then run `feedwright build` there.",
        folder.display()
    );
    if !texts::has(language) {
        say!("The example content is in English; {language} is not available.");
    }
    forge.map_or(Ok(()), |forge| ci::write(&folder, forge))
}

/// Fills in `{now}` and `{id}` in a new file.
fn filled(text: &str) -> Vec<u8> {
    let now = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    text.replace("{now}", &now).replace("{id}", edit::new_id().as_str()).into_bytes()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    match edit::create(&folder.join(name), bytes) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            say!("{name} already exists and was not changed");
            Ok(())
        }
        result => result.map_err(|error| Failure::cannot_write(&folder.join(name), &error)),
    }
}
