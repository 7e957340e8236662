//! `feedwright init --template`: copies an example site of `examples/`.

use clap::ValueEnum;
use include_dir::{Dir, include_dir};

/// The example site that a new site is a copy of.
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

// Only the content: what a build of the example leaves next to it stays out of the program.
static SHOW: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/show/content");
static BLOG: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/blog/content");
static PHOTOS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/photos/content");
static NOTES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/notes/content");

impl Template {
    /// Returns the `site.toml` and the content.
    fn parts(self) -> (&'static str, &'static Dir<'static>) {
        match self {
            Self::Show => (include_str!("../../../examples/show/site.toml"), &SHOW),
            Self::Blog => (include_str!("../../../examples/blog/site.toml"), &BLOG),
            Self::Photos => (include_str!("../../../examples/photos/site.toml"), &PHOTOS),
            Self::Notes => (include_str!("../../../examples/notes/site.toml"), &NOTES),
        }
    }

    /// Returns the files of the site, by their paths.
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

fn collect(folder: &'static Dir<'static>, files: &mut Vec<(String, &'static [u8])>) {
    for file in folder.files() {
        let path = file.path().to_string_lossy().replace('\\', "/");
        files.push((format!("content/{path}"), file.contents()));
    }
    for inner in folder.dirs() {
        collect(inner, files);
    }
}
