//! The target site of an import.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::init::template::EXAMPLE_URL;
use super::super::init::{self, template};
use super::super::{Failure, find_site, schema};
use edit::{self, Replaced};
use import::Found;
use source::schema::Kind;

/// Returns the root of the existing site or of a new site, and whether the site was created.
pub fn find_or_create_site(
    named: Option<PathBuf>,
    found: &mut Found,
    base_url: Option<&str>,
) -> Result<(PathBuf, bool), Failure> {
    let is_there = named.as_ref().is_none_or(|folder| folder.join("site.toml").is_file());
    let known = base_url.or(found.base_url.as_ref().map(|url| url.as_str()));
    let base_url = known.unwrap_or(EXAMPLE_URL).trim_end_matches('/').to_owned();
    if is_there && let Ok(root) = find_site(named.clone()) {
        replace_examples(&root, found, &base_url)?;
        return Ok((root, false));
    }
    let root = named.unwrap_or_else(|| PathBuf::from("."));
    let text = settings(found, &base_url);
    for (name, text) in
        [("site.toml", text.as_str()), (".gitignore", include_str!("../init/gitignore"))]
    {
        match edit::create(&root.join(name), text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(Failure::cannot_write(&root.join(name), &error));
            }
            _ => {}
        }
    }
    schema::write(&root, Kind::is_toml)?;
    Ok((root, true))
}

/// Returns the text of `site.toml` for a new site.
fn settings(found: &Found, base_url: &str) -> String {
    let text = site_toml(base_url, found.theme());
    let text = found.settings.iter().fold(text, with_setting);
    import::tables(found, base_url).iter().fold(text, |text, table| format!("{text}\n{table}"))
}

/// Replaces unchanged example files from `init` with the imported content, and reports the
/// remaining example files.
fn replace_examples(root: &Path, found: &mut Found, base_url: &str) -> Result<(), Failure> {
    if found.items.is_empty() && found.pages.is_empty() {
        return Ok(());
    }
    let failed =
        |name: &str, error: std::io::Error| Failure::cannot_write(&root.join(name), &error);
    let file = root.join("site.toml");
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let example = format!("base_url = \"{EXAMPLE_URL}\"");
    let examples = examples();
    let is_unchanged = |name: &str| is_unchanged(root, name, &examples);
    let new = match is_unchanged("site.toml") {
        true => settings(found, base_url),
        false => old.replace(&example, &format!("base_url = {}", edit::quoted(base_url))),
    };
    if new != old {
        let replaced = edit::replace_if(&file, old.as_bytes(), new.as_bytes());
        if let Replaced::Done = replaced.map_err(|error| failed("site.toml", error))? {
            found.note(format!("`base_url` in site.toml is now {base_url}"), "");
        }
    }
    let remove = |name: &str, found: &mut Found| {
        let result = std::fs::remove_file(root.join(name));
        result.map_err(|error| failed(name, error))?;
        found.note("imported content replaced an example file from `feedwright init`", name);
        Ok::<_, Failure>(())
    };
    let channel = "content/channel.md";
    if found.channel.is_some() && is_unchanged(channel) {
        remove(channel, found)?;
    }
    for (name, segment) in [("content/pages/about.md", "about"), ("content/pages/404.md", "404")] {
        let mut pages = found.pages.iter();
        let is_found = pages.any(|page| page.segment.as_deref() == Some(segment));
        if is_found && is_unchanged(name) {
            remove(name, found)?;
        }
    }
    let names: BTreeSet<&str> = examples.iter().map(|(name, _)| name.as_str()).collect();
    for name in names.into_iter().filter(|name| name.ends_with(".md")) {
        if ![channel, "content/pages/404.md"].contains(&name) && is_unchanged(name) {
            let message = "an example file from `feedwright init` is still published: remove it";
            found.note(message, name);
        }
    }
    Ok(())
}

/// Sets a key in `site.toml`. Replaces the comment line that shows the key's default.
fn with_setting(text: String, (key, value): &(&str, String)) -> String {
    let shown = format!("# {key} = ");
    let line = text.lines().find(|line| line.starts_with(&shown));
    line.map_or(text.clone(), |line| text.replace(line, &format!("{key} = {value}")))
}

/// Returns the paths and contents of all example files that `init` can write, in every language and
/// for every template.
fn examples() -> Vec<(String, String)> {
    let of_init = init::FILES.iter().flat_map(|(name, file)| {
        init::texts::versions(file).map(|text| ((*name).to_owned(), text))
    });
    of_init.chain(template::texts()).collect()
}

/// Whether a file is unchanged since `init` wrote it.
fn is_unchanged(root: &Path, name: &str, examples: &[(String, String)]) -> bool {
    let Ok(text) = std::fs::read_to_string(root.join(name)) else {
        return false;
    };
    // `init --language` can write any language tag, but the example files contain the tag `en`.
    let start = "language = \"";
    let tag = text.lines().find(|line| line.starts_with(start));
    let text = tag.map_or(text.clone(), |tag| text.replacen(tag, "language = \"en\"", 1));
    examples.iter().any(|(known, example)| known == name && is_filled(example, &text))
}

/// Whether `text` results from filling in the placeholders of `template`.
fn is_filled(template: &str, text: &str) -> bool {
    let mut rest = text;
    let mut parts = template.split("{id}").flat_map(|part| part.split("{now}"));
    // The value of a placeholder is on one line and contains no quotes.
    let mut is_first = true;
    parts.all(|part| {
        let at = if is_first {
            rest.starts_with(part).then_some(0)
        } else {
            rest.find(part).filter(|at| !rest[..*at].contains(['"', '\n']))
        };
        is_first = false;
        rest = at.map_or(rest, |at| &rest[at + part.len()..]);
        at.is_some()
    }) && rest.is_empty()
}

/// Returns `site.toml` for a new site with this base URL and theme.
fn site_toml(base_url: &str, theme: &str) -> String {
    let text = include_str!("../init/site.toml");
    let text = text.replace(&format!("\"{EXAMPLE_URL}\""), &edit::quoted(base_url));
    match theme {
        "default" => text,
        theme => text.replace("# theme = \"default\"", &format!("theme = \"{theme}\"")),
    }
}
