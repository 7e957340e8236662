//! Facts about photos on their pages: camera, lens, exposure, date and location.

use feedwright::builder::{self, Silent};

use crate::content::errors::site_with_theme;
use crate::support::media_fixture;
use crate::support::small_site::SmallSite;

const FACTS: &str = "|{{#item}}{{#_service.attachment.exif}}{{name}}={{#label}}{{label}}:{{/label}}{{{text}}}{{#url}} {{{url}}}{{/url}};{{/_service.attachment.exif}}{{/item}}|";

/// A site with one photo, which a camera wrote.
fn photo_log(show: &str) -> SmallSite {
    let site = site_with_theme();
    let config = site.read("site.toml");
    site.with("site.toml", format!("{config}[images]\n{show}\n"))
        .with("themes/mine/item.html", FACTS)
        .item("+++\ntitle = \"A\"\nslug = \"a\"\nattachment = \"a.jpg\"\n+++\n")
        .with("content/items/a.jpg", std::fs::read(media_fixture("photo.jpg")).unwrap())
}

fn facts(site: &SmallSite) -> String {
    builder::run(&site.options(), &Silent).unwrap();
    site.read("public/i/a/index.html").split('|').nth(1).unwrap().to_owned()
}

#[test]
fn only_the_facts_in_show_appear_in_its_order() {
    let site = photo_log("");
    assert_eq!(facts(&site), "");
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}show = [\"date\", \"camera\", \"date\"]\n"));
    assert_eq!(facts(&site), "date=Taken:Nov 20, 2026;camera=FUJIFILM X-T4;");
    let site = site.with("site.toml", format!("{config}show = [\"exposure\", \"lens\"]\n"));
    assert_eq!(facts(&site), "exposure=1/250 s, f/2.8, ISO 400, 35 mm;lens=XF35mmF1.4 R;");
    let site = site.with("site.toml", format!("{config}show = [\"location\"]\n"));
    let map = "https://www.openstreetmap.org/?mlat=-27.5&mlon=153.01#map=14/-27.5/153.01";
    assert_eq!(facts(&site), format!("location=-27.5000, 153.0100 {map};"));
}

#[test]
fn published_photos_contain_no_exif_data() {
    let site = photo_log("show = [\"camera\", \"location\"]");
    facts(&site);
    let original = std::fs::read(site.path("content/items/a.jpg")).unwrap();
    let published = std::fs::read(site.path("public/media/items/a.jpg")).unwrap();
    let contains = |bytes: &[u8]| bytes.windows(4).any(|part| part == b"X-T4");
    assert!(contains(&original) && !contains(&published));
}

#[test]
fn facts_are_in_the_language_of_the_site() {
    let site = photo_log("show = [\"exposure\", \"date\"]")
        .with("content/channel.md", "+++\ntitle = \"Log\"\nlanguage = \"de\"\n+++\n");
    assert_eq!(
        facts(&site),
        "exposure=1/250 s, f/2,8, ISO 400, 35 mm;date=Aufgenommen:20. Nov. 2026;"
    );
}

#[test]
fn changed_and_missing_exif_data_change_the_page() {
    let site = photo_log("show = [\"camera\", \"lens\"]");
    facts(&site);
    let photo = std::fs::read(site.path("content/items/a.jpg")).unwrap();
    let at = photo.windows(4).position(|part| part == b"X-T4").unwrap();
    let mut changed = photo.clone();
    changed[at] = b'S';
    let site = site.with("content/items/a.jpg", changed);
    assert_eq!(facts(&site), "camera=FUJIFILM S-T4;lens=XF35mmF1.4 R;");
    let bare = std::fs::read(media_fixture("picture.jpg")).unwrap();
    let site = site.with("content/items/a.jpg", bare);
    assert_eq!(facts(&site), "");
}
