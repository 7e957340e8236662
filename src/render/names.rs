//! The names that templates can read, and warnings about unknown names. A mistyped name prints
//! nothing, so authors easily overlook the mistake.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::inputs::{InputsCache, ListPage, Provider, Reads};
use super::pages::context;
use super::view::{FeedView, ItemView};
use model::{Diagnostic, FileReport, Rule, Severity, Visibility};
use mustache::{NameTag, Template};
use site::gather;
use source::fields::nearest;
use source::sample_site::sample_site;
use theme::Theme;

/// Names that only some pages have.
const OPTIONAL_NAMES: [&str; 36] = [
    "item", "languages", "search", "query", "results", "filename", "length", "level", "is_part",
    "transcript", "paragraphs", "anchor", "speaker", "lines", "is_long", "is_machine_made",
    "is_in_clip", "end_text", // Pictures:
    "src", "webp_srcset", "stand_in", "ratio", "cover", "label", // Options:
    "path", "light", "dark", "on_light", "on_dark", "family", "has_files", "is_module", "is_pages",
    "is_section", // Networks:
    "network", "network_shows",
];

/// Every known name, at any depth: names in the contexts of the sample site, and names in the
/// schemas of the fields that the sample site does not set.
static KNOWN_NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut names: BTreeSet<String> = OPTIONAL_NAMES.map(str::to_owned).into();
    for schema in
        [schemars::schema_for!(FeedView<'static>), schemars::schema_for!(ItemView<'static>)]
    {
        collect_schema_names(schema.as_value(), &mut names);
    }
    sample_contexts().iter().for_each(|value| collect_value_names(value, &mut names));
    names
});

/// Returns the contexts of the sample site's templates.
fn sample_contexts() -> Vec<Value> {
    let (config, sources) = sample_site();
    let visibility = Visibility {
        now: "2026-01-03T00:00:00Z".parse().unwrap_or(Timestamp::UNIX_EPOCH),
        drafts: true,
        future: true,
    };
    let (snapshot, _) = gather(Path::new(""), config, sources, visibility, None);
    let Ok(theme) = Theme::built_in() else {
        return Vec::new();
    };
    let cache = InputsCache::default();
    let provider = Provider::new(&snapshot, &theme, &cache);
    let (shared, frame) = (provider.shared(), provider.complete_frame());
    let lists: Vec<ListPage<'_>> = provider.first_pages();
    let lists = lists.iter().map(|page| context::list_page(&shared, page).to_json());
    let items = snapshot
        .entries
        .iter()
        .map(|entry| context::item_page(&shared, &provider.complete_item(entry)).to_json());
    let pages = snapshot.pages.iter();
    let pages = pages.map(|entry| context::page(&shared, &provider.page(entry), entry).to_json());
    let mut sample_contexts: Vec<Value> = items.chain(pages).collect();
    sample_contexts.extend(lists);
    let everything = provider.site_file_context(Reads::ALL);
    sample_contexts.extend([
        context::feed(&shared, &frame, None).to_json(),
        context::archive(&shared, &provider.archive(None)).to_json(),
        context::subscribe(&shared).to_json(),
        context::tag_index(&shared, &provider.tag_index()).to_json(),
        context::planet(&shared, &provider.planet(1)).to_json(),
        context::album_index(&shared, &provider.album_index()).to_json(),
        context::site_file(&shared, &everything).to_json(),
        json!(snapshot.shows),
    ]);
    sample_contexts
}

fn collect_value_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect_value_names(value, names)),
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                collect_value_names(value, names);
            }
        }
        _ => {}
    }
}

fn collect_schema_names(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Array(list) => list.iter().for_each(|schema| collect_schema_names(schema, names)),
        Value::Object(object) => {
            if let Some(Value::Object(properties)) = object.get("properties") {
                names.extend(properties.keys().cloned());
            }
            object.values().for_each(|schema| collect_schema_names(schema, names));
        }
        _ => {}
    }
}

/// The names that a theme defines.
pub struct ThemeNames<'t> {
    /// The keys of the theme's translations.
    words: BTreeSet<&'t str>,
    options: BTreeSet<&'t str>,
    /// The choices of the theme's options. Templates read them by name.
    choices: BTreeSet<&'t str>,
}

impl<'t> ThemeNames<'t> {
    pub fn of(theme: &'t Theme) -> Self {
        let words = theme.words.values().flat_map(|table| table.keys());
        let options = &theme.manifest.options;
        Self {
            words: words.map(String::as_str).collect(),
            options: options.keys().map(String::as_str).collect(),
            choices: options.values().flat_map(|one| one.kind.choices()).collect(),
        }
    }

    fn has(&self, key: &str) -> bool {
        let all = [&self.words, &self.options, &self.choices];
        all.into_iter().any(|names| names.contains(key))
    }
}

/// Warns about each unknown name in a template once. `namespace` is the site's `namespace` from
/// `site.toml`, and `file` is the template's path.
pub fn warn_unknown_names(
    template: &Template,
    file: &str,
    namespace: &str,
    own: &ThemeNames<'_>,
) -> Vec<Diagnostic> {
    let of_site = [format!("_{namespace}"), format!("{namespace}_version")];
    let is_known = |key: &str| {
        let is_index = key.bytes().all(|byte| byte.is_ascii_digit());
        is_index
            || KNOWN_NAMES.contains(key)
            || own.has(key)
            || of_site.iter().any(|own| own == key)
    };
    let mut told: HashSet<&str> = HashSet::new();
    let mut report = FileReport::default();
    for tag in template.names() {
        let option = option_of(tag).filter(|key| !own.options.contains(key));
        let unknown = option.or_else(|| tag.keys().find(|key| !is_known(key)));
        if let Some(key) = unknown.filter(|key| told.insert(key)) {
            let names: Vec<&str> = match option {
                Some(_) => own.options.iter().copied().collect(),
                None => KNOWN_NAMES
                    .iter()
                    .map(String::as_str)
                    .chain(own.words.iter().copied())
                    .collect(),
            };
            report.add(Severity::Warning, || warning(template, tag, key, &names).file(file));
        }
    }
    report.finish(file)
}

/// Returns the option that a tag refers to: `accent` in `_theme.options.accent.light`.
fn option_of<'t>(tag: NameTag<'t>) -> Option<&'t str> {
    let mut keys = tag.keys();
    let is_of_options = keys.next() == Some("_theme") && keys.next() == Some("options");
    keys.next().filter(|_| is_of_options)
}

fn warning(template: &Template, tag: NameTag<'_>, key: &str, names: &[&str]) -> Diagnostic {
    let (line, column) = tag.place();
    let text = template.source().lines().nth(line - 1).unwrap_or_default();
    let help = match nearest(key, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "see the list of names in the documentation's page on templates".into(),
    };
    Diagnostic::warning(
        Rule::TemplateName,
        format!("unknown name `{key}`: templates print nothing for it"),
    )
    .position(line, column, text)
    .help(help)
}

/// Runs [`warn_unknown_names`] for every template of a theme. `label` is the path of the
/// theme's folder, as shown in messages.
pub fn warn_unknown_in_theme(theme: &Theme, label: &str, namespace: &str) -> Vec<Diagnostic> {
    let own = ThemeNames::of(theme);
    theme
        .templates()
        .flat_map(|(file, template)| {
            warn_unknown_names(template, &format!("{label}/{file}"), namespace, &own)
        })
        .collect()
}
