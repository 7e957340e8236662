//! Converts plain text and HTML from feeds.

use feeds::Text;
use fetch::Url;

use super::found::Body;
use source::html;

/// Resolves the references in HTML against a base address.
pub fn absolute(html: &str, base: Option<&Url>) -> String {
    let Some(base) = base.filter(|base| !base.cannot_be_a_base()) else {
        return html.to_owned();
    };
    html::rewrite(html, |_, reference, _| {
        let is_whole = Url::parse(reference).is_ok() || reference.starts_with('#');
        let joined = (!is_whole).then(|| base.join(reference).ok()).flatten();
        joined.map(|url| url.to_string())
    })
}

pub fn plain(text: Text) -> String {
    match text {
        Text::Plain(text) => text.trim().to_owned(),
        Text::Html(html) => html::text(&html).trim().to_owned(),
    }
}

pub fn with_lines(text: &str) -> String {
    let text = text.trim().replace("\r\n", "\n");
    let paragraphs = text.split("\n\n").map(|part| part.trim().replace('\n', "<br>"));
    let paragraphs: Vec<String> =
        paragraphs.filter(|part| !part.is_empty()).map(|part| format!("<p>{part}</p>")).collect();
    paragraphs.concat()
}

pub fn body(text: Option<Text>) -> Body {
    match text {
        None => Body::None,
        // HTML without tags is treated as plain text, so its line breaks are kept.
        Some(Text::Html(html)) if !html.contains('<') => Body::Html(with_lines(&html)),
        Some(Text::Html(html)) => Body::Html(html),
        Some(Text::Plain(text)) => Body::Html(with_lines(&escaped(&text))),
    }
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

pub fn has_tags(text: &Text) -> bool {
    matches!(text, Text::Html(html) if html.contains('<'))
}

/// Returns whether a summary only repeats the beginning of the content.
pub fn is_beginning_of(content: Option<&Text>, summary: &str) -> bool {
    let bare = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let (Some(content), summary) = (content, summary.trim_end_matches(['…', '.', ']', '[', ' ']))
    else {
        return false;
    };
    let summary = bare(summary);
    bare(&plain(content.clone())).starts_with(&summary)
}
