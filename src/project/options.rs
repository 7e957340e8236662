//! Which site is read, and what is published beside its public items.

use std::path::PathBuf;

use jiff::Timestamp;

use model::Visibility;

/// The options of a run: which site, and what is published.
#[derive(Debug, Clone)]
pub struct Options {
    pub root: PathBuf,
    /// The output folder, in place of `[output] dir`.
    pub out: Option<PathBuf>,
    /// The base URL, in place of `base_url`.
    pub base_url: Option<String>,
    /// The theme, in place of `theme`.
    pub theme: Option<String>,
    /// What is shown beside what is public now.
    pub visibility: Visibility,
    /// Whether files in the output folder that no build wrote may be replaced.
    pub overwrite: bool,
}

impl Options {
    /// Builds what is public now into the site's own output folder.
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

    /// [`new`](Self::new), where the present is `SOURCE_DATE_EPOCH` (seconds since 1970,
    /// reproducible-builds.org) if that is set.
    ///
    /// # Errors
    ///
    /// `SOURCE_DATE_EPOCH` is set and is no such number: with another time the build would not be reproducible.
    pub fn of_environment(root: impl Into<PathBuf>) -> Result<Self, String> {
        const EPOCH: &str = "SOURCE_DATE_EPOCH";
        let mut options = Self::new(root);
        if let Some(text) = std::env::var_os(EPOCH) {
            let seconds = text.to_str().and_then(|text| text.parse().ok());
            let now = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
            options.visibility.now = now.ok_or_else(|| {
                format!("{EPOCH} cannot be {text:?}: write seconds since 1970, or unset it")
            })?;
        }
        Ok(options)
    }
}
