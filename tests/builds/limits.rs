//! What a site's files may ask for: twice as much input costs twice as much time and memory, and what is
//! too large is an error before it is read.

use std::fs::{self, File};
use std::process::{Command, Output, Stdio};

use feedwright::builder::{self, Silent};
use feedwright::model::Diagnostic;
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use crate::content::errors::site_with_theme;
use crate::support::small_site::{SmallSite, site};
use crate::support::{media_fixture, program};

/// Seconds of processor time that this thread has had.
fn cpu_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).unwrap();
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1_000_000.0;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// The most memory this process has had, in MB.
fn peak_memory_mb() -> i64 {
    getrusage(UsageWho::RUSAGE_SELF).unwrap().max_rss() / 1024
}

/// What a site costs: seconds, and bytes that are written.
fn build_cost(site: &SmallSite) -> (f64, usize) {
    let before = cpu_seconds();
    let result = builder::run(&site.options(), &Silent);
    let seconds = cpu_seconds() - before;
    let diagnostics: Vec<Diagnostic> = match result {
        Ok(outcome) => outcome.warnings,
        Err(report) => report.sorted(),
    };
    let told: usize = diagnostics.iter().map(|d| d.to_string().len()).sum();
    assert!(told < 1_000_000, "{told} bytes of messages");
    let written = site.output().values().map(Vec::len).sum();
    (seconds, written)
}

