//! Syntax highlighting: writes code blocks as `<pre><code>` with classes for colours.
//!
//! Highlighting never changes the code: the text of a block equals the code, byte for byte. Only
//! the code cache keeps state.

pub mod code_cache;
mod fence;
mod grammars;
mod languages;
mod powershell;

use std::fmt::Write;

use hl_lite::{Kind, Lang};

use self::fence::Fence;
use self::languages::{Language, Syntax};
use code_cache::{CodeCache, Pieces};
use model::{push_attribute, push_text};

pub use self::grammars::{MAX_BLOCK as MAX_GRAMMAR_BLOCK, MAX_LINE as MAX_GRAMMAR_LINE};
pub use self::languages::labels;

/// Size in bytes above which a block is not highlighted: it is a dump rather than an example.
pub const MAX_BLOCK: usize = 100 * 1024;

/// Maximum length of a line, in bytes. A block with a longer line is not highlighted: it is
/// minified code or data.
pub const MAX_LINE: usize = 8 * 1024;

/// Default appearance of code blocks, which a fence can override.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look<'a> {
    /// Whether code is coloured and labelled with its language.
    pub highlight: bool,
    /// Whether lines are numbered.
    pub line_numbers: bool,
    /// Cache of blocks that were highlighted before.
    pub known: Option<&'a CodeCache>,
}

/// A class for which themes define a colour. There are only a few classes, so that a theme can give
/// each a distinct colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Keyword,
    String,
    Comment,
    Number,
    Function,
    Type,
    Inserted,
    Deleted,
}

impl Class {
    const ALL: [Self; 8] = [
        Self::Keyword,
        Self::String,
        Self::Comment,
        Self::Number,
        Self::Function,
        Self::Type,
        Self::Inserted,
        Self::Deleted,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Keyword => "hl-keyword",
            Self::String => "hl-string",
            Self::Comment => "hl-comment",
            Self::Number => "hl-number",
            Self::Function => "hl-function",
            Self::Type => "hl-type",
            Self::Inserted => "hl-inserted",
            Self::Deleted => "hl-deleted",
        }
    }

    fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Keyword | Kind::Tag => Some(Self::Keyword),
            Kind::String => Some(Self::String),
            Kind::Comment => Some(Self::Comment),
            Kind::Number | Kind::Constant => Some(Self::Number),
            Kind::Function => Some(Self::Function),
            Kind::Type | Kind::Property | Kind::Attribute | Kind::Variable => Some(Self::Type),
            Kind::Plain | Kind::Operator | Kind::Punctuation => None,
        }
    }
}

/// A piece of code and its class. The concatenated pieces of a block equal its code.
type Piece<'c> = (Option<Class>, &'c str);

/// Appends a code block. `info` is the info string of the fence, and `code` contains the lines
/// inside the fence. Code in an unknown language is only escaped.
///
/// The block can be scrolled with the keyboard (axe's `scrollable-region-focusable`).
pub fn push_code_block(html: &mut String, info: &str, code: &str, look: Look<'_>) {
    let fence = Fence::of(info);
    let language = Language::by_name(fence.language).filter(|_| look.highlight);
    if let Some(title) = fence.title {
        html.push_str("<figure class=\"code\">\n<figcaption");
        push_language(html, language);
        html.push('>');
        push_text(html, title);
        html.push_str("</figcaption>\n");
    }
    html.push_str("<pre tabindex=\"0\"");
    push_language(html, language);
    html.push_str("><code");
    if !fence.language.is_empty() {
        html.push_str(" class=\"language-");
        push_attribute(html, fence.language);
        html.push('"');
    }
    html.push('>');
    let pieces = match language {
        Some(language) => pieces(language.syntax, code, look.known),
        None => vec![(None, code)],
    };
    let are_numbered = fence.numbers.unwrap_or(look.line_numbers);
    if are_numbered || !fence.marked.is_empty() {
        push_lines(html, &fence, are_numbered, &pieces);
    } else {
        for (class, text) in pieces {
            push_piece(html, class, text);
        }
    }
    html.push_str("</code></pre>\n");
    if fence.title.is_some() {
        html.push_str("</figure>\n");
    }
}

/// Appends the attribute with the language's displayed name.
fn push_language(html: &mut String, language: Option<Language>) {
    if let Some(language) = language {
        html.push_str(" data-language=\"");
        push_attribute(html, language.label);
        html.push('"');
    }
}

