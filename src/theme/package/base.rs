//! Themes that extend another theme: files missing in a package come from its base.

use std::collections::btree_map::Entry;
use std::fs;
use std::path::Path;

use include_dir::{Dir, DirEntry, include_dir};

use super::words::is_words_file;
use super::{Files, Package, Theme};
use crate::manifest::Manifest;
use crate::{MANIFESTS, minify_script, minify_style};
use model::Diagnostic;
use source::fields::nearest;

/// The themes embedded in the program, by name.
static BUILT_IN: [(&str, Dir<'_>); 4] = [
    ("default", include_dir!("$CARGO_MANIFEST_DIR/../../themes/default")),
    ("podcast", include_dir!("$CARGO_MANIFEST_DIR/../../themes/podcast")),
    ("photos", include_dir!("$CARGO_MANIFEST_DIR/../../themes/photos")),
    ("notes", include_dir!("$CARGO_MANIFEST_DIR/../../themes/notes")),
];

/// Returns the names of the themes embedded in the program.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

/// Returns the names of the themes in a folder.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Returns the most similar theme name, from this folder or embedded.
pub(super) fn nearest_theme(folder: &Path, name: &str) -> Option<String> {
    let mut all = names_in(folder);
    all.extend(built_in_names().map(str::to_owned));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let near = nearest(name, &all).filter(|near| *near != name);
    near.map(str::to_owned)
}

/// Returns a file of an embedded theme in its original form, with comments.
pub fn built_in_original(name: &str, path: &str) -> Option<&'static [u8]> {
    let (_, dir) = BUILT_IN.iter().find(|(own, _)| *own == name)?;
    Some(dir.get_file(path)?.contents())
}

/// Returns the files of an embedded theme.
pub(super) fn built_in_files(name: &str) -> Option<Files> {
    let (_, dir) = BUILT_IN.iter().find(|(own, _)| *own == name)?;
    let mut files = Files::new();
    collect(dir, &mut files);
    Some(files)
}

fn collect(dir: &Dir<'_>, files: &mut Files) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => collect(dir, files),
            DirEntry::File(file) => {
                let path = file.path().to_string_lossy().replace('\\', "/");
                let bytes = match (path.rsplit_once('.'), file.contents_utf8()) {
                    (Some((_, "js")), Some(text)) => minify_script(text).into_bytes(),
                    // A template is not minified, because errors refer to its line numbers.
                    (Some((_, "css")), Some(text)) if !text.contains("{{") => {
                        minify_style(text).into_bytes()
                    }
                    _ => file.contents().to_vec(),
                };
                files.insert(path, bytes);
            }
        }
    }
}

/// Where to look for the bases of a package.
#[derive(Debug, Clone, Default)]
pub(super) struct Bases<'p> {
    /// Folder of themes on disk. A theme that is missing there must be an embedded one.
    pub folder: Option<&'p Path>,
    /// Names of packages: each package extends the next one. The last one is the current package.
    pub extended_by: Vec<String>,
}

impl Bases<'_> {
    /// Reads the theme that the current package extends.
    fn read(&self, name: &str) -> Result<(Theme, Files), Vec<Diagnostic>> {
        let below = |name: &str| Self {
            folder: self.folder,
            extended_by: [self.extended_by.as_slice(), &[name.to_owned()]].concat(),
        };
        // A theme that extends a theme of the same name extends the embedded theme.
        let own = self.folder.map(|folder| folder.join(name));
        let own =
            own.filter(|own| own.is_dir() && self.extended_by.last().is_none_or(|at| at != name));
        let label = format!("themes/{name}");
        match (own, built_in_files(name)) {
            (Some(_), _) if self.extended_by.iter().any(|extended_by| extended_by == name) => {
                let circle = [self.extended_by.as_slice(), &[name.to_owned()]].concat();
                Err(vec![Diagnostic::error(format!(
                    "these themes extend each other in a circle: {}",
                    circle.join(" → ")
                ))])
            }
            (Some(own), _) => Theme::read_with_bases(&own, &label, &below(name)),
            (None, Some(files)) => {
                let bases = Bases { folder: None, extended_by: vec![name.to_owned()] };
                Theme::check(&label, files, Vec::new(), &bases)
            }
            (None, None) => {
                let message = if self.extended_by.last().is_some_and(|at| at == name) {
                    format!("the theme {name} extends itself")
                } else {
                    format!("theme {name:?} not found")
                };
                let near = self.folder.and_then(|folder| nearest_theme(folder, name));
                let error = Diagnostic::error(message);
                Err(vec![match near {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error,
                }])
            }
        }
    }
}

