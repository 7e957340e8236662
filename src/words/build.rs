//! Rebuilds the package when a language is added: `include_dir` tracks only files it already knows.

fn main() {
    println!("cargo::rerun-if-changed=languages");
}
