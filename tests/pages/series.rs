//! Series: the place of an item in its series, and the page of a series.

use feedwright::builder::{self, Silent};

use crate::content::errors::site_with_theme;
use crate::support::small_site::{SmallSite, site};

const ITEM: &str = "|{{#series}}{{name}} {{{url}}} {{text}} {{number}}/{{count}};\
    {{#parts}}{{text}} {{title}} {{{url}}}{{#is_current}}!{{/is_current}},{{/parts}};\
    {{#previous}}<{{title}}{{/previous}}{{#next}}>{{title}}{{/next}}{{/series}}|";
const FEED: &str = "|{{#series_page}}{{name}} {{{url}}};{{/series_page}}\
    {{#items}}{{title}} {{_service.series.name}} {{_service.series.part}},{{/items}}|";

fn add_item(site: SmallSite, name: &str, day: u8, more: &str) -> SmallSite {
    site.with(
        &format!("content/items/{name}.md"),
        format!("+++\ntitle = \"{name}\"\nslug = \"{name}\"\ndate = 2025-01-{day:02}\n{more}\n+++\nText.\n"),
    )
}

fn build(site: &SmallSite) {
    builder::run(&site.options(), &Silent).unwrap();
}

/// The output of the template of a page.
fn page(site: &SmallSite, path: &str) -> String {
    let page = site.read(&format!("public/{path}index.html"));
    page.split('|').nth(1).unwrap().to_owned()
}

fn sample_series() -> SmallSite {
    let site = site_with_theme().with("themes/mine/feed.html", FEED);
    let site = site.with("themes/mine/item.html", ITEM);
    let site = add_item(site, "b", 2, "series = \"Learning Rust\"");
    let site = add_item(site, "a", 1, "series = \"Learning Rust\"");
    let site = add_item(site, "c", 3, "series = [\"learning rust\"]");
    add_item(site, "d", 4, "")
}

