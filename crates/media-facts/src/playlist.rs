//! HLS playlists (RFC 8216, section 4): the files that a playlist names, and the lines that players
//! reject.
//!
//! ```
//! let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:5.5,\nwalk0.ts\n#EXT-X-ENDLIST\n";
//! let playlist = media_facts::playlist::parse(text);
//! assert_eq!(playlist.files[0].uri, "walk0.ts");
//! assert_eq!(playlist.duration, 5.5);
//! assert!(playlist.faults.is_empty());
//! ```

/// Maximum number of faults to report for one playlist.
const MAX_FAULTS: usize = 20;

/// Maximum number of files of a playlist: a day of segments of one second.
const MAX_FILES: usize = 86_400;

/// Maximum duration of a segment in seconds. A longer segment is a mistake, or would overflow.
const MAX_SEGMENT: f64 = 1e6;

/// The beginnings of codec names (RFC 6381) that are audio.
const AUDIO_CODECS: [&str; 8] = ["mp4a", "opus", "ac-3", "ec-3", "flac", "fLaC", "vorbis", "alac"];

/// A playlist of segments, or of other playlists.
#[derive(Debug, Default, PartialEq)]
pub struct Playlist {
    /// The files that the playlist names, in its order. A file can occur several times.
    pub files: Vec<Named>,
    /// Sum of the durations of the segments, in seconds.
    pub duration: f64,
    /// Width and height of the highest variant, in pixels.
    pub dimensions: Option<(u32, u32)>,
    /// The codecs of all variants, separated by commas (RFC 6381).
    pub codecs: Option<String>,
    /// Violations of RFC 8216, in the order of the lines.
    pub faults: Vec<Fault>,
}

/// A file that a playlist names.
#[derive(Debug, PartialEq)]
pub struct Named {
    /// The URI as written: absolute, or relative to the playlist.
    pub uri: String,
    /// Byte offset of the URI in the text.
    pub at: usize,
    /// Whether the file is a playlist too.
    pub is_playlist: bool,
    /// The end of the byte range that players request, if the playlist states one.
    pub end: Option<u64>,
}

/// A violation of RFC 8216.
#[derive(Debug, PartialEq)]
pub struct Fault {
    /// Byte offset in the text.
    pub at: usize,
    pub message: String,
    pub help: &'static str,
}

impl Playlist {
    /// Returns whether the playlist contains only audio, according to its codecs, or else to the
    /// names of its segments.
    pub fn is_audio(&self) -> bool {
        let is_audio = |name: &str| {
            let path = name.split(['?', '#']).next().unwrap_or_default();
            let (_, extension) = path.rsplit_once('.').unwrap_or_default();
            matches!(&*extension.to_ascii_lowercase(), "aac" | "mp3" | "m4a" | "ac3" | "ec3")
        };
        match &self.codecs {
            _ if self.dimensions.is_some() => false,
            Some(codecs) => codecs
                .split(',')
                .all(|codec| AUDIO_CODECS.iter().any(|audio| codec.starts_with(audio))),
            None => !self.files.is_empty() && self.files.iter().all(|file| is_audio(&file.uri)),
        }
    }
}

/// Returns whether a text is an HLS playlist, and not a list of songs.
pub fn is_hls(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').starts_with("#EXTM3U") && text.contains("\n#EXT-X-")
}

/// Parses a playlist.
pub fn parse(text: &str) -> Playlist {
    let mut reading = Reading::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if reading.playlist.files.len() == MAX_FILES {
            reading.fault(start, "this playlist names too many files", "use longer segments");
            break;
        }
        reading.line(start, line.trim_end_matches(['\n', '\r']));
        start += line.len();
    }
    reading.finish();
    reading.playlist.faults.sort_by_key(|fault| fault.at);
    reading.playlist.faults.truncate(MAX_FAULTS);
    reading.playlist
}

/// The tag that describes the file on the next line.
enum Pending {
    Variant(usize),
    Segment(usize),
}

#[derive(Default)]
struct Reading {
    playlist: Playlist,
    has_header: bool,
    pending: Option<Pending>,
    /// Offset of the first tag of a playlist of playlists, and of the first tag of a media playlist.
    master: Option<usize>,
    media: Option<usize>,
    target: Option<f64>,
    longest: (f64, usize),
    has_end: bool,
    has_control: bool,
    /// The length and the start of the byte range of the next segment.
    range: Option<(u64, Option<u64>)>,
}

impl Reading {
    fn fault(&mut self, at: usize, message: impl Into<String>, help: &'static str) {
        // The faults are sorted and cut at the end, so a few more are kept.
        if self.playlist.faults.len() < 2 * MAX_FAULTS {
            self.playlist.faults.push(Fault { at, message: message.into(), help });
        }
    }

