//! Social cards: which pages have one, where it is linked, and when it is drawn.

use std::fs;

use pictures::{Format, Picture, dimensions};

use crate::support::preview_server::serve;
use crate::support::small_site::{SmallSite, feedwright, site};

const ITEM: &str =
    "+++\nid = \"walk\"\nslug = \"a-walk\"\ntitle = \"A walk\"\ndate = 2026-05-01\n+++\nText.\n";

const CARD: &str = "public/i/walk/card.png";

fn with_walk() -> SmallSite {
    site()
        .item(ITEM)
        .with("content/pages/about.md", "+++\nid = \"about\"\ntitle = \"About\"\n+++\n")
}

fn grey_picture(side: u32) -> Vec<u8> {
    let picture = Picture::from_pixels(side, side, vec![128; (side * side * 3) as usize]);
    picture.unwrap().encode(Format::Png).unwrap()
}

/// The lines of a file that mention a text.
fn lines(site: &SmallSite, path: &str, text: &str) -> Vec<String> {
    let file = site.read(path);
    let lines = file.lines().map(str::trim).filter(|line| line.contains(text));
    lines.map(str::to_owned).collect()
}

/// The addresses of all pictures that pages show on social networks.
fn social_images(site: &SmallSite) -> Vec<String> {
    let pages = ["index.html", "i/a-walk/index.html", "about/index.html", "archive/index.html"];
    let tags = pages.map(|page| {
        let found = lines(site, &format!("public/{page}"), "\"og:image\"");
        let found = found.first().map_or("", String::as_str);
        let address = found.split("content=\"").nth(1).unwrap_or_default();
        address.split(['?', '"']).next().unwrap_or_default().to_owned()
    });
    tags.to_vec()
}

fn cards(site: &SmallSite) -> Vec<String> {
    site.output().into_keys().filter(|path| path.contains("card.")).collect()
}

#[test]
fn a_card_stands_in_for_a_missing_picture() {
    let site = with_walk();
    site.built();
    assert_eq!(cards(&site), ["about/card.png", "card.png", "i/walk/card.png"]);
    assert_eq!(
        social_images(&site),
        [
            "https://example.com/card.png", "https://example.com/i/walk/card.png",
            "https://example.com/about/card.png", "https://example.com/card.png",
        ]
    );
    let file = fs::read(site.path(CARD)).unwrap();
    assert_eq!(dimensions(&file), Some((1200, 630)));
    let page = "public/i/a-walk/index.html";
    let tags = [lines(&site, page, "og:image"), lines(&site, page, "twitter:card")].concat();
    let images = lines(&site, "public/rss.xml", "podcast:image");
    insta::assert_snapshot!([tags, images].concat().join("\n"));
}

#[test]
fn a_card_with_artwork_is_a_jpeg() {
    let icon = "+++\ntitle = \"A small site\"\nicon = \"icon.png\"\n+++\n";
    let site = with_walk().with("content/channel.md", icon);
    let site = site.with("content/icon.png", grey_picture(500));
    site.built();
    assert_eq!(cards(&site), ["about/card.jpg", "card.jpg", "i/walk/card.jpg"]);
    let file = fs::read(site.path("public/i/walk/card.jpg")).unwrap();
    let picture = Picture::decode(&file).unwrap();
    assert_eq!((picture.width(), picture.height()), (1200, 630));
}

#[test]
fn pictures_of_the_author_replace_cards() {
    let own = ITEM.replace("title =", "image = \"a.png\"\ntitle =");
    let site = with_walk().item(own).with("content/items/a.png", grey_picture(300));
    site.built();
    assert_eq!(cards(&site), ["about/card.png", "card.png"]);
    assert!(social_images(&site)[1].contains("/media/"));
    let rss = site.read("public/rss.xml");
    assert_eq!(rss.matches("purpose=\"social\"").count(), 1, "only the channel has a card");

    let channel = "+++\ntitle = \"A small site\"\nseo.social_image = \"social.png\"\n+++\n";
    let site = with_walk().with("content/channel.md", channel);
    let site = site.with("content/social.png", grey_picture(300));
    site.built();
    assert_eq!(cards(&site), [""; 0]);
    assert!(social_images(&site).iter().all(|address| address.contains("social")));
}

#[test]
fn cards_can_be_turned_off() {
    let config = "base_url = \"https://example.com\"\n[social]\ncards = false\n";
    let site = with_walk().with("site.toml", config);
    site.built();
    assert_eq!(cards(&site), [""; 0]);
    assert_eq!(social_images(&site), [""; 4]);
    assert!(!site.read("public/rss.xml").contains("podcast:image"));
}

