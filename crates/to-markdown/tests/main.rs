//! Tests that the converted Markdown renders to the original HTML.

use proptest::prelude::*;
use pulldown_cmark::{Options, Parser, html};
use to_markdown::{Conversion, DesignParts, Source};

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

fn write(text: &str, design: DesignParts, render: &dyn Fn(&str) -> String) -> Conversion {
    let source = Source { design, is_foreign: false };
    to_markdown::write(text, source, render)
}

fn markdown(source: &str) -> String {
    let written = write(source, DesignParts::Dropped, &render);
    assert!(!written.is_html, "{source}");
    written.text
}

/// HTML and the expected Markdown.
const TABLE: &[(&str, &str)] = &[
    ("<p>One <b>two</b> <i>three</i> <s>four</s></p>", "One **two** *three* ~~four~~"),
    ("<h2 class='x'>Title</h2><p>Text</p>", "## Title\n\nText"),
    ("<h2 id='a-b'>Title</h2>", "## Title {#a-b}"),
    ("One.<br><br/>Two.", "One.\\\n\\\nTwo."),
    ("<div class='entry'><p class='lead'>One</p><div>Two</div></div>", "One\n\nTwo"),
    (
        "<p><a href='https://a.example/' target='_blank' rel='noopener'>x</a></p>",
        "[x](https://a.example/)",
    ),
    ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
    ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n<!-- -->\n\n- b"),
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
    ("<p><span style=\"font-weight: 400;\">Pasted</span></p><p>&nbsp;</p><p></p>", "Pasted"),
    ("<p style=\"text-align: center\">x</p>", "<p style=\"text-align: center\">x</p>"),
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
        "<https://www.youtube.com/watch?v=aqz-KE-bpKQ>",
    ),
    (
        "<figure><iframe src=\"https://player.vimeo.com/video/1084537\"></iframe></figure>",
        "<https://vimeo.com/1084537>",
    ),
    ("One paragraph,\nwith a line.\n\nAnother.", "One paragraph,\nwith a line.\n\nAnother."),
    (
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1 | 2</td></tr></tbody></table>",
        "| a     |\n| ----- |\n| 1 &#124; 2 |",
    ),
    ("<p>unclosed <b>bold <p>next", "unclosed **bold**\n\n**next**"),
    ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
    (
        "<details><summary>s</summary>\n\n<pre>a\n\nb</pre></details>",
        "<details><summary>s</summary>\n<pre><code>a&#10;\nb</code></pre></details>",
    ),
    ("", ""),
    ("<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->", "x"),
];

