//! Pictures in sizes: which there are, what names them, and what making them costs. What they look like is held by
//! `independent/pictures.py`.

use std::fs;
use std::path::Path;

use pictures::{Format, Picture};

use crate::support::{Output, Site};

/// A soft picture of so many pixels, another for each `seed`.
fn photo(width: u32, height: u32, seed: u8) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let wave = |n: u32| u8::try_from((n / 3 + u32::from(seed) * 40) % 256).unwrap();
            pixels.extend([wave(x), wave(y), wave(x + y)]);
        }
    }
    let picture = Picture::of_pixels(width, height, pixels).unwrap();
    picture.encode(Format::Jpeg { quality: 90 }).unwrap()
}

const SITE: &str = "base_url = \"https://example.com\"\n[images]\nwidths = [300, 500]\n";

fn put(site: Site, path: &str, bytes: &[u8]) -> Site {
    let file = site.root().join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
    site
}

/// A site with one text that shows a picture of 700 pixels, with sizes of 300 and 500.
fn walk() -> Site {
    let site = Site::empty()
        .write("site.toml", SITE)
        .write(
            "content/items/walk/index.md",
            "+++\nid = \"walk\"\ntitle = \"Walk\"\nslug = \"walk\"\n+++\nOne.\n\n![A ferry](ferry.jpg)\n",
        );
    put(site, "content/items/walk/ferry.jpg", &photo(700, 400, 1))
}

fn sizes(output: &Output) -> Vec<String> {
    let files = output.files().into_iter();
    let sizes = files.filter_map(|file| file.strip_prefix("media/sizes/").map(str::to_owned));
    // Without what changes with the encoder.
    let mut sizes: Vec<String> = sizes
        .map(|file| {
            let (stem, rest) = file.split_once('.').unwrap();
            format!("{stem}.{}", rest.rsplit('.').next().unwrap())
        })
        .collect();
    sizes.sort();
    sizes
}

const FERRY: [&str; 4] = [
    "items/walk/ferry-300.jpg",
    "items/walk/ferry-300.webp",
    "items/walk/ferry-500.jpg",
    "items/walk/ferry-500.webp",
];

#[test]
fn a_text_shows_sizes_and_its_originals_stay_at_home() {
    let output = walk().build();
    assert_eq!(sizes(&output), FERRY);
    assert!(!output.has("media/items/walk/ferry.jpg"));
    let page = output.html("i/walk/index.html");
    let images = page.all(".picture picture img", "srcset");
    assert!(
        images[0].contains("ferry-300.") && images[0].contains(".jpg 500w"),
        "{images:?}"
    );
    let webp = page.attribute("picture source", "srcset").unwrap();
    assert!(
        webp.contains(".webp 300w, ") && webp.ends_with(".webp 500w"),
        "{webp}"
    );
    assert!(
        page.attribute(".stand-in", "src")
            .unwrap()
            .starts_with("data:image/webp;base64,")
    );
    assert_eq!(
        page.attribute(".picture picture img", "alt").unwrap(),
        "A ferry"
    );
    assert_eq!(
        page.attribute(".picture picture img", "width").unwrap(),
        "700"
    );
    // On the first screen.
    assert_eq!(page.attribute(".picture picture img", "loading"), None);
    let feed = output.json("feed.json");
    let html = feed["items"][0]["content_html"].as_str().unwrap();
    assert!(
        html.contains("<img src=\"https://example.com/media/sizes/items/walk/ferry-500."),
        "{html}"
    );
    assert!(
        !html.contains("picture") && !html.contains("walk/ferry.jpg"),
        "{html}"
    );
    let rss = output.text("rss.xml");
    assert!(
        rss.contains("/media/sizes/items/walk/ferry-500.") && !rss.contains("walk/ferry.jpg"),
        "{rss}"
    );
}

#[test]
fn an_original_is_published_where_something_names_it() {
    let link = walk().replace("content/items/walk/index.md", "One.", "[Full](ferry.jpg).");
    assert!(link.build().has("media/items/walk/ferry.jpg"));
    let image = walk().replace(
        "content/items/walk/index.md",
        "slug",
        "image = \"ferry.jpg\"\nslug",
    );
    let output = image.build();
    assert!(output.has("media/items/walk/ferry.jpg"));
    let page = output.html("i/walk/index.html");
    let shared = page
        .attribute("meta[property='og:image']", "content")
        .unwrap();
    assert!(
        shared.starts_with("https://example.com/media/sizes/items/walk/ferry-500."),
        "{shared}"
    );
    assert_eq!(
        page.attribute("meta[property='og:image:width']", "content")
            .unwrap(),
        "500"
    );
    assert_eq!(
        page.attribute("meta[property='og:image:height']", "content")
            .unwrap(),
        "286"
    );
    let shared_folder = put(walk(), "content/media/shared.jpg", &photo(600, 400, 2));
    assert!(shared_folder.build().has("media/shared.jpg"));
}