    fn line(&mut self, at: usize, line: &str) {
        if at == 0 {
            self.first_line(line);
            return;
        }
        if line.chars().any(char::is_control) && !std::mem::replace(&mut self.has_control, true) {
            self.fault(at, "this line contains a control character", "remove it");
        }
        match line.strip_prefix('#') {
            Some(tag) if tag.starts_with("EXT") => self.tag(at, tag),
            Some(_) => {}
            None if line.trim().is_empty() => {}
            None => self.file(at, line.trim_end()),
        }
    }

    fn first_line(&mut self, line: &str) {
        let own = line.strip_prefix('\u{feff}');
        if own.is_some() {
            self.fault(0, "the playlist starts with a byte order mark", "save it without one");
        }
        self.has_header = own.unwrap_or(line).trim_end() == "#EXTM3U";
        if !self.has_header {
            self.fault(0, "the first line is not #EXTM3U", "write #EXTM3U there, or export again");
        }
    }

    fn tag(&mut self, at: usize, tag: &str) {
        let (name, value) = tag.split_once(':').unwrap_or((tag, ""));
        let value_at = at + 1 + tag.len() - value.len();
        match name {
            "EXTINF" => self.segment(at, value_at, value),
            "EXT-X-TARGETDURATION" => {
                self.media.get_or_insert(at);
                self.target = value.trim().parse::<u32>().ok().map(f64::from);
                if self.target.is_none() {
                    self.fault(value_at, "the target duration is not a whole number", "correct it");
                }
            }
            "EXT-X-BYTERANGE" => match byte_range(value) {
                Some(range) => self.range = Some(range),
                None => self.fault(value_at, "this byte range is invalid", "write LENGTH@START"),
            },
            "EXT-X-ENDLIST" => self.has_end = true,
            _ if name.starts_with("EXT-X-") => self.with_attributes(at, value_at, name, value),
            _ => {}
        }
    }

    fn segment(&mut self, at: usize, value_at: usize, value: &str) {
        self.media.get_or_insert(at);
        self.unfinished();
        self.pending = Some(Pending::Segment(at));
        let duration = value.split(',').next().unwrap_or_default().trim().parse::<f64>().ok();
        match duration.filter(|seconds| (0.0..=MAX_SEGMENT).contains(seconds)) {
            Some(seconds) => {
                self.playlist.duration += seconds;
                if seconds > self.longest.0 {
                    self.longest = (seconds, value_at);
                }
            }
            None => self.fault(value_at, "the duration of this segment is invalid", "correct it"),
        }
    }

