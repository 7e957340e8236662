//! `feedwright init --template`: copies an example site from `examples/`.

use clap::ValueEnum;
use front_matter::Change;
use include_dir::{Dir, include_dir};

/// The base URL of a new site, to be replaced by the author.
pub const EXAMPLE_URL: &str = "https://example.com";

/// An example site that `init` copies to a new site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// Podcast: episodes with chapters and transcripts, a trailer and live shows
    Show,
    /// Blog: posts with pictures, code and tags, a series and a draft
    Blog,
    /// Photo log: pictures and a gallery
    Photos,
    /// Notes or documentation: a tree of pages, links by name and formulas
    Notes,
}

// Includes only the `content` folder, so that files from a build of the example are not compiled
// into the program.
static SHOW: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/show/content");
static BLOG: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/blog/content");
static PHOTOS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/photos/content");
static NOTES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/notes/content");

impl Template {
    /// Returns the example's `site.toml` and its `content` folder.
    fn parts(self) -> (&'static str, &'static Dir<'static>) {
        match self {
            Self::Show => (include_str!("../../../examples/show/site.toml"), &SHOW),
            Self::Blog => (include_str!("../../../examples/blog/site.toml"), &BLOG),
            Self::Photos => (include_str!("../../../examples/photos/site.toml"), &PHOTOS),
            Self::Notes => (include_str!("../../../examples/notes/site.toml"), &NOTES),
        }
    }

    /// Returns the paths and contents of the example's files.
    pub fn files(self) -> Vec<(String, &'static [u8])> {
        let (config, content) = self.parts();
        let mut files = vec![
            ("site.toml".to_owned(), config.as_bytes()),
            (".gitignore".to_owned(), include_bytes!("gitignore").as_slice()),
        ];
        collect(content, &mut files);
        files
    }
}

/// Returns a text file of an example with placeholders: `site.toml` with [`EXAMPLE_URL`], and
/// content files with `{id}` as their id. Returns `None` for media files.
pub fn with_placeholders(name: &str, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    if name == "site.toml" {
        return front_matter::edit_toml(text, &[Change::set(&["base_url"], EXAMPLE_URL)]).ok();
    }
    if !name.ends_with(".md") {
        return None;
    }
    match front_matter::parse(text).ok()?.table.get("id") {
        Some(_) => front_matter::edit(text, &[Change::set(&["id"], "{id}")]).ok(),
        None => Some(text.to_owned()),
    }
}

/// Returns the paths and contents of the text files of all examples, with placeholders.
#[cfg(feature = "import")]
pub fn texts() -> impl Iterator<Item = (String, String)> {
    let files = Template::value_variants().iter().flat_map(|template| template.files());
    files.filter_map(|(name, bytes)| with_placeholders(&name, bytes).map(|text| (name, text)))
}

fn collect(folder: &'static Dir<'static>, files: &mut Vec<(String, &'static [u8])>) {
    for file in folder.files() {
        let path = file.path().to_string_lossy().replace('\\', "/");
        files.push((format!("content/{path}"), file.contents()));
    }
    for inner in folder.dirs() {
        collect(inner, files);
    }
}
