//! The headings of a text: each gets an id and a link to itself, and together they are its contents list.

use std::collections::{HashMap, HashSet};

use memchr::memchr_iter;

use super::addresses::{next_tag, raw_text};
use super::{anchors, start_tags, text};
use model::Slug;
use model::push_attribute;

/// A text with links at its headings.
#[derive(Debug, Default)]
pub struct Headed {
    /// None if the text has no headings.
    pub html: Option<String>,
    pub headings: Vec<Heading>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// From 1 to 6.
    pub level: u8,
    pub id: String,
    pub title: String,
}

/// Finds the headings of HTML. One without an id gets that of its words; ids that are there stay. At its end
/// each gets a link to itself, unless it holds a link already.
pub fn headed(html: &str) -> Headed {
    let mut found = Headed::default();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    let mut ids = None;
    // No end tag of these levels follows.
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
                let ids = ids
                    .get_or_insert_with(|| Ids { taken: anchors(html), numbers: HashMap::new() });
                let id = ids.free(&title);
                // The name is a letter and a digit long.
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

/// Where what looks like a heading's start tag begins, from a byte on.
fn next_heading(html: &str, at: usize) -> Option<usize> {
    let bytes = &html.as_bytes()[at..];
    let mut found = memchr_iter(b'<', bytes);
    let found = found.find(|open| level_of(&bytes[*open..]).is_some());
    found.map(|open| at + open)
}

/// The level of a heading's start tag.
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

/// Where the end tag of a heading of this level begins.
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
    // As Markdown is rendered.
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

/// The ids of a text.
struct Ids {
    taken: HashSet<String>,
    /// The last number that was tried after each base.
    numbers: HashMap<String, usize>,
}

impl Ids {
    /// Takes an id of the words of a title that no element has.
    fn free(&mut self, title: &str) -> String {
        let slug = Slug::cut_anywhere(title);
        let base = slug.map_or_else(|| "section".to_owned(), |slug| slug.to_string());
        let mut id = base.clone();
        if self.taken.contains(&id) {
            let number = self.numbers.entry(base.clone()).or_default();
            while self.taken.contains(&id) {
                *number += 1;
                id = format!("{base}-{number}");
            }
        }
        self.taken.insert(id.clone());
        id
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn headings_get_ids_and_links_and_keep_what_they_have() {
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
