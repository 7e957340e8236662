//! The address and destination of a show that is published as a separate site: `base_url`,
//! `[hosting]` and `[deploy]` of `show.toml`.

use std::path::{Component, Path, PathBuf};

use front_matter::{Node, Value};

use super::fields::Fields;
use super::place::place_of;
use super::show_folders::settings_file;
use super::{config, deploy};
use model::{Config, Destination, Diagnostic};

/// Keys that only a show with `base_url` can have.
const KEYS_OF_SITE: [&str; 2] = ["hosting", "deploy"];

/// Reads the address of a show and the settings that need it. `site` is the site's configuration.
pub fn read(fields: &Fields<'_, '_>, site: &Config, name: &str, show: &mut Config) {
    let reader = fields.reader;
    if fields.node("base_url").is_none() {
        for key in KEYS_OF_SITE {
            let Some(node) = fields.node(key) else { continue };
            let message = format!("`{key}` needs `base_url`: this show is published with the site");
            let help = "add the address of the show, such as base_url = \"https://walks.example\", or move this table to site.toml";
            reader.error(&node.span, message, help);
        }
        if let Some(dir) = output_dir(fields) {
            let message = "`output.dir` needs `base_url`: this show is published with the site";
            let help = "remove it, or add the address of the show, such as base_url = \"https://walks.example\"";
            reader.error(&dir.span, message, help);
        }
        return;
    }
    if let Some(node) = fields.node("path") {
        let message = "`path` cannot be used together with `base_url`";
        let help = "remove `path`: a show with its own address has no path in the site";
        reader.error(&node.span, message, help);
    }
    show.own_url = config::base_url(fields);
    (show.deploy, show.hubs) = fields.table("deploy", deploy::read).unwrap_or_default();
    if let (Some(_), Some(node)) = (&show.deploy.media, fields.node("deploy")) {
        let message = "a show cannot have `deploy.media`";
        let help =
            "remove it: [deploy.media] and [media] in site.toml apply to the media of all shows";
        reader.error(&node.span, message, help);
    }
    if fields.node("hosting").is_some() {
        show.hosting = fields.table("hosting", config::hosting).unwrap_or_default();
    }
    if output_dir(fields).is_none() {
        show.output.dir = format!("{}-{name}", site.output.dir);
    }
    deploy::warn_of_missing_rules(fields, show);
}

/// Returns `dir` of `[output]`.
fn output_dir<'f>(fields: &'f Fields<'_, '_>) -> Option<&'f Node> {
    match &fields.node("output")?.value {
        Value::Table(table) => table.get("dir"),
        _ => None,
    }
}

/// Reports shows that have the address, the output folder or the destination of the site or of
/// another show.
pub fn check(root: &Path, site: &Config, shows: &[Config]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, show) in shows.iter().enumerate().filter(|(_, show)| show.own_url.is_some()) {
        let is_other = |other: &&Config| other.own_url.is_none() || other.content < show.content;
        let others = shows[..at].iter().chain(&shows[at + 1..]).filter(is_other);
        let others: Vec<&Config> = [site].into_iter().chain(others).collect();
        let mut report = |key: &str, what: &str, is_same: &dyn Fn(&Config) -> bool| {
            let Some(other) = others.iter().find(|other| is_same(other)) else { return };
            let (Some(file), Some(other)) =
                (settings_file(&show.content), settings_file(&other.content))
            else {
                return;
            };
            let error = Diagnostic::error(format!("{what} is already used by {other}"));
            let error = error.help(format!("write another `{key}` in one of the two files"));
            let key = key.split('.').next().unwrap_or(key);
            found.push(place_of(root, &file, key, "", error));
        };
        let url = address(show);
        report("base_url", &format!("the address {url}"), &|other| {
            without_scheme(&address(other)) == without_scheme(&url)
        });
        let dir = &show.output.dir;
        let out = resolved(root, dir);
        report("output.dir", &format!("the output folder {dir}"), &|other| {
            let folder = |to: &Destination| match to {
                Destination::Folder(folder) => Some(resolved(root, folder)),
                _ => None,
            };
            let to = other.deploy.to.as_ref().and_then(folder);
            let folders = [Some(resolved(root, &other.output.dir)), to];
            has_output(other) && folders.iter().flatten().any(|folder| overlap(folder, &out))
        });
        let Some(to) = &show.deploy.to else { continue };
        if let Destination::Folder(folder) = to {
            let there = resolved(root, folder);
            report("deploy.to", &format!("the folder {folder}"), &|other| {
                has_output(other) && overlap(&there, &resolved(root, &other.output.dir))
            });
        }
        report("deploy.to", &format!("the destination {}", to.address()), &|other| {
            let own = [&other.deploy.to, &other.deploy.media].into_iter().flatten();
            has_output(other) && { own }.any(|own| is_same(root, own, to))
        });
    }
    found
}

/// Returns whether a site or show has its own output folder and destination.
fn has_output(config: &Config) -> bool {
    config.content.show().is_none() || config.own_url.is_some()
}

/// Returns the public address of a site or show.
fn address(config: &Config) -> String {
    config.own_url.clone().unwrap_or_else(|| config.url(""))
}

fn is_same(root: &Path, one: &Destination, other: &Destination) -> bool {
    one.below(other, |folder| resolved(root, folder)).as_deref() == Some("")
}

/// Returns whether two folders are the same, or one contains the other.
fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// Returns the absolute path of a folder, without `.` and `..`.
fn resolved(root: &Path, folder: &str) -> PathBuf {
    let path = root.join(folder);
    let path = std::path::absolute(&path).unwrap_or(path);
    path.components().fold(PathBuf::new(), |mut resolved, part| {
        match part {
            Component::ParentDir => _ = resolved.pop(),
            Component::CurDir => {}
            part => resolved.push(part),
        }
        resolved
    })
}

/// Returns an address in lower case, without its scheme and without the port of the scheme.
fn without_scheme(url: &str) -> String {
    let url = url.to_ascii_lowercase();
    let (rest, port) = match url.strip_prefix("https://") {
        Some(rest) => (rest, ":443"),
        None => (url.strip_prefix("http://").unwrap_or(&url), ":80"),
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    [host.strip_suffix(port).unwrap_or(host), path.trim_end_matches('/')].concat()
}
