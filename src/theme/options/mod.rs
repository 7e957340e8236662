//! Options: the values that a site sets for its theme in `[theme_options]`, typed by the theme's
//! manifest.
//!
//! A theme declares options ([`declared`]), `site.toml` sets their values ([`chosen`]), and
//! templates read the result as `_theme.options`. Files that a value names become assets of the
//! theme. Fonts and the theme's `optionStyles` become one style sheet, so that pages need no inline
//! styles.

mod card;
mod chosen;
mod colours;
pub(super) mod declared;
mod font;
mod font_cache;
mod kind;
mod links;
mod preload;
mod values;

use std::collections::BTreeSet;
use std::path::Path;

use front_matter::{Node, Table, Value};
use serde_json::{Value as Json, json};
use xxhash_rust::xxh3::Xxh3;

pub(super) use self::card::read_card_colours;
use self::chosen::{Gathered, OptionReader};
use self::declared::Declarations;
use self::preload::Preload;
use self::values::value;
use super::asset::Asset;
use super::minify::minify_style;
use super::services::Logo;
use super::{Slot, Theme};
use model::{CardStyle, Config, Diagnostic, Rule, SitePath, Source};
use source::fields::{Fields, Reader, nearest};
use source::text::read_text;

/// The table of theme options in `site.toml`.
const KEY: &str = "theme_options";

/// The options of a theme with the values that a site sets.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Values for templates, `_theme.options`: every option by name, or null if it has no value.
    pub values: Json,
    /// Path of the asset with the style sheet of the options.
    pub styles: Option<String>,
    /// Fonts to preload.
    preloads: Vec<Preload>,
    /// Look of social cards. `None` until a site's options are applied.
    pub card_style: Option<CardStyle>,
    /// Files of the site that the options refer to, whether they exist or not.
    pub files: BTreeSet<SitePath>,
    /// Public paths that links point to, each with the warning to report if the path does not
    /// exist.
    pub link_paths: Vec<(String, Diagnostic)>,
    /// Logos that profiles show.
    pub logos: Vec<Logo>,
}

impl Options {
    /// Returns the default options, before a site sets any.
    pub(super) fn of(declared: &Declarations) -> Self {
        let defaults = declared.iter();
        let defaults = defaults.map(|(name, one)| (name.clone(), one.default.clone()));
        Self { values: Json::Object(defaults.collect()), ..Self::default() }
    }

    /// Returns the fonts that pages of a site in this language preload.
    pub fn early_fonts(&self, language: &str) -> impl Iterator<Item = &Json> {
        Preload::of(&self.preloads, language)
    }
}

impl Theme {
    /// Applies the options that a site sets, and reports invalid values. Invalid options keep their
    /// defaults.
    pub fn choose(&mut self, root: &Path, config: &Config) -> Vec<Diagnostic> {
        // Errors in the file itself are reported where the whole file is read.
        let path = SitePath::parse("site.toml");
        let text = path.as_ref().and_then(|path| read_text(root, path).ok());
        let (Some(path), Some(text)) = (path, text) else {
            return self.apply_styles(Gathered::default(), &config.theme);
        };
        let source = Source { path: &path, text: &text };
        let table = source.toml().unwrap_or_default();
        let reader = Reader::new(source, config, root);
        let folder = self.free_folder();
        let mut chooser = OptionReader::for_site(root, &folder, config);
        if let Some(node) = table.get(KEY).filter(|node| node.value != Value::Null) {
            self.read_option(&reader, node, &table, &mut chooser);
        }
        let mut found = reader.finish().0;
        found.extend(self.apply_styles(chooser.gathered, &config.theme));
        found
    }

