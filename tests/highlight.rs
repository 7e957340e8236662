//! Code blocks: coloured by their language, and always the author's code.

use std::path::Path;
use std::time::{Duration, Instant};

use feedwright::model::{Body, Config, MarkdownConfig, SitePath, Source};
use feedwright::source::body::markdown_body;
use feedwright::source::fields::Reader;
use feedwright::source::highlight::{MAX_BLOCK, MAX_LINE, push_code_block};
use proptest::prelude::*;

const LANGUAGES: [&str; 14] = [
    "rust",
    "bash",
    "css",
    "dockerfile",
    "html",
    "js",
    "json",
    "markdown",
    "python",
    "toml",
    "ts",
    "yaml",
    "diff",
    "nonsense",
];

fn block(info: &str, code: &str) -> String {
    let mut html = String::new();
    push_code_block(&mut html, info, code, true);
    html
}

/// What stands between `<code …>` and `</code>`.
fn inside(html: &str) -> &str {
    let start = html.find("<code").unwrap();
    let start = start + html[start..].find('>').unwrap() + 1;
    &html[start..html.rfind("</code></pre>\n").unwrap()]
}

/// The text of a block: spans must pair up and not nest, and nothing else may be a tag.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut open = false;
    let mut rest = inside(html);
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let end = at + rest[at..].find('>').unwrap() + 1;
        match &rest[at..end] {
            "</span>" => {
                assert!(open, "{html}");
                open = false;
            }
            tag => {
                let name = tag.strip_prefix("<span class=\"hl-").unwrap();
                let name = name.strip_suffix("\">").unwrap();
                assert!(!open && name.bytes().all(|b| b.is_ascii_lowercase()));
                open = true;
            }
        }
        rest = &rest[end..];
    }
    assert!(!open, "{html}");
    text.push_str(rest);
    assert!(!text.contains('>'), "{html}");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

fn markdown(body: &str, highlight: bool) -> Body {
    let path = SitePath::parse("content/items/code.md").unwrap();
    let config = Config {
        markdown: MarkdownConfig {
            highlight,
            ..MarkdownConfig::default()
        },
        ..Config::default()
    };
    let source = Source {
        path: &path,
        text: body,
    };
    markdown_body(&Reader::new(source, &config, Path::new(".")), 0, "x").0
}

#[test]
fn a_block_is_coloured_by_its_language() {
    for (info, code, html) in [
        (
            "rust",
            "fn main() {} // <go>\n",
            "<span class=\"hl-keyword\">fn</span> <span class=\"hl-function\">main</span>() {} \
             <span class=\"hl-comment\">// &lt;go&gt;</span>\n",
        ),
        (
            "toml",
            "[feed]\nlimit = 300\nsort = \"a & b\"\n",
            "<span class=\"hl-keyword\">[feed]</span>\n<span class=\"hl-type\">limit</span> = \
             <span class=\"hl-number\">300</span>\n<span class=\"hl-type\">sort</span> = \
             <span class=\"hl-string\">\"a &amp; b\"</span>\n",
        ),
        (
            "mustache",
            "<p>{{title}}</p>",
            "&lt;<span class=\"hl-keyword\">p</span>&gt;{{title}}\
             &lt;/<span class=\"hl-keyword\">p</span>&gt;",
        ),
        (
            "diff",
            "--- a\n+++ b\n@@ -1 +1 @@\n same\n-old\n+new <b>\n\n",
            "<span class=\"hl-comment\">--- a</span>\n<span class=\"hl-comment\">+++ b</span>\n\
             <span class=\"hl-function\">@@ -1 +1 @@</span>\n same\n\
             <span class=\"hl-deleted\">-old</span>\n\
             <span class=\"hl-inserted\">+new &lt;b&gt;</span>\n\n",
        ),
    ] {
        assert_eq!(inside(&block(info, code)), html, "{info}");
    }
}

#[test]
fn names_that_authors_write_are_known() {
    for info in [
        "js",
        "JavaScript",
        "node",
        "ts",
        "tsx",
        "sh",
        "bash",
        "console",
        "shell",
        "zsh",
        "shell-session",
        "rs",
        "rust,ignore",
        "py",
        "python3",
        "yml",
        "YAML",
        "toml",
        "html",
        "css",
        "json",
        "jsonl",
        "diff",
        "patch",
        "mustache",
        "handlebars",
        "xml",
        "rss",
        "svg",
        "md",
        "docker",
        "js{1-3}",
        "toml title=\"site.toml\"",
    ] {
        // One line that has something to colour in any of them.
        let code = "+<a b=\"c\"> \"x\": 1 # true\n[a]\nlet x = 1;\na: 1\n$ echo \"x\"\n{ width: 1px }\n# b";
        assert!(block(info, code).contains("<span"), "{info}");
    }
}

#[test]
fn other_names_stay_plain() {
    for info in [
        "", "text", "plain", "none", "nonsense", "téxte", ",", "{", "🦀",
    ] {
        let html = block(info, "let x = \"<1>\"; // if\n");
        assert_eq!(inside(&html), "let x = \"&lt;1&gt;\"; // if\n", "{info}");
    }
}

#[test]
fn the_fence_names_the_class() {
    let class = |info| block(info, "").split("<code").nth(1).unwrap().to_owned();
    assert_eq!(class("toml"), " class=\"language-toml\"></code></pre>\n");
    assert_eq!(class("toml x"), " class=\"language-toml\"></code></pre>\n");
    assert_eq!(class(""), "></code></pre>\n");
    assert_eq!(
        class("a\"><b>"),
        " class=\"language-a&quot;&gt;&lt;b&gt;\"></code></pre>\n"
    );
}

