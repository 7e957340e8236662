//! The script and the style sheet of the search dialog and the search page. They are the same on every site: the
//! script finds the site, and the index below it, from its own address.

use std::sync::LazyLock;

/// The script, without the indentation, the comments and most blanks and line ends of its parts, which share one scope.
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
        if script.ends_with(is_of_name) && line.starts_with(is_of_name) {
            script.push('\n');
        }
        push_line(line, &mut script);
    }
    script
});

/// Appends a line without the blanks that keep nothing apart. Those of strings stay, and a line with a template, a
/// regular expression or an escape is left as it is.
fn push_line(line: &str, script: &mut String) {
    if line.contains(['\'', '`', '/', '\\']) {
        return script.push_str(line);
    }
    let mut before = ' ';
    let mut is_in_string = false;
    for (at, letter) in line.char_indices() {
        let after = line[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
        let is_between_names = is_of_name(before) && is_of_name(after);
        let is_between_signs = before == after && "+-".contains(before);
        is_in_string ^= letter == '"';
        if letter != ' ' || is_in_string || is_between_names || is_between_signs {
            script.push(letter);
            before = letter;
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || "_$".contains(letter)
}

/// The style sheet. Its selectors weigh nothing, so that any rule of a theme's is stronger.
pub const STYLE: &str = include_str!("search.css");
