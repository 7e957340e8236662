//! Reader of `shows/<name>/show.toml`.

use std::path::Path;

use super::fields::{Fields, Reader};
use super::place::place_of;
use super::records::read_section;
use super::show_folders::settings_file;
use super::text::read_text;
use super::{addresses, albums, folder_defaults, key_advice, show_address, words};
use model::defaults::Defaults;
use model::{
    Addresses, Config, ContentFolder, Diagnostic, Languages, PageSlug, Report, SHOW, SitePath,
    Source, is_reserved,
};

/// Returns the configuration of a show: its site's configuration, changed by `show.toml`.
pub fn load(root: &Path, site: &Config, content: &ContentFolder) -> (Config, Report) {
    let mut report = Report::default();
    let mut config = Config {
        content: content.clone(),
        languages: Languages::default(),
        addresses: Addresses { folders: Vec::new(), ..site.addresses.clone() },
        defaults: Defaults::default(),
        albums: Vec::new(),
        aggregate: Vec::new(),
        site_files: site.site_files.clone(),
        realtime: Vec::new(),
        webhooks: Vec::new(),
        ..site.clone()
    };
    let name = content.show().unwrap_or_default();
    config.mount = format!("/{name}");
    let Some(path) = settings_file(content) else { return (config, report) };
    let text = match path.on_disk(root).exists() {
        true => read_text(root, &path),
        false => Ok(String::new()),
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            report.push(error);
            return (config, report);
        }
    };
    let source = Source { path: &path, text: &text };
    let base = config.clone();
    let reader = Reader::new(source, &base, root);
    read_file(&reader, name, &mut config);
    report.extend(reader.finish().0);
    (config, report)
}

/// Reads every key of a `show.toml`.
pub fn check_file(reader: &Reader<'_>) {
    read_file(reader, "a", &mut reader.config.clone());
}

fn read_file(reader: &Reader<'_>, name: &str, config: &mut Config) {
    match reader.source.toml() {
        Ok(table) => {
            let fields = Fields::of_file(reader, &table, SHOW);
            fields.set_key_advice(key_advice::SHOW);
            read(&fields, name, config);
            fields.finish();
        }
        Err(errors) => errors.into_iter().for_each(|error| reader.report(error)),
    }
}

fn read(fields: &Fields<'_, '_>, name: &str, config: &mut Config) {
    if let Some(mount) = mount(fields, name) {
        config.mount = mount;
    }
    let has = |key: &'static str| fields.node(key).is_some();
    if has("feed") {
        config.feed = read_section(fields, "feed").unwrap_or_default();
    }
    if has("output") {
        config.output = read_section(fields, "output").unwrap_or_default();
    }
    if has("addresses") {
        config.addresses = fields.table("addresses", addresses::read).unwrap_or_default();
    }
    if has("social") {
        config.social = read_section(fields, "social").unwrap_or_default();
    }
    if has("words") {
        config.words = words::read(fields, &config.theme);
    }
    show_address::read(fields, fields.reader.config, name, config);
    config.albums = albums::read(fields);
    config.defaults = folder_defaults::read(fields, config);
}

/// Reads `path`, without the trailing slash.
fn mount(fields: &Fields<'_, '_>, name: &str) -> Option<String> {
    let node = fields.node("path");
    let text = match node {
        Some(node) => fields.as_string("path", node)?,
        None => name.to_owned(),
    };
    let slug = text.trim_matches('/');
    let is_slug = PageSlug::parse(slug).is_ok();
    let refused = if !is_slug {
        format!("a show cannot have the path {text:?}")
    } else if is_reserved(slug) || slug == "shows" {
        format!("the path /{slug}/ is reserved")
    } else {
        return Some(format!("/{slug}"));
    };
    const WORDS: &str = "words of a–z and 0–9 joined by single hyphens";
    match node {
        Some(node) => {
            let help = match is_slug {
                true => "choose another path, such as \"/walks/\"".to_owned(),
                false => format!("write {WORDS}, such as \"/walks/\""),
            };
            fields.reader.error(&node.span, refused, help);
        }
        None => {
            let file = fields.reader.source.path;
            let error = Diagnostic::error(refused).file(file.parent().unwrap_or_default());
            let help = match is_slug {
                true => format!("rename the folder, or set `path` in {file}"),
                false => format!("rename the folder to {WORDS}, or set `path` in {file}"),
            };
            fields.reader.report(error.help(help));
        }
    }
    None
}

/// Reports shows with paths that overlap or with the same address, too many shows, and shows of a site with several
/// languages.
pub fn check(root: &Path, site: &Config, shows: &[Config]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, show) in shows.iter().enumerate() {
        found.extend(shows[..at].iter().find_map(|first| same_path(root, [first, show])));
    }
    found.extend(show_address::check(root, site, shows));
    if let Some(show) = shows.get(MAX_SHOWS) {
        let message = format!("a site can have at most {MAX_SHOWS} shows");
        let error = Diagnostic::error(message).file(show.content.as_str());
        found.push(error.help("publish the other shows as another site"));
    }
    if let Some(show) = shows.first().filter(|_| !site.languages.others.is_empty()) {
        let message = format!("[languages] cannot be used together with shows ({})", show.content);
        let help = "remove [languages], and set the `language` of each show in its channel.md";
        let error = Diagnostic::error(message).help(help);
        let file = SitePath::parse("site.toml");
        found.extend(file.map(|file| place_of(root, &file, "languages", "", error)));
    }
    found
}

/// Returns the error for two shows with the same path, or with one path below the other. A preview also
/// has a show with its own address at its path.
fn same_path(root: &Path, shows: [&Config; 2]) -> Option<Diagnostic> {
    let below = |one: &Config, other: &Config| {
        let rest = one.mount.strip_prefix(&*other.mount);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let [first, second] = shows;
    let (outer, inner) = match below(second, first) {
        true => (first, second),
        false => (second, first),
    };
    if !below(inner, outer) {
        return None;
    }
    let file = |show: &Config| match settings_file(&show.content) {
        Some(file) if file.on_disk(root).exists() => file.to_string(),
        _ => show.content.to_string(),
    };
    let is = match inner.mount == outer.mount {
        true => "is already the path of".to_owned(),
        false => format!("is below {}/, the path of", outer.mount),
    };
    let message = format!("the path {}/ {is} {}", inner.mount, file(outer));
    let help = match shows.map(|show| show.own_url.is_some()) {
        [true, false] => format!("give {} another `path`", second.content),
        [false, true] => format!("give {} another `path`", first.content),
        _ => "give one of the two another `path`".to_owned(),
    };
    Some(place_of_path(root, inner, Diagnostic::error(message).help(help)))
}

/// Returns the file with the `[addresses]` of a site or show. A show without `[addresses]` has the
/// patterns of its site.
pub fn file_of_addresses(root: &Path, content: &ContentFolder) -> String {
    let own = settings_file(content).filter(|path| {
        let Ok(text) = read_text(root, path) else { return false };
        let table = Source { path, text: &text }.toml();
        table.is_ok_and(|table| table.get("addresses").is_some())
    });
    own.map_or_else(|| "site.toml".to_owned(), |path| path.to_string())
}

/// Adds the position of the path of a show to a diagnostic: its `path`, or its folder.
pub fn place_of_path(root: &Path, show: &Config, error: Diagnostic) -> Diagnostic {
    let file = settings_file(&show.content);
    match file.filter(|file| file.on_disk(root).exists()) {
        Some(file) => place_of(root, &file, "path", "", error),
        None => error.file(show.content.as_str()),
    }
}

/// Maximum number of shows of a site.
pub const MAX_SHOWS: usize = 50;
