//! Pages refer to their own site by path, so that they work at whatever address they are served.

use std::io::Write as _;

use feedwright::model::Config;
use feedwright::source::html::rewrite_addresses;
use flate2::Compression;
use flate2::write::GzEncoder;
use percent_encoding::percent_decode_str;
use proptest::prelude::*;
use scraper::node::Element;

use crate::support::{Output, REPOSITORY_SITE, SMALL_SITE, Site};

const BELOW: &str = "https://example.com/blog";

/// Whether an attribute is one that names an address for good, whoever serves the page.
fn is_permanent_address(element: &Element, attribute: &str) -> bool {
    let is = |name: &str, values: &[&str]| {
        let value = element.attr(name).unwrap_or_default();
        values.iter().any(|start| value.starts_with(start))
    };
    match (element.name(), attribute) {
        ("link", "href") => is("rel", &["canonical", "alternate"]),
        ("meta", "content") => is("property", &["og:"]) || is("name", &["twitter:"]),
        // What is copied, and what apps are handed.
        ("button", "data-copy-text") => true,
        ("a", "href") => is(
            "href",
            &[
                "feed:", "podcast://", "pktc://", "castros://", "downcast://", "podcastaddict://",
                "gpodder://",
            ],
        ),
        _ => false,
    }
}

/// Looks at every attribute of every page: none names the site's own host, and every path of the
/// site that one names is a file of the output.
fn check_attributes(name: &str, output: &Output, base: &str, elsewhere: &[&str]) {
    let host = base.split("://").nth(1).unwrap();
    let (host, below) = host.split_once('/').unwrap_or((host, ""));
    let below = if below.is_empty() { String::new() } else { format!("/{below}") };
    let mut paths = 0;
    for file in output.files() {
        if !file.ends_with(".html") {
            continue;
        }
        // A copy of a feed at a former path is no page.
        if !output.text(&file).starts_with("<!") {
            continue;
        }
        let page = output.html(&file).0;
        for element in page.tree.values().filter_map(|node| node.as_element()) {
            for (attribute, value) in element.attrs() {
                let place =
                    || format!("{name}, {file}: <{} {attribute}={value:?}>", element.name());
                if is_permanent_address(element, attribute) {
                    assert!(!value.starts_with('/'), "{}", place());
                    continue;
                }
                let own = [format!("://{host}"), format!("//{host}/")];
                let is_probe = attribute == "base";
                assert!(
                    is_probe || !own.iter().any(|own| value.contains(own.as_str())),
                    "{}",
                    place()
                );
                if !matches!(attribute, "href" | "src" | "action" | "poster" | "data-copy")
                    || !value.starts_with('/')
                    || elsewhere.iter().any(|start| value.starts_with(start))
                {
                    continue;
                }
                let path = value.strip_prefix(&below).unwrap_or_else(|| panic!("{}", place()));
                let path = path.split(['?', '#']).next().unwrap();
                let path = percent_decode_str(path).decode_utf8().unwrap();
                let path = path.trim_start_matches('/');
                let written = if path.is_empty() || path.ends_with('/') {
                    format!("{path}index.html")
                } else {
                    path.to_owned()
                };
                assert!(output.has(&written), "{}", place());
                paths += 1;
            }
        }
    }
    assert!(paths > 20, "{name} names {paths} paths");
}

fn below() -> Site {
    Site::fixture("small-site").replace("site.toml", "https://example.com", BELOW)
}

#[test]
fn every_internal_link_in_a_page_is_a_path() {
    check_attributes("small-site", &SMALL_SITE, "https://example.com", &[]);
    check_attributes("below a path", &below().build(), BELOW, &[]);
    check_attributes("own site", &REPOSITORY_SITE, "https://feedwright.example", &["/api/"]);
    let renamed = below().config("namespace = \"microfeed\"").theme("renamed");
    let renamed = renamed.write("site-files/index.txt", "").build();
    check_attributes("a theme of the published service", &renamed, BELOW, &[]);
}

#[test]
fn permanent_addresses_are_absolute() {
    let output = below().build();
    let item = output.html("i/hello/index.html");
    let canonical = item.attribute("link[rel=canonical]", "href");
    assert_eq!(canonical.as_deref(), Some("https://example.com/blog/i/hello/"));
    let url = item.attribute("meta[property='og:url']", "content");
    assert_eq!(url, canonical);
    for feed in item.all("link[rel=alternate]", "href") {
        assert!(feed.starts_with(BELOW), "{feed}");
    }
    assert_eq!(item.json_ld()["mainEntityOfPage"], canonical.unwrap());
    // What the generator writes itself is plain.
    let text = output.text("i/hello/index.html");
    let head = text.split("<meta name=\"color-scheme\"").next().unwrap();
    assert!(!head.contains("&#x2F;"), "{head}");
    for file in ["feed.json", "rss.xml", "sitemap.xml", "llms.txt"] {
        let text = output.text(file);
        let own = text.matches("https://example.com/blog/").count();
        assert!(own > 5, "{file} has {own}");
        let is_path = |start: &str| text.contains(&format!("{start}/blog/"));
        assert!(!is_path("\"") || file == "rss.xml", "{file}");
        assert!(!is_path(">") && !is_path("&quot;"), "{file}");
    }
    // The stylesheet alone is a path: browsers take none from another host.
    let rss = output.text("rss.xml");
    assert!(rss.contains("<?xml-stylesheet href=\"/blog/rss.css\" type=\"text/css\"?>"));
    assert_eq!(rss.matches("\"/blog/").count(), 1);
}

