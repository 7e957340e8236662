//! Where the files of a theme lie.

use std::path::Path;

use crate::model::SitePath;
use crate::theme::{Theme, origin_of};

/// Where the templates of a theme lie.
pub struct Places<'t> {
    /// The site's folder; none for a theme that is tried without a site.
    pub root: Option<&'t Path>,
    /// The theme's folder in messages.
    pub folder: String,
    pub theme: &'t Theme,
}

impl Places<'_> {
    /// The path of a file of the theme, which may lie in a theme that it extends.
    pub fn file(&self, file: &str) -> Option<SitePath> {
        let name = self.folder.rsplit('/').next().unwrap_or_default();
        let origin = self.root.and_then(|root| origin_of(root, name, file));
        let folder = origin.map(|origin| format!("themes/{}", origin.theme));
        let folder = folder.unwrap_or_else(|| self.folder.clone());
        SitePath::parse(&format!("{folder}/{file}"))
    }

    /// A template of the theme by its file: where it lies, and its text.
    pub fn template(&self, file: &str) -> Option<(SitePath, &str)> {
        let mut templates = self.theme.templates();
        let (_, template) = templates.find(|(own, _)| *own == file)?;
        Some((self.file(file)?, template.source()))
    }
}
