//! Which files a server may send compressed.

/// What the name of a compressed copy has beyond that of its text.
pub const COPY: &str = ".gz";

/// How the names of texts end. Other kinds of file are compressed by themselves.
pub const TEXTS: [&str; 15] = [
    "css", "html", "ics", "js", "json", "md", "opml", "rss", "srt", "svg", "txt", "vtt",
    "webmanifest", "xml", "xsl",
];

/// Whether a file of the output is a text that compressing makes shorter.
pub fn is_text(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').is_some_and(|(_, ending)| TEXTS.contains(&ending))
}
