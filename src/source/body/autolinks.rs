//! Bare addresses in a Markdown text become links: the extended autolinks of GitHub Flavored Markdown 0.29, section 6.9.
//!
//! Beyond it an address ends before the punctuation of Chinese and Japanese, which no space sets apart.

use std::collections::VecDeque;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

/// Whether a body, or a line of one, may hold bare addresses.
fn may_hold(text: &[u8]) -> bool {
    let is_sign = |at: usize| match text[at] {
        b':' => text[at..].starts_with(b"://"),
        b'.' => at >= 3 && text[at - 3..at].eq_ignore_ascii_case(b"www"),
        _ => true,
    };
    memchr::memchr3_iter(b':', b'@', b'.', text).any(is_sign)
}

/// A bare address in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Address {
    pub range: Range<usize>,
    /// What stands before it in its link.
    scheme: &'static str,
    is_email: bool,
}

/// The bare addresses of a text, in order.
pub fn addresses(text: &str) -> Vec<Address> {
    let mut found: Vec<Address> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        let free = found.last().map_or(0, |last| last.range.end);
        if at < free {
            continue;
        }
        let address = match byte.to_ascii_lowercase() {
            b'h' | b'f' | b'w' => url(text, at),
            b'@' => email(text, free, at),
            _ => None,
        };
        found.extend(address);
    }
    found
}

