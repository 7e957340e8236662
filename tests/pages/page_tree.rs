//! The tree of Pages: their folders and groups, in the order of navigation, and what a change of one costs.

use scraper::Html;

use crate::support::Page;
use crate::support::small_site::{SmallSite, site};

/// Prints the tree of a page in one line: groups in brackets, folders with a slash, what one is on with a star.
const BRANCH: &str = "{{#is_group}}[{{name}}]{{/is_group}}{{^is_group}}{{name}}{{^is_page}}/{{/is_page}}{{/is_group}}{{#is_current}}*{{/is_current}}{{#is_open}}!{{/is_open}} {{url}}{{#below.length}} ({{#below}}{{> branch}}; {{/below}}){{/below.length}}";

const MANIFEST: &str = r#"{"formatVersion": 2, "packageId": "a.b", "name": "A", "version": "1.0.0", "author": "A", "license": "MIT", "extends": "default", "files": {"webBodyStart": "start.html", "webPage": "page.html"}}"#;

/// A site whose theme prints the tree on every page.
fn site_printing_tree() -> SmallSite {
    site()
        .with("site.toml", "base_url = \"https://example.com\"\ntheme = \"mine\"\n")
        .with("themes/mine/theme.json", MANIFEST)
        .with("themes/mine/start.html", "<!--tree {{#page_tree}}{{> branch}}; {{/page_tree}}-->\n")
        .with("themes/mine/page.html", "<!--beside {{#previous_page}}{{name}} {{url}}{{/previous_page}} | {{#next_page}}{{name}} {{url}}{{/next_page}}-->\n")
        .with("themes/mine/partials/branch.mustache", BRANCH)
}

fn page(site: SmallSite, path: &str, title: &str, more: &str) -> SmallSite {
    let text = format!("+++\ntitle = {title:?}\n{more}\n+++\nText.\n");
    site.with(&format!("content/pages/{path}.md"), text)
}

fn printed(site: &SmallSite, path: &str, what: &str) -> String {
    let text = site.read(&format!("public/{path}index.html"));
    let (_, rest) = text.split_once(&format!("<!--{what} ")).unwrap();
    let (found, _) = rest.split_once("-->").unwrap();
    found.replace("; )", ")").replace("&#x2F;", "/").trim_end_matches("; ").to_owned()
}

fn tree(site: &SmallSite, path: &str) -> String {
    printed(site, path, "tree")
}

fn adjacent_pages(site: &SmallSite, path: &str) -> String {
    printed(site, path, "beside")
}

fn sample_docs() -> SmallSite {
    let site = page(
        site_printing_tree(),
        "start",
        "Start here",
        "navigation_order = 1\nnavigation_label = \"Start\"",
    );
    let site =
        page(site, "markdown", "Markdown", "navigation_order = 3\nnavigation_group = \"Write\"");
    let site =
        page(site, "content", "Content", "navigation_order = 2\nnavigation_group = \"Write\"");
    let site =
        page(site, "guide/index", "Guide", "navigation_order = 4\nnavigation_group = \"Write\"");
    let site = page(site, "guide/tides", "Tides", "");
    let site = page(site, "guide/boots", "Boots", "navigation_group = \"Gear\"");
    let site = page(site, "field-notes/deep/mud", "Mud", "");
    let site = page(site, "hidden", "Hidden", "draft = true\nnavigation_group = \"None\"");
    page(site, "unlisted", "Unlisted", "status = \"unlisted\"")
}

#[test]
fn folders_and_groups_form_a_tree_in_navigation_order() {
    let site = sample_docs();
    site.built();
    assert_eq!(
        tree(&site, ""),
        "Start /start/; [Write] /content/ (Content /content/; Markdown /markdown/; Guide /guide/ ([Gear] /boots/ (Boots /boots/); Tides /tides/)); Field notes/ /mud/ (Deep/ /mud/ (Mud /mud/))"
    );
    assert_eq!(
        tree(&site, "tides/"),
        "Start /start/; [Write]! /content/ (Content /content/; Markdown /markdown/; Guide! /guide/ ([Gear] /boots/ (Boots /boots/); Tides*! /tides/)); Field notes/ /mud/ (Deep/ /mud/ (Mud /mud/))"
    );
    // What is not in the tree has it at its side.
    assert_eq!(tree(&site, "unlisted/"), tree(&site, ""));
    assert_eq!(tree(&site, "404/"), tree(&site, ""));
}