    fn with_attributes(&mut self, at: usize, value_at: usize, name: &str, value: &str) {
        let is_master = matches!(
            name,
            "EXT-X-STREAM-INF"
                | "EXT-X-MEDIA"
                | "EXT-X-I-FRAME-STREAM-INF"
                | "EXT-X-SESSION-DATA"
                | "EXT-X-SESSION-KEY"
        );
        let is_media = matches!(name, "EXT-X-KEY" | "EXT-X-MAP" | "EXT-X-PART");
        if is_master {
            self.master.get_or_insert(at);
        } else if is_media {
            self.media.get_or_insert(at);
        }
        let Some(attributes) = attributes(value) else {
            if is_master || is_media {
                self.fault(value_at, "these attributes are invalid", "write NAME=VALUE,NAME=VALUE");
            }
            return;
        };
        let get = |name: &str| attributes.iter().find(|one| one.name == name);
        if name == "EXT-X-STREAM-INF" {
            self.unfinished();
            self.pending = Some(Pending::Variant(at));
            if get("BANDWIDTH").is_none_or(|one| one.value.parse::<u64>().is_err()) {
                self.fault(
                    at, "this variant has no BANDWIDTH", "add BANDWIDTH=… in bits per second",
                );
            }
        }
        if let Some(codecs) = get("CODECS") {
            self.add_codecs(codecs.value);
        }
        let pixels = get("RESOLUTION").and_then(|one| one.value.split_once('x'));
        let pixels = pixels.and_then(|(width, height)| {
            Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?))
        });
        let highest = self.playlist.dimensions.into_iter().chain(pixels);
        self.playlist.dimensions = highest.max_by_key(|(_, height)| *height);
        match get("URI") {
            Some(uri) => {
                let range = get("BYTERANGE").and_then(|one| byte_range(one.value));
                self.playlist.files.push(Named {
                    uri: uri.value.to_owned(),
                    at: value_at + uri.at,
                    is_playlist: matches!(
                        name,
                        "EXT-X-MEDIA" | "EXT-X-I-FRAME-STREAM-INF" | "EXT-X-RENDITION-REPORT"
                    ),
                    end: range.and_then(|(length, start)| start?.checked_add(length)),
                });
            }
            None if matches!(name, "EXT-X-MAP" | "EXT-X-I-FRAME-STREAM-INF")
                || name.ends_with("KEY") && get("METHOD").is_none_or(|one| one.value != "NONE") =>
            {
                self.fault(at, "this tag has no URI", "add URI=\"…\", or remove the tag");
            }
            None => {}
        }
    }

    fn add_codecs(&mut self, codecs: &str) {
        let all = self.playlist.codecs.get_or_insert_default();
        for codec in codecs.split(',').map(str::trim).filter(|codec| !codec.is_empty()) {
            if !all.split(',').any(|known| known == codec) {
                let comma = if all.is_empty() { "" } else { "," };
                *all += comma;
                *all += codec;
            }
        }
    }

    fn file(&mut self, at: usize, uri: &str) {
        let mut end = None;
        let pending = self.pending.take();
        if let Some((length, start)) = self.range.take() {
            // Without a start, the range continues the range of the previous segment.
            let previous = self.playlist.files.last().filter(|file| file.uri == uri);
            let start = start.or(previous.and_then(|file| file.end));
            end = start.and_then(|start| start.checked_add(length));
            if end.is_none() {
                let help = "write LENGTH@START: the previous segment is of another file";
                self.fault(at, "the byte range of this segment has no start", help);
            }
        }
        if pending.is_none() && self.has_header {
            let help = "write #EXTINF or #EXT-X-STREAM-INF on the line above it, or remove it";
            self.fault(at, "no tag describes this file", help);
        }
        let is_playlist = matches!(pending, Some(Pending::Variant(_)));
        self.playlist.files.push(Named { uri: uri.to_owned(), at, is_playlist, end });
    }

    /// Reports a tag after which no file follows.
    fn unfinished(&mut self) {
        if let Some(Pending::Variant(at) | Pending::Segment(at)) = self.pending.take() {
            self.fault(at, "no file follows this tag", "export the playlist again");
        }
    }

    fn finish(&mut self) {
        self.unfinished();
        if let (Some(master), Some(media)) = (self.master, self.media) {
            let help = "export it again: a playlist lists either variants or segments";
            self.fault(master.max(media), "this playlist contains variants and segments", help);
        }
        if self.playlist.files.is_empty() {
            self.fault(0, "this playlist names no file", "export it again");
        } else if let (None, Some(media)) = (self.master, self.media) {
            let (longest, at) = self.longest;
            match self.target {
                None => {
                    let help = "add the duration of the longest segment in whole seconds";
                    self.fault(media, "#EXT-X-TARGETDURATION is missing", help);
                }
                Some(target) if longest.round() > target => {
                    let message = format!("this segment is longer than the target of {target} s");
                    self.fault(at, message, "raise #EXT-X-TARGETDURATION");
                }
                Some(_) => {}
            }
            if !self.has_end {
                let help = "end the file with #EXT-X-ENDLIST, or players wait for more segments";
                self.fault(media, "#EXT-X-ENDLIST is missing", help);
            }
        }
    }
}

struct Attribute<'t> {
    name: &'t str,
    value: &'t str,
    /// Offset of the value in the list.
    at: usize,
}

/// Parses an attribute list: `NAME=value,NAME="quoted, value"`. Returns `None` if it is malformed.
fn attributes(text: &str) -> Option<Vec<Attribute<'_>>> {
    let mut found = Vec::new();
    let mut at = 0;
    let text = text.trim_end();
    while at < text.len() {
        let rest = &text[at..];
        let (name, value) = rest.split_once('=')?;
        let quoted = value.strip_prefix('"');
        let start = at + name.len() + 1 + usize::from(quoted.is_some());
        let value = match quoted {
            Some(quoted) => quoted.split_once('"')?.0,
            None => value.split(',').next().unwrap_or_default(),
        };
        let name = name.trim();
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return None;
        }
        found.push(Attribute { name, value, at: start });
        at = start + value.len();
        let next = text[at..].find(',');
        at = next.map_or(text.len(), |comma| at + comma + 1);
    }
    Some(found)
}

/// Parses a byte range: its length, and its start after `@`.
fn byte_range(text: &str) -> Option<(u64, Option<u64>)> {
    match text.trim().split_once('@') {
        Some((length, start)) => Some((length.parse().ok()?, Some(start.parse().ok()?))),
        None => Some((text.trim().parse().ok()?, None)),
    }
}
