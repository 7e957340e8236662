//! Sites that break a rule of `check` by what short texts cannot: files of some size, what is published, a server. Beside
//! each stands one that differs in that alone, and breaks nothing.

use std::io::Write;

use feedwright::model::Rule;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::content::errors::site_with_theme;
use crate::lint::check_command::serve;
use crate::lint::rules::{CHANNEL_PATH, EPISODE, EPISODE_PATH, PICTURE, SITE, show};
use crate::support::small_site::{SmallSite, tree};

/// What is told of two sites.
pub struct Pair {
    pub rule: Rule,
    /// What `check` is asked beside the site.
    pub arguments: &'static [&'static str],
    pub whole: SmallSite,
    pub broken: SmallSite,
    /// Where the broken one is told of.
    pub place: &'static str,
}

pub fn site_pairs() -> Vec<Pair> {
    let all = [
        published_feed_pairs(),
        picture_pairs(),
        theme_pairs(),
        site_rule_pairs(),
        accessibility_pairs(),
        recording_pairs(),
    ];
    all.into_iter().flatten().collect()
}

/// Two sites that differ in what `site` is given.
fn pair<T>(rule: Rule, place: &'static str, site: impl Fn(T) -> SmallSite, values: [T; 2]) -> Pair {
    let [whole, broken] = values.map(site);
    Pair { rule, arguments: &[], whole, broken, place }
}

/// A show whose feed is published with an episode of this guid, path and length.
fn published_feed_pairs() -> Vec<Pair> {
    let of = |rule, place, broken: (&str, &str, u32)| {
        let feed = |(guid, path, length): (&str, &str, u32)| {
            let item = format!(
                "<item><title>The walk</title><guid>{guid}</guid><link>https://show.org{path}</link><enclosure url=\"https://cdn.example.net/walk.mp3\" length=\"{length}\" type=\"audio/mpeg\"/></item>"
            );
            let feed = format!(
                "<rss version=\"2.0\"><channel><link>https://show.org/</link>{item}</channel></rss>"
            );
            show().with("published.xml", feed)
        };
        Pair {
            arguments: &["--against", "published.xml"],
            ..pair(rule, place, feed, [("one", "/i/one/", 1000), broken])
        }
    };
    vec![
        of(
            Rule::ChangedEnclosure,
            "content/items/a.md:6",
            ("one", "/i/one/", 999),
        ),
        of(
            Rule::ChangedId,
            "content/items/a.md:1",
            ("uno", "/i/one/", 1000),
        ),
        of(
            Rule::MovedAddress,
            "content/items/a.md:1",
            ("one", "/i/uno/", 1000),
        ),
    ]
    .into_iter()
    .chain([Pair {
        arguments: &["--against", "published.xml"],
        ..pair(
            Rule::Vanished,
            "",
            |guid: &str| show().with("published.xml", format!("<rss version=\"2.0\"><channel><item><title>Another</title><guid>{guid}</guid></item></channel></rss>")),
            ["one", "another"],
        )
    }])
    .collect()
}

fn picture_pairs() -> Vec<Pair> {
    let svg = |bytes: usize| {
        let rest = "a".repeat(bytes);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><!--{rest}--></svg>"
        )
    };
    let in_text = |name: &str| EPISODE.replace("A text.", &format!("![A boat]({name})"));
    let shown = |name: &'static str| {
        move |bytes: Vec<u8>| {
            show().with(EPISODE_PATH, in_text(name)).with(&format!("content/items/{name}"), bytes)
        }
    };
    let named = |name: &str| {
        show().with(EPISODE_PATH, in_text(name)).with("content/items/Pier.png", PICTURE)
    };
    let in_kind = |(name, bytes): (&str, &[u8])| {
        show().with(EPISODE_PATH, in_text(name)).with(&format!("content/items/{name}"), bytes)
    };
    let avif = include_bytes!("../../crates/media-facts/tests/fixtures/picture.avif");
    let social = |(width, height)| {
        let item = EPISODE.replace("slug =", "seo.social_image = \"a.png\"\nslug =");
        show().with(EPISODE_PATH, item).with("content/items/a.png", grey_picture(width, height))
    };
    let titled = |title: &str| show().with(EPISODE_PATH, EPISODE.replace("The walk", title));
    let artwork = |(side, config): (u32, &str)| {
        let channel = show().read(CHANNEL_PATH);
        show()
            .with("site.toml", format!("{SITE}{config}"))
            .with(CHANNEL_PATH, channel.replace("https://cdn.show.org/cover.png", "cover.png"))
            .with("content/cover.png", grey_picture(side, side))
    };
    vec![
        pair(
            Rule::LargePicture,
            "content/items/a.svg",
            shown("a.svg"),
            [10, 4_100_000].map(|size| svg(size).into_bytes()),
        ),
        pair(Rule::Media, "content/items/a.md:15", shown("a.png"), [PICTURE.to_vec(), Vec::new()]),
        pair(Rule::NameCase, "content/items/a.md:15", named, ["Pier.png", "pier.png"]),
        pair(
            Rule::PictureSizes,
            "content/items/a.avif",
            in_kind,
            [("a.png", PICTURE), ("a.avif", avif)],
        ),
        pair(Rule::SocialImage, "content/items/a.md:3", social, [(1200, 630), (300, 300)]),
        pair(Rule::SocialImage, "content/items/a.md", titled, ["The walk", "The 港 walk"]),
        pair(Rule::Artwork, "content/channel.md:4", artwork, [(1400, ""), (1399, "")]),
        // With the sizes of pictures, a JPEG is made that directories take.
        pair(Rule::Artwork, "content/channel.md:4", artwork, [(1400, ""), (1400, NO_RESIZING)]),
        pair(Rule::Artwork, "content/channel.md:4", artwork, [(3200, ""), (3200, NO_RESIZING)]),
    ]
}