impl Package<'_> {
    /// Returns the theme that the package extends, and the files of that theme. Reports the errors
    /// of that theme.
    pub(super) fn base(
        &mut self,
        manifest: &Manifest,
        bases: &Bases<'_>,
    ) -> Option<(Theme, Files)> {
        let name = manifest.extends.as_deref()?;
        match bases.read(name) {
            Ok((base, files)) if base.manifest.format == manifest.format => Some((base, files)),
            Ok((base, _)) => {
                let format = base.manifest.format;
                self.fail_at_manifest(
                    "formatVersion",
                    format!("this theme must have format {format}, like the theme {name:?} that it extends"),
                    format!("set \"formatVersion\": {format}"),
                );
                None
            }
            Err(found) => {
                for diagnostic in found {
                    match diagnostic.file {
                        Some(_) => self.found.push(diagnostic),
                        None => self.fail_at_manifest(
                            "extends",
                            diagnostic.message,
                            diagnostic.help.unwrap_or_else(|| {
                                "extend a theme in the same folder, or a built-in theme".to_owned()
                            }),
                        ),
                    }
                }
                None
            }
        }
    }
}

/// Adds the files of a package's base to the package, except files that the package replaces.
/// Returns the path of each added file in the base and in the package.
pub(super) fn merge_base(
    base: Files,
    base_manifest: &Manifest,
    files: &mut Files,
    manifest: &mut Manifest,
) -> impl Iterator<Item = (String, String)> {
    let of_base = base_manifest.partials.as_deref();
    let partials = manifest.partials.take();
    let partials = partials.or_else(|| of_base.map(str::to_owned));
    let is_manifest = |name: &str| MANIFESTS.contains(&name);
    let mut slots = base_manifest.files.clone();
    slots.append(&mut manifest.files);
    let of_slots = &base_manifest.files;
    let replaced = |name: &str| {
        of_slots.values().any(|file| file == name) && !slots.values().any(|file| file == name)
    };
    let mut inherited = Vec::new();
    for (name, bytes) in base {
        if replaced(&name) || is_words_file(&name) || is_manifest(&name) {
            continue;
        }
        let path = match (of_base, &partials) {
            (Some(from), Some(to)) => move_path(&name, from, to),
            _ => name.clone(),
        };
        if let Entry::Vacant(place) = files.entry(path.clone()) {
            place.insert(bytes);
            inherited.push((name, path));
        }
    }
    manifest.partials = partials;
    let fixture = base_manifest.preview_fixture.clone();
    manifest.preview_fixture = manifest.preview_fixture.take().or(fixture);
    manifest.files = slots;
    for (name, option) in &base_manifest.options {
        let own = manifest.options.entry(name.clone());
        own.or_insert_with(|| option.clone());
    }
    manifest.card = manifest.card.or(base_manifest.card);
    let assets = base_manifest.assets.iter();
    let assets: Vec<String> =
        assets.filter(|asset| !manifest.assets.contains(asset)).cloned().collect();
    manifest.assets.splice(0..0, assets);
    let formulas = base_manifest.formula_assets.iter();
    manifest.formula_assets.extend(formulas.cloned());
    inherited.into_iter()
}

/// Moves a path from the folder `from` to the folder `to`. Other paths stay unchanged.
fn move_path(name: &str, from: &str, to: &str) -> String {
    match name.strip_prefix(from).filter(|rest| rest.starts_with('/')) {
        Some(rest) => format!("{to}{rest}"),
        None => name.to_owned(),
    }
}
