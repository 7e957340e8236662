//! The pages of authors.

use feedwright::builder::{self, Silent};

use crate::content::errors::site_with_theme;
use crate::support::small_site::SmallSite;

const FEED: &str = "|{{#author_page}}{{name}} {{{url}}} {{{image}}} {{{own_url}}};{{/author_page}}\
    {{#items}}{{title}}{{#_service.authors}} {{name}}={{{page_url}}}{{/_service.authors}},{{/items}}|";

fn add_item(site: SmallSite, name: &str, day: u8, authors: &str) -> SmallSite {
    site.with(
        &format!("content/items/{name}.md"),
        format!("+++\ntitle = \"{name}\"\ndate = 2025-01-{day:02}\n{authors}\n+++\n"),
    )
}

fn page(site: &SmallSite, path: &str) -> String {
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read(&format!("public/{path}index.html"));
    page.split('|').nth(1).unwrap().to_owned()
}

fn has(site: &SmallSite, path: &str) -> bool {
    builder::run(&site.options(), &Silent).unwrap();
    site.path(&format!("public/{path}index.html")).exists()
}

fn blog() -> SmallSite {
    let site = site_with_theme().with("themes/mine/feed.html", FEED).with(
        "content/channel.md",
        "+++\ntitle = \"Walks\"\nauthors = [\"Ada Lind\"]\n[podcast]\npeople = [{ name = \"Ada Lind\", img = \"https://example.org/ada.png\" }]\n+++\n",
    );
    let site = add_item(site, "a", 1, "");
    let authors = "authors = [{ name = \"Bo Ek\", url = \"https://example.org/bo\" }, { name = \"ada lind\" }]";
    add_item(site, "b", 2, authors)
}

#[test]
fn each_author_has_a_page_if_there_are_several() {
    let site = blog();
    assert_eq!(
        page(&site, "author/bo-ek/"),
        "Bo Ek /author/bo-ek/  https://example.org/bo;b Bo Ek=/author/bo-ek/ ada lind=/author/ada-lind/,"
    );
    let ada = page(&site, "author/ada-lind/");
    assert!(
        ada.starts_with("ada lind /author/ada-lind/ https://example.org/ada.png ;b ")
            && ada.ends_with(",a,"),
        "{ada}"
    );
    assert!(site.read("public/author/bo-ek/index.html").contains("<title>Bo Ek"));
}

#[test]
fn author_pages_follow_items_and_the_channel() {
    let site = blog();
    page(&site, "");
    let site = add_item(site, "b", 2, "authors = [\"Cy\"]");
    assert!(has(&site, "author/cy/") && !has(&site, "author/bo-ek/"));
    let channel =
        site.read("content/channel.md").replace("authors = [\"Ada Lind\"]", "authors = [\"Cy\"]");
    let site = site.with("content/channel.md", channel);
    assert!(!has(&site, "author/cy/") && !has(&site, "author/ada-lind/"));
    assert_eq!(page(&site, ""), "b Cy=,a,");
}

#[test]
fn author_pages_need_a_template_and_can_be_disabled() {
    let site = blog().with("themes/mine/feed.html", "||");
    assert!(!has(&site, "author/bo-ek/"));
    let site = blog();
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[output]\nauthors = false\n"));
    assert!(!has(&site, "author/bo-ek/"));
}