fn url(text: &str, start: usize) -> Option<Address> {
    const SCHEMES: [&str; 3] = ["https://", "http://", "ftp://"];
    let rest = &text[start..];
    let begins = |with: &&&str| {
        let head = rest.as_bytes().get(..with.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    let before = text[..start].chars().next_back();
    let (named, scheme) = match SCHEMES.iter().find(begins) {
        Some(_) if before.is_some_and(|c| c.is_ascii_alphanumeric()) => return None,
        Some(scheme) => (scheme.len(), ""),
        None => {
            let _ = Some(&"www.").filter(begins)?;
            let is_apart = before.is_none_or(|c| c.is_whitespace() || "*_~([{\"'“‘«".contains(c));
            (0, Some("http://").filter(|_| is_apart)?)
        }
    };
    let length = domain(&rest[named..], !scheme.is_empty())?;
    let is_end = |c: char| {
        c.is_whitespace() || c.is_control() || "<。、，；：！？（）「」『』【】《》〈〉".contains(c)
    };
    let end = rest[named + length..].find(is_end);
    let end = end.map_or(rest.len(), |end| named + length + end);
    let end = without_punctuation(&rest[..end]);
    (end > named).then(|| Address { range: start..start + end, scheme, is_email: false })
}

/// The length of the domain that a text begins with: its last two parts hold no underscore.
fn domain(text: &str, needs_period: bool) -> Option<usize> {
    /// Longer than any domain (RFC 1035, section 2.3.4), and short enough to be read at each of many places.
    const LONGEST: usize = 1024;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let name = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
    let name = name.trim_end_matches('.');
    let mut last = name.rsplit('.').take(2);
    let is_valid = name.starts_with(char::is_alphanumeric) && last.all(|part| !part.contains('_'));
    (is_valid && (!needs_period || name.contains('.'))).then_some(name.len())
}

/// The length of an address without the punctuation that ends a sentence or a parenthesis around it.
fn without_punctuation(address: &str) -> usize {
    let count = |sign| address.bytes().filter(|byte| *byte == sign).count();
    let mut surplus = count(b')').saturating_sub(count(b'('));
    let mut left = address;
    loop {
        let shorter = left.trim_end_matches([
            '?', '!', '.', ',', ':', '*', '_', '~', '\'', '"', '”', '’', '»', '“', '‘', '›',
        ]);
        let shorter = match shorter.strip_suffix(';') {
            Some(before) => {
                let name = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
                let entity = name.strip_suffix('&').filter(|_| name.len() < before.len());
                entity.unwrap_or(before)
            }
            None => shorter,
        };
        let shorter = match shorter.strip_suffix(')') {
            Some(before) if surplus > 0 => {
                surplus -= 1;
                before
            }
            _ => shorter,
        };
        if shorter.len() == left.len() {
            return left.len();
        }
        left = shorter;
    }
}

/// The e-mail address around an `@`, behind the byte `free`. `@name@host` is the name of an account.
fn email(text: &str, free: usize, at: usize) -> Option<Address> {
    let is_local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    let before = &text[free..at];
    let local = before.trim_end_matches(is_local).len();
    if local == before.len() || before[..local].ends_with(['@', '/']) {
        return None;
    }
    let rest = &text[at + 1..];
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let host = &rest[..rest.find(|c| !is_host(c)).unwrap_or(rest.len())];
    let host = host.trim_end_matches('.');
    if !host.contains('.') || host.ends_with(['-', '_']) || host.starts_with('.') {
        return None;
    }
    let mut end = at + 1 + host.len();
    let named = ["mailto:", "xmpp:"].into_iter().find(|name| {
        let behind = before[..local].strip_suffix(name);
        behind.is_some_and(|behind| !behind.ends_with(|c: char| c.is_ascii_alphanumeric()))
    });
    if named == Some("xmpp:")
        && let Some(resource) = text[end..].strip_prefix('/')
    {
        let is_resource = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '.');
        let length = resource.find(|c| !is_resource(c)).unwrap_or(resource.len());
        end += 1 + resource[..length].trim_end_matches('.').len();
    }
    Some(Address {
        range: free + local - named.map_or(0, str::len)..end,
        scheme: "",
        is_email: named.is_none(),
    })
}

/// The events of a text, with links around its bare addresses.
pub struct Autolinks<'b, 'e, I> {
    events: I,
    body: &'b str,
    is_active: bool,
    /// The line that was looked at last, and whether it may hold an address.
    line: Range<usize>,
    is_near: bool,
    /// How many elements are open in which an address stays as it is.
    closed: usize,
    closed_in_html: usize,
    held: Option<(Event<'e>, Range<usize>)>,
    next: VecDeque<(Event<'e>, Range<usize>)>,
}

/// A piece of text: as it is shown, and where it stands.
type Piece<'e> = (CowStr<'e>, Range<usize>);

impl<'b, 'e, I> Autolinks<'b, 'e, I>
where
    I: Iterator<Item = (Event<'e>, Range<usize>)>,
{
    pub fn new(events: I, body: &'b str, are_wanted: bool) -> Self {
        Self {
            events,
            body,
            is_active: are_wanted && may_hold(body.as_bytes()),
            line: 0..0,
            is_near: false,
            closed: 0,
            closed_in_html: 0,
            held: None,
            next: VecDeque::new(),
        }
    }

    /// Whether an address may begin in the text at this range. Few lines hold one, and no address goes on in another.
    fn is_near(&mut self, range: &Range<usize>) -> bool {
        if !self.line.contains(&range.start) {
            let bytes = self.body.as_bytes().get(range.start..).unwrap_or_default();
            let length = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
            self.line = range.start..range.start + length;
            self.is_near = may_hold(&bytes[..length]);
        }
        self.is_near
    }

    /// Text is no link within an author's own link, nor where it is code.
    fn within_html(&mut self, tag: &str) {
        let name = tag.trim_start_matches(['<', '/']);
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let names =
            ["a", "button", "code", "kbd", "pre", "samp", "script", "style", "svg", "textarea"];
        if !names.iter().any(|known| name.eq_ignore_ascii_case(known)) {
            return;
        }
        self.closed_in_html = if tag.starts_with("</") {
            self.closed_in_html.saturating_sub(1)
        } else {
            self.closed_in_html + 1
        };
    }

    /// A text that comes in pieces, from this one on.
    fn text(&mut self, first: Piece<'e>) {
        let mut pieces = vec![first];
        for (event, range) in self.events.by_ref() {
            let Event::Text(text) = event else {
                self.held = Some((event, range));
                break;
            };
            pieces.push((text, range));
        }
        // Typographic signs are what the author wrote there, where they are part of an address.
        let body = self.body;
        let written = |(text, range): &Piece<'e>| match body.get(range.clone()) {
            Some(source) if !text.is_ascii() && source.bytes().all(|b| b"-.'\"".contains(&b)) => {
                source.to_owned()
            }
            _ => text.to_string(),
        };
        let texts: Vec<String> = pieces.iter().map(written).collect();
        let whole = texts.concat();
        let mut found = addresses(&whole).into_iter().peekable();
        if found.peek().is_none() {
            let shown = pieces.into_iter().map(|(text, range)| (Event::Text(text), range));
            return self.next.extend(shown);
        }
        let mut start = 0;
        for ((shown, range), text) in pieces.into_iter().zip(texts) {
            let end = start + text.len();
            let mut at = start;
            while let Some(address) = found.peek() {
                let Range { start: from, end: to } = address.range;
                if from >= end {
                    break;
                }
                if from >= start {
                    self.push(&whole[at..from], &range);
                    self.open(&whole[from..to], address, &range);
                }
                at = from.max(start);
                self.push(&whole[at..to.min(end)], &range);
                at = to.min(end);
                if to > end {
                    break;
                }
                let kind = TagEnd::Link;
                self.next.push_back((Event::End(kind), range.clone()));
                let _ = found.next();
            }
            if at == start && at < end {
                self.next.push_back((Event::Text(shown), range));
            } else {
                self.push(&whole[at..end], &range);
            }
            start = end;
        }
    }

    fn push(&mut self, text: &str, range: &Range<usize>) {
        if !text.is_empty() {
            let text = Event::Text(text.to_owned().into());
            self.next.push_back((text, range.clone()));
        }
    }

    fn open(&mut self, text: &str, address: &Address, range: &Range<usize>) {
        let link = Tag::Link {
            link_type: if address.is_email { LinkType::Email } else { LinkType::Autolink },
            dest_url: format!("{}{text}", address.scheme).into(),
            title: CowStr::Borrowed(""),
            id: CowStr::Borrowed(""),
        };
        self.next.push_back((Event::Start(link), range.clone()));
    }
}

impl<'e, I> Iterator for Autolinks<'_, 'e, I>
where
    I: Iterator<Item = (Event<'e>, Range<usize>)>,
{
    type Item = (Event<'e>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.next.pop_front() {
                return Some(event);
            }
            let (event, range) = self.held.take().or_else(|| self.events.next())?;
            if !self.is_active {
                return Some((event, range));
            }
            match event {
                Event::Start(
                    Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock,
                ) => self.closed += 1,
                Event::End(
                    TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::HtmlBlock,
                ) => self.closed = self.closed.saturating_sub(1),
                Event::InlineHtml(ref tag) => self.within_html(tag),
                // An element of HTML that has no end ends with its paragraph at the latest.
                Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell) => {
                    self.closed_in_html = 0;
                }
                Event::Text(text)
                    if self.closed + self.closed_in_html == 0 && self.is_near(&range) =>
                {
                    self.text((text, range));
                    continue;
                }
                _ => {}
            }
            return Some((event, range));
        }
    }
}
