//! Detection of other generators' template tags in a Markdown body.

use std::ops::Range;

use crate::linker::Linker;
use model::Rule;

/// The opening and closing delimiters of template tags.
const TAG_DELIMITERS: [(&str, &str); 3] = [("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}")];

/// Common tags by name, each with advice on the replacement.
const TAG_ADVICE: [(&[&str], &str); 9] = [
    (
        &["youtube", "vimeo", "peertube", "dailymotion", "tiktok", "twitch", "embed"],
        "write the address of the video on a separate line",
    ),
    (
        &["audio", "video", "mp3", "mp4"],
        "write a link to the file on a separate line: [description](walk.mp3)",
    ),
    (
        &["figure", "fig", "image", "img", "picture", "asset_img"],
        "write the picture in Markdown: ![alternative text](pier.jpg \"caption\")",
    ),
    (
        &["highlight", "prism", "code", "codeblock"],
        "write the code between two lines of ```, with its language after the first ```",
    ),
    (
        &["ref", "relref", "link", "post_url", "post_link"],
        "link to the file, [text](../other.md), or to its name, [[other]]",
    ),
    (
        &[
            "gist", "tweet", "twitter", "x", "instagram", "mastodon", "bluesky", "codepen",
            "jsfiddle", "spotify", "soundcloud",
        ],
        "write a link to it: [description](https://…)",
    ),
    (
        &[
            "note", "tip", "info", "hint", "notice", "alert", "admonition", "callout", "important",
            "warning", "caution",
        ],
        "write a block quote that starts with > [!NOTE]",
    ),
    (
        &["details", "expand", "collapse", "spoiler"],
        "write HTML: <details><summary>Title</summary> … </details>",
    ),
    (&["toc", "raw", "comment"], "remove the tag"),
];

/// Returns whether a body may contain template tags.
pub fn has_tags(body: &str) -> bool {
    let opens = |at: usize| TAG_DELIMITERS.iter().any(|(open, _)| body[at..].starts_with(open));
    body.match_indices('{').any(|(at, _)| opens(at))
}

/// Warns about template tags in a range of the file, which readers would see as plain text.
pub fn warn(linker: &Linker<'_, '_>, range: Range<usize>) {
    const MAX_TAG_LENGTH: usize = 2000;
    let text = &linker.reader.source.text;
    let Range { start, end } = range;
    for (at, _) in text[start..end].match_indices('{') {
        let found = &text[start + at..];
        let found = &found[..found.floor_char_boundary(MAX_TAG_LENGTH)];
        let is_inner = at > 0 && text[..start + at].ends_with('{');
        let inner = |(open, close): &(&str, &str)| {
            let (inner, _) = found.strip_prefix(open)?.split_once(close)?;
            Some(tag_advice(inner))
        };
        if let Some(help) = TAG_DELIMITERS.iter().find_map(inner).filter(|_| !is_inner) {
            linker.reader.warning(
                Rule::ForeignSyntax,
                &(start + at..start + at),
                "this is a template tag of another generator: readers see it as plain text",
                help,
            );
        }
    }
}

/// Returns advice on how to replace a tag. `tag` is the text between the delimiters.
fn tag_advice(tag: &str) -> String {
    let tag = tag.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '/'));
    let (name, arguments) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let is_named = |(names, _): &&(&[&str], &str)| {
        names.iter().any(|own| *own == name || name.strip_prefix("end") == Some(own))
    };
    let help = TAG_ADVICE.iter().find(is_named).map(|(_, help)| *help);
    let help = help.unwrap_or(
        "write its content in Markdown or HTML, or put the tag between backticks to show it",
    );
    match address(name, arguments) {
        Some(address) => format!("{help}: {address}"),
        None => help.to_owned(),
    }
}

/// Returns the address of the video that a tag embeds by its id.
fn address(name: &str, arguments: &str) -> Option<String> {
    let host = match name {
        "youtube" => "https://youtu.be/",
        "vimeo" => "https://vimeo.com/",
        _ => return None,
    };
    let argument = match arguments.split_once("id=") {
        Some((_, rest)) => rest,
        None => arguments,
    };
    let id = argument.split_whitespace().next()?.trim_matches(['"', '\'']);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (!id.is_empty() && id.chars().all(is_plain)).then(|| format!("{host}{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_tags_have_advice() {
        for (tag, help) in [
            (" youtube w7Ft2ymGmfc ", "separate line: https://youtu.be/w7Ft2ymGmfc"),
            (" youtube id=\"w7F\" autoplay=\"true\" ", "separate line: https://youtu.be/w7F"),
            (" vimeo 146022717 ", "separate line: https://vimeo.com/146022717"),
            (" youtube \"<b>\" ", "the video on a separate line"),
            (" figure src=\"a.jpg\" ", "![alternative text](pier.jpg \"caption\")"),
            (" /highlight ", "two lines of ```"),
            ("- endhighlight -", "two lines of ```"),
            (" post_url 2024-01-01-x ", "[[other]]"),
            (" gist them 1 ", "a link to it"),
            (" if page.x ", "in Markdown or HTML"),
            ("", "in Markdown or HTML"),
        ] {
            assert!(tag_advice(tag).contains(help), "{tag}: {}", tag_advice(tag));
        }
    }
}
