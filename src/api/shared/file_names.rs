//! The names of files that clients send, where they come from and here.

use model::Slug;

/// Maximum characters of a file's name. Windows and macOS count characters, Linux bytes: no name is longer.
const LONGEST: usize = 255;

/// The words and the extension of a file that is called this elsewhere, which may be a whole path there. Err says
/// what is wrong with its name.
pub fn words_and_extension(name: &str) -> Result<(String, String), String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let length = last.chars().count();
    if length > LONGEST {
        return Err(format!(
            "a file's name has at most {LONGEST} characters, and this one has {length}"
        ));
    }
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let extension = extension.to_ascii_lowercase();
    let is_plain = (1..=10).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_plain {
        return Err("a file's name ends in an extension, such as .mp3".to_owned());
    }
    let words = Slug::from_title(stem).map_or_else(|| "file".to_owned(), |slug| slug.to_string());
    Ok((words, extension))
}