#[test]
fn html_is_written_as_idiomatic_markdown() {
    let wrong = TABLE.iter().filter(|(source, expected)| markdown(source) != *expected);
    let wrong: Vec<_> = wrong.map(|(source, _)| (source, markdown(source))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn footnotes_become_footnotes() {
    for html in [
        // Footnotes as written by WordPress, Hugo, kramdown and Pandoc.
        "<p>One<sup class=\"fn\"><a href=\"#a\" id=\"a-link\">1</a></sup> and two<sup><a href=\"#b\" id=\"b-link\">2</a></sup>.</p>\
         <ol class=\"wp-block-footnotes\"><li id=\"a\">First <em>note</em> <a href=\"#a-link\">↩︎</a></li><li id=\"b\">Second <a href=\"#b-link\">↩︎</a></li></ol>",
        "<p>One<sup id=\"fnref:1\"><a href=\"#fn:1\" class=\"footnote-ref\">1</a></sup> and two<sup id=\"fnref:2\"><a href=\"#fn:2\">2</a></sup>.</p>\
         <div class=\"footnotes\"><hr><ol><li id=\"fn:1\"><p>First <em>note</em>&#160;<a href=\"#fnref:1\">&#x21a9;&#xfe0e;</a></p></li><li id=\"fn:2\"><p>Second&#160;<a href=\"#fnref:2\">↩</a></p></li></ol></div>",
        "<p>One<a href=\"#fn1\" id=\"fnref1\"><sup>1</sup></a>.</p>",
    ] {
        let text = markdown(html);
        match html.contains("<ol") {
            true => assert_eq!(text, "One[^1] and two[^2].\n\n[^1]: First *note*\n\n[^2]: Second"),
            // A reference without its footnote stays a link.
            false => assert!(text.contains("#fn1"), "{text}"),
        }
    }
    let long = "<p>One<a href=\"#n\">[1]</a>, again<a href=\"#n\">[1]</a></p><ol><li id=\"n\"><p>First</p><pre>code\n\n  more</pre><p>Last <a href=\"#r\">↑</a></p></li></ol><p>After</p>";
    assert_eq!(
        markdown(long),
        "One[^1], again[^1]\n\nAfter\n\n[^1]: First\n\n    ```\n    code\n\n      more\n    ```\n\n    Last"
    );
}

#[test]
fn footnote_conversion_time_is_linear() {
    let of = |count: usize| {
        let references: String =
            (0..count).map(|at| format!("<p><a href=\"#n{at}\">1</a></p>")).collect();
        let notes: String = (0..count)
            .map(|at| format!("<li id=\"n{at}\">Note <a href=\"#r\">↩</a></li>"))
            .collect();
        let html = format!("{references}<ol>{notes}</ol>");
        let start = std::time::Instant::now();
        assert!(markdown(&html).contains(&format!("[^{count}]: Note")));
        start.elapsed()
    };
    let (few, many) = (of(500), of(4000));
    assert!(many < few * 40, "{few:?} {many:?}");
}

#[test]
fn incomplete_footnotes_stay_html() {
    for html in [
        // These are not converted: a reference in raw HTML, a list without references, a note
        // without a link back, and a reference in code.
        "<table><tr><td rowspan=\"2\">One<a href=\"#n\">1</a></td></tr></table><ol><li id=\"n\">Note <a href=\"#r\">↩</a></li></ol>",
        "<p>One</p><ol><li id=\"n\">Note <a href=\"#r\">↩</a></li></ol>",
        "<p>One<a href=\"#n\">1</a></p><ol><li id=\"n\">Note</li></ol>",
        "<pre>One<a href=\"#n\">1</a></pre><ol><li id=\"n\">Note <a href=\"#r\">↩</a></li></ol>",
    ] {
        let text = markdown(html);
        assert!(!text.contains("[^") && text.contains("Note"), "{text}");
    }
}

#[test]
fn deep_nesting_is_converted() {
    let deep = format!(
        "{}x{}",
        "<div class=a><blockquote>".repeat(30_000),
        "</blockquote></div>".repeat(30_000)
    );
    let written = write(&deep, DesignParts::Kept, &|_| String::new());
    assert!(written.is_html && written.text.contains('x'));
}

fn piece() -> impl Strategy<Value = String> {
    let word = r"[a-zA-Zä0-9 .,#*_`~$\[\]()<>&:|+!\\^=-]{0,12}"
        .prop_map(|text| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
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
                let end = if is_closed { format!("</{end}>") } else { String::new() };
                format!("<{name}>{}{end}", inner.concat())
            },
        )
    })
}

proptest! {
    /// The rendered output has the same letters and digits as the source.
    #[test]
    fn output_renders_to_the_letters_of_the_source(pieces in prop::collection::vec(piece(), 1..6), kept in any::<bool>()) {
        let design = if kept { DesignParts::Kept } else { DesignParts::Dropped };
        let source = pieces.concat();
        let written = write(&source, design, &render);
        let shown = if written.is_html { written.text.clone() } else { render(&written.text) };
        let words = |html: &str| -> Vec<char> {
            let again = write(html, DesignParts::Kept, &|_| String::new()).text;
            let mut in_tag = false;
            let text: String = again.chars().filter(|c| { in_tag = (in_tag || *c == '<') && *c != '>'; !in_tag }).collect();
            text.replace("&nbsp;", " ").chars().filter(|c| c.is_alphanumeric()).collect()
        };
        prop_assert_eq!(words(&shown), words(&source), "{}\n=>\n{}", source, written.text);
    }
}

