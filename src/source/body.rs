//! Conversion of bodies to HTML with absolute URLs and to plain text. A body is HTML or Markdown
//! (CommonMark 0.31 with tables, footnotes, strikethrough, task lists and heading ids).

mod absolute_markdown;
mod autolinks;
mod beginning;
mod cjk;
mod columns;
mod events;
mod footnotes;
mod galleries;
mod lead;
mod line_marks;
mod link_tails;
mod markdown;
mod math;
mod notes;
mod players;
mod single_links;
mod substitutions;
mod syntax;
mod template_tags;
mod video_hosts;
mod wiki_links;

use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};

use xxhash_rust::xxh3::Xxh3Default;

use super::fields::Reader;
use super::html;
use super::linker::Linker;
use lead::Lead;
use markdown::{ReadExtent, markdown};
use model::special::first_special_byte;
use model::{Body, Content, ContentLink, contains_formula};

/// Reads the body of a Markdown or HTML file, which starts at byte `start`. Also returns the body's
/// links into the site. The body's ids contain `scope`, so that they differ from the ids in other
/// bodies.
pub fn body_of(reader: &Reader<'_>, start: usize, scope: &str) -> (Body, Vec<ContentLink>) {
    if reader.source.path.extension() == "html" {
        let linker = Linker::new(reader);
        (html_body(&linker, start), linker.into_links())
    } else {
        markdown_body(reader, start, scope)
    }
}

/// Returns the content of the file's body, which starts at byte `start`. If the body cannot be kept,
/// reads only the links and the beginning of the text.
pub fn content(reader: &Reader<'_>, start: usize, scope: &str) -> Content {
    let Some((bodies, place)) = reader.place_of_body(start, scope) else {
        let (body, links) = body_of(reader, start, scope);
        return Content::in_memory(body, links);
    };
    let linker = Linker::new(reader);
    let length = reader.source.text.len() - start;
    // The HTML is a little longer than the Markdown, and the plain text a little shorter.
    let wanted = if bodies.can_keep(2 * length) { ReadExtent::Body } else { ReadExtent::Beginning };
    let body = if reader.source.path.extension() == "html" {
        html_body(&linker, start)
    } else {
        catch_panic(reader, start, || markdown(&linker, start, scope, wanted))
    };
    let mut made_of = Xxh3Default::new();
    (reader.config.markdown, scope).hash(&mut made_of);
    (linker.fingerprint(), &reader.source.text[start..]).hash(&mut made_of);
    let whole = wanted == ReadExtent::Body;
    // If only the beginning was read, the Markdown source is searched for MathML, because HTML in
    // Markdown is output unchanged.
    let html = if whole { &body.html } else { &reader.source.text[start..] };
    let has_formula = linker.has_formula() || contains_formula(html);
    let links = linker.into_links();
    let mut content = Content::in_file(body, whole, links, made_of.digest(), (bodies, place));
    content.has_formula = has_formula;
    content
}

/// Runs `read`, which parses untrusted Markdown. A panic in the parser is reported as an error in
/// the file.
pub fn catch_panic<T: Default>(reader: &Reader<'_>, start: usize, read: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let at = beginning::underlined_attributes(&reader.source.text[start..]).unwrap_or(0);
        reader.error(
            &(start + at..start + at),
            "the Markdown parser fails on this text",
            "if a heading has attributes in braces, write it on one line that starts with #; otherwise remove half of the text at a time to find the passage, and report it as a bug",
        );
        T::default()
    })
}

fn html_body(linker: &Linker<'_, '_>, start: usize) -> Body {
    let reader = linker.reader;
    let body = reader.source.text[start..].trim();
    let offset =
        start + reader.source.text[start..].len() - reader.source.text[start..].trim_start().len();
    let mut html =
        html::rewrite(body, |role, reference, at| linker.resolve(role, reference, offset + at));
    let mut text = html::text(body);
    let lead = Lead::of_html(body);
    drop_control_characters(&mut html);
    drop_control_characters(&mut text);
    let markdown = if reader.config.output.markdown { html.clone() } else { String::new() };
    Body { html, text, markdown, lead }
}

/// Reads the body of a Markdown file, which starts at byte `start`. Footnote ids contain `scope`,
/// because one document may show several bodies.
pub fn markdown_body(reader: &Reader<'_>, start: usize, scope: &str) -> (Body, Vec<ContentLink>) {
    let linker = Linker::new(reader);
    let body = markdown(&linker, start, scope, ReadExtent::Body);
    (body, linker.into_links())
}

