//! Cards of Ghost's editors, as plain HTML.

use serde_json::Value;

use crate::json_value::{Keys, escaped, list, table, text};

/// A card by its name and what it holds. Texts of a card that nobody knows are kept as paragraphs.
pub fn card(name: &str, mut held: Keys) -> String {
    if is_hidden(name, &held) {
        return String::new();
    }
    let mut take = |key: &str| text(&mut held, key).unwrap_or_default();
    match name {
        "image" => {
            let picture = picture(&take("src"), &take("alt"));
            let href = take("href");
            let picture = match href.is_empty() {
                true => picture,
                false => format!("<a href=\"{}\">{picture}</a>", escaped(&href)),
            };
            figure(&picture, &take("caption"))
        }
        "html" => take("html"),
        "markdown" | "card-markdown" => markdown(&take("markdown")),
        "code" | "codeblock" => {
            let class = Some(take("language")).filter(|language| !language.is_empty());
            let class = class.map(|language| format!(" class=\"language-{}\"", escaped(&language)));
            let code = escaped(&take("code"));
            let code = format!(
                "<pre><code{}>{code}</code></pre>",
                class.unwrap_or_default()
            );
            match take("caption") {
                caption if caption.is_empty() => code,
                caption => format!("{code}<p>{caption}</p>"),
            }
        }
        "hr" | "horizontalrule" => "<hr>".to_owned(),
        "embed" => {
            let (html, url) = (take("html"), take("url"));
            let html = if html.is_empty() {
                link(&url, &url)
            } else {
                html
            };
            format!("{html}{}", paragraph(&take("caption")))
        }
        "bookmark" => bookmark(held),
        "gallery" => gallery(held),
        "audio" | "video" => {
            let player = format!(
                "<{name} controls src=\"{}\"></{name}>",
                escaped(&take("src"))
            );
            // The title of a recording is a text, the caption of a film is HTML.
            let (title, caption) = (escaped(&take("title")), take("caption"));
            let caption = if caption.is_empty() { title } else { caption };
            figure(&player, &caption)
        }
        "file" => {
            let title = match (take("fileTitle"), take("fileName")) {
                (title, name) if title.is_empty() => name,
                (title, _) => title,
            };
            format!(
                "{}{}",
                link(&take("src"), &title),
                paragraph(&escaped(&take("fileCaption")))
            )
        }
        "callout" => {
            let (emoji, text) = (take("calloutEmoji"), take("calloutText"));
            format!("<blockquote><p>{} {text}</p></blockquote>", escaped(&emoji))
        }
        "toggle" => {
            let (heading, content) = (take("heading"), take("content"));
            format!("<details><summary>{heading}</summary>{content}</details>")
        }
        "button" => link(&take("buttonUrl"), &take("buttonText")),
        "paywall" | "members-only" => String::new(),
        _ => unknown(held),
    }
}

/// Whether a card is hidden from the public page: it is for emails or for members.
pub fn is_hidden(name: &str, held: &Keys) -> bool {
    let on_web = || {
        let rule = held.get("visibility")?;
        let shown = rule.get("web").and_then(|web| web.get("nonMember"));
        // The form until Ghost 5.103.
        shown.or_else(|| rule.get("showOnWeb"))?.as_bool()
    };
    matches!(name, "email" | "email-cta") || on_web() == Some(false)
}

/// Cards of letters, products and subscriptions: their headings, texts and buttons.
fn unknown(mut held: Keys) -> String {
    let mut take = |key: &str| text(&mut held, key).unwrap_or_default();
    let mut out = String::new();
    for key in ["header", "heading", "productTitle"] {
        let title = take(key);
        if !title.is_empty() {
            out += &format!("<h2>{title}</h2>");
        }
    }
    for key in ["productImageSrc", "imageUrl"] {
        let src = take(key);
        if !src.is_empty() {
            out += &format!("<p>{}</p>", picture(&src, ""));
        }
    }
    for key in [
        "subheader",
        "subheading",
        "textValue",
        "productDescription",
        "text",
        "content",
        "html",
        "caption",
        "disclaimer",
    ] {
        let text = take(key);
        out += &if text.starts_with('<') {
            text
        } else {
            paragraph(&text)
        };
    }
    for (text, url) in [("buttonText", "buttonUrl"), ("productButton", "productUrl")] {
        let (text, url) = (take(text), take(url));
        if !text.is_empty() {
            out += &link(&url, &text);
        }
    }
    out
}

fn bookmark(mut held: Keys) -> String {
    let mut about = table(&mut held, "metadata").unwrap_or_default();
    let mut take = |key: &str| text(&mut about, key).unwrap_or_default();
    let (title, description) = (take("title"), take("description"));
    let by = [take("author"), take("publisher")].map(|name| escaped(&name));
    let by: Vec<String> = by.into_iter().filter(|name| !name.is_empty()).collect();
    let url = text(&mut held, "url")
        .or(Some(take("url")))
        .unwrap_or_default();
    let caption = text(&mut held, "caption").unwrap_or_default();
    [
        link(&url, if title.is_empty() { &url } else { &title }),
        paragraph(&escaped(&description)),
        paragraph(&by.join(", ")),
        paragraph(&caption),
    ]
    .concat()
}

fn gallery(mut held: Keys) -> String {
    let mut out = String::new();
    for mut one in list(&mut held, "images") {
        let mut take = |key: &str| text(&mut one, key).unwrap_or_default();
        out += &figure(&picture(&take("src"), &take("alt")), &take("caption"));
    }
    out + &paragraph(&text(&mut held, "caption").unwrap_or_default())
}

/// Markdown as Ghost renders it.
pub fn markdown(text: &str) -> String {
    use pulldown_cmark::{Options, Parser, html};
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut out = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut out, Parser::new_ext(text, options));
    out
}

fn picture(src: &str, alt: &str) -> String {
    format!("<img src=\"{}\" alt=\"{}\">", escaped(src), escaped(alt))
}

/// With a caption, which is HTML.
fn figure(inner: &str, caption: &str) -> String {
    match caption.is_empty() {
        true => format!("<p>{inner}</p>"),
        false => format!("<figure>{inner}<figcaption>{caption}</figcaption></figure>"),
    }
}

fn link(url: &str, text: &str) -> String {
    format!("<p><a href=\"{}\">{}</a></p>", escaped(url), escaped(text))
}

/// One of HTML.
fn paragraph(html: &str) -> String {
    match html.trim().is_empty() {
        true => String::new(),
        false => format!("<p>{html}</p>"),
    }
}

/// A card that an editor names with what it holds.
pub fn named(value: &Value) -> Option<String> {
    let [Value::String(name), Value::Object(held)] = value.as_array()?.as_slice() else {
        return None;
    };
    Some(card(name, held.clone()))
}
