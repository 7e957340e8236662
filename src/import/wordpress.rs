//! An export of WordPress: posts, Pages, drafts, files, and what plug-ins for podcasts keep.

use std::collections::HashMap;

use feeds::{Enclosure, Feed, Item, Kept, Text, WordPress};

use super::found::Note;

/// Makes of an export's entries those of a feed: what is no text of its own is left out, and told.
pub fn entries(feed: &mut Feed, notes: &mut Vec<Note>, name: &str) {
    let files: HashMap<String, String> = feed
        .items
        .iter()
        .filter_map(|item| {
            let entry = item.wordpress.as_ref()?;
            Some((entry.id.clone(), entry.file.clone()?))
        })
        .collect();
    let mut told = |message: String, line: usize| {
        super::found::add(notes, Note::new(message, format!("{name}:{line}")));
    };
    feed.items.retain_mut(|item| {
        let Some(entry) = item.wordpress.clone() else {
            return true;
        };
        let line = item.line;
        match (entry.kind.as_str(), entry.status.as_str()) {
            // They come with what shows them.
            ("attachment", _) => return false,
            (_, "trash" | "auto-draft") => {
                told("an entry in the trash is left there".to_owned(), line);
                return false;
            }
            ("post" | "page" | "podcast" | "episode", _) => {}
            (kind, _) => {
                told(
                    format!("entries of the kind `{kind}` have no place here"),
                    line,
                );
                return false;
            }
        }
        if entry.comments > 0 {
            told("comments do not come along".to_owned(), line);
        }
        if entry.has_password {
            told(
                "a page with a password is a draft here: nobody sees it".to_owned(),
                line,
            );
        }
        if let Some(Text::Html(html)) = &item.content {
            let (html, codes) = shortcodes(html);
            for code in codes {
                told(
                    format!("[{code}] means nothing here; it stands in the text as it is"),
                    line,
                );
            }
            item.content = Some(Text::Html(paragraphs(&html)));
        }
        keep_of_plugins(item, &entry, &files);
        true
    });
}

/// Whether an entry is to be seen.
fn is_published(entry: &WordPress) -> bool {
    matches!(entry.status.as_str(), "publish" | "future" | "inherit") && !entry.has_password
}

/// What an export says of an entry beside a feed.
pub fn kept(export: &WordPress) -> Kept {
    let mut kept = Kept {
        is_page: export.kind == "page",
        is_draft: !is_published(export),
        segment: Some(export.name.clone()),
        ..Kept::default()
    };
    if kept.is_draft {
        kept.fields
            .insert("status".to_owned(), "unpublished".into());
    }
    if kept.is_page && export.order > 0 {
        kept.fields
            .insert("navigation_order".to_owned(), export.order.into());
    }
    kept
}

/// The picture of a post, and what plug-ins for podcasts keep of an episode.
fn keep_of_plugins(item: &mut Item, entry: &WordPress, files: &HashMap<String, String>) {
    let meta = |name: &str| {
        let found = entry.meta.iter().find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    };
    // Podlove Publisher's feeds have a guid of their own.
    item.guid = meta("_podlove_guid")
        .map(str::to_owned)
        .or(item.guid.take());
    let picture = meta("_thumbnail_id").and_then(|id| files.get(id));
    item.image = item.image.take().or_else(|| picture.cloned());
    if item.enclosures.is_empty() {
        item.enclosures
            .extend(meta("enclosure").and_then(enclosure));
    }
    // Seriously Simple Podcasting.
    if let (true, Some(url)) = (item.enclosures.is_empty(), meta("audio_file")) {
        item.enclosures.push(Enclosure {
            url: url.to_owned(),
            length: meta("filesize_raw").and_then(|text| text.parse().ok()),
            ..Enclosure::default()
        });
    }
    if let (Some(file), Some(duration)) = (
        item.enclosures.first_mut(),
        meta("duration").and_then(seconds),
    ) {
        file.duration = file.duration.or(Some(duration));
    }
    for (name, key) in [
        ("itunes_season_number", "season"),
        ("itunes_episode_number", "episode"),
    ] {
        let number = meta(name).and_then(|text| text.parse::<u32>().ok());
        if let Some(number) = number.filter(|number| *number > 0) {
            item.itunes.entry(key).or_insert_with(|| number.into());
        }
    }
    if let Some(kind) = meta("itunes_episode_type") {
        item.itunes
            .entry("episodeType")
            .or_insert_with(|| kind.to_lowercase().into());
    }
}

