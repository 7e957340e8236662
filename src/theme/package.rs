//! A package: its files are read and checked, its templates parsed.

mod check;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

use include_dir::{Dir, DirEntry, include_dir};
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3;

use super::manifest::Manifest;
use super::{MANIFESTS, MAX_ASSET, MAX_ASSETS_TOTAL, MAX_SLOT, MAX_TEXT, Slot};
use crate::model::{Diagnostic, SitePath, Source, WordTable};
use crate::source::disk::read_within;
use crate::source::place::place_of;
use crate::source::text::not_utf8;
use mustache::{ParseError, Partials, Template};

/// The most bytes that are read of a package: enough to report what is too large.
const LARGEST: u64 = 2 * MAX_ASSETS_TOTAL as u64;

/// The built-in theme.
static DEFAULT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/themes/default");

/// A file of a theme that pages load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Its path in the package.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// A checked package, its templates parsed.
#[derive(Debug, Clone)]
pub struct Theme {
    /// `theme.json`.
    pub manifest: Manifest,
    pub(crate) slots: BTreeMap<Slot, Template>,
    pub(crate) partials: Partials,
    /// The file of each partial, from the package's folder.
    pub(crate) partial_files: BTreeMap<String, String>,
    pub(crate) assets: Vec<Asset>,
    /// Its own words, by BCP 47 names of languages: `words/<language>.toml`.
    pub(crate) words: BTreeMap<String, WordTable>,
    /// A hash of the whole package, in hexadecimal digits.
    pub(crate) hash: String,
}

impl Theme {
    /// The theme that a site names: its own of that name, or the built-in one.
    pub fn load(root: &Path, name: &str) -> Result<Self, Vec<Diagnostic>> {
        let folder = format!("themes/{name}");
        let path = SitePath::parse(&folder).map(|path| path.on_disk(root));
        match path {
            Some(path) if path.is_dir() => Self::read(&path, &folder),
            Some(_) if name == "default" => Self::built_in(),
            _ => Err(vec![missing(root, name)]),
        }
    }

    /// The theme embedded in the program.
    pub fn built_in() -> Result<Self, Vec<Diagnostic>> {
        let mut files = BTreeMap::new();
        collect(&DEFAULT, &mut files);
        Self::check("themes/default", files, Vec::new())
    }

