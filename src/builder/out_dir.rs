//! Determines the path of the output folder, and which paths are not allowed.

use std::path::{Path, PathBuf};

use model::Config;
use project::Options;

/// Returns the output folder: the one in the options, or else the site's `[output] dir`.
pub fn out_dir(options: &Options, config: &Config) -> PathBuf {
    match &options.out {
        Some(out) => std::path::absolute(out).unwrap_or_else(|_| out.clone()),
        None => options.root.join(&config.output.dir),
    }
}

/// Resolves the symlinks in a path, as far as the path exists. The result has the same spelling
/// whether the path exists or not.
pub fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.ancestors()
        .find_map(|existing| {
            let rest = path.strip_prefix(existing).ok()?;
            let existing = existing.canonicalize().ok()?;
            // The components are chained because `join` would add a trailing slash if the rest is
            // empty.
            Some(existing.components().chain(rest.components()).collect())
        })
        .unwrap_or(path)
}

/// Returns the path of a folder inside the site, relative to the site's root, with symlinks
/// resolved. The relative path stays the same when the site is moved.
pub fn path_inside_site(root: &Path, path: &Path) -> Option<PathBuf> {
    let path_inside_site = resolved(path).strip_prefix(resolved(root)).ok()?.to_path_buf();
    Some(path_inside_site)
}

/// Returns whether a folder contains the site's sources or lies inside them. Such a folder cannot
/// be the output folder.
pub fn holds_sources(root: &Path, out: &Path) -> bool {
    let (root, out) = (resolved(root), resolved(out));
    root.starts_with(&out)
        || ["content", "shows", "site-files", "themes", ".feedwright", ".git"]
            .iter()
            .any(|folder| out.starts_with(root.join(folder)))
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn a_path_resolves_the_same_before_and_after_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let before = resolved(&out);
        std::fs::create_dir(&out).unwrap();
        assert_eq!(resolved(&out).as_os_str(), before.as_os_str());
    }
}
