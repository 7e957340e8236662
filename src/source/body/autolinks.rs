//! Links from bare addresses in Markdown text: the extended autolinks of GitHub Flavored Markdown
//! 0.29, section 6.9.
//!
//! In addition, an address ends before Chinese and Japanese punctuation, because these scripts
//! write no space between an address and punctuation.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::syntax::Spanned;

/// Returns the offsets of the characters that may belong to a bare address: the `:` of `://`, the
/// `.` after `www`, and `@`.
fn address_signs(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_sign = |at: &usize| match text[*at] {
        b':' => text[*at..].starts_with(b"://"),
        b'.' => *at >= 3 && text[*at - 3..*at].eq_ignore_ascii_case(b"www"),
        _ => true,
    };
    memchr::memchr3_iter(b':', b'@', b'.', text).filter(is_sign)
}

/// Returns whether a body, or a section of one, may contain bare addresses.
pub fn may_contain(text: &str) -> bool {
    address_signs(text.as_bytes()).next().is_some()
}

/// A bare address and its position in a string.
#[derive(Debug, PartialEq, Eq)]
struct Address {
    range: Range<usize>,
    /// The prefix to add to the address in the link.
    scheme: &'static str,
    is_email: bool,
}

/// Returns the bare addresses in a string, in order.
fn addresses(text: &str) -> Vec<Address> {
    let mut found: Vec<Address> = Vec::new();
    for sign in address_signs(text.as_bytes()) {
        let free = found.last().map_or(0, |last| last.range.end);
        if sign >= free {
            found.extend(match text.as_bytes()[sign] {
                b'@' => email(text, free, sign),
                _ => url(text, free, sign),
            });
        }
    }
    found
}

/// Returns the URL around the character at byte `sign`, which is a `:` or `.`. The URL does not
/// start before byte `free`.
fn url(text: &str, free: usize, sign: usize) -> Option<Address> {
    let has_scheme = text.as_bytes()[sign] == b':';
    let names: &[&str] = if has_scheme { &["https", "http", "ftp"] } else { &["www"] };
    let head = &text.as_bytes()[free..sign];
    let ends = |name: &&&str| {
        let start = head.len().checked_sub(name.len());
        start.is_some_and(|start| head[start..].eq_ignore_ascii_case(name.as_bytes()))
    };
    let name = names.iter().find(ends)?;
    let start = sign - name.len();
    let before = text[..start].chars().next_back();
    let is_apart = before.is_none_or(|c| match has_scheme {
        true => !c.is_ascii_alphanumeric(),
        false => c.is_whitespace() || "*_~([{\"'“‘«".contains(c),
    });
    if !is_apart {
        return None;
    }
    let (scheme, named) = if has_scheme { ("", name.len() + 3) } else { ("http://", 0) };
    let rest = &text[start..];
    let length = domain(&rest[named..], !scheme.is_empty())?;
    let is_end = |c: char| {
        c.is_whitespace() || c.is_control() || "<。、，；：！？（）「」『』【】《》〈〉".contains(c)
    };
    let end = rest[named + length..].find(is_end);
    let end = end.map_or(rest.len(), |end| named + length + end);
    let end = trimmed_length(&rest[..end]);
    (end > named).then(|| Address { range: start..start + end, scheme, is_email: false })
}

/// Returns the length of the domain at the start of a string. The last two labels of the domain
/// must not contain underscores.
fn domain(text: &str, needs_period: bool) -> Option<usize> {
    /// Maximum number of bytes to read. It is longer than any domain (RFC 1035, section 2.3.4), and
    /// short enough to check many possible addresses in a body quickly.
    const MAX_DOMAIN_SCAN: usize = 1024;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let text = &text[..text.floor_char_boundary(MAX_DOMAIN_SCAN)];
    let name = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
    let name = name.trim_end_matches('.');
    let mut last = name.rsplit('.').take(2);
    let is_valid = name.starts_with(char::is_alphanumeric) && last.all(|part| !part.contains('_'));
    (is_valid && (!needs_period || name.contains('.'))).then_some(name.len())
}

