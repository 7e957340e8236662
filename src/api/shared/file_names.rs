//! The names of files that clients send, where they come from and here.

use crate::model::Slug;

/// The words and the extension of a file that is called this elsewhere, which may be a whole path there. None if it ends in no
/// extension.
pub fn words_and_extension(name: &str) -> Option<(String, String)> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, extension) = last.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let is_plain = (1..=10).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let words = Slug::from_title(stem).map_or_else(|| "file".to_owned(), |slug| slug.to_string());
    is_plain.then_some((words, extension))
}
