//! Search on the site: the scripts and the style sheet of the search dialog and the search page,
//! and the listings of items and pages in the index.
//!
//! The scripts are the same on every site. They derive the addresses of the site and its index from
//! their own address.

pub mod listings;

use std::sync::LazyLock;

use theme::{minify_script, minify_style};

/// The script on every page. It opens the dialog, and loads the search script when search is used.
pub static OPENER: LazyLock<String> = LazyLock::new(|| minify_script(include_str!("open.js")));

/// The search script, which finds and shows results. Its parts share one scope.
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    minify_script(concat!(
        include_str!("words.js"),
        include_str!("index.js"),
        include_str!("results.js"),
        include_str!("view.js"),
    ))
});

/// The style sheet. Its selectors have no specificity, so any rule of a theme overrides them.
pub static STYLE: LazyLock<String> = LazyLock::new(|| minify_style(include_str!("search.css")));
