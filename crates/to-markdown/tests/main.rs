//! What comes out renders to what went in.

use proptest::prelude::*;
use pulldown_cmark::{Options, Parser, html};
use to_markdown::{Looks, write};

fn render(text: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_MATH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST;
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(text, options));
    out
}

fn markdown(source: &str) -> String {
    let written = write(source, Looks::Dropped, &render);
    assert!(!written.is_html, "{source}");
    written.text
}

/// HTML, and the Markdown that says the same.
const TABLE: &[(&str, &str)] = &[
    (
        "<p>One <b>two</b> <i>three</i> <s>four</s></p>",
        "One **two** *three* ~~four~~",
    ),
    ("<h2 class='x'>Title</h2><p>Text</p>", "## Title\n\nText"),
    ("<h2 id='a-b'>Title</h2>", "## Title {#a-b}"),
    ("One.<br><br/>Two.", "One.\\\n\\\nTwo."),
    (
        "<div class='entry'><p class='lead'>One</p><div>Two</div></div>",
        "One\n\nTwo",
    ),
    (
        "<p><a href='https://a.example/' target='_blank' rel='noopener'>x</a></p>",
        "[x](https://a.example/)",
    ),
    ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
    (
        "<ul><li>a</li></ul><ul><li>b</li></ul>",
        "- a\n\n<!-- -->\n\n- b",
    ),
    ("<ol start=\"3\"><li>a</li></ol>", "3. a"),
    ("<blockquote><p>a</p></blockquote>", "> a"),
    (
        "<pre><code class=\"language-rust hl\">fn x() {}\n\n  y\n</code></pre>",
        "```rust\nfn x() {}\n\n  y\n```",
    ),
    ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
    (
        "<p>US$ 5 and $ 6, ~~no~~, 2^3 *x* _y_ [z] `q`</p>",
        "US\\$ 5 and \\$ 6, \\~\\~no\\~\\~, 2\\^3 \\*x\\* \\_y\\_ \\[z\\] \\`q\\`",
    ),
    (
        "<p>1. a</p><p># b</p><p>- c</p><p>+ d</p><p>=== e</p>",
        "1\\. a\n\n\\# b\n\n\\- c\n\n\\+ d\n\n\\=== e",
    ),
    ("<p>a<script>alert(1)</script>b</p>", "ab"),
    ("<p>H<sub>2</sub>O</p>", "H<sub>2</sub>O"),
    (
        "<p><span style=\"font-weight: 400;\">Pasted</span></p><p>&nbsp;</p><p></p>",
        "Pasted",
    ),
    (
        "<p style=\"text-align: center\">x</p>",
        "<p style=\"text-align: center\">x</p>",
    ),
    (
        "<img class='wp-image-7' width='300' srcset='a 2x' src='https://a.example/b.jpg' alt='B'>",
        "![B](https://a.example/b.jpg)",
    ),
    (
        "<img src='data:image/gif;base64,R0' data-src='https://a.example/b.jpg' alt=''>",
        "![](https://a.example/b.jpg)",
    ),
    (
        "<iframe width=560 src=\"https://www.youtube.com/embed/aqz-KE-bpKQ?rel=0\" allowfullscreen></iframe>",
        "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    ),
    (
        "<figure><iframe src=\"https://player.vimeo.com/video/1084537\"></iframe></figure>",
        "https://vimeo.com/1084537",
    ),
    (
        "One paragraph,\nwith a line.\n\nAnother.",
        "One paragraph,\nwith a line.\n\nAnother.",
    ),
    (
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1 | 2</td></tr></tbody></table>",
        "| a     |\n| ----- |\n| 1 &#124; 2 |",
    ),
    (
        "<p>unclosed <b>bold <p>next",
        "unclosed **bold**\n\n**next**",
    ),
    ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
    (
        "<details><summary>s</summary>\n\n<pre>a\n\nb</pre></details>",
        "<details><summary>s</summary>\n<pre><code>a&#10;\nb</code></pre></details>",
    ),
    ("", ""),
    ("<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->", "x"),
];

#[test]
fn html_is_written_as_people_write_markdown() {
    let wrong = TABLE
        .iter()
        .filter(|(source, expected)| markdown(source) != *expected);
    let wrong: Vec<_> = wrong
        .map(|(source, _)| (source, markdown(source)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn depth_costs_nothing() {
    let deep = format!(
        "{}x{}",
        "<div class=a><blockquote>".repeat(30_000),
        "</blockquote></div>".repeat(30_000)
    );
    let written = write(&deep, Looks::Kept, &|_| String::new());
    assert!(written.is_html && written.text.contains('x'));
}

fn piece() -> impl Strategy<Value = String> {
    let word = r"[a-zA-Zä0-9 .,#*_`~$\[\]()<>&:|+!\\^=-]{0,12}".prop_map(|text| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    });
    let leaf = prop_oneof![
        6 => word,
        1 => Just("<br>".to_owned()),
        1 => Just("<img src=\"a.jpg\" alt=\"*a* [b]\">".to_owned()),
        1 => Just("\n\n".to_owned()),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let names = prop::sample::select(vec![
            "p",
            "b",
            "em",
            "del",
            "a href=\"https://a.example/(x)_y\" title=\"a &quot;b\"",
            "ul",
            "ol",
            "li",
            "blockquote",
            "h2 id=\"x\"",
            "h3",
            "pre",
            "code",
            "div",
            "table",
            "tr",
            "td",
            "th",
            "span",
            "sub",
            "figure",
            "dl",
            "dd",
            "section",
            "p style=\"color: red\"",
        ]);
        (names, prop::collection::vec(inner, 0..5), any::<bool>()).prop_map(
            |(name, inner, is_closed)| {
                let end = name.split(' ').next().unwrap_or_default();
                let end = if is_closed {
                    format!("</{end}>")
                } else {
                    String::new()
                };
                format!("<{name}>{}{end}", inner.concat())
            },
        )
    })
}

proptest! {
    /// Written once more from what it renders to, a text is the same, and holds every word.
    #[test]
    fn what_comes_out_renders_to_what_went_in(pieces in prop::collection::vec(piece(), 1..6), kept in any::<bool>()) {
        let looks = if kept { Looks::Kept } else { Looks::Dropped };
        let source = pieces.concat();
        let written = write(&source, looks, &render);
        let shown = if written.is_html { written.text.clone() } else { render(&written.text) };
        let words = |html: &str| -> Vec<char> {
            let again = write(html, Looks::Kept, &|_| String::new()).text;
            let mut in_tag = false;
            let text: String = again.chars().filter(|c| { in_tag = (in_tag || *c == '<') && *c != '>'; !in_tag }).collect();
            text.replace("&nbsp;", " ").chars().filter(|c| c.is_alphanumeric()).collect()
        };
        prop_assert_eq!(words(&shown), words(&source), "{}\n=>\n{}", source, written.text);
    }
}
