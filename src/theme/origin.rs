//! Which themes there are, and which of them a file of a theme comes from.

use std::fs;
use std::path::Path;

use super::Theme;
use super::package::{built_in_original, names_in};
use model::SitePath;

/// A file of a theme, where it was written.
#[derive(Debug)]
pub struct Origin {
    /// The theme that has it: the one that was asked, or one that it extends.
    pub theme: String,
    pub is_built_in: bool,
    pub bytes: Vec<u8>,
}

/// The themes that lie in the site's own folder, by name.
pub fn own_names(root: &Path) -> Vec<String> {
    names_in(&root.join("themes"))
}

/// Finds a file of a theme, by its path in the package, in the theme or in those that it extends.
pub fn origin_of(root: &Path, name: &str, path: &str) -> Option<Origin> {
    let (mut name, mut above) = (name.to_owned(), None);
    loop {
        // A theme that extends one of its own name means the embedded one.
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
