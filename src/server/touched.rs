//! The files that were touched on disk since the site was read.

use std::collections::BTreeSet;

use model::SitePath;

/// What was touched on disk and has not been read into a moment.
#[derive(Debug, Default)]
pub struct Touched {
    /// Files and folders; a folder stands for everything below it.
    pub paths: BTreeSet<SitePath>,
    /// Whether anything may have been touched.
    pub everything: bool,
    /// How many touches there were since the start.
    pub count: u64,
}

impl Touched {
    /// Whether nothing was touched.
    pub fn is_nothing(&self) -> bool {
        self.paths.is_empty() && !self.everything
    }

    /// Whether a file or something in a folder of the site's root was touched.
    pub fn has(&self, name: &str) -> bool {
        let is_in = |path: &SitePath| path.as_str().split('/').next() == Some(name);
        self.everything || self.paths.iter().any(is_in)
    }

    /// Whether a file was touched, or a folder that it may lie in.
    pub fn has_file(&self, file: &SitePath) -> bool {
        let of_file = |path: &SitePath| {
            let rest = file.as_str().strip_prefix(path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.everything || self.paths.iter().any(of_file)
    }

    /// Takes everything out, and starts again with nothing.
    pub fn take(&mut self) -> Self {
        Self {
            paths: std::mem::take(&mut self.paths),
            everything: std::mem::take(&mut self.everything),
            count: self.count,
        }
    }
}
