//! The output folder's path, and where it may not be.

use std::path::{Path, PathBuf};

use model::Config;
use project::Options;

/// The output folder: the one given to the run, or else the site's `[output] dir`.
pub fn out_dir(options: &Options, config: &Config) -> PathBuf {
    match &options.out {
        Some(out) => std::path::absolute(out).unwrap_or_else(|_| out.clone()),
        None => options.root.join(&config.output.dir),
    }
}

/// A path with the links on its way followed, as far as it exists. The same text whether it exists or not.
pub fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.ancestors()
        .find_map(|there| {
            let rest = path.strip_prefix(there).ok()?;
            let there = there.canonicalize().ok()?;
            // `join` would end the path with a slash where nothing is left to join.
            Some(there.components().chain(rest.components()).collect())
        })
        .unwrap_or(path)
}

/// The path from a site's root of a folder that lies inside it, links followed: it stays the same when the site
/// is moved.
pub fn inside(root: &Path, path: &Path) -> Option<PathBuf> {
    let inside = real(path).strip_prefix(real(root)).ok()?.to_path_buf();
    Some(inside)
}

/// Whether a folder contains the site's sources or lies inside them: nothing may be built there.
pub fn holds_sources(root: &Path, out: &Path) -> bool {
    let (root, out) = (real(root), real(out));
    root.starts_with(&out)
        || ["content", "site-files", "themes", ".feedwright", ".git"]
            .iter()
            .any(|folder| out.starts_with(root.join(folder)))
}

#[cfg(test)]
mod tests {
    use super::real;

    #[test]
    fn a_path_reads_the_same_before_it_exists_and_after() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let before = real(&out);
        std::fs::create_dir(&out).unwrap();
        assert_eq!(real(&out).as_os_str(), before.as_os_str());
    }
}