/// Malicious HTML, and strings that must not occur in the tags of the rendered output.
const HOSTILE: &[(&str, &[&str])] = &[
    ("<script>alert(1)</script>", &["script", "alert"]),
    ("<a href=\"javascript:alert(1)\">x</a>", &["javascript"]),
    ("<a href=\" java&#10;script&colon;alert(1)\">x</a>", &["script", "alert"]),
    ("<a href=\"JaVaScRiPt:alert(1)\">x</a>", &["alert"]),
    ("<a href=\"\u{1}javascript:alert(1)\">x</a>", &["alert"]),
    ("<a href=\"vbscript:x\">x</a>", &["vbscript"]),
    ("<a href=\"data:text/html,<script>alert(1)</script>\">x</a>", &["data:", "alert"]),
    ("<a href=\"feedwright-here:javascript:alert(1)\">x</a>", &["alert"]),
    ("<img src=\"javascript:alert(1)\">", &["javascript"]),
    ("<img src=\"data:image/svg+xml,<svg onload=alert(1)>\">", &["data:", "svg"]),
    ("<img src=x onerror=alert(1)>", &["onerror", "alert"]),
    ("<img src=x srcset=\"javascript:alert(1) 2x\">", &["javascript"]),
    ("<p ONCLICK=alert(1)>x</p>", &["onclick", "ONCLICK"]),
    ("<iframe src=\"javascript:alert(1)\"></iframe>", &["iframe", "javascript"]),
    ("<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>", &["iframe", "srcdoc", "alert"]),
    ("<iframe src=\"https://evil.example/x\" onload=alert(1)></iframe>", &["<iframe", "onload"]),
    ("<frameset><frame src=\"https://evil.example/\"></frameset>", &["<frame"]),
    ("<object data=\"x.swf\"><param name=a value=b></object>", &["object", "param"]),
    ("<embed src=\"x.swf\">", &["embed"]),
    ("<applet code=x></applet>", &["applet"]),
    (
        "<form action=\"https://evil.example\"><input name=password><button>Go</button><textarea>t</textarea><select><option>o</select></form>",
        &["form", "input", "button", "textarea", "select", "Go"],
    ),
    ("<style>body{display:none}</style>", &["style", "display"]),
    (
        "<p style=\"position:fixed;top:0;background:url(https://evil.example)\">x</p>",
        &["position", "url("],
    ),
    ("<p style=\"color:expression(alert(1))\">x</p>", &["expression"]),
    ("<link rel=stylesheet href=\"https://evil.example/x.css\">", &["<link", "evil"]),
    ("<meta http-equiv=refresh content=\"0;url=https://evil.example\">", &["meta", "evil"]),
    ("<base href=\"https://evil.example/\">", &["base", "evil"]),
    ("<svg><script>alert(1)</script></svg>", &["svg", "alert"]),
    ("<svg><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>", &["svg", "javascript"]),
    ("<svg><style><img src=x onerror=alert(1)></style></svg>", &["onerror", "alert"]),
    (
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
        &["onerror", "alert"],
    ),
    (
        "<math><annotation-xml encoding=\"text/html\"><img src=x onerror=alert(1)></annotation-xml></math>",
        &["onerror", "alert"],
    ),
    ("<math href=\"javascript:alert(1)\"><mi>x</mi></math>", &["javascript"]),
    (
        "<math><maction actiontype=statusline xlink:href=\"javascript:alert(1)\">x</maction></math>",
        &["javascript"],
    ),
    (
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
        &["<img src=x onerror", "<noscript"],
    ),
    ("<template><img src=x onerror=alert(1)></template>", &["template", "alert"]),
    ("<xmp><img src=x onerror=alert(1)></xmp>", &["<img src=x", "<xmp"]),
    ("<noembed><img src=x onerror=alert(1)></noembed>", &["<noembed"]),
    ("<plaintext><img src=x onerror=alert(1)>", &["<plaintext"]),
    ("<title><img src=x onerror=alert(1)></title>", &["<title", "<img"]),
    (
        "<video src=x onloadstart=alert(1) autoplay><source src=\"javascript:alert(1)\"></video>",
        &["onloadstart", "autoplay", "javascript"],
    ),
    ("<audio controls src=\"javascript:alert(1)\"></audio>", &["javascript"]),
    ("<details open ontoggle=alert(1)><summary>x</summary></details>", &["ontoggle"]),
    ("<a href=\"https://a.example/\" ping=\"https://evil.example/\">x</a>", &["ping"]),
    ("<div data-frame=\"https://evil.example/\" class=\"video-card\">x</div>", &["data-frame"]),
    (
        "<button onclick=alert(1) formaction=\"javascript:alert(1)\">x</button>",
        &["button", "javascript"],
    ),
    ("<dialog open>x</dialog>", &["dialog"]),
    ("<portal src=\"https://evil.example\"></portal>", &["portal"]),
    ("<marquee onstart=alert(1)>x</marquee>", &["marquee", "onstart"]),
    ("<isindex action=\"javascript:alert(1)\">", &["javascript"]),
    ("<input type=image src=x onerror=alert(1)>", &["input", "alert"]),
    ("<table background=\"javascript:alert(1)\"><tr><td>x</td></tr></table>", &["javascript"]),
    ("<x-custom onclick=alert(1)>x</x-custom>", &["x-custom", "onclick"]),
    ("<!--[if IE]><script>alert(1)</script><![endif]-->", &["script"]),
    ("<p>[x](javascript:alert(1))</p>", &["](javascript"]),
    ("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>", &["<script"]),
];

