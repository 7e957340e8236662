//! Values of theme options that a site sets. Each value is validated and converted to the form that
//! templates read. Files that a value names become assets of the theme.

use std::io::ErrorKind;
use std::path::Path;

use front_matter::{Node, Value};
use serde_json::{Map, Value as Json, json};

use super::card::CardFont;
use super::preload::Preload;
use crate::asset::Asset;
use crate::services::Logo;
use crate::{MAX_ASSET, MAX_SLOT};
use model::{Config, Diagnostic, Rule, SitePath, Source, url};
use source::disk::read_within;
use source::fields::Fields;
use source::html::{MarkupFault, markup_faults};
use source::text::not_utf8;
use source::xml::well_formed;

/// Files, fonts and links that the values of options use.
#[derive(Debug, Default)]
pub struct Gathered {
    pub assets: Vec<Asset>,
    /// Files of the site that the values refer to, whether the files exist or not.
    pub files: Vec<SitePath>,
    /// `@font-face` rules.
    pub faces: String,
    /// Font files for social cards.
    pub card_fonts: Vec<CardFont>,
    /// Fonts to preload.
    pub preloads: Vec<Preload>,
    /// Public paths that links point to, each with the warning to report if the path does not
    /// exist.
    pub link_paths: Vec<(String, Diagnostic)>,
    /// Logos of profiles.
    pub logos: Vec<Logo>,
}

/// A file of the site.
pub struct LocalFile {
    pub path: SitePath,
    pub bytes: Vec<u8>,
}

pub struct OptionReader<'s> {
    /// Root of the site, and the folder of assets to which files of the site are added. `None`
    /// while a manifest's defaults are read, because defaults cannot refer to files.
    site: Option<(&'s Path, &'s str)>,
    pub config: &'s Config,
    pub gathered: Gathered,
}

impl<'s> OptionReader<'s> {
    pub fn for_site(root: &'s Path, folder: &'s str, config: &'s Config) -> Self {
        Self { site: Some((root, folder)), config, gathered: Gathered::default() }
    }

    pub fn for_defaults(config: &'s Config) -> Self {
        Self { site: None, config, gathered: Gathered::default() }
    }

