//! HTML from elsewhere, without what it must not do on a site: only what is listed here stays.
//!
//! It works on the tree that html5ever builds, so what it sees is what a browser sees. What it leaves holds no element whose
//! content a parser reads in another way (programs, styles, SVG, raw texts), so reading it again gives the same tree.

use std::collections::BTreeMap;

use crate::frames;
use crate::tokens::{Tag, Token, is_void};

/// Elements that stay.
const ELEMENTS: [&str; 83] = [
    "a",
    "abbr",
    "acronym",
    "address",
    "article",
    "aside",
    "audio",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "menu",
    "nav",
    "nobr",
    "ol",
    "p",
    "picture",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
];

/// Elements that go with all that is in them. Of others that are not listed, the contents stay.
const WITH_CONTENTS: [&str; 31] = [
    "applet",
    "base",
    "basefont",
    "bgsound",
    "button",
    "canvas",
    "datalist",
    "dialog",
    "embed",
    "fencedframe",
    "frame",
    "frameset",
    "head",
    "iframe",
    "isindex",
    "keygen",
    "label",
    "link",
    "meta",
    "noembed",
    "noframes",
    "optgroup",
    "option",
    "output",
    "param",
    "portal",
    "script",
    "select",
    "style",
    "svg",
    "template",
];

/// Elements of formulas (MathML Core), with texts but without HTML.
const MATH: [&str; 30] = [
    "math",
    "annotation",
    "maction",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "none",
    "semantics",
];

/// Attributes that any element may have.
const GLOBAL: [&str; 10] = [
    "class",
    "dir",
    "hidden",
    "id",
    "lang",
    "role",
    "style",
    "tabindex",
    "title",
    "translate",
];