/// Returns the length of an address without trailing punctuation, such as the end of a sentence or
/// the closing parenthesis around the address.
fn trimmed_length(address: &str) -> usize {
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

/// Returns the e-mail address around the `@` at byte `at`. The address does not start before byte
/// `free`. `@name@host` is an account name, not an address.
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

/// Pass that turns the bare addresses of a body into links.
pub struct Autolinks<'b, 'e> {
    body: &'b str,
    /// The last line that was checked.
    line: Range<usize>,
    may_begin_address: bool,
    /// Number of open elements in which addresses are not linked.
    closed: usize,
    closed_in_html: usize,
    out: Vec<Spanned<'e>>,
}

/// Adjacent text events that contain addresses: the range of the events, the author's spelling of
/// each event's text (`pieces`), and the joined pieces (`whole`).
struct Linked {
    events: Range<usize>,
    pieces: Vec<String>,
    whole: String,
    addresses: Vec<Address>,
}

impl<'b, 'e> Autolinks<'b, 'e> {
    pub fn new(body: &'b str) -> Self {
        let line = 0..0;
        Self { body, line, may_begin_address: false, closed: 0, closed_in_html: 0, out: Vec::new() }
    }

    /// Returns the events of the next block with bare addresses linked.
    pub fn change(&mut self, events: Vec<Spanned<'e>>) -> Vec<Spanned<'e>> {
        let texts = self.linked(&events);
        if texts.is_empty() {
            return events;
        }
        self.out.reserve(events.len() + 2 * texts.len());
        let (mut events, mut taken) = (events.into_iter(), 0);
        for text in texts {
            self.out.extend(events.by_ref().take(text.events.start - taken));
            taken = text.events.end;
            let shown = events.by_ref().take(text.events.len());
            self.link(shown, &text);
        }
        self.out.extend(events);
        std::mem::take(&mut self.out)
    }

    /// Returns the groups of text events that contain addresses.
    fn linked(&mut self, events: &[Spanned<'e>]) -> Vec<Linked> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((event, range)) = events.get(at) {
            let start = at;
            at += 1;
            match event {
                Event::Start(
                    Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock,
                ) => self.closed += 1,
                Event::End(
                    TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::HtmlBlock,
                ) => self.closed = self.closed.saturating_sub(1),
                Event::InlineHtml(tag) => self.within_html(tag),
                // An HTML element without an end tag ends with its paragraph at the latest.
                Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell) => {
                    self.closed_in_html = 0;
                }
                Event::Text(_)
                    if self.closed + self.closed_in_html == 0 && self.may_begin_address(range) =>
                {
                    let more = events[at..].iter();
                    at += more.take_while(|(event, _)| matches!(event, Event::Text(_))).count();
                    let linked = self.addresses_of(&events[start..at]);
                    found.extend(linked.map(|text| Linked { events: start..at, ..text }));
                }
                _ => {}
            }
        }
        found
    }

    /// Joins the text of these events and finds the addresses in the text. Returns `None` if there
    /// are no addresses.
    fn addresses_of(&self, events: &[Spanned<'e>]) -> Option<Linked> {
        if let [(Event::Text(text), _)] = events
            && !may_contain(text)
        {
            return None;
        }
        let pieces: Vec<String> = events.iter().map(|event| self.written(event)).collect();
        let whole = pieces.concat();
        let addresses = addresses(&whole);
        (!addresses.is_empty()).then_some(Linked { events: 0..0, pieces, whole, addresses })
    }

    /// Returns whether an address may begin in the text at this range. The check is cached for a
    /// whole line: few lines contain an address, and no address continues on the next line.
    fn may_begin_address(&mut self, range: &Range<usize>) -> bool {
        if !self.line.contains(&range.start) {
            let text = self.body.get(range.start..).unwrap_or_default();
            let length = memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1);
            self.line = range.start..range.start + length;
            self.may_begin_address = may_contain(&text[..length]);
        }
        self.may_begin_address
    }

    /// Returns the text of an event. Typographic characters are replaced by the characters that the
    /// author wrote, because an address may contain those characters.
    fn written(&self, (event, range): &Spanned<'e>) -> String {
        let Event::Text(text) = event else {
            return String::new();
        };
        match self.body.get(range.clone()) {
            Some(source) if !text.is_ascii() && source.bytes().all(|b| b"-.'\"".contains(&b)) => {
                source.to_owned()
            }
            _ => text.to_string(),
        }
    }

    /// Tracks HTML elements in which text is not linked: the author's own links, and code.
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

    /// Adds a group of text events with its addresses linked.
    fn link(&mut self, events: impl Iterator<Item = Spanned<'e>>, text: &Linked) {
        let Linked { pieces, whole, addresses, .. } = text;
        let mut found = addresses.iter().peekable();
        let mut start = 0;
        for ((shown, range), text) in events.zip(pieces) {
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
                self.out.push((Event::End(TagEnd::Link), range.clone()));
                let _ = found.next();
            }
            if at == start && at < end {
                self.out.push((shown, range));
            } else {
                self.push(&whole[at..end], &range);
            }
            start = end;
        }
    }

    fn push(&mut self, text: &str, range: &Range<usize>) {
        if !text.is_empty() {
            self.out.push((Event::Text(text.to_owned().into()), range.clone()));
        }
    }

    fn open(&mut self, text: &str, address: &Address, range: &Range<usize>) {
        let link = Tag::Link {
            link_type: if address.is_email { LinkType::Email } else { LinkType::Autolink },
            dest_url: format!("{}{text}", address.scheme).into(),
            title: CowStr::Borrowed(""),
            id: CowStr::Borrowed(""),
        };
        self.out.push((Event::Start(link), range.clone()));
    }
}