type Case = (&'static str, usize, fn(usize) -> SmallSite);

/// Builds each site of `n` and of four times as many: four times the cost, not sixteen times.
fn assert_linear_growth(cases: &[Case]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    let pool = pool.build().unwrap();
    pool.install(|| {
        build_cost(&site());
        for (name, n, make) in cases {
            let (once, less) = build_cost(&make(*n));
            let (four, more) = build_cost(&make(4 * n));
            eprintln!("{name}: {once:.3} s, {four:.3} s");
            assert!(four < 8.0 * once + 0.04, "{name}: {once:.3} s, then {four:.3} s");
            assert!(more < 8 * less + 1_000_000, "{name}: {less} bytes, then {more}");
            assert!(peak_memory_mb() < 700, "{name}: {} MB", peak_memory_mb());
        }
    });
}

fn body(text: String) -> SmallSite {
    site().item(format!("+++\ntitle = \"x\"\n+++\n{text}"))
}

/// An item whose body is HTML.
fn html(text: String) -> SmallSite {
    site().with("content/items/x.html", format!("+++\ntitle = \"x\"\n+++\n{text}"))
}

/// Elements of all kinds: those that a parser opens again, those that end one another, and others.
const ELEMENTS: [&str; 24] = [
    "a", "b", "i", "em", "strong", "code", "span", "font", "nobr", "sup", "q", "h2", "div", "li",
    "ul", "dl", "table", "td", "blockquote", "button", "svg", "math", "template", "ruby",
];

fn join_elements(part: impl Fn(&'static str) -> String) -> String {
    ELEMENTS.map(part).concat()
}

fn join_each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect()
}

fn toml(text: String) -> SmallSite {
    site().item(format!("+++\n{text}\n+++\nText.\n"))
}

#[test]
fn links_and_images_have_linear_cost() {
    assert_linear_growth(&[
        ("references to one address", 2500, |n| {
            body(format!("{}\n\n[x]: /nope/\n", "[x] ".repeat(n)))
        }),
        ("references to a long address", 500, |n| {
            body(format!("[x]: /{}\n\n{}", "a".repeat(n), "[x] ".repeat(n)))
        }),
        ("broken links in a line", 500, |n| body("[x](/nope/) ".repeat(n))),
        ("broken links in lines", 1250, |n| body("[x](/nope/)\n".repeat(n))),
        ("links to missing files", 750, |n| body("[x](nope.md)\n".repeat(n))),
        ("missing pictures", 750, |n| body("![a](x.png) ".repeat(n))),
        ("missing anchors", 1250, |n| body("[x](#nope) ".repeat(n))),
        ("links in HTML", 750, |n| body("<div><a href=\"/nope/\">x</a></div>\n".repeat(n))),
        ("shortcodes", 1250, |n| body("{{< x >}} {% y %}\n".repeat(n))),
        ("brackets", 5000, |n| body("[".repeat(n))),
        ("links by name", 1250, |n| body("[[x y]] ".repeat(n))),
        ("links by other names", 1000, |n| body(join_each(n, |at| format!("[[n{at}]] ")))),
        ("links by name never closed", 2500, |n| body("[[x".repeat(n))),
        ("links with texts in brackets", 250, |n| body("[[1]](https://e.example/a) ".repeat(n))),
        ("players", 500, |n| body("https://e.example/a.mp3\n\n".repeat(n))),
        ("links never closed", 2500, |n| body("[x](".repeat(n))),
        ("addresses", 1250, |n| body("<https://e.example/a> ".repeat(n))),
        ("a page that lists all others", 15, |n| {
            let list = body(join_each(n, |at| format!("[x](b{at}.md) ")));
            (0..n).fold(list, |site, at| site.with(&format!("content/items/b{at}.md"), "x"))
        }),
    ]);
}

#[test]
fn text_has_linear_cost() {
    assert_linear_growth(&[
        ("checkboxes", 2000, |n| body("[x] ".repeat(n))),
        ("task lists", 400, |n| body("- [x] a\n".repeat(n))),
        ("emphasis", 2500, |n| body("*a _b ".repeat(n))),
        ("quotes in quotes", 500, |n| body(format!("{}a", ">".repeat(n)))),
        ("lists in lists", 50, |n| {
            body(join_each(n, |level| format!("{:1$}- a\n", "", 2 * level)))
        }),
        ("footnotes", 200, |n| body(join_each(n, |at| format!("a[^{at}]\n\n[^{at}]: x\n\n")))),
        ("one footnote", 500, |n| body(format!("{}\n\n[^1]: x\n", "a[^1] ".repeat(n)))),
        ("rows", 750, |n| body(format!("|a|b|\n|-|-|\n{}", "|b|c|\n".repeat(n)))),
        ("headings of one name", 1250, |n| body("# same\n".repeat(n))),
        ("elements", 1250, |n| body("<b>x</b> ".repeat(n))),
        ("elements never closed", 1250, |n| body("<a href=x ".repeat(n))),
        ("HTML elements never closed", 500, |n| {
            html(join_elements(|tag| format!("<{tag} href=x>a ").repeat(n / 10)))
        }),
        ("HTML elements never closed in Markdown", 500, |n| {
            body(join_elements(|tag| format!("<{tag} href=x>a ").repeat(n / 10)))
        }),
        ("paragraphs of HTML elements never closed", 500, |n| {
            html(join_elements(|tag| format!("<p><{tag}>a</p>\n").repeat(n / 10)))
        }),
        ("HTML elements in each other", 500, |n| {
            html(join_elements(|tag| {
                format!(
                    "{}a{}",
                    format!("<{tag}>").repeat(n / 10),
                    format!("</{tag}>").repeat(n / 10)
                )
            }))
        }),
        ("HTML headings of one name", 500, |n| html("<h2>a</h2>\n".repeat(n))),
        ("HTML headings never closed", 2000, |n| html("<h1>a<h2>b</h2>".repeat(n))),
        ("HTML headings without a text", 2000, |n| html(format!("{}</h2>", "<h2>".repeat(n)))),
        ("comments never closed", 2500, |n| body("<!--".repeat(n))),
        ("code", 75, |n| body("```rust\nfn x() { let a = \"b\"; }\n```\n".repeat(n))),
        ("code never closed", 1250, |n| body(format!("```js\n{}", "`${".repeat(n)))),
        ("backticks", 75, |n| body(join_each(n.isqrt() * 12, |at| "`".repeat(at) + " "))),
        ("control characters", 10_000, |n| body("\u{1}".repeat(n))),
        ("data in one line", 4000, |n| {
            body(format!("```json\n{{{}}}\n```\n", "\"a\":[1,{\"b\":2}],".repeat(n)))
        }),
        ("YAML in one line", 4000, |n| {
            body(format!("```yaml\nx: {{{}}}\n```\n", "a: [1, {b: 2}], ".repeat(n)))
        }),
        ("text in one line", 4000, |n| body("a: b, c:d (e) <f> #g @h $i$ *j* ".repeat(n))),
        ("domains with underscores", 4000, |n| body("_www._".repeat(n))),
        ("addresses without an end", 4000, |n| body("http://a_".repeat(n))),
        ("e-mail addresses without a host", 4000, |n| body("a@b".repeat(n))),
        ("emphasis in words", 4000, |n| body("a*b_c~d".repeat(n))),
        ("lists in a line", 500, |n| body("- ".repeat(n))),
        ("definitions", 1000, |n| body("a\n: b\n\n".repeat(n))),
        ("formulas and prices", 1000, |n| body("$x$ US$5 $a + b$ ".repeat(n))),
        ("notes", 500, |n| body("> [!NOTE]\n> x\n\n".repeat(n))),
        ("footnotes in a line", 750, |n| body(format!("{}\n\n[^a]: b\n", "[^a]".repeat(n)))),
    ]);
}

/// Pictures of one paragraph: a gallery, or one that text keeps from being a gallery.
#[test]
fn images_in_a_paragraph_have_linear_cost() {
    assert_linear_growth(&[
        ("a gallery", 1000, |n| body("![a](https://e.example/x.png)\n".repeat(n))),
        ("pictures and a word", 1000, |n| {
            body(format!("{}x", "![a](https://e.example/x.png) ".repeat(n)))
        }),
        ("pictures of the site", 750, |n| {
            let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2\" height=\"1\"/>";
            body("![a](x.svg)\n".repeat(n)).with("content/items/x.svg", drawing)
        }),
        ("linked pictures", 750, |n| {
            body("[![a](https://e.example/x.png \"b\")](https://e.example/) ".repeat(n))
        }),
    ]);
}

/// Files beside an item, whose lines may be of any length and of which each may be wrong.
#[test]
fn chapters_and_transcripts_have_linear_cost() {
    fn with_sidecar(name: &str, key: &str, text: String) -> SmallSite {
        let value =
            if key == "transcripts" { format!("[\"{name}\"]") } else { format!("\"{name}\"") };
        let front = format!("+++\ntitle = \"x\"\n[podcast]\n{key} = {value}\n+++\nText.\n");
        site().item(front).with(&format!("content/items/{name}"), text)
    }
    assert_linear_growth(&[
        ("chapters that are none", 5000, |n| with_sidecar("c.txt", "chapters", "x\n".repeat(n))),
        ("a long line of chapters", 10_000, |n| {
            with_sidecar("c.txt", "chapters", format!("0:00 {}", "a <b> ".repeat(n)))
        }),
        ("bad chapters of JSON in a line", 2000, |n| {
            with_sidecar(
                "c.json",
                "chapters",
                format!("[{}0]", "{\"startTime\":\"x\",\"toc\":5},".repeat(n)),
            )
        }),
        ("a cue of one line", 10_000, |n| {
            with_sidecar(
                "t.srt",
                "transcripts",
                format!("1\n00:00:00,000 --> 00:00:01,000\n{}\n", "a <b {c &d: ".repeat(n)),
            )
        }),
        ("captions that roll up", 500, |n| {
            let cue = |at: usize| {
                format!(
                    "{:02}:{:02}:00.000 --> {:02}:{:02}:59.990\na<00:00:01.000>\nb\n\n",
                    at / 60,
                    at % 60,
                    at / 60,
                    at % 60
                )
            };
            with_sidecar("t.vtt", "transcripts", format!("WEBVTT\n\n{}", join_each(n, cue)))
        }),
        ("chapters of a recording with tags", 500, |n| {
            let chapter =
                |at| format!("{{\"startTime\":{}.{:03},\"img\":\"p.jpg\"}},", at / 1000, at % 1000);
            let chapters = join_each(n, chapter);
            with_sidecar("c.json", "chapters", format!("[{}]", chapters.trim_end_matches(',')))
                .item("+++\ntitle = \"x\"\nattachment = \"a.mp3\"\npodcast.chapters = \"c.json\"\n+++\n")
                .with("content/items/a.mp3", fs::read(media_fixture("cbr-info.mp3")).unwrap())
                .with("content/items/p.jpg", fs::read(media_fixture("picture.jpg")).unwrap())
        }),
        ("lines of one cue", 5000, |n| {
            with_sidecar(
                "t.vtt",
                "transcripts",
                format!("WEBVTT\n\n00:00.000 --> 00:01.000\n{}", "a<00:00:01.000>\n".repeat(n)),
            )
        }),
    ]);
}

#[test]
fn front_matter_has_linear_cost() {
    assert_linear_growth(&[
        ("TOML keys", 1500, |n| toml(join_each(n, |at| format!("k{at} = 1\n")))),
        ("TOML keys of a table", 1500, |n| {
            toml(format!("[podcast]\n{}", join_each(n, |at| format!("k{at} = 1\n"))))
        }),
        ("TOML tables", 750, |n| toml(join_each(n, |at| format!("[[a]]\nb = {at}\n")))),
        ("TOML keys twice", 1250, |n| toml("a = 1\n".repeat(n))),
        ("YAML keys", 1000, |n| {
            site().item(format!("---\n{}---\n", join_each(n, |at| format!("k{at}: 1\n"))))
        }),
        ("YAML keys in a line", 750, |n| {
            site().item(format!("---\nx: {{{}}}\n---\n", join_each(n, |at| format!("k{at}: 1, "))))
        }),
        ("YAML lists in a line", 750, |n| {
            site().item(format!("---\ntags: [{}]\n---\n", "[ü], ".repeat(n)))
        }),
        ("YAML references", 75, |n| {
            site().item(format!("---\na: &a [{}]\nb: [{}]\n---\n", "x,".repeat(n), "*a,".repeat(n)))
        }),
        ("JSON keys", 1500, |n| {
            site().item(format!("{{{}\"z\": 1}}\n", join_each(n, |at| format!("\"k{at}\": 1,"))))
        }),
        ("tags", 250, |n| toml(format!("tags = [{}]", join_each(n, |at| format!("\"t{at}\","))))),
        ("aliases", 50, |n| {
            toml(format!("aliases = [{}]", join_each(n, |at| format!("\"t{at}\","))))
        }),
        ("wrong aliases", 1000, |n| {
            toml(format!("aliases = [{}]", join_each(n, |at| format!("\"t {at}\","))))
        }),
        ("former paths", 30, |n| {
            toml(format!("aliases = [{}]", join_each(n, |at| format!("\"/t/{at}\","))))
        }),
        ("authors", 500, |n| {
            toml(format!("authors = [{}]", join_each(n, |at| format!("\"a{at}\","))))
        }),
        ("chapters", 250, |n| {
            toml(join_each(n, |at| format!("[[podcast.chapters]]\nstartTime = {at}\n")))
        }),
        ("people", 250, |n| {
            toml(join_each(n, |at| format!("[[podcast.people]]\nname = \"p{at}\"\n")))
        }),
        ("a long title", 25_000, |n| toml(format!("title = \"{}\"", "a ".repeat(n)))),
        ("a long key", 10_000, |n| toml(format!("{} = 1", "k".repeat(n)))),
    ]);
}

#[test]
fn other_content_files_have_linear_cost() {
    assert_linear_growth(&[
        ("redirects in a row", 50, |n| {
            let lines = join_each(n, |at| format!("\"/a{at}/\" = \"/a{}/\"\n", at + 1));
            site().with("content/redirects.toml", lines)
        }),
        ("items of one title", 10, |n| {
            (0..n).fold(site(), |site, at| {
                site.with(&format!("content/items/{at}.md"), "+++\ntitle = \"x\"\n+++\n")
            })
        }),
        ("items of one id", 20, |n| {
            (0..n).fold(site(), |site, at| {
                site.with(&format!("content/items/{at}.md"), "+++\nid = \"x\"\n+++\n")
            })
        }),
        ("reserved aliases", 150, |n| {
            site().with(
                "content/pages/a.md",
                format!("+++\ntitle = \"a\"\naliases = [{}]\n+++\n", "\"rss\",".repeat(n)),
            )
        }),
        ("categories", 1500, |n| {
            let categories = join_each(n, |at| format!("\"c{at}\","));
            site().with(
                "content/channel.md",
                format!("+++\ntitle = \"a\"\ncategories = [{categories}]\n+++\n"),
            )
        }),
        ("chapters in a file", 500, |n| {
            toml("podcast.chapters = \"c.txt\"".into())
                .with("content/items/c.txt", join_each(n, |at| format!("{at} a\n")))
        }),
        ("lines of a transcript", 1500, |n| {
            let cues = join_each(n, |at| format!("{at:02}:00.000 --> {at:02}:01.000\nx\n\n"));
            toml("podcast.transcripts = \"t.vtt\"".into())
                .with("content/items/t.vtt", format!("WEBVTT\n\n{cues}"))
        }),
        ("tags of a template", 750, |n| {
            site_with_theme()
                .with("themes/mine/item.html", join_each(n, |at| format!("{{{{n{at}}}}}")))
        }),
        ("partials of a template", 750, |n| {
            site_with_theme().with("themes/mine/item.html", "{{>nope}} ".repeat(n))
        }),
        ("files that nothing reads", 30, |n| {
            (0..n).fold(site(), |site, at| {
                site.with(&format!("content/items/{at}.txt"), "x")
                    .with(&format!("content/posts/{at}.txt"), "x")
            })
        }),
    ]);
}

/// A file of so many megabytes that takes no room.
fn with_large_file(site: SmallSite, path: &str, megabytes: u64) -> SmallSite {
    let site = site.with(path, "");
    File::options().write(true).open(site.path(path)).unwrap().set_len(megabytes << 20).unwrap();
    site
}

#[test]
fn oversized_files_are_errors_without_being_read() {
    let named = |key: &str, file: &str| toml(format!("podcast.{key} = \"{file}\""));
    for (path, site) in [
        ("site.toml", site()),
        ("content/channel.md", site()),
        ("content/redirects.toml", site()),
        ("content/items/b.md", site()),
        ("content/items/b.html", site()),
        ("content/pages/b.md", site()),
        ("content/calendars/c/e.md", site()),
        ("content/calendars/c/calendar.toml", site()),
        ("content/items/c.txt", named("chapters", "c.txt")),
        ("site-files/a.txt", site()),
        ("themes/mine/item.html", site_with_theme()),
        ("themes/mine/style.css", site_with_theme()),
        ("themes/mine/yarn.txt", site_with_theme()),
    ] {
        let report = with_large_file(site, path, 1000).report();
        assert!(report.contains("larger than"), "{path}: {report}");
        assert!(report.contains("help: "), "{path}: {report}");
        assert!(peak_memory_mb() < 300, "{path}: {} MB", peak_memory_mb());
    }
    // Front matter has a bound of its own, and so has a file that is all TOML.
    let keys = join_each(400_000, |at| format!("k{at} = 1\n"));
    let report = toml(keys.clone()).report();
    assert!(report.contains("this front matter is larger than 4 MiB"), "{report}");
    let report = site().item(format!("---\n{}---\n", keys.replace(" =", ":"))).report();
    assert!(report.contains("this front matter is larger than 4 MiB"), "{report}");
    let report = site().with("content/redirects.toml", keys.clone()).report();
    assert!(report.contains("this file is larger than 4 MiB"), "{report}");
}

#[test]
fn at_most_100_warnings_per_file_are_reported() {
    let report = body("[x](/nope/)\n".repeat(250)).report();
    assert_eq!(report.matches("the site has nothing at /nope/").count(), 100, "{report}");
    let more = "warning: this file has 150 more warnings\n  --> content/items/a.md";
    assert!(report.contains(more), "{report}");
    let report = body("![x](nope.png)\n".repeat(101)).report();
    assert_eq!(report.matches("does not exist").count(), 100, "{report}");
    assert!(report.contains("error: this file has 1 more error"), "{report}");
    let report = body("[x](/nope/)\n".repeat(100)).report();
    assert!(!report.contains(" more\n"), "{report}");
}

#[test]
fn a_long_source_line_is_truncated_around_the_position() {
    let text =
        format!("+++\ntitle = \"x\"\n+++\n{}[x](/nope/){}", "é ".repeat(5000), " y".repeat(5000));
    let outcome = site().item(text).built();
    let [warning] = outcome.warnings.as_slice() else {
        panic!("{:?}", outcome.warnings);
    };
    let line = warning.source_line.as_deref().unwrap();
    assert_eq!(line.chars().count(), 160);
    assert_eq!((warning.column, warning.source_start), (Some(10_001), Some(9901)));
    assert_eq!(line.chars().skip(100).take(11).collect::<String>(), "[x](/nope/)");
    let shown = warning.to_string();
    let caret = shown.lines().find(|line| line.trim_end().ends_with('^')).unwrap();
    let shown = shown.lines().find(|line| line.starts_with("4 |")).unwrap();
    let at = caret.chars().position(|c| c == '^').unwrap();
    assert!(shown.chars().skip(at).collect::<String>().starts_with("[x](/nope/)"), "{shown}");
    // A short line is kept whole, and says nothing of where it starts.
    let outcome = body(format!("{}[x](/nope/)", "y".repeat(149))).built();
    let json = serde_json::to_value(&outcome.warnings[0]).unwrap();
    assert_eq!(json["source_line"].as_str().unwrap().len(), 160);
    assert_eq!(json.get("source_start"), None);
    // What a message quotes is bounded too.
    let outcome = body(format!("[x](/{}/)", "n".repeat(100_000))).built();
    assert!(outcome.warnings[0].message.len() < 1100);
}

#[test]
fn an_item_has_at_most_100_tags() {
    let tags = |n: usize| format!("tags = [{}]", join_each(n, |at| format!("\"t{at}\",")));
    assert_eq!(toml(tags(100)).built().items, 1);
    let report = toml(tags(101)).report();
    assert!(
        report.contains("error: an item can have at most 100 tags\n  --> content/items/a.md:2:8"),
        "{report}"
    );
    let spread =
        format!("{}\ncategories = [{}]", tags(60), join_each(60, |at| format!("\"c{at}\",")));
    assert!(toml(spread).report().contains("at most 100 tags"));
}

/// Names and titles that hold what a terminal obeys: ESC, BEL, C1's CSI, DEL, and characters that turn what
/// follows around.
const CONTROL_CHARACTERS: &str = "a\u{1b}[2J\u{7}\u{9b}31m\u{7f}\u{202e}\u{2066}b";

fn feedwright(site: &SmallSite, arguments: &[&str]) -> Output {
    let mut command = program::command();
    command.args(arguments).current_dir(site.root());
    command.env_remove("SOURCE_DATE_EPOCH").output().unwrap()
}

fn assert_no_control_characters(printed: &[u8], what: &str) {
    let text = String::from_utf8(printed.to_vec()).unwrap();
    let bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(bad), "{what}: {text:?}");
}

