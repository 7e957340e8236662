//! Converts WordPress shortcodes that have an equivalent in HTML. Other shortcodes stay unchanged
//! and are reported.

use std::collections::HashSet;

use super::codes::{Code, EMBEDS, EndFinder, MAX_TAG_LENGTH};
use super::library::{File, Library, attribute};

/// HTML with converted shortcodes.
pub struct ConvertedText {
    pub html: String,
    /// Names of the shortcodes that were not converted.
    pub others: Vec<String>,
}

/// Converts shortcodes to HTML.
pub fn convert_shortcodes(html: &str, entry: &str, library: &Library) -> ConvertedText {
    let (mut out, mut others) = (String::with_capacity(html.len()), Vec::new());
    let mut opened: HashSet<String> = HashSet::new();
    let (mut ends, mut at) = (EndFinder::default(), 0);
    while let Some(found) = memchr::memchr(b'[', &html.as_bytes()[at..]) {
        let start = at + found;
        out.push_str(&html[at..start]);
        // Removes the end tag of a shortcode whose start tag was removed. Its contents are public,
        // so they stay.
        let window = &html.as_bytes()[start..html.len().min(start + MAX_TAG_LENGTH)];
        let end = memchr::memchr(b']', window).map(|length| start + length + 1);
        if let Some(end) = end.filter(|end| opened.contains(&html[start..*end])) {
            at = end;
            continue;
        }
        // `[[gallery]]` is an escaped shortcode. WordPress shows it as `[gallery]`.
        let is_escaped = html[start..].starts_with("[[");
        let Some(code) = Code::read(&html[start + usize::from(is_escaped)..]) else {
            out.push('[');
            at = start + 1;
            continue;
        };
        let end = start + usize::from(is_escaped) + code.length;
        if is_escaped && html[end..].starts_with(']') {
            out.push_str(&html[start + 1..end]);
            at = end + 1;
            continue;
        }
        let inner = ends.contents(html, &code, end);
        let inner = inner.map(|(contents, after)| (&html[contents], after));
        if code.is_for_guests() && inner.is_some() {
            opened.insert(code.end_tag());
            at = end;
            continue;
        }
        if code.is_restricting() && code.values.is_empty() {
            out.push('[');
            at = start + 1;
            continue;
        }
        match code.equivalent_html(inner.map(|(inner, _)| inner), entry, library) {
            Some(equivalent_html) => {
                out.push_str(&equivalent_html);
                at = inner.map_or(end, |(_, after)| after);
            }
            None => {
                others.push(code.name);
                out.push_str(&html[start..end]);
                at = end;
            }
        }
    }
    out.push_str(&html[at..]);
    ConvertedText { html: out, others }
}

impl Code {
    /// Returns the equivalent HTML, or `None` if there is none.
    fn equivalent_html(
        &self,
        inner: Option<&str>,
        entry: &str,
        library: &Library,
    ) -> Option<String> {
        match self.name.as_str() {
            "caption" | "wp_caption" => {
                let inner = inner?;
                // The contents consist of the picture and the caption after it.
                let picture = inner.rfind('>').map_or(0, |at| at + 1);
                let picture = match inner.find("<img") {
                    Some(at) => end_of_picture(inner, at),
                    None => picture,
                };
                let (picture, caption) = inner.split_at(picture);
                let caption = self.value("caption").unwrap_or(caption).trim();
                Some(format!(
                    "\n\n<figure>{}<figcaption>{caption}</figcaption></figure>\n\n",
                    picture.trim()
                ))
            }
            "gallery" => {
                let figures: String = self
                    .files(entry, library)
                    .iter()
                    .filter(|file| file.is_picture())
                    .map(|file| file.figure())
                    .collect();
                (!figures.is_empty())
                    .then(|| format!("\n\n<div class=\"gallery\">{figures}</div>\n\n"))
            }
            "playlist" => {
                let element = if self.value("type") == Some("video") { "video" } else { "audio" };
                let players: String = self
                    .files(entry, library)
                    .iter()
                    .filter(|file| !file.is_picture())
                    .map(|file| file.player(element))
                    .collect();
                (!players.is_empty()).then(|| format!("\n\n{players}\n\n"))
            }
            "audio" | "video" => {
                const SOURCES: [&str; 11] =
                    ["src", "mp3", "m4a", "ogg", "wav", "flac", "mp4", "m4v", "webm", "ogv", "mov"];
                let source = SOURCES.iter().find_map(|key| self.value(key));
                let plain = || self.plain.iter().map(String::as_str);
                let source =
                    source.or_else(|| plain().chain(inner).find(|text| is_address(text.trim())))?;
                Some(format!(
                    "\n\n<{0} controls src=\"{1}\"></{0}>\n\n",
                    self.name,
                    attribute(source.trim())
                ))
            }
            name if EMBEDS.contains(&name) => {
                let address = self.address(inner)?;
                Some(format!("\n\n{}\n\n", address.replace("&amp;", "&").replace('&', "&amp;")))
            }
            _ => None,
        }
    }

    /// Returns the address of the content that an embed shortcode shows.
    fn address(&self, inner: Option<&str>) -> Option<String> {
        let values = ["url", "src", "href", "id"].iter().filter_map(|key| self.value(key));
        let inner = inner.map(str::trim).filter(|text| !text.is_empty());
        let mut said = inner.into_iter().chain(self.plain.iter().map(String::as_str)).chain(values);
        let first = said.clone().find(|text| is_address(text));
        if let Some(address) = first {
            return Some(address.to_owned());
        }
        let id = said.find(|text| {
            text.len() > 3
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        })?;
        match self.name.as_str() {
            "youtube" => Some(format!("https://www.youtube.com/watch?v={id}")),
            "vimeo" => Some(format!("https://vimeo.com/{id}")),
            "dailymotion" => Some(format!("https://www.dailymotion.com/video/{id}")),
            _ => None,
        }
    }

    /// Returns the files listed in a gallery or playlist shortcode. Without a list, returns the
    /// files that were uploaded to the entry.
    fn files<'l>(&self, entry: &str, library: &'l Library) -> Vec<&'l File> {
        let named = ["ids", "include"].iter().find_map(|key| self.value(key));
        match named {
            Some(ids) => ids.split([',', ' ']).filter_map(|id| library.file(id)).collect(),
            None => library.files_of(self.value("id").unwrap_or(entry)),
        }
    }
}

/// Returns the offset after a picture, including the end of a link around the picture.
fn end_of_picture(html: &str, at: usize) -> usize {
    let end = html[at..].find('>').map_or(html.len(), |end| at + end + 1);
    let behind = html[end..].trim_start();
    match behind.strip_prefix("</a>") {
        Some(rest) => html.len() - rest.len(),
        None => end,
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}
