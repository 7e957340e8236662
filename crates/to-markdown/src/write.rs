//! Block by block, HTML becomes Markdown, or stays as it is.

use htmd::options::{BrStyle, BulletListMarker, HrStyle, Options, TranslationMode};
use htmd::{Element, HtmlToMarkdown, element_handler::Handlers};

use crate::blocks::blocks;
use crate::clean::{clean, language};
use crate::same::is_same;
use crate::tokens::{self, Tag, Token, html, is_block, read};

/// What of a page belongs to its former site's looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// Nothing: what was rendered from Markdown before is that Markdown again.
    Kept,
    /// Classes, wrappers, sizes of pictures, targets of links.
    Dropped,
}

/// A body that was written anew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Markdown, with HTML in it where nothing else says the same. HTML alone if [`Self::is_html`].
    pub text: String,
    /// Whether no Markdown at all renders to it.
    pub is_html: bool,
    /// How many blocks stayed HTML.
    pub html_blocks: usize,
}

/// Elements within elements from which on nothing is taken apart.
const DEEPEST: usize = 60;

/// A parser takes time by the square of this.
const DEEPEST_PARSED: usize = 1000;

/// Writes HTML as Markdown. `render` is what will show it.
pub fn write(source: &str, looks: Looks, render: &dyn Fn(&str) -> String) -> Written {
    if depth_of(source) > DEEPEST_PARSED {
        return Written {
            text: source.to_owned(),
            is_html: true,
            html_blocks: 1,
        };
    }
    let tokens = clean(read(source), looks == Looks::Dropped);
    let blocks = blocks(tokens);
    let writer = Writer::new(render);
    let mut written = Written::default();
    // What it has to render to: itself, but for the cards of films.
    let mut wanted = Vec::new();
    let mut last_was_list = false;
    for block in &blocks {
        let is_list =
            matches!(block.first(), Some(Token::Start(tag)) if matches!(&*tag.name, "ul" | "ol"));
        if is_list && last_was_list {
            // Two lists would become one.
            push(&mut written.text, "<!-- -->");
        }
        last_was_list = is_list;
        if let Some(address) = player(block) {
            wanted.extend(read(&render(&address)));
            push(&mut written.text, &address);
            continue;
        }
        wanted.extend_from_slice(block);
        let text = writer.markdown(block).unwrap_or_else(|| {
            written.html_blocks += 1;
            raw(block)
        });
        push(&mut written.text, &text);
    }
    if is_same(&wanted, &read(&render(&written.text))) {
        return written;
    }
    let all: Vec<Token> = blocks.concat();
    let raw: Vec<String> = blocks.iter().map(|block| raw(block)).collect();
    let raw = raw.join("\n\n");
    let is_html = !is_same(&all, &read(&render(&raw)));
    Written {
        text: if is_html { html(&all) } else { raw },
        is_html,
        html_blocks: blocks.len(),
    }
}

fn push(text: &mut String, block: &str) {
    if !text.is_empty() && !block.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(block);
}

struct Writer<'r> {
    converter: HtmlToMarkdown,
    render: &'r dyn Fn(&str) -> String,
}