/// Pictures are published as they are.
const NO_RESIZING: &str = "[images]\nenabled = false\n";

fn theme_pairs() -> Vec<Pair> {
    let option = |name: &'static str, file: &'static str| {
        move |bytes: Vec<u8>| {
            let config = format!("{SITE}[theme_options]\n{name} = \"{file}\"\n");
            show().with("site.toml", config).with(file, bytes)
        }
    };
    let font = |length: u32| {
        let mut bytes = b"wOF2\0\x01\0\0".to_vec();
        bytes.extend(length.to_be_bytes());
        bytes.resize(usize::try_from(length).unwrap(), 0);
        bytes
    };
    let package = |beside: &str| {
        let files = tree(&site_with_theme().path("themes"));
        let site = files
            .iter()
            .fold(show(), |site, (path, bytes)| site.with(&format!("themes/{path}"), bytes));
        let manifest = site.read("themes/mine/theme.json");
        let manifest =
            manifest.replace("\"files\"", "\"microfeed\": \">=1.0.0 <2.0.0\",\n  \"files\"");
        site.without("themes/mine/theme.json")
            .with("themes/mine/microfeed-theme.json", manifest)
            .with(&format!("themes/mine/{beside}"), "")
            .with("site.toml", format!("theme = \"mine\"\n{SITE}"))
    };
    vec![
        pair(
            Rule::HeavyFont,
            "site.toml:3",
            option("font", "fonts/own.woff2"),
            [1000, 200_000].map(font),
        ),
        pair(
            Rule::Markup,
            "head.html:1",
            option("head", "head.html"),
            [b"<b>x</b>".to_vec(), b"<b>x".to_vec()],
        ),
        pair(
            Rule::ThemePackage,
            "themes/mine/microfeed-theme.json",
            package,
            ["README.md", "yarn.lock"],
        ),
    ]
}

/// Shows with and without what EN 301 549 requires.
fn accessibility_pairs() -> Vec<Pair> {
    let said = |item: &str| {
        let listed = item.replace("[podcast]", "[podcast]\ntranscripts = [\"said.vtt\"]");
        let file = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n";
        show().with(EPISODE_PATH, listed).with("content/items/said.vtt", file)
    };
    let film = EPISODE.replace("walk.mp3", "walk.mp4").replace("audio/mpeg", "video/mp4");
    let in_language = |line: &str| {
        let channel = show().read(CHANNEL_PATH).replace("language = \"en\"\n", line);
        said(EPISODE).with(CHANNEL_PATH, channel)
    };
    let pair = |rule, place, [whole, broken]: [SmallSite; 2]| Pair {
        rule,
        arguments: &["--accessibility"],
        whole,
        broken,
        place,
    };
    let silent = |item: &str| show().with(EPISODE_PATH, item);
    vec![
        pair(Rule::MissingTranscript, "content/items/a.md:6", [said(EPISODE), silent(EPISODE)]),
        pair(Rule::MissingCaptions, "content/items/a.md:6", [said(&film), silent(&film)]),
        pair(Rule::Language, "content/channel.md:2", ["language = \"en\"\n", ""].map(in_language)),
    ]
}

