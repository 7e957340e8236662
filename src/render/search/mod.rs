//! The script and the style sheet of the search dialog and the search page. They are the same on every site: the
//! script finds the site, and the index below it, from its own address.

use std::sync::LazyLock;

/// The script, without the indentation, the comments and most line ends of its parts, which share one scope.
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
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut script = String::with_capacity(parts.len());
    for line in lines {
        // As each statement has its semicolon, the end of a line only keeps words apart.
        if script.ends_with(char::is_alphanumeric) && line.starts_with(char::is_alphanumeric) {
            script.push('\n');
        }
        script.push_str(line);
    }
    script
});

/// The style sheet. Its selectors weigh nothing, so that any rule of a theme's is stronger.
pub const STYLE: &str = include_str!("search.css");
