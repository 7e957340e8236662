//! Makes Cargo rebuild this package when a theme gets a new file: `include_dir` tracks only files
//! that existed at the last build.

fn main() {
    println!("cargo::rerun-if-changed=../../themes");
}
