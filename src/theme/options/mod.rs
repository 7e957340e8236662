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

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use front_matter::{Node, Table, Value};
use serde_json::{Map, Value as Json, json};
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
use model::{CardStyle, Config, ContentFolder, Diagnostic, Rule, SitePath, Source};
use source::fields::{Fields, Reader, nearest};
use source::show_folders::settings_file;
use source::text::read_text;

/// The table of theme options in `site.toml` and `show.toml`.
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
        Self { values: Json::Object(defaults(declared)), ..Self::default() }
    }

    /// Returns the fonts that pages of a site in this language preload.
    pub fn early_fonts(&self, language: &str) -> impl Iterator<Item = &Json> {
        Preload::of(&self.preloads, language)
    }
}

impl Theme {
    /// Applies the options that a site sets, and reports invalid values. Invalid options keep their
    /// defaults.
    pub fn choose(&mut self, root: &Path, site: &Config) -> Vec<Diagnostic> {
        let chosen = self.read_options(root, &[site], &self.free_folder("site"));
        let (options, assets, found) = chosen;
        if options.values != Options::of(&self.manifest.options).values || !assets.is_empty() {
            self.hash = hash(&self.hash, &options.values, &assets);
        }
        self.options = options;
        self.assets.extend(assets);
        found
    }

    /// Applies the options in the `show.toml` of a show. The show has the site's values for other
    /// options.
    pub fn choose_for_show(
        &mut self,
        root: &Path,
        site: &Config,
        show: &Config,
    ) -> Vec<Diagnostic> {
        let Some(name) = show.content.show().filter(|_| has_options(root, show)) else {
            return Vec::new();
        };
        let folder = self.free_folder(&format!("show-{name}"));
        let (options, assets, found) = self.read_options(root, &[show, site], &folder);
        self.hash = hash(&self.hash, &options.values, &assets);
        self.assets.extend(assets);
        self.show_options.insert(show.content.clone(), options);
        found
    }

    /// Returns the options for the pages of a content folder.
    pub fn options_of(&self, content: &ContentFolder) -> &Options {
        self.show_options.get(content).unwrap_or(&self.options)
    }

    /// Returns the options of the site, then the options of shows.
    pub fn all_options(&self) -> impl Iterator<Item = &Options> {
        std::iter::once(&self.options).chain(self.show_options.values())
    }

    /// Returns the files of the site that options refer to, whether they exist or not.
    pub fn option_files(&self) -> impl Iterator<Item = &SitePath> {
        self.all_options().flat_map(|options| &options.files)
    }

    /// Reads the options in the settings of a show and of the site. The first file that sets an option
    /// determines its value. Returns the options, the assets for `folder` and the faults of the first
    /// file.
    fn read_options(
        &self,
        root: &Path,
        configs: &[&Config],
        folder: &str,
    ) -> (Options, Vec<Asset>, Vec<Diagnostic>) {
        let mut chooser = OptionReader::for_site(root, folder, configs[0]);
        let mut values = defaults(&self.manifest.options);
        let mut found = Vec::new();
        let mut set = HashSet::new();
        for (at, config) in configs.iter().enumerate() {
            // Errors in the file itself are reported where the whole file is read.
            let Some((path, text)) = settings(root, config) else { continue };
            let source = Source { path: &path, text: &text };
            let table = source.toml().unwrap_or_default();
            let reader = Reader::new(source, config, root);
            chooser.config = config;
            if let Some(node) = options_in(&table) {
                let into = (&mut chooser, &mut values, &mut set);
                self.read_table(&reader, node, &table, into);
            }
            // The faults of inherited options are reported for the site.
            if at == 0 {
                found = reader.finish().0;
            }
        }
        let gathered = chooser.gathered;
        let (options, assets, fault) =
            self.with_styles((Json::Object(values), gathered), &configs[0].theme, folder);
        found.extend(fault);
        (options, assets, found)
    }

    fn read_table(
        &self,
        reader: &Reader<'_>,
        node: &Node,
        whole: &Table,
        (chooser, values, set): (
            &mut OptionReader<'_>,
            &mut Map<String, Json>,
            &mut HashSet<String>,
        ),
    ) {
        let outer = Fields::new(reader, whole, "");
        let Value::Table(table) = &node.value else {
            outer.report_wrong_type::<()>(KEY, node, "a table", &node.value);
            return;
        };
        let fields = Fields::new(reader, table, format!("{KEY}."));
        for entry in table.entries.iter().filter(|entry| set.insert(entry.key.clone())) {
            let name = entry.key.as_str();
            match self.manifest.options.get(name) {
                Some(option) => {
                    let value = value(chooser, &fields, (name, &entry.node), &option.kind);
                    if let Some(value) = value {
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

    /// Returns a name that no asset of the theme uses, for an option style sheet and for the folder
    /// of the site's files.
    fn free_folder(&self, name: &str) -> String {
        let mut folder = name.to_owned();
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

    /// Returns options with these values, and their assets: the style sheet of the options and the
    /// site's files. `name` is the theme's name for messages.
    fn with_styles(
        &self,
        (values, gathered): (Json, Gathered),
        name: &str,
        folder: &str,
    ) -> (Options, Vec<Asset>, Option<Diagnostic>) {
        let mut sheet = gathered.faces;
        let styles = self.option_styles(&values, name);
        let fault = styles.map(|styles| sheet.push_str(&styles)).err();
        let styles = (!sheet.is_empty()).then(|| format!("{folder}.css"));
        let asset = styles.iter().map(|path| Asset::at(path.clone(), sheet.clone().into_bytes()));
        let assets = asset.chain(gathered.assets).collect();
        let options = Options {
            card_style: Some(card::style(self.manifest.card, &values, &gathered.card_fonts)),
            values,
            styles,
            preloads: gathered.preloads,
            files: gathered.files.into_iter().collect(),
            link_paths: gathered.link_paths,
            logos: gathered.logos,
        };
        (options, assets, fault)
    }

    /// Renders the theme's style sheet for its options. `name` is the theme's name for messages.
    fn option_styles(&self, values: &Json, name: &str) -> Result<String, Diagnostic> {
        let Some(template) = self.slots.get(&Slot::OptionStyles) else {
            return Ok(String::new());
        };
        let data = json!({ "_theme": { "options": values } });
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

fn defaults(declared: &Declarations) -> Map<String, Json> {
    declared.iter().map(|(name, one)| (name.clone(), one.default.clone())).collect()
}

/// Returns the path and the text of the settings of a site or show.
fn settings(root: &Path, config: &Config) -> Option<(SitePath, String)> {
    let path = settings_file(&config.content)?;
    let text = read_text(root, &path).ok()?;
    Some((path, text))
}

fn has_options(root: &Path, show: &Config) -> bool {
    let settings = settings(root, show);
    let table = settings.and_then(|(path, text)| Source { path: &path, text: &text }.toml().ok());
    table.is_some_and(|table| options_in(&table).is_some())
}

/// Returns the options that settings contain.
fn options_in(settings: &Table) -> Option<&Node> {
    settings.get(KEY).filter(|node| node.value != Value::Null)
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
