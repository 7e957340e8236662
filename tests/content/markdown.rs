//! Markdown beyond CommonMark: notes, bare links, definition lists, formulas.

use std::path::Path;

use feedwright::model::{Body, Config, Diagnostic, MarkdownConfig, SitePath, Source};
use feedwright::source::body::markdown_body;
use feedwright::source::fields::Reader;
use proptest::prelude::*;

use crate::support::Site;

fn read_body(body: &str, markdown: MarkdownConfig) -> (Body, Vec<Diagnostic>) {
    let path = SitePath::parse("content/items/a.md").unwrap();
    let config =
        Config { base_url: "https://walks.example".to_owned(), markdown, ..Config::default() };
    let source = Source { path: &path, text: body };
    let reader = Reader::new(source, &config, Path::new("."));
    let (body, _) = markdown_body(&reader, 0, "x");
    (body, reader.finish().0)
}

fn html(body: &str) -> String {
    read_body(body, MarkdownConfig::default()).0.html
}

/// The paragraph that a line becomes.
fn line(body: &str) -> String {
    let html = html(body);
    let inner = html.strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>"));
    inner.unwrap_or_else(|| panic!("{html}")).to_owned()
}

#[test]
fn callouts_have_titles() {
    let (body, found) = read_body(
        "> [!NOTE]\n> One\n> two.\n\n> [!warning] Mind *the* [gap](https://a.example/)\n> Text\n>\n> more.\n\n\
         > [!Tip]\n>\n> - x\n\n> [!CAUTION]- Folded\n\n> > [!important]\n> > In a quotation.\n\n- > [!hint]\n  > In a list.\n\n\
         > [!NOTE]  \n> # Heading\n\n> [!NOTE]\n\nafter\n\n> plain\n\n> \\[!NOTE] text\n\n> [!NOTE][a]\n\n[a]: https://a.example/\n",
        MarkdownConfig::default(),
    );
    insta::assert_snapshot!(format!("{}\n\n{}", body.html, body.text));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn an_unknown_callout_type_is_a_warning() {
    let (body, found) = read_body("> [!NOET]\n> x\n", MarkdownConfig::default());
    assert_eq!(body.html, "<blockquote>\n<p>[!NOET]\nx</p>\n</blockquote>");
    assert_eq!((found[0].line, found[0].column), (Some(1), Some(3)));
    assert_eq!(
        found[0].help.as_deref(),
        Some("did you mean [!NOTE]? The kinds are note, tip, important, warning, caution")
    );
}

#[test]
fn a_callout_title_is_in_the_language_of_the_text() {
    let site = Site::empty()
        .write("site.toml", "base_url = \"https://walks.example\"\n[words]\ntip = \"So & so\"\n")
        .write("content/channel.md", "+++\ntitle = \"W\"\nlanguage = \"de\"\n+++\n> [!TIP]\n> x\n")
        .write("content/items/a.md", "+++\nid = \"a\"\n+++\n> [!WARNING]\n> x\n\n> [!tip]\n> y\n")
        .write("content/items/b.md", "+++\nid = \"b\"\nlanguage = \"ja\"\n+++\n> [!WARNING]\n> x\n")
        .write(
            "content/pages/c.md",
            "+++\ntitle = \"C\"\nlanguage = \"fr\"\n+++\n> [!WARNING]\n> x\n",
        );
    let output = site.build();
    let title = |path: &str| output.html(path).texts(".note-title");
    assert_eq!(title("i/a/index.html"), ["Warnung", "So & so"]);
    assert_eq!(title("i/b/index.html"), ["警告"]);
    assert_eq!(title("c/index.html"), ["Avertissement"]);
    let feed = std::fs::read_to_string(output.folder().join("feed.json")).unwrap();
    assert!(feed.contains("<strong>Warnung</strong>") && feed.contains("<strong>警告</strong>"));
    let rss = std::fs::read_to_string(output.folder().join("rss.xml")).unwrap();
    for text in [feed, rss] {
        assert!(!text.contains("feedwright-content"), "{text}");
    }
}

/// The examples of GitHub Flavored Markdown 0.29, section 6.9, and what people write beyond them.
#[test]
fn bare_urls_become_links() {
    let link = |to: &str, text: &str| format!("<a href=\"{to}\">{text}</a>");
    let own = |address: &str| link(address, address);
    let www = |address: &str| link(&format!("http://{address}"), address);
    let mail = |address: &str| link(&format!("mailto:{address}"), address);
    for (body, wanted) in [
        ("www.commonmark.org", www("www.commonmark.org")),
        (
            "Visit www.commonmark.org/help for more",
            format!("Visit {} for more", www("www.commonmark.org/help")),
        ),
        ("Visit www.commonmark.org.", format!("Visit {}.", www("www.commonmark.org"))),
        ("Visit www.commonmark.org/a.b.", format!("Visit {}.", www("www.commonmark.org/a.b"))),
        (
            "www.google.com/search?q=Markup+(business)",
            www("www.google.com/search?q=Markup+(business)"),
        ),
        (
            "www.google.com/search?q=Markup+(business)))",
            format!("{}))", www("www.google.com/search?q=Markup+(business)")),
        ),
        (
            "(www.google.com/search?q=Markup+(business))",
            format!("({})", www("www.google.com/search?q=Markup+(business)")),
        ),
        (
            "(www.google.com/search?q=Markup+(business)",
            format!("({}", www("www.google.com/search?q=Markup+(business)")),
        ),
        ("www.google.com/search?q=(business))+ok", www("www.google.com/search?q=(business))+ok")),
        (
            "www.google.com/search?q=commonmark&hl=en",
            link(
                "http://www.google.com/search?q=commonmark&amp;hl=en",
                "www.google.com/search?q=commonmark&amp;hl=en",
            ),
        ),
        (
            "www.google.com/search?q=commonmark&hl;",
            format!("{}&amp;hl;", www("www.google.com/search?q=commonmark")),
        ),
        ("www.commonmark.org/he<lp", format!("{}&lt;lp", www("www.commonmark.org/he"))),
        ("http://commonmark.org", own("http://commonmark.org")),
        (
            "(Visit https://encrypted.google.com/search?q=Markup+(business))",
            format!("(Visit {})", own("https://encrypted.google.com/search?q=Markup+(business)")),
        ),
        ("foo@bar.baz", mail("foo@bar.baz")),
        (
            "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
            format!(
                "hello@mail+xyz.example isn't valid, but {} is.",
                mail("hello+xyz@mail.example")
            ),
        ),
        ("a.b-c_d@a.b", mail("a.b-c_d@a.b")),
        ("a.b-c_d@a.b.", format!("{}.", mail("a.b-c_d@a.b"))),
        ("a.b-c_d@a.b-", "a.b-c_d@a.b-".into()),
        ("a.b-c_d@a.b_", "a.b-c_d@a.b_".into()),
        ("mailto:foo@bar.baz", own("mailto:foo@bar.baz")),
        ("mailto:a.b-c_d@a.b.", format!("{}.", own("mailto:a.b-c_d@a.b"))),
        ("xmpp:foo@bar.baz", own("xmpp:foo@bar.baz")),
        ("xmpp:foo@bar.baz/txt@bin.com", own("xmpp:foo@bar.baz/txt@bin.com")),
        ("xmpp:foo@bar.baz/txt/bin", format!("{}/bin", own("xmpp:foo@bar.baz/txt"))),
        // What a domain may not be.
        ("www.a_b.example https://a.b_c.d", "www.a_b.example https://a.b_c.d".into()),
        ("www. https:// http://. ftp:/a.example", "www. https:// http://. ftp:/a.example".into()),
        ("xhttps://a.example awww.a.example", "xhttps://a.example awww.a.example".into()),
        // Beyond the examples.
        ("http://localhost:8080/a", own("http://localhost:8080/a")),
        ("HTTPS://A.example/b_", link("HTTPS://A.example/b", "HTTPS://A.example/b") + "_"),
        (
            "„https://a.example“, 'https://b.example'",
            format!("„{}“, '{}'", own("https://a.example"), own("https://b.example")),
        ),
        (
            "詳しくはhttps://a.example/日本。次",
            format!(
                "詳しくは{}。次",
                link("https://a.example/%E6%97%A5%E6%9C%AC", "https://a.example/日本")
            ),
        ),
        ("@me@social.example", "@me@social.example".into()),
        (
            "**https://a.example** *www.b.example*.",
            format!(
                "<strong>{}</strong> <em>{}</em>.",
                own("https://a.example"),
                www("www.b.example")
            ),
        ),
        // Not where it is one already, nor in code.
        ("[https://a.example](https://b.example)", link("https://b.example", "https://a.example")),
        (
            "<https://a.example> `https://b.example`",
            format!("{} <code>https://b.example</code>", own("https://a.example")),
        ),
        (
            "<a href=\"https://a.example\">https://a.example</a> www.b.example",
            format!("{} {}", own("https://a.example"), www("www.b.example")),
        ),
        (
            "![https://a.example](https://a.example/b.png)",
            "<img src=\"https://a.example/b.png\" alt=\"https://a.example\" loading=\"lazy\">"
                .into(),
        ),
    ] {
        assert_eq!(line(body), wanted, "{body}");
    }
    let smart = MarkdownConfig { smart_punctuation: true, ..MarkdownConfig::default() };
    let (body, _) = read_body("\"https://a.example/b--c...d\" -- e", smart);
    let link = own("https://a.example/b--c...d");
    assert_eq!(body.html, format!("<p>“{link}” – e</p>"));
    assert_eq!(body.text, "“https://a.example/b--c...d” – e");
}

#[test]
fn a_line_starting_with_a_colon_is_a_definition() {
    assert_eq!(
        html("Apple\n: A *fruit*\n: A firm\n\ntext\n\nPear\n\n: One more\n"),
        "<dl>\n<dt>Apple</dt>\n<dd>A <em>fruit</em></dd>\n<dd>A firm</dd>\n</dl>\n<p>text</p>\n\
         <dl>\n<dt>Pear</dt>\n<dd>\n<p>One more</p>\n</dd>\n</dl>"
    );
    // A line of text that happens to begin so, and the blocks of other programs.
    assert_eq!(line("Done\n:tada: yes `:x:`"), "Done\n:tada: yes <code>:x:</code>");
    assert_eq!(line("Text\n::: tip"), "Text\n::: tip");
}

#[test]
fn formulas_become_mathml() {
    let body = r"Euler: $e^{i\pi} + 1 = 0$, the $n$th, $x < y$ in **$a_1$**.

$$
\sum_{i=1}^n i = \frac{n(n+1)}{2}
$$

$$\begin{aligned} a &= b \\ c &= \color{red} d \end{aligned}$$

> - $\begin{array}{c|c} a & b \\ \hline c & d \end{array}$
";
    let (body, found) = read_body(body, MarkdownConfig::default());
    insta::assert_snapshot!(format!("{}\n\n{}", body.html, body.text));
    assert!(found.is_empty(), "{found:?}");
    assert!(!body.html.contains(" style="));
}

#[test]
fn prices_are_not_formulas() {
    for text in [
        "It costs $5 and $10.", "$5-$10, US$5/US$10, A$AP and Ke$ha", "$5 to 10$ or $$ and $$$",
        "**US$5** or **US$6**", "$HOME/$USER, ($PATH:$HOME), $a.$b", "1$ and 2$", "$ 5 $", "\\$x$",
    ] {
        let html = html(text);
        assert!(!html.contains("<math") && !html.contains("<code"), "{text}: {html}");
        assert_eq!(html.matches('$').count(), text.matches('$').count(), "{text}");
    }
    assert_eq!(line("**US$5** or **US$6**"), "<strong>US$5</strong> or <strong>US$6</strong>");
    assert_eq!(
        line("[x](https://a.example/$b) and [y](https://a.example/$c)"),
        "<a href=\"https://a.example/$b\">x</a> and <a href=\"https://a.example/$c\">y</a>"
    );
    assert_eq!(
        line("`$a` US$5 `$b` $x$"),
        "<code>$a</code> US$5 <code>$b</code> <math><mi>x</mi></math>"
    );
}

#[test]
fn invalid_tex_is_kept_and_is_a_warning() {
    let (body, found) = read_body("One\n\nTwo $a \\foo{<b>}$\n", MarkdownConfig::default());
    assert_eq!(
        body.html,
        "<p>One</p>\n<p>Two <code class=\"math\">$a \\foo{&lt;b&gt;}$</code></p>"
    );
    assert_eq!(body.text, "One\nTwo a \\foo{<b>}");
    assert_eq!((found[0].line, found[0].column), (Some(3), Some(8)));
    assert!(found[0].message.contains("\\foo"), "{}", found[0].message);
    for tex in
        ["{".repeat(50_000), "\\sqrt".repeat(3000), "\\left(".repeat(2000), "x^{".repeat(2000)]
    {
        let (body, found) = read_body(&format!("$${tex}$$"), MarkdownConfig::default());
        let is_text = body.html.starts_with("<p>$$") || found.len() == 1;
        assert!(is_text, "{}", &body.html[..100]);
    }
}

#[test]
fn each_extension_can_be_disabled() {
    let text = "> [!NOTE]\n> x\n\nwww.a.example $x^2$\n\nTerm\n: y\n\n```rust\nfn\n```\n";
    let off = MarkdownConfig {
        notes: false,
        autolinks: false,
        definition_lists: false,
        math: false,
        highlight: false,
        ..MarkdownConfig::default()
    };
    assert_eq!(
        read_body(text, off).0.html,
        "<blockquote>\n<p>[!NOTE]\nx</p>\n</blockquote>\n<p>www.a.example $x^2$</p>\n<p>Term\n: y</p>\n\
         <pre tabindex=\"0\"><code class=\"language-rust\">fn\n</code></pre>"
    );
    let output = Site::empty()
        .write(
            "site.toml",
            "base_url = \"https://walks.example\"\n[markdown]\nnotes = false\nline_numbers = true\nmaths = true\n",
        )
        .write("content/items/a.md", "+++\nid = \"a\"\n+++\n> [!NOTE]\n> x\n\n```\ny\n```\n")
        .build();
    let help = output.outcome.warnings[0].help.as_deref();
    assert_eq!(help, Some("did you mean `math`?"));
    let feed = std::fs::read_to_string(output.folder().join("feed.json")).unwrap();
    assert!(feed.contains("[!NOTE]") && feed.contains("data-line="), "{feed}");
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "$", "$$", "\\", "{", "}", "^", "_", "\\frac", "\\left(", "\\begin{cases}", "&", "x", "1", " ", "\n", "\n\n", "> ", "[!NOTE]",
            "[!", "]", "- ", ": ", ":", "www.", "https://", "a.example", "@", "mailto:", ".", ",", ")", "(", "<", ">", "<a>", "</a>", "`",
            "```", "*", "**", "~~", "\"", "'", "--", "...", "&amp;", "é", "。", "\u{1a}", "\u{1c}", "| a |\n|--|\n", "[^1]", "[^1]: ",
            "![", "[", "](", "# ", "\t", "    ", "\r\n", "$x$", "US$",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// No text makes it panic, nor brings stand-ins, placeholders or an element into the HTML that its author did not write.
    #[test]
    fn any_text_parses(text in text(), smart_punctuation in any::<bool>()) {
        let config = MarkdownConfig { smart_punctuation, ..MarkdownConfig::default() };
        let (body, _) = read_body(&text, config);
        let has_stand_in = body.html.contains(['\u{1a}', '\u{1c}']);
        prop_assert!(!has_stand_in);
        prop_assert!(!body.text.contains("feedwright"));
        let fragment = scraper::Html::parse_fragment(&body.html);
        let open = scraper::Selector::parse("a a, p p, script, style, [style]").unwrap();
        prop_assert!(text.contains("<a>") || fragment.select(&open).next().is_none(), "{}", body.html);
    }
}