#[test]
fn the_page_of_a_part_leads_to_the_other_parts() {
    let site = sample_series();
    build(&site);
    let parts = |current: &str| {
        let all = [("1 of 3", "a"), ("2 of 3", "b"), ("3 of 3", "c")];
        let all = all.map(|(text, name)| {
            let mark = if name == current { "!" } else { "" };
            format!("{text} {name} /i/{name}/{mark},")
        });
        all.concat()
    };
    let start = "learning rust /series/learning-rust/";
    assert_eq!(page(&site, "i/a/"), format!("{start} 1 of 3 1/3;{};>b", parts("a")));
    assert_eq!(page(&site, "i/b/"), format!("{start} 2 of 3 2/3;{};<a>c", parts("b")));
    assert_eq!(page(&site, "i/c/"), format!("{start} 3 of 3 3/3;{};<b", parts("c")));
    assert_eq!(page(&site, "i/d/"), "");
    let html = site.read("public/i/b/index.html");
    assert!(
        html.contains(r#""isPartOf":{"@type":"CreativeWorkSeries","name":"learning rust","url":""#),
        "{html}"
    );
    assert!(html.contains(r#""position":2"#), "{html}");
}

#[test]
fn numbers_come_before_dates() {
    let site = sample_series();
    let site = add_item(site, "c", 3, "series = { name = \"Learning Rust\", part = 1 }");
    let site = add_item(site, "d", 4, "series = { name = \"Learning Rust\", part = 7 }");
    build(&site);
    let start = "Learning Rust /series/learning-rust/;";
    let items = "c Learning Rust 1,d Learning Rust 7,a Learning Rust ,b Learning Rust ,";
    assert_eq!(page(&site, "series/learning-rust/"), format!("{start}{items}"));
    assert!(site.read("public/series/learning-rust/index.html").contains("<title>Learning Rust –"));
    assert!(page(&site, "i/d/").contains("2 of 4 2/4;"));
    // The order of feeds and the sizes of pages change nothing.
    let config = site.read("site.toml");
    for order in ["asc", "desc"] {
        let feed = format!("{config}[feed]\norder = \"{order}\"\nitems_per_page = 3\n");
        site.write("site.toml", feed);
        build(&site);
        let first = "c Learning Rust 1,d Learning Rust 7,a Learning Rust ,";
        assert_eq!(page(&site, "series/learning-rust/"), format!("{start}{first}"));
        assert_eq!(
            page(&site, "series/learning-rust/page/2/"),
            format!("{start}b Learning Rust ,")
        );
    }
}

#[test]
fn parts_of_one_day_are_in_natural_order() {
    let mut site = sample_series();
    for name in ["part-10", "part-2", "part-1"] {
        site = add_item(site, name, 5, "series = \"Tides\"");
    }
    build(&site);
    let items = "part-1 Tides ,part-2 Tides ,part-10 Tides ,";
    assert_eq!(page(&site, "series/tides/"), format!("Tides /series/tides/;{items}"));
}

#[test]
fn series_whose_names_differ_in_signs_are_different() {
    let site = add_item(sample_series(), "e", 5, "series = \"C++\"");
    let site = add_item(site, "f", 6, "series = \"C#\"");
    build(&site);
    assert_eq!((page(&site, "i/e/"), page(&site, "i/f/")), (String::new(), String::new()));
    assert_eq!(std::fs::read_dir(site.path("public/series")).unwrap().count(), 3);
}

#[test]
fn only_published_items_count() {
    let site = sample_series();
    let site = add_item(site, "b", 2, "series = \"Learning Rust\"\nstatus = \"unpublished\"");
    let site = add_item(site, "d", 4, "series = \"Learning Rust\"\nstatus = \"unlisted\"");
    let future = "+++\ntitle = \"e\"\ndate = 2999-01-01\nseries = \"Learning Rust\"\n+++\n";
    let site = site.with("content/items/e.md", future);
    build(&site);
    assert!(page(&site, "i/a/").ends_with(";>c"), "{}", page(&site, "i/a/"));
    assert!(page(&site, "i/a/").contains("1 of 2 1/2;"));
    assert_eq!(page(&site, "i/d/"), "");
    // An item alone in its series has no place.
    let site = site.without("content/items/c.md");
    build(&site);
    assert_eq!(page(&site, "i/a/"), "");
    let site = site.without("content/items/a.md");
    build(&site);
    assert!(!site.path("public/series").exists());
}

#[test]
fn pages_of_series_need_a_template_and_can_be_turned_off() {
    let config = format!("{}[output]\nseries = false\n", sample_series().read("site.toml"));
    for (file, text) in [("themes/mine/feed.html", ""), ("site.toml", &*config)] {
        let site = sample_series().with(file, text);
        build(&site);
        assert!(!site.path("public/series").exists(), "{file}");
        assert!(page(&site, "i/a/").starts_with("learning rust  1 of 3 1/3;"), "{file}");
    }
}

#[test]
fn a_long_series_lists_no_parts() {
    let mut site = sample_series();
    for n in 0..100 {
        site = add_item(site, &format!("n{n}"), 5, "series = \"Learning Rust\"");
    }
    build(&site);
    assert!(page(&site, "i/b/").ends_with(" 2 of 103 2/103;;<a>c"), "{}", page(&site, "i/b/"));
    assert!(page(&site, "i/n99/").ends_with(" 103 of 103 103/103;;<n98"));
}

#[test]
fn the_default_theme_shows_series() {
    let site = add_item(site(), "a", 1, "series = \"S\"");
    let site = add_item(site, "b", 2, "series = \"S\"");
    let site = add_item(site, "c", 3, "series = \"Alone\"");
    build(&site);
    let html = site.read("public/i/b/index.html").replace("&#x2F;", "/");
    for part in [
        "<summary>2 of 2</summary>", "<b aria-current=\"page\">b</b>", "href=\"/i/a/\">a</a>",
        "href=\"/series/s/\">S</a>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let list = site.read("public/series/s/index.html").replace("&#x2F;", "/");
    let place = |name: &str| list.find(&format!("/i/{name}/")).unwrap();
    assert!(list.contains("<h1 class=\"p-name\">S</h1>") && place("a") < place("b"), "{list}");
    assert!(!site.read("public/i/c/index.html").contains("series"));
}
