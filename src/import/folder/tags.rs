//! Shortcodes and template tags, such as `{{< figure src="a.jpg" >}}`, `{% link a.md %}` and `{{
//! youtube(id="x") }}`.

use std::ops::Range;

use memchr::memmem;

/// Maximum length of a tag in bytes. Longer text between delimiters does not count as a tag.
const MAX_TAG_LENGTH: usize = 4000;

/// The opening and the closing delimiter of a tag.
pub type Form = (&'static str, &'static str);

/// A tag in a content file or a template.
#[derive(Debug, Clone)]
pub struct Tag<'t> {
    pub text: &'t str,
    pub span: Range<usize>,
    pub form: Form,
    /// Text between the delimiters.
    pub inner: &'t str,
    pub name: &'t str,
    pub arguments: Arguments,
}

#[derive(Debug, Clone, Default)]
pub struct Arguments {
    pub plain: Vec<String>,
    pub named: Vec<(String, String)>,
}

/// The replacement for a tag, and the byte offset after the replaced text. `None` means that the
/// tag is kept.
pub type Replacement = Option<(String, usize)>;

impl<'t> Tag<'t> {
    /// Finds the next tag at or after a byte offset. The first matching form in `forms` is used, so
    /// longer opening delimiters must come first.
    pub fn next(text: &'t str, from: usize, forms: &[Form]) -> Option<Self> {
        let mut at = from;
        loop {
            at += text[at..].find('{')?;
            let form = forms.iter().find(|(open, _)| text[at..].starts_with(open));
            let found = form.and_then(|form| {
                let start = at + form.0.len();
                let near = &text.as_bytes()[start..text.len().min(start + MAX_TAG_LENGTH)];
                let length = memmem::find(near, form.1.as_bytes())?;
                let end = start + length + form.1.len();
                Some((*form, &text[start..start + length], at..end))
            });
            if let Some((form, inner, span)) = found {
                let inner = inner.trim().trim_matches('-').trim();
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
                let end = inner.find(|c| !is_part(c)).unwrap_or(inner.len());
                let (name, rest) = inner.split_at(end);
                return Some(Self {
                    text,
                    span,
                    form,
                    inner,
                    name,
                    arguments: Arguments::of(rest),
                });
            }
            at += 1;
        }
    }

    /// Returns whether the tag is an end tag.
    pub fn is_end(&self) -> bool {
        self.name.starts_with('/') || self.name.starts_with("end")
    }

    /// Returns the text up to the next tag with the name `end`, and the byte offset after that tag.
    pub fn until(&self, end: &str) -> Option<(&'t str, usize)> {
        let mut at = self.span.end;
        loop {
            let tag = Tag::next(self.text, at, &[self.form])?;
            if tag.name == end || tag.inner.replace(' ', "") == end {
                return Some((&self.text[self.span.end..tag.span.start], tag.span.end));
            }
            at = tag.span.end;
        }
    }

    /// Removes the tag, the text after it, and the end tag with the name `end`.
    pub fn without_text(&self, end: &str) -> Replacement {
        self.until(end).map(|(_, end)| (String::new(), end))
    }

    pub fn line(&self) -> usize {
        self.text[..self.span.start].matches('\n').count()
    }

    /// Returns the first of these named arguments that exists, or else the positional argument at
    /// index `place`.
    pub fn argument(&self, names: &[&str], place: usize) -> Option<&str> {
        let named = names.iter().find_map(|name| self.arguments.get(name));
        named.or_else(|| self.arguments.plain.get(place).map(String::as_str))
    }

    /// Replaces the tag with a string.
    pub fn replacement(&self, text: impl Into<String>) -> Replacement {
        Some((text.into(), self.span.end))
    }

