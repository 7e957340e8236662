//! Sanitizes untrusted HTML. Only the elements and attributes listed here are kept.
//!
//! The sanitizer works on the tree that html5ever builds, so it sees the same elements as a
//! browser. The result contains no elements with special parsing rules (scripts, styles, SVG, raw
//! text), so parsing the result again produces the same tree.

use std::collections::BTreeMap;

use crate::frames;
use crate::tokens::{MORE_ELEMENT, Tag, Token, contains_word, is_void, push_text};

/// Elements that are kept.
const ALLOWED_ELEMENTS: &str = "a abbr acronym address article aside audio b bdi bdo big blockquote br caption center cite code col \
    colgroup dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header \
    hr i img ins kbd li main mark menu nav nobr ol p picture pre q rp rt ruby s samp section small \
    source span strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var \
    video wbr";

/// Elements that are removed with their contents. Other unlisted elements are removed, but their
/// contents are kept.
const REMOVED_WITH_CONTENTS: &str = "applet base basefont bgsound button canvas datalist dialog embed fencedframe frame frameset head \
    iframe input isindex keygen label link meta noembed noframes optgroup option output param portal script \
    select style svg template textarea title";

/// MathML Core elements that contain text but no HTML.
const MATH: &str = "math annotation maction merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot \
    mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics";

/// Attributes that are kept on every element.
const GLOBAL_ATTRIBUTES: &str = "class dir hidden id lang role style tabindex title translate";

/// Attributes that are kept only on specific elements: names of elements, and names of their
/// attributes.
const ATTRIBUTES: [(&str, &str); 21] = [
    ("a", "download href hreflang name rel target type"),
    ("audio", "controls loop muted preload src"),
    ("blockquote q", "cite"),
    ("col colgroup", "span"),
    ("del ins", "cite datetime"),
    ("details", "name open"),
    ("div", "align data-more data-ratio"),
    ("figure", "data-more data-ratio"),
    ("font", "color face size"),
    ("img", IMG_ATTRIBUTES),
    ("input", "checked disabled type"),
    ("li", "value"),
    ("ol", "reversed start type"),
    ("p h1 h2 h3 h4 h5 h6 table tr", "align"),
    ("source", "media sizes src srcset type"),
    ("sup", "data-fn"),
    ("td th", "abbr align colspan headers rowspan scope valign width"),
    ("time", "datetime"),
    ("track", "default kind label src srclang"),
    ("video", "controls height loop muted playsinline poster preload src width"),
    (MATH, MATH_ATTRIBUTES),
];

const IMG_ATTRIBUTES: &str = "align alt border data-lazy-src data-orig-file data-original data-src decoding fetchpriority height \
    hspace loading sizes src srcset vspace width";

const MATH_ATTRIBUTES: &str = "accent accentunder columnalign columnspacing depth display displaystyle encoding fence height \
    linethickness lspace mathvariant maxsize minsize movablelimits rowspacing rspace stretchy width";

/// Attributes that contain URLs.
const URL_ATTRIBUTES: &str =
    "cite data-lazy-src data-orig-file data-original data-src href poster src srcset";

/// URL schemes that are safe to open. The importer uses `feedwright-import` for links between
/// imported items.
const SCHEMES: &str = "http https mailto tel sms geo ftp ftps feed podcast pcast itpc webcal xmpp irc ircs matrix gemini \
    gopher magnet nostr bitcoin lightning feedwright-import";

/// CSS properties that affect only the appearance of text.
const ALLOWED_STYLES: &str = "background-color color direction font-style font-variant font-weight list-style-type text-align \
    text-decoration text-indent unicode-bidi vertical-align";

/// Descriptions of the removed elements, attributes and URLs, each with the number of removals.
pub type Removed = BTreeMap<String, usize>;

