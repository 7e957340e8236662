//! Builds the package again when a language is added: `include_dir` sees changes of known files only.

fn main() {
    println!("cargo::rerun-if-changed=languages");
}