    /// Replaces the tag with a string. If the tag is alone on its line, the string becomes a
    /// separate paragraph.
    pub fn line_replacement(&self, text: &str) -> Replacement {
        let (before, after) = (&self.text[..self.span.start], &self.text[self.span.end..]);
        let (line, next) = (before.rsplit('\n').next(), after.split('\n').next());
        let is_alone = [line, next].into_iter().flatten().all(|part| part.trim().is_empty());
        if !is_alone {
            return self.replacement(text);
        }
        let start = if before.trim_end_matches(' ').ends_with("\n\n") || before.trim().is_empty() {
            ""
        } else {
            "\n"
        };
        let end = if after.trim_start_matches(' ').starts_with("\n\n") || after.trim().is_empty() {
            ""
        } else {
            "\n"
        };
        self.replacement(format!("{start}{text}{end}"))
    }

    /// Replaces everything from the tag to the end tag `end` by a code block.
    pub fn code_replacement(&self, info: &str, end: &str) -> Replacement {
        let (code, at) = self.until(end)?;
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2);
        let fence = "`".repeat(longest + 1);
        let line = |is_needed: bool| if is_needed { "\n" } else { "" };
        let before = line(!self.text[..self.span.start].ends_with('\n') && self.span.start > 0);
        let after = line(!self.text[at..].starts_with('\n') && at < self.text.len());
        let code = code.trim_start_matches([' ', '\t']);
        let code = code.strip_prefix('\n').unwrap_or(code).trim_end();
        Some((format!("{before}{fence}{info}\n{code}\n{fence}{after}"), at))
    }
}

impl Arguments {
    /// Parses arguments such as `"a" b c="d", e=f`, with or without parentheses.
    pub fn of(text: &str) -> Self {
        let mut found = Self::default();
        let mut rest = text.trim().trim_end_matches('/').trim();
        if let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            rest = inner;
        }
        let mut key: Option<String> = None;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            let Some(first) = rest.chars().next() else {
                break;
            };
            let (value, after) = match first {
                '"' | '\'' | '`' => quoted(&rest[1..], first),
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | ','));
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                    (word.to_owned(), after)
                }
            };
            if value.is_empty() && after.len() == rest.len() {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            rest = after;
            let next = rest.trim_start();
            if key.is_none() && next.starts_with('=') && !matches!(first, '"' | '\'' | '`') {
                rest = &next[1..];
                key = Some(value);
                continue;
            }
            match key.take() {
                Some(key) => found.named.push((key, value)),
                None => found.plain.push(value),
            }
        }
        found
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.named.iter();
        named.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Returns the string before the closing quote, and the text after the quote.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote != '`' => value.extend(chars.next().map(|(_, c)| c)),
            c if c == quote => return (value, &text[at + c.len_utf8()..]),
            c => value.push(c),
        }
    }
    (value, "")
}

/// Translates shortcodes that several generators or their plugins have: videos, posts on other
/// sites, pictures with captions.
pub fn common(tag: &Tag<'_>, name: &str) -> Replacement {
    let id = |names: &[&str]| tag.argument(names, 0).filter(|id| !id.is_empty());
    let address = match name {
        "youtube" => {
            let start = tag.argument(&["start", "t"], usize::MAX);
            let start = start.map_or_else(String::new, |start| format!("&t={start}"));
            format!("https://www.youtube.com/watch?v={}{start}", id(&["id", "video_id"])?)
        }
        "vimeo" => format!("https://vimeo.com/{}", id(&["id", "video_id"])?),
        "instagram" => format!("https://www.instagram.com/p/{}/", id(&["id"])?),
        "streamable" => format!("https://streamable.com/{}", id(&["id"])?),
        "gist" => match (id(&["url", "user"])?, tag.argument(&["id"], 1)) {
            (url, _) if url.starts_with("http") => url.to_owned(),
            (user, Some(id)) if !user.contains('/') => {
                format!("https://gist.github.com/{user}/{id}")
            }
            (id, _) => format!("https://gist.github.com/{id}"),
        },
        "tweet" | "twitter" | "x" => {
            match (tag.argument(&["user"], usize::MAX), id(&["id", "url"])?) {
                (_, url) if url.starts_with("http") => url.to_owned(),
                (Some(user), id) => format!("https://x.com/{user}/status/{id}"),
                (None, id) => format!("https://x.com/i/status/{id}"),
            }
        }
        "figure" => return figure(tag),
        _ => return None,
    };
    match tag.arguments.get("title") {
        Some(title) => tag.line_replacement(&format!("[{}]({address})", escaped(title))),
        None => tag.line_replacement(&address),
    }
}

