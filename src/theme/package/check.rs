//! Validates that the parts of a package fit together, after its files were read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Package;
use super::words::is_words_file;
use crate::manifest::Manifest;
use crate::{MAX_FIXTURE, PUBLISHED_MANIFEST, Slot};
use model::{Diagnostic, FileReport, Rule, Severity, SitePath, Source};
use mustache::{Partials, Template};
use source::xml::well_formed;

impl Package<'_> {
    pub(super) fn check_partial_names(
        &mut self,
        manifest: &Manifest,
        slots: &BTreeMap<Slot, Template>,
        partials: &Partials,
        partial_files: &BTreeMap<String, String>,
    ) {
        let of_slots =
            slots.iter().map(|(slot, template)| (manifest.files[slot].clone(), template));
        let of_partials =
            partials.iter().map(|(name, template)| (partial_files[name].clone(), template));
        for (file, template) in of_slots.chain(of_partials) {
            let file = format!("{}/{file}", self.label);
            let (mut told, mut found) = (BTreeSet::new(), FileReport::default());
            let missing = template
                .partial_names()
                .filter(|tag| !partial_files.contains_key(tag.name) && told.insert(tag.name));
            for tag in missing {
                found.add(Severity::Error, || {
                    let line = template.source().lines().nth(tag.line - 1);
                    Diagnostic::error(format!("partial {:?} not found", tag.name))
                        .file(file.as_str())
                        .position(tag.line, tag.column, line.unwrap_or_default())
                        .help("add it to the folder that `partials` sets")
                });
            }
            self.found.extend(found.finish(&file));
        }
    }

    /// Reports undeclared files. Only documents about the package, such as a README, need not be
    /// declared.
    ///
    /// In packages for microfeed, undeclared files cause only a warning. microfeed's tools create
    /// other files in the folder, such as a `yarn.lock`, and publish only declared files.
    /// feedwright also publishes only declared files.
    pub(super) fn check_undeclared(&mut self, manifest_name: &str, manifest: &mut Manifest) {
        let mut declared: BTreeSet<&str> = manifest.files.values().map(String::as_str).collect();
        declared.extend(manifest.assets.iter().map(String::as_str));
        declared.extend(manifest.preview_fixture.as_deref());
        declared.insert(manifest_name);
        let partials = manifest.partials.as_ref().map(|folder| format!("{folder}/"));
        let undeclared: Vec<String> = self
            .files
            .keys()
            .filter(|name| !declared.contains(name.as_str()) && !is_words_file(name))
            .filter(|name| !partials.as_ref().is_some_and(|prefix| name.starts_with(prefix)))
            .filter(|name| !is_documentation(name))
            .cloned()
            .collect();
        if manifest_name == PUBLISHED_MANIFEST && !undeclared.is_empty() {
            let warning = Diagnostic::warning(
                Rule::ThemePackage,
                format!(
                    "files that the manifest does not list are not published: {}",
                    list_some(&undeclared)
                ),
            );
            let warning = warning.file(format!("{}/{manifest_name}", self.label));
            let help = "list the files that pages need under `assets`";
            manifest.warnings.push(warning.help(help));
            return;
        }
        for name in undeclared {
            self.fail(
                &name, "the manifest does not list this file",
                "list it under `assets`, or remove it",
            );
        }
    }

    /// Validates that the RSS stylesheet is XML. Browsers show nothing of a feed whose stylesheet
    /// is not valid XML. The template is rendered without data, so its tags output nothing.
    pub(super) fn check_stylesheet(
        &mut self,
        manifest: &Manifest,
        slots: &BTreeMap<Slot, Template>,
        partials: &Partials,
    ) {
        let slot = Slot::RssStylesheet;
        let (Some(template), Some(name)) = (slots.get(&slot), manifest.files.get(&slot)) else {
            return;
        };
        let mut text = String::new();
        if template.render(&[&Value::Null], partials, &mut text).is_err() {
            // The error is reported where pages are rendered.
            return;
        }
        let Err((why, offset)) = well_formed(&text) else {
            return;
        };
        let message = if text.trim().is_empty() {
            "the RSS stylesheet is empty".to_owned()
        } else {
            format!("the RSS stylesheet is invalid XML: {why}")
        };
        let Some(path) = SitePath::parse(&format!("{}/{name}", self.label)) else {
            return;
        };
        let source = Source { path: &path, text: template.source() };
        let at = map_offset(template.source(), &text, offset);
        self.found.push(
            Diagnostic::error(message)
                .at(source, at)
                .help("write an XSL stylesheet, or copy it from the default theme"),
        );
    }

    /// Validates that the preview fixture is a JSON object, like the data of a page.
    pub(super) fn check_fixture(&mut self, manifest: &Manifest) {
        let Some(name) = &manifest.preview_fixture else {
            return;
        };
        let path = SitePath::parse(&format!("{}/{name}", self.label));
        let (Some(text), Some(path)) = (self.text_of(name, MAX_FIXTURE), path) else {
            return;
        };
        let (message, at) = match serde_json::from_str(&text) {
            Ok(Value::Object(_)) => return,
            Ok(_) => ("the preview fixture is not a JSON object".to_owned(), 0),
            Err(error) => {
                let before: usize = text
                    .split_inclusive('\n')
                    .take(error.line().saturating_sub(1))
                    .map(str::len)
                    .sum();
                let at = before + error.column().saturating_sub(1);
                let why = error.to_string();
                let why = why.split(" at line ").next().unwrap_or_default();
                (format!("the preview fixture is invalid JSON: {why}"), at)
            }
        };
        let source = Source { path: &path, text: &text };
        let at = text.floor_char_boundary(at);
        self.found.push(
            Diagnostic::error(message)
                .at(source, at)
                .help("write the data of a page as a JSON object, or remove `previewFixture`"),
        );
    }
}

/// Lists the first few names, and the number of names left out.
fn list_some(names: &[String]) -> String {
    const MAX_LISTED: usize = 5;
    let shown = names[..names.len().min(MAX_LISTED)].join(", ");
    match names.len().saturating_sub(MAX_LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Maps an offset in the rendered text to the template: the same offset if nothing was replaced,
/// otherwise the same position in the first equal line.
fn map_offset(source: &str, rendered: &str, offset: usize) -> usize {
    if source == rendered {
        return offset;
    }
    let offset = rendered.floor_char_boundary(offset);
    let start = rendered[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = rendered[start..].lines().next().unwrap_or_default();
    source.find(line).map_or(0, |at| at + offset - start)
}

fn is_documentation(name: &str) -> bool {
    let top = !name.contains('/');
    let upper = name.to_ascii_uppercase();
    top && (upper.ends_with(".MD")
        || upper.starts_with("LICENSE")
        || upper.starts_with("NOTICE")
        || name.starts_with("package"))
}