#[test]
fn hostile_html_is_removed() {
    for design in [DesignParts::Dropped, DesignParts::Kept] {
        for (html, forbidden) in HOSTILE {
            let source = Source { design, is_foreign: true };
            let written = to_markdown::write(html, source, &render);
            let shown = if written.is_html { written.text.clone() } else { render(&written.text) };
            // Only tags are checked, because these strings are harmless in plain text.
            let tags: String = shown
                .split('<')
                .skip(1)
                .filter_map(|part| part.split('>').next())
                .collect::<Vec<_>>()
                .join("<");
            for word in *forbidden {
                let word = word.trim_start_matches('<');
                assert!(!tags.contains(word), "{html}\n=> {}\n=> {shown}: {word}", written.text);
            }
        }
    }
}

#[test]
fn removed_elements_are_reported() {
    let source = Source { design: DesignParts::Dropped, is_foreign: true };
    let html = "<p onclick=a>x</p><form><input></form><script>a</script><script>b</script><a href='javascript:a'>y</a>";
    let written = to_markdown::write(html, source, &render);
    let removed: Vec<(&str, usize)> =
        written.removed.iter().map(|(what, count)| (what.as_str(), *count)).collect();
    assert_eq!(
        removed,
        [
            ("<form>", 1),
            ("<input>", 1),
            ("<script>", 2),
            ("an address with javascript:", 1),
            ("the attribute onclick", 1)
        ]
    );
}

/// Frames of known services are converted to the URLs of their pages.
#[test]
fn embedded_videos_become_urls() {
    for (html, markdown) in [
        (
            "<iframe src='//www.youtube.com/embed/aqz-KE-bpKQ?start=30'></iframe>",
            "https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=30",
        ),
        (
            "<p><iframe src='about:blank' data-src='https://player.vimeo.com/video/76979871?h=ab12'></iframe></p>",
            "https://vimeo.com/76979871/ab12",
        ),
        (
            "<object data='https://www.youtube.com/v/aqz-KE-bpKQ&hl=en'></object>",
            "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
        ),
        (
            "<iframe src='https://open.spotify.com/embed/episode/4xyz'></iframe>",
            "https://open.spotify.com/episode/4xyz",
        ),
        (
            "<iframe src='https://elsewhere.example/player?x=1'></iframe>",
            "https://elsewhere.example/player?x=1",
        ),
        (
            "<figure><iframe src='https://www.dailymotion.com/embed/video/x8abc'></iframe><figcaption>Said</figcaption></figure>",
            "https://www.dailymotion.com/video/x8abc\n\nSaid",
        ),
    ] {
        let source = Source { design: DesignParts::Dropped, is_foreign: true };
        let text = to_markdown::write(html, source, &link_plain_urls).text;
        assert_eq!(text, markdown, "{html}");
    }
}

