//! Each rule of `check` has a site that breaks it, and is told with its name, its place and nothing beside it; and a site
//! that breaks none is told nothing.

use std::collections::HashSet;

use feedwright::builder::{self, Checked, Silent};
use feedwright::model::{Diagnostic, Rule, Severity};

use crate::lint::site_pairs::site_pairs;
use crate::support::Site;
use crate::support::small_site::{SmallSite, bare, feedwright};

const CHANNEL: &str = r#"+++
title = "Between tides"
language = "en"
icon = "https://cdn.show.org/cover.png"
categories = ["Society & Culture > Places & Travel"]
[itunes]
explicit = false
email = "hello@show.org"
type = "serial"
[[authors]]
name = "Ana Reyes"
+++
Two friends walk the coast.
"#;

pub const SITE: &str = "base_url = \"https://show.org\"\n";

/// An episode that has all that directories ask for.
pub const EPISODE: &str = r#"+++
id = "one"
slug = "one"
title = "The walk"
date_published = 2026-01-01T10:00:00Z
[attachment]
url = "https://cdn.example.net/walk.mp3"
mime_type = "audio/mpeg"
size_in_bytes = 1000
duration_in_seconds = 600
[itunes]
episode = 1
[podcast]
+++
A text.
"#;

const CALENDAR: &str = "summary = \"Sample\"\ntimeZone = \"Europe/Berlin\"\n";

pub const PICTURE: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/picture.png");

/// A show without a fault.
pub fn show() -> SmallSite {
    bare()
        .with("site.toml", SITE)
        .with("content/channel.md", CHANNEL)
        .with("content/items/a.md", EPISODE)
}

fn check(site: &SmallSite) -> Checked {
    builder::check(&site.options(), &Silent)
}

/// What is told: each rule with its place.
fn rule_places(site: &SmallSite) -> Vec<String> {
    format_places(check(site).report.sorted())
}

/// What the command tells, with these arguments.
fn check_with_arguments(site: &SmallSite, arguments: &[&str]) -> Vec<String> {
    let arguments = [&["check", "--json"], arguments].concat();
    let (_, said, fault) = feedwright(site, &arguments);
    let mut report: serde_json::Value = serde_json::from_str(&said).expect(&fault);
    format_places(serde_json::from_value(report["diagnostics"].take()).unwrap())
}

fn format_places(found: Vec<Diagnostic>) -> Vec<String> {
    let place = |one: Diagnostic| {
        let rule = one.rule.map_or("error", Rule::name);
        let file = one.file.unwrap_or_default();
        let line = one.line.map(|line| format!(":{line}")).unwrap_or_default();
        assert!(one.help.is_some(), "{rule} has no remedy");
        format!("{rule} {file}{line}")
    };
    found.into_iter().map(place).collect()
}