#[test]
fn control_characters_are_escaped_in_terminal_output() {
    let item = format!(
        "---\nid: \"x\"\ntitle: \"{0}\"\n\"{0}\": 1\nstatus: published\n---\n[{0}](/{0}/) [x]({0}.md) ![x]({0}.png)\n",
        CONTROL_CHARACTERS
            .replace('\u{1b}', "\\e")
            .replace('\u{7}', "\\a")
            .replace('\u{9b}', "\\x9b")
            .replace('\u{7f}', "\\x7f")
    );
    let site = site()
        .with(&format!("content/items/{CONTROL_CHARACTERS}.md"), &item)
        .with(&format!("content/items/{CONTROL_CHARACTERS}\n2.md"), &item)
        .with(&format!("content/items/{CONTROL_CHARACTERS}.txt"), "x")
        .with(&format!("content/{CONTROL_CHARACTERS}/x.txt"), "x")
        .with(&format!("site-files/{CONTROL_CHARACTERS}.txt"), "x")
        .with(&format!("content/pages/{CONTROL_CHARACTERS}.md"), "Text.");
    for arguments in [
        ["check"].as_slice(),
        &["build"],
        &["build", "--out", CONTROL_CHARACTERS],
        &["search", "b"],
        &["--site", CONTROL_CHARACTERS, "build"],
        &["new", "item", CONTROL_CHARACTERS],
        &["theme", "validate", CONTROL_CHARACTERS],
    ] {
        let output = feedwright(&site, arguments);
        assert_no_control_characters(&output.stderr, &format!("{arguments:?}"));
        let printed = [output.stdout, output.stderr].concat();
        assert!(!printed.is_empty(), "{arguments:?}");
    }
    let report = String::from_utf8(feedwright(&site, &["check"]).stderr).unwrap();
    assert!(
        report.contains(r"content/items/a\u{1b}[2J\u{7}\u{9b}31m\u{7f}\u{202e}\u{2066}b.md"),
        "{report}"
    );
    assert!(report.contains(r"b\n2.md"), "{report}");

    let json = feedwright(&site, &["check", "--json"]).stdout;
    assert_no_control_characters(&json, "--json");
    let json: Value = serde_json::from_slice(&json).unwrap();
    let files: Vec<&str> =
        json["diagnostics"].as_array().unwrap().iter().filter_map(|d| d["file"].as_str()).collect();
    assert!(
        files.contains(&format!("content/items/{CONTROL_CHARACTERS}.md").as_str()),
        "{files:?}"
    );
}

