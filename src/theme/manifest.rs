//! The manifest of a theme package: `theme.json`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use front_matter::Node;

use super::options::declared::{self, Declarations};
use super::options::read_card_colours;
use super::{MAX_ASSETS, Slot};
use model::{CardColours, Config, Diagnostic, SitePath, Source};
use source::fields::{Fields, Reader};

/// Target of a search result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchDestination {
    /// The item's own page.
    #[default]
    Web,
    /// The address that the item is about.
    Url,
    /// The item's media file.
    Attachment,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// Format of the package: 1, or 2 with pages and search.
    pub format: u8,
    pub package_id: String,
    pub name: String,
    /// Version of the package (Semantic Versioning 2.0).
    pub version: String,
    /// A sentence that describes the theme; may be empty.
    pub description: String,
    /// Name of the theme that supplies the files missing from this package.
    pub extends: Option<String>,
    /// File of each slot, relative to the package's folder.
    pub files: BTreeMap<Slot, String>,
    /// Asset files, relative to the package's folder.
    pub assets: Vec<String>,
    /// Assets that are published only if a body has a formula.
    pub formula_assets: Vec<String>,
    pub partials: Option<String>,
    /// File with sample data for previews of the theme.
    pub preview_fixture: Option<String>,
    /// Target of search results.
    pub search_destination: SearchDestination,
    /// Options that a site can set in `[theme_options]`.
    pub options: Declarations,
    /// Colours of social cards.
    pub card: Option<CardColours>,
    /// Warnings about the manifest. They do not make the package invalid.
    pub warnings: Vec<Diagnostic>,
}

impl Manifest {
    /// Parses a manifest. Messages refer to the manifest as `path`.
    pub fn read(path: &SitePath, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let source = Source { path, text };
        let front = source.front_matter()?;
        let config = Config::default();
        let reader = Reader::new(source, &config, Path::new(""));
        let fields = Fields::new(&reader, &front.table, "");
        let manifest = read(&fields);
        fields.finish();
        let (found, _) = reader.finish();
        let errors = found.iter().any(|d| d.severity == model::Severity::Error);
        match manifest {
            Some(manifest) if !errors => Ok(Self { warnings: found, ..manifest }),
            _ => Err(found),
        }
    }
}

fn read(fields: &Fields<'_, '_>) -> Option<Manifest> {
    let top = 0..0;
    let format = fields.integer_in("formatVersion", 1..=2);
    if format.is_none() && fields.node("formatVersion").is_none() {
        fields.reader.error(&top, "`formatVersion` is missing", "add \"formatVersion\": 2");
    }
    let package_id = fields.required_text_up_to("packageId", 128, &top);
    let extends = extends(fields);
    let name = fields.required_text_up_to("name", 128, &top);
    let version = version(fields);
    for key in ["author", "license"] {
        fields.required_text_up_to(key, 256, &top);
    }
    let description = fields.text_up_to("description", 280).unwrap_or_default();
    fields.http_url("homepage");
    fields.http_url("repository");
    version_range(fields);
    fields.ignore(&["microfeedVersion", "compatibility", "engines", "$schema"]);
    let place = fields.node("files").map_or(0..0, |node| node.span.clone());
    // The format decides which slots are required.
    let format = format.and_then(|format| u8::try_from(format).ok());
    let files = match format {
        Some(format) => {
            fields.table("files", |files| slots(files, format, extends.is_none().then_some(&place)))
        }
        None => None,
    };
    let files = files.or_else(|| extends.is_some().then(BTreeMap::new));
    if fields.node("files").is_none() && extends.is_none() {
        fields.reader.error(&top, "`files` is missing", "add \"files\" with a file for each slot");
    }
    let search_destination =
        fields.choice("searchItemDestination", &["web", "url", "attachment"], |text| match text {
            "web" => Some(SearchDestination::Web),
            "url" => Some(SearchDestination::Url),
            "attachment" => Some(SearchDestination::Attachment),
            _ => None,
        });
    let mut assets = paths(fields, "assets");
    let formula_assets = paths(fields, "formulaAssets");
    let more = formula_assets.iter().filter(|path| !assets.contains(path));
    let more: Vec<String> = more.cloned().collect();
    assets.extend(more);
    let path = |key| {
        let node = fields.node(key)?;
        safe_path(fields, key, node)
    };
    let (partials, preview_fixture) = (path("partials"), path("previewFixture"));
    Some(Manifest {
        format: format?,
        package_id: package_id?,
        name: name?,
        version: version?,
        description,
        extends,
        files: files?,
        assets,
        formula_assets,
        partials,
        preview_fixture,
        search_destination: search_destination.unwrap_or_default(),
        options: declared::read(fields),
        card: fields.table("card", read_card_colours),
        warnings: Vec::new(),
    })
}

fn version(fields: &Fields<'_, '_>) -> Option<String> {
    let version = fields.required_text_up_to("version", 64, &(0..0))?;
    if semver::Version::parse(&version).is_err() {
        let span = fields.node("version").map_or(0..0, |node| node.span.clone());
        fields.reader.error(
            &span,
            format!("{version:?} is not a semantic version"),
            "write three numbers: \"1.0.0\"",
        );
        return None;
    }
    Some(version)
}

