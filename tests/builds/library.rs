//! A changed file costs that file: what is kept of a site is what a fresh reading would find.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use feedwright::model::{
    Body, Category, Config, Content, ContentFolder, Item, Languages, SitePath, Untranslated,
    Visibility,
};
use feedwright::site::{FacetKind, Previous, Snapshot, gather, translation_groups};
use feedwright::source::calendar::CalendarFile;
use feedwright::source::library::Library;
use feedwright::source::sources::Sources;
use feedwright::source::survey::Survey;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::NOW;
use crate::support::small_site::{self, SmallSite};
use crate::support::wait;

const FILES: [&str; 37] = [
    "content/channel.md", "content/channel.html", "content/items/a.md", "content/items/b/index.md",
    "content/items/b/note.html", "content/items/b/pic.svg", "content/items/b/deep/er.md",
    "content/items/b-c/x.md", "content/items/pic.svg", "content/items/chapters.txt",
    "content/items/skip.markdown", "content/items/_index.md", "content/items/.hidden.md",
    "content/items/a.md~", "content/pages/about.md", "content/pages/404.md",
    "content/pages/a/index.md", "content/calendars/show/calendar.toml",
    "content/calendars/show/club.md", "content/calendars/show/deep/pic.svg",
    "content/calendars/walks/calendar.toml", "content/calendars/lost.md", "content/media/pic.svg",
    "content/media/deep/a.txt", "site-files/robots.txt", "site-files/BAD.txt",
    "site-files/deep/x.txt", "elsewhere/pic.svg", "README.md", "content/media/walk.m3u8",
    "content/media/walk.de.m3u8", "content/channel.de.md", "content/items/a.de.md",
    "content/items/de/b/index.md", "content/items/c.fr.md", "content/pages/about.de.md",
    "content/pages/404.de.md",
];

const FOLDERS: [&str; 12] = [
    "content", "content/items", "content/items/b", "content/items/b/deep", "content/items/b-c",
    "content/pages", "content/calendars", "content/calendars/show", "content/calendars/walks",
    "content/media", "site-files", "elsewhere",
];

/// What a file may hold; the last two cannot be read.
const TEXTS: [&[u8]; 28] = [
    b"+++\ntitle = \"German\"\nlanguage = \"de-AT\"\ntags = [\"x\"]\ndate_published = 2026-01-05\n+++\n[b](b/index.md)\n",
    b"+++\ntitle = \"English\"\nlanguage = \"en\"\nslug = \"same\"\ntranslations = [\"old\"]\n+++\nText.\n",
    b"+++\ntitle = \"A\"\ntags = [\"x\", \"X\", \"y z\"]\n+++\nText ![p](pic.svg) [b](b/index.md).\n",
    b"+++\ntitle = \"B\"\nimage = \"/media/pic.svg\"\ndate_published = 2026-01-01\n+++\n[a](../a.md) [n](note.html)\n",
    b"+++\ntitle = \"C\"\nimage = \"../../elsewhere/pic.svg\"\n+++\n[n](b/note.html) [a](/about/)\n",
    b"+++\ntitle = \"D\"\n[podcast]\nchapters = \"chapters.txt\"\n+++\n",
    b"+++\nid = \"same\"\naliases = [\"old\", \"/2020/old/\"]\n+++\nText.\n",
    b"+++\nid = \"Same\"\nslug = \"old\"\nstatus = \"unlisted\"\n+++\n[p](../pages/about.md)\n",
    b"+++\ntitle = 5\nunknown = 1\n+++\n",
    b"+++\ntitle = \"Later\"\ndate_published = 2030-01-01\n+++\n",
    b"+++\ntitle = \"Draft\"\nstatus = \"unpublished\"\nimage = \"pic.svg\"\n+++\n",
    b"+++\ntitle = \"Soon\"\ntags = [\"X\", \"z\"]\ndate_published = 2026-11-24\nauthors = [\"Ada\", \"ada\"]\npodcast.season = 2\n+++\n[a](../a.md)\n",
    b"+++\ntitle = \"Old\"\ntags = [\"y-z\"]\nslug = \"c\"\ndate_published = 2025-01-01\ndate_modified = 2026-11-23\n+++\n[x](../b-c/x.md)\n",
    b"+++\ntitle = \"Old\"\nimage = \"../pic.svg\"\naliases = [\"c\"]\ndate_published = 2025-01-01\n+++\n",
    b"+++\ntitle = \"Tagged\"\nauthors = [\"ADA\"]\npodcast.season = { number = 2, name = \"Sea\" }\ntags = [\"Y Z\", \"x\"]\ndate_published = 2026-02-02\nimage = \"pic.svg\"\n+++\n[b](index.md)\n",
    b"+++\nid = \"same\"\nsummary = \"E\"\nstart = 2026-11-20T20:00:00\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]\n+++\n![p](deep/pic.svg)\n",
    b"+++\nsummary = \"F\"\nrecurringEventId = \"same\"\noriginalStartTime = 2026-11-27T20:00:00\nlive = true\n+++\n[a](../../items/a.md)\n",
    b"+++\nid = \"Same\"\nsummary = \"G\"\nstart = 2026-11-20\n+++\n",
    b"timeZone = \"Europe/Berlin\"\nprimary = true\n",
    b"timeZone = \"Europe\"\n",
    b"00:00 Start\n01:00 End\n",
    b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\"/>",
    b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"11\" height=\"20\"/>",
    b"+++\ntitle = \"Walk\"\nattachment = \"/media/walk.m3u8\"\n+++\n",
    b"+++\ntitle = \"Sum\"\nattachment = \"https://a.example/x.mp3\"\n+++\n<math></math>\n",
    b"#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\ndeep/a.txt\n",
    b"+++\ntitle = \n+++\n",
    b"\xff\xfe",
];

