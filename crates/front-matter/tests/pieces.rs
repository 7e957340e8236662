//! Generates random documents from pieces of syntax that front matter uses.

use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of syntax in the three formats, and of the fields in front matter.
const PIECES: [&str; 56] = [
    "+++\n", "---\n", "---\r\n", "\u{feff}", "{", "}", "[", "]", "[[", "]]", ": ", " = ", ",",
    "\n", "\r\n", "  ", "\t", "\"", "'", "\"\"\"", "'''", "|\n", ">-\n", "- ", "# ", "&a ", "*a",
    "!!str ", "? ", "<<: *a", "%", "\\", "\\u0041", "null", "true", "~", "1", "-1.5e3", "0x1F",
    ".inf", "nan", "2026-11-20", "2026-11-20T09:30:00+02:00", "ü", "日本", "🐦", "title", "id",
    "slug", "aliases", "date", "attachment", "podcast", "chapters", "startTime", "/a/",
];

/// Generates a document from random pieces of syntax.
pub fn pieces() -> impl Strategy<Value = String> {
    let start = select(vec!["+++\n", "---\n", "{", "", "\u{feff}---\n"]);
    let end = select(vec!["\n+++\nText", "\n---\nText", "}\nText", ""]);
    let middle = proptest::collection::vec(select(PIECES.to_vec()), 0..40);
    (start, middle, end).prop_map(|(start, middle, end)| start.to_owned() + &middle.concat() + end)
}

/// Returns documents in each format that are nested much deeper than any real front matter.
pub fn deeply_nested() -> Vec<String> {
    let mut texts = vec![
        format!("---\n{}\n---\n", "- ".repeat(100_000)),
        format!("---\n{}1\n---\n", "? ".repeat(100_000)),
        format!("+++\n{} = 1\n+++\n", vec!["a"; 100_000].join(".")),
    ];
    for (open, close) in [("[", "]"), ("{\"a\": ", "}")] {
        for depth in [100, 100_000] {
            let nested = open.repeat(depth) + "1" + &close.repeat(depth);
            texts.extend([
                format!("+++\na = {nested}\n+++\n"),
                format!("---\na: {nested}\n---\n"),
                format!("{{\"a\": {nested}}}\n"),
            ]);
        }
    }
    texts
}

/// Returns a few lines of YAML that would expand to a list of 9^12 elements if every alias were
/// copied.
pub fn exponential_aliases() -> String {
    let mut text = String::from("---\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for at in 1..12 {
        let before = vec![format!("*a{}", at - 1); 9].join(", ");
        text.push_str(&format!("a{at}: &a{at} [{before}]\n"));
    }
    text.push_str("---\n");
    text
}
