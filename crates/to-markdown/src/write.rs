//! Converts HTML to Markdown, block by block. Some blocks stay HTML.

use htmd::options::{BrStyle, BulletListMarker, HrStyle, Options, TranslationMode};
use htmd::{Element, HtmlToMarkdown, element_handler::Handlers};

use crate::addresses::{addresses, is_url_of_text};
use crate::blocks::blocks;
use crate::clean::{clean, language};
use crate::equivalence::is_same;
use crate::footnotes;
use crate::frames;
use crate::links::{extract_urls, links_only_to, only_link, restore_urls};
use crate::marks::{BREAK_MARKS, DIALECT_MARKS, Mark, TASK_MARKS, restore_marks, with_marks};
use crate::pictures::{figure_to_paragraph, gallery};
use crate::sanitize::{Removed, sanitize};
use crate::shapes::normalize_shapes;
use crate::tokens::{
    MORE_ELEMENT, Tag, Token, contains_word, html, is_block, is_void, push_text, read,
};

/// Options for the HTML to convert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Whether to keep the parts that belong to the former site's design.
    pub design: DesignParts,
    /// Whether the HTML is untrusted, because someone other than the publisher could have written
    /// it. Untrusted HTML is sanitized.
    pub is_foreign: bool,
}

/// Whether to keep the parts of a page that belong to the former site's design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesignParts {
    /// Keep the design, so that HTML rendered from Markdown is converted back to the same Markdown.
    Kept,
    /// Remove classes, wrappers, picture sizes, link targets and other parts of the design.
    Dropped,
}

/// The result of a conversion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversion {
    /// Markdown, including HTML blocks where Markdown has no equivalent. If [`Self::is_html`] is
    /// true, only HTML.
    pub text: String,
    /// Whether the whole text stayed HTML, because no Markdown renders to the same HTML.
    pub is_html: bool,
    /// Number of blocks that stayed HTML.
    pub html_blocks: usize,
    /// Elements, attributes and URLs that were removed from untrusted HTML, each with the number of
    /// removals.
    pub removed: Removed,
}

/// Maximum nesting depth of a block. Deeper blocks stay HTML.
const MAX_DEPTH: usize = 60;

/// Maximum nesting depth of HTML that is parsed, because parsing time is quadratic in the depth.
const MAX_PARSED_DEPTH: usize = 1000;

/// Converts HTML to Markdown. `render` is the renderer that will convert the Markdown back to HTML.
pub fn write(text: &str, source: Source, render: &dyn Fn(&str) -> String) -> Conversion {
    if depth_of(text) > MAX_PARSED_DEPTH {
        if source.is_foreign {
            let mut written = write(&strip_tags(text), source, render);
            let what = format!("<{}>", "…".repeat(3));
            written.removed.insert(what, 1);
            return written;
        }
        return Conversion {
            text: text.to_owned(),
            is_html: true,
            html_blocks: 1,
            ..Conversion::default()
        };
    }
    let mut written = Conversion::default();
    let mut tokens = read(text);
    if source.is_foreign {
        (tokens, written.removed) = sanitize(tokens);
    }
    let removes_design = source.design == DesignParts::Dropped;
    let notes = footnotes::take_footnotes(&tokens).filter(|_| removes_design);
    let whole = notes.and_then(|(text, notes)| write_with_footnotes(text, notes, render));
    let body = whole.unwrap_or_else(|| body(tokens, removes_design, render));
    Conversion { removed: written.removed, ..body }
}

/// Converts HTML with footnotes. Returns `None` if the renderer would not recognize all footnotes.
fn write_with_footnotes(
    text: Vec<Token>,
    notes: Vec<Vec<Token>>,
    render: &dyn Fn(&str) -> String,
) -> Option<Conversion> {
    let mut whole = body(text, true, render);
    let mut texts = Vec::with_capacity(notes.len());
    for note in notes {
        let note = body(note, true, render);
        whole.html_blocks += note.html_blocks;
        whole.is_html |= note.is_html;
        texts.push(note.text);
    }
    whole.text = footnotes::insert_footnotes(&whole.text, &texts);
    let are_rendered = || footnotes::are_rendered(&read(&render(&whole.text)));
    (!whole.is_html && are_rendered()).then_some(whole)
}