/// Validates `microfeed`: the range of versions of that service that the theme supports. The range
/// has no effect on feedwright, but the service rejects themes with an invalid range.
fn version_range(fields: &Fields<'_, '_>) {
    const KEY: &str = "microfeed";
    let Some(node) = fields.node(KEY) else {
        return;
    };
    let text = fields.as_string(KEY, node);
    if let Some(text) = text.filter(|text| !is_version_range(text)) {
        fields.reader.error(
            &node.span,
            format!("{text:?} is not a version range"),
            "write a range such as \">=1.0.0 <2.0.0\", \"^1.2.0\" or \"1.x || 2.x\"",
        );
    }
}

/// Returns whether a string is a version range in the syntax of JavaScript package managers:
/// comparators separated by spaces, alternatives separated by `||`, and `1.0.0 - 2.0.0` for both
/// ends.
fn is_version_range(text: &str) -> bool {
    text.split("||").all(|all| match all.trim().split_once(" - ") {
        Some((from, to)) => is_comparator(from.trim()) && is_comparator(to.trim()),
        None => comparators(all).iter().all(|one| is_comparator(one)),
    })
}

/// Splits a range into its comparators. A comparator may have a space after its operator.
fn comparators(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match found.last_mut() {
            Some(last) if last.ends_with(['<', '>', '=', '~', '^']) => last.push_str(word),
            _ => found.push(word.to_owned()),
        }
    }
    if found.is_empty() {
        found.push(String::new());
    }
    found
}

fn is_comparator(text: &str) -> bool {
    let plain = text.trim_start_matches(['<', '>', '=', '~', '^']);
    let (operator, version) = text.split_at(text.len() - plain.len());
    let version = version.strip_prefix('v').unwrap_or(version);
    let is_one = !version.is_empty() && !version.contains(',');
    is_one && semver::VersionReq::parse(&format!("{operator}{version}")).is_ok()
}

/// Reads `extends`, the theme that supplies the files missing from the package. The value is a
/// folder name, as in site.toml.
fn extends(fields: &Fields<'_, '_>) -> Option<String> {
    let node = fields.node("extends")?;
    let name = fields.as_string("extends", node)?;
    let path = SitePath::parse(&name).filter(|path| !path.as_str().contains('/'));
    if path.is_none() {
        fields.reader.error(
            &node.span,
            format!("`extends` cannot be {name:?}"),
            "write the name of a theme, such as \"default\"",
        );
    }
    path.map(|path| path.as_str().to_owned())
}

/// Reads the file of each slot. `place` is the span of `files` if the package must have all
/// required slots.
fn slots(
    files: &Fields<'_, '_>,
    format: u8,
    place: Option<&Range<usize>>,
) -> BTreeMap<Slot, String> {
    let mut found = BTreeMap::new();
    let has_styles = files.node(Slot::RssStyles.name()).is_some();
    for slot in Slot::ALL {
        match files.node(slot.name()) {
            Some(node) if slot.is_in_format(format) => {
                found.extend(safe_path(files, slot.name(), node).map(|path| (slot, path)));
            }
            Some(node) => files.reader.error(
                &node.span,
                format!("the slot `{}` does not exist in format {format}", slot.name()),
                "set \"formatVersion\": 2, or remove the slot",
            ),
            // `rssStyles` replaces the XSL stylesheet.
            None if slot == Slot::RssStylesheet && format >= 2 && has_styles => {}
            None => {
                if let Some(place) =
                    place.filter(|_| slot.is_in_format(format) && !slot.is_optional())
                {
                    files.reader.error(
                        place,
                        format!("the slot `{}` is missing", slot.name()),
                        format!("add \"{}\": \"<file>\" to `files`", slot.name()),
                    );
                }
            }
        }
    }
    found
}

/// Reads the list of asset files under a key.
fn paths(fields: &Fields<'_, '_>, key: &'static str) -> Vec<String> {
    let nodes = fields.list(key);
    if let Some(extra) = nodes.get(MAX_ASSETS) {
        fields.reader.error(
            &extra.span,
            format!("a theme has at most {MAX_ASSETS} assets"),
            "combine small files",
        );
    }
    let mut found: Vec<String> = Vec::new();
    for node in nodes {
        let Some(path) = safe_path(fields, key, node) else {
            continue;
        };
        if found.contains(&path) {
            fields.reader.error(
                &node.span,
                format!("the asset {path} is listed twice"),
                "list it once",
            );
        } else {
            found.push(path);
        }
    }
    found
}

/// Parses a path that stays inside the package.
fn safe_path(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<String> {
    let text = fields.as_string(key, node)?;
    let path = SitePath::parse(text.trim_end_matches('/'));
    if path.is_none() {
        let message = format!("`{}` cannot be {text:?}", fields.name(key));
        fields.reader.error(
            &node.span,
            message,
            "write the path of a file in the package, without a leading slash and without `..`",
        );
    }
    path.map(|path| path.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_versions_are_those_of_javascript_packages() {
        for range in [
            ">=1.0.0", "1.2.3", "^1.2", "~1", "*", "1.x", "1.2.x", ">=1.0.0 <2.0.0",
            ">= 1.0.0 < 2.0.0", "^1.0.0 || ^2.0.0", "1.0.0 - 2.0.0", "v1.0.0", ">=1.0.0-beta.1",
        ] {
            assert!(is_version_range(range), "{range}");
        }
        for range in ["", " ", "soon", ">=", "1.0.0 and 2.0.0", "1.0.0,", ">>1", "1.0.0.0", "||"] {
            assert!(!is_version_range(range), "{range:?}");
        }
    }
}
