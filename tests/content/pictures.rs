//! Pictures in sizes: which there are, what names them, and what making them costs. What they look like is held by
//! `independent/pictures.py`.

use std::fs;
use std::path::Path;

use feedwright::model::pictures::rounded_ratio;
use feedwright::render::{Body, PathAnswer};
use pictures::{Format, Picture};

use crate::support::program;
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
    let picture = Picture::from_pixels(width, height, pixels).unwrap();
    picture.encode(Format::Jpeg { quality: 90 }).unwrap()
}

const SITE: &str =
    "base_url = \"https://example.com\"\n[social]\ncards = false\n[images]\nwidths = [300, 500]\n";

fn add_bytes(site: Site, path: &str, bytes: &[u8]) -> Site {
    let file = site.root().join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
    site
}

/// A site with one text that shows a picture of 700 pixels, with sizes of 300 and 500.
fn site_with_picture() -> Site {
    let site = Site::empty()
        .write("site.toml", SITE)
        .write(
            "content/items/walk/index.md",
            "+++\nid = \"walk\"\ntitle = \"Walk\"\nslug = \"walk\"\n+++\nOne.\n\n![A ferry](ferry.jpg)\n",
        );
    add_bytes(site, "content/items/walk/ferry.jpg", &photo(700, 400, 1))
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

const FERRY_SIZES: [&str; 4] = [
    "items/walk/ferry-300.jpg", "items/walk/ferry-300.webp", "items/walk/ferry-500.jpg",
    "items/walk/ferry-500.webp",
];

#[test]
fn a_text_shows_resized_pictures_and_originals_are_unpublished() {
    let output = site_with_picture().build();
    assert_eq!(sizes(&output), FERRY_SIZES);
    assert!(!output.has("media/items/walk/ferry.jpg"));
    let page = output.html("i/walk/index.html");
    let images = page.all(".picture picture img", "srcset");
    assert!(images[0].contains("ferry-300.") && images[0].contains(".jpg 500w"), "{images:?}");
    let webp = page.attribute("picture source", "srcset").unwrap();
    assert!(webp.contains(".webp 300w, ") && webp.ends_with(".webp 500w"), "{webp}");
    assert!(page.attribute(".stand-in", "src").unwrap().starts_with("data:image/webp;base64,"));
    assert_eq!(page.attribute(".picture picture img", "alt").unwrap(), "A ferry");
    assert_eq!(page.attribute(".picture picture img", "width").unwrap(), "700");
    // On the first screen.
    assert_eq!(page.attribute(".picture picture img", "loading"), None);
    let feed = output.json("feed.json");
    let html = feed["items"][0]["content_html"].as_str().unwrap();
    assert!(
        html.contains("<img src=\"https://example.com/media/sizes/items/walk/ferry-500."),
        "{html}"
    );
    assert!(!html.contains("picture") && !html.contains("walk/ferry.jpg"), "{html}");
    let rss = output.text("rss.xml");
    assert!(
        rss.contains("/media/sizes/items/walk/ferry-500.") && !rss.contains("walk/ferry.jpg"),
        "{rss}"
    );
}

#[test]
fn an_original_is_published_if_something_links_to_it() {
    let link =
        site_with_picture().replace("content/items/walk/index.md", "One.", "[Full](ferry.jpg).");
    assert!(link.build().has("media/items/walk/ferry.jpg"));
    let image = site_with_picture()
        .replace("content/items/walk/index.md", "slug", "image = \"ferry.jpg\"\nslug");
    let output = image.build();
    assert!(output.has("media/items/walk/ferry.jpg"));
    let page = output.html("i/walk/index.html");
    let shared = page.attribute("meta[property='og:image']", "content").unwrap();
    assert!(
        shared.starts_with("https://example.com/media/sizes/items/walk/ferry-500."),
        "{shared}"
    );
    assert_eq!(page.attribute("meta[property='og:image:width']", "content").unwrap(), "500");
    assert_eq!(page.attribute("meta[property='og:image:height']", "content").unwrap(), "286");
    let shared_folder =
        add_bytes(site_with_picture(), "content/media/shared.jpg", &photo(600, 400, 2));
    assert!(shared_folder.build().has("media/shared.jpg"));
}

#[test]
fn pictures_are_not_resized_when_disabled() {
    let site = site_with_picture().replace("site.toml", "widths", "enabled = false\nwidths");
    let output = site.build();
    assert_eq!(sizes(&output), [""; 0]);
    let page = output.html("i/walk/index.html");
    assert_eq!(page.all(".e-content img", "src"), ["/media/items/walk/ferry.jpg"]);
    assert!(output.has("media/items/walk/ferry.jpg"));
}

#[test]
fn pictures_sized_by_the_author_are_unchanged() {
    let text = "<img src=\"ferry.jpg\" srcset=\"ferry.jpg 2x\" alt=\"\">\n\n\
        <picture><source srcset=\"ferry.jpg\"><img src=\"ferry.jpg\" alt=\"\"></picture>";
    let output = site_with_picture()
        .replace("content/items/walk/index.md", "![A ferry](ferry.jpg)", text)
        .build();
    let page = output.html("i/walk/index.html");
    let named = page.all(".e-content [srcset]", "srcset");
    assert_eq!(named, ["/media/items/walk/ferry.jpg 2x", "/media/items/walk/ferry.jpg"]);
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
fn sizes_are_cached_and_remade_when_a_setting_changes() {
    let site = site_with_picture();
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
fn a_changed_picture_gets_new_addresses_everywhere() {
    let site = site_with_picture();
    let before = site.build().text("i/walk/index.html");
    let site = add_bytes(site, "content/items/walk/ferry.jpg", &photo(700, 400, 9));
    let after = site.build();
    assert_ne!(after.text("i/walk/index.html"), before);
    assert_eq!(sizes(&after), FERRY_SIZES);
    let named = after.html("i/walk/index.html").attribute("picture img", "src").unwrap();
    assert!(after.has(&named[1..]), "{named}");
}

#[test]
fn a_damaged_picture_does_not_stop_the_build() {
    let whole = photo(700, 400, 1);
    let site = add_bytes(site_with_picture(), "content/items/walk/ferry.jpg", &whole[..200]);
    let output = site.build();
    let told: Vec<String> = output.outcome.warnings.iter().map(ToString::to_string).collect();
    let told = told.join("\n");
    assert!(told.contains("ferry.jpg"), "{told}");
    let page = output.html("i/walk/index.html");
    let shown = page.attribute(".e-content img:not(.stand-in)", "src").unwrap();
    assert!(output.has(&shown[1..]), "{shown}");
}

#[test]
fn invalid_settings_are_errors_with_help() {
    let told = |settings: &str| {
        let text = format!("base_url = \"https://example.com\"\n[images]\n{settings}");
        Site::empty().write("site.toml", &text).errors()
    };
    insta::assert_snapshot!(told(
        "widths = [\"300\", 5]\nquality = 101\nformats = [\"web\"]\nwidht = 3\n"
    ));
    insta::assert_snapshot!(told("widths = []\n"));
}

/// A show whose icon, favicon and cover are pictures of these sizes.
fn show_with_artwork(icon: (u32, u32), cover: (u32, u32)) -> Site {
    let site = Site::empty()
        .write("site.toml", SITE)
        .write(
            "content/channel.md",
            "+++\ntitle = \"Show\"\nicon = { url = \"media/icon.jpg\", alt = \"A boat\" }\nfavicon = \"media/icon.jpg\"\n+++\n",
        )
        .write(
            "content/items/walk/index.md",
            "+++\nid = \"walk\"\ntitle = \"Walk\"\nslug = \"walk\"\nimage = \"cover.jpg\"\nattachment = \"walk.mp3\"\n+++\n",
        )
        .write("content/items/walk/walk.mp3", "sound");
    let site = add_bytes(site, "content/media/icon.jpg", &photo(icon.0, icon.1, 1));
    add_bytes(site, "content/items/walk/cover.jpg", &photo(cover.0, cover.1, 2))
}

/// The path of a size that a feed names, without what changes with the encoder. It has to be there.
fn picture_path(output: &Output, address: &str) -> String {
    let path = address.strip_prefix("https://example.com/").unwrap();
    assert!(output.has(path), "{path}");
    let (stem, rest) = path.split_once('.').unwrap();
    format!("{stem}.{}", rest.rsplit('.').next().unwrap())
}

/// The value of an attribute, or what an element holds, wherever it stands.
fn all<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let after = text.split(before).skip(1);
    after.map(|rest| rest.split(['"', '<']).next().unwrap()).collect()
}

#[test]
fn artwork_is_listed_in_the_requested_sizes() {
    let output = show_with_artwork((3100, 3100), (3050, 3050)).build();
    let named = |address: &str| picture_path(&output, address);
    let rss = output.text("rss.xml");
    let icon = |size: &str| format!("media/sizes/icon-{size}.jpg");
    assert_eq!(named(all(&rss, "<url>")[0]), icon("144"));
    let whole = all(&rss, "<itunes:image href=\"");
    assert_eq!(named(whole[0]), icon("3000"));
    assert_eq!(named(whole[1]), "media/sizes/items/walk/cover-3000.jpg");
    let for_apps = all(&rss, "<podcast:image href=\"");
    let sizes: Vec<String> = for_apps.into_iter().map(named).collect();
    assert_eq!(sizes, ["3000", "1400", "600", "300"].map(icon));
    let told = " alt=\"A boat\" purpose=\"artwork\" aspect-ratio=\"1/1\" width=\"600\" height=\"600\" type=\"image/jpeg\"";
    assert!(rss.contains(told), "{rss}");
    let feed = output.json("feed.json");
    assert_eq!(named(feed["icon"].as_str().unwrap()), icon("512"));
    assert_eq!(named(feed["favicon"].as_str().unwrap()), icon("64"));
    let page = output.html("i/walk/index.html");
    for (rel, size) in [("apple-touch-icon", "180"), ("icon", "64")] {
        let link = page.attribute(&format!("link[rel='{rel}']"), "href").unwrap();
        assert_eq!(named(&format!("https://example.com{link}")), icon(size));
    }
    let path = whole[0].strip_prefix("https://example.com/").unwrap();
    let made = fs::read(output.folder().join(path)).unwrap();
    let made = Picture::decode(&made).unwrap();
    assert_eq!((made.width(), made.height()), (3000, 3000));
}

#[test]
fn artwork_accepted_by_directories_is_unchanged() {
    let output = show_with_artwork((1500, 1500), (700, 400)).build();
    let rss = output.text("rss.xml");
    let whole = all(&rss, "<itunes:image href=\"");
    let originals = ["icon.jpg", "items/walk/cover.jpg"];
    let originals = originals.map(|path| format!("https://example.com/media/{path}"));
    assert_eq!(whole, originals);
    let for_apps = all(&rss, "<podcast:image href=\"");
    assert_eq!(for_apps[0], originals[0]);
    assert_eq!(picture_path(&output, for_apps[1]), "media/sizes/icon-1400.jpg");
    assert!(rss.contains("width=\"1500\" height=\"1500\""), "{rss}");
    assert!(output.has("media/icon.jpg") && output.has("media/items/walk/cover.jpg"));
    // Nothing is cut off to make a square, and nothing enlarged.
    let output = show_with_artwork((1500, 1400), (400, 400)).build();
    let rss = output.text("rss.xml");
    assert_eq!(all(&rss, "<url>")[0], originals[0]);
    assert_eq!(all(&rss, "<itunes:image href=\""), originals);
    assert!(!rss.contains("podcast:image"), "{rss}");
    assert_eq!(output.json("feed.json")["icon"], originals[0]);
}

#[test]
fn other_artwork_is_converted_for_directories() {
    let site = show_with_artwork((1500, 1500), (400, 400));
    let pixels = vec![90; 1500 * 1500 * 3];
    let picture = Picture::from_pixels(1500, 1500, pixels).unwrap();
    let webp = Format::WebP { quality: 80, is_graphic: false };
    let site = add_bytes(site, "content/media/icon.webp", &picture.encode(webp).unwrap())
        .replace("content/channel.md", "media/icon.jpg\", alt", "media/icon.webp\", alt");
    let output = site.build();
    let rss = output.text("rss.xml");
    let whole = picture_path(&output, all(&rss, "<itunes:image href=\"")[0]);
    assert_eq!(whole, "media/sizes/icon-1500.jpg");
    // An author's own choice for apps stands alone, and no sizes are made where nobody wants them.
    let own = site.replace(
        "content/channel.md",
        "favicon",
        "podcast = { images = [\"media/icon.jpg\"] }\nfavicon",
    );
    let output = own.build();
    assert_eq!(
        all(&output.text("rss.xml"), "<podcast:image href=\""),
        ["https://example.com/media/icon.jpg"]
    );
    let off = own.replace("site.toml", "widths", "enabled = false\nwidths");
    let output = off.build();
    assert_eq!(
        all(&output.text("rss.xml"), "<itunes:image href=\"")[0],
        "https://example.com/media/icon.webp"
    );
    assert_eq!(sizes(&output), [""; 0]);
}

/// A picture that no encoder makes small.
fn noise_picture(width: u32, height: u32) -> Vec<u8> {
    let mut state = 7_u32;
    let pixels = (0..width * height * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    let picture = Picture::from_pixels(width, height, pixels.collect()).unwrap();
    picture.encode(Format::Jpeg { quality: 60 }).unwrap()
}

/// A limit on the size of files shows a full disk to any user.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_once_and_leaves_no_partial_file() {
    let mut site = site_with_picture();
    for name in ["ferry.jpg", "pier.jpg", "quay.jpg"] {
        site = add_bytes(site, &format!("content/items/walk/{name}"), &noise_picture(700, 400));
    }
    let site =
        site.replace("content/items/walk/index.md", "One.", "![](pier.jpg) and ![](quay.jpg).");
    let build = |limit: &str| {
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
        let program = env!("CARGO_BIN_EXE_feedwright");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script, program, "build", "--site"]);
        let output = command.arg(site.root()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        (output.status.success(), told)
    };
    // Blocks of 512 or 1,024 bytes: less than a size needs.
    let (is_built, told) = build("40");
    assert!(!is_built, "{told}");
    let why = "resized pictures cannot be saved in .feedwright/pictures";
    assert_eq!(told.matches(why).count(), 1, "{told}");
    assert!(told.contains("the free disk space"), "{told}");
    assert!(!site.root().join("public").exists());
    for (name, _) in made(site.root()) {
        let kept = fs::read(site.root().join(".feedwright/pictures").join(&name)).unwrap();
        assert!(name.ends_with(".stand-in") || Picture::decode(&kept).is_ok(), "{name}");
    }
    let (is_built, told) = build("unlimited");
    assert!(is_built, "{told}");
    assert_eq!(site.build().files().len(), {
        let other = walkdir::WalkDir::new(site.root().join("public")).into_iter().flatten();
        other.filter(|entry| entry.file_type().is_file()).count()
    });
}

#[test]
fn check_reports_artwork_that_directories_refuse() {
    let told = |site: &Site| {
        let options = crate::support::options(site.root(), &site.root().join("public"));
        let report = feedwright::builder::check(&options, &feedwright::builder::Silent).report;
        let told: Vec<String> = report.sorted().iter().map(ToString::to_string).collect();
        told.join("\n")
    };
    let fit = told(&show_with_artwork((1400, 1400), (1400, 1400)));
    assert!(!fit.contains("podcast directories"), "{fit}");
    let small = told(&show_with_artwork((700, 700), (400, 400)));
    assert!(small.contains("reject this artwork: it has 700 × 700 pixels"), "{small}");
    assert!(
        small.contains("content/channel.md") && small.contains("square JPEG or PNG of 1400"),
        "{small}"
    );
    let wide = told(&show_with_artwork((2000, 1500), (400, 400)));
    assert!(wide.contains("2000 × 1500"), "{wide}");
}

#[test]
fn a_preview_does_not_wait_for_placeholders() {
    let site = site_with_picture();
    let options = crate::support::options(site.root(), &site.root().join("public"));
    let (read, _) = feedwright::project::read(&options, &|| ());
    let read = read.unwrap();
    let answer = |path: &str| match read.find(path) {
        Some(PathAnswer::Document(document)) => match read.renderer().render(&document).unwrap() {
            Body::Bytes(bytes) => bytes,
            other => panic!("{path}: {other:?}"),
        },
        _ => panic!("{path}"),
    };
    let page = || String::from_utf8(answer("/i/walk/")).unwrap();
    assert!(page().contains("-500.") && !page().contains("stand-in"));
    // Nothing was made for it.
    assert!(!site.root().join(".feedwright/pictures").exists());
    let page_before = page();
    let size = page_before
        .split('"')
        .find(|part| part.starts_with("/media/sizes/") && !part.contains(' '))
        .unwrap();
    assert!(Picture::decode(&answer(size)).is_ok());
    assert!(page().contains("<img class=\"stand-in\" src=\"data:image/webp;base64,"));
    // What is built is the same as ever.
    assert!(site.build().text("i/walk/index.html").contains("stand-in"));
}

/// A picture whose proportions no style sheet lists would have those of another.
#[test]
fn every_rounded_aspect_ratio_has_a_style_rule() {
    let style = fs::read_to_string("themes/default/assets/style.css").unwrap();
    for width in 1..=12_000 {
        let ratio = rounded_ratio(width, 1000);
        let line = format!("\n[data-ratio=\"{ratio}\"] {{ --ratio: {ratio} }}\n");
        assert!(style.contains(&line), "{line}");
        let own = f64::from(width) / 1000.0;
        let is_near = (ratio / own - 1.0).abs() <= 1.0 / 16.0 + 1e-9;
        assert!(is_near || !(0.2..=6.0).contains(&own), "{own}: {ratio}");
    }
}

/// A PNG file of one bit for each pixel, all black: a few kilobytes for any number of pixels.
fn black_png(width: u32, height: u32) -> Vec<u8> {
    use std::io::Write;

    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let row = vec![0; width.div_ceil(8) as usize + 1];
    for _ in 0..height {
        packed.write_all(&row).unwrap();
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let head = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[1, 0, 0, 0, 0]].concat();
    for (kind, content) in
        [(b"IHDR", head), (b"IDAT", packed.finish().unwrap()), (b"IEND", Vec::new())]
    {
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(&content);
        file.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        file.extend(kind);
        file.extend(&content);
        file.extend(crc.sum().to_be_bytes());
    }
    file
}

/// A small file may hold many pixels. Its decoder takes 256 MiB at most, and other threads wait for it.
#[test]
fn decoding_a_picture_takes_bounded_memory() {
    use nix::sys::resource::{UsageWho, getrusage};

    let site = Site::empty().write("site.toml", SITE).write(
        "content/items/walk/index.md",
        "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\n![a](a.png)\n\n![b](b.png)\n\n![c](c.png)\n",
    );
    let site = add_bytes(site, "content/items/walk/a.png", &black_png(7000, 6000));
    let site = add_bytes(site, "content/items/walk/b.png", &black_png(6000, 7000));
    let site = add_bytes(site, "content/items/walk/c.png", &black_png(9000, 9000));
    let mut command = program::command();
    let said = program::run(command.args(["build", "--site"]).arg(site.root())).ok().err;
    let told =
        "c.png: sizes: decoding its 9000 × 9000 pixels would need more than 256 MiB of memory";
    assert!(said.contains(told), "{said}");
    let made = site.root().join(".feedwright/pictures");
    // Of two pictures two sizes in two formats each, and what stands in for them.
    assert_eq!(fs::read_dir(made).unwrap().count(), 10);
    let most = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() / 1024;
    eprintln!("{most} MiB");
    assert!(most < 256 + 80, "{most} MiB");
}
