//! `content/redirects.toml`: redirects, one per line. Authors write it by hand. The API adds the
//! path of each page that it deletes, so that no other page gets the path.
//!
//! ```toml
//! "/about-us/" = "/about/"
//! "/walks/" = "https://walks.example/"
//! ```

use std::collections::HashMap;
use std::path::Path;

use front_matter::{Entry, Value};

use super::fields::Reader;
use super::place::place_in_toml;
use model::url::{encode_path, split_origin};
use model::{Config, ContentFolder, Diagnostic, Redirect, SitePath};

/// Returns the path of the redirects of a content folder.
pub fn file(content: &ContentFolder) -> String {
    content.join("redirects.toml")
}

/// Adds the position of a redirect to a diagnostic. `from` is the path to redirect from.
pub fn place(
    root: &Path,
    content: &ContentFolder,
    from: &str,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let file = file(content);
    let Some(path) = SitePath::parse(&file) else { return diagnostic.file(file) };
    place_in_toml(root, &path, diagnostic, |all| {
        let mut entries = all.entries.iter();
        let entry = entries.find(|entry| path_of(&entry.key).as_deref() == Some(from))?;
        Some(entry.key_span.start)
    })
}

/// Maximum number of consecutive redirects that a browser follows.
const MAX_REDIRECTS: usize = 20;

pub fn read(reader: &Reader<'_>) -> Vec<Redirect> {
    let table = match reader.source.toml() {
        Ok(table) => table,
        Err(errors) => {
            errors.into_iter().for_each(|error| reader.report(error));
            return Vec::new();
        }
    };
    let mut redirects = Vec::new();
    let mut entries = Vec::new();
    for entry in &table.entries {
        if let Some(redirect) = redirect(reader, entry) {
            redirects.push(redirect);
            entries.push(entry);
        }
    }
    let targets: HashMap<&str, &str> =
        redirects.iter().map(|redirect| (redirect.from.as_str(), redirect.to.as_str())).collect();
    for (redirect, entry) in redirects.iter().zip(entries) {
        if is_loop(&targets, redirect) {
            reader.error(
                &entry.key_span,
                format!("{} redirects to itself", redirect.from),
                "redirect it to a page",
            );
        }
    }
    redirects
}

fn redirect(reader: &Reader<'_>, entry: &Entry) -> Option<Redirect> {
    const PATH_HELP: &str =
        "write a path of this site in quotes and without `?` or `#`, such as \"/about/\"";
    const TARGET_HELP: &str = "write a path of this site such as \"/about/\", or an address such as \"https://example.com/about/\", in quotes and without `?`, `#` or characters other than ASCII in the host";
    let from = path_of(&entry.key).filter(|path| path != "/");
    if from.is_none() {
        let message = format!("{:?} is not a path that can be redirected", entry.key);
        reader.error(&entry.key_span, message, PATH_HELP);
    }
    let to = match &entry.node.value {
        Value::String(text) => path_of(text).or_else(|| address_of(reader.config, text)),
        _ => None,
    };
    if to.is_none() {
        let message = format!("the target of {} must be a path or an address", entry.key);
        reader.error(&entry.node.span, message, TARGET_HELP);
    }
    Some(Redirect { from: from?, to: to? })
}

fn path_of(text: &str) -> Option<String> {
    match text {
        "/" => Some("/".into()),
        text if text.starts_with('/') => Redirect::path(text),
        _ => None,
    }
}

/// Parses an address on another site, and percent-decodes its path. Returns the path of an address on
/// this site.
fn address_of(config: &Config, text: &str) -> Option<String> {
    let (origin, path) = split_origin(text)?;
    if let Some(local) = config.local_path(text) {
        return path_of(local.strip_prefix(config.base_path())?);
    }
    let (_, host) = origin.split_once("://")?;
    let is_of_host = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    let is_valid = host.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
    if !is_valid || !host.chars().all(is_of_host) {
        return None;
    }
    let path = if path.is_empty() { "/" } else { path };
    let decoded = path_of(path)?;
    // The path of another site keeps each of its bytes.
    let is_same = decoded == path || encode_path(&decoded).eq_ignore_ascii_case(path);
    is_same.then(|| [origin, &decoded].concat())
}

fn is_loop(targets: &HashMap<&str, &str>, start: &Redirect) -> bool {
    let mut to = start.to.as_str();
    for _ in 0..MAX_REDIRECTS {
        if to == start.from {
            return true;
        }
        match targets.get(to) {
            Some(next) => to = next,
            None => return false,
        }
    }
    false
}