#[test]
fn the_output_of_a_command_is_not_code() {
    let html = block(
        "console",
        "$ echo \"a\" \\\n  \"b\"\nit doesn't end if \"x\"\n$ if true\n",
    );
    assert_eq!(text(&html).lines().count(), 4);
    assert!(
        html.contains("\nit doesn't end if \"x\"\n$ <span"),
        "{html}"
    );
    assert!(
        html.contains("\n  <span class=\"hl-string\">\"b\"</span>\n"),
        "{html}"
    );
}

#[test]
fn big_blocks_and_long_lines_stay_plain() {
    let line = "let x = 1;\n";
    let fits = line.repeat(MAX_BLOCK / line.len());
    assert!(block("rust", &fits).contains("<span"));
    let big = line.repeat(MAX_BLOCK / line.len() + 1);
    assert!(!block("rust", &big).contains("<span"));
    assert_eq!(text(&block("rust", &big)), big);
    let long = format!("let x = \"{}\";\nlet y = 1;\n", "a".repeat(MAX_LINE));
    assert!(!block("rust", &long).contains("<span"));
}

/// Openers without an end, over and over, at the largest size: a quadratic lexer takes seconds here.
#[test]
fn hostile_code_takes_no_longer_than_other_code() {
    for opener in [
        "<", "</", "<!--", "<a ", "<script>", "&", "{", "${", "$(", "\"", "'", "`", "/", "/*",
        "<<A ", "<<A\n", "r#", "r#\"", "*", "_", "[", "[[", "![](", "**", "#", "@", "0x", "1.",
        "- ", "|\n ", "\\", "'''", "\"\"\"", "f\"", "url(", ":", "a:", "é", "\n", " ", "\t", "===",
        "```\n", "~~~",
    ] {
        let unit = if opener.contains('\n') {
            opener.to_owned()
        } else {
            format!("{}\n", opener.repeat(500))
        };
        let code = unit.repeat(MAX_BLOCK / unit.len());
        for language in LANGUAGES {
            let start = Instant::now();
            let html = block(language, &code);
            let taken = start.elapsed();
            assert!(
                taken < Duration::from_secs(2),
                "{language} {opener:?}: {taken:?}"
            );
            assert!(html.len() >= code.len());
        }
    }
}

#[test]
fn a_markdown_block_keeps_its_place_and_its_plain_text() {
    let body = "Before\n\n```toml\nlimit = 300  \n\n  x = '<b>'\n```\n\n- item\n  ```sh\n  echo \"hi\"\n  ```\n\n    indented <b>\n";
    let on = markdown(body, true);
    let off = markdown(body, false);
    assert_eq!(on.text, off.text);
    assert!(
        on.text.contains("limit = 300  \n\n  x = '<b>'\n"),
        "{}",
        on.text
    );
    assert!(on.text.contains("item\necho \"hi\"\n"), "{}", on.text);
    assert!(off.html.contains(
        "<p>Before</p>\n<pre tabindex=\"0\"><code class=\"language-toml\">limit = 300  \n\n  x = '&lt;b&gt;'\n</code></pre>\n"
    ));
    assert!(on.html.contains(
        "<span class=\"hl-type\">limit</span> = <span class=\"hl-number\">300</span>  \n"
    ));
    assert!(!off.html.contains("<span"));
    let read = |html: &str| {
        scraper::Html::parse_fragment(html)
            .root_element()
            .text()
            .collect::<String>()
    };
    assert_eq!(read(&on.html), read(&off.html));
    let indented = markdown("    a <b>\n", true);
    assert_eq!(
        indented.html,
        "<pre tabindex=\"0\"><code>a &lt;b&gt;\n</code></pre>"
    );
}

#[test]
fn a_fence_without_an_end_keeps_what_follows() {
    let content = markdown("> ```rust\n> fn a() {}\n\nafter\n\n```js\nlet x\n", true);
    assert!(
        content
            .html
            .contains("</code></pre>\n</blockquote>\n<p>after</p>")
    );
    assert!(content.html.ends_with("</code></pre>"));
}

/// Code in pieces that mean something to a lexer, cut and glued anywhere.
fn code() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "\"", "'", "`", "\\", "/", "//", "/*", "*/", "<", ">", "</", "<!--", "-->", "&", "&amp;", "${", "$(",
            "}", ")", "{", "(", "[", "]", "#", "#!", "@", "=", ":", ";", ",", "-", "---", "+", "|", "\n", "\r\n", " ", "\t",
            "<<EOF\n", "EOF", "r#\"", "\"\"\"", "'''", "f\"", "b'", "$ ", "0x", "1e", "1.", "2026-01-01T", "let", "fn ", "if",
            "true", "class", "<script>", "</script>", "<![CDATA[", "<?", "url(", "!important", "```", "~~~", "- ", "* ", "_",
            "é", "日本", "🦀", "\u{301}", "\u{2028}", "\0", "&#", "FROM", "RUN", "@@", "> ", "&a", "*a",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_text_is_the_code(code in code(), language in prop::sample::select(&LANGUAGES[..])) {
        let html = block(language, &code);
        prop_assert_eq!(text(&html), code.clone());
        prop_assert_eq!(block(language, &code), html);
    }

    #[test]
    fn any_fence_is_a_safe_class(info in "\\PC{0,20}") {
        let html = block(&info, "x");
        prop_assert_eq!(html.matches('<').count(), 4);
        prop_assert_eq!(html.matches('"').count() % 2, 0);
    }
}