#[derive(Debug, Clone)]
enum Change {
    Write(&'static str, &'static [u8]),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    /// Takes a folder away and puts it back later.
    Move(&'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let file = || select(FILES.to_vec());
    let folder = || select(FOLDERS.to_vec());
    prop_oneof![
        6 => (file(), select(TEXTS.to_vec())).prop_map(|(file, text)| Change::Write(file, text)),
        1 => prop_oneof![file(), folder()].prop_map(Change::Remove),
        1 => (file(), file()).prop_map(|(from, to)| Change::Rename(from, to)),
        1 => (folder(), folder()).prop_map(|(from, to)| Change::Rename(from, to)),
        2 => folder().prop_map(Change::Move),
    ]
}

/// Makes a change, and answers what it touched.
fn apply_change(site: &SmallSite, change: &Change) -> Vec<SitePath> {
    let path = |text: &str| SitePath::parse(text).unwrap();
    let parent = |path: &Path| fs::create_dir_all(path.parent().unwrap()).is_ok();
    match change {
        Change::Write(file, text) => {
            let on_disk = site.path(file);
            if parent(&on_disk) {
                let _ = fs::write(on_disk, text);
            }
            vec![path(file)]
        }
        Change::Remove(name) => {
            if site.exists(name) {
                site.remove(name);
            }
            vec![path(name)]
        }
        Change::Rename(from, to) => {
            if site.exists(from)
                && !to.starts_with(from)
                && !site.exists(to)
                && parent(&site.path(to))
            {
                fs::rename(site.path(from), site.path(to)).unwrap();
            }
            vec![path(from), path(to)]
        }
        Change::Move(folder) => {
            let away = format!("away/{}", folder.replace('/', "+"));
            let (from, to) = if site.exists(folder) {
                (site.path(folder), site.path(&away))
            } else {
                (site.path(&away), site.path(folder))
            };
            if from.exists() && !to.exists() && parent(&to) {
                fs::rename(from, to).unwrap();
            }
            vec![path(folder)]
        }
    }
}

fn config() -> Config {
    Config { base_url: "https://example.com".into(), ..Config::default() }
}

/// The configuration of a site in English, German and French.
fn config_in_languages(untranslated: Untranslated) -> Config {
    let others = ["de", "fr"].map(str::to_owned).into();
    let languages = Languages { default: Some("en".into()), others, untranslated };
    Config { languages, ..config() }
}

fn read(site: &SmallSite) -> Library {
    Library::read(site.root(), config(), &|| ())
}

/// Everything that can be read is as a fresh reading finds it; what cannot is there as it was, while
/// its file is.
fn check(site: &SmallSite, library: &Library, config: &Config) -> Result<(), TestCaseError> {
    let (kept, report) = library.sources();
    let (fresh, fresh_report) = Library::read(site.root(), config.clone(), &|| ()).sources();
    prop_assert_eq!(report, fresh_report);
    let items: BTreeSet<&SitePath> = fresh.items.iter().map(|(item, _)| &item.source).collect();
    let (good, last_good): (Vec<_>, Vec<_>) =
        kept.items.iter().cloned().partition(|(item, _)| items.contains(&item.source));
    prop_assert_eq!(good, fresh.items.into_vec());
    for (item, _) in last_good {
        prop_assert!(site.path(item.source.as_str()).is_file());
    }
    let pages: BTreeSet<_> = fresh.pages.iter().map(|(page, _)| &page.source).collect();
    let (good, last_good): (Vec<_>, Vec<_>) =
        kept.pages.iter().cloned().partition(|(page, _)| pages.contains(&page.source));
    prop_assert_eq!(good, fresh.pages.into_vec());
    for (page, _) in last_good {
        prop_assert!(site.path(page.source.as_ref().unwrap().as_str()).is_file());
    }
    let files: BTreeSet<_> = fresh.site_files.iter().map(|file| &file.source).collect();
    let (good, last_good): (Vec<_>, Vec<_>) =
        kept.site_files.iter().cloned().partition(|file| files.contains(&file.source));
    prop_assert_eq!(good, fresh.site_files);
    for file in last_good {
        prop_assert!(site.path(file.source.as_str()).is_file());
    }
    let events: BTreeSet<_> =
        fresh.calendars.iter().map(|(file, _)| calendar_file_path(file)).collect();
    let (good, last_good): (Vec<_>, Vec<_>) = kept
        .calendars
        .iter()
        .cloned()
        .partition(|(file, _)| events.contains(&calendar_file_path(file)));
    prop_assert_eq!(good, fresh.calendars.into_vec());
    for (file, _) in last_good {
        prop_assert!(site.path(&calendar_file_path(&file)).is_file());
    }
    prop_assert_eq!(kept.media, fresh.media);
    let unreadable = |text: Vec<u8>| TEXTS[TEXTS.len() - 2..].contains(&text.as_slice());
    let channel =
        feedwright::source::channel_file::channel_file(site.root(), &ContentFolder::default());
    let text = channel.and_then(|path| fs::read(path.on_disk(site.root())).ok());
    if !text.is_some_and(unreadable) {
        prop_assert_eq!(kept.channel, fresh.channel);
    }
    Ok(())
}

/// The path of a calendar's file.
fn calendar_file_path(file: &CalendarFile) -> String {
    match file {
        CalendarFile::Calendar(calendar) => calendar.source.as_ref().unwrap().to_string(),
        CalendarFile::Event(event) => event.source.to_string(),
    }
}

/// What stands in a snapshot, to be compared.
fn snapshot_text(snapshot: &Snapshot) -> String {
    let keys = ["same", "old", "2020-old", "a", "b", "c", "draft", "later"];
    let mut keys: BTreeSet<String> = keys.map(str::to_owned).into();
    let entries: Vec<_> = snapshot
        .entries
        .iter()
        .map(|entry| {
            keys.extend(entry.names().map(Cow::into_owned));
            let mut item = Item::clone(&entry.item);
            let content = std::mem::take(&mut item.content);
            (
                item,
                content_facts(&content),
                entry.status,
                &entry.segment,
                &entry.tags,
                entry.fingerprint,
            )
        })
        .collect();
    let found: Vec<_> = keys
        .iter()
        .map(|key| {
            let found = snapshot.find(key).map(|entry| &entry.item.source);
            let at = snapshot.position(key);
            assert_eq!(found, at.map(|at| &snapshot.entries[at].item.source));
            (key, at)
        })
        .collect();
    let facets: Vec<_> = FacetKind::ALL
        .into_iter()
        .flat_map(|kind| snapshot.facets.all(kind).iter())
        .map(|tag| {
            let entries = tag.entries.iter();
            let entries: Vec<_> =
                entries.map(|entry| (entry.fingerprint, &entry.item.source)).collect();
            (&tag.name, &tag.slug, entries)
        })
        .collect();
    let published: Vec<_> =
        snapshot.published.iter().map(|entry| (entry.fingerprint, &entry.item.source)).collect();
    let pages: Vec<_> = [&snapshot.not_found]
        .into_iter()
        .chain(&snapshot.pages)
        .map(|entry| {
            let mut page = entry.page.as_ref().clone();
            let content = std::mem::take(&mut page.content);
            (page, content_facts(&content), entry.status, entry.fingerprint)
        })
        .collect();
    check_counted_properties(snapshot);
    let own = format!(
        "{entries:#?} {published:#?} {found:#?} {facets:#?} {:#?} {:#?} {:#?} {:#?} {:#?} {:#?} {:#?} {:#?} {:#?} {:?} {:?}",
        snapshot.calendars.all,
        snapshot.shows,
        snapshot.channel,
        pages,
        snapshot.not_found.page.source,
        snapshot.site_files,
        snapshot.site_file_drafts,
        snapshot.redirects,
        snapshot.media,
        snapshot.last_changed(),
        snapshot.now,
    );
    let editions = snapshot.editions.iter();
    let editions = editions.map(|edition| {
        format!("\n{} {}", edition.language().unwrap_or_default(), snapshot_text(&edition.snapshot))
    });
    own + &editions.collect::<String>()
}

/// Asserts that no property of items is missed because a snapshot counted no items with it.
fn check_counted_properties(snapshot: &Snapshot) {
    let items = || snapshot.entries.iter().map(|entry| &entry.item);
    let is_audio = |item: &&Arc<Item>| {
        item.attachment.as_ref().is_some_and(|file| file.category == Category::Audio)
    };
    assert_eq!(snapshot.has_audio(), items().any(|item| is_audio(&item)));
    let moved = items().filter(|item| !item.former_paths.is_empty()).count();
    assert_eq!(snapshot.moved_items().count(), moved);
    let groups = translation_groups(snapshot.entries.iter().map(|entry| (&**entry).into()));
    assert_eq!(snapshot.item_translation_groups().len(), groups.len());
    let mut public = snapshot.entries.iter().filter(|entry| entry.is_public());
    assert!(snapshot.has_formulas() || !public.any(|entry| entry.item.content.has_formula));
}

/// What is known of a body, and the body; not whether it is in memory.
fn content_facts(content: &Content) -> impl std::fmt::Debug + use<> {
    (
        content.links.clone(),
        content.beginning.clone(),
        content.text_hash,
        content.fingerprint,
        content.place().cloned(),
        content.body(),
    )
}

/// The times at which snapshots are made: some of the texts are scheduled between them.
const TIMES: [&str; 3] = [NOW, "2026-11-25T12:00:00Z", "2030-06-01T00:00:00Z"];

fn visibility(time: &str) -> Visibility {
    Visibility { now: time.parse().unwrap(), drafts: false, future: false }
}

fn gather_snapshot(
    (site, config): (&SmallSite, &Config),
    sources: &Sources,
    time: &str,
    previous: Option<(&Snapshot, &Sources)>,
) -> (Snapshot, String) {
    let previous = previous.map(|(snapshot, sources)| Previous { snapshot, sources, shows: None });
    let visibility = visibility(time);
    let sources = sources.clone();
    let (snapshot, report) = gather(site.root(), config.clone(), sources, visibility, previous);
    let text = format!("{} {report:#?}", snapshot_text(&snapshot));
    (snapshot, text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn touched_files_are_reread_and_snapshots_are_incremental(
        batches in proptest::collection::vec((proptest::collection::vec(change(), 1..4), 0..60_usize), 1..12),
        untranslated in select(vec![None, Some(Untranslated::Omit), Some(Untranslated::Show)]),
    ) {
        let site = small_site::site();
        let config = untranslated.map_or_else(config, config_in_languages);
        let mut library = Library::read(site.root(), config.clone(), &|| ());
        let (mut before, _) = library.sources();
        let with = (&site, &config);
        let (mut snapshot, _) = gather_snapshot(with, &before, NOW, None);
        for (batch, time) in batches {
            // Time stands still most of the time, and may go back.
            let time = TIMES.get(time).unwrap_or(&NOW);
            let touched: Vec<SitePath> = batch.iter().flat_map(|change| apply_change(&site, change)).collect();
            let changed = library.refresh(&touched);
            check(&site, &library, &config)?;
            let (sources, _) = library.sources();
            prop_assert!(changed || sources == before);
            let (next, text) = gather_snapshot(with, &sources, time, Some((&snapshot, &before)));
            let fresh = gather_snapshot(with, &sources, time, None).1;
            if let Some((own, fresh)) = text.lines().zip(fresh.lines()).find(|(a, b)| a != b) {
                return Err(TestCaseError::fail(format!("{own}\ninstead of\n{fresh}")));
            }
            prop_assert_eq!(text, fresh);
            (snapshot, before) = (next, sources);
        }
    }

    #[test]
    fn a_rescan_finds_every_change(changes in proptest::collection::vec(change(), 1..12)) {
        let site = small_site::site();
        let mut library = read(&site);
        for changes in changes.chunks(3) {
            for change in changes {
                apply_change(&site, change);
            }
            library.rescan();
            check(&site, &library, &config())?;
        }
    }
}

fn path(text: &str) -> SitePath {
    SitePath::parse(text).unwrap()
}

fn svg(width: u32) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"9\"/>")
}

