//! Conversion of `site.toml` to a [`Config`].

use std::collections::BTreeMap;
use std::path::Path;

use front_matter::Value;
use jiff::tz::TimeZone;

use super::fields::{Fields, Reader};
use super::records::{Found, Rules, read_section};
use super::text::read_text;
use super::{
    addresses, aggregate, albums, check, deploy, folder_defaults, key_advice, languages, realtime,
    webhooks, words,
};
use model::field_type::ReadValue;
use model::{
    Access, AiPreferences, AudioConfig, Config, Diagnostic, FeedConfig, HostingTarget,
    MarkdownConfig, OutputConfig, Rule, SITE, SITE_FILE, SiteFile, SiteFileConfig, SitePath,
    SocialConfig, Source, Upstream, url,
};

/// Reads `site.toml`. Returns a configuration even if the file has errors, so that the rest of the
/// site can be checked in the same run.
pub fn read(root: &Path, text: &str) -> (Config, Vec<Diagnostic>) {
    let mut config = Config::default();
    let Some(path) = SitePath::parse("site.toml") else {
        return (config, Vec::new());
    };
    let source = Source { path: &path, text };
    let table = match source.toml() {
        Ok(table) => table,
        Err(errors) => return (config, errors),
    };
    let base = config.clone();
    let reader = Reader::new(source, &base, root);
    let fields = Fields::of_file(&reader, &table, SITE);
    fields.set_key_advice(key_advice::SITE);
    read_root(&fields, &mut config);
    fields.finish();
    let (found, _) = reader.finish();
    (config, found)
}

/// Returns a warning if `site.toml` still contains an example address, which no site can have (RFC
/// 2606, section 3). Callers use this warning only if everything else is valid.
pub fn example_address_warning(root: &Path) -> Option<Diagnostic> {
    let path = SitePath::parse("site.toml")?;
    let text = read_text(root, &path).ok()?;
    let source = Source { path: &path, text: &text };
    let table = source.toml().ok()?;
    let base = Config::default();
    let reader = Reader::new(source, &base, root);
    let fields = Fields::of_file(&reader, &table, SITE);
    let node = fields.node("base_url")?;
    let address = base_url(&fields)?.to_ascii_lowercase();
    let host = url::host(&address).trim_start_matches("www.");
    matches!(host, "example.com" | "example.net" | "example.org").then(|| {
        Diagnostic::warning(
            Rule::ExampleAddress,
            format!("`base_url` is still the example address {host}"),
        )
        .at(source, node.span.start)
        .help(
            "write the address where you will publish the site: feeds and shared links contain it",
        )
    })
}

/// Checks `site.toml` without returning a configuration.
pub fn check(reader: &Reader<'_>) {
    match reader.source.toml() {
        Ok(table) => {
            let fields = Fields::of_file(reader, &table, SITE);
            read_root(&fields, &mut Config::default());
            fields.finish();
        }
        Err(errors) => errors.into_iter().for_each(|error| reader.report(error)),
    }
}

fn read_root(fields: &Fields<'_, '_>, config: &mut Config) {
    if let Some(base_url) = base_url(fields) {
        config.published_url.clone_from(&base_url);
        config.base_url = base_url;
        config.host = {
            let host = url::host(&config.base_url);
            host.split(':').next().unwrap_or(host).to_owned()
        };
    }
    if let Some(theme) = fields.text("theme") {
        config.theme = theme;
    }
    if let Some(namespace) = namespace(fields) {
        config.namespace = namespace;
    }
    config.access = fields.choice("access", Access::NAMES, Access::parse).unwrap_or_default();
    if let Some(zone) = timezone(fields) {
        config.timezone = zone;
    }
    config.feed = read_section(fields, "feed").unwrap_or_default();
    config.output = read_section(fields, "output").unwrap_or_default();
    config.addresses = fields.table("addresses", addresses::read).unwrap_or_default();
    config.languages = fields.table("languages", languages::read).unwrap_or_default();
    config.markdown = read_section(fields, "markdown").unwrap_or_default();
    config.images = read_section(fields, "images").unwrap_or_default();
    config.audio = read_section(fields, "audio").unwrap_or_default();
    config.social = read_section(fields, "social").unwrap_or_default();
    config.media_base_url = fields
        .table("media", |fields| fields.http_url("base_url"))
        .flatten()
        .map(|url| url.trim_end_matches('/').to_owned());
    config.hosting = fields.table("hosting", hosting).unwrap_or_default();
    config.ai = fields.table("ai", ai).unwrap_or_default();
    config.site_files = site_files(fields);
    config.albums = albums::read(fields);
    config.aggregate = aggregate::read(fields);
    config.realtime = realtime::read(fields, &config.timezone);
    config.webhooks = webhooks::read(fields);
    config.words = words::read(fields, &config.theme);
    config.check = fields.table("check", check::read).unwrap_or_default();
    config.upstream = fields.table("warehouse", upstream).flatten();
    (config.deploy, config.hubs) = fields.table("deploy", deploy::read).unwrap_or_default();
    config.defaults = folder_defaults::read(fields, config);
    deploy::warn_of_media_elsewhere(fields, config);
    deploy::warn_of_missing_rules(fields, config);
}

fn timezone(fields: &Fields<'_, '_>) -> Option<TimeZone> {
    let node = fields.node("timezone")?;
    let text = fields.as_string("timezone", node)?;
    TimeZone::get(&text).ok().or_else(|| {
        fields.reader.error(
            &node.span,
            format!("`timezone` cannot be {text:?}"),
            "write a name of the IANA time zone database, such as UTC, Europe/Berlin or America/New_York",
        );
        None
    })
}

