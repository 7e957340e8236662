//! Writes the files of `content/planet/`.

use edit::quoted;
use model::PlanetFile;
use model::terminal::is_control;

/// Returns the text of a file. It contains one line for each value, so that git shows changes of
/// single items.
pub fn text(file: &PlanetFile) -> String {
    let mut out = "# Written by `feedwright fetch`.\n".to_owned();
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            out.push_str(&format!("{key} = {value}\n"));
        }
    };
    let optional = |text: &Option<String>| text.as_deref().map_or_else(String::new, quoted);
    line("feed", &quoted(&file.feed));
    line("title", &optional(&file.title));
    line("link", &optional(&file.link));
    line("limit", &file.limit.map_or_else(String::new, |limit| limit.to_string()));
    line("etag", &optional(&file.etag));
    line("last_modified", &optional(&file.last_modified));
    for item in &file.items {
        out.push_str("\n[[items]]\n");
        let texts = [
            ("id", Some(&item.id)),
            ("url", Some(&item.url)),
            ("title", Some(&item.title)),
            ("author", item.author.as_ref()),
            ("excerpt", Some(&item.excerpt)),
        ];
        out.push_str(&format!("date = {}\n", item.date));
        for (key, text) in texts {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                out.push_str(&format!("{key} = {}\n", quoted(text)));
            }
        }
    }
    out
}

/// Returns whether a header can be stored and sent again unchanged.
pub fn is_storable(header: &str, max: usize) -> bool {
    !header.trim().is_empty() && header.len() <= max && !header.contains(is_control)
}
