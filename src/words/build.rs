//! Makes Cargo rebuild this package when a language is added: `include_dir` tracks only files that
//! existed at the last build.

fn main() {
    println!("cargo::rerun-if-changed=languages");
}
