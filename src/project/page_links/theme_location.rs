//! Converts the template files of a theme to paths for messages.

use std::path::Path;

use model::SitePath;
use theme::{Theme, origin_of};

/// A theme and the location of its files.
pub struct ThemeLocation<'t> {
    /// Root folder of the site; `None` for a theme that is tested without a site.
    pub root: Option<&'t Path>,
    /// The theme's folder, as shown in messages.
    pub folder: String,
    pub theme: &'t Theme,
}

impl ThemeLocation<'_> {
    /// Returns the path of a file of the theme, or of a theme that this theme extends.
    pub fn file(&self, file: &str) -> Option<SitePath> {
        let name = self.folder.rsplit('/').next().unwrap_or_default();
        let origin = self.root.and_then(|root| origin_of(root, name, file));
        let folder = origin.map(|origin| format!("themes/{}", origin.theme));
        let folder = folder.unwrap_or_else(|| self.folder.clone());
        SitePath::parse(&format!("{folder}/{file}"))
    }

    /// Returns the path and text of a template of the theme.
    pub fn template(&self, file: &str) -> Option<(SitePath, &str)> {
        let mut templates = self.theme.templates();
        let (_, template) = templates.find(|(own, _)| *own == file)?;
        Some((self.file(file)?, template.source()))
    }
}
