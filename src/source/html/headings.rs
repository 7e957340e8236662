//! The headings of an HTML body. Each heading gets an id and a link to itself. The headings form
//! the table of contents.

use std::collections::{HashMap, HashSet};

use memchr::memchr_iter;

use super::addresses::{next_tag, raw_text};
use super::{anchors, start_tags, text};
use model::Slug;
use model::push_attribute;

/// HTML with ids and links at its headings.
#[derive(Debug, Default)]
pub struct Headed {
    /// The HTML, or `None` if there are no headings.
    pub html: Option<String>,
    pub headings: Vec<Heading>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// The level, from 1 to 6.
    pub level: u8,
    pub id: String,
    pub title: String,
}

/// Finds the headings of HTML. A heading without an id gets an id derived from its words. Existing
/// ids are kept. A link to the heading is added at its end, unless the heading already contains a
/// link.
pub fn headed(html: &str) -> Headed {
    let mut found = Headed::default();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    let mut ids = None;
    // For each heading level, whether the rest of the HTML has no end tag of that level.
    let mut open_levels = [false; 7];
    let mut next = next_heading(html, 0);
    while let Some(ahead) = next
        && let Some(tag) = next_tag(html, at)
    {
        let written = &html[tag.clone()];
        at = tag.end + raw_text(written, &html[tag.end..]);
        if ahead < at {
            next = next_heading(html, at);
        }
        let Some(level) = level_of(written.as_bytes()) else {
            continue;
        };
        let is_open = &mut open_levels[usize::from(level)];
        if *is_open {
            continue;
        }
        let Some(length) = end_of(&html[tag.end..], level) else {
            *is_open = true;
            continue;
        };
        let end = tag.end + length;
        let inner = &html[tag.end..end];
        let title = text(inner).replace('\n', " ");
        if title.is_empty() {
            at = end;
            next = next_heading(html, at);
            continue;
        }
        out.push_str(&html[copied..tag.start]);
        let id = match id_of(written) {
            Some(id) => {
                out.push_str(written);
                id
            }
            None => {
                let ids = ids.get_or_insert_with(|| Ids {
                    used_ids: anchors(html),
                    numbers: HashMap::new(),
                });
                let id = ids.reserve_id(&title);
                // `<` and the tag's name take 3 bytes.
                let (name, rest) = written.split_at(3);
                out.push_str(name);
                out.push_str(" id=\"");
                push_attribute(&mut out, &id);
                out.push('"');
                out.push_str(rest);
                id
            }
        };
        out.push_str(inner);
        if !inner.contains("<a ") {
            out.push_str("<a class=\"heading-link\" href=\"#");
            push_attribute(&mut out, &id);
            out.push_str("\">#</a>");
        }
        (copied, at) = (end, end);
        next = next_heading(html, at);
        found.headings.push(Heading { level, id, title });
    }
    if !found.headings.is_empty() {
        out.push_str(&html[copied..]);
        found.html = Some(out);
    }
    found
}

/// Returns the offset of the next possible start tag of a heading, at or after byte `at`.
fn next_heading(html: &str, at: usize) -> Option<usize> {
    let bytes = &html.as_bytes()[at..];
    let mut found = memchr_iter(b'<', bytes);
    let found = found.find(|open| level_of(&bytes[*open..]).is_some());
    found.map(|open| at + open)
}

/// Returns the level of a heading's start tag.
fn level_of(tag: &[u8]) -> Option<u8> {
    match tag {
        [b'<', b'h' | b'H', level @ b'1'..=b'6', after, ..]
            if *after == b'>' || after.is_ascii_whitespace() =>
        {
            Some(level - b'0')
        }
        _ => None,
    }
}

/// Returns the offset of the end tag for a heading of this level.
fn end_of(after: &str, level: u8) -> Option<usize> {
    let is_end = |at: usize| match after.as_bytes().get(at + 2..at + 4) {
        Some([b'h' | b'H', found]) => *found == b'0' + level,
        _ => false,
    };
    let mut ends = after.match_indices("</");
    ends.find(|(at, _)| is_end(*at)).map(|(at, _)| at)
}

fn id_of(tag: &str) -> Option<String> {
    if tag.len() <= 4 {
        return None;
    }
    // Fast path: in rendered Markdown, the id has this form.
    if let Some(id) = tag[3..].strip_prefix(" id=\"")
        && let Some(id) = id.strip_suffix("\">")
        && !id.is_empty()
        && !id.contains(['"', '&', '\r', '\0'])
    {
        return Some(id.to_owned());
    }
    let mut tag = start_tags(tag).next()?;
    let id = tag.attributes.remove(b"id".as_slice())?;
    let id = String::from_utf8_lossy(&id.value).into_owned();
    (!id.is_empty()).then_some(id)
}

/// The ids in an HTML body.
struct Ids {
    used_ids: HashSet<String>,
    /// The last number tried for each base.
    numbers: HashMap<String, usize>,
}

impl Ids {
    /// Reserves an unused id made from the words of a title, and returns it.
    fn reserve_id(&mut self, title: &str) -> String {
        let slug = Slug::truncated_title(title);
        let base = slug.map_or_else(|| "section".to_owned(), |slug| slug.to_string());
        let mut id = base.clone();
        if self.used_ids.contains(&id) {
            let number = self.numbers.entry(base.clone()).or_default();
            while self.used_ids.contains(&id) {
                *number += 1;
                id = format!("{base}-{number}");
            }
        }
        self.used_ids.insert(id.clone());
        id
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn headings_get_ids_and_links_and_keep_existing_ones() {
        let found = headed(
            "<p id=\"b\">x</p><h2>B</h2><h3 id=\"own\" class=\"c\">An <em>own</em> &amp; id</h3><H2>B</H2>\
             <h2 id=\"l\"><a href=\"/\">L</a></h2><h2></h2><!-- <h2>no</h2> --><script>'<h2>no</h2>'</script><h4>open",
        );
        assert_eq!(
            found.html.unwrap(),
            "<p id=\"b\">x</p><h2 id=\"b-1\">B<a class=\"heading-link\" href=\"#b-1\">#</a></h2>\
             <h3 id=\"own\" class=\"c\">An <em>own</em> &amp; id<a class=\"heading-link\" href=\"#own\">#</a></h3>\
             <H2 id=\"b-2\">B<a class=\"heading-link\" href=\"#b-2\">#</a></H2>\
             <h2 id=\"l\"><a href=\"/\">L</a></h2><h2></h2><!-- <h2>no</h2> --><script>'<h2>no</h2>'</script><h4>open"
        );
        let listed: Vec<_> = found.headings.iter().map(|one| (one.level, &*one.title)).collect();
        assert_eq!(listed, [(2, "B"), (3, "An own & id"), (2, "B"), (2, "L")]);
        assert_eq!(headed("<p>no heading</p>").html, None);
        assert_eq!(headed("<hr><header>x</header>").html, None);
    }
}