impl<'r> Writer<'r> {
    fn new(render: &'r dyn Fn(&str) -> String) -> Self {
        let options = Options {
            hr_style: HrStyle::Dashes,
            br_style: BrStyle::Backslash,
            bullet_list_marker: BulletListMarker::Dash,
            ul_bullet_spacing: 1,
            ol_number_spacing: 1,
            translation_mode: TranslationMode::Faithful,
            ..Options::default()
        };
        let struck = |handlers: &dyn Handlers, element: Element<'_>| {
            if !element.attrs.is_empty() {
                return handlers.fallback(element);
            }
            let content = handlers.walk_children(element.node).content;
            Some(format!("~~{content}~~").into())
        };
        let converter = HtmlToMarkdown::builder()
            .options(options)
            .add_handler(vec!["del"], struck)
            .build();
        Self { converter, render }
    }

    /// The Markdown that renders to a block. None if there is none.
    fn markdown(&self, block: &[Token]) -> Option<String> {
        if is_deep(block) {
            return None;
        }
        // What comes as HTML is written so below, without blank lines.
        let is_html = |text: &str| {
            let name = text.strip_prefix('<').unwrap_or_default();
            let end = name.find(|c: char| !c.is_ascii_alphanumeric());
            is_block(&name[..end.unwrap_or(name.len())])
        };
        let is_right =
            |text: &String| !is_html(text) && is_same(block, &read(&(self.render)(text)));
        // As its lines are; as one line; with characters written so that they mean nothing.
        let marks = [BREAKS, &[], MARKED];
        marks.iter().find_map(|marks| {
            let text = self.convert(&marked(block, marks))?;
            Some(unmarked(&text, marks)).filter(is_right)
        })
    }

    fn convert(&self, block: &[Token]) -> Option<String> {
        let (heading, id) = without_id(block);
        let mut simple = simple(&heading);
        let columns = take_alignments(&mut simple);
        let written = self.converter.convert(&html(&simple)).ok()?;
        let written = aligned(written.trim_matches('\n'), &columns);
        let written = TASKS.iter().fold(written, |text, (_, mark, task)| {
            text.replace(&format!("{mark} "), task)
        });
        if written.is_empty() {
            return None;
        }
        let Some(id) = id else { return Some(written) };
        if is_same(block, &read(&(self.render)(&written))) {
            return Some(written);
        }
        Some(format!("{written} {{#{id}}}"))
    }
}

/// Takes the alignment out of a table's cells, and gives that of its columns.
fn take_alignments(block: &mut [Token]) -> Vec<String> {
    let mut columns = Vec::new();
    let mut in_first_row = true;
    for token in block {
        match token {
            Token::Start(tag) if matches!(&*tag.name, "th" | "td") => {
                let column = tag.attribute("align").unwrap_or_default().to_owned();
                tag.attributes.retain(|(name, _)| name != "align");
                if in_first_row {
                    columns.push(column);
                }
            }
            Token::End(name) if name == "tr" || name == "thead" => in_first_row = false,
            _ => {}
        }
    }
    columns
}

/// Writes the alignment of a table's columns below its head.
fn aligned(table: &str, columns: &[String]) -> String {
    if columns.iter().all(String::is_empty) {
        return table.to_owned();
    }
    let cells = columns.iter().map(|column| match column.as_str() {
        "left" => ":---",
        "right" => "---:",
        "center" => ":---:",
        _ => "---",
    });
    let line = format!("| {} |", cells.collect::<Vec<_>>().join(" | "));
    let lines = table.lines().enumerate();
    let lines: Vec<&str> = lines
        .map(|(at, own)| if at == 1 { &line } else { own })
        .collect();
    lines.join("\n")
}

