//! Authors that a Hugo site defines by short names.

use crate::folder::data::{self, Data};
use crate::folder::tree::{Tree, ending, split};

/// Reads the authors from `data/authors` and `content/authors/`.
pub fn read(tree: &mut Tree) -> Data {
    let mut authors = Data::new();
    let paths: Vec<String> = tree
        .files
        .keys()
        .filter(|path| {
            path.starts_with("data/authors")
                || (path.starts_with("content/authors/") && path.ends_with("/_index.md"))
        })
        .cloned()
        .collect();
    for path in paths {
        let Some(text) = tree.text(&path) else {
            continue;
        };
        let (folder, name) = split(&path);
        if name == "_index.md" {
            let front = front_matter::parse(&text).map(|front| data::of_table(&front.table));
            authors.extend(front.ok().map(|front| (split(folder).1.to_owned(), front.into())));
        } else if let Some(data) = data::of_file(&path, &text) {
            match folder {
                "data" => authors.extend(data),
                _ => authors.extend([(ending(name).0.to_owned(), data.into())]),
            }
        }
    }
    authors
}
