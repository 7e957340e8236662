//! Embeds the files of the editor's page in `app`, without comments and indentation.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=app");
    let mut paths = Vec::new();
    for entry in fs::read_dir("app")? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut table = String::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let short = out.join(&*name);
        fs::write(&short, shorten(&fs::read_to_string(&path)?))?;
        table += &format!("({name:?}, include_str!({short:?})),\n");
    }
    fs::write(out.join("files.rs"), format!("&[{table}]"))
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