fn site_rule_pairs() -> Vec<Pair> {
    let address = |url: &str| show().with("site.toml", format!("base_url = {url:?}\n"));
    let album = |tag: &str| {
        let item = EPISODE.replace("slug =", "tags = [\"sea\"]\nslug =");
        let config = format!("{SITE}[[albums]]\ntag = {tag:?}\n");
        show().with(EPISODE_PATH, item).with("site.toml", config)
    };
    let deployed = |to: &str| {
        let config = format!("{SITE}[deploy]\nto = {to:?}\nregion = \"eu\"\n");
        show().with("site.toml", config)
    };
    let server = serve(|path| match path {
        "/gone" => (404, String::new()),
        _ => (200, "Here.".to_owned()),
    });
    let linked = |path: &str| {
        let link = format!("[a]({}{path})", server.address);
        show().with(EPISODE_PATH, EPISODE.replace("A text.", &link))
    };
    let robots = |usage: &str| {
        let config = format!("{SITE}[ai]\ntrain = false\n");
        let file = format!("User-agent: *\nAllow: /\n{usage}\n");
        show().with("site.toml", config).with("site-files/robots.txt", file)
    };
    let stated = "Content-Usage: train-ai=n, search=y";
    vec![
        pair(Rule::Album, "site.toml:3", album, ["sea", "see"]),
        pair(
            Rule::AiPreferences,
            "site-files/robots.txt:3",
            robots,
            [stated, "content-usage: /i/ train-ai=y # all items"],
        ),
        pair(
            Rule::AiPreferences,
            "site-files/robots.txt",
            robots,
            [stated, "Content-Usage: search=y"],
        ),
        pair(
            Rule::ExampleAddress,
            "site.toml:1",
            address,
            ["https://show.org", "https://example.com"],
        ),
        pair(Rule::Deploy, "site.toml:4", deployed, ["s3://show", "folder:../out"]),
        Pair {
            arguments: &["--links", "--local"],
            ..pair(Rule::ExternalLink, "content/items/a.md:15", linked, ["/here", "/gone"])
        },
    ]
}

/// A picture in grey.
pub fn grey_picture(width: u32, height: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let body = [kind, data].concat();
        let mut sum = flate2::Crc::new();
        sum.update(&body);
        png.extend(&body);
        png.extend(sum.sum().to_be_bytes());
    };
    let [size, rest] = [[width, height].map(u32::to_be_bytes).concat(), vec![1, 0, 0, 0, 0]];
    chunk(b"IHDR", &[size, rest].concat());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    let line = vec![0; usize::try_from(width.div_ceil(8)).unwrap() + 1];
    for _ in 0..height {
        packed.write_all(&line).unwrap();
    }
    chunk(b"IDAT", &packed.finish().unwrap());
    chunk(b"IEND", b"");
    png
}

/// A show with a recording of this loudness: a square wave of 500 Hz, at a level from 0 to 1 on each
/// channel of each second.
fn recording_pairs() -> Vec<Pair> {
    let of = |rule, levels: [&[[f64; 2]]; 2]| pair(rule, "content/items/a.wav", recording, levels);
    let good: &[[f64; 2]] = &[[0.12, 0.11]; 8];
    vec![
        of(Rule::Loudness, [good, &[[0.04, 0.03]; 8]]),
        of(
            Rule::RecordingDefect,
            [
                good,
                &[[0.12, 0.11], [0.12, 0.11], [0.0; 2], [0.0; 2], [0.0; 2], [0.0; 2], [0.12, 0.11]],
            ],
        ),
        of(Rule::RecordingFormat, [good, &[[0.115; 2]; 8]]),
    ]
}

fn recording(levels: &[[f64; 2]]) -> SmallSite {
    const RATE: u32 = 44_100;
    let frames = levels.iter().flat_map(|level| (0..RATE).map(move |at| (level, at)));
    let sample = |(level, at): (&[f64; 2], u32)| {
        let sign = if (at / (RATE / 1000)).is_multiple_of(2) { 1.0 } else { -1.0 };
        level.map(|level| ((sign * level * f64::from(i16::MAX)) as i16).to_le_bytes()).concat()
    };
    let data: Vec<u8> = frames.flat_map(sample).collect();
    let length = data.len() as u32;
    let mut file = b"RIFF".to_vec();
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x02\0");
    file.extend([RATE.to_le_bytes(), (4 * RATE).to_le_bytes()].concat());
    file.extend(b"\x04\0\x10\0data");
    file.extend(length.to_le_bytes());
    file.extend(data);
    // Apps cannot play WAV, which is another rule.
    let item = EPISODE.split_once("[attachment]").unwrap().0;
    let item = format!(
        "{item}attachment = \"a.wav\"\nallow = [\"enclosure\"]\n[itunes]\nepisode = 1\n+++\nA text.\n"
    );
    show().with(EPISODE_PATH, item).with("content/items/a.wav", file)
}