/// Further attributes, by element.
const ATTRIBUTES: [(&str, &[&str]); 20] = [
    (
        "a",
        &[
            "download", "href", "hreflang", "name", "rel", "target", "type",
        ],
    ),
    ("audio", &["controls", "loop", "muted", "preload", "src"]),
    ("blockquote", &["cite"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("del", &["cite", "datetime"]),
    ("details", &["name", "open"]),
    ("div", &["align", "data-more", "data-ratio"]),
    ("figure", &["data-more", "data-ratio"]),
    ("font", &["color", "face", "size"]),
    (
        "img",
        &[
            "align",
            "alt",
            "border",
            "data-lazy-src",
            "data-orig-file",
            "data-original",
            "data-src",
            "decoding",
            "fetchpriority",
            "height",
            "hspace",
            "loading",
            "sizes",
            "src",
            "srcset",
            "vspace",
            "width",
        ],
    ),
    ("input", &["checked", "disabled", "type"]),
    ("ins", &["cite", "datetime"]),
    ("li", &["value"]),
    ("ol", &["reversed", "start", "type"]),
    ("source", &["media", "sizes", "src", "srcset", "type"]),
    ("time", &["datetime"]),
    ("track", &["default", "kind", "label", "src", "srclang"]),
    (
        "video",
        &[
            "controls",
            "height",
            "loop",
            "muted",
            "playsinline",
            "poster",
            "preload",
            "src",
            "width",
        ],
    ),
    ("q", &["cite"]),
];

const OF_CELLS: [&str; 8] = [
    "abbr", "align", "colspan", "headers", "rowspan", "scope", "valign", "width",
];

const OF_MATH: [&str; 20] = [
    "accent",
    "accentunder",
    "columnalign",
    "columnspacing",
    "depth",
    "display",
    "displaystyle",
    "encoding",
    "fence",
    "height",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "rowspacing",
    "rspace",
    "stretchy",
    "width",
];

/// Attributes that hold addresses.
const ADDRESSES: [&str; 9] = [
    "cite",
    "data-lazy-src",
    "data-orig-file",
    "data-original",
    "data-src",
    "href",
    "poster",
    "src",
    "srcset",
];

/// Schemes that lead to something to read, hear, see or write to.
const SCHEMES: [&str; 24] = [
    "http",
    "https",
    "mailto",
    "tel",
    "sms",
    "geo",
    "ftp",
    "ftps",
    "feed",
    "podcast",
    "pcast",
    "itpc",
    "webcal",
    "xmpp",
    "irc",
    "ircs",
    "matrix",
    "gemini",
    "gopher",
    "magnet",
    "nostr",
    "bitcoin",
    "lightning",
    // A reference to another text of the same source.
    "feedwright-import",
];

/// Properties of style that change how a text looks, and nothing around it.
const STYLES: [&str; 12] = [
    "background-color",
    "color",
    "direction",
    "font-style",
    "font-variant",
    "font-weight",
    "list-style-type",
    "text-align",
    "text-decoration",
    "text-indent",
    "unicode-bidi",
    "vertical-align",
];

/// What was removed, and how often.
pub type Removed = BTreeMap<String, usize>;

/// Leaves what may stay.
pub fn sanitize(tokens: Vec<Token>) -> (Vec<Token>, Removed) {
    let mut removed = Removed::new();
    let mut out = Vec::with_capacity(tokens.len());
    // Whether the end of each open element is written.
    let mut open: Vec<bool> = Vec::new();
    // How deep within an element that goes, and within a formula.
    let (mut gone, mut math) = (0_usize, 0_usize);
    for token in tokens {
        match token {
            Token::Start(tag) if gone > 0 => gone += usize::from(!is_void(&tag.name)),
            Token::End(_) if gone > 0 => gone -= 1,
            Token::Text(_) if gone > 0 => {}
            Token::Start(mut tag) => {
                let fate = fate(&tag, math > 0, out.last());
                let address = frames::address(&tag).filter(|_| math == 0);
                if fate != Fate::Stays && address.is_none() {
                    note(&mut removed, &tag);
                }
                if let Some(address) = address {
                    push_link(&mut out, &address);
                }
                match fate {
                    Fate::Goes => gone += usize::from(!is_void(&tag.name)),
                    Fate::Opens if is_void(&tag.name) => {}
                    Fate::Opens => open.push(false),
                    Fate::Stays => {
                        math += usize::from(math > 0 || tag.name == "math");
                        attributes(&mut tag, &mut removed);
                        if !is_void(&tag.name) {
                            open.push(true);
                        }
                        out.push(Token::Start(tag));
                    }
                }
            }
            Token::End(name) => {
                if open.pop() == Some(true) {
                    math = math.saturating_sub(1);
                    out.push(Token::End(name));
                }
            }
            Token::Text(text) => crate::tokens::push_text(&mut out, &text),
        }
    }
    (out, removed)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    /// Its contents stay.
    Opens,
    Goes,
}

fn fate(tag: &Tag, in_math: bool, before: Option<&Token>) -> Fate {
    let name = tag.name.as_str();
    if in_math || name == "math" {
        return if MATH.contains(&name) {
            Fate::Stays
        } else {
            Fate::Goes
        };
    }
    match name {
        // Boxes of a list of tasks.
        "input" if tag.attribute("type") == Some("checkbox") => Fate::Stays,
        "input" => Fate::Goes,
        // The picture for browsers that run no programs, behind one that a program loads.
        "noscript" if matches!(before, Some(Token::Start(tag)) if tag.name == "img") => Fate::Goes,
        "textarea" | "title" => Fate::Goes,
        name if ELEMENTS.contains(&name) || name == crate::tokens::MORE || name == "wbr" => {
            Fate::Stays
        }
        name if WITH_CONTENTS.contains(&name) => Fate::Goes,
        _ => Fate::Opens,
    }
}

/// Notes an element that goes. What only groups others says nothing.
fn note(removed: &mut Removed, tag: &Tag) {
    const SILENT: [&str; 6] = ["noscript", "html", "body", "hgroup", "o:p", "param"];
    let is_custom = tag.name.contains([':', '-']);
    if !SILENT.contains(&tag.name.as_str()) && !is_custom {
        *removed.entry(format!("<{}>", tag.name)).or_default() += 1;
    }
}

/// A link to what a frame shows.
fn push_link(out: &mut Vec<Token>, address: &str) {
    let tag = Tag {
        name: "a".to_owned(),
        attributes: vec![("href".to_owned(), address.to_owned())],
    };
    out.push(Token::Start(tag));
    out.push(Token::Text(address.to_owned()));
    out.push(Token::End("a".to_owned()));
}

fn attributes(tag: &mut Tag, removed: &mut Removed) {
    let name = tag.name.clone();
    let mut note = |what: String| *removed.entry(what).or_default() += 1;
    tag.attributes.retain_mut(|(key, value)| {
        if key.starts_with("on") {
            note(format!("the attribute {key}"));
            return false;
        }
        if !may_have(&name, key) {
            return false;
        }
        match key.as_str() {
            "style" => {
                *value = styles(value);
                return !value.is_empty();
            }
            "srcset" => {
                let all = value.split(", ").filter(|one| is_safe(one, false));
                *value = all.collect::<Vec<_>>().join(", ");
                return !value.is_empty();
            }
            _ => {}
        }
        let is_right = !ADDRESSES.contains(&key.as_str()) || is_safe(value, name == "img");
        if !is_right {
            let scheme = scheme(value).unwrap_or_default();
            note(format!("an address with {scheme}:"));
        }
        is_right
    });
}

fn may_have(name: &str, key: &str) -> bool {
    let of = |name: &str| ATTRIBUTES.iter().find(|(own, _)| *own == name);
    GLOBAL.contains(&key)
        || key.starts_with("aria-")
        || of(name).is_some_and(|(_, keys)| keys.contains(&key))
        || (matches!(name, "td" | "th") && OF_CELLS.contains(&key))
        || (key == "align"
            && matches!(
                name,
                "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "table" | "tr"
            ))
        || (key == "data-fn" && name == "sup")
        || (MATH.contains(&name) && OF_MATH.contains(&key))
}

/// The scheme of an address as browsers find it: they ignore what cannot be seen.
fn scheme(address: &str) -> Option<String> {
    let seen: String = address
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .collect();
    let end = seen.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))?;
    let is_scheme =
        seen[end..].starts_with(':') && seen.starts_with(|c: char| c.is_ascii_alphabetic());
    is_scheme.then(|| seen[..end].to_ascii_lowercase())
}

fn is_safe(address: &str, may_be_data: bool) -> bool {
    const PICTURES: [&str; 5] = ["png", "jpeg", "gif", "webp", "avif"];
    match scheme(address).as_deref() {
        None => true,
        Some("data") if may_be_data => {
            let kind = address
                .trim()
                .get(5..)
                .and_then(|rest| rest.strip_prefix("image/"));
            kind.is_some_and(|kind| {
                PICTURES
                    .iter()
                    .any(|own| kind.starts_with(&format!("{own};base64,")))
            })
        }
        Some(scheme) => SCHEMES.contains(&scheme),
    }
}

/// A style with those rules that may stay.
fn styles(style: &str) -> String {
    let is_value = |value: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " #%.,()-!".contains(c);
        let lower = value.to_ascii_lowercase();
        value.chars().all(is_plain)
            && !["url(", "expression(", "var("]
                .iter()
                .any(|call| lower.contains(call))
    };
    let rules = style.split(';').filter(|rule| {
        rule.split_once(':').is_some_and(|(name, value)| {
            STYLES.contains(&name.trim().to_ascii_lowercase().as_str()) && is_value(value.trim())
        })
    });
    rules.map(str::trim).collect::<Vec<_>>().join("; ")
}
