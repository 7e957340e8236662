//! Converts the cards of Ghost's editors to plain HTML.

use serde_json::Value;

use crate::json_value::{Keys, count, escape_html, list, table, take_bool, text};

/// HTML converted from Ghost's data, and messages about content that was left out.
#[derive(Debug, Default)]
pub struct ConvertedText {
    pub html: String,
    pub skipped: Vec<String>,
    /// Whether to leave out content that only members can see.
    is_public: bool,
    /// Whether a paywall was reached: all content after it is only for members.
    is_behind_paywall: bool,
}

impl ConvertedText {
    pub fn new(is_public: bool) -> Self {
        Self { is_public, ..Self::default() }
    }

    /// Adds HTML, unless it is behind a paywall.
    pub fn push(&mut self, html: &str) {
        if !self.is_behind_paywall {
            self.html += html;
        }
    }

    pub fn report_skipped(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.skipped.contains(&message) {
            self.skipped.push(message);
        }
    }

    /// Adds a card with this name and these fields. If the card cannot be converted, reports this
    /// in `skipped`.
    pub fn card(&mut self, name: &str, card_fields: Keys) {
        if matches!(name, "paywall" | "members-only") {
            if self.is_public {
                self.is_behind_paywall = true;
                self.report_skipped("the text behind the paywall was left out");
            }
            return;
        }
        if matches!(name, "email" | "email-cta") {
            return self.report_skipped(format!("a card `{name}` for e-mails only was left out"));
        }
        if self.is_public && is_for_members(name, &card_fields) {
            return self.report_skipped(format!("a card `{name}` for members only was left out"));
        }
        if name == "signup" {
            self.report_skipped("a form to subscribe by e-mail was left out");
        }
        let is_empty = !has_content(&card_fields);
        let html = card(name, card_fields);
        if html.is_empty() && !is_empty {
            self.report_skipped(format!("a card `{name}` is not supported; it was left out"));
        }
        self.push(&html);
    }
}

/// Fields that contain settings of a card, not content.
const SETTINGS: [&str; 4] = ["type", "version", "visibility", "cardWidth"];

/// Returns whether a card contains any text, number or list.
fn has_content(card_fields: &Keys) -> bool {
    let mut fields = card_fields.iter().filter(|(key, _)| !SETTINGS.contains(&key.as_str()));
    fields.any(|(_, value)| match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(table) => !table.is_empty(),
    })
}

/// Converts a card to HTML. For card types that are not handled here, only fields with well-known
/// names are converted.
fn card(name: &str, mut card_fields: Keys) -> String {
    let mut take = |key: &str| text(&mut card_fields, key).unwrap_or_default();
    match name {
        "image" => image(&mut card_fields),
        "html" => take("html"),
        "markdown" | "card-markdown" => markdown(&take("markdown")),
        "code" | "codeblock" => {
            let class = Some(take("language")).filter(|language| !language.is_empty());
            let class =
                class.map(|language| format!(" class=\"language-{}\"", escape_html(&language)));
            let code = escape_html(&take("code"));
            let code = format!("<pre><code{}>{code}</code></pre>", class.unwrap_or_default());
            match take("caption") {
                caption if caption.is_empty() => code,
                caption => format!("{code}<p>{caption}</p>"),
            }
        }
        "hr" | "horizontalrule" => "<hr>".to_owned(),
        "embed" => {
            let (html, url) = (take("html"), take("url"));
            let html = if html.is_empty() { link(&url, &url) } else { html };
            format!("{html}{}", paragraph(&take("caption")))
        }
        "bookmark" => bookmark(card_fields),
        "gallery" => gallery(card_fields),
        "audio" | "video" => {
            let player =
                format!("<{name} controls src=\"{}\"></{name}>", escape_html(&take("src")));
            // The title of a video or an audio file is plain text, but the caption is HTML.
            let (title, caption) = (escape_html(&take("title")), take("caption"));
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
                paragraph(&escape_html(&take("fileCaption")))
            )
        }
        "callout" => {
            let (emoji, text) = (take("calloutEmoji"), take("calloutText"));
            format!("<blockquote><p>{} {text}</p></blockquote>", escape_html(&emoji))
        }
        "toggle" => {
            let (heading, content) = (take("heading"), take("content"));
            format!("<details><summary>{heading}</summary>{content}</details>")
        }
        "button" => link(&take("buttonUrl"), &take("buttonText")),
        _ => convert_unknown(card_fields),
    }
}

/// Returns whether a card is hidden from visitors who are not members.
fn is_for_members(name: &str, card_fields: &Keys) -> bool {
    let rule = card_fields.get("visibility");
    let is = |value: Option<&Value>| value.and_then(Value::as_bool);
    let web = rule.and_then(|rule| rule.get("web"));
    let for_visitors = is(web.and_then(|web| web.get("nonMember")))
        // The fields that Ghost used up to version 5.103.
        .or_else(|| is(rule?.get("showOnWeb")))
        .or_else(|| is(rule?.get("emailOnly")).map(|only| !only))
        // All cards are visible by default, except this card.
        .unwrap_or(name != "transistor");
    !for_visitors
}

