//! Code blocks: coloured by their language, and always the author's code.

use std::path::Path;
use std::time::Duration;

use feedwright::highlight::{
    Look, MAX_BLOCK, MAX_GRAMMAR_BLOCK, MAX_GRAMMAR_LINE, MAX_LINE, labels, push_code_block,
};
use feedwright::model::{Body, Config, MarkdownConfig, SitePath, Source};
use feedwright::source::body::markdown_body;
use feedwright::source::fields::Reader;
use proptest::prelude::*;

use crate::support::Work;

const LANGUAGES: [&str; 21] = [
    "powershell", "c++", "go", "perl", "php", "ruby", "sql", "rust", "bash", "css", "dockerfile",
    "html", "js", "json", "markdown", "python", "toml", "ts", "yaml", "diff", "nonsense",
];

fn block(info: &str, code: &str) -> String {
    let mut html = String::new();
    let look = Look { highlight: true, ..Look::default() };
    push_code_block(&mut html, info, code, look);
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
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn markdown(body: &str, highlight: bool) -> Body {
    let path = SitePath::parse("content/items/code.md").unwrap();
    let config = Config {
        markdown: MarkdownConfig { highlight, ..MarkdownConfig::default() },
        ..Config::default()
    };
    let source = Source { path: &path, text: body };
    markdown_body(&Reader::new(source, &config, Path::new(".")), 0, "x").0
}

#[test]
fn a_block_is_highlighted_in_its_language() {
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
fn common_language_names_are_recognised() {
    for info in [
        "js", "JavaScript", "node", "ts", "tsx", "sh", "bash", "console", "shell", "zsh",
        "shell-session", "rs", "rust,ignore", "py", "python3", "yml", "YAML", "toml", "html",
        "css", "json", "jsonl", "diff", "patch", "mustache", "handlebars", "xml", "rss", "svg",
        "md", "docker", "js{1-3}", "toml title=\"site.toml\"",
    ] {
        // One line that has something to colour in any of them.
        let code = "+<a b=\"c\"> \"x\": 1 # true\n[a]\nlet x = 1;\na: 1\n$ echo \"x\"\n{ width: 1px }\n# b";
        assert!(block(info, code).contains("<span"), "{info}");
    }
}

#[test]
fn unknown_languages_are_not_highlighted() {
    for info in ["", "text", "plain", "none", "nonsense", "téxte", ",", "{", "🦀"] {
        let html = block(info, "let x = \"<1>\"; // if\n");
        assert_eq!(inside(&html), "let x = \"&lt;1&gt;\"; // if\n", "{info}");
    }
}

#[test]
fn the_language_becomes_a_class() {
    let class = |info| block(info, "").split("<code").nth(1).unwrap().to_owned();
    assert_eq!(class("toml"), " class=\"language-toml\"></code></pre>\n");
    assert_eq!(class("toml x"), " class=\"language-toml\"></code></pre>\n");
    assert_eq!(class(""), "></code></pre>\n");
    assert_eq!(class("a\"><b>"), " class=\"language-a&quot;&gt;&lt;b&gt;\"></code></pre>\n");
}

#[test]
fn command_output_is_not_highlighted() {
    let html = block("console", "$ echo \"a\" \\\n  \"b\"\nit doesn't end if \"x\"\n$ if true\n");
    assert_eq!(text(&html).lines().count(), 4);
    assert!(html.contains("\nit doesn't end if \"x\"\n$ <span"), "{html}");
    assert!(html.contains("\n  <span class=\"hl-string\">\"b\"</span>\n"), "{html}");
}

#[test]
fn large_blocks_and_long_lines_are_not_highlighted() {
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
fn hostile_code_takes_bounded_time() {
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
        for language in LANGUAGES {
            let is_lexed = !["c++", "go", "perl", "php", "ruby", "sql"].contains(&language);
            let most = if is_lexed { MAX_BLOCK } else { MAX_GRAMMAR_BLOCK };
            let code = unit.repeat(most / unit.len());
            let work = Work::begin();
            let html = block(language, &code);
            let taken = work.so_far();
            assert!(
                taken < Duration::from_secs(if is_lexed { 2 } else { 10 }),
                "{language} {opener:?}: {taken:?}"
            );
            assert!(html.len() >= code.len());
        }
    }
}

#[test]
fn a_code_block_keeps_its_position_and_plain_text() {
    let body = "Before\n\n```toml\nlimit = 300  \n\n  x = '<b>'\n```\n\n- item\n  ```sh\n  echo \"hi\"\n  ```\n\n    indented <b>\n";
    let on = markdown(body, true);
    let off = markdown(body, false);
    assert_eq!(on.text, off.text);
    assert!(on.text.contains("limit = 300  \n\n  x = '<b>'\n"), "{}", on.text);
    assert!(on.text.contains("item\necho \"hi\"\n"), "{}", on.text);
    assert!(off.html.contains(
        "<p>Before</p>\n<pre tabindex=\"0\"><code class=\"language-toml\">limit = 300  \n\n  x = '&lt;b&gt;'\n</code></pre>\n"
    ));
    assert!(on.html.contains(
        "<span class=\"hl-type\">limit</span> = <span class=\"hl-number\">300</span>  \n"
    ));
    assert!(!off.html.contains("<span"));
    let read =
        |html: &str| scraper::Html::parse_fragment(html).root_element().text().collect::<String>();
    assert_eq!(read(&on.html), read(&off.html));
    let indented = markdown("    a <b>\n", true);
    assert_eq!(indented.html, "<pre tabindex=\"0\"><code>a &lt;b&gt;\n</code></pre>");
}

/// One block for each grammar's language, with something that it colours.
#[test]
fn code_in_many_languages_is_highlighted() {
    let mut all = String::new();
    for (info, code) in [
        ("c", "#include <stdio.h>\nint main(void) { return 0; } // end\n"),
        ("c++", "template <typename T> class A { T x = 1; };\n"),
        ("c#", "public class A { string s = $\"a {b}\"; }\n"),
        ("clojure", "(defn f [x] (+ x 1)) ; end\n"),
        ("dart", "void main() { print('hi'); }\n"),
        ("elixir", "defmodule A do\n  def f(x), do: x + 1\nend\n"),
        ("erlang", "f(X) -> X + 1. % end\n"),
        ("go", "func main() { fmt.Println(\"hi\", 1) }\n"),
        ("graphql", "type A { id: ID! }\n"),
        ("haskell", "main :: IO ()\nmain = putStrLn \"hi\"\n"),
        ("hcl", "resource \"a\" \"b\" { count = 1 }\n"),
        ("ini", "[a]\nb = 1\n"),
        ("java", "public class A { int x = 1; }\n"),
        ("julia", "function f(x) x + 1 end\n"),
        ("kotlin", "fun main() { println(\"hi $x\") }\n"),
        ("latex", "\\section{A} % b\n"),
        ("lua", "local x = 1 -- end\n"),
        ("makefile", "all: a.o\n\techo \"hi\"\n"),
        ("nix", "{ pkgs ? import <nixpkgs> {} }: pkgs.hello\n"),
        ("objective-c", "@interface A : NSObject\n@end\n"),
        ("ocaml", "let x = 1 in x + 1\n"),
        ("perl", "my $x = \"a\"; # end\n"),
        ("php", "function f($x) { return \"a\"; }\n"),
        ("powershell", "Get-ChildItem -Path $home | Where-Object { $_.Name -eq \"a\" } # end\n"),
        ("proto", "message A { string b = 1; }\n"),
        ("r", "f <- function(x) x + 1 # end\n"),
        ("ruby", "def f(x) = \"a #{x}\" # end\n"),
        ("scala", "object A extends App { val x = 1 }\n"),
        ("scss", "$a: 1px;\n.b { c: $a; }\n"),
        ("sql", "SELECT a, 1 FROM b WHERE c = 'd'; -- end\n"),
        ("svelte", "<p>{#if a}b{/if}</p>\n"),
        ("swift", "func f(x: Int) -> String { \"a\" }\n"),
        ("vue", "<template><p v-if=\"a\">b</p></template>\n"),
        ("zig", "const x: u8 = 1; // end\n"),
    ] {
        let html = block(info, code);
        assert_eq!(text(&html), code, "{info}");
        assert!(html.contains("<span"), "{info}: {html}");
        all.push_str(&html);
    }
    insta::assert_snapshot!(all);
    assert!(labels().count() > 80);
}

#[test]
fn slow_to_parse_code_is_not_highlighted() {
    let line = "x := 1\n";
    let fits = line.repeat(MAX_GRAMMAR_BLOCK / line.len());
    assert!(block("go", &fits).contains("<span"));
    let big = line.repeat(MAX_GRAMMAR_BLOCK / line.len() + 1);
    assert!(!block("go", &big).contains("<span"));
    let long = format!("x := \"{}\"\n", "a".repeat(MAX_GRAMMAR_LINE));
    assert!(!block("go", &long).contains("<span"));
    let work = Work::begin();
    let dump = line.repeat(5_000_000 / line.len());
    assert_eq!(text(&block("go", &dump)), dump);
    assert!(work.so_far() < Duration::from_secs(2));
}

#[test]
fn fence_options_control_how_lines_are_shown() {
    let code = "// a\n\n/* b\nc */";
    let html = [
        "rust title=\"src/<main>.rs\"", "rust linenos", "rust {2,4}",
        "rust {1} linenos=99 title=a", "nonsense linenos",
    ];
    let html: Vec<String> = html.iter().map(|info| block(info, code)).collect();
    insta::assert_snapshot!(html.join("\n"));
    let mut numbered = String::new();
    let look = Look { line_numbers: true, ..Look::default() };
    push_code_block(&mut numbered, "rust", code, look);
    assert!(numbered.contains("data-line=\"4\"") && !numbered.contains("data-language"));
    push_code_block(&mut numbered, "rust linenos=false", "x", look);
    assert!(numbered.ends_with("\"language-rust\">x</code></pre>\n"));
}

#[test]
fn an_unclosed_fence_keeps_the_following_text() {
    let content = markdown("> ```rust\n> fn a() {}\n\nafter\n\n```js\nlet x\n", true);
    assert!(content.html.contains("</code></pre>\n</blockquote>\n<p>after</p>"));
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
    fn highlighting_preserves_the_code(code in code(), language in prop::sample::select(&LANGUAGES[..])) {
        let html = block(language, &code);
        prop_assert_eq!(text(&html), code.clone());
        prop_assert_eq!(block(language, &code), html);
    }

    #[test]
    fn any_fence_produces_safe_html(info in r#"[a-z]{0,4}([ ,{}=\[\]"'<>&]|title|linenos|hl_lines|[0-9-]|\PC){0,20}"#) {
        let html = block(&info, "x");
        let document = scraper::Html::parse_fragment(&html);
        let names: Vec<&str> = document
            .root_element()
            .descendants()
            .filter_map(|node| Some(node.value().as_element()?.name()))
            .collect();
        let known = ["html", "figure", "figcaption", "pre", "code", "span", "mark"];
        prop_assert!(names.iter().all(|name| known.contains(name)), "{}", html);
        let code = scraper::Selector::parse("pre code").unwrap();
        let code: Vec<_> = document.select(&code).collect();
        prop_assert_eq!(code.len(), 1);
        prop_assert_eq!(code[0].text().collect::<String>(), "x");
    }
}