#[test]
fn media_changes_are_read_with_their_item() {
    let site = small_site::site().item("+++\nimage = \"pic.svg\"\n+++\n");
    let mut library = read(&site);
    let width = |library: &Library| {
        let (sources, _) = library.sources();
        let image = sources.items[0].0.image.clone();
        image.map(|image| image.width.unwrap())
    };
    assert!(library.sources().1.has_errors());
    assert_eq!(width(&library), None);
    let medium = [path("content/items/pic.svg")];
    site.write("content/items/pic.svg", svg(10));
    assert!(library.refresh(&medium));
    assert!(!library.sources().1.has_errors());
    assert_eq!(width(&library), Some(10));
    let before = library.sources().0.items[0].1;
    site.write("content/items/pic.svg", svg(20));
    assert!(library.refresh(&medium));
    assert_eq!(width(&library), Some(20));
    assert_ne!(library.sources().0.items[0].1, before);
    site.remove("content/items/pic.svg");
    assert!(library.refresh(&medium));
    assert!(library.sources().1.has_errors());
}

#[test]
fn an_invalid_file_keeps_its_last_valid_version() {
    let site = small_site::site().item("+++\ntitle = \"Good\"\n+++\n");
    let mut library = read(&site);
    let titles = |library: &Library| -> Vec<String> {
        let (sources, _) = library.sources();
        sources.items.iter().map(|(item, _)| item.title.clone()).collect()
    };
    let item = [path("content/items/a.md")];
    site.write("content/items/a.md", "+++\ntitle = \n+++\n");
    assert!(library.refresh(&item));
    assert!(library.sources().1.has_errors());
    assert_eq!(titles(&library), ["Good"]);
    site.write("content/items/a.md", "+++\ntitle = \"Better\"\n+++\n");
    assert!(library.refresh(&item));
    assert!(!library.sources().1.has_errors());
    assert_eq!(titles(&library), ["Better"]);
    site.write("content/items/a.md", "+++\ntitle = \n+++\n");
    library.refresh(&item);
    site.remove("content/items/a.md");
    assert!(library.refresh(&item));
    assert!(library.sources().1.is_empty());
    assert!(titles(&library).is_empty());
}