/// Converts fields with well-known names: headings, pictures, text and buttons. Used for product,
/// subscription, call-to-action and unknown cards.
fn convert_unknown(mut card_fields: Keys) -> String {
    // A disabled button or label still has its default text, which must not be shown.
    let mut is_off = |key: &str| card_fields.remove(key) == Some(Value::Bool(false));
    let has_buttons =
        !["buttonEnabled", "productButtonEnabled", "showButton"].map(&mut is_off).contains(&true);
    if is_off("hasSponsorLabel") {
        card_fields.remove("sponsorLabel");
    }
    let has_rating = take_bool(&mut card_fields, "productRatingEnabled");
    let stars = count(&mut card_fields, "productStarRating").filter(|_| has_rating);
    let mut take = |key: &str| text(&mut card_fields, key).unwrap_or_default();
    let mut out = ensure_paragraph(&take("sponsorLabel"));
    for key in ["header", "heading", "productTitle"] {
        let title = take(key);
        if !title.is_empty() {
            out += &format!("<h2>{title}</h2>");
        }
    }
    for key in ["productImageSrc", "imageUrl", "backgroundImageSrc"] {
        let src = take(key);
        if !src.is_empty() {
            out += &format!("<p>{}</p>", picture(&src, ""));
        }
    }
    if let Some(stars) = stars {
        out += &format!("<p>{stars}/5</p>");
    }
    for key in [
        "subheader", "subheading", "textValue", "productDescription", "text", "content", "html",
        "caption", "disclaimer",
    ] {
        out += &ensure_paragraph(&take(key));
    }
    for (text, url) in [("buttonText", "buttonUrl"), ("productButton", "productUrl")] {
        let (text, url) = (take(text), take(url));
        if has_buttons && !text.is_empty() && !url.is_empty() {
            out += &link(&url, &text);
        }
    }
    out
}

/// Wraps HTML in a paragraph if it does not begin with a tag.
fn ensure_paragraph(html: &str) -> String {
    match html.starts_with('<') {
        true => html.to_owned(),
        false => paragraph(html),
    }
}

fn bookmark(mut card_fields: Keys) -> String {
    let mut about = table(&mut card_fields, "metadata").unwrap_or_default();
    let mut take = |key: &str| text(&mut about, key).unwrap_or_default();
    let (title, description) = (take("title"), take("description"));
    let by = [take("author"), take("publisher")].map(|name| escape_html(&name));
    let by: Vec<String> = by.into_iter().filter(|name| !name.is_empty()).collect();
    let url = text(&mut card_fields, "url").or(Some(take("url"))).unwrap_or_default();
    let caption = text(&mut card_fields, "caption").unwrap_or_default();
    [
        link(&url, if title.is_empty() { &url } else { &title }),
        paragraph(&escape_html(&description)),
        paragraph(&by.join(", ")),
        paragraph(&caption),
    ]
    .concat()
}

fn gallery(mut card_fields: Keys) -> String {
    let mut out = String::new();
    for mut one in list(&mut card_fields, "images") {
        out += &image(&mut one);
    }
    out + &paragraph(&text(&mut card_fields, "caption").unwrap_or_default())
}

/// Converts a picture, with its link and caption.
fn image(card_fields: &mut Keys) -> String {
    let mut take = |key: &str| text(card_fields, key).unwrap_or_default();
    let src = take("src");
    if src.is_empty() {
        return String::new();
    }
    let (picture, href) = (picture(&src, &take("alt")), take("href"));
    let picture = match href.is_empty() {
        true => picture,
        false => format!("<a href=\"{}\">{picture}</a>", escape_html(&href)),
    };
    figure(&picture, &take("caption"))
}

/// Renders Markdown in the same way as Ghost.
pub fn markdown(text: &str) -> String {
    use pulldown_cmark::{Options, Parser, html};
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut out = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut out, Parser::new_ext(text, options));
    out
}

fn picture(src: &str, alt: &str) -> String {
    format!("<img src=\"{}\" alt=\"{}\">", escape_html(src), escape_html(alt))
}

/// Wraps HTML in a figure with a caption, or in a paragraph if the caption is empty. The caption is
/// also HTML.
fn figure(inner: &str, caption: &str) -> String {
    match caption.is_empty() {
        true => format!("<p>{inner}</p>"),
        false => format!("<figure>{inner}<figcaption>{caption}</figcaption></figure>"),
    }
}

fn link(url: &str, text: &str) -> String {
    format!("<p><a href=\"{}\">{}</a></p>", escape_html(url), escape_html(text))
}

/// Wraps HTML in a paragraph, unless it is empty.
fn paragraph(html: &str) -> String {
    match html.trim().is_empty() {
        true => String::new(),
        false => format!("<p>{html}</p>"),
    }
}
