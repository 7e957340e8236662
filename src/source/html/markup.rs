//! Finds faults in a page's markup. These checks need only the HTML of the page.

use std::collections::HashSet;

use html5gum::{StartTag, Token};

use super::tokens;

/// A fault in a page's markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkupFault {
    /// The byte offset of the start of the tag.
    pub at: usize,
    /// Whether unescaped text caused the fault.
    pub is_of_text: bool,
    pub message: String,
    pub help: &'static str,
}

/// Elements without an end tag.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Elements whose end tag may be left out (HTML Living Standard, section 13.1.2.4).
const OPTIONAL_END: [&str; 18] = [
    "html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup",
    "caption", "thead", "tbody", "tfoot", "tr", "td",
];

/// The open elements, and the ids and faults found so far.
#[derive(Default)]
struct Markup {
    open: Vec<(String, usize)>,
    ids: HashSet<Vec<u8>>,
    found: Vec<MarkupFault>,
}

/// Returns the faults in a page: unclosed elements, end tags without a start tag, duplicate ids,
/// pictures without `alt`, links inside links, and elements named `hostile`. Only unescaped text
/// can create such an element.
pub fn markup_faults(html: &str, hostile: &str) -> Vec<MarkupFault> {
    let mut markup = Markup::default();
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) => markup.start(&tag, hostile),
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name);
                markup.end(&name, tag.span.start);
            }
            _ => {}
        }
    }
    for (name, at) in std::mem::take(&mut markup.open) {
        markup.unclosed(&name, at);
    }
    markup.found.sort_by_key(|fault| fault.at);
    markup.found
}

impl Markup {
    fn fault(&mut self, at: usize, message: String, help: &'static str) {
        let is_of_text = false;
        self.found.push(MarkupFault { at, is_of_text, message, help });
    }

    fn start(&mut self, tag: &StartTag<usize>, hostile: &str) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let at = tag.span.start;
        if name == hostile {
            let help = "write the name in double braces, which escape HTML: {{title}}; in an attribute, put quotes around it";
            self.found.push(MarkupFault {
                at,
                is_of_text: true,
                message: "text of the site is inserted here as unescaped HTML".to_owned(),
                help,
            });
            return;
        }
        if let Some(id) = tag.attributes.get(b"id".as_slice())
            && !self.ids.insert(id.value.to_vec())
        {
            let id = String::from_utf8_lossy(&id.value);
            let help = "give each element a different id: links and labels find only the first";
            self.fault(at, format!("duplicate id {id:?}"), help);
        }
        let is_odd = |name: &[u8]| name.iter().any(|byte| b"\"'<&".contains(byte));
        if tag.attributes.keys().any(|name| is_odd(name)) {
            let help = "put quotes around each value: <a href=\"{{url}}\">";
            self.fault(at, "this tag has an invalid attribute name".to_owned(), help);
        }
        if name == "img" && !tag.attributes.contains_key(b"alt".as_slice()) {
            let help =
                "describe the picture, or write alt=\"\" if the text next to it already does";
            self.fault(at, "this picture has no `alt`".to_owned(), help);
        }
        if name == "a" && self.open.iter().any(|(open, _)| open == "a") {
            let help = "close the outer link before this one, as browsers do";
            self.fault(at, "this link is inside another link".to_owned(), help);
        }
        let is_foreign = self.open.iter().any(|(open, _)| open == "svg" || open == "math");
        let is_closed = tag.self_closing && (is_foreign || name == "svg" || name == "math");
        if !is_closed && !VOID.contains(&name.as_str()) {
            self.open.push((name, at));
        }
    }

    fn end(&mut self, name: &str, at: usize) {
        if VOID.contains(&name) {
            return self.fault(at, format!("</{name}> has no opening tag"), "remove it");
        }
        let Some(from) = self.open.iter().rposition(|(open, _)| open == name) else {
            // Unescaped text may cause further faults, which are not reported.
            if self.found.iter().any(|fault| fault.is_of_text) {
                return;
            }
            return self.fault(
                at,
                format!("</{name}> has no opening tag"),
                "remove it, or add the opening tag",
            );
        };
        for (name, at) in self.open.split_off(from).into_iter().skip(1) {
            self.unclosed(&name, at);
        }
    }

    fn unclosed(&mut self, name: &str, at: usize) {
        if !OPTIONAL_END.contains(&name) && name != "th" {
            let help = "add the closing tag before the end of the surrounding element";
            self.fault(at, format!("<{name}> is not closed"), help);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> Vec<(usize, String)> {
        let found = markup_faults(html, "x-hostile");
        found.into_iter().map(|fault| (fault.at, fault.message)).collect()
    }

    #[test]
    fn good_markup_has_no_fault() {
        let good = "<!doctype html><html><head><title>a < b</title><script>if (a</b/.c) {}</script></head>\
            <body><ul><li>a<li>b</ul><p>x<br>y<img src=a alt=\"\"><svg><path d=\"\"/><g><circle/></g></svg>\
            <!-- <b> --><a href=/>a</a><a href=/>b</a><table><tr><td>a</table></body></html>";
        assert_eq!(found(good), []);
    }

    #[test]
    fn each_fault_is_found_where_its_tag_starts() {
        let one = |html: &str, at, message: &str| {
            assert_eq!(found(html), [(at, message.to_owned())], "{html}")
        };
        one("<div><span>a</div>", 5, "<span> is not closed");
        one("<main>", 0, "<main> is not closed");
        one("a</div>", 1, "</div> has no opening tag");
        one("<p><img src=a>", 3, "this picture has no `alt`");
        one("<p id=a></p><p id=\"a\"></p>", 12, "duplicate id \"a\"");
        one("<a href=/><a href=/>b</a></a>", 10, "this link is inside another link");
        one(
            "<p title=\"\"><x-hostile>\">",
            12,
            "text of the site is inserted here as unescaped HTML",
        );
        one("<div/>", 0, "<div> is not closed");
    }
}