#[test]
fn unchanged_values_are_shared() {
    let site = small_site::site()
        .item("+++\ntitle = \"A\"\n+++\n[b](b.md)\n")
        .with("content/items/b.md", "+++\ntitle = \"B\"\n+++\nText.\n");
    let mut library = read(&site);
    let (before, _) = library.sources();
    let (first, _) = gather_snapshot((&site, &config()), &before, NOW, None);
    assert!(!library.refresh(&[path("content/items/a.md"), path("content")]));
    site.write("content/items/b.md", "+++\ntitle = \"B\"\n+++\nOther text.\n");
    assert!(library.refresh(&[path("content/items/b.md")]));
    let (sources, _) = library.sources();
    let (second, _) = gather_snapshot((&site, &config()), &sources, NOW, Some((&first, &before)));
    let same = |key: &str| Arc::ptr_eq(first.find(key).unwrap(), second.find(key).unwrap());
    let [a, b] = ["a", "b"].map(|title| {
        let mut entries = first.entries.iter();
        let entry = entries.find(|entry| entry.item.title.eq_ignore_ascii_case(title));
        entry.unwrap().item.id.as_str()
    });
    assert!(same(a) && !same(b));
    // What a link leads to is part of the item that holds it.
    site.write("content/items/b.md", "+++\ntitle = \"Renamed\"\n+++\nText.\n");
    library.refresh(&[path("content/items/b.md")]);
    let (third, _) =
        gather_snapshot((&site, &config()), &library.sources().0, NOW, Some((&second, &sources)));
    let a = third.find(a).unwrap();
    assert!(a.item.content.body().html.contains("/i/renamed-"));
}