#[test]
fn journal_and_search_output_is_escaped() {
    let title = "b \u{202e}\u{9b}31m";
    let site = site().item(format!("+++\ntitle = \"{title}\"\n+++\nText.\n"));
    let found = feedwright(&site, &["search", "b"]);
    assert!(!found.stdout.is_empty());
    assert_no_control_characters(&found.stdout, "search");
    let json = feedwright(&site, &["search", "--json", "b"]).stdout;
    assert_no_control_characters(&json, "search --json");
    assert!(String::from_utf8(json).unwrap().contains(r"\u202e"));
}

#[test]
fn a_missing_content_folder_keeps_the_published_output() {
    let site = toml("title = \"a\"".into()).with("content/pages/p.md", "+++\ntitle = \"p\"\n+++\n");
    // A new site need not have any of them.
    assert_eq!(site.built().items, 1);
    let output = site.output();
    for folder in ["content/items", "content/pages"] {
        fs::rename(site.path(folder), site.path("aside")).unwrap();
        let report = site.report();
        let error = format!(
            "error: this folder is missing, but the last build published files from it\n  --> {folder}\n  help: restore it"
        );
        assert!(report.starts_with("not built") && report.contains(&error), "{report}");
        assert!(site.output() == output);
        assert!(builder::check(&site.options(), &Silent).report.has_errors());
        fs::rename(site.path("aside"), site.path(folder)).unwrap();
        site.built();
    }
    // An empty folder says that nothing is to be there.
    site.remove("content/items/a.md");
    assert_eq!(site.built().items, 0);
    site.remove("content/items");
    assert_eq!(site.built().items, 0);
}

