//! Names of available themes, and the theme that a theme file comes from.

use std::fs;
use std::path::Path;

use super::Theme;
use super::package::{built_in_original, names_in};
use model::SitePath;

/// The theme that a theme file comes from, and the content of the file.
#[derive(Debug)]
pub struct Origin {
    /// Name of the theme that has the file: the requested theme, or one that it extends.
    pub theme: String,
    pub is_built_in: bool,
    pub bytes: Vec<u8>,
}

/// Returns the names of the themes in the site's folder `themes`.
pub fn site_theme_names(root: &Path) -> Vec<String> {
    names_in(&root.join("themes"))
}

/// Finds a file by its path in the package, in the theme or in the themes that it extends.
pub fn origin_of(root: &Path, name: &str, path: &str) -> Option<Origin> {
    let (mut name, mut above) = (name.to_owned(), None);
    loop {
        // A theme that extends a theme of the same name extends the built-in theme.
        let folder = SitePath::parse(&format!("themes/{name}"))?.on_disk(root);
        let is_own = folder.is_dir() && above.as_ref() != Some(&name);
        let found = if is_own {
            let path = SitePath::parse(path)?;
            fs::read(path.on_disk(&folder)).ok()
        } else {
            built_in_original(&name, path).map(<[u8]>::to_vec)
        };
        if let Some(bytes) = found {
            return Some(Origin { theme: name, is_built_in: !is_own, bytes });
        }
        let theme =
            if is_own { Theme::load(root, &name).ok()? } else { Theme::embedded_as(&name).ok()? };
        let base = theme.manifest.extends?;
        above = Some(std::mem::replace(&mut name, base));
    }
}