#[test]
fn a_rescan_of_settled_files_reads_only_changes() {
    let site = small_site::site().item("+++\ntitle = \"A\"\nimage = \"pic.svg\"\n+++\n");
    site.write("content/items/pic.svg", svg(10));
    wait::settled(site.root());
    let mut library = read(&site);
    assert!(!library.rescan());
    site.write("content/items/pic.svg", svg(20));
    assert!(library.rescan());
    site.write("content/items/b.md", "+++\ntitle = \"B\"\n+++\n");
    assert!(library.rescan());
    // Within the same tick of the clock, and of the same length.
    site.write("content/items/b.md", "+++\ntitle = \"C\"\n+++\n");
    assert!(library.rescan());
    assert!(!library.rescan());
    assert_eq!(library.sources().0.items.len(), 2);
}

/// A preview reads the site, and only then watches it: its first look again must miss nothing of what was saved
/// in between, whatever was known before.
#[test]
fn the_first_rescan_finds_every_kind_of_change() {
    let site = small_site::site()
        .with("content/channel.md", "+++\ntitle = \"A\"\n+++\n")
        .with("content/items/a.md", "+++\ntitle = \"A\"\n+++\n")
        .with("content/pages/a.md", "+++\ntitle = \"A\"\n+++\n")
        .with("content/calendars/show/calendar.toml", "title = \"A\"\n")
        .with(
            "content/calendars/show/a.md",
            "+++\ntitle = \"A\"\nstart = 2026-05-01T10:00:00Z\n+++\n",
        )
        .with("content/redirects.toml", "\"/a\" = \"/\"\n")
        .with("site-files/a.txt", "A");
    for is_known in [false, true] {
        let files = [
            "content/channel.md", "content/items/a.md", "content/pages/a.md",
            "content/calendars/show/calendar.toml", "content/calendars/show/a.md",
            "content/redirects.toml", "site-files/a.txt",
        ];
        for file in files {
            let before = site.read(file);
            wait::settled(site.root());
            if is_known {
                site.built();
            }
            let mut library = read(&site);
            site.write(file, before.replace(['A', 'a'], "b"));
            assert!(library.rescan(), "{file}");
            site.write(file, before);
        }
    }
}

