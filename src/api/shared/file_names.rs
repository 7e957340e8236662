//! Converts file names that clients send to file names in the site.

use model::Slug;

/// Maximum number of characters in a file name. Windows and macOS limit the number of characters,
/// and Linux limits the number of bytes, so no system allows a longer name.
const MAX_NAME_LENGTH: usize = 255;

/// Splits a client's file name, which can be a path on the client's system, into a slug and an
/// extension. The error describes the problem with the name.
pub fn words_and_extension(name: &str) -> Result<(String, String), String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let length = last.chars().count();
    if length > MAX_NAME_LENGTH {
        return Err(format!(
            "the file name has {length} characters; the maximum is {MAX_NAME_LENGTH}"
        ));
    }
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let extension = extension.to_ascii_lowercase();
    let is_plain = (1..=10).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_plain {
        return Err("the file name must end with an extension, such as .mp3".to_owned());
    }
    let words = Slug::from_title(stem).map_or_else(|| "file".to_owned(), |slug| slug.to_string());
    Ok((words, extension))
}