    pub fn root(&self) -> Option<&'s Path> {
        self.site.map(|(root, _)| root)
    }

    /// Reads the file that a value refers to. The file must have at most `max` bytes.
    pub fn file(
        &mut self,
        fields: &Fields<'_, '_>,
        (name, node): (&str, &Node),
        max: usize,
    ) -> Option<LocalFile> {
        let text = fields.as_string(name, node)?;
        let refuse = |message: String, help: &str| {
            fields.reader.error(&node.span, message, help);
            None
        };
        let Some((root, _)) = self.site else {
            let message = format!("`{}` cannot be a file", fields.name(name));
            return refuse(
                message,
                "remove it: templates can use the assets of the theme without an option",
            );
        };
        self.gathered.files.extend(SitePath::parse(text.trim_start_matches("./")));
        let path = match fields.reader.locate(&text) {
            Ok(path) => path,
            Err(problem) => return refuse(problem.message, &problem.help),
        };
        match read_within(&path.on_disk(root), max as u64) {
            Ok(bytes) => Some(LocalFile { path, bytes }),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                let message = format!("{path} is larger than {} KiB", max / 1024);
                refuse(message, "use a smaller file: every visitor loads it")
            }
            Err(error) => {
                let message = format!("{path} cannot be read: {error}");
                refuse(message, "check its permissions")
            }
        }
    }

    /// Adds a file of the site to the theme's assets. Returns the path of the asset,
    /// percent-encoded.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> String {
        let folder = self.site.map_or("", |(_, folder)| folder);
        let path = format!("{folder}/{path}");
        let assets = &mut self.gathered.assets;
        if !assets.iter().any(|asset| asset.path == path) {
            assets.push(Asset::at(path.clone(), bytes));
        }
        url::encode_path(&path)
    }

    /// Reads a picture, or one picture for each colour scheme.
    pub fn picture<'r>(
        &mut self,
        fields: &Fields<'r, '_>,
        name: &str,
        node: &'r Node,
    ) -> Option<Json> {
        let Value::Table(table) = &node.value else {
            let mut light = self.one_picture(fields, (name, node))?;
            light.insert("dark".into(), Json::Null);
            return Some(light.into());
        };
        fields.read_table(name, table, |fields| {
            let [light, dark] = ["light", "dark"].map(|key| {
                let Some(node) = fields.node(key) else {
                    let message = format!("`{}` is missing", fields.name(key));
                    let help =
                        "write two pictures: { light = \"logo.svg\", dark = \"logo-dark.svg\" }";
                    fields.reader.error(&node.span, message, help);
                    return None;
                };
                self.one_picture(fields, (key, node))
            });
            let mut light = light?;
            light.insert("dark".into(), dark?.into());
            Some(light.into())
        })
    }

    fn one_picture(
        &mut self,
        fields: &Fields<'_, '_>,
        (name, node): (&str, &Node),
    ) -> Option<Map<String, Json>> {
        const PICTURE_EXTENSIONS: [&str; 7] = ["svg", "png", "webp", "jpg", "jpeg", "avif", "gif"];
        let file = self.file(fields, (name, node), MAX_ASSET)?;
        let path = &file.path;
        let refuse = |message: String| {
            let help =
                format!("use a picture in one of these formats: {}", PICTURE_EXTENSIONS.join(", "));
            fields.reader.error(&node.span, message, help);
        };
        let extension = path.extension();
        if !PICTURE_EXTENSIONS.contains(&extension.as_str()) {
            refuse(format!("{path} is not a picture"));
            return None;
        }
        let (root, _) = self.site?;
        let facts = media_facts::read(&path.on_disk(root)).ok()?;
        let is_broken = if extension == "svg" {
            let text = std::str::from_utf8(&file.bytes).ok();
            text.is_none_or(|text| !text.contains("<svg") || well_formed(text).is_err())
        } else {
            facts.dimensions.is_none()
        };
        if is_broken {
            refuse(format!("{path} cannot be read as a picture"));
            return None;
        }
        let (width, height) = facts.dimensions.unzip();
        let mut picture = Map::new();
        picture.insert("path".into(), self.add(file.path.as_str(), file.bytes).into());
        picture.insert("width".into(), width.into());
        picture.insert("height".into(), height.into());
        Some(picture)
    }

    /// Reads an HTML file whose text is inserted into pages.
    pub fn html(&mut self, fields: &Fields<'_, '_>, at: (&str, &Node)) -> Option<Json> {
        let file = self.file(fields, at, MAX_SLOT)?;
        match String::from_utf8(file.bytes) {
            Ok(text) => {
                let path = &file.path;
                let source = Source { path, text: &text };
                // An element that is not closed here would break the whole page.
                for MarkupFault { at, message, help, .. } in markup_faults(&text, "") {
                    let warning = Diagnostic::warning(Rule::Markup, message).at(source, at);
                    fields.reader.report(warning.help(help));
                }
                Some(text.trim_end().into())
            }
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let error = not_utf8(&file.path, error.as_bytes(), valid);
                fields.reader.report(error);
                None
            }
        }
    }

    /// Reads a list of style sheets or scripts, keeping their order.
    pub fn sources(
        &mut self,
        fields: &Fields<'_, '_>,
        (name, node): (&str, &Node),
        endings: &[&str],
    ) -> Option<Json> {
        let nodes = match &node.value {
            Value::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let sources: Vec<Option<Json>> =
            nodes.iter().map(|node| self.source(fields, (name, node), endings)).collect();
        sources.into_iter().collect()
    }

    fn source(
        &mut self,
        fields: &Fields<'_, '_>,
        (name, node): (&str, &Node),
        endings: &[&str],
    ) -> Option<Json> {
        let text = fields.as_string(name, node)?;
        if text.starts_with("https://") {
            return Some(json!({ "path": null, "url": text, "is_module": text.ends_with(".mjs") }));
        }
        let is_local = !url::is_absolute(&text);
        let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
        if !is_local || !endings.contains(&ending) {
            let message = format!("`{}` cannot be {text:?}", fields.name(name));
            let endings = endings.join(" or .");
            let help = format!(
                "write the path of a .{endings} file of the site, or an address that starts with https://"
            );
            fields.reader.error(&node.span, message, help);
            return None;
        }
        let is_module = ending == "mjs";
        let file = self.file(fields, (name, node), MAX_ASSET)?;
        let path = self.add(file.path.as_str(), file.bytes);
        Some(json!({ "path": path, "url": null, "is_module": is_module }))
    }
}

/// Returns a choice in the form that templates use: the chosen name, and for each allowed name
/// whether it was chosen.
pub fn choice(
    fields: &Fields<'_, '_>,
    (name, node): (&str, &Node),
    names: &[String],
) -> Option<Json> {
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let chosen =
        fields.choice_of(name, node, &borrowed, |text| names.iter().find(|name| *name == text))?;
    let each = names.iter().map(|name| (name.clone(), Json::from(name == chosen)));
    let mut choice: Map<String, Json> = each.collect();
    choice.insert("name".into(), chosen.as_str().into());
    Some(choice.into())
}