#[test]
fn a_changed_site_toml_rereads_affected_files() {
    let site =
        small_site::site().item("+++\ndate_published = \"2026-01-01 12:00\"\n+++\n\"Text\"\n");
    let mut library = read(&site);
    let mut config = config();
    config.feed.limit = 7;
    assert!(!library.reconfigure(config.clone()));
    config.markdown.smart_punctuation = true;
    assert!(library.reconfigure(config.clone()));
    assert!(library.sources().0.items[0].0.content.body().html.contains('“'));
    config.timezone = time_zone("Europe/Berlin");
    assert!(library.reconfigure(config));
    let date = library.sources().0.items[0].0.date_published.unwrap();
    assert_eq!(date.to_string(), "2026-01-01T11:00:00Z");
}

fn time_zone(name: &str) -> jiff::tz::TimeZone {
    jiff::tz::TimeZone::get(name).unwrap()
}

#[cfg(unix)]
#[test]
fn a_symlinked_file_is_reread_under_either_path() {
    let site = small_site::site()
        .with("shared/text.md", "+++\ntitle = \"One\"\n+++\n")
        .with("shared/pic.svg", svg(10))
        .link("content/items/a.md", "../../shared/text.md")
        .link("linked", "shared")
        .with("content/pages/p.md", "+++\ntitle = \"P\"\n+++\n![p](../../linked/pic.svg)\n");
    let mut library = read(&site);
    assert!(!library.sources().1.has_errors());
    for (file, text) in
        [("shared/text.md", "+++\ntitle = \"Two\"\n+++\n".to_owned()), ("shared/pic.svg", svg(20))]
    {
        site.write(file, text);
        assert!(library.refresh(&[path(file)]), "{file}");
        check(&site, &library, &config()).unwrap();
    }
}

