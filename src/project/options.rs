//! Options of a run: the site to read, the content to publish, and the server to check.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

use model::{ContentFolder, Visibility};

/// The site to read, and the content to publish.
#[derive(Debug, Clone)]
pub struct Options {
    pub root: PathBuf,
    /// Output folder; overrides `[output] dir` in `site.toml`.
    pub out: Option<PathBuf>,
    /// Base URL; overrides `base_url` in `site.toml`.
    pub base_url: Option<String>,
    /// Whether `base_url` is the address of a preview. Published recordings contain the address in
    /// `site.toml` then.
    pub is_preview: bool,
    /// Name of the theme; overrides `theme` in `site.toml`.
    pub theme: Option<String>,
    /// Content to publish in addition to the content that is public now.
    pub visibility: Visibility,
    /// Whether files in the output folder that no build wrote may be replaced.
    pub overwrite: bool,
    /// The folder of the show to build or to check, without the rest of the site.
    pub show: Option<ContentFolder>,
}

impl Options {
    /// Returns the default options: the current public content, and the configured output folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            out: None,
            base_url: None,
            is_preview: false,
            theme: None,
            visibility: Visibility { now: Timestamp::now(), drafts: false, future: false },
            overwrite: false,
            show: None,
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

/// Options of `check --live`, which checks the published site.
#[derive(Debug, Clone)]
pub struct Live {
    /// Address of the published site, if it is not `base_url`.
    pub url: Option<String>,
    /// Whether local addresses may be requested.
    pub local: bool,
    /// Whether to check all episodes. Otherwise, checks the newest ones and a sample.
    pub all: bool,
    /// How long to wait for the feed of the current site, after a deploy.
    pub wait: Duration,
    /// Timeout for connecting, and for each part of a response.
    pub timeout: Duration,
    /// Maximum time for all requests together.
    pub limit: Duration,
}

impl Live {
    pub fn new(url: Option<String>) -> Self {
        Self {
            url,
            local: false,
            all: false,
            wait: Duration::ZERO,
            timeout: Duration::from_secs(15),
            limit: Duration::from_mins(10),
        }
    }
}