fn escaped(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

/// Translates a picture with a caption: to Markdown if possible, otherwise to HTML.
fn figure(tag: &Tag<'_>) -> Replacement {
    let source = tag.argument(&["src"], 0)?;
    let get = |name| tag.arguments.get(name).unwrap_or_default();
    let (alt, title, caption) = (get("alt"), get("title"), get("caption"));
    let caption = match (title.is_empty(), caption.is_empty()) {
        (false, false) => format!("**{title}** {caption}"),
        _ => format!("{title}{caption}"),
    };
    let is_plain = tag
        .arguments
        .named
        .iter()
        .all(|(key, _)| matches!(&**key, "src" | "alt" | "title" | "caption"))
        && !caption.contains(['*', '[', '`', '<', '_', '\n']);
    if is_plain {
        let caption = match &*caption {
            "" => String::new(),
            caption => format!(" \"{}\"", caption.replace('"', "\\\"")),
        };
        let source = if source.contains([' ', '(', ')']) {
            format!("<{source}>")
        } else {
            source.to_owned()
        };
        return tag.line_replacement(&format!("![{}]({source}{caption})", escaped(alt)));
    }
    let attribute = |name: &str, value: &str| match value {
        "" => String::new(),
        value => format!(" {name}=\"{}\"", value.replace('&', "&amp;").replace('"', "&quot;")),
    };
    let sizes: String =
        ["width", "height", "loading"].map(|name| attribute(name, get(name))).concat();
    let alt = alt.replace('&', "&amp;").replace('"', "&quot;");
    let mut picture = format!("<img{} alt=\"{alt}\"{sizes}>", attribute("src", source));
    if !get("link").is_empty() {
        let link = ["target", "rel"].map(|name| attribute(name, get(name))).concat();
        picture = format!("<a{}{link}>{picture}</a>", attribute("href", get("link")));
    }
    let replacement = match (get("attr"), get("attrlink")) {
        ("", _) => String::new(),
        (name, "") => name.to_owned(),
        (name, link) => format!("[{}]({link})", escaped(name)),
    };
    let caption = [caption, replacement]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let caption = match &*caption {
        "" => String::new(),
        caption => format!("<figcaption>\n\n{caption}\n\n</figcaption>\n"),
    };
    tag.line_replacement(&format!(
        "<figure{}>\n{picture}\n{caption}</figure>",
        attribute("class", get("class"))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_arguments_are_parsed() {
        for text in [
            "a.jpg alt=\"A \\\"b\\\"\" n=3", "(\"a.jpg\", alt='A \"b\"', n = 3)",
            "`a.jpg`  alt=`A \"b\"`,n=3 /",
        ] {
            let found = Arguments::of(text);
            assert_eq!(found.plain, ["a.jpg"], "{text}");
            assert_eq!(found.get("ALT"), Some("A \"b\""), "{text}");
            assert_eq!(found.get("n"), Some("3"), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_split_into_tags_and_text(text in "[{}<>%a-c=\"'`/ \né,()-]{0,60}") {
            let forms = [("{{<", ">}}"), ("{{%", "%}}"), ("{{", "}}"), ("{%", "%}")];
            let (mut at, mut out) = (0, String::new());
            while let Some(tag) = Tag::next(&text, at, &forms) {
                assert!(tag.span.start >= at && tag.span.end > tag.span.start);
                tag.code_replacement("", "enda");
                common(&tag, "figure");
                out += &text[at..tag.span.end];
                at = tag.span.end;
            }
            assert_eq!(out + &text[at..], text);
        }
    }
}
