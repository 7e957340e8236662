//! Builds the package again when a theme has another file: `include_dir` sees changes of known files only.

fn main() {
    println!("cargo::rerun-if-changed=../../themes");
}
