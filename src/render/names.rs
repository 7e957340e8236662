//! The names that templates can read, and warnings about unknown names. A mistyped name prints
//! nothing, so authors overlook it.

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
const SOME: [&str; 28] = [
    "item", "search", "query", "results", "filename", "length", "level", "is_part", "transcript",
    "paragraphs", "anchor", "speaker", "lines", "is_long", // Pictures in sizes.
    "src", "webp_srcset", "stand_in", "ratio", // What options are made of.
    "path", "light", "dark", "on_light", "on_dark", "family", "has_files", "is_module", "is_pages",
    "is_section",
];

/// Every known name, at any depth: names in the contexts of the sample site, and names in the
/// schemas of the fields that the sample site does not set.
static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut names: BTreeSet<String> = SOME.map(str::to_owned).into();
    for schema in
        [schemars::schema_for!(FeedView<'static>), schemars::schema_for!(ItemView<'static>)]
    {
        of_schema(schema.as_value(), &mut names);
    }
    seen().iter().for_each(|value| of_value(value, &mut names));
    names
});

/// Returns the contexts of the sample site's templates.
fn seen() -> Vec<Value> {
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
    let (shared, frame) = (provider.shared(), provider.whole_frame());
    let lists: Vec<ListPage<'_>> = provider.whole_lists();
    let lists = lists.iter().map(|page| context::list_page(&shared, page).to_json());
    let items = snapshot
        .entries
        .iter()
        .map(|entry| context::item_page(&shared, &provider.whole_item(entry)).to_json());
    let pages = snapshot.pages.iter();
    let pages = pages.map(|entry| context::page(&shared, &provider.page(entry), entry).to_json());
    let mut seen: Vec<Value> = items.chain(pages).collect();
    seen.extend(lists);
    let everything = provider.site_file_context(Reads::ALL);
    seen.extend([
        context::feed(&shared, &frame, None).to_json(),
        context::archive(&shared, &provider.archive(None)).to_json(),
        context::subscribe(&shared).to_json(),
        context::tag_index(&shared, &provider.tag_index()).to_json(),
        context::site_file(&shared, &everything).to_json(),
        json!(snapshot.shows),
    ]);
    seen
}

fn of_value(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| of_value(value, names)),
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                of_value(value, names);
            }
        }
        _ => {}
    }
}

fn of_schema(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Array(list) => list.iter().for_each(|schema| of_schema(schema, names)),
        Value::Object(object) => {
            if let Some(Value::Object(properties)) = object.get("properties") {
                names.extend(properties.keys().cloned());
            }
            object.values().for_each(|schema| of_schema(schema, names));
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
pub fn unknown(
    template: &Template,
    file: &str,
    namespace: &str,
    own: &ThemeNames<'_>,
) -> Vec<Diagnostic> {
    let of_site = [format!("_{namespace}"), format!("{namespace}_version")];
    let is_known = |key: &str| {
        let is_index = key.bytes().all(|byte| byte.is_ascii_digit());
        is_index || KNOWN.contains(key) || own.has(key) || of_site.iter().any(|own| own == key)
    };
    let mut told: HashSet<&str> = HashSet::new();
    let mut report = FileReport::default();
    for tag in template.names() {
        let option = option_of(tag).filter(|key| !own.options.contains(key));
        let unknown = option.or_else(|| tag.keys().find(|key| !is_known(key)));
        if let Some(key) = unknown.filter(|key| told.insert(key)) {
            let names: Vec<&str> = match option {
                Some(_) => own.options.iter().copied().collect(),
                None => KNOWN.iter().map(String::as_str).chain(own.words.iter().copied()).collect(),
            };
            report.add(Severity::Warning, || warning(template, tag, key, &names).file(file));
        }
    }
    report.finish(file)
}

/// Returns the option that a tag names: `accent` in `_theme.options.accent.light`.
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

/// Runs [`unknown`] for every template of a theme. `label` is the theme's folder in messages.
pub fn unknown_in(theme: &Theme, label: &str, namespace: &str) -> Vec<Diagnostic> {
    let own = ThemeNames::of(theme);
    theme
        .templates()
        .flat_map(|(file, template)| unknown(template, &format!("{label}/{file}"), namespace, &own))
        .collect()
}
