//! Embeds the files of the editor's page in `app`, without comments and indentation. The style
//! sheets become one, because one is smaller when it is compressed.

use std::path::PathBuf;
use std::{env, fs, io};

const STYLES: &str = "editor.css";

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=app");
    let mut paths = Vec::new();
    for entry in fs::read_dir("app")? {
        paths.push(entry?.path());
    }
    // The common rules come first.
    paths.sort_by_key(|path| (!path.ends_with(STYLES), path.clone()));
    let (mut files, mut styles) = (Vec::new(), String::new());
    for path in paths {
        let text = shorten(&fs::read_to_string(&path)?);
        if path.extension().is_some_and(|kind| kind == "css") {
            styles += &text;
        } else {
            files.push((path.file_name().unwrap_or_default().to_string_lossy().into(), text));
        }
    }
    files.push((STYLES.to_owned(), styles));
    fs::write(out.join("files.rs"), format!("&{files:?}"))
}

/// Removes indentation, and comments that fill whole lines. The number of lines stays the same, so
/// that browsers report errors in the right line. A string in the files must not span lines.
fn shorten(text: &str) -> String {
    let mut is_comment = false;
    let mut short = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.starts_with("//") {
            short.push_str(line);
        }
        is_comment &= !line.ends_with("*/");
        short.push('\n');
    }
    short
}
