//! Detection of a transcript's format.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// WebVTT (W3C), `text/vtt`.
    Vtt,
    /// SubRip, `application/x-subrip`.
    Srt,
    /// The JSON format of Podcasting 2.0, `application/json`.
    Json,
    /// The HTML format of Podcasting 2.0, or any other HTML, `text/html`.
    Html,
    /// Plain text, `text/plain`.
    Plain,
}

impl Format {
    /// Detects the format of a file. Checks the media type first, then the extension of the path or
    /// URL, then the first bytes (a kilobyte is enough). Arguments that are unknown can be empty.
    ///
    /// Servers often send SRT files as `text/plain`. This type is therefore only used if the
    /// extension does not indicate another format.
    #[must_use]
    pub fn of(media_type: &str, path: &str, head: &[u8]) -> Self {
        let by_type = Self::from_media_type(media_type);
        let by_path = Self::from_path(path);
        match (by_type, by_path) {
            (Some(Self::Plain), Some(format)) => format,
            (Some(format), _) | (None, Some(format)) => format,
            (None, None) => Self::from_content(head),
        }
    }

    fn from_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default();
        match essence.trim().to_ascii_lowercase().as_str() {
            "text/vtt" | "text/webvtt" => Some(Self::Vtt),
            "application/x-subrip"
            | "application/srt"
            | "application/x-srt"
            | "text/srt"
            | "text/x-srt" => Some(Self::Srt),
            "application/json" | "text/json" => Some(Self::Json),
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "text/plain" => Some(Self::Plain),
            _ => None,
        }
    }

    fn from_path(path: &str) -> Option<Self> {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "vtt" => Some(Self::Vtt),
            "srt" => Some(Self::Srt),
            "json" => Some(Self::Json),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "txt" | "text" => Some(Self::Plain),
            _ => None,
        }
    }

    fn from_content(head: &[u8]) -> Self {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        if head.starts_with(b"WEBVTT") {
            return Self::Vtt;
        }
        let head = head[..head.len().min(1024)].trim_ascii_start();
        let is_json =
            |rest: &[u8]| matches!(rest.trim_ascii_start(), [b'{' | b'"' | b'}' | b']', ..]);
        match head {
            [b'{' | b'[', rest @ ..] if is_json(rest) => Self::Json,
            [b'<', ..] => Self::Html,
            _ if head.windows(3).any(|part| part == b"-->") => Self::Srt,
            _ => Self::Plain,
        }
    }
}
