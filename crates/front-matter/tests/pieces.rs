//! Texts of what means something in front matter.

use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of the three formats, and of the fields that are read from them.
const PIECES: [&str; 56] = [
    "+++\n",
    "---\n",
    "---\r\n",
    "\u{feff}",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    ": ",
    " = ",
    ",",
    "\n",
    "\r\n",
    "  ",
    "\t",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "|\n",
    ">-\n",
    "- ",
    "# ",
    "&a ",
    "*a",
    "!!str ",
    "? ",
    "<<: *a",
    "%",
    "\\",
    "\\u0041",
    "null",
    "true",
    "~",
    "1",
    "-1.5e3",
    "0x1F",
    ".inf",
    "nan",
    "2026-11-20",
    "2026-11-20T09:30:00+02:00",
    "ü",
    "日本",
    "🐦",
    "title",
    "id",
    "slug",
    "aliases",
    "date",
    "attachment",
    "podcast",
    "chapters",
    "startTime",
    "/a/",
];

/// A text of pieces that mean something in front matter.
pub fn pieces() -> impl Strategy<Value = String> {
    let start = select(vec!["+++\n", "---\n", "{", "", "\u{feff}---\n"]);
    let end = select(vec!["\n+++\nText", "\n---\nText", "}\nText", ""]);
    let middle = proptest::collection::vec(select(PIECES.to_vec()), 0..40);
    (start, middle, end).prop_map(|(start, middle, end)| start.to_owned() + &middle.concat() + end)
}
