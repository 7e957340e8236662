//! Theme packages: reads and validates the files of a package, and parses its templates.

mod asset_links;
mod base;
mod check;
mod folder;
mod namespace;
mod renamed_words;
mod template_faults;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use self::base::{Bases, built_in_files};
pub use self::base::{built_in_names, built_in_original, names_in};
use self::folder::read_folder;
use self::namespace::read_default_data;
use super::asset::Asset;
use super::manifest::Manifest;
use super::options::Options;
use super::{
    ASSET_FOLDER, MANIFESTS, MAX_ASSET, MAX_ASSETS_TOTAL, MAX_SLOT, MAX_TEXT, PUBLISHED_MANIFEST,
    Slot,
};
use model::{ContentFolder, Diagnostic, SitePath, Source, WordTable};
use mustache::{ParseError, Partials, Template};
use source::place::place_of;
use source::text::not_utf8;

/// Files of a package, by path in the package.
type Files = BTreeMap<String, Vec<u8>>;

/// A validated package with parsed templates.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Parsed `theme.json`.
    pub manifest: Manifest,
    pub slots: BTreeMap<Slot, Template>,
    pub partials: Partials,
    /// File of each partial, relative to the package's folder.
    pub partial_files: BTreeMap<String, String>,
    pub assets: Vec<Asset>,
    /// Files written for microfeed. Templates among them read microfeed's data.
    published: BTreeSet<String>,
    /// Words that the theme defines in `words/<language>.toml`, by BCP 47 tag of the language.
    pub words: BTreeMap<String, WordTable>,
    /// Hash of the whole package, in hexadecimal digits.
    pub hash: String,
    /// Values of the theme's options: the defaults, until a site sets others.
    pub options: Options,
    /// The options of the shows that set any.
    pub(super) show_options: BTreeMap<ContentFolder, Options>,
    /// Whether this is the original embedded theme, not a copy in a site.
    pub is_embedded: bool,
}

impl Theme {
    /// Loads the theme with this name: the site's own theme, or else a built-in one.
    pub fn load(root: &Path, name: &str) -> Result<Self, Vec<Diagnostic>> {
        let folder = format!("themes/{name}");
        let path = SitePath::parse(&folder).map(|path| path.on_disk(root));
        match (path, built_in_files(name)) {
            (Some(path), _) if path.is_dir() => Self::read(&path, &folder),
            (Some(_), Some(files)) => Self::embedded(name, files),
            _ => Err(vec![missing(root, name)]),
        }
    }

    /// Returns the default theme, which is embedded in the program.
    pub fn built_in() -> Result<Self, Vec<Diagnostic>> {
        Self::embedded_as("default")
    }

    /// Returns an embedded theme, even if the site has a theme of that name.
    pub(super) fn embedded_as(name: &str) -> Result<Self, Vec<Diagnostic>> {
        Self::embedded(name, built_in_files(name).unwrap_or_default())
    }

    fn embedded(name: &str, files: Files) -> Result<Self, Vec<Diagnostic>> {
        let bases = Bases { folder: None, extended_by: vec![name.to_owned()] };
        let checked = Self::check(&format!("themes/{name}"), files, Vec::new(), &bases);
        checked.map(|(theme, _)| Self { is_embedded: true, ..theme })
    }

    /// Reads the package in a folder. A theme that the package extends is in a sibling folder or
    /// built in. `label` is the folder's name in messages.
    pub fn read(folder: &Path, label: &str) -> Result<Self, Vec<Diagnostic>> {
        let name = folder.file_name().unwrap_or_default();
        let bases = Bases {
            folder: folder.parent(),
            extended_by: vec![name.to_string_lossy().into_owned()],
        };
        Self::read_with_bases(folder, label, &bases).map(|(theme, _)| theme)
    }

    fn read_with_bases(
        folder: &Path,
        label: &str,
        bases: &Bases<'_>,
    ) -> Result<(Self, Files), Vec<Diagnostic>> {
        let (files, found) = read_folder(folder, label)?;
        Self::check(label, files, found, bases)
    }

