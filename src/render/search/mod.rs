//! Search on the site: the scripts and the style sheet of the search dialog and the search page, and how an item
//! is listed in the index.
//!
//! The scripts are the same on every site: they find the site, and the index below it, from their own address.

pub mod listings;

use std::sync::LazyLock;

use theme::{small_script, small_style};

/// The script that every page has: it opens the dialog, and loads the other one when it is used.
pub static OPENER: LazyLock<String> = LazyLock::new(|| small_script(include_str!("open.js")));

/// The script that finds and shows. Its parts share one scope.
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    small_script(concat!(
        include_str!("words.js"),
        include_str!("index.js"),
        include_str!("results.js"),
        include_str!("view.js"),
    ))
});

/// The style sheet. Its selectors weigh nothing, so that any rule of a theme's is stronger.
pub static STYLE: LazyLock<String> = LazyLock::new(|| small_style(include_str!("search.css")));