#[test]
fn external_addresses_in_bodies_are_unchanged() {
    let body = "[a](https://example.com/blog/about/?b=1&c=2#d) [root](https://example.com/) [blog](https://example.com/blog)\n\
                [other](https://example.com/blogger/) `<a href=\"https://example.com/blog/x\">`\n\n\
                <img alt='a > b' src=https://example.com/blog/media/cover.png srcset=\"https://example.com/blog/media/cover.png 1x, https://cdn.example/c.png 2x\">\n\
                <form action='https://example.com/blog/search/' title='https://example.com/blog/'></form>\n\
                <blockquote cite=\"https://example.com/blog/i/hello/\"></blockquote>\n\
                <a href=\"https://example.com/blog//elsewhere.example/\">https://example.com/blog/</a>\n";
    let output = below()
        .write("content/items/body.md", &format!("+++\nid = \"body\"\nslug = \"body\"\ntitle = \"https://example.com/blog/\"\n+++\n{body}"))
        .build();
    let text = output.text("i/body/index.html");
    let from = text.find("<div class=\"prose").unwrap();
    let to = from + text[from..].find("</div>").unwrap();
    insta::assert_snapshot!(&text[from..to], @r#"
    <div class="prose e-content"><p><a href="/blog/about/?b=1&amp;c=2#d">a</a> <a href="https://example.com/">root</a> <a href="/blog">blog</a>
    <a href="https://example.com/blogger/">other</a> <code>&lt;a href="https://example.com/blog/x"&gt;</code></p>
    <img alt='a > b' src="/blog/media/cover.png" srcset="/blog/media/cover.png 1x, https://cdn.example/c.png 2x">
    <form action="/blog/search/" title='https://example.com/blog/'></form>
    <blockquote cite="/blog/i/hello/"></blockquote>
    <a href="/blog//elsewhere.example/">https://example.com/blog/</a>
    "#);
    let title = output.html("i/body/index.html").one("h1");
    assert_eq!(title, "https://example.com/blog/");
    let feed = output.json("feed/2.json").to_string() + &output.json("feed.json").to_string();
    assert!(feed.contains("<a href=\\\"https://example.com/blog/about/?b=1&amp;c=2#d\\\">"));
}

#[test]
fn internal_and_external_addresses_are_distinguished() {
    let config = |base: &str, media: Option<&str>| Config {
        base_url: base.into(),
        media_base_url: media.map(str::to_owned),
        ..Config::default()
    };
    let root = config("https://example.com", Some("https://example.com/cdn"));
    let below = config(BELOW, None);
    for (config, address, path) in [
        (&root, "https://example.com", Some("/")),
        (&root, "https://example.com/", Some("/")),
        (&root, "https://example.com?a", Some("/?a")),
        (&root, "https://example.com/a/?b#c", Some("/a/?b#c")),
        (&root, "https://example.com#c", Some("/#c")),
        (&root, "https://example.com//evil.example/", None),
        (&root, "https://example.com/\\evil.example/", None),
        (&root, "https://example.com.evil.example/", None),
        (&root, "https://example.com:8080/", None),
        (&root, "https://example.com@evil.example/", None),
        (&root, "https://example.com/cdn/a.png", None),
        (&root, "https://example.com/cdnet/a.png", Some("/cdnet/a.png")),
        (&root, "http://example.com/", None),
        (&root, "/a/", None),
        (&below, "https://example.com/blog", Some("/blog")),
        (&below, "https://example.com/blog?a", Some("/blog/?a")),
        (&below, "https://example.com/blog/i/a/", Some("/blog/i/a/")),
        (&below, "https://example.com/", None),
        (&below, "https://example.com/blogger/", None),
    ] {
        assert_eq!(config.own_path(address).as_deref(), path, "{address}");
    }
}

#[test]
fn addresses_are_found_in_every_html_element() {
    for (html, expected) in [
        ("<use xlink:href='A'/>", "<use xlink:href=\"b\"/>"),
        ("<button formaction=A>", "<button formaction=\"b\">"),
        ("<p title=A>A</p>", "<p title=A>A</p>"),
        ("<img srcset='A 1x, c 2x'>", "<img srcset=\"b 1x, c 2x\">"),
        ("<IMG SRC=A><b>", "<IMG SRC=\"b\"><b>"),
        ("<a title='>' href=A>x</a>", "<a title='>' href=\"b\">x</a>"),
        ("<a title=it's href=A>x's</a>", "<a title=it's href=\"b\">x's</a>"),
        ("1 < 2 <a\nhref = \"A\" >x", "1 < 2 <a\nhref = \"b\" >x"),
        ("<a href=A", "<a href=A"),
        ("<script>'<a href=A>'</script><a href=A>", "<script>'<a href=A>'</script><a href=\"b\">"),
        ("<Style><a href=A></style ><a href=A>", "<Style><a href=A></style ><a href=\"b\">"),
        ("<script><a href=A>", "<script><a href=A>"),
        ("<!-- <a href=A> --><a href=A>", "<!-- <a href=A> --><a href=\"b\">"),
        ("<!-- <a href=A>", "<!-- <a href=A>"),
        ("</a href=A>", "</a href=A>"),
        ("<", "<"),
        ("<ü href=A>", "<ü href=A>"),
    ] {
        let rewritten =
            rewrite_addresses(html, "A", |address| (address == "A").then(|| "b".into()));
        assert_eq!(rewritten, expected);
    }
}

proptest! {
    /// Whatever the HTML, the page's own addresses are replaced, and replacing nothing changes nothing.
    #[test]
    fn any_html_is_unchanged_except_addresses(
        html in prop::collection::vec(
            prop_oneof![
                Just("<a href=\"A\">"), Just("<img alt='a>b' src=A>"), Just("<!--"), Just("-->"), Just("<script>"), Just("</script>"),
                Just("<"), Just(">"), Just("\""), Just("'"), Just("="), Just(" A "), Just("ü"), Just("<p title=\"A\">"),
            ],
            0..12,
        ),
    ) {
        let html = html.concat();
        prop_assert_eq!(rewrite_addresses(&html, "A", |_| None), html.clone());
        let rewritten = rewrite_addresses(&html, "A", |address| (address == "A").then(|| "b".into()));
        let plain = |text: &str| text.replace(['"', '\'', 'A', 'b'], "").replace("src=", "");
        prop_assert_eq!(plain(&rewritten), plain(&html));
    }
}

#[test]
fn themes_can_read_absolute_addresses() {
    let seen = "<meta name=whole item=\"{{{item._service.absolute_url}}}\" page=\"{{{page.absolute_url}}}\" \
                built=\"{{{_service.origin}}}{{{item._service.web_url}}}\" lists=\"{{#items}}{{{_service.origin}}}{{{_service.web_url}}} {{/items}}\" site=\"{{{_service.base_url}}}\">";
    let output = below().theme("probe").write("themes/probe/slots/header.html", seen).build();
    let see = |path: &str, name: &str| {
        let found = output.html(path).attribute("meta[name=whole]", name);
        found.unwrap()
    };
    let whole = "https://example.com/blog/i/hello/";
    assert_eq!(see("i/hello/index.html", "item"), whole);
    assert_eq!(see("i/hello/index.html", "built"), whole);
    assert_eq!(see("i/hello/index.html", "site"), BELOW);
    assert_eq!(see("about/index.html", "page"), "https://example.com/blog/about/");
    assert!(see("index.html", "lists").starts_with(whole));
}

#[test]
fn redirect_pages_link_by_path_and_have_an_absolute_canonical() {
    let output = below().build();
    let page = output.html("i/old-hello/index.html");
    let refresh = page.attribute("meta[http-equiv=refresh]", "content");
    assert_eq!(refresh.as_deref(), Some("0; url=/blog/i/hello/"));
    assert_eq!(page.all("a", "href"), ["/blog/i/hello/"]);
    let canonical = page.attribute("link[rel=canonical]", "href");
    assert_eq!(canonical.as_deref(), Some("https://example.com/blog/i/hello/"));
}

#[test]
fn media_on_a_separate_host_keep_their_address() {
    let media = "[media]\nbase_url = \"https://example.com/blog/m/\"\n[hosting]";
    let output = below().replace("site.toml", "[hosting]", media).build();
    let episode = output.html("i/an-episode/index.html");
    assert_eq!(
        episode.all("#theme-player", "src"),
        ["https://example.com/blog/m/items/episode/talk.m4a"]
    );
}

/// The scripts know no site, and stay below what their readers are asked to wait for.
#[test]
fn search_scripts_are_small_and_identical_on_every_site() {
    let output = below().build();
    for (name, most) in [("search/search.js", 11 * 1024), ("search/open.js", 1300)] {
        let script = output.text(name);
        assert!(!script.contains("example.com") && !script.contains("/blog"));
        assert!(!script.contains("innerHTML") && !script.contains("eval("));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(script.as_bytes()).unwrap();
        let size = gzip.finish().unwrap().len();
        assert!(size <= most, "{name}: {size} bytes");
    }
}