/// WordPress keeps an enclosure in lines: address, length, type, and what PowerPress adds.
fn enclosure(text: &str) -> Option<Enclosure> {
    let mut lines = text.lines().map(str::trim);
    let url = lines
        .next()
        .filter(|url| url.starts_with("http"))?
        .to_owned();
    let length = lines
        .next()
        .and_then(|text| text.parse().ok())
        .filter(|length| *length > 0);
    let media_type = lines
        .next()
        .filter(|kind| kind.contains('/'))
        .map(str::to_owned);
    let rest = lines.next().unwrap_or_default();
    let duration = rest.split("\"duration\";s:").nth(1);
    let duration = duration.and_then(|text| seconds(text.split('"').nth(1)?));
    Some(Enclosure {
        url,
        media_type,
        length,
        duration,
        ..Enclosure::default()
    })
}

fn seconds(text: &str) -> Option<f64> {
    let mut parts = text.trim().split(':').map(|part| part.parse::<f64>().ok());
    let total = parts.try_fold(0.0, |total, part| Some(total * 60.0 + part?))?;
    (total > 0.0).then_some(total)
}

/// Shortcodes that HTML has a form for become that; the names of the others.
fn shortcodes(html: &str) -> (String, Vec<String>) {
    let (mut out, mut others) = (String::with_capacity(html.len()), Vec::new());
    let mut rest = html;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let code = rest
            .find(']')
            .and_then(|end| Code::read(&rest[1..end]).map(|code| (code, end)));
        let Some((code, end)) = code else {
            out.push('[');
            rest = &rest[1..];
            continue;
        };
        let inner = rest[end + 1..].split_once(&format!("[/{}]", code.name));
        match (code.name.as_str(), inner) {
            ("caption", Some((inner, after))) => {
                // The picture, and what stands behind it.
                let picture = inner.rfind('>').map_or(0, |at| at + 1);
                let (picture, caption) = inner.split_at(picture);
                out.push_str(&format!(
                    "<figure>{picture}<figcaption>{}</figcaption></figure>",
                    caption.trim()
                ));
                rest = after;
                continue;
            }
            ("embed", Some((address, after))) => {
                out.push_str(&format!("\n\n{}\n\n", address.trim()));
                rest = after;
                continue;
            }
            ("audio" | "video", inner) => {
                if let Some(source) = ["src", "mp3", "m4a", "ogg", "mp4", "webm"]
                    .iter()
                    .find_map(|key| code.value(key))
                {
                    out.push_str(&format!(
                        "\n\n<{0} controls src=\"{source}\"></{0}>\n\n",
                        code.name
                    ));
                    rest = inner.map_or(&rest[end + 1..], |(_, after)| after);
                    continue;
                }
                others.push(code.name);
            }
            _ => others.push(code.name),
        }
        out.push_str(&rest[..=end]);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    (out, others)
}

/// What stands in the brackets of a shortcode.
struct Code {
    name: String,
    text: String,
}

impl Code {
    /// None if it is a text in brackets: a code has a name of small letters, and values.
    fn read(text: &str) -> Option<Self> {
        const ALONE: [&str; 6] = [
            "gallery",
            "playlist",
            "powerpress",
            "audio",
            "video",
            "embed",
        ];
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let is_name = name.len() > 1
            && name.bytes().all(|byte| {
                byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-') || byte.is_ascii_digit()
            });
        let is_code = rest.contains('=') || ALONE.contains(&name);
        (is_name && is_code).then(|| Self {
            name: name.to_owned(),
            text: rest.to_owned(),
        })
    }

    fn value(&self, key: &str) -> Option<&str> {
        let (_, after) = self.text.split_once(&format!("{key}=\""))?;
        after.split('"').next()
    }
}

/// Texts of the old editor have blank lines where paragraphs end, and lines where they break.
fn paragraphs(html: &str) -> String {
    if html.contains("<!-- wp:") || html.contains("<p>") || html.contains("<p ") {
        return html.to_owned();
    }
    let html = with_lines_of_code(&html.replace("\r\n", "\n"), "\n", LINE);
    let parts = html
        .split("\n\n")
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let parts = parts.map(|part| {
        let name: String = part
            .strip_prefix('<')
            .unwrap_or_default()
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        const BLOCKS: [&str; 17] = [
            "ul",
            "ol",
            "li",
            "table",
            "blockquote",
            "pre",
            "div",
            "figure",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "audio",
            "video",
            "iframe",
        ];
        match BLOCKS.contains(&name.as_str()) {
            true => part.to_owned(),
            false => format!("<p>{}</p>", part.replace('\n', "<br>\n")),
        }
    });
    let html = parts.collect::<Vec<_>>().join("\n\n");
    with_lines_of_code(&html, LINE, "\n")
}

/// Stands in for a line break within code.
const LINE: &str = "\u{e00a}";

fn with_lines_of_code(html: &str, from: &str, to: &str) -> String {
    let mut parts = html.split("<pre");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find("</pre").unwrap_or(part.len());
        out.push_str("<pre");
        out.push_str(&part[..end].replace(from, to));
        out.push_str(&part[end..]);
    }
    out
}
