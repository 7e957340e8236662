//! Code blocks: `<pre><code>` with classes to colour the code by its language. The text of the block
//! is the code, byte for byte, whatever the language; nothing here keeps state.

use hl_lite::{Kind, Lang};

use super::html::push_text;

/// Bytes of code above which a block stays plain: a dump, not an example.
pub const MAX_BLOCK: usize = 100 * 1024;

/// Bytes of one line above which a block stays plain: minified code or data.
pub const MAX_LINE: usize = 8 * 1024;

/// Names that authors write and the lexer does not know, with one it does.
const ALIASES: [(&str, &str); 19] = [
    ("atom", "xml"),
    ("ecmascript", "js"),
    ("geojson", "json"),
    ("handlebars", "html"),
    ("hbs", "html"),
    ("jsonl", "json"),
    ("ksh", "sh"),
    ("mustache", "html"),
    ("ndjson", "json"),
    ("node", "js"),
    ("plist", "xml"),
    ("python3", "py"),
    ("rss", "xml"),
    ("sh-session", "console"),
    ("shell-session", "console"),
    ("shellsession", "console"),
    ("webmanifest", "json"),
    ("xhtml", "html"),
    ("xsl", "xml"),
];

/// How a block is read.
#[derive(Clone, Copy)]
enum Syntax {
    Lexed(Lang),
    /// Commands after a `$ ` prompt, and what they printed.
    Session,
    Diff,
}

/// Appends a code block. `info` is what stands after the fence and `code` the lines up to its end;
/// without `coloured`, or in a language that is not known, they are only escaped.
///
/// The block can be scrolled with the keyboard (axe's `scrollable-region-focusable`).
pub fn push_code_block(html: &mut String, info: &str, code: &str, coloured: bool) {
    html.push_str("<pre tabindex=\"0\"><code");
    let language = info.split(' ').next().unwrap_or_default();
    if !language.is_empty() {
        html.push_str(" class=\"language-");
        super::html::push_attribute(html, language);
        html.push('"');
    }
    html.push('>');
    let syntax = (coloured && is_short(code)).then(|| Syntax::of(language, code));
    match syntax.flatten() {
        Some(Syntax::Lexed(language)) => push_lexed(html, language, code),
        Some(Syntax::Session) => push_session(html, code),
        Some(Syntax::Diff) => push_diff(html, code),
        None => push_text(html, code),
    }
    html.push_str("</code></pre>\n");
}

fn is_short(code: &str) -> bool {
    code.len() <= MAX_BLOCK && code.lines().all(|line| line.len() <= MAX_LINE)
}

impl Syntax {
    fn of(language: &str, code: &str) -> Option<Self> {
        // `rust,ignore` and `js{3-5}` carry options after the name.
        let name = language.split([',', '{', ':', ';']).next()?;
        if name.eq_ignore_ascii_case("diff") || name.eq_ignore_ascii_case("patch") {
            return Some(Self::Diff);
        }
        let alias = ALIASES
            .iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(name));
        match Lang::from_slug(alias.map_or(name, |(_, name)| name))? {
            // No script has a line that starts with a prompt, so a block that does is a session.
            Lang::Bash if code.lines().any(|line| line.starts_with("$ ")) => Some(Self::Session),
            language => Some(Self::Lexed(language)),
        }
    }
}

fn push_lexed(html: &mut String, language: Lang, code: &str) {
    for span in hl_lite::highlight(language, code) {
        push_span(html, class(span.kind), span.text);
    }
}

/// The output of a command is not code: an apostrophe in it would start a string.
fn push_session(html: &mut String, code: &str) {
    let mut goes_on = false;
    for line in code.split_inclusive('\n') {
        let command = match line.strip_prefix("$ ") {
            Some(command) => {
                html.push_str("$ ");
                Some(command)
            }
            None => goes_on.then_some(line),
        };
        match command {
            Some(command) => push_lexed(html, Lang::Bash, command),
            None => push_text(html, line),
        }
        goes_on = command.is_some_and(|command| command.trim_end().ends_with('\\'));
    }
}

fn push_diff(html: &mut String, code: &str) {
    const ABOUT: [&str; 6] = ["--- ", "+++ ", "diff ", "index ", "Index: ", "\\ "];
    for line in code.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line);
        let class = if ABOUT.iter().any(|about| text.starts_with(about)) {
            Some("hl-comment")
        } else if text.starts_with("@@") {
            Some("hl-function")
        } else if text.starts_with('+') {
            Some("hl-inserted")
        } else if text.starts_with('-') {
            Some("hl-deleted")
        } else {
            None
        };
        push_span(html, class, text);
        html.push_str(&line[text.len()..]);
    }
}

/// The class a theme colours. Few, so that a theme can give each a colour that is told apart.
fn class(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Keyword | Kind::Tag => Some("hl-keyword"),
        Kind::String => Some("hl-string"),
        Kind::Comment => Some("hl-comment"),
        Kind::Number | Kind::Constant => Some("hl-number"),
        Kind::Function => Some("hl-function"),
        Kind::Type | Kind::Property | Kind::Attribute | Kind::Variable => Some("hl-type"),
        Kind::Plain | Kind::Operator | Kind::Punctuation => None,
    }
}

fn push_span(html: &mut String, class: Option<&str>, text: &str) {
    match class {
        Some(class) => {
            html.push_str("<span class=\"");
            html.push_str(class);
            html.push_str("\">");
            push_text(html, text);
            html.push_str("</span>");
        }
        None => push_text(html, text),
    }
}