/// Removes everything that is not in the lists above. Returns the remaining tokens and the counts
/// of removals.
pub fn sanitize(tokens: Vec<Token>) -> (Vec<Token>, Removed) {
    let mut removed = Removed::new();
    let mut out = Vec::with_capacity(tokens.len());
    // For each open element, whether the element is kept.
    let mut open: Vec<bool> = Vec::new();
    // The nesting depth within an element that is removed with its contents, and within a formula.
    let (mut gone, mut math) = (0_usize, 0_usize);
    for token in tokens {
        match token {
            Token::Start(tag) if gone > 0 => gone += usize::from(!is_void(&tag.name)),
            Token::End(_) if gone > 0 => gone -= 1,
            Token::Text(_) if gone > 0 => {}
            Token::Start(mut tag) => {
                let element_action = element_action(&tag, math > 0, out.last());
                let address = frames::address(&tag).filter(|_| math == 0);
                if element_action != ElementAction::Stays && address.is_none() {
                    count_removed(&mut removed, &tag);
                }
                if let Some(address) = address {
                    push_link(&mut out, &address);
                }
                match element_action {
                    ElementAction::Goes => gone += usize::from(!is_void(&tag.name)),
                    ElementAction::Opens if is_void(&tag.name) => {}
                    ElementAction::Opens => open.push(false),
                    ElementAction::Stays => {
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
            Token::Text(text) => push_text(&mut out, &text),
        }
    }
    (out, removed)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementAction {
    Stays,
    /// The element is removed, but its contents stay.
    Opens,
    Goes,
}

fn element_action(tag: &Tag, in_math: bool, before: Option<&Token>) -> ElementAction {
    let name = tag.name.as_str();
    if in_math || name == "math" {
        return if contains_word(MATH, name) { ElementAction::Stays } else { ElementAction::Goes };
    }
    match name {
        // Checkboxes are kept for task lists.
        "input" if tag.attribute("type") == Some("checkbox") => ElementAction::Stays,
        // A fallback for browsers without scripts is removed if it repeats the preceding picture.
        "noscript" if before.is_some_and(|before| before.is_start("img")) => ElementAction::Goes,
        _ if contains_word(ALLOWED_ELEMENTS, name) || name == MORE_ELEMENT => ElementAction::Stays,
        _ if contains_word(REMOVED_WITH_CONTENTS, name) => ElementAction::Goes,
        _ => ElementAction::Opens,
    }
}

/// Counts a removed element. Custom elements and elements that only group other elements are not
/// counted.
fn count_removed(removed: &mut Removed, tag: &Tag) {
    let is_custom = tag.name.contains([':', '-']);
    if !contains_word("noscript html body hgroup param", &tag.name) && !is_custom {
        *removed.entry(format!("<{}>", tag.name)).or_default() += 1;
    }
}

/// Adds a link to the page that a frame embeds.
fn push_link(out: &mut Vec<Token>, address: &str) {
    let link = Token::Start(Tag::with("a", "href", address));
    out.extend([link, Token::Text(address.to_owned()), Token::end("a")]);
}

fn attributes(tag: &mut Tag, removed: &mut Removed) {
    let name = tag.name.clone();
    let mut count_removed = |what: String| *removed.entry(what).or_default() += 1;
    tag.attributes.retain_mut(|(key, value)| {
        if key.starts_with("on") {
            count_removed(format!("the attribute {key}"));
            return false;
        }
        if !is_allowed_attribute(&name, key) {
            return false;
        }
        match key.as_str() {
            "style" => {
                *value = filter_styles(value);
                return !value.is_empty();
            }
            "srcset" => {
                let all = value.split(", ").filter(|one| is_safe(one, false));
                *value = all.collect::<Vec<_>>().join(", ");
                return !value.is_empty();
            }
            _ => {}
        }
        let is_right = !contains_word(URL_ATTRIBUTES, key) || is_safe(value, name == "img");
        if !is_right {
            let scheme = scheme(value).unwrap_or_default();
            count_removed(format!("an address with {scheme}:"));
        }
        is_right
    });
}

fn is_allowed_attribute(name: &str, key: &str) -> bool {
    let own = ATTRIBUTES.iter().filter(|(elements, _)| contains_word(elements, name));
    key.starts_with("aria-")
        || contains_word(GLOBAL_ATTRIBUTES, key)
        || own.into_iter().any(|(_, keys)| contains_word(keys, key))
}

/// Returns the scheme of a URL, ignoring control characters and whitespace as browsers do.
fn scheme(address: &str) -> Option<String> {
    let seen: String = address.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let end = seen.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))?;
    let is_scheme =
        seen[end..].starts_with(':') && seen.starts_with(|c: char| c.is_ascii_alphabetic());
    is_scheme.then(|| seen[..end].to_ascii_lowercase())
}

fn is_safe(address: &str, may_be_data: bool) -> bool {
    const DATA_PICTURE_TYPES: [&str; 5] = ["png", "jpeg", "gif", "webp", "avif"];
    match scheme(address).as_deref() {
        None => true,
        Some("data") if may_be_data => {
            let kind = address.trim().get(5..).and_then(|rest| rest.strip_prefix("image/"));
            kind.is_some_and(|kind| {
                DATA_PICTURE_TYPES.iter().any(|own| kind.starts_with(&format!("{own};base64,")))
            })
        }
        Some(scheme) => contains_word(SCHEMES, scheme),
    }
}

/// Removes all declarations from a style that are not allowed.
fn filter_styles(style: &str) -> String {
    let is_value = |value: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " #%.,()-!".contains(c);
        let lower = value.to_ascii_lowercase();
        value.chars().all(is_plain)
            && !["url(", "expression(", "var("].iter().any(|call| lower.contains(call))
    };
    let rules = style.split(';').filter(|rule| {
        rule.split_once(':').is_some_and(|(name, value)| {
            contains_word(ALLOWED_STYLES, &name.trim().to_ascii_lowercase())
                && is_value(value.trim())
        })
    });
    rules.map(str::trim).collect::<Vec<_>>().join("; ")
}
