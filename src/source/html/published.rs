//! The addresses in all elements of a published page, and the ids that links can refer to.

use std::borrow::Cow;

use super::addresses::{ADDRESSES, next_tag, next_value, raw_text, value_of};
use super::srcset_candidates;
use crate::css::css_addresses;

/// An address in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The byte offset of the address in the document.
    pub at: usize,
    pub text: String,
}

/// The addresses of a page, and its link targets.
#[derive(Debug, Default)]
pub struct PageAddresses {
    pub addresses: Vec<Address>,
    /// The ids of elements, and the `name` attributes of links.
    pub ids: Vec<String>,
    /// The base of relative addresses, from the page's `<base>`.
    pub base: Option<String>,
}

/// Returns the addresses and ids of a page. Comments and the text of scripts are skipped.
pub fn page_addresses(html: &str) -> PageAddresses {
    let mut found = PageAddresses::default();
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        let text = &html[tag.clone()];
        found.read_tag(text, tag.start);
        at = tag.end;
        let raw = raw_text(text, &html[at..]);
        if is_named(text, "style") {
            found.add_css(&html[at..at + raw], at);
        }
        at += raw;
    }
    found
}

impl PageAddresses {
    fn read_tag(&mut self, tag: &str, start: usize) {
        let mut from = 1;
        while let Some((name, value)) = next_value(tag, from) {
            from = value.end;
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            let written = &tag[value.clone()];
            let text = value_of(written);
            let at = start + value.start + usize::from(written.starts_with(['"', '\'']));
            if is("id") || (is("name") && is_named(tag, "a")) {
                self.ids.push(text.into_owned());
            } else if is("srcset") || is("imagesrcset") {
                for (offset, one) in srcset_candidates(&text) {
                    let offset = if text.len() + 2 >= written.len() { offset } else { 0 };
                    self.add(at + offset, one.into());
                }
            } else if is("style") {
                self.add_css(&text, at);
            } else if is("content") && is_named(tag, "meta") {
                if let Some((offset, target)) = refresh_target(tag, &text) {
                    self.add(at + offset, target.into());
                } else if is_picture_of_card(tag) {
                    self.add(at, text.trim().into());
                }
            } else if is("href") && is_named(tag, "base") {
                self.base.get_or_insert(text.trim().to_owned());
            } else if !is("cite") && ADDRESSES.iter().any(|one| is(one)) {
                self.add(at, text.trim().into());
            }
        }
    }

    fn add(&mut self, at: usize, text: Cow<'_, str>) {
        if !text.is_empty() {
            let text = text.into_owned();
            self.addresses.push(Address { at, text });
        }
    }

    fn add_css(&mut self, css: &str, start: usize) {
        for (at, address) in css_addresses(css) {
            // An address that begins with `#` refers to an element of the page itself, such as an
            // SVG filter.
            if !address.starts_with('#') {
                self.add(start + at, address.into());
            }
        }
    }
}

/// Returns whether a tag has this name.
fn is_named(tag: &str, name: &str) -> bool {
    let own = tag[1..].split(|c: char| !c.is_ascii_alphanumeric()).next();
    own.is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// Returns whether a `<meta>` tag refers to a file that apps show in a preview of the page.
fn is_picture_of_card(tag: &str) -> bool {
    const CARD_MEDIA_NAMES: [&str; 8] = [
        "og:image", "og:image:url", "og:image:secure_url", "og:audio", "og:video", "twitter:image",
        "twitter:player", "msapplication-tileimage",
    ];
    let mut from = 1;
    while let Some((name, value)) = next_value(tag, from) {
        from = value.end;
        let is_name = name.eq_ignore_ascii_case("property") || name.eq_ignore_ascii_case("name");
        let value = value_of(&tag[value]);
        if is_name && CARD_MEDIA_NAMES.iter().any(|own| own.eq_ignore_ascii_case(value.trim())) {
            return true;
        }
    }
    false
}

/// Returns the target of a `<meta http-equiv="refresh">`, with its byte offset in `content`.
fn refresh_target<'t>(tag: &str, content: &'t str) -> Option<(usize, &'t str)> {
    let lower = tag.to_ascii_lowercase();
    if !(lower.contains("http-equiv") && lower.contains("refresh")) {
        return None;
    }
    let at = content.to_ascii_lowercase().find("url=")? + 4;
    let target = content[at..].trim().trim_matches(['"', '\'']);
    Some((at, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> Vec<String> {
        let found = page_addresses(html).addresses;
        for address in &found {
            let here = &html[address.at..];
            let start = address.text.split('&').next().unwrap_or_default();
            assert!(here.trim_start().starts_with(start), "{here} {address:?}");
        }
        found.into_iter().map(|address| address.text).collect()
    }

    #[test]
    fn every_kind_of_address_is_found_at_its_offset() {
        for (html, expected) in [
            ("<link rel=stylesheet href='/a.css'><script src=/b.js></script>", "/a.css /b.js"),
            ("<script>'<img src=x>'</script><!-- <img src=y> --><img src=z>", "z"),
            ("<img src=a srcset='b 1x, c 2x,d'>", "a b c d"),
            (
                "<source srcset=\"data:image/png;base64,AAA= 1x, e.webp 640w\">",
                "data:image/png;base64,AAA= e.webp",
            ),
            ("<form action='/f?x=1&amp;y=2'><button formaction=g></button></form>", "/f?x=1&y=2 g"),
            ("<video poster=p src=v><track src=t></video><object data=o></object>", "p v t o"),
            ("<svg><use href='#i'/><image xlink:href=j /></svg>", "#i j"),
            (
                "<meta http-equiv=refresh content='0; url=/k/'><meta name=a content='url=/no/'>",
                "/k/",
            ),
            (
                "<p style=\"background: url('l.png')\"><style>@import 'm.css'; a { b: url(n) }</style>",
                "l.png m.css n",
            ),
            (
                "<meta property='og:image' content='/r.png'><meta content=s.jpg name=\"twitter:image\"><meta property=og:title content=/no>",
                "/r.png s.jpg",
            ),
            ("<a href=''><a href><a HREF = \" q \">", "q"),
        ] {
            assert_eq!(found(html), expected.split(' ').collect::<Vec<_>>(), "{html}");
        }
    }

    #[test]
    fn ids_and_the_base_are_read() {
        let page = page_addresses("<base href=/x/><h2 id=a>A</h2><a name='b'></a><i name=c>");
        assert_eq!(page.base.as_deref(), Some("/x/"));
        assert_eq!(page.ids, ["a", "b"]);
    }
}