#[test]
fn a_file_or_broken_symlink_instead_of_a_folder_is_an_error() {
    let folders = [
        "content", "content/items", "content/pages", "content/media", "content/calendars",
        "site-files",
    ];
    for folder in folders {
        let with_file = site();
        if with_file.exists(folder) {
            with_file.remove(folder);
        }
        let report = with_file.with(folder, "x").report();
        let error =
            format!("error: this is a file, but must be a folder\n  --> {folder}\n  help: ");
        assert!(report.starts_with("not built") && report.contains(&error), "{report}");
        assert_eq!(report.matches("must be a folder").count(), 1, "{report}");
    }
    let report = site().link("content/items", "nowhere").report();
    assert!(
        report.contains("error: this symbolic link is broken\n  --> content/items"),
        "{report}"
    );
}

#[test]
fn an_invalid_source_date_epoch_is_a_usage_error() {
    let site = site();
    let build = |epoch: &str| {
        let mut command = program::command();
        command.arg("build").current_dir(site.root()).env("SOURCE_DATE_EPOCH", epoch);
        command.output().unwrap()
    };
    assert!(build("1775044800").status.success());
    for epoch in ["", "yesterday", "1e9", "1775044800 ", "99999999999999999999", "99999999999999"] {
        let output = build(epoch);
        assert_eq!(output.status.code(), Some(2), "{epoch:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.contains("invalid SOURCE_DATE_EPOCH") && told.contains("seconds since 1970"),
            "{told}"
        );
    }
}

