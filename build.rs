//! Names the program by its sources: local state of another program is not used, while the same program, built
//! again or on another machine, goes on with it.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// What output depends on.
const SOURCES: [&str; 4] = ["Cargo.lock", "src", "crates", "themes"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        list(Path::new(source), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.to_string_lossy().replace('\\', "/").hash(&mut hasher);
        fs::read(&file)?.hash(&mut hasher);
    }
    println!("cargo::rustc-env=FEEDWRIGHT_SOURCES={:x}", hasher.finish());
    Ok(())
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.extend(path.exists().then(|| path.to_path_buf()));
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}
