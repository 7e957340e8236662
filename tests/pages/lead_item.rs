//! The item that leads home, and how long a text takes to read.

use feedwright::builder::{self, Silent};

use crate::content::errors::site_with_theme;
use crate::support::small_site::SmallSite;

fn add_item(site: SmallSite, name: &str, day: u8, front: &str) -> SmallSite {
    site.with(
        &format!("content/items/{name}.md"),
        format!(
            "+++\nid = \"{name}\"\ndate = 2025-01-{day:02}\n{front}\n+++\n{}",
            "word ".repeat(460)
        ),
    )
}

fn find_lead(site: &SmallSite) -> String {
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read("public/index.html");
    page.split('|').nth(1).unwrap().to_owned()
}

fn site() -> SmallSite {
    site_with_theme()
        .with(
            "themes/mine/feed.html",
            "|{{#lead_item}}{{id}}{{/lead_item}}:{{#items}}{{id}}{{#_service.is_lead}}!{{/_service.is_lead}},{{/items}}|",
        )
        .with(
            "themes/mine/item.html",
            "{{#item}}|{{_service.reading_minutes}}|{{_service.reading_text}}|{{/item}}",
        )
}

const SOUND: &str = "attachment = \"https://example.org/a.mp3\"\ntitle = \"T\"";

#[test]
fn the_home_page_of_photos_starts_with_the_newest_photo() {
    const PHOTO: &str = "attachment = \"https://example.org/a.jpg\"\ntitle = \"T\"";
    let site = add_item(add_item(site(), "a", 1, PHOTO), "b", 2, "title = \"T\"");
    assert_eq!(find_lead(&site), "b:b!,a,");
    let site = add_item(site, "c", 3, PHOTO);
    let site = add_item(site, "d", 4, "title = \"T\"");
    let site = add_item(site, "e", 2, PHOTO);
    assert_eq!(find_lead(&site), "c:d,c!,b,e,a,");
}

#[test]
fn the_home_page_starts_with_the_newest_item_or_episode() {
    let site = add_item(site(), "a", 1, SOUND);
    let site = add_item(site, "b", 2, "title = \"T\"");
    assert_eq!(find_lead(&site), "b:b!,a,");
    let site = add_item(add_item(site, "c", 3, SOUND), "d", 4, "title = \"T\"");
    let site = add_item(site, "b", 2, SOUND);
    assert_eq!(find_lead(&site), "c:d,c!,b,a,");
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[feed]\norder = \"asc\"\n"));
    assert_eq!(find_lead(&site), ":a,b,c,d,");
    let site = add_item(site.with("site.toml", config), "e", 5, "");
    let site = site.without("content/items/b.md").without("content/items/c.md");
    assert_eq!(find_lead(&site), ":e,d,a,");
}

#[test]
fn a_text_shows_its_reading_time() {
    let site = add_item(add_item(site(), "a", 1, SOUND), "b", 2, "title = \"T\"");
    builder::run(&site.options(), &Silent).unwrap();
    assert!(site.read("public/i/t-b/index.html").contains("|2|2 min read|"));
    assert!(site.read("public/i/t-a/index.html").contains("|||"));
}