    fn check(
        label: &str,
        mut files: Files,
        mut found: Vec<Diagnostic>,
        bases: &Bases<'_>,
    ) -> Result<(Self, Files), Vec<Diagnostic>> {
        let Some(manifest_name) = MANIFESTS.into_iter().find(|name| files.contains_key(*name))
        else {
            found.push(
                Diagnostic::error("this theme has no manifest")
                    .file(label)
                    .help("add a theme.json"),
            );
            return Err(found);
        };
        let own: BTreeSet<String> = files.keys().cloned().collect();
        let mut published = BTreeSet::new();
        if manifest_name == PUBLISHED_MANIFEST {
            published.extend(own.iter().cloned());
        }
        let mut package = Package { label, files: &files, published: &published, found, text: 0 };
        let Some(mut manifest) = package.manifest(manifest_name) else {
            return Err(package.found);
        };
        let base = package.base(&manifest, bases);
        let (found, text) = (package.found, package.text);
        if manifest.extends.is_some() && base.is_none() {
            return Err(found);
        }
        let mut words = BTreeMap::new();
        if let Some((base, below)) = base {
            let inherited = base::merge_base(below, &base.manifest, &mut files, &mut manifest);
            published.extend(
                inherited.filter_map(|(from, to)| base.published.contains(&from).then_some(to)),
            );
            words = base.words;
        }
        let mut package = Package { label, files: &files, published: &published, found, text };
        let slots: BTreeMap<Slot, Template> = manifest
            .files
            .iter()
            .filter_map(|(slot, path)| Some((*slot, package.template(path)?)))
            .collect();
        let (partials, partial_files) = package.partials(manifest.partials.as_deref());
        let assets = package.assets(&manifest);
        for (language, own) in package.words() {
            words.entry(language).or_default().extend(own);
        }
        package.check_partial_names(&manifest, &slots, &partials, &partial_files);
        package.check_stylesheet(&manifest, &slots, &partials);
        package.check_fixture(&manifest);
        package.check_undeclared(manifest_name, &mut manifest);
        let of_slots = slots.iter();
        let of_slots = of_slots.filter_map(|(slot, one)| Some((manifest.files.get(slot)?, one)));
        let of_partials = partials.iter();
        let of_partials =
            of_partials.filter_map(|(name, one)| Some((partial_files.get(name)?, one)));
        let templates = of_slots.chain(of_partials);
        let templates: Vec<_> = templates.filter(|(file, _)| own.contains(*file)).collect();
        let links = |template| asset_links::broken(template, &assets);
        manifest.warnings.extend(template_faults::warnings(label, &templates, links));
        manifest.warnings.extend(template_faults::warnings(
            label,
            &templates,
            renamed_words::old_keys,
        ));
        if package.found.is_empty() {
            let theme = Self {
                options: Options::of(&manifest.options),
                show_options: BTreeMap::new(),
                manifest,
                slots,
                partials,
                partial_files,
                assets,
                published,
                words,
                hash: hash(&files),
                is_embedded: false,
            };
            Ok((theme, files))
        } else {
            Err(package.found)
        }
    }

    /// Returns whether the theme renders pages and the search page.
    pub fn has_pages(&self) -> bool {
        self.manifest.format >= 2
    }

    /// Returns the templates, each with its file in the package: slots, then partials.
    pub fn templates(&self) -> impl Iterator<Item = (&str, &Template)> {
        let slots = self.slots.iter();
        let slots = slots.filter_map(|(slot, template)| {
            Some((self.manifest.files.get(slot)?.as_str(), template))
        });
        let partials = self.partials.iter();
        slots.chain(partials.filter_map(|(name, template)| {
            Some((self.partial_files.get(name)?.as_str(), template))
        }))
    }

    /// Returns whether any template of the theme uses `key`.
    pub fn mentions(&self, key: &str) -> bool {
        self.templates().any(|(_, template)| template.mentions(key))
    }

    /// Returns whether a page of this slot has a template that uses `key`. The templates of a page
    /// are the slot, the slots around it, and the partials that these slots include.
    pub fn reads(&self, slot: Slot, key: &str) -> bool {
        let around = [Slot::WebHeader, Slot::WebBodyStart, Slot::WebBodyEnd];
        let around = around.into_iter().filter(|_| !slot.is_standalone());
        let mut open: Vec<&Template> =
            [slot].into_iter().chain(around).filter_map(|slot| self.slots.get(&slot)).collect();
        let mut seen = BTreeSet::new();
        while let Some(template) = open.pop() {
            if template.mentions(key) {
                return true;
            }
            let included = template.partial_names().filter(|tag| seen.insert(tag.name));
            open.extend(included.filter_map(|tag| self.partials.get(tag.name)));
        }
        false
    }