/// 400 KB of text once took all memory there was.
#[test]
fn many_broken_links_are_checked_with_limited_memory() {
    let site = body("[x](/nope/) ".repeat(35_000));
    let mut shell = Command::new("sh");
    let limited = format!("ulimit -v 1500000; exec {} check", env!("CARGO_BIN_EXE_feedwright"));
    shell.args(["-c", &limited]).current_dir(site.root()).stderr(Stdio::piped());
    let output = shell.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told:.300}");
    assert!(told.contains("34900 more warnings"), "{told:.300}");
}

/// Imports a feed with one item of such a body, in a process of its own: seconds of processor time.
fn import_cost(body: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let feed = format!(
        "<rss version=\"2.0\"><channel><title>A</title><link>https://a.example/</link><item><title>x</title>\
         <guid>x</guid><description><![CDATA[{body}]]></description></item></channel></rss>"
    );
    fs::write(folder.path().join("feed.xml"), feed).unwrap();
    let cpu_seconds = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
        let time = usage.user_time();
        time.tv_sec() as f64 + time.tv_usec() as f64 / 1_000_000.0
    };
    let before = cpu_seconds();
    let status = program::command()
        .current_dir(folder.path())
        .args(["import", "rss", "feed.xml", "--site", "site", "--base-url", "https://b.example"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    cpu_seconds() - before
}

#[test]
fn imported_bodies_have_linear_cost() {
    type Body = fn(usize) -> String;
    let bodies: [(&str, Body); 5] = [
        ("never closed", |n| join_elements(|tag| format!("<{tag} href=/x>a ").repeat(n / 10))),
        ("in paragraphs", |n| join_elements(|tag| format!("<p><{tag}>a</p>\n").repeat(n / 10))),
        ("in each other", |n| {
            join_elements(|tag| {
                format!(
                    "{}a{}",
                    format!("<{tag}>").repeat(n / 10),
                    format!("</{tag}>").repeat(n / 10)
                )
            })
        }),
        ("links never closed", |n| "<a href=https://e.example/>a ".repeat(4 * n)),
        ("headings", |n| "<h2>a</h2>\n".repeat(n)),
    ];
    for (name, body) in bodies {
        let (once, four) = (import_cost(&body(500)), import_cost(&body(2000)));
        eprintln!("{name}: {once:.3} s, {four:.3} s");
        assert!(four < 8.0 * once + 0.04, "{name}: {once:.3} s, then {four:.3} s");
    }
}