#[test]
fn two_pages_with_one_position_are_both_in_the_tree() {
    let site = page(site_printing_tree(), "guide", "Guide", "navigation_order = 1");
    let site = page(site, "guide/index", "Another", "id = \"another00001\"\nslug = \"another\"");
    let site = page(site, "guide/tides", "Tides", "");
    site.built();
    assert_eq!(tree(&site, ""), "Guide /guide/ (Tides /tides/); Another /another/");
}

#[test]
fn folders_nest_to_the_maximum_partial_depth() {
    let config = "base_url = \"https://example.com\"\ntheme = \"notes\"\n";
    let site = page(site(), &format!("{}leaf", "deep/".repeat(40)), "Leaf", "");
    let site = site.with("site.toml", config);
    site.built();
    let home = Page(Html::parse_document(&site.read("public/index.html")));
    assert_eq!(home.texts(".tree-folder > summary").len(), 12);
    assert_eq!(home.all(".tree a", "href"), ["/leaf/"]);
}

#[test]
fn previous_and_next_pages_follow_the_tree() {
    let site = sample_docs();
    site.built();
    assert_eq!(adjacent_pages(&site, "start/"), " | Content /content/");
    assert_eq!(adjacent_pages(&site, "guide/"), "Markdown /markdown/ | Boots /boots/");
    assert_eq!(adjacent_pages(&site, "boots/"), "Guide /guide/ | Tides /tides/");
    assert_eq!(adjacent_pages(&site, "mud/"), "Tides /tides/ | ");
    assert_eq!(adjacent_pages(&site, "unlisted/"), " | ");
}

#[test]
fn the_tree_shows_translations_in_the_language_of_the_page() {
    let site = page(site_printing_tree(), "tides", "Tides", "");
    let site = page(site, "gezeiten", "Gezeiten", "language = \"de\"\ntranslations = [\"tides\"]");
    let site = page(site, "watt", "Watt", "language = \"de\"");
    let site = page(site, "mud", "Mud", "");
    let site = site.item(
        "+++\nid = \"a\"\nslug = \"a\"\ntitle = \"A\"\nlanguage = \"de\"\ndate = 2026-01-01\n+++\n",
    );
    site.built();
    assert_eq!(tree(&site, "mud/"), "Mud*! /mud/; Tides /tides/; Watt /watt/");
    assert_eq!(tree(&site, "gezeiten/"), "Gezeiten*! /gezeiten/; Mud /mud/; Watt /watt/");
    assert_eq!(tree(&site, "i/a/"), "Gezeiten /gezeiten/; Mud /mud/; Watt /watt/");
}

/// Which pages a change made new.
fn changed_pages(site: &SmallSite, change: impl FnOnce(&SmallSite)) -> (Vec<String>, usize) {
    let before = site.output();
    change(site);
    let rendered = site.built().rendered;
    let after = site.output().into_iter();
    let other =
        after.filter(|(path, bytes)| path.ends_with(".html") && before.get(path) != Some(bytes));
    (other.map(|(path, _)| path.replace("/index.html", "/")).collect(), rendered)
}

fn rewrite(path: &str, from: &str, to: &str) -> impl FnOnce(&SmallSite) {
    let (path, from, to) = (format!("content/pages/{path}.md"), from.to_owned(), to.to_owned());
    move |site| {
        let text = site.read(&path);
        assert!(text.contains(&from), "{text}");
        site.write(&path, text.replace(&from, &to));
    }
}

/// `count` Pages in each of these folders, which have Pages of their own.
fn large_site(folders: &[&str], count: usize) -> SmallSite {
    let mut site = site_printing_tree();
    for folder in folders {
        site = page(site, folder, &format!("The {folder}"), "");
        for n in 0..count {
            site =
                page(site, &format!("{folder}/{folder}-{n:04}"), &format!("{folder} {n:04}"), "");
        }
    }
    site.built();
    site
}

