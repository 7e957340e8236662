//! Options of a run: the site to read, and the content to publish.

use std::path::PathBuf;

use jiff::Timestamp;

use model::Visibility;

/// The site to read, and the content to publish.
#[derive(Debug, Clone)]
pub struct Options {
    pub root: PathBuf,
    /// Output folder; overrides `[output] dir` in `site.toml`.
    pub out: Option<PathBuf>,
    /// Base URL; overrides `base_url` in `site.toml`.
    pub base_url: Option<String>,
    /// Name of the theme; overrides `theme` in `site.toml`.
    pub theme: Option<String>,
    /// Content to publish in addition to the content that is public now.
    pub visibility: Visibility,
    /// Whether files in the output folder that no build wrote may be replaced.
    pub overwrite: bool,
}

impl Options {
    /// Returns the default options: the current public content, and the configured output folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            out: None,
            base_url: None,
            theme: None,
            visibility: Visibility { now: Timestamp::now(), drafts: false, future: false },
            overwrite: false,
        }
    }

    /// Like [`new`](Self::new), but if the environment variable `SOURCE_DATE_EPOCH` is set (seconds
    /// since 1970, reproducible-builds.org), its value replaces the current time.
    ///
    /// # Errors
    ///
    /// Returns an error if `SOURCE_DATE_EPOCH` is set but is not a number of seconds. Using the
    /// current time instead would make the build irreproducible.
    pub fn of_environment(root: impl Into<PathBuf>) -> Result<Self, String> {
        const EPOCH: &str = "SOURCE_DATE_EPOCH";
        let mut options = Self::new(root);
        if let Some(text) = std::env::var_os(EPOCH) {
            let seconds = text.to_str().and_then(|text| text.parse().ok());
            let now = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
            options.visibility.now = now.ok_or_else(|| {
                format!("invalid {EPOCH} {text:?}: write seconds since 1970, or unset it")
            })?;
        }
        Ok(options)
    }
}
