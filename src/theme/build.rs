//! Rebuilds the package when a theme gets a new file: `include_dir` tracks only files it already
//! knows.

fn main() {
    println!("cargo::rerun-if-changed=../../themes");
}