#[test]
fn only_pages_whose_tree_changes_are_rendered_again() {
    // So small a tree is shown whole, on every page: a text changes one, a title all.
    let site = large_site(&["a", "b"], 3);
    let (pages, _) = changed_pages(&site, rewrite("b/b-0001", "Text.", "Another text."));
    assert_eq!(pages, ["b-0001/"]);
    let (pages, _) = changed_pages(&site, rewrite("b/b-0001", "b 0001", "Renamed"));
    assert!(pages.len() >= 8 && pages.contains(&"a-0000/".to_owned()), "{pages:?}");

    // Of a large one a title below a closed branch shows on the pages of that branch alone.
    let site = large_site(&["a", "b"], 60);
    let own = "b-0001/";
    let (pages, rendered) = changed_pages(&site, rewrite("b/b-0001", "Text.", "Another text."));
    assert_eq!(pages, [own]);
    assert!(rendered < 12, "{rendered} documents");
    let (pages, rendered) = changed_pages(&site, rewrite("b/b-0001", "b 0001", "b 0001 and more"));
    assert!(pages.iter().all(|page| page.starts_with('b')), "{pages:?}");
    assert_eq!(pages.len(), 61);
    assert!(rendered < 75, "{rendered} documents");
    assert_eq!(tree(&site, ""), "The a /a/; The b /b/");
}

#[test]
fn the_tree_of_thousands_of_pages_is_limited() {
    let mut site = site_printing_tree();
    for n in 0..2000 {
        site = page(site, &format!("page-{n:04}"), &format!("Page {n:04}"), "");
    }
    site.built();
    let shown =
        |path: &str| -> Vec<String> { tree(&site, path).split("; ").map(str::to_owned).collect() };
    assert_eq!(shown("page-0000/").len(), 100);
    let middle = shown("page-1000/");
    assert_eq!((middle.len(), middle[50].as_str()), (100, "Page 1000*! /page-1000/"));
    let last = shown("page-1999/");
    assert_eq!((last.len(), last[99].as_str()), (100, "Page 1999*! /page-1999/"));
    assert_eq!(
        adjacent_pages(&site, "page-1000/"),
        "Page 0999 /page-0999/ | Page 1001 /page-1001/"
    );
    let (pages, _) = changed_pages(&site, rewrite("page-1000", "Text.", "Another text."));
    assert_eq!(pages, ["page-1000/"]);
}

#[test]
fn a_group_without_a_name_is_an_error() {
    let site =
        page(site_printing_tree(), "a", "A", &format!("navigation_group = {:?}", "x".repeat(101)));
    let site = page(site, "b", "B", "group = \"Write\"");
    let told = site.report();
    assert!(told.contains("navigation_group"), "{told}");
    assert!(told.contains("write `navigation_group`"), "{told}");
}

#[test]
fn the_notes_theme_expands_the_current_branch() {
    let config = "base_url = \"https://example.com\"\ntheme = \"notes\"\n";
    let site = sample_docs().with("site.toml", config);
    site.built();
    let page = Page(Html::parse_document(&site.read("public/tides/index.html")));
    assert_eq!(page.texts(".tree [aria-current=page]"), ["Tides"]);
    assert_eq!(page.texts(".tree .tree-group > p"), ["Write", "Gear"]);
    assert_eq!(page.all(".tree details[open] > summary", "aria-label"), ["Guide"]);
    assert_eq!(page.texts(".tree .tree-folder > summary"), ["Field notes", "Deep"]);
    assert_eq!(page.all(".neighbours a", "href"), ["/boots/", "/mud/"]);
    // One is not led to what is no page.
    let home = Page(Html::parse_document(&site.read("public/index.html")));
    assert_eq!(home.all(".tree [aria-current]", "href"), [""; 0]);
    assert!(!site.read("public/index.html").contains("Hidden"));
}
