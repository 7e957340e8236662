//! The item that leads home, and how long a text takes to read.

use feedwright::builder::{self, Silent};

use crate::content::errors::themed;
use crate::support::small_site::SmallSite;

fn item(site: SmallSite, name: &str, day: u8, front: &str) -> SmallSite {
    site.with(
        &format!("content/items/{name}.md"),
        format!(
            "+++\nid = \"{name}\"\ndate = 2025-01-{day:02}\n{front}\n+++\n{}",
            "word ".repeat(460)
        ),
    )
}

fn lead(site: &SmallSite) -> String {
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read("public/index.html");
    page.split('|').nth(1).unwrap().to_owned()
}

fn site() -> SmallSite {
    themed()
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
fn home_leads_with_the_newest_item_and_a_show_with_its_newest_episode() {
    let site = item(site(), "a", 1, SOUND);
    let site = item(site, "b", 2, "title = \"T\"");
    assert_eq!(lead(&site), "b:b!,a,");
    let site = item(item(site, "c", 3, SOUND), "d", 4, "title = \"T\"");
    let site = item(site, "b", 2, SOUND);
    assert_eq!(lead(&site), "c:d,c!,b,a,");
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[feed]\norder = \"asc\"\n"));
    assert_eq!(lead(&site), ":a,b,c,d,");
    let site = item(site.with("site.toml", config), "e", 5, "");
    let site = site.without("content/items/b.md").without("content/items/c.md");
    assert_eq!(lead(&site), ":e,d,a,");
}

#[test]
fn a_text_tells_how_long_it_takes_to_read() {
    let site = item(item(site(), "a", 1, SOUND), "b", 2, "title = \"T\"");
    builder::run(&site.options(), &Silent).unwrap();
    assert!(site.read("public/i/t-b/index.html").contains("|2|2 minutes to read|"));
    assert!(site.read("public/i/t-a/index.html").contains("|||"));
}
