//! What podcast directories require, and the rule or error that enforces it. Each requirement has a show that violates it,
//! or is checked in the feed of a valid show. The page `content/pages/rules/directories.md` lists them.

use std::fmt::Write as _;
use std::path::Path;

use feedwright::builder::{self, Silent};
use feedwright::model::{Rule, Severity};

use crate::lint::rules::{CHANNEL_PATH, EPISODE, EPISODE_PATH, SITE, show};
use crate::lint::site_pairs::grey_picture;
use crate::support::small_site::SmallSite;
use crate::support::xml_tree::{Element, parse};

/// A published document: its directory, title and address.
type Document = (&'static str, &'static str, &'static str);

const REQUIREMENTS: Document = (
    "Apple",
    "Podcast RSS feed requirements",
    "https://podcasters.apple.com/support/823-podcast-requirements",
);
const GUIDE: Document = (
    "Apple",
    "A podcaster's guide to RSS",
    "https://help.apple.com/itc/podcasts_connect/#/itcb54353390",
);
const ARTWORK: Document = (
    "Apple",
    "Artwork requirements",
    "https://podcasters.apple.com/support/896-artwork-requirements",
);
const METADATA: Document = (
    "Spotify",
    "Show Metadata Requirements",
    "https://content-ops.atspotify.com/hc/en-us/articles/360050808931--PODCAST-Show-Metadata-Requirements",
);
const CHAPTERS: Document = (
    "Spotify",
    "Creating and managing chapters",
    "https://support.spotifyforpodcasters.com/hc/en-us/articles/360043932711",
);
const DELIVERY: Document = (
    "YouTube",
    "Deliver podcasts using an RSS feed",
    "https://support.google.com/youtube/answer/13525207",
);
const VIDEO_CHAPTERS: Document =
    ("YouTube", "Video chapters", "https://support.google.com/youtube/answer/9884579");
const VIDEOS: Document =
    ("YouTube", "Data API: videos", "https://developers.google.com/youtube/v3/docs/videos");
const SUBMIT: Document = ("Amazon Music", "Submit RSS", "https://podcasters.amazon.com/submit-rss");
const PSP: Document = (
    "PSP-1",
    "Podcast RSS specification 1.0",
    "https://github.com/Podcast-Standards-Project/PSP-1-Podcast-RSS-Specification/blob/main/1.0.md",
);

/// All documents, as read on this day.
const DOCUMENTS: [Document; 10] = [
    REQUIREMENTS, GUIDE, ARTWORK, METADATA, CHAPTERS, DELIVERY, VIDEO_CHAPTERS, VIDEOS, SUBMIT, PSP,
];
const READ: &str = "29 November 2026";

struct Requirement {
    text: &'static str,
    /// The documents that state the requirement, with a section.
    sources: Vec<(Document, &'static str)>,
    met: Met,
}

/// How feedwright meets a requirement.
enum Met {
    /// `check` reports this rule for the show, and nothing else.
    Rule(Rule, SmallSite),
    /// The show has an error with these words.
    Error(&'static str, SmallSite),
    /// The feed of every show meets the requirement.
    Always(fn(&Element) -> bool),
    /// The feed of every show meets the requirement, as this test proves.
    Tested(&'static str),
}

/// A show with a changed file.
fn with(path: &str, from: &str, to: &str) -> SmallSite {
    let site = show();
    let text = site.read(path);
    assert!(text.contains(from), "{path} has no {from:?}");
    site.with(path, text.replacen(from, to, 1))
}

fn channel(from: &str, to: &str) -> SmallSite {
    with(CHANNEL_PATH, from, to)
}

fn episode(from: &str, to: &str) -> SmallSite {
    with(EPISODE_PATH, from, to)
}

/// A show with a second episode, which has the number 2 and these changes.
fn second(changes: &[(&str, &str)]) -> SmallSite {
    let own = [
        ("id = \"one\"", "id = \"two\""),
        ("slug = \"one\"", "slug = \"two\""),
        ("episode = 1", "episode = 2"),
    ];
    let text = own.iter().chain(changes).fold(EPISODE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    show().with("content/items/b.md", text)
}

/// A show with this icon.
fn icon(name: &str, bytes: impl AsRef<[u8]>, config: &str) -> SmallSite {
    let site = channel("https://cdn.show.org/cover.png", name);
    site.with(&format!("content/{name}"), bytes).with("site.toml", format!("{SITE}{config}"))
}

const AS_THEY_ARE: &str = "[images]\nenabled = false\n";

fn show_requirements() -> Vec<Requirement> {
    let description = "Two friends walk the coast.";
    let namespaces = |rss: &Element| {
        let known = [
            ("itunes", "http://www.itunes.com/dtds/podcast-1.0.dtd"),
            ("podcast", "https://podcastindex.org/namespace/1.0"),
            ("atom", "http://www.w3.org/2005/Atom"),
            ("content", "http://purl.org/rss/1.0/modules/content/"),
        ];
        rss.attribute("version") == Some("2.0")
            && known.iter().all(|(name, uri)| rss.attribute(&format!("xmlns:{name}")) == Some(*uri))
    };
    vec![
        requirement(
            "RSS 2.0 with four namespaces",
            [(REQUIREMENTS, "technical requirements"), (PSP, "Namespace Declarations")],
            Met::Always(namespaces),
        ),
        requirement(
            "address of the feed",
            [(PSP, "atom:link")],
            Met::Always(|rss| {
                rss.child("channel")
                    .all("atom:link")
                    .any(|link| link.attribute("rel") == Some("self"))
            }),
        ),
        requirement(
            "address of the website",
            [(GUIDE, "link"), (PSP, "link")],
            Met::Always(|rss| !rss.child("channel").child("link").text.is_empty()),
        ),
        requirement(
            "identity of the show",
            [(PSP, "podcast:guid")],
            Met::Always(|rss| rss.child("channel").child("podcast:guid").text.len() == 36),
        ),
        requirement(
            "title of the show",
            [(GUIDE, "title"), (PSP, "title")],
            Met::Rule(Rule::ChannelTitle, channel("title = \"Between tides\"\n", "")),
        ),
        requirement(
            "description of the show",
            [(GUIDE, "description"), (PSP, "description")],
            Met::Rule(Rule::Description, channel(description, "")),
        ),
        requirement(
            "description of at most 4,000 bytes",
            [(GUIDE, "description"), (PSP, "description")],
            Met::Rule(Rule::LongText, channel(description, &"ä ".repeat(1400))),
        ),
        requirement(
            "language",
            [(GUIDE, "language"), (PSP, "language")],
            Met::Rule(Rule::Language, channel("language = \"en\"\n", "")),
        ),
        requirement(
            "valid language code",
            [(GUIDE, "language"), (PSP, "language")],
            Met::Error("language", channel("\"en\"", "\"English language\"")),
        ),
        requirement(
            "category",
            [(GUIDE, "itunes:category"), (PSP, "itunes:category")],
            Met::Rule(
                Rule::Category,
                channel("categories = [\"Society & Culture > Places & Travel\"]\n", ""),
            ),
        ),
        requirement(
            "category from Apple's list",
            [(GUIDE, "itunes:category"), (PSP, "itunes:category")],
            Met::Rule(
                Rule::Category,
                channel("Society & Culture > Places & Travel", "Society and culture"),
            ),
        ),
        requirement(
            "explicit or not",
            [(GUIDE, "itunes:explicit"), (PSP, "itunes:explicit")],
            Met::Rule(Rule::Explicit, channel("explicit = false\n", "")),
        ),
        requirement(
            "author",
            [(METADATA, "1"), (PSP, "itunes:author")],
            Met::Rule(Rule::Author, channel("[[authors]]\nname = \"Ana Reyes\"\n", "")),
        ),
        requirement(
            "e-mail address for verification",
            [(DELIVERY, "verification"), (SUBMIT, "verification")],
            Met::Rule(Rule::OwnerEmail, channel("email = \"hello@show.org\"\n", "")),
        ),
        requirement(
            "artwork",
            [(GUIDE, "itunes:image"), (METADATA, "3"), (PSP, "itunes:image")],
            Met::Rule(Rule::Artwork, channel("icon = \"https://cdn.show.org/cover.png\"\n", "")),
        ),
        requirement(
            "artwork that is JPEG or PNG",
            [(ARTWORK, "Show Cover"), (PSP, "itunes:image")],
            Met::Rule(
                Rule::Artwork,
                icon(
                    "cover.svg",
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2000\" height=\"2000\"/>",
                    "",
                ),
            ),
        ),
        requirement(
            "square artwork of 1,400 to 3,000 pixels",
            [(ARTWORK, "Show Cover"), (PSP, "itunes:image")],
            Met::Rule(Rule::Artwork, icon("cover.png", grey_picture(1399, 1399), "")),
        ),
        requirement(
            "artwork in RGB without transparency",
            [(ARTWORK, "Show Cover"), (PSP, "itunes:image")],
            Met::Rule(Rule::Artwork, icon("cover.png", grey_picture(1400, 1400), AS_THEY_ARE)),
        ),
        requirement(
            "type `episodic` or `serial`",
            [(GUIDE, "itunes:type"), (PSP, "itunes:type")],
            Met::Error("episodic", channel("\"serial\"", "\"series\"")),
        ),
    ]
}

fn episode_requirements() -> Vec<Requirement> {
    let recording = "https://cdn.example.net/walk.mp3";
    vec![
        requirement(
            "title of the episode",
            [(GUIDE, "title"), (PSP, "title")],
            Met::Rule(Rule::Description, episode("title = \"The walk\"\n", "")),
        ),
        requirement(
            "title without a number",
            [(GUIDE, "title"), (PSP, "title")],
            Met::Rule(Rule::EpisodeNumber, episode("The walk", "Episode 1: The walk")),
        ),
        requirement(
            "title of at most 100 characters",
            [(VIDEOS, "snippet.title")],
            Met::Rule(Rule::LongText, episode("The walk", &"walk ".repeat(21))),
        ),
        requirement(
            "description of the episode",
            [(GUIDE, "description"), (PSP, "description")],
            Met::Rule(Rule::Description, episode("A text.", "")),
        ),
        requirement(
            "summary of at most 4,000 bytes",
            [(GUIDE, "description"), (PSP, "description")],
            Met::Rule(
                Rule::LongText,
                episode("slug =", &format!("summary = \"{}\"\nslug =", "ä ".repeat(1400))),
            ),
        ),
        requirement(
            "size of the recording",
            [(GUIDE, "enclosure"), (PSP, "enclosure")],
            Met::Rule(Rule::Enclosure, episode("size_in_bytes = 1000\n", "")),
        ),
        requirement(
            "type of MP3, M4A, MP4, M4V or MOV",
            [(GUIDE, "enclosure"), (PSP, "enclosure")],
            Met::Rule(Rule::Enclosure, episode("audio/mpeg", "audio/flac")),
        ),
        requirement(
            "address with the format's extension",
            [(GUIDE, "enclosure")],
            Met::Rule(Rule::Enclosure, episode(recording, "https://cdn.example.net/walk")),
        ),
        requirement(
            "address in ASCII",
            [(REQUIREMENTS, "technical requirements")],
            Met::Rule(Rule::Enclosure, episode(recording, "https://cdn.example.net/w%C3%A4lk.mp3")),
        ),
        requirement(
            "a recording for each episode",
            [(REQUIREMENTS, "technical requirements")],
            Met::Rule(Rule::Enclosure, second(&[])),
        ),
        requirement(
            "GUID",
            [(REQUIREMENTS, "technical requirements"), (METADATA, "5"), (PSP, "guid")],
            Met::Always(|rss| rss.child("channel").child("item").child("guid").text == "one"),
        ),
        requirement(
            "a GUID for each episode",
            [(REQUIREMENTS, "technical requirements"), (METADATA, "5"), (PSP, "guid")],
            Met::Rule(
                Rule::Guid,
                second(&[("walk.mp3", "run.mp3"), ("slug =", "guid = \"one\"\nslug =")]),
            ),
        ),
        requirement(
            "GUID that never changes",
            [(REQUIREMENTS, "technical requirements"), (PSP, "guid")],
            Met::Rule(Rule::DerivedId, episode("id = \"one\"\n", "")),
        ),
        requirement(
            "date of publication",
            [(GUIDE, "pubDate"), (METADATA, "4"), (PSP, "pubDate")],
            Met::Rule(Rule::EpisodeDate, episode("date_published = 2026-01-01T10:00:00Z\n", "")),
        ),
        requirement(
            "date in the form of RFC 2822",
            [(REQUIREMENTS, "technical requirements"), (PSP, "pubDate")],
            Met::Always(|rss| {
                rss.child("channel").child("item").child("pubDate").text
                    == "Thu, 01 Jan 2026 10:00:00 GMT"
            }),
        ),
        requirement(
            "duration in seconds",
            [(GUIDE, "itunes:duration"), (PSP, "itunes:duration")],
            Met::Rule(Rule::Duration, episode("duration_in_seconds = 600\n", "")),
        ),
        requirement(
            "artwork of the episode",
            [(GUIDE, "itunes:image"), (PSP, "itunes:image")],
            Met::Rule(
                Rule::Artwork,
                episode("slug =", "image = \"small.png\"\nslug =")
                    .with("content/items/small.png", grey_picture(300, 300)),
            ),
        ),
        requirement(
            "number of a serial episode",
            [(GUIDE, "itunes:episode"), (PSP, "itunes:episode")],
            Met::Rule(Rule::EpisodeNumber, episode("episode = 1\n", "")),
        ),
        requirement(
            "episode number from 1",
            [(GUIDE, "itunes:episode"), (PSP, "itunes:episode")],
            Met::Error("episode", episode("episode = 1", "episode = 0")),
        ),
        requirement(
            "season number from 1",
            [(GUIDE, "itunes:season"), (PSP, "itunes:season")],
            Met::Error("season", episode("episode = 1", "episode = 1\nseason = 0")),
        ),
        requirement(
            "`full`, `trailer` or `bonus`",
            [(GUIDE, "itunes:episodeType"), (PSP, "itunes:episodeType")],
            Met::Error("trailer", episode("episode = 1", "episode = 1\nepisodeType = \"teaser\"")),
        ),
        requirement(
            "transcript with a known type",
            [(PSP, "podcast:transcript")],
            Met::Rule(
                Rule::Transcript,
                episode(
                    "[podcast]",
                    "[podcast]\ntranscripts = [\"https://cdn.example.net/said.xyz\"]",
                ),
            ),
        ),
        requirement(
            "chapters from 00:00, at least three",
            [(CHAPTERS, "Adding timestamps"), (VIDEO_CHAPTERS, "Add your own chapters")],
            Met::Tested("times_follow_the_rules_of_spotify_and_youtube"),
        ),
    ]
}

fn requirement<const N: usize>(
    text: &'static str,
    sources: [(Document, &'static str); N],
    met: Met,
) -> Requirement {
    Requirement { text, sources: sources.into(), met }
}

fn requirements() -> Vec<Requirement> {
    show_requirements().into_iter().chain(episode_requirements()).collect()
}

/// Returns what is wrong with how a requirement is met.
fn fault(requirement: &Requirement, feed: &Element) -> Option<String> {
    let told = |site: &SmallSite| builder::check(&site.options(), &Silent).report.sorted();
    match &requirement.met {
        Met::Rule(rule, site) => {
            let told = told(site);
            let is_told = !told.is_empty() && told.iter().all(|one| one.rule == Some(*rule));
            (!is_told).then(|| {
                format!(
                    "{} instead of {}",
                    told.iter().map(ToString::to_string).collect::<String>(),
                    rule.name()
                )
            })
        }
        Met::Error(words, site) => {
            let told = told(site);
            let is_told = told
                .iter()
                .any(|one| one.severity == Severity::Error && one.to_string().contains(words));
            (!is_told).then(|| format!("{told:?} instead of an error"))
        }
        Met::Always(is_met) => (!is_met(feed)).then(|| "the feed violates it".to_owned()),
        Met::Tested(test) => {
            let tests = include_str!("../feeds/chapter_forms.rs");
            (!tests.contains(&format!("fn {test}()"))).then(|| format!("there is no test {test}"))
        }
    }
}

#[test]
fn every_requirement_of_a_directory_is_enforced() {
    let site = show();
    site.built();
    let feed = parse(&site.read("public/rss.xml"));
    let all = requirements();
    let faults: Vec<String> = all
        .iter()
        .filter_map(|one| Some(format!("{}: {}", one.text, fault(one, &feed)?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(all.len() > 40);
}

#[test]
fn the_page_lists_every_requirement() {
    let mut table = String::from("| requirement | documents | feedwright |\n| --- | --- | --- |\n");
    for Requirement { text, sources, met } in requirements() {
        let number =
            |document: &Document| DOCUMENTS.iter().position(|one| one == document).unwrap() + 1;
        let sources: Vec<String> = sources
            .iter()
            .map(|(document, section)| format!("{} ({}): {section}", document.0, number(document)))
            .collect();
        let met = match met {
            Met::Rule(rule, _) => format!("[`{0}`]({0}.md)", rule.name()),
            Met::Error(..) => "error".to_owned(),
            Met::Always(_) | Met::Tested(_) => "always".to_owned(),
        };
        writeln!(table, "| {text} | {} | {met} |", sources.join("; ")).unwrap();
    }
    let mut documents = format!("Documents, read as archived copies until {READ}:\n\n");
    for (number, (directory, title, address)) in (1..).zip(DOCUMENTS) {
        writeln!(documents, "{number}. {directory}: [{title}]({address})").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("content/pages/rules/directories.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (start, _) = page.split_once("| requirement |").unwrap();
    let expected = format!("{start}{table}\n{documents}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(page, expected, "UPDATE=1 writes the page");
}