    /// Returns whether a partial can include itself endlessly, directly or through other partials.
    /// A partial that includes itself only inside the section `below`, for each branch of the tree
    /// of pages, ends with the tree.
    pub fn has_recursive_partials(&self) -> bool {
        self.partials.iter().any(|(start, _)| {
            let mut open = vec![start];
            let mut seen = BTreeSet::new();
            while let Some(name) = open.pop() {
                let template = self.partials.get(name).into_iter();
                for included in template.flat_map(|one| one.partials_outside("below")) {
                    if included == start {
                        return true;
                    }
                    if seen.insert(included) {
                        open.push(included);
                    }
                }
            }
            false
        })
    }
}

fn missing(root: &Path, name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("theme {name:?} not found"));
    let diagnostic = match SitePath::parse("site.toml") {
        Some(path) => place_of(root, &path, "theme", name, diagnostic),
        None => diagnostic,
    };
    let built_in: Vec<_> = built_in_names().map(|name| format!("{name:?}")).collect();
    let built_in = built_in.join(" or ");
    let near = base::nearest_theme(&root.join("themes"), name);
    let near = near.map_or_else(String::new, |near| format!("did you mean {near:?}? Otherwise "));
    diagnostic.help(match SitePath::parse(name) {
        Some(name) => {
            format!("{near}put the theme into themes/{name}/, or set theme = {built_in}")
        }
        None => format!("write the name of a folder in themes/, or set theme = {built_in}"),
    })
}

fn hash(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hasher = Xxh3::new();
    for (name, bytes) in files {
        hasher.update(name.as_bytes());
        hasher.update(&bytes.len().to_le_bytes());
        hasher.update(bytes);
    }
    format!("{:016x}", hasher.digest())
}

/// A package during validation.
struct Package<'p> {
    label: &'p str,
    files: &'p BTreeMap<String, Vec<u8>>,
    /// Files written for microfeed.
    published: &'p BTreeSet<String>,
    found: Vec<Diagnostic>,
    text: usize,
}