/// A heading without its id: most are made of its words.
fn without_id(block: &[Token]) -> (Vec<Token>, Option<String>) {
    let mut block = block.to_vec();
    let Some(Token::Start(tag)) = block.first_mut() else {
        return (block, None);
    };
    let is_heading = matches!(&*tag.name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    let id = tag
        .attribute("id")
        .filter(|_| is_heading)
        .map(str::to_owned);
    if is_heading {
        tag.attributes.retain(|(name, _)| name != "id");
    }
    (block, id)
}

/// A text, the character that stands in for it while a block is written, and how it is written then.
type Mark = (&'static str, &'static str, &'static str);

/// Characters that mean something to this Markdown alone.
const MARKED: &[Mark] = &[
    ("~", "\u{e000}", "\\~"),
    ("$", "\u{e001}", "\\$"),
    ("://", "\u{e002}", "&#58;//"),
    ("@", "\u{e003}", "&#64;"),
    ("www.", "\u{e004}", "www&#46;"),
    ("^", "\u{e005}", "\\^"),
];

/// Boxes of a list of tasks: done or not, what stands in for them, and how they are written.
const TASKS: [(bool, &str, &str); 2] = [(true, "\u{e007}", "[x] "), (false, "\u{e008}", "[ ] ")];

/// The lines of a text stay its lines.
const BREAKS: &[Mark] = &[("\n", "\u{e006}", "\n")];

fn marked(block: &[Token], marks: &[Mark]) -> Vec<Token> {
    let mut in_code = 0_usize;
    let marked = block.iter().enumerate().map(|(at, token)| {
        let is_code = |name: &str| matches!(name, "code" | "pre");
        match token {
            Token::Start(tag) => in_code += usize::from(is_code(&tag.name)),
            Token::End(name) => in_code = in_code.saturating_sub(usize::from(is_code(name))),
            Token::Text(text) if in_code == 0 => {
                let before = at.checked_sub(1).and_then(|at| block.get(at));
                let after = block.get(at + 1);
                // White space beside a block is none of its text.
                let (mut start, mut end) = (0, text.len());
                if !before.is_some_and(is_inline) {
                    start = end - text.trim_start().len();
                }
                if !after.is_some_and(is_inline) {
                    end = text.trim_end().len().max(start);
                }
                let apply = |text: String, (plain, mark, _): &Mark| text.replace(plain, mark);
                let inner = marks.iter().fold(text[start..end].to_owned(), apply);
                return Token::Text(format!("{}{inner}{}", &text[..start], &text[end..]));
            }
            Token::Text(_) => {}
        }
        token.clone()
    });
    marked.collect()
}

fn is_inline(token: &Token) -> bool {
    match token {
        Token::Start(Tag { name, .. }) | Token::End(name) => !is_block(name) && name != "br",
        Token::Text(_) => true,
    }
}

fn unmarked(text: &str, marks: &[Mark]) -> String {
    let apply = |text: String, (_, mark, written): &Mark| text.replace(mark, written);
    let text = marks.iter().fold(text.to_owned(), apply);
    // A definition starts with a colon.
    match text.strip_prefix(':') {
        Some(rest) if !marks.is_empty() => format!("\\:{rest}"),
        _ => text,
    }
}

/// A block without what its renderer adds by itself: whether it does is compared afterwards.
fn simple(block: &[Token]) -> Vec<Token> {
    let mut in_pre = 0_usize;
    let mut tokens = Vec::with_capacity(block.len());
    for token in block {
        match token {
            Token::Start(tag) if tag.name == "span" && in_pre > 0 => {}
            Token::End(name) if name == "span" && in_pre > 0 => {}
            Token::Start(tag)
                if tag.name == "input" && tag.attribute("type") == Some("checkbox") =>
            {
                let is_done = tag.attribute("checked").is_some();
                let marks = TASKS.iter().filter(|(done, ..)| *done == is_done);
                marks.for_each(|(_, mark, _)| tokens::push_text(&mut tokens, mark));
            }
            Token::Start(tag) => {
                in_pre += usize::from(tag.name == "pre");
                tokens.push(Token::Start(simple_tag(tag, in_pre > 0)));
            }
            Token::End(name) => {
                in_pre -= usize::from(name == "pre" && in_pre > 0);
                tokens.push(token.clone());
            }
            Token::Text(text) => tokens::push_text(&mut tokens, text),
        }
    }
    match tokens.as_slice() {
        // The box around a table.
        [Token::Start(outer), inner @ .., Token::End(_)]
            if outer.name == "div" && outer.attribute("class") == Some("table") =>
        {
            inner.to_vec()
        }
        [Token::Start(outer), inner @ .., Token::End(_)]
            if outer.name == "figure" && outer.attributes.is_empty() =>
        {
            captioned(inner).unwrap_or(tokens)
        }
        _ => tokens,
    }
}

/// A picture with its caption as its title, which a paragraph of its own shows so.
fn captioned(figure: &[Token]) -> Option<Vec<Token>> {
    let is_seen = |token: &&Token| !matches!(token, Token::Text(text) if text.trim().is_empty());
    let seen: Vec<&Token> = figure.iter().filter(is_seen).collect();
    let (picture, caption) = match seen.as_slice() {
        [Token::Start(picture)] => (picture, None),
        [
            Token::Start(picture),
            Token::Start(caption),
            Token::Text(text),
            Token::End(_),
        ] if caption.name == "figcaption" => (picture, Some(text)),
        _ => return None,
    };
    let mut picture = picture.clone();
    if picture.name != "img" {
        return None;
    }
    if let Some(text) = caption {
        picture
            .attributes
            .push(("title".to_owned(), text.trim().to_owned()));
    }
    let paragraph = Tag {
        name: "p".to_owned(),
        ..Tag::default()
    };
    Some(vec![
        Token::Start(paragraph),
        Token::Start(picture),
        Token::End("p".to_owned()),
    ])
}

fn simple_tag(tag: &Tag, in_pre: bool) -> Tag {
    let mut tag = tag.clone();
    match tag.name.as_str() {
        "pre" => tag.attributes.clear(),
        "code" if in_pre => {
            let language = tag.attribute("class").and_then(language);
            let class =
                language.map(|language| ("class".to_owned(), format!("language-{language}")));
            tag.attributes = class.into_iter().collect();
        }
        "img" => tag.attributes.retain(|(name, _)| name != "loading"),
        _ => {}
    }
    tag
}

/// The link of a film that a block shows in a frame: it is shown as a card, which loads nothing by itself.
fn player(block: &[Token]) -> Option<String> {
    let mut frame = None;
    for token in block {
        match token {
            Token::Text(text) if !text.trim().is_empty() => return None,
            Token::Start(tag) if tag.name == "iframe" && frame.is_none() => {
                frame = tag.attribute("src")
            }
            Token::Start(tag) if !matches!(&*tag.name, "p" | "div" | "figure") => return None,
            _ => {}
        }
    }
    let (_, address) = frame?.split_once("//")?;
    let (host, path) = address.split_once('/')?;
    let id = |path: &str| {
        let end = path.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
        Some(path[..end.unwrap_or(path.len())].to_owned()).filter(|id| !id.is_empty())
    };
    match host.strip_prefix("www.").unwrap_or(host) {
        "youtube.com" | "youtube-nocookie.com" => {
            let id = id(path.strip_prefix("embed/")?).filter(|id| id != "videoseries")?;
            Some(format!("https://www.youtube.com/watch?v={id}"))
        }
        "player.vimeo.com" => Some(format!(
            "https://vimeo.com/{}",
            id(path.strip_prefix("video/")?)?
        )),
        _ => None,
    }
}

/// How many elements are open at a time, but for those that need not be closed.
fn depth_of(source: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, _) in source.match_indices('<') {
        let rest = &source[at + 1..];
        let is_end = rest.starts_with('/');
        let name = rest.trim_start_matches('/');
        let name = &name[..name
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(name.len())];
        let name = name.to_ascii_lowercase();
        let ends_itself = matches!(
            &*name,
            "" | "p"
                | "li"
                | "dt"
                | "dd"
                | "td"
                | "th"
                | "tr"
                | "tbody"
                | "thead"
                | "tfoot"
                | "option"
                | "a"
        );
        match is_end {
            _ if ends_itself || tokens::is_void(&name) => {}
            true => depth = depth.saturating_sub(1),
            false => depth += 1,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn is_deep(block: &[Token]) -> bool {
    let mut depth = 0_usize;
    block.iter().any(|token| {
        match token {
            Token::Start(tag) => depth += usize::from(!tokens::is_void(&tag.name)),
            Token::End(_) => depth -= 1,
            Token::Text(_) => {}
        }
        depth > DEEPEST
    })
}

/// A block as HTML within Markdown: it begins a line of its own, and has no blank line, which would end it.
fn raw(block: &[Token]) -> String {
    // Only some elements begin HTML by themselves.
    let begins = matches!(block.first(), Some(Token::Start(tag)) if is_block(&tag.name) && tag.name != "noscript");
    let mut out = match begins {
        true => html(block),
        false => {
            let wrapper = Tag {
                name: "div".to_owned(),
                ..Tag::default()
            };
            let mut wrapped = vec![Token::Start(wrapper)];
            wrapped.extend_from_slice(block);
            wrapped.push(Token::End("div".to_owned()));
            html(&wrapped)
        }
    };
    let mut in_pre = false;
    let lines = out.split('\n').enumerate().map(|(at, line)| {
        let was_in_pre = in_pre;
        in_pre = match (line.rfind("<pre"), line.rfind("</pre")) {
            (None, None) => in_pre,
            (start, end) => start > end,
        };
        match line.trim().is_empty() && at > 0 {
            true if was_in_pre => Some(format!("&#10;{line}")),
            true => None,
            false => Some(line.to_owned()),
        }
    });
    let lines: Vec<String> = lines.flatten().collect();
    out = lines.join("\n").replace("\n&#10;", "&#10;");
    out.trim().to_owned()
}