/// Normalizes a base URL. An error is the help message for the invalid URL.
pub fn parse_base_url(text: &str) -> Result<String, &'static str> {
    if !url::is_http(text) {
        return Err("write the full URL, starting with https:// or http://");
    }
    if text.contains(['?', '#']) || !text.is_ascii() {
        return Err(
            "write only scheme, host and path, such as https://example.com/blog, and a non-ASCII host in its xn-- form",
        );
    }
    Ok(url::encode_reference(text.trim_end_matches('/')))
}

pub(super) fn base_url(fields: &Fields<'_, '_>) -> Option<String> {
    let Some(node) = fields.node("base_url") else {
        let help = "add the address of the site: base_url = \"https://example.com\"";
        fields.missing("base_url", &(0..0), help);
        return None;
    };
    let text = fields.as_string("base_url", node)?;
    match parse_base_url(&text) {
        Ok(base_url) => Some(base_url),
        Err(help) => {
            let message = format!("`base_url` cannot be {text:?}");
            fields.reader.error(&node.span, message, help);
            None
        }
    }
}

fn namespace(fields: &Fields<'_, '_>) -> Option<String> {
    let node = fields.node("namespace")?;
    let text = fields.as_string("namespace", node)?;
    let valid = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.len() <= 32
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if !valid || matches!(text.as_str(), "site" | "theme" | "loop") {
        fields.reader.error(
            &node.span,
            format!("`namespace` cannot be {text:?}"),
            "write one word of a–z and 0–9 with at most 32 characters, starting with a letter, other than site, theme and loop",
        );
        return None;
    }
    Some(text)
}

impl Rules for AudioConfig {}
impl Rules for FeedConfig {}
impl Rules for MarkdownConfig {}
impl Rules for SocialConfig {}

impl Rules for OutputConfig {
    /// Reads `dir`.
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let fields = found.fields;
        let node = fields.node(key)?;
        let text = fields.as_string(key, node)?;
        let path = SitePath::parse(text.trim_end_matches('/'));
        let source = ["content", "shows", "site-files", "themes", ".feedwright", ".git"];
        let taken = path.as_ref().is_some_and(|path| {
            source.iter().any(|folder| path.as_str().split('/').next() == Some(folder))
        });
        if path.is_none() || taken {
            let help = "write a folder inside the site that contains none of your own files, such as \"public\"; `build --out` accepts any folder";
            fields.reader.error(&node.span, format!("`output.dir` cannot be {text:?}"), help);
            return None;
        }
        path.map(|path| ReadValue::Text(path.as_str().to_owned()))
    }
}

/// Reads `[warehouse] upstream`.
fn upstream(fields: &Fields<'_, '_>) -> Option<Upstream> {
    let node = fields.node("upstream")?;
    let text = fields.as_string("upstream", node)?;
    let refuse = |help| {
        let message = format!("`{}` cannot be {text:?}", fields.name("upstream"));
        fields.reader.error(&node.span, message, help);
    };
    Upstream::parse(&text).map_err(refuse).ok()
}

/// Reads `[ai]`.
fn ai(fields: &Fields<'_, '_>) -> AiPreferences {
    AiPreferences { train: fields.bool("train"), search: fields.bool("search") }
}

/// Reads `[site_files."<name>"]`: the settings of site files, in addition to their templates.
fn site_files(fields: &Fields<'_, '_>) -> BTreeMap<String, SiteFileConfig> {
    const KEY: &str = "site_files";
    let Some(node) = fields.node(KEY) else {
        return BTreeMap::new();
    };
    let Value::Table(table) = &node.value else {
        fields.report_wrong_type::<()>(KEY, node, "a table", &node.value);
        return BTreeMap::new();
    };
    let mut files = BTreeMap::new();
    for entry in &table.entries {
        let name = &entry.key;
        if let Err(why) = SiteFile::check_name(name) {
            let help = "write the name of the site file in quotes: [site_files.\"robots.txt\"]";
            fields.reader.error(&entry.key_span, why, help);
            continue;
        }
        let prefix = format!("{KEY}.{name:?}");
        let Value::Table(table) = &entry.node.value else {
            fields.report_wrong_type::<()>(&prefix, &entry.node, "a table", &entry.node.value);
            continue;
        };
        let read = |fields: &Fields<'_, '_>| SiteFileConfig {
            content_type: fields.choice(
                "content_type",
                &SiteFile::CONTENT_TYPES,
                SiteFile::parse_content_type,
            ),
            enabled: fields.bool("enabled").unwrap_or(true),
        };
        files.insert(name.clone(), fields.read_table_as(Some(SITE_FILE), &prefix, table, read));
    }
    files
}

pub(super) fn hosting(fields: &Fields<'_, '_>) -> Vec<HostingTarget> {
    let mut targets = Vec::new();
    for node in fields.list("targets") {
        let Some(text) = fields.as_string("targets", node) else {
            continue;
        };
        match HostingTarget::parse(&text) {
            Some(target) => targets.push(target),
            None => {
                let help = match super::fields::nearest(&text, HostingTarget::NAMES) {
                    Some(near) => format!(
                        "did you mean \"{near}\"? Allowed values: {}",
                        HostingTarget::NAMES.join(", ")
                    ),
                    None => format!("write one of {}", HostingTarget::NAMES.join(", ")),
                };
                fields.reader.error(&node.span, format!("unknown hosting target {text:?}"), help);
            }
        }
    }
    targets.sort();
    targets.dedup();
    targets
}
