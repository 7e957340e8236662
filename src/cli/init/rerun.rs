//! Rebuilds the package when an example site gets a new file: `include_dir` tracks only files it
//! already knows.

fn main() {
    for template in ["show", "blog", "photos", "notes"] {
        println!("cargo::rerun-if-changed=../../examples/{template}/content");
    }
}
