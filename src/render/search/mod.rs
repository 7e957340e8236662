//! The script and the style sheet of the search dialog and the search page. They are the same on every site: the
//! script finds the site, and the index below it, from its own address.

use std::sync::LazyLock;

/// The script, without the indentation and the comments of its parts, which share one scope.
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let parts = concat!(
        "(() => {\n\"use strict\";\n",
        "const base = new URL(\"../\", document.currentScript.src).href;\n",
        include_str!("words.js"),
        include_str!("index.js"),
        include_str!("results.js"),
        include_str!("dialog.js"),
        "start();\n})();\n",
    );
    let lines = parts.lines().map(str::trim_start);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        // After these a line's end means nothing.
        .flat_map(|line| {
            [
                line,
                if line.ends_with([';', ',', '{', '}']) {
                    ""
                } else {
                    "\n"
                },
            ]
        })
        .collect()
});

/// The style sheet. Its selectors weigh nothing, so that any rule of a theme's is stronger.
pub const STYLE: &str = include_str!("search.css");
