//! The minimum work of any generator: read the files, convert the Markdown to HTML, write the HTML.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

/// First argument of the process that runs the bare loop.
pub const CHILD: &str = "--bare-loop";

/// Writes the HTML of each text in a folder to another folder, in one subfolder per item, without a
/// page around the HTML.
pub fn run(arguments: &[String]) {
    let [from, to] = arguments else {
        panic!("two folders are needed");
    };
    let files: Vec<_> = walkdir::WalkDir::new(from)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .collect();
    files.par_iter().for_each(|file| {
        let text = fs::read_to_string(file.path()).expect("the file can be read");
        // The text after the front matter.
        let body = text.splitn(3, "+++\n").nth(2).unwrap_or(&text);
        let mut html = String::with_capacity(body.len() * 3 / 2);
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(body));
        let folder = Path::new(to).join(file.path().file_stem().expect("a file has a name"));
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("index.html"), html).expect("the file can be written");
    });
}