/// Removes characters that neither HTML nor XML allows: control characters, U+FFFE and U+FFFF.
fn drop_control_characters(text: &mut String) {
    let is_bad = |c: char| {
        (c.is_control() && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    // Every body is checked, so a fast search first looks for bytes that can start a forbidden
    // character.
    let may_start = |byte: u8| {
        let is_allowed = (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
        ((byte < b' ') & !is_allowed) | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xef)
    };
    if first_special_byte(text.as_bytes(), may_start).is_some() && text.contains(is_bad) {
        text.retain(|c| !is_bad(c));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use model::{Config, SitePath, Source};

    fn read(body: &str, wanted: ReadExtent) -> (Body, usize) {
        let path = SitePath::parse("content/items/a.md").unwrap();
        let config = Config { base_url: "https://example.com".to_owned(), ..Config::default() };
        let source = Source { path: &path, text: body };
        let reader = Reader::new(source, &config, Path::new(""));
        let linker = Linker::new(&reader);
        let read = markdown(&linker, 0, "a", wanted);
        let links = linker.into_links().len();
        (read, links + reader.finish().0.len())
    }

    fn block() -> impl Strategy<Value = String> {
        let line = r"[a-zA-Zä ]{0,40}(\*|_|`|\*\*|~~|\[x\]\(https://a\.example/\)|&amp;|&#1;|\|)?[a-zA-Z ]{0,200}[*_`~]{0,2}";
        let start = prop::sample::select(vec![
            "", "- ", "  - ", "    - ", "1. ", "  ", "    ", "\t", "> ", "> - ", "# ", "```\n",
            "~~~\n", "===\n", "---\n", "| a |\n|---|\n| ", "- [ ] ", "* ",
            "https://a.example/x.mp3", "https://youtu.be/aqz-KE-bpKQ\n\n",
            "[a](https://a.example/x.jpg)\n\n", ": ", ":", "> [!NOTE]\n> ", "$x$ US$", "www.",
            "me@a.example https://a.example/",
        ]);
        let end = prop::sample::select(vec![
            "\n", "\n\n", "\n\n", "\n\n\n", "  \n", "\\\n", "\n```\n\n", "\n \n",
        ]);
        (start, line, end).prop_map(|(start, line, end)| format!("{start}{line}{end}"))
    }

    /// Returns whether the parser fails on a body. If the parser fails, asserts that the HTML is
    /// empty.
    fn fails(body: &str) -> bool {
        let path = SitePath::parse("content/items/a.md").unwrap();
        let config = Config { base_url: "https://example.com".to_owned(), ..Config::default() };
        let reader = Reader::new(Source { path: &path, text: body }, &config, Path::new(""));
        let (read, _) = catch_panic(&reader, 0, || markdown_body(&reader, 0, "a"));
        let found = reader.finish().0;
        let errors = found.iter().filter(|one| one.message.contains("parser fails")).count();
        assert!(errors == 0 || read.html.is_empty());
        errors > 0
    }

    #[test]
    fn a_parser_failure_is_an_error() {
        assert!(fails("> a\nb\n> {x}\n> -\n"));
        assert!(!fails("> a\n> b\n> {x}\n> -\n"));
    }

    /// Returns the plain text of a body, and its Markdown version.
    fn text_and_markdown(body: &str) -> (String, String) {
        let path = SitePath::parse("content/items/a.md").unwrap();
        let mut config = Config { base_url: "https://example.com".to_owned(), ..Config::default() };
        config.output.markdown = true;
        let reader = Reader::new(Source { path: &path, text: body }, &config, Path::new(""));
        let read = markdown_body(&reader, 0, "a").0;
        (read.text, read.markdown)
    }

    #[test]
    fn a_picture_in_an_alternative_text_is_text() {
        for (body, html) in [
            (
                "![a ![b](/c.png) d](/e.png) f",
                "<img src=\"https://example.com/e.png\" alt=\"a b d\"",
            ),
            (
                "![![![a](/b.png)](/c.png) d](/e.png) f",
                "<img src=\"https://example.com/e.png\" alt=\"a d\"",
            ),
        ] {
            let read = read(body, ReadExtent::Body).0;
            assert_eq!(read.html.matches("<img").count(), 1, "{}", read.html);
            assert!(read.html.contains(html), "{}", read.html);
            assert!(read.html.ends_with("> f</p>"), "{}", read.html);
        }
    }

    #[test]
    fn definitions_are_removed() {
        for (body, expected) in [
            ("a\n\n[//]: # (note)\n\nb", "a\n\nb"),
            ("[//]: # (note)\na", "a"),
            (
                "[r][] [x][r] [r]\n\n[r]: https://a.example/ 'T'\n[R]: other.md\n[d]:\n  d.md\n  \"T\"",
                "[r](https://a.example/ \"T\") [x](https://a.example/ \"T\") [r](https://a.example/ \"T\")",
            ),
            ("> a\n>\n> [d]: d.md\n\nb", "> a\n\nb"),
            ("> [d]: d.md\n> a", "> a"),
            ("[d]: d.md\n    a", "a"),
            ("- [d]: d.md\n  \\[a]", "- \\[a]"),
            ("> a\n>\n> [d]: d.md\n>\n> b", "> a\n>\n> b"),
            ("a\n> [d]: d.md\nb", "a\n> b"),
            ("a\n> [d]: d.md\n# b", "a\n> <!-- -->\n# b"),
            ("- [d]: d.md\n- a", "- <!-- -->\n- a"),
            ("- a\n\n[d]: d.md\n\n- b", "- a\n\n<!-- -->\n\n- b"),
            ("- a\n\n[d]: d.md\n\nb", "- a\n\nb"),
            ("a [^1]\n\n[^1]: b\n\n[d]: d.md", "a [^1]\n\n[^1]: b"),
            ("a\r\n\r\n[d]: d.md\r\n\r\nb", "a\r\n\r\nb"),
            (
                "![a [b][r] c](https://a.example/p.png)\n\n[r]: https://a.example/",
                "![a [b](https://a.example/) c](https://a.example/p.png)",
            ),
            (
                "`[d]: d.md`\n\n    [d]: d.md\n\n<!-- a -->",
                "`[d]: d.md`\n\n    [d]: d.md\n\n<!-- a -->",
            ),
        ] {
            assert_eq!(text_and_markdown(body).1, expected, "{body}");
        }
    }

    #[test]
    fn only_addresses_are_replaced() {
        for (body, expected) in [
            ("[two](</two/> \"x ](y\")", "[two](https://example.com/two/ \"x ](y\")"),
            ("[two](/two/ 'x ](y')", "[two](https://example.com/two/ \"x ](y\")"),
            ("[`](`](/two/ (x ]\\(y))", "[`](`](https://example.com/two/ \"x ](y\")"),
            (
                "> <div>\n> <a href=\"/b/\">x</a> <a href=/c/>y</a>\n> </div>",
                "> <div>\n> <a href=\"https://example.com/b/\">x</a> <a href=\"https://example.com/c/\">y</a>\n> </div>",
            ),
            (
                "- <p>\n  <a href=\"/b/\">x</a>\n\n  a <a\n  href='/c/'>y</a>",
                "- <p>\n  <a href=\"https://example.com/b/\">x</a>\n\n  a <a\n  href=\"https://example.com/c/\">y</a>",
            ),
            (
                "> <div>\r\n> <a href=\"/b/\">x</a>\r\n> </div>",
                "> <div>\r\n> <a href=\"https://example.com/b/\">x</a>\r\n> </div>",
            ),
            (
                "![a ![b](/b.png) [c](/c/) [d][d]](/e.png)\n\n[d]: /d/",
                "![a ![b](https://example.com/b.png) [c](https://example.com/c/) [d](https://example.com/d/)](https://example.com/e.png)",
            ),
            ("[x](/b/?c&amp;copy;=1&d=2)", "[x](https://example.com/b/?c&amp;copy;=1&d=2)"),
            (
                "| [x][r] |\n|---|\n\n[r]: /b/ \"a|b\"",
                "| [x](https://example.com/b/ \"a\\|b\") |\n|---|",
            ),
        ] {
            assert_eq!(text_and_markdown(body).1, expected, "{body}");
        }
    }

    fn linked() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec![
            "[a *b*](/c/)",
            "[a](/c/ \"t\")",
            "[a](</c d/>)",
            "![p](/p.png)",
            "[![p](/p.png)](/c/)",
            "[[Name]]",
            "[[Name|the label]]",
            "[[Name#Part]]",
            "[r][r]",
            "[r]",
            "![r][]",
            "# H {#id}",
            "# H",
            "<a href=\"/c/\">x</a>",
            "<p><img src=\"/p.png\"></p>",
            "text",
            "`[a](/c/)`",
            "| [a](/c/) | [[N\\|t]] |\n|---|---|",
            "a [x](/c/) b [y](/d/) c",
            "\\[a](/c/)",
            "[a](/c\\)d/)",
            "[\\]](/c/)",
            "字**[あ](/い/)**字",
            "[]( /c/ )",
            "[a](</c d/> \"x ](y\")",
            "[a](/c/ '](y')",
            "[*a*](/c/ (x ]\\(y))",
            "![p](/p.png \"](\")",
            "[a][r] [r][] ![r]",
            "![a [b][r] c](/p.png)",
            "![a ![b](/b.png) *c* [d](/d/)](/p.png)",
            "[a](/c/?d&amp;copy;=e&f \"R&amp;amp;D\")",
            "[[r]]",
            "[r](x y)",
            "[//]: # (hunter2)",
            "[//]: # (hunter2)\n[draft]: /hunter2.md\n'hunter2'",
            "[draft]: hunter2.md\n",
            "[r]: /hunter2/",
            "# H\n[draft]: hunter2\ntext",
            "> [draft]: hunter2",
            "> # H\n> [draft]:\n> hunter2\n> text",
            "- a\n\n  [draft]: hunter2\n  b",
            "<!-- comment -->",
            "<div>\n<a href=\"/c/\">x</a>\n</div>\n",
            "<div>\n> <a href=\"/c/\">x</a>\n> </div>",
            "<p>\n  <a href=/c/>y</a>",
            "a <a\n  href='/c/'>z</a>",
        ]);
        let start = prop::sample::select(vec!["", "", "> ", "- ", "1. ", "    "]);
        let end = prop::sample::select(vec!["\n", "\n\n", "\n\n", " "]);
        (start, line, end).prop_map(|(start, line, end)| format!("{start}{line}{end}"))
    }

    proptest! {
        #[test]
        fn the_markdown_version_has_the_same_text(lines in prop::collection::vec(linked(), 1..8)) {
            // The first definition of a name is used, so the definitions in `lines` are unused.
            let used = "[r]: /c/ \"T\"\n[draft]: /d/\n[//]: /e/\n";
            let body = format!("{used}\n{}\n", lines.concat());
            let (text, markdown) = text_and_markdown(&body);
            // The indentation of HTML after a removed definition can differ.
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let again = text_and_markdown(&markdown).0;
            prop_assert_eq!(words(&again), words(&text), "{}", markdown);
            let has_literals = body.contains(['`', '\\', '<']) || body.contains("    ");
            prop_assert!(has_literals || !markdown.contains("](/"), "{}", markdown);
            // Definitions in code are text.
            let notes = |text: &str| text.matches("hunter2").count();
            prop_assert_eq!(notes(&markdown), notes(&text), "{}", markdown);
        }

        #[test]
        fn parser_failures_have_attributes_above_a_line(
            body in "(> |>|- |a|b \\{x\\}|\\{x\\}|-|==|\\)|  |\n|\n|\n> |\n>){0,16}",
        ) {
            prop_assert!(!fails(&body) || beginning::underlined_attributes(&body).is_some());
        }

        #[test]
        fn the_beginning_has_the_same_facts_as_the_whole(
            blocks in prop::collection::vec(block(), 10..60),
            reference in prop::sample::select(vec!["", "", "", "", "[a]: https://a.example/\n", "[a](b.md)", "<b>x</b>", "[^a]: x\n", "[[b]]", "![[b.png]]\n"]),
        ) {
            let body = blocks.concat() + reference;
            let (whole, links) = read(&body, ReadExtent::Body);
            let (part, links_of_part) = read(&body, ReadExtent::Beginning);
            let facts = |body: Body| {
                let content = Content::in_memory(body, Vec::new());
                (content.beginning, content.lead, content.text_hash)
            };
            prop_assert!(part.text.len() <= whole.text.len());
            prop_assert_eq!((facts(part), links_of_part), (facts(whole), links));
        }
    }
}
