//! Signs that the parser would take for something else than their author meant. Control characters, which no text can
//! hold, stand in for them while it reads, and are exchanged back in what it read; every byte keeps its place.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag};

use super::math::prices;
use super::syntax::options;
use crate::model::MarkdownConfig;

/// The control characters, with what each stands for.
const SIGNS: [(char, &str); 2] = [('\u{1a}', "$"), ('\u{1c}', ":")];

fn is_stand_in(c: char) -> bool {
    SIGNS.iter().any(|(stand_in, _)| *stand_in == c)
}

/// A body with stand-ins for the signs at these bytes, which ascend.
fn put(body: &str, places: &[usize]) -> String {
    let mut out = String::with_capacity(body.len());
    let mut copied = 0;
    for at in places {
        let found = SIGNS.iter().find(|(_, sign)| body[*at..].starts_with(sign));
        if let Some((stand_in, sign)) = found {
            out.push_str(&body[copied..*at]);
            out.push(*stand_in);
            copied = at + sign.len();
        }
    }
    out.push_str(&body[copied..]);
    out
}

/// What an author wrote, in place of what was read.
fn written(text: CowStr<'_>) -> CowStr<'_> {
    if !text.contains(is_stand_in) {
        return text;
    }
    let text = SIGNS
        .iter()
        .fold(text.into_string(), |text, (stand_in, sign)| {
            text.replace(*stand_in, sign)
        });
    text.into()
}

/// The event that the author's own signs make.
pub fn give_back(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Text(text) => Event::Text(written(text)),
        Event::Code(text) => Event::Code(written(text)),
        Event::InlineMath(text) => Event::InlineMath(written(text)),
        Event::DisplayMath(text) => Event::DisplayMath(written(text)),
        Event::Html(text) => Event::Html(written(text)),
        Event::InlineHtml(text) => Event::InlineHtml(written(text)),
        Event::FootnoteReference(name) => Event::FootnoteReference(written(name)),
        Event::Start(tag) => Event::Start(match tag {
            Tag::FootnoteDefinition(name) => Tag::FootnoteDefinition(written(name)),
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                Tag::CodeBlock(CodeBlockKind::Fenced(written(info)))
            }
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            } => Tag::Link {
                link_type,
                dest_url: written(dest_url),
                title: written(title),
                id: written(id),
            },
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            } => Tag::Image {
                link_type,
                dest_url: written(dest_url),
                title: written(title),
                id: written(id),
            },
            tag => tag,
        }),
        event => event,
    }
}

/// The bytes of colons that begin a line and that no space follows: such a line is text, as `:tada:` is, not the
/// definition that the parser reads in it.
fn colons(body: &str) -> Vec<usize> {
    let bytes = body.as_bytes();
    let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|end| end + 1));
    let mut places = Vec::new();
    for line in lines {
        // Of a long line only its beginning is looked at.
        let begun = bytes[line..]
            .iter()
            .position(|byte| !b" \t>".contains(byte));
        let colon = begun
            .map(|length| line + length)
            .filter(|at| bytes[*at] == b':');
        let follows = |at: usize| bytes.get(at + 1).is_some_and(|byte| b" \t".contains(byte));
        places.extend(colon.filter(|at| !follows(*at)));
    }
    places
}

/// A body as the parser is to read it: without definitions and formulas that are none.
pub fn parsed<'b>(body: &'b str, config: &MarkdownConfig) -> Cow<'b, str> {
    // What is no formula leaves the sign that ended it, which may begin another.
    const ROUNDS: usize = 20;
    let options = options(config);
    // A text that people read holds no stand-in.
    if body.contains(is_stand_in) {
        return body.into();
    }
    let mut body = Cow::Borrowed(body);
    if config.definition_lists {
        exchange(&mut body, &colons);
    }
    if config.math && (0..ROUNDS).all(|_| exchange(&mut body, &|body| prices(body, options))) {
        exchange(&mut body, &|body| {
            memchr::memchr_iter(b'$', body.as_bytes()).collect()
        });
    }
    body
}

/// Puts stand-ins where there are such places, and says whether there are any.
fn exchange(body: &mut Cow<'_, str>, places: &dyn Fn(&str) -> Vec<usize>) -> bool {
    let places = places(body);
    if !places.is_empty() {
        *body = put(body, &places).into();
    }
    !places.is_empty()
}