/// Renders Markdown, and converts plain URLs to links if they are separate words.
fn link_plain_urls(text: &str) -> String {
    let html = render(text);
    let mut words: Vec<String> = html.split_inclusive([' ', '\n']).map(str::to_owned).collect();
    for word in &mut words {
        let Some(start) = word.find("https://").filter(|at| *at == 0 || word[..*at].ends_with('>'))
        else {
            continue;
        };
        if word[..start].ends_with("\">") {
            continue;
        }
        let end = word[start..]
            .find(|c: char| c.is_whitespace() || "<".contains(c))
            .map_or(word.len(), |end| start + end);
        let address = word[start..end].trim_end_matches('.').to_owned();
        *word = word.replacen(&address, &format!("<a href=\"{address}\">{address}</a>"), 1);
    }
    words.concat()
}

#[test]
fn urls_in_text_stay_urls() {
    for (html, markdown) in [
        ("<p>More at https://x.example/z</p>", "More at https://x.example/z"),
        (
            "<p>01:30 Next https://x.example/a_b_c and on.</p>",
            "01:30 Next https://x.example/a_b_c and on.",
        ),
        ("<p>https://x.example/a.</p>", "https://x.example/a."),
    ] {
        let source = Source { design: DesignParts::Dropped, is_foreign: true };
        assert_eq!(to_markdown::write(html, source, &link_plain_urls).text, markdown, "{html}");
    }
}

#[test]
fn images_of_publishing_services_become_markdown_images() {
    let shapes = [
        (
            "<div class='captioned-image-container'><figure><a class='image-link' href='https://a.example/big.jpg'><div><picture><source srcset='x 1x'>\
             <img src='https://a.example/x.jpg' alt='A pier'></picture><div class='image-link-expand'><svg></svg></div></div></a><figcaption>The <em>pier</em></figcaption></figure></div>",
            "[![A pier](https://a.example/x.jpg \"The pier\")](https://a.example/big.jpg)",
        ),
        (
            "<ul class='wp-block-gallery'><li><figure><img src='a.png' alt='A'><figcaption>One</figcaption></figure></li><li><figure><img src='b.png' alt=''></figure></li></ul>",
            "![A](a.png \"One\")\n![](b.png)",
        ),
        (
            "<p>x</p><p class='button-wrapper'><a href='https://t.example/subscribe?'>Subscribe now</a></p><div class='subscription-widget-wrap'><p>Thanks</p><form><input></form></div>",
            "x",
        ),
    ];
    // Like a site's renderer, converts captioned pictures and galleries to figures.
    let figures = |text: &str| {
        let html = render(text);
        let Some(inner) = html
            .strip_prefix("<p>")
            .and_then(|html| html.strip_suffix("</p>\n"))
            .filter(|html| html.contains("<img"))
        else {
            return html;
        };
        let figures: Vec<String> = inner
            .split('\n')
            .map(|one| match one.split_once(" title=\"") {
                Some((before, after)) => {
                    let (title, after) = after.split_once('"').unwrap();
                    format!("<figure>{before}{after}<figcaption>{title}</figcaption></figure>")
                }
                None => format!("<figure>{one}</figure>"),
            })
            .collect();
        match figures.len() {
            1 => figures.concat(),
            _ => format!("<div class=\"gallery\">{}</div>", figures.concat()),
        }
    };
    for (html, markdown) in shapes {
        let source = Source { design: DesignParts::Dropped, is_foreign: true };
        assert_eq!(to_markdown::write(html, source, &figures).text, markdown, "{html}");
    }
}

#[test]
fn link_conversion_time_is_linear() {
    let time = |count: usize, piece: &str| {
        let html = piece.repeat(count);
        let source = Source { design: DesignParts::Dropped, is_foreign: true };
        let start = std::time::Instant::now();
        let written = to_markdown::write(&html, source, &render);
        assert!(written.html_blocks <= count);
        start.elapsed().as_secs_f64()
    };
    for piece in [
        "<a href='https://a.example/'>x ",
        "<p>word <b>bold</b> https://a.example/x_y</p>",
        "<li>a",
        "<a>",
        "[",
        "<figure><img src=a.png>",
    ] {
        let (small, large) = (time(2_000, piece).max(0.02), time(8_000, piece));
        // Four times as much input can take eight times as long on a busy machine, but quadratic
        // time would be 16 times as long.
        assert!(large / small < 12.0, "{piece}: {small} s and {large} s");
    }
}