/// Converts HTML without footnotes.
fn body(
    mut tokens: Vec<Token>,
    removes_design: bool,
    render: &dyn Fn(&str) -> String,
) -> Conversion {
    let mut written = Conversion::default();
    if removes_design {
        tokens = normalize_shapes(&tokens);
    }
    let blocks = blocks(clean(tokens, removes_design));
    let writer = Writer::new(render);
    // The expected rendered HTML: the blocks themselves, or for example the cards that replace
    // links to videos.
    let mut wanted = Vec::new();
    let mut last_was_list = false;
    for block in &blocks {
        let is_list =
            block.first().is_some_and(|first| first.is_start("ul") || first.is_start("ol"));
        if is_list && last_was_list {
            // Separates adjacent lists, which Markdown would otherwise join.
            push(&mut written.text, "<!-- -->");
        }
        last_was_list = is_list;
        if matches!(block.as_slice(), [token] if token.is_start(MORE_ELEMENT)) {
            wanted.extend_from_slice(block);
            push(&mut written.text, "<!--more-->");
            continue;
        }
        if let Some((text, shown)) = writer.convert_lone_url(block) {
            wanted.extend(shown);
            push(&mut written.text, &text);
            continue;
        }
        let markdown = writer.markdown(block);
        if let (None, Some((text, shown))) = (&markdown, writer.convert_labelled_link(block)) {
            wanted.extend(shown);
            push(&mut written.text, &text);
            continue;
        }
        wanted.extend_from_slice(block);
        let text = markdown.unwrap_or_else(|| {
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
    Conversion {
        text: if is_html { html(&all) } else { raw },
        is_html,
        html_blocks: blocks.len(),
        ..written
    }
}

/// Returns the text of HTML that is nested too deeply to be parsed.
fn strip_tags(html: &str) -> String {
    let texts = html.split('<').enumerate().map(|(at, part)| match part.split_once('>') {
        _ if at == 0 => part.to_owned(),
        Some((_, text)) => text.to_owned(),
        None => format!("&lt;{part}"),
    });
    texts.collect()
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
        let converter =
            HtmlToMarkdown::builder().options(options).add_handler(vec!["del"], struck).build();
        Self { converter, render }
    }

    /// Returns Markdown that renders to the block, or `None` if no such Markdown is found.
    fn markdown(&self, block: &[Token]) -> Option<String> {
        if is_deep(block) {
            return None;
        }
        // If the converter returns HTML, the result is rejected. The caller then writes the block
        // with `raw`, which removes blank lines.
        let is_html = |text: &str| {
            let name = text.strip_prefix('<').unwrap_or_default();
            let end = name.find(|c: char| !c.is_ascii_alphanumeric());
            is_block(&name[..end.unwrap_or(name.len())])
        };
        let is_right =
            |text: &String| !is_html(text) && is_same(block, &read(&(self.render)(text)));
        // Tries to keep line breaks, then to join lines, then to escape special characters. Each of
        // the first two attempts is made with plain URLs and, in case a plain URL would end too
        // early, with URLs in angle brackets.
        let (addressed, found) = extract_urls(block);
        let forms: [(&[Mark], Option<[&str; 2]>); 5] = [
            (BREAK_MARKS, Some(["", ""])),
            (BREAK_MARKS, Some(["<", ">"])),
            (&[], Some(["", ""])),
            (&[], Some(["<", ">"])),
            (DIALECT_MARKS, None),
        ];
        let forms =
            forms.iter().filter(|(_, form)| !(found.is_empty() && *form == Some(["<", ">"])));
        let mut texts = forms.filter_map(|(marks, form)| {
            let block = if form.is_some() { &addressed } else { block };
            let text = restore_marks(&self.convert(&with_marks(block, marks))?, marks);
            Some(form.map_or(text.clone(), |form| restore_urls(&text, &found, form)))
        });
        texts.find(is_right)
    }

    /// Converts a block that contains only a URL. Returns the URL as Markdown, and its rendered
    /// HTML: a card, a player or a link.
    fn convert_lone_url(&self, block: &[Token]) -> Option<(String, Vec<Token>)> {
        let (mut said, mut link, mut frame) = (String::new(), None, None);
        for token in block {
            match token {
                Token::Text(text) => said += text,
                Token::Start(tag) => match tag.name.as_str() {
                    "p" | "div" | "figure" => {}
                    "a" if link.is_none() => link = Some(tag.attribute("href")?.to_owned()),
                    "iframe" if frame.is_none() => frame = Some(frames::address(tag)?),
                    _ => return None,
                },
                Token::End(_) => {}
            }
        }
        let said = said.trim();
        let address = match (frame, link) {
            (Some(frame), None) => frame,
            (None, Some(link)) if is_url_of_text(&link, said) => link,
            (None, None) if addresses(said).first() == Some(&(0..said.len())) => said.to_owned(),
            _ => return None,
        };
        let is_web = address.starts_with("http://") || address.starts_with("https://");
        if !is_web || address.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>')) {
            return None;
        }
        let forms = [address.clone(), format!("<{address}>")];
        forms.into_iter().find_map(|text| {
            let shown = read(&(self.render)(&text));
            links_only_to(&shown, &address).then_some((text, shown))
        })
    }

    /// Converts a block that is a single link with a label. Returns the Markdown and its rendered
    /// HTML, such as a video card with this label.
    fn convert_labelled_link(&self, block: &[Token]) -> Option<(String, Vec<Token>)> {
        let (link, label) = only_link(block)?;
        let text = self.convert(&with_marks(block, &[]))?;
        let shown = read(&(self.render)(&text));
        let (own, own_label) = only_link(&shown)?;
        let is_right = own.attribute("href") == link.attribute("href") && is_same(label, own_label);
        is_right.then_some((text, shown))
    }

    fn convert(&self, block: &[Token]) -> Option<String> {
        let (heading, id) = take_id(block);
        let mut simplified_block = simplified_block(&heading);
        let columns = take_alignments(&mut simplified_block);
        let written = self.converter.convert(&html(&simplified_block)).ok()?;
        let written = insert_alignments(written.trim_matches('\n'), &columns);
        let written = TASK_MARKS
            .iter()
            .fold(written, |text, (_, mark, task)| text.replace(&format!("{mark} "), task));
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

/// Removes the `align` attributes from a table's cells, and returns the alignment of each column.
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

/// Writes the alignment of the columns into the delimiter row of a Markdown table.
fn insert_alignments(table: &str, columns: &[String]) -> String {
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
    let lines: Vec<&str> = lines.map(|(at, own)| if at == 1 { &line } else { own }).collect();
    lines.join("\n")
}

/// Removes the id of a heading and returns it. The id is often unnecessary in Markdown, because the
/// renderer derives the same id from the heading's text.
fn take_id(block: &[Token]) -> (Vec<Token>, Option<String>) {
    let mut block = block.to_vec();
    let Some(Token::Start(tag)) = block.first_mut() else {
        return (block, None);
    };
    let is_heading = contains_word("h1 h2 h3 h4 h5 h6", &tag.name);
    let id = tag.attribute("id").filter(|_| is_heading).map(str::to_owned);
    if is_heading {
        tag.attributes.retain(|(name, _)| name != "id");
    }
    (block, id)
}

/// Removes everything from a block that the renderer adds. A later comparison verifies that the
/// renderer does add it.
fn simplified_block(block: &[Token]) -> Vec<Token> {
    let mut in_pre = 0_usize;
    let mut tokens = Vec::with_capacity(block.len());
    for token in block {
        match token {
            token if in_pre > 0 && (token.is_start("span") || token.is_end("span")) => {}
            Token::Start(tag)
                if tag.name == "input" && tag.attribute("type") == Some("checkbox") =>
            {
                let is_done = tag.attribute("checked").is_some();
                let marks = TASK_MARKS.iter().filter(|(done, ..)| *done == is_done);
                marks.for_each(|(_, mark, _)| push_text(&mut tokens, mark));
            }
            Token::Start(tag) => {
                in_pre += usize::from(tag.name == "pre");
                tokens.push(Token::Start(simple_tag(tag, in_pre > 0)));
            }
            Token::End(name) => {
                in_pre -= usize::from(name == "pre" && in_pre > 0);
                tokens.push(token.clone());
            }
            Token::Text(text) => push_text(&mut tokens, text),
        }
    }
    let [Token::Start(outer), inner @ .., Token::End(_)] = tokens.as_slice() else {
        return tokens;
    };
    let written = match (outer.name.as_str(), outer.attribute("class")) {
        // Removes the `div` around a table.
        ("div", Some("table")) => Some(inner.to_vec()),
        ("div", Some("gallery")) => gallery(inner),
        ("figure", _) if outer.attributes.is_empty() => figure_to_paragraph(inner),
        _ => None,
    };
    written.unwrap_or(tokens)
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

/// Elements whose end tags are often omitted.
const OPTIONAL_END_TAGS: &str = "p li dt dd td th tr tbody thead tfoot option a";

/// Returns the maximum nesting depth, ignoring elements whose end tags are often omitted.
fn depth_of(source: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, _) in source.match_indices('<') {
        let rest = &source[at + 1..];
        let is_end = rest.starts_with('/');
        let name = rest.trim_start_matches('/');
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let name = name.to_ascii_lowercase();
        match is_end {
            _ if name.is_empty() || contains_word(OPTIONAL_END_TAGS, &name) || is_void(&name) => {}
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
            Token::Start(tag) => depth += usize::from(!is_void(&tag.name)),
            Token::End(_) => depth -= 1,
            Token::Text(_) => {}
        }
        depth > MAX_DEPTH
    })
}

/// Formats a block as an HTML block in Markdown. Blank lines are removed, because a blank line
/// would end the HTML block.
fn raw(block: &[Token]) -> String {
    // Other elements are wrapped in a `div`, because they do not start an HTML block in Markdown.
    let is_apart = |name: &str| is_block(name) && name != "noscript";
    let begins = block.first().is_some_and(|first| first.is_start_of(is_apart));
    let out = match begins {
        true => html(block),
        false => format!("<div>{}</div>", html(block)),
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
    lines.join("\n").replace("\n&#10;", "&#10;").trim().to_owned()
}