#[test]
fn no_sizes_are_made_where_nobody_wants_them() {
    let site = walk().replace("site.toml", "widths", "enabled = false\nwidths");
    let output = site.build();
    assert_eq!(sizes(&output), [""; 0]);
    let page = output.html("i/walk/index.html");
    assert_eq!(
        page.all(".e-content img", "src"),
        ["/media/items/walk/ferry.jpg"]
    );
    assert!(output.has("media/items/walk/ferry.jpg"));
}

#[test]
fn what_an_author_sized_stays_as_it_is() {
    let text = "<img src=\"ferry.jpg\" srcset=\"ferry.jpg 2x\" alt=\"\">\n\n\
        <picture><source srcset=\"ferry.jpg\"><img src=\"ferry.jpg\" alt=\"\"></picture>";
    let output = walk()
        .replace("content/items/walk/index.md", "![A ferry](ferry.jpg)", text)
        .build();
    let page = output.html("i/walk/index.html");
    let named = page.all(".e-content [srcset]", "srcset");
    assert_eq!(
        named,
        [
            "/media/items/walk/ferry.jpg 2x",
            "/media/items/walk/ferry.jpg"
        ]
    );
    assert!(output.has("media/items/walk/ferry.jpg"));
}

/// What was made, with when it was.
fn made(root: &Path) -> Vec<(String, std::time::SystemTime)> {
    let entries = fs::read_dir(root.join(".feedwright/pictures")).unwrap();
    let mut made: Vec<_> = entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, entry.metadata().unwrap().modified().unwrap())
        })
        .collect();
    made.sort();
    made
}

#[test]
fn each_size_is_made_once_and_a_setting_makes_what_it_changes() {
    let site = walk();
    site.build();
    let first = made(site.root());
    assert_eq!(first.len(), 5);
    // Another text, the same pictures.
    let site = site.replace("content/items/walk/index.md", "One.", "Two.");
    site.build();
    assert_eq!(made(site.root()), first);
    // The picture under another name.
    let site = site.replace("content/items/walk/index.md", "ferry.jpg", "boat.jpg");
    let folder = site.root().join("content/items/walk");
    fs::rename(folder.join("ferry.jpg"), folder.join("boat.jpg")).unwrap();
    let output = site.build();
    assert_eq!(sizes(&output)[0], "items/walk/boat-300.jpg");
    assert_eq!(made(site.root()), first);
    let site = site.replace("site.toml", "[300, 500]", "[300, 400, 500]");
    site.build();
    let then = made(site.root());
    assert_eq!(then.len(), 7);
    assert!(first.iter().all(|one| then.contains(one)));
}

#[test]
fn a_picture_that_changed_is_another_one_everywhere() {
    let site = walk();
    let before = site.build().text("i/walk/index.html");
    let site = put(site, "content/items/walk/ferry.jpg", &photo(700, 400, 9));
    let after = site.build();
    assert_ne!(after.text("i/walk/index.html"), before);
    assert_eq!(sizes(&after), FERRY);
    let named = after
        .html("i/walk/index.html")
        .attribute("picture img", "src")
        .unwrap();
    assert!(after.has(&named[1..]), "{named}");
}

#[test]
fn a_damaged_picture_breaks_no_build() {
    let whole = photo(700, 400, 1);
    let site = put(walk(), "content/items/walk/ferry.jpg", &whole[..200]);
    let output = site.build();
    let told: Vec<String> = output
        .outcome
        .warnings
        .iter()
        .map(ToString::to_string)
        .collect();
    let told = told.join("\n");
    assert!(told.contains("ferry.jpg"), "{told}");
    let page = output.html("i/walk/index.html");
    let shown = page
        .attribute(".e-content img:not(.stand-in)", "src")
        .unwrap();
    assert!(output.has(&shown[1..]), "{shown}");
}

#[test]
fn wrong_settings_are_told_with_what_is_right() {
    let told = |settings: &str| {
        let text = format!("base_url = \"https://example.com\"\n[images]\n{settings}");
        Site::empty().write("site.toml", &text).errors()
    };
    insta::assert_snapshot!(told(
        "widths = [\"300\", 5]\nquality = 101\nformats = [\"web\"]\nwidht = 3\n"
    ));
    insta::assert_snapshot!(told("widths = []\n"));
}
