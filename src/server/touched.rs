//! The files that were touched on disk after the site was read.

use std::collections::BTreeSet;

use model::SitePath;

/// Files that were touched on disk and are not part of a moment yet.
#[derive(Debug, Default)]
pub struct Touched {
    /// Files and folders. A folder includes everything below it.
    pub paths: BTreeSet<SitePath>,
    /// Whether any file may have been touched.
    pub everything: bool,
    /// The number of touches since the start.
    pub count: u64,
}

impl Touched {
    /// Whether nothing was touched.
    pub fn is_untouched(&self) -> bool {
        self.paths.is_empty() && !self.everything
    }

    /// Whether the file or folder `name` in the site's root was touched. A folder counts as touched
    /// if anything in it was touched.
    pub fn has(&self, name: &str) -> bool {
        let is_in = |path: &SitePath| path.as_str().split('/').next() == Some(name);
        self.everything || self.paths.iter().any(is_in)
    }

    /// Whether a file was touched, or a folder that contains the file.
    pub fn has_file(&self, file: &SitePath) -> bool {
        let of_file = |path: &SitePath| {
            let rest = file.as_str().strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.everything || self.paths.iter().any(of_file)
    }

    /// Returns the recorded files and folders, and empties the list.
    pub fn take(&mut self) -> Self {
        Self {
            paths: std::mem::take(&mut self.paths),
            everything: std::mem::take(&mut self.everything),
            count: self.count,
        }
    }
}
