//! The site that is imported into.

use std::path::PathBuf;

use super::super::init::site_toml;
use super::super::{Failure, find_site, schema};
use crate::edit;
use crate::import::Found;
use crate::source::schema::Kind;

/// The site that is there, or one that is made, and whether it was.
pub fn found_or_made(
    named: Option<PathBuf>,
    found: &Found,
    base_url: Option<&str>,
) -> Result<(PathBuf, bool), Failure> {
    let is_there = named
        .as_ref()
        .is_none_or(|folder| folder.join("site.toml").is_file());
    if is_there && let Ok(root) = find_site(named.clone()) {
        return Ok((root, false));
    }
    let root = named.unwrap_or_else(|| PathBuf::from("."));
    let base_url = match base_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => found.base_url.as_ref().map_or_else(
            || "https://example.com".to_owned(),
            |url| url.as_str().trim_end_matches('/').to_owned(),
        ),
    };
    let theme = found.theme();
    let text = site_toml(&base_url, theme);
    let text = found.settings.iter().fold(text, with_setting);
    for (name, text) in [
        ("site.toml", text.as_str()),
        (".gitignore", include_str!("../init/gitignore")),
    ] {
        match edit::create(&root.join(name), text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                let message = format!("{} cannot be written: {error}", root.join(name).display());
                return Err(Failure::Usage(message));
            }
            _ => {}
        }
    }
    schema::write(&root, Kind::is_toml)?;
    Ok((root, true))
}

/// The text with a value in the place of the line that shows its key's default.
fn with_setting(text: String, (key, value): &(&str, String)) -> String {
    let shown = format!("# {key} = ");
    let line = text.lines().find(|line| line.starts_with(&shown));
    line.map_or(text.clone(), |line| {
        text.replace(line, &format!("{key} = {value}"))
    })
}
