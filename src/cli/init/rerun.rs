//! Rebuilds the package if an example site gets a new file, because `include_dir` tracks only files
//! that existed at the previous build.

fn main() {
    for template in ["show", "blog", "photos", "notes"] {
        println!("cargo::rerun-if-changed=../../examples/{template}/content");
    }
}