    fn read_option(
        &mut self,
        reader: &Reader<'_>,
        node: &Node,
        whole: &Table,
        chooser: &mut OptionReader<'_>,
    ) {
        let outer = Fields::new(reader, whole, "");
        let Value::Table(table) = &node.value else {
            outer.report_wrong_type::<()>(KEY, node, "a table", &node.value);
            return;
        };
        let fields = Fields::new(reader, table, format!("{KEY}."));
        for entry in &table.entries {
            let name = entry.key.as_str();
            match self.manifest.options.get(name) {
                Some(option) => {
                    let value = value(chooser, &fields, (name, &entry.node), &option.kind);
                    if let (Some(value), Json::Object(values)) = (value, &mut self.options.values) {
                        values.insert(name.to_owned(), value);
                    }
                }
                None => {
                    let message =
                        format!("the theme {} has no option `{name}`", self.manifest.name);
                    let help = unknown_option_help(name, &self.manifest.options);
                    reader.warning(Rule::UnknownKey, &entry.key_span, message, help);
                }
            }
        }
    }

    /// Returns a name that no asset of the theme uses, for the option style sheet and for the
    /// folder of the site's files.
    fn free_folder(&self) -> String {
        let mut folder = "site".to_owned();
        let is_taken = |folder: &str| {
            let mut paths = self.assets.iter().map(|asset| asset.path.as_str());
            paths.any(|path| {
                path.starts_with(&format!("{folder}/")) || path == format!("{folder}.css")
            })
        };
        while is_taken(&folder) {
            folder.push('_');
        }
        folder
    }

    /// Adds the style sheet of the options and the site's files to the theme, and updates the
    /// theme's hash.
    fn apply_styles(&mut self, gathered: Gathered, name: &str) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut sheet = gathered.faces;
        match self.option_styles(name) {
            Ok(styles) => sheet.push_str(&styles),
            Err(error) => found.push(error),
        }
        self.options.styles = (!sheet.is_empty()).then(|| format!("{}.css", self.free_folder()));
        let address = self.options.styles.iter();
        let sheet = address.map(|path| Asset::at(path.clone(), sheet.clone().into_bytes()));
        let added: Vec<Asset> = sheet.chain(gathered.assets).collect();
        if self.options.values != Options::of(&self.manifest.options).values || !added.is_empty() {
            self.hash = hash(&self.hash, &self.options.values, &added);
        }
        self.assets.extend(added);
        let (colours, values) = (self.manifest.card, &self.options.values);
        self.options.card_style = Some(card::style(colours, values, &gathered.card_fonts));
        self.options.preloads = gathered.preloads;
        self.options.files = gathered.files.into_iter().collect();
        self.options.link_paths = gathered.link_paths;
        self.options.logos = gathered.logos;
        found
    }

    /// Renders the theme's style sheet for its options. `name` is the theme's name for messages.
    fn option_styles(&self, name: &str) -> Result<String, Diagnostic> {
        let Some(template) = self.slots.get(&Slot::OptionStyles) else {
            return Ok(String::new());
        };
        let data = json!({ "_theme": { "options": self.options.values } });
        let mut text = String::new();
        let rendered = template.render(&[&data], &self.partials, &mut text);
        rendered.map_err(|error| {
            let file = self.manifest.files.get(&Slot::OptionStyles);
            let file = file.map_or("theme.json", String::as_str);
            Diagnostic::error(error.message())
                .file(format!("themes/{name}/{file}"))
                .help("nest partials at most 64 deep")
        })?;
        Ok(minify_style(&text))
    }
}

/// Returns a help text for an unknown option.
fn unknown_option_help(name: &str, declared: &Declarations) -> String {
    let names: Vec<&str> = declared.keys().map(String::as_str).collect();
    match nearest(name, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "remove it: this theme has no options".to_owned(),
        None => format!("use one of its options: {}", names.join(", ")),
    }
}

fn hash(theme: &str, values: &Json, assets: &[Asset]) -> String {
    let mut hasher = Xxh3::new();
    hasher.update(theme.as_bytes());
    hasher.update(values.to_string().as_bytes());
    for asset in assets {
        hasher.update(asset.path.as_bytes());
        hasher.update(&asset.bytes.len().to_le_bytes());
        hasher.update(&asset.bytes);
    }
    format!("{:016x}", hasher.digest())
}
