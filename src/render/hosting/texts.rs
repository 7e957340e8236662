//! The files that a server may send compressed.

/// The extension that a compressed copy adds to the name of the original file.
pub const GZIP_EXTENSION: &str = ".gz";

/// Extensions of text files. Other kinds of files are already compressed.
pub const TEXT_EXTENSIONS: [&str; 15] = [
    "css", "html", "ics", "js", "json", "md", "opml", "rss", "srt", "svg", "txt", "vtt",
    "webmanifest", "xml", "xsl",
];

/// Returns whether an output file is a text file, which compression makes smaller.
pub fn is_text(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').is_some_and(|(_, ending)| TEXT_EXTENSIONS.contains(&ending))
}