/// Appends each line as an element with its number in an attribute. The numbers are therefore not
/// copied with the code, and are not part of its text.
fn push_lines(html: &mut String, fence: &Fence<'_>, are_numbered: bool, pieces: &[Piece<'_>]) {
    let (mut line, mut is_open) = (0, false);
    let first = fence.first.unwrap_or(1);
    let element = |line| {
        if fence.is_marked(line) { "mark" } else { "span" }
    };
    for (class, text) in pieces {
        for part in text.split_inclusive('\n') {
            if !is_open {
                line += 1;
                let _ = write!(html, "<{} class=\"line\"", element(line));
                if are_numbered {
                    let _ = write!(html, " data-line=\"{}\"", first.saturating_add(line - 1));
                }
                html.push('>');
            }
            let words = part.strip_suffix('\n');
            push_piece(html, *class, words.unwrap_or(part));
            is_open = words.is_none();
            if !is_open {
                let _ = writeln!(html, "</{}>", element(line));
            }
        }
    }
    if is_open {
        let _ = write!(html, "</{}>", element(line));
    }
}

fn is_short(code: &str, block: usize, line: usize) -> bool {
    code.len() <= block && code.lines().all(|one| one.len() <= line)
}

fn pieces<'c>(syntax: Syntax, code: &'c str, known: Option<&CodeCache>) -> Vec<Piece<'c>> {
    let has_prompt = || code.lines().any(|line| line.starts_with("$ "));
    match syntax {
        _ if !is_short(code, MAX_BLOCK, MAX_LINE) => vec![(None, code)],
        // No shell script has a line starting with a prompt, so a block with such a line is a
        // session.
        Syntax::Lexed(Lang::Bash) if has_prompt() => session(code),
        Syntax::Lexed(language) => lexed(language, code).collect(),
        Syntax::Diff => diff(code),
        Syntax::PowerShell => powershell::pieces(code),
        Syntax::Grammar(name) => {
            grammar_pieces(name, code, known).unwrap_or_else(|| vec![(None, code)])
        }
    }
}

fn lexed(language: Lang, code: &str) -> impl Iterator<Item = Piece<'_>> {
    let spans = hl_lite::highlight(language, code).into_iter();
    spans.map(|span| (Class::of(span.kind), span.text))
}

fn grammar_pieces<'c>(
    name: &str,
    code: &'c str,
    known: Option<&CodeCache>,
) -> Option<Vec<Piece<'c>>> {
    if !is_short(code, MAX_GRAMMAR_BLOCK, MAX_GRAMMAR_LINE) {
        return None;
    }
    let mut rest = code;
    let find = || grammars::pieces(name, code);
    let found: Pieces = match known {
        Some(known) => known.pieces(name, code, find)?,
        None => find()?,
    };
    let pieces = found.into_iter().map(|(class, length)| {
        let (text, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        rest = after;
        Some((Class::ALL.get(usize::from(class)).copied(), text))
    });
    let pieces: Vec<_> = pieces.collect::<Option<_>>()?;
    rest.is_empty().then_some(pieces)
}

/// Highlights only the commands of a shell session. Command output is not highlighted, since an
/// apostrophe in the output would start a string.
fn session(code: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut goes_on = false;
    for line in code.split_inclusive('\n') {
        let command = match line.strip_prefix("$ ") {
            Some(command) => {
                pieces.push((None, &line[..2]));
                Some(command)
            }
            None => goes_on.then_some(line),
        };
        match command {
            Some(command) => pieces.extend(lexed(Lang::Bash, command)),
            None => pieces.push((None, line)),
        }
        goes_on = command.is_some_and(|command| command.trim_end().ends_with('\\'));
    }
    pieces
}

fn diff(code: &str) -> Vec<Piece<'_>> {
    const HEADER_PREFIXES: [&str; 6] = ["--- ", "+++ ", "diff ", "index ", "Index: ", "\\ "];
    let mut pieces = Vec::new();
    for line in code.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line);
        let class = if HEADER_PREFIXES.iter().any(|about| text.starts_with(about)) {
            Some(Class::Comment)
        } else if text.starts_with("@@") {
            Some(Class::Function)
        } else if text.starts_with('+') {
            Some(Class::Inserted)
        } else if text.starts_with('-') {
            Some(Class::Deleted)
        } else {
            None
        };
        pieces.push((class, text));
        pieces.push((None, &line[text.len()..]));
    }
    pieces
}

fn push_piece(html: &mut String, class: Option<Class>, text: &str) {
    match class {
        Some(class) if !text.is_empty() => {
            html.push_str("<span class=\"");
            html.push_str(class.name());
            html.push_str("\">");
            push_text(html, text);
            html.push_str("</span>");
        }
        _ => push_text(html, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_grammar() {
        for name in Language::grammars() {
            assert!(grammars::is_known(name), "{name}");
        }
    }
}
