//! Where the beginning of a Markdown text ends that can be read for itself.

use crate::model::special::first_special;

/// Most beginnings of texts that are looked for end before this byte.
const USUAL: usize = 1536;

/// The byte from which on a body need not be read to know its links and the beginning of its text: a paragraph of its
/// own starts there, and nowhere in the body is anything that leads into the site or changes what stands before it.
pub fn end(body: &str) -> Option<usize> {
    let bytes = body.as_bytes();
    let later = bytes.get(USUAL..)?;
    // A letter below an empty line ends every list and quotation.
    let is_paragraph = |at: &[u8; 3]| at[..2] == *b"\n\n" && at[2].is_ascii_alphabetic();
    let at = later.array_windows().position(is_paragraph)?;
    (!may_refer(body)).then_some(USUAL + at + 2)
}

/// Whether a body may hold HTML, definitions of links or footnotes, or references to anything but whole addresses.
fn may_refer(body: &str) -> bool {
    let mut rest = body;
    while let Some(at) = first_special(rest.as_bytes(), |byte| (byte == b'<') | (byte == b']')) {
        if rest[at..].starts_with('<') {
            return true;
        }
        rest = &rest[at + 1..];
        let is_whole = |to: &str| to.starts_with("https://") || to.starts_with("http://");
        if rest.starts_with(':') || rest.strip_prefix('(').is_some_and(|to| !is_whole(to)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::super::markdown::{Wanted, markdown};
    use super::*;
    use crate::model::{Body, Config, Content, SitePath, Source};
    use crate::source::fields::Reader;
    use crate::source::linker::Linker;

    fn read(body: &str, wanted: Wanted) -> (Body, usize) {
        let path = SitePath::parse("content/items/a.md").unwrap();
        let config = Config {
            base_url: "https://example.com".to_owned(),
            ..Config::default()
        };
        let source = Source {
            path: &path,
            text: body,
        };
        let reader = Reader::new(source, &config, Path::new(""));
        let linker = Linker::new(&reader);
        let read = markdown(&linker, 0, "a", wanted);
        let links = linker.into_links().len();
        (read, links + reader.finish().0.len())
    }

    fn block() -> impl Strategy<Value = String> {
        let line = r"[a-zA-Zä ]{0,40}(\*|_|`|\*\*|~~|\[x\]\(https://a\.example/\)|&amp;|&#1;|\|)?[a-zA-Z ]{0,200}[*_`~]{0,2}";
        let start = prop::sample::select(vec![
            "",
            "- ",
            "  - ",
            "    - ",
            "1. ",
            "  ",
            "    ",
            "\t",
            "> ",
            "> - ",
            "# ",
            "```\n",
            "~~~\n",
            "===\n",
            "---\n",
            "| a |\n|---|\n| ",
            "- [ ] ",
            "* ",
        ]);
        let end = prop::sample::select(vec![
            "\n",
            "\n\n",
            "\n\n",
            "\n\n\n",
            "  \n",
            "\\\n",
            "\n```\n\n",
            "\n \n",
        ]);
        (start, line, end).prop_map(|(start, line, end)| format!("{start}{line}{end}"))
    }

    proptest! {
        #[test]
        fn what_is_known_of_the_beginning_is_known_of_the_whole(
            blocks in prop::collection::vec(block(), 10..60),
            reference in prop::sample::select(vec!["", "", "", "", "[a]: https://a.example/\n", "[a](b.md)", "<b>x</b>", "[^a]: x\n"]),
        ) {
            let body = blocks.concat() + reference;
            let (whole, links) = read(&body, Wanted::Body);
            let (part, links_of_part) = read(&body, Wanted::Beginning);
            let facts = |body: Body| {
                let content = Content::held(body, Vec::new());
                (content.beginning, content.text_hash)
            };
            prop_assert!(part.text.len() <= whole.text.len());
            prop_assert_eq!((facts(part), links_of_part), (facts(whole), links));
        }
    }
}