impl Package<'_> {
    fn fail(&mut self, file: &str, message: impl Into<String>, help: impl Into<String>) {
        self.found
            .push(Diagnostic::error(message).file(format!("{}/{file}", self.label)).help(help));
    }

    /// Reports a missing file at the position where the manifest refers to it.
    fn report_missing_file(&mut self, name: &str, what: &str) {
        let message = format!("the {what} {name} does not exist");
        let help = "add it to the package, or change the manifest";
        self.fail_at_manifest(name, message, help);
    }

    /// Reports an error at the position of a quoted string in the manifest.
    fn fail_at_manifest(&mut self, quoted: &str, message: String, help: impl Into<String>) {
        let manifest = MANIFESTS
            .into_iter()
            .find(|manifest| self.files.contains_key(*manifest))
            .unwrap_or(MANIFESTS[0]);
        let text = self.files.get(manifest).map(|text| String::from_utf8_lossy(text));
        let path = SitePath::parse(&format!("{}/{manifest}", self.label));
        let (Some(text), Some(path)) = (text, path) else {
            return;
        };
        let offset = text.find(&format!("{quoted:?}")).unwrap_or(0);
        let source = Source { path: &path, text: &text };
        let error = Diagnostic::error(message).at(source, offset);
        self.found.push(error.help(help));
    }

    fn manifest(&mut self, name: &str) -> Option<Manifest> {
        let text = self.text_of(name, MAX_SLOT)?;
        let path = SitePath::parse(&format!("{}/{name}", self.label))?;
        match Manifest::read(&path, &text) {
            Ok(manifest) => Some(manifest),
            Err(found) => {
                self.found.extend(found);
                None
            }
        }
    }

    /// Returns a file's text. The file must exist, be UTF-8 and have at most `max` bytes.
    fn text_of(&mut self, name: &str, max: usize) -> Option<String> {
        let Some(bytes) = self.files.get(name) else {
            self.report_missing_file(name, "file");
            return None;
        };
        if bytes.len() > max {
            self.fail(
                name,
                format!("this file has {} bytes; at most {max} are allowed", bytes.len()),
                "shorten it",
            );
        }
        self.text += bytes.len();
        if self.text > MAX_TEXT && self.text - bytes.len() <= MAX_TEXT {
            self.fail(
                name,
                format!("the text files of the theme have more than {MAX_TEXT} bytes in total"),
                "shorten its slots",
            );
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text.to_owned()),
            Err(error) => {
                let path = SitePath::parse(&format!("{}/{name}", self.label))?;
                self.found.push(not_utf8(&path, bytes, error.valid_up_to()));
                None
            }
        }
    }

    fn template(&mut self, name: &str) -> Option<Template> {
        let text = self.text_of(name, MAX_SLOT)?;
        match Template::parse(text) {
            Ok(mut template) => {
                if self.published.contains(name) {
                    read_default_data(&mut template);
                }
                Some(template)
            }
            Err(error) => {
                self.found.push(template_error(&error, format!("{}/{name}", self.label)));
                None
            }
        }
    }

    /// Parses the partials. Returns them by name, and the file of each.
    fn partials(&mut self, folder: Option<&str>) -> (Partials, BTreeMap<String, String>) {
        let (mut partials, mut files) = (Partials::new(), BTreeMap::new());
        let Some(folder) = folder else {
            return (partials, files);
        };
        let prefix = format!("{folder}/");
        let names: Vec<String> =
            self.files.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
        for name in names {
            let key = partial_name(name.strip_prefix(&prefix).unwrap_or(&name)).to_owned();
            if let Some(template) = self.template(&name) {
                partials.insert(key.clone(), template);
            }
            // The file exists, even if it has an error, which is already reported.
            files.insert(key, name);
        }
        (partials, files)
    }

    fn assets(&mut self, manifest: &Manifest) -> Vec<Asset> {
        let mut assets = Vec::new();
        let mut total = 0;
        for path in &manifest.assets {
            let Some(bytes) = self.files.get(path) else {
                self.report_missing_file(path, "asset");
                continue;
            };
            total += bytes.len();
            if bytes.len() > MAX_ASSET {
                self.fail(
                    path,
                    format!(
                        "this asset has {} bytes; at most {MAX_ASSET} are allowed",
                        bytes.len()
                    ),
                    "compress it",
                );
            }
            let address = self.address(path);
            if assets.iter().any(|other: &Asset| other.address == address) {
                let message = format!("{path} has the same address as another asset");
                self.fail(path, message, "rename one of them");
            }
            assets.push(Asset {
                path: path.clone(),
                address,
                bytes: bytes.clone(),
                is_for_formulas: manifest.formula_assets.contains(path),
            });
        }
        if total > MAX_ASSETS_TOTAL {
            self.fail(
                "",
                format!(
                    "the assets have {total} bytes in total; at most {MAX_ASSETS_TOTAL} are allowed"
                ),
                "compress them",
            );
        }
        assets
    }

    /// Returns the path of an asset below the folder in which the site publishes the theme's
    /// assets. An asset written for microfeed is always below [`ASSET_FOLDER`], as microfeed serves
    /// it.
    fn address(&self, path: &str) -> String {
        let is_inside = path.starts_with(&format!("{ASSET_FOLDER}/"));
        match self.published.contains(path) && !is_inside {
            true => format!("{ASSET_FOLDER}/{path}"),
            false => path.to_owned(),
        }
    }
}

/// Returns the name of a partial, for `{{>name}}`: the path of the file in the folder of partials,
/// without the extension.
pub fn partial_name(path: &str) -> &str {
    path.strip_suffix(".mustache").or_else(|| path.strip_suffix(".html")).unwrap_or(path)
}

/// Converts a template's parse error to a diagnostic of its file.
pub fn template_error(error: &ParseError, file: String) -> Diagnostic {
    Diagnostic::error(error.message())
        .file(file)
        .position(error.line(), error.column(), error.source_line())
        .help("see the syntax in the documentation's page on templates")
}