#[test]
fn a_card_is_drawn_again_only_if_it_changes() {
    let site = with_walk();
    site.built();
    let stored = || {
        let entries = fs::read_dir(site.path(".feedwright/cards")).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let times = || stored().iter().map(|path| path.metadata().unwrap().modified().unwrap()).max();
    let (first, first_times) = (stored(), times());
    assert_eq!(first.len(), 3);
    let card = fs::read(site.path(CARD)).unwrap();
    let address = lines(&site, "public/i/a-walk/index.html", "\"og:image\"");

    // A build into an empty folder copies the stored files.
    site.remove("public");
    site.built();
    assert_eq!((fs::read(site.path(CARD)).unwrap(), times()), (card.clone(), first_times));

    // A change in the text leaves the card as it is. A change in the title does not.
    site.write("content/items/a.md", ITEM.replace("Text.", "More text."));
    site.built();
    assert_eq!((stored(), times()), (first.clone(), first_times));
    site.write("content/items/a.md", ITEM.replace("A walk", "Two walks"));
    site.built();
    assert_ne!(fs::read(site.path(CARD)).unwrap(), card);
    assert_eq!(stored().len(), 4);

    // A damaged file is drawn again.
    stored().iter().for_each(|path| fs::write(path, "damaged").unwrap());
    site.remove("public");
    site.write("content/items/a.md", ITEM);
    site.built();
    assert_eq!(fs::read(site.path(CARD)).unwrap(), card);
    site.write("content/items/a.md", ITEM.replace("A walk", "Two walks"));
    site.built();
    assert_ne!(lines(&site, "public/i/a-walk/index.html", "\"og:image\""), address);
}

#[test]
fn a_preview_draws_only_the_requested_card() {
    let site = with_walk();
    let server = serve(site.root());
    server.get("/i/a-walk/");
    assert!(!site.exists(".feedwright/cards"));
    let reply = server.get("/i/walk/card.png?0");
    assert_eq!(dimensions(&reply.body), Some((1200, 630)));
    assert_eq!(fs::read_dir(site.path(".feedwright/cards")).unwrap().count(), 1);
    assert_eq!(server.get("/i/walk/card.jpg").status, 404);
}

#[test]
fn the_accent_and_the_direction_of_a_site_change_its_cards() {
    let drawn = |config: &str, channel: &str| {
        let site =
            with_walk().with("site.toml", format!("base_url = \"https://example.com\"\n{config}"));
        let site = site
            .with("content/channel.md", format!("+++\ntitle = \"A small site\"\n{channel}+++\n"));
        site.built();
        fs::read(site.path(CARD)).unwrap()
    };
    let plain = drawn("", "");
    assert_eq!(plain, drawn("", "language = \"en\"\n"));
    assert_ne!(plain, drawn("[theme_options]\naccent = \"#a01010\"\n", ""));
    assert_ne!(plain, drawn("theme = \"podcast\"\n", ""));
    assert_ne!(plain, drawn("", "language = \"ar\"\n"));
}

#[test]
fn a_woff2_font_of_the_site_draws_letters_that_the_embedded_fonts_lack() {
    let config = |font: &str| {
        format!("base_url = \"https://example.com\"\n[theme_options]\nfont = \"{font}\"\n")
    };
    let site = site().item(ITEM.replace("A walk", "A walk in 𝔸"));
    site.write("own.woff2", include_bytes!("../../themes/default/assets/math-letters.woff2"));
    let drawn = |font| {
        site.write("site.toml", config(font));
        site.built();
        let (_, out, err) = feedwright(&site, &["check"]);
        (out + &err, fs::read(site.path(CARD)).unwrap())
    };
    let (without, name_only) = drawn("serif");
    assert!(without.contains("no font for cards has the letter 𝔸"), "{without}");
    let (with, titled) = drawn("own.woff2");
    assert!(!with.contains("no font for cards"), "{with}");
    assert_ne!(name_only, titled);
}

#[test]
fn every_linked_card_exists() {
    let output = &crate::support::SMALL_SITE;
    let mut cards = 0;
    for entry in walkdir::WalkDir::new(output.folder()) {
        let path = entry.unwrap().into_path();
        if !path.extension().is_some_and(|extension| extension == "html" || extension == "xml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for address in text.split('"').filter(|part| part.contains("/card.")) {
            let card = address.strip_prefix("https://example.com/").unwrap();
            let card = output.folder().join(card.split('?').next().unwrap());
            assert!(card.is_file(), "{} in {}", card.display(), path.display());
            cards += 1;
        }
    }
    assert!(cards > 20, "{cards}");
}