/// A change of a file of the show: what is replaced, and what by.
type Change = (&'static str, &'static str, &'static str);

pub const EPISODE_PATH: &str = "content/items/a.md";
pub const CHANNEL_PATH: &str = "content/channel.md";

/// Breaks a rule by changes of the show's own files.
const BROKEN_BY_CHANGES: [(Rule, Change, &str); 49] = [
    // What is there in the wrong place is not missing too.
    (
        Rule::UnknownKey,
        (CHANNEL_PATH, "[itunes]\nexplicit = false", "explicit = false\n[itunes]"),
        "content/channel.md:6",
    ),
    (Rule::UnknownKey, (CHANNEL_PATH, "icon =", "cover ="), "content/channel.md:4"),
    (
        Rule::UnknownKey,
        (EPISODE_PATH, "[itunes]\nepisode = 1", "[itunes]\nepisod = 1"),
        "content/items/a.md:12",
    ),
    (Rule::UnknownKey, (EPISODE_PATH, "duration_in_seconds", "duration"), "content/items/a.md:10"),
    (
        Rule::Alias,
        (EPISODE_PATH, "slug =", "aliases = [\"The walk\"]\nslug ="),
        "content/items/a.md:3",
    ),
    (
        Rule::AltText,
        (EPISODE_PATH, "A text.", "A ![](https://cdn.show.org/x.png) b"),
        "content/items/a.md:15",
    ),
    (
        Rule::AltText,
        (EPISODE_PATH, "A text.", "A <img src=\"https://cdn.show.org/x.png\"> b"),
        "content/items/a.md:15",
    ),
    (
        Rule::AltText,
        (EPISODE_PATH, "A text.", "A\n\n<p>\n<IMG SRC=\"https://cdn.show.org/x.png\">\n</p>"),
        "content/items/a.md:18",
    ),
    (
        Rule::AltText,
        (EPISODE_PATH, "A text.", "https://cdn.show.org/x.png"),
        "content/items/a.md:15",
    ),
    (
        Rule::AltText,
        (EPISODE_PATH, "slug =", "banner_image = \"https://cdn.show.org/x.png\"\nslug ="),
        "content/items/a.md:3",
    ),
    (
        Rule::Artwork,
        (CHANNEL_PATH, "icon = \"https://cdn.show.org/cover.png\"\n", ""),
        "content/channel.md:2",
    ),
    (
        Rule::Author,
        (CHANNEL_PATH, "[[authors]]\nname = \"Ana Reyes\"\n", ""),
        "content/channel.md:2",
    ),
    (
        Rule::Category,
        (CHANNEL_PATH, "categories = [\"Society & Culture > Places & Travel\"]\n", ""),
        "content/channel.md:2",
    ),
    (
        Rule::Category,
        (CHANNEL_PATH, "Society & Culture > Places & Travel", "Societey & Culture"),
        "content/channel.md:5",
    ),
    (
        Rule::Category,
        (CHANNEL_PATH, "Society & Culture > Places & Travel", "Places & Travel"),
        "content/channel.md:5",
    ),
    (Rule::Category, (CHANNEL_PATH, "Places & Travel", "Travel & Places"), "content/channel.md:5"),
    (Rule::ChannelTitle, (CHANNEL_PATH, "title = \"Between tides\"\n", ""), "content/channel.md"),
    (
        Rule::ChapterTime,
        (
            EPISODE_PATH,
            "[podcast]",
            "[podcast]\nchapters = [{ startTime = 700, title = \"Late\" }]",
        ),
        "content/items/a.md:14",
    ),
    (Rule::DeadAnchor, (EPISODE_PATH, "A text.", "[a](#nope)"), "content/items/a.md:15"),
    (Rule::DeadLink, (EPISODE_PATH, "A text.", "[a](/nope/)"), "content/items/a.md:15"),
    (Rule::DerivedId, (EPISODE_PATH, "id = \"one\"\n", ""), "content/items/a.md:1"),
    (Rule::Description, (CHANNEL_PATH, "Two friends walk the coast.", ""), "content/channel.md:2"),
    (Rule::Description, (EPISODE_PATH, "A text.", ""), "content/items/a.md:4"),
    (Rule::Duration, (EPISODE_PATH, "duration_in_seconds = 600\n", ""), "content/items/a.md:6"),
    (Rule::Enclosure, (EPISODE_PATH, "size_in_bytes = 1000\n", ""), "content/items/a.md:6"),
    (Rule::Enclosure, (EPISODE_PATH, "audio/mpeg", "audio/ogg"), "content/items/a.md:6"),
    (
        Rule::EpisodeDate,
        (EPISODE_PATH, "date_published = 2026-01-01T10:00:00Z\n", ""),
        "content/items/a.md:4",
    ),
    // A text, which is no episode.
    (
        Rule::ItemDate,
        (
            EPISODE_PATH,
            "date_published = 2026-01-01T10:00:00Z\n[attachment]\nurl = \"https://cdn.example.net/walk.mp3\"\nmime_type = \"audio/mpeg\"\nsize_in_bytes = 1000\nduration_in_seconds = 600\n",
            "",
        ),
        "content/items/a.md:4",
    ),
    (Rule::EpisodeNumber, (EPISODE_PATH, "episode = 1\n", ""), "content/items/a.md:11"),
    (Rule::Explicit, (CHANNEL_PATH, "explicit = false\n", ""), "content/channel.md:6"),
    (Rule::ForeignSyntax, (EPISODE_PATH, "A text.", "{{< figure >}}"), "content/items/a.md:15"),
    (
        Rule::ForeignSyntax,
        (EPISODE_PATH, "A text.", "> [!ATENTION]\n> Mud."),
        "content/items/a.md:15",
    ),
    (Rule::Formula, (EPISODE_PATH, "A text.", "It is $\\nope$ so."), "content/items/a.md:15"),
    (
        Rule::FormerPath,
        (EPISODE_PATH, "slug =", "redirect_from = [\"/search/\"]\nslug ="),
        "content/items/a.md",
    ),
    (
        Rule::LongText,
        (
            EPISODE_PATH,
            "The walk",
            "One hundred and one characters are more than YouTube takes of a title, as anyone can count who has some time",
        ),
        "content/items/a.md:4",
    ),
    (Rule::OwnerEmail, (CHANNEL_PATH, "email = \"hello@show.org\"\n", ""), "content/channel.md:6"),
    (
        Rule::PaymentAddress,
        (
            EPISODE_PATH,
            "[podcast]",
            "[podcast]\nvalue = { type = \"lightning\", method = \"keysend\", recipients = [{ name = \"A\", type = \"node\", address = \"a\", split = 1 }] }",
        ),
        "content/items/a.md:14",
    ),
    (
        Rule::PodcastGuid,
        (CHANNEL_PATH, "+++\nTwo", "[podcast]\nguid = \"mine\"\n+++\nTwo"),
        "content/channel.md:13",
    ),
    (
        Rule::Soundbite,
        (EPISODE_PATH, "[podcast]", "[podcast]\nsoundbites = [{ startTime = 1, duration = 5 }]"),
        "content/items/a.md:14",
    ),
    (
        Rule::Soundbite,
        (EPISODE_PATH, "[podcast]", "[podcast]\nsoundbites = [{ startTime = 590, duration = 30 }]"),
        "content/items/a.md:14",
    ),
    (
        Rule::Soundbite,
        (
            EPISODE_PATH,
            "[podcast]",
            "[podcast]\nsoundbites = [{ startTime = 1, duration = 20 }, { startTime = 1.0001, duration = 20 }]",
        ),
        "content/items/a.md:14",
    ),
    (Rule::Tag, (EPISODE_PATH, "slug =", "tags = [\"!\"]\nslug ="), "content/items/a.md:3"),
    (
        Rule::Translation,
        (EPISODE_PATH, "slug =", "translations = [\"tow\"]\nslug ="),
        "content/items/a.md:3",
    ),
    (
        Rule::UnknownKey,
        (EPISODE_PATH, "slug =", "transcript = \"x.vtt\"\nslug ="),
        "content/items/a.md:3",
    ),
    (
        Rule::UnknownKey,
        (EPISODE_PATH, "[itunes]", "[itunes]\nseason_number = 1"),
        "content/items/a.md:12",
    ),
    (
        Rule::UnknownRule,
        (EPISODE_PATH, "slug =", "allow = [\"alt-txt\"]\nslug ="),
        "content/items/a.md:3",
    ),
    (
        Rule::UnknownRule,
        ("site.toml", "base_url", "check.allow = [\"alt-txt\"]\nbase_url"),
        "site.toml:1",
    ),
    (
        Rule::Vocabulary,
        (EPISODE_PATH, "[podcast]", "[podcast]\npeople = [{ name = \"Ana\", role = \"hosst\" }]"),
        "content/items/a.md:14",
    ),
    (
        Rule::LiveShow,
        (
            CHANNEL_PATH,
            "+++\nTwo",
            "[podcast]\nliveItems = [{ status = \"live\", start = 2026-01-01T00:00:00Z, title = \"A\", guid = \"a\", enclosure = { url = \"https://cdn.show.org/live.mp3\", type = \"audio/mpeg\", length = 1 } }]\n+++\nTwo",
        ),
        "content/channel.md:13",
    ),
];

/// Files with their texts.
type Files = &'static [(&'static str, &'static str)];

/// Breaks a rule by files beside the show.
const BROKEN_BY_FILES: [(Rule, Files, &str); 16] = [
    (
        Rule::Event,
        &[
            ("content/calendars/c/calendar.toml", CALENDAR),
            (
                "content/calendars/c/e.md",
                "+++\nid = \"e\"\nstart = 2026-01-03T10:00:00\nend = 2026-01-03T11:00:00\n+++\n",
            ),
        ],
        "content/calendars/c/e.md:1",
    ),
    (
        Rule::EventTime,
        &[
            ("content/calendars/c/calendar.toml", CALENDAR),
            (
                "content/calendars/c/e.md",
                "+++\nid = \"e\"\nsummary = \"E\"\nstart = 2026-10-25T02:30:00\nend = 2026-10-25T12:00:00\n+++\n",
            ),
        ],
        "content/calendars/c/e.md:4",
    ),
    (
        Rule::Guid,
        &[(
            "content/items/b.md",
            "+++\nid = \"b\"\ntitle = \"B\"\nguid = \"one\"\ndate_published = 2026-01-01\n+++\nB.\n",
        )],
        "content/items/b.md:4",
    ),
    (
        Rule::LinkToHidden,
        &[
            (
                "content/items/b.md",
                "+++\nid = \"b\"\ntitle = \"B\"\nstatus = \"unpublished\"\n+++\nB.\n",
            ),
            ("content/pages/p.md", "+++\nid = \"p\"\ntitle = \"P\"\n+++\n[B](../items/b.md)\n"),
        ],
        "content/pages/p.md:5",
    ),
    (
        Rule::Season,
        &[
            (
                "content/items/b.md",
                "+++\nid = \"b\"\ntitle = \"B\"\ndate_published = 2026-01-01\n[itunes]\nseason = 1\nepisode = 1\n+++\nB.\n",
            ),
            (
                "content/items/c.md",
                "+++\nid = \"c\"\ntitle = \"C\"\ndate_published = 2026-01-01\n[itunes]\nseason = 1\nepisode = 1\n+++\nC.\n",
            ),
        ],
        "content/items/c.md:5",
    ),
    (
        Rule::SharedSecret,
        &[(
            "site.toml",
            "base_url = \"https://show.org\"\n[[realtime]]\napp_id = \"a\"\nsecret_env = \"LIVE\"\n[[realtime]]\napp_id = \"b\"\nsecret_env = \"LIVE\"\n",
        )],
        "site.toml:7",
    ),
    (Rule::SiteFile, &[("site-files/Odd Name.txt.draft", "x")], "site-files/Odd Name.txt.draft"),
    (Rule::StrayFile, &[("content/post/a.md", "x")], "content/post"),
    (Rule::StrayFile, &[("content/items/a.markdown", "x")], "content/items/a.markdown"),
    (
        Rule::StrayFile,
        &[
            (
                "content/items/b/index.md",
                "+++\nid = \"b\"\ntitle = \"B\"\ndate_published = 2026-01-01\n+++\nB.\n",
            ),
            ("content/items/b/left.jpg", "x"),
            ("content/items/b/over.png", "x"),
        ],
        "content/items/b/left.jpg",
    ),
    (
        Rule::Playlist,
        &[
            (
                "content/items/b/index.md",
                "+++\nid = \"b\"\ntitle = \"B\"\npodcast.alternateEnclosures = \"b.m3u8\"\ndate_published = 2026-01-01\n+++\nB.\n",
            ),
            ("content/items/b/b.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nb.ts\n"),
            ("content/items/b/b.ts", "x"),
        ],
        "content/items/b/b.m3u8:2",
    ),
    (Rule::TemplateName, &[("site-files/x.txt", "{{ site.titel }}")], "site-files/x.txt:1"),
    (
        Rule::Transcript,
        &[
            (
                "content/items/b/index.md",
                "+++\nid = \"b\"\ntitle = \"B\"\npodcast.transcripts = \"b.vtt\"\ndate_published = 2026-01-01\n+++\nB.\n",
            ),
            ("content/items/b/b.vtt", "00:00.000 --> 00:01.000\nWords.\n"),
        ],
        "content/items/b/b.vtt:1",
    ),
    (
        Rule::UnreviewedTranscript,
        &[
            (
                "content/items/b/index.md",
                "+++\nid = \"b\"\ntitle = \"B\"\npodcast.transcripts = \"b.vtt\"\ndate_published = 2026-01-01\n+++\nB.\n",
            ),
            (
                "content/items/b/b.vtt",
                "WEBVTT\n\nNOTE by hand\n\nNOTE ai-content\nby a program\n\n00:00.000 --> 00:01.000\nWords.\n",
            ),
        ],
        "content/items/b/b.vtt:5",
    ),
    (Rule::UnusedMedia, &[("content/media/old.txt", "x")], "content/media/old.txt"),
    (
        Rule::Contrast,
        &[(
            "site.toml",
            "base_url = \"https://show.org\"\n[theme_options]\naccent = \"#ffd400\"\n",
        )],
        "site.toml:3",
    ),
];

fn apply_change((file, from, to): Change) -> SmallSite {
    let site = show();
    let text = site.read(file);
    assert!(text.contains(from), "{file} has no {from:?}");
    site.with(file, text.replacen(from, to, 1))
}

/// Shows that break a rule each by short texts, and where.
fn broken_by_content() -> impl Iterator<Item = (Rule, SmallSite, &'static str)> {
    let texts = BROKEN_BY_CHANGES.into_iter();
    let texts = texts.map(|(rule, change, place)| (rule, apply_change(change), place));
    let added = BROKEN_BY_FILES.into_iter().map(|(rule, files, place)| {
        let files = files.iter();
        let site = files.fold(show(), |site, (file, text)| site.with(file, text));
        (rule, site, place)
    });
    texts.chain(added)
}

/// Sites that break a rule each by what is in their folders.
pub fn broken() -> impl Iterator<Item = (Rule, SmallSite)> {
    let pairs = site_pairs().into_iter();
    let pairs = pairs.filter(|pair| pair.arguments.is_empty());
    let pairs = pairs.map(|pair| (pair.rule, pair.broken));
    let texts = broken_by_content().map(|(rule, site, _)| (rule, site));
    texts.chain(pairs)
}

#[test]
fn a_valid_show_has_no_warnings() {
    assert_eq!(rule_places(&show()), [""; 0]);
    let full = show()
        .with("content/items/b/index.md", "+++\nid = \"b\"\ntitle = \"B\"\nallow = [\"alt-text\"]\ndate_published = 2026-01-01\n+++\n![](pier.png) and <img alt=\"\" src=\"pier.png\"> and ![A pier](pier.png)\n\n```\n![](code.png)\n```\n")
        .with("content/items/b/pier.png", PICTURE)
        .with("content/items/b/master.wav", "x")
        .with("content/items/b/raw/left.png", "x")
        .with("content/items/b/code.png", "x")
        .with("content/pages/p.md", "+++\nid = \"p\"\ntitle = \"P\"\n+++\n<!-- <img src=\"old.png\"> -->\n\n<p>\n<img\n  src=\"https://cdn.show.org/x.png\"\n  alt=\"Over lines\">\n</p>\n\n<div>\n<!--\n<img src=\"b.png\">\n-->\n</div>\n");
    assert_eq!(rule_places(&full), [""; 0]);
    let named = show()
        .with("content/media/icon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .with("content/media/sky.txt", "x")
        .with("content/media/led.txt", "x")
        .with("content/redirects.toml", "\"/old.txt\" = \"/media/led.txt\"\n")
        .with("own.css", "p { background: url(/media/sky.txt) }")
        .with("head.html", "<link rel=\"icon\" href=\"/media/icon.svg\">")
        .with(
            "site.toml",
            format!("{SITE}[theme_options]\nhead = \"head.html\"\ncss = \"own.css\"\n"),
        );
    assert_eq!(rule_places(&named), [""; 0]);
}

#[test]
fn each_rule_reports_exactly_its_own_violation() {
    let mut broken = HashSet::new();
    let mut wrong = Vec::new();
    let mut look = |rule: Rule, told: Vec<String>, place: &str| {
        let expected = [format!("{} {place}", rule_name_on_this_disk(rule))];
        if told == expected {
            broken.insert(rule);
        } else {
            wrong.push(format!("{expected:?} is {told:?}"));
        }
    };
    for (rule, site, place) in broken_by_content() {
        look(rule, rule_places(&site), place);
    }
    for pair in site_pairs() {
        look(pair.rule, check_with_arguments(&pair.broken, pair.arguments), pair.place);
        let whole = check_with_arguments(&pair.whole, pair.arguments);
        assert_eq!(whole, [""; 0], "a whole site beside {:?}", pair.rule);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Servers break these rules.
    broken.extend(crate::live::LIVE_RULES);
    let all: HashSet<Rule> = Rule::ALL.iter().copied().collect();
    let missing: Vec<&Rule> = all.difference(&broken).collect();
    assert!(missing.is_empty(), "no site breaks {missing:?}");
}

/// Where a disk tells A from a, a file that is named otherwise is not there at all, which is an error.
fn rule_name_on_this_disk(rule: Rule) -> &'static str {
    match rule {
        Rule::NameCase if !cfg!(any(target_os = "macos", windows)) => "error",
        rule => rule.name(),
    }
}

#[test]
fn every_rule_is_documented_and_listed() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("content/pages");
    let list = std::fs::read_to_string(root.join("rules.md")).unwrap();
    let mut names = Vec::new();
    for rule in Rule::ALL {
        let name = rule.name();
        assert!(rule.page().contains(&format!("slug = \"rule-{name}\"\n")), "{name}");
        assert!(
            list.contains(&format!("| [`{name}`](rules/{name}.md) |")),
            "rules.md lacks {name}"
        );
        assert_eq!(Rule::parse(name), Some(*rule));
        names.push(format!("{name}.md"));
    }
    let files = std::fs::read_dir(root.join("rules")).unwrap();
    let mut files: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    names.push("directories.md".into());
    names.sort();
    assert_eq!(files, names, "each page is that of a rule");
}

/// What a key that nothing reads names is lost by that key, and is not told of beside it.
#[test]
fn one_mistake_is_reported_once() {
    let channel = CHANNEL.replace("icon = \"https", "artwork = \"Cover.png\"\nicon = \"https");
    let item = "+++\nid = \"b\"\ntitle = \"B\"\ntranscript = \"said.vtt\"\ndate_published = 2026-01-01\n+++\nB.\n";
    let site = show()
        .with(CHANNEL_PATH, channel)
        .with("content/cover.png", PICTURE)
        .with("content/items/b/index.md", item)
        .with("content/items/b/Said.vtt", "WEBVTT\n");
    let expected = ["unknown-key content/channel.md:4", "unknown-key content/items/b/index.md:4"];
    assert_eq!(rule_places(&site), expected);
}

#[test]
fn a_rule_can_be_disabled_by_site_folder_or_file() {
    let broken = || apply_change((EPISODE_PATH, "A text.", "A ![](https://cdn.show.org/x.png) b"));
    let place = "alt-text content/items/a.md:15";
    assert_eq!(rule_places(&broken()), [place]);
    for config in [
        "[check]\nallow = [\"alt-text\"]\n",
        "[check.paths]\n\"content/items\" = [\"alt-text\"]\n",
        "[check.paths]\n\"content/items/a.md\" = \"alt-text\"\n",
    ] {
        let site = broken().with("site.toml", format!("{SITE}{config}"));
        assert_eq!(rule_places(&site), [""; 0], "{config}");
        assert_eq!(check(&site).silenced, 1, "{config}");
    }
    let site = broken();
    let text = site.read(EPISODE_PATH).replace("slug =", "allow = [\"alt-text\"]\nslug =");
    assert_eq!(rule_places(&site.with(EPISODE_PATH, text)), [""; 0]);
    let other = broken()
        .with("site.toml", format!("{SITE}[check.paths]\n\"content/item\" = [\"alt-text\"]\n"));
    assert_eq!(rule_places(&other), [place], "a part of a name is no folder");
}

#[test]
fn a_denied_rule_is_an_error_and_stops_the_build() {
    let site = apply_change((EPISODE_PATH, "A text.", "[a](/nope/)"))
        .with("site.toml", format!("{SITE}[check]\ndeny = [\"dead-link\"]\n"));
    let found = check(&site).report.sorted();
    assert_eq!(found[0].severity, Severity::Error);
    assert!(found[0].to_string().starts_with("error[dead-link]: "), "{}", found[0]);
    assert!(site.build().is_err());
}

#[test]
fn transcript_rules_are_disabled_by_the_items_front_matter() {
    let item = |allow: &str| {
        format!(
            "+++\nid = \"b\"\ntitle = \"B\"\n{allow}podcast.transcripts = \"b.vtt\"\ndate_published = 2026-01-01\n+++\nB.\n"
        )
    };
    let site = show()
        .with("content/items/b/index.md", item("allow = [\"transcript\"]\n"))
        .with("content/items/b/b.vtt", "00:00.000 --> 00:01.000\nWords.\n");
    assert_eq!(rule_places(&site), [""; 0]);
    assert_eq!(check(&site).silenced, 1);
}

#[test]
fn hidden_items_are_counted_without_warnings() {
    let site = show()
        .with(
            "content/items/b.md",
            "+++\nid = \"b\"\ntitle = \"B\"\nstatus = \"unpublished\"\n+++\n",
        )
        .with(
            "content/items/c.md",
            "+++\nid = \"c\"\ntitle = \"C\"\ndate_published = 2027-01-01\n+++\n",
        );
    let checked = check(&site);
    assert!(checked.report.is_empty());
    assert_eq!((checked.drafts, checked.waiting), (1, 1));
}

#[test]
fn a_blog_with_one_recording_is_not_a_podcast() {
    let site = show()
        .with(CHANNEL_PATH, "+++\ntitle = \"A blog\"\n+++\nAbout it.\n")
        .with(
            "content/items/b.md",
            "+++\nid = \"b\"\ntitle = \"B\"\ndate_published = 2026-01-01\n+++\nB.\n",
        )
        .with(
            "content/items/c.md",
            "+++\nid = \"c\"\ntitle = \"C\"\ndate_published = 2026-01-01\n+++\nC.\n",
        );
    assert_eq!(rule_places(&site), [""; 0]);
}

#[test]
fn this_repository_has_no_warnings() {
    let site = Site::repository();
    let mut options = feedwright::project::Options::new(site.root());
    options.visibility.now = "2026-12-31T00:00:00Z".parse().unwrap();
    let found = builder::check(&options, &Silent).report.sorted();
    let told: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
