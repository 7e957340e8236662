//! Steps that all importers of folders share: finding the texts, and deciding which texts are
//! items.

use std::collections::BTreeMap;

use super::source::{Source, Text};
use super::tree::{Tree, is_markdown};

/// Common names of folders and tags that contain items.
pub const SERIES: [&str; 14] = [
    "posts", "post", "blog", "blogs", "article", "articles", "news", "episodes", "episode",
    "podcast", "podcasts", "journal", "til", "links",
];
pub const OTHER_FORMAT: &str = "a text in another format than Markdown was left out";
pub const TEMPLATE_PAGE: &str =
    "a page made by a template was left out: feedwright's themes have their own";

/// How a generator uses a file.
pub enum Use<P> {
    /// A text, with the properties that its path implies.
    Text(P),
    /// A text that gets no page, with the reason.
    Left(String),
    /// A file that has a page but is not imported, with a message for the report.
    Noted(&'static str),
    /// Not a text.
    Other,
}

impl<P> Use<P> {
    pub fn skipped(reason: &str) -> Self {
        Self::Left(reason.to_owned())
    }
}

impl Source {
    /// Calls `add` for each text of a folder, in the order of paths. Reports the texts that get no
    /// page.
    pub fn walk<P>(
        &mut self,
        tree: &mut Tree,
        judge: &dyn Fn(&Tree, &str) -> Use<P>,
        add: &mut dyn FnMut(Text, P, &mut Self, &mut Tree),
    ) {
        let paths: Vec<String> = tree.files.keys().cloned().collect();
        for path in &paths {
            match judge(tree, path) {
                Use::Text(place) => {
                    if let Some(text) = self.read(tree, path) {
                        add(text, place, self, tree);
                    }
                }
                Use::Left(reason) => self.report_unpublished(path, reason),
                Use::Noted(message) => self.note(message, path),
                Use::Other => {}
            }
        }
    }
}

/// Returns whether a folder, which ends in `/`, has exactly one text.
pub fn is_only_text(tree: &Tree, folder: &str) -> bool {
    tree.below(folder).filter(|path| is_markdown(path)).take(2).count() == 1
}

/// Returns the folders whose texts are items: folders that `is_series` accepts, and folders in
/// which most texts have dates.
pub fn series<'t>(
    texts: impl Iterator<Item = (&'t str, &'t Text)>,
    is_series: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (folder, text) in texts {
        let (all, with_date) = counts.entry(folder).or_default();
        *all += 1;
        *with_date += usize::from(text.has_date());
    }
    let counts = counts.into_iter();
    let series = counts.filter(|(name, (all, with_date))| is_series(name) || with_date * 2 > *all);
    series.map(|(name, _)| name.to_owned()).collect()
}