/// The bodies of this site do not fit in memory.
#[cfg(unix)]
#[test]
fn a_build_reads_each_body_once() {
    const ITEMS: usize = 60;
    let file = |number| format!("content/items/{number}.md");
    let site = small_site::site();
    site.write(".feedwright/.gitignore", "*\n");
    let paragraphs = format!("{}\n\n", "ä&lt; word ".repeat(200)).repeat(45);
    for number in 0..ITEMS {
        let next = (number + 1) % ITEMS;
        site.write(&file(number), format!("# Item {number}\n\n[next]({next}.md)\n\n{paragraphs}"));
    }
    let bodies = |library: &Library| -> Vec<Arc<Body>> {
        let (snapshot, _) = snapshot_of(&site, library, None);
        snapshot.entries.iter().map(|entry| entry.item.content.body()).collect()
    };
    let expected = bodies(&read(&site));
    assert_eq!(expected.len(), ITEMS);
    assert!(expected.iter().all(|body| body.html.contains("href=\"https://example.com/")));
    let size: usize = expected.iter().map(|body| body.size()).sum();
    assert!(size > 10 << 20, "{size}");

    let survey = Survey::of_folder(site.root(), config().content);
    let library = Library::read_for_rendering(site.root(), survey, config(), &|| ());
    let local = fs::read_dir(site.root().join(".feedwright")).unwrap();
    assert_eq!(local.count(), 1, "the temporary file has no name");
    for number in 0..ITEMS {
        site.write(&file(number), "Changed.");
    }
    assert!(bodies(&library) == expected);
    assert_eq!(library.bodies().changed(), None);
}

/// `cargo test --release -- --ignored a_saved_item`: the figures are of `benches/serve.rs`.
#[test]
#[ignore = "times a release build"]
fn a_saved_item_of_ten_thousand_is_shown_in_twenty_milliseconds() {
    let site = small_site::site();
    let text = "Some *words* of a [text](https://example.org/) with a few lines.\n\n".repeat(60);
    for number in 0..10_000 {
        site.write(
            &format!("content/items/{}/{number}.md", number / 100),
            format!("+++\ntitle = \"Item {number}\"\ntags = [\"a\"]\n+++\n{text}"),
        );
    }
    let mut library = read(&site);
    let (snapshot, sources) = snapshot_of(&site, &library, None);
    let mut times: Vec<Duration> = (0..9)
        .map(|run| {
            site.write(
                "content/items/7/712.md",
                format!("+++\ntitle = \"Run {run}\"\n+++\n{text}"),
            );
            let start = std::time::Instant::now();
            assert!(library.refresh(&[path("content/items/7/712.md")]));
            let _next = snapshot_of(&site, &library, Some((&snapshot, &sources)));
            start.elapsed()
        })
        .collect();
    times.sort();
    assert!(times[4] < Duration::from_millis(20), "{times:?}");
}

fn snapshot_of(
    site: &SmallSite,
    library: &Library,
    previous: Option<(&Snapshot, &Sources)>,
) -> (Snapshot, Sources) {
    let (sources, _) = library.sources();
    let previous = previous.map(|(snapshot, sources)| Previous { snapshot, sources, shows: None });
    let own = sources.clone();
    let (snapshot, _) = gather(site.root(), config(), own, visibility(NOW), previous);
    (snapshot, sources)
}
