//! Rebuilds the package when an example site gets a new file: `include_dir` tracks only files that
//! existed at the last build.

fn main() {
    for template in ["show", "blog", "photos", "notes"] {
        println!("cargo::rerun-if-changed=../../examples/{template}/content");
    }
}