    /// Reads the package in a folder. `label` is the folder's name in messages.
    pub fn read(folder: &Path, label: &str) -> Result<Self, Vec<Diagnostic>> {
        if folder.is_symlink() {
            return Err(vec![
                Diagnostic::error("a theme cannot be a link")
                    .file(label)
                    .help("copy what it leads to into the site"),
            ]);
        }
        let mut files = BTreeMap::new();
        let mut found = Vec::new();
        let mut room = LARGEST;
        let entries = WalkDir::new(folder)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| {
                let name = entry.file_name().to_string_lossy();
                entry.depth() == 0 || !(name.starts_with('.') || name == "node_modules")
            });
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found.push(
                        Diagnostic::error(format!("this theme cannot be read: {error}"))
                            .file(label)
                            .help("check its files' permissions"),
                    );
                    continue;
                }
            };
            let name = entry
                .path()
                .strip_prefix(folder)
                .unwrap_or(entry.path())
                .to_string_lossy()
                .replace('\\', "/");
            let file = format!("{label}/{name}");
            if entry.path_is_symlink() {
                found.push(
                    Diagnostic::error("a theme cannot hold links")
                        .file(file)
                        .help("copy what it leads to into the package"),
                );
            } else if entry.file_type().is_file() {
                match read_within(entry.path(), room) {
                    Ok(bytes) => {
                        room -= bytes.len() as u64;
                        files.insert(name, bytes);
                    }
                    Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                        let message =
                            format!("with this file the theme is larger than {LARGEST} bytes");
                        let help = "compress it, or remove it";
                        found.push(Diagnostic::error(message).file(file).help(help));
                    }
                    Err(error) => found.push(
                        Diagnostic::error(format!("this file cannot be read: {error}")).file(file),
                    ),
                }
            }
        }
        Self::check(label, files, found)
    }

    fn check(
        label: &str,
        files: BTreeMap<String, Vec<u8>>,
        mut found: Vec<Diagnostic>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let Some((manifest_name, namespace)) = MANIFESTS
            .into_iter()
            .find(|(name, _)| files.contains_key(*name))
        else {
            found.push(
                Diagnostic::error("this theme has no manifest")
                    .file(label)
                    .help("add a theme.json"),
            );
            return Err(found);
        };
        let mut package = Package {
            label,
            files: &files,
            found,
            text: 0,
        };
        let Some(mut manifest) = package.manifest(manifest_name) else {
            return Err(package.found);
        };
        let slots: BTreeMap<Slot, Template> = manifest
            .files
            .iter()
            .filter_map(|(slot, path)| Some((*slot, package.template(path)?)))
            .collect();
        let (partials, partial_files) = package.partials(manifest.partials.as_deref());
        let assets = package.assets(&manifest);
        let words = package.words();
        package.check_partial_names(&manifest, &slots, &partials, &partial_files);
        package.check_stylesheet(&manifest, &slots, &partials);
        package.check_fixture(&manifest);
        package.check_undeclared(manifest_name, &mut manifest);
        if package.found.is_empty() {
            let mut theme = Self {
                manifest,
                slots,
                partials,
                partial_files,
                assets,
                words,
                hash: hash(&files),
            };
            theme.rename_namespace(namespace, "service");
            Ok(theme)
        } else {
            Err(package.found)
        }
    }

    /// Whether it renders Pages and the search page.
    pub fn has_pages(&self) -> bool {
        self.manifest.format >= 2
    }

    /// Whether a template of it names `key` anywhere.
    pub fn mentions(&self, key: &str) -> bool {
        let mut templates = self
            .slots
            .values()
            .chain(self.partials.iter().map(|(_, template)| template));
        templates.any(|template| template.mentions(key))
    }

    /// Whether a template that a page of this slot is made of names `key`: the slot's own, those around
    /// it, and the partials they include.
    pub fn reads(&self, slot: Slot, key: &str) -> bool {
        let around = [Slot::WebHeader, Slot::WebBodyStart, Slot::WebBodyEnd];
        let around = around.into_iter().filter(|_| !slot.stands_alone());
        let mut open: Vec<&Template> = [slot]
            .into_iter()
            .chain(around)
            .filter_map(|slot| self.slots.get(&slot))
            .collect();
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

    /// Whether a partial may include itself, directly or through others.
    pub fn has_recursive_partials(&self) -> bool {
        self.partials.iter().any(|(start, _)| {
            let mut open = vec![start];
            let mut seen = BTreeSet::new();
            while let Some(name) = open.pop() {
                for tag in self
                    .partials
                    .get(name)
                    .into_iter()
                    .flat_map(Template::partial_names)
                {
                    if tag.name == start {
                        return true;
                    }
                    if seen.insert(tag.name) {
                        open.push(tag.name);
                    }
                }
            }
            false
        })
    }

    /// Makes templates written for one namespace read the data of another.
    pub fn rename_namespace(&mut self, from: &str, to: &str) {
        if from == to {
            return;
        }
        for (from, to) in [
            (format!("_{from}"), format!("_{to}")),
            (format!("{from}_version"), format!("{to}_version")),
        ] {
            for template in self.slots.values_mut() {
                template.rename_key(&from, &to);
            }
            self.partials.rename_key(&from, &to);
        }
    }
}

fn missing(root: &Path, name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("there is no theme {name:?}"));
    let diagnostic = match SitePath::parse("site.toml") {
        Some(path) => place_of(root, &path, "theme", name, diagnostic),
        None => diagnostic,
    };
    diagnostic.help(match SitePath::parse(name) {
        Some(name) => {
            format!("put its package into themes/{name}/, or set theme = \"default\"")
        }
        None => "name a folder of themes/, or set theme = \"default\"".into(),
    })
}

fn collect(dir: &Dir<'_>, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => collect(dir, files),
            DirEntry::File(file) => {
                files.insert(
                    file.path().to_string_lossy().replace('\\', "/"),
                    file.contents().to_vec(),
                );
            }
        }
    }
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

