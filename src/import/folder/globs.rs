//! Path patterns of generators, such as `*.md`.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// How a generator interprets patterns.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Whether `*` also matches `/`.
    pub crosses_folders: bool,
    pub ignores_case: bool,
}

impl Style {
    pub const ANY_CASE: Self = Self { crosses_folders: false, ignores_case: true };
    pub const CROSSING: Self = Self { crosses_folders: true, ignores_case: false };
}

#[derive(Debug, Clone)]
pub struct Globs(GlobSet);

impl Globs {
    /// Parses patterns. Invalid patterns are returned separately.
    pub fn of(
        patterns: impl IntoIterator<Item = impl AsRef<str>>,
        style: Style,
    ) -> (Self, Vec<String>) {
        let mut set = GlobSetBuilder::new();
        let mut unreadable = Vec::new();
        for pattern in patterns {
            let pattern = pattern.as_ref();
            // If `**` is only a part of a name in the pattern, it matches `/` too.
            let is_wild = pattern.split('/').any(|part| part.contains("**") && part != "**");
            let glob = GlobBuilder::new(pattern)
                .literal_separator(!style.crosses_folders && !is_wild)
                .case_insensitive(style.ignores_case)
                .backslash_escape(true)
                .build();
            match glob {
                Ok(glob) => drop(set.add(glob)),
                Err(_) => unreadable.push(pattern.to_owned()),
            }
        }
        let set = set.build().unwrap_or_else(|_| GlobSet::empty());
        (Self(set), unreadable)
    }

    pub fn matches(&self, path: &str) -> bool {
        self.0.is_match(path)
    }

    /// Returns whether a pattern matches a path or one of its parent folders.
    pub fn covers(&self, path: &str) -> bool {
        let parts = std::iter::successors(Some(path), |path| {
            path.rsplit_once('/').map(|(folder, _)| folder)
        });
        parts.into_iter().any(|part| self.matches(part))
    }
}