/// A package while it is checked.
struct Package<'p> {
    label: &'p str,
    files: &'p BTreeMap<String, Vec<u8>>,
    found: Vec<Diagnostic>,
    text: usize,
}

impl Package<'_> {
    fn fail(&mut self, file: &str, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(
            Diagnostic::error(message)
                .file(format!("{}/{file}", self.label))
                .help(help),
        );
    }

    /// Reports a missing file at the place where the manifest names it.
    fn not_there(&mut self, name: &str, what: &str) {
        let manifest = MANIFESTS
            .iter()
            .find(|(manifest, _)| self.files.contains_key(*manifest))
            .map_or("theme.json", |(manifest, _)| *manifest);
        let text = self
            .files
            .get(manifest)
            .map(|text| String::from_utf8_lossy(text));
        let path = SitePath::parse(&format!("{}/{manifest}", self.label));
        let (Some(text), Some(path)) = (text, path) else {
            return;
        };
        let offset = text.find(&format!("{name:?}")).unwrap_or(0);
        self.found.push(
            Diagnostic::error(format!("the {what} {name} does not exist"))
                .at(
                    Source {
                        path: &path,
                        text: &text,
                    },
                    offset,
                )
                .help("add it to the package, or change the manifest"),
        );
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

    /// A file's text. The file has to exist, be UTF-8 and have at most `max` bytes.
    fn text_of(&mut self, name: &str, max: usize) -> Option<String> {
        let Some(bytes) = self.files.get(name) else {
            self.not_there(name, "file");
            return None;
        };
        if bytes.len() > max {
            self.fail(
                name,
                format!("this file has {} bytes, and may have {max}", bytes.len()),
                "shorten it",
            );
        }
        self.text += bytes.len();
        if self.text > MAX_TEXT && self.text - bytes.len() <= MAX_TEXT {
            self.fail(
                name,
                format!("the theme's text is larger than {MAX_TEXT} bytes together"),
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
            Ok(template) => Some(template),
            Err(error) => {
                self.found
                    .push(template_error(&error, format!("{}/{name}", self.label)));
                None
            }
        }
    }

    /// The partials by name, and the file of each.
    fn partials(&mut self, folder: Option<&str>) -> (Partials, BTreeMap<String, String>) {
        let (mut partials, mut files) = (Partials::new(), BTreeMap::new());
        let Some(folder) = folder else {
            return (partials, files);
        };
        let prefix = format!("{folder}/");
        let names: Vec<String> = self
            .files
            .keys()
            .filter(|name| name.starts_with(&prefix))
            .cloned()
            .collect();
        for name in names {
            let key = partial_name(name.strip_prefix(&prefix).unwrap_or(&name)).to_owned();
            if let Some(template) = self.template(&name) {
                partials.insert(key.clone(), template);
                files.insert(key, name);
            }
        }
        (partials, files)
    }

    fn assets(&mut self, manifest: &Manifest) -> Vec<Asset> {
        let mut assets = Vec::new();
        let mut total = 0;
        for path in &manifest.assets {
            let Some(bytes) = self.files.get(path) else {
                self.not_there(path, "asset");
                continue;
            };
            total += bytes.len();
            if bytes.len() > MAX_ASSET {
                self.fail(
                    path,
                    format!(
                        "this asset has {} bytes, and may have {MAX_ASSET}",
                        bytes.len()
                    ),
                    "compress it",
                );
            }
            assets.push(Asset {
                path: path.clone(),
                bytes: bytes.clone(),
            });
        }
        if total > MAX_ASSETS_TOTAL {
            self.fail(
                "",
                format!("the assets have {total} bytes together, and may have {MAX_ASSETS_TOTAL}"),
                "compress them",
            );
        }
        assets
    }
}

/// The name that `{{>name}}` includes a file of a folder of partials by: its path there without its ending.
pub fn partial_name(path: &str) -> &str {
    path.strip_suffix(".mustache")
        .or_else(|| path.strip_suffix(".html"))
        .unwrap_or(path)
}

/// A template's error as a diagnostic of its file.
pub fn template_error(error: &ParseError, file: String) -> Diagnostic {
    Diagnostic::error(error.message())
        .file(file)
        .position(error.line(), error.column(), error.source_line())
        .help("the documentation's page on templates has the syntax")
}
