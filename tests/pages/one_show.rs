//! Building and checking one show of a network.

use std::collections::BTreeMap;

use super::shows::{channel, item, network as two_shows};
use crate::support::small_site::{SmallSite, bare, copy, feedwright, site};
use builder::{Outcome, Silent};
use model::{ContentFolder, Report};
use project::Options;

/// Each show with its path. The texts of `walks` and `tides` link to other folders, those of `news`
/// do not.
const SHOWS: [(&str, &str); 3] =
    [("walks", "walks/"), ("tides", "ebb-and-flow/"), ("news", "news/")];

const BROKEN: &str = "+++\ntitle = \n+++\n";

fn network() -> SmallSite {
    let site_file = "base_url = \"https://example.com/radio\"\n[hosting]\ntargets = [\"github-pages\"]\n[output]\nprecompress = true\n";
    two_shows()
        .with("site.toml", site_file)
        .with("shows/news/channel.md", channel("News", "Cy").replace("media/cover", "media/paper"))
        .with("shows/news/media/paper.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .with(
            "shows/news/items/a.md",
            item(
                "a",
                5,
                "aliases = [\"b\"]\n",
                "[[c]], [Walks](../../walks/channel.md) and [a](/news/i/a/).",
            ),
        )
        .with("shows/news/items/c.md", item("c", 6, "", &"News of the day. ".repeat(400)))
        .with("shows/news/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
}

fn options(site: &SmallSite, show: &str) -> Options {
    Options { show: Some(ContentFolder::of_show(show)), ..site.options() }
}

fn try_show(site: &SmallSite, show: &str) -> Result<Outcome, Report> {
    builder::run(&options(site, show), &Silent)
}

fn build_show(site: &SmallSite, show: &str) -> Outcome {
    try_show(site, show).unwrap_or_else(|report| panic!("{show}: {:?}", report.sorted()))
}

/// Returns the output of a full build without earlier output.
fn fresh_output(site: &SmallSite) -> BTreeMap<String, Vec<u8>> {
    let fresh = bare();
    copy(site.root(), fresh.root());
    for folder in ["public", ".feedwright"] {
        if fresh.exists(folder) {
            fresh.remove(folder);
        }
    }
    fresh.built();
    fresh.output()
}

fn below(output: &BTreeMap<String, Vec<u8>>, path: &str) -> BTreeMap<String, Vec<u8>> {
    let own = output.iter().filter(|(file, _)| file.starts_with(path));
    own.map(|(file, bytes)| (file.clone(), bytes.clone())).collect()
}

fn assert_same(own: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>, what: &str) {
    let names = own.keys().chain(other.keys());
    let different: Vec<&String> = names.filter(|file| own.get(*file) != other.get(*file)).collect();
    assert!(different.is_empty(), "{what}: {different:?}");
}

#[test]
fn one_show_has_the_bytes_of_a_full_build() {
    let full = fresh_output(&network());
    for (show, path) in SHOWS {
        let site = network();
        let built = build_show(&site, show);
        let own = site.output();
        assert_eq!((built.files > 20, built.removed), (true, 0));
        assert_same(&below(&own, path), &below(&full, path), show);
        for (file, bytes) in &own {
            let is_shared = file.starts_with("media/") || file.starts_with("assets/");
            assert!(file.starts_with(path) || is_shared, "{show}: {file}");
            assert_eq!(Some(bytes), full.get(file), "{show}: {file}");
        }
        let icon = if show == "news" { "paper" } else { "cover" };
        assert!(own.contains_key(&format!("media/{show}/media/{icon}.svg")), "{show}");
        assert_eq!(build_show(&site, show).written, 0);
        site.built();
        assert_same(&site.output(), &full, show);
    }
    assert!(
        full.contains_key("news/i/b/index.html") && full.contains_key("news/i/c/index.html.gz")
    );
}

#[test]
fn builds_of_one_show_after_changes_equal_fresh_builds() {
    for ends_with_full_build in [true, false] {
        let site = network();
        site.built();
        let changes: [(&str, &str, Option<String>); 9] = [
            ("tides", "shows/tides/items/ebb.md", Some(item("ebb", 3, "", "Lower, by [[walk]]."))),
            ("news", "shows/news/items/d.md", Some(item("d", 7, "", "Today."))),
            ("walks", "shows/walks/items/climb.md", None),
            ("walks", "shows/walks/items/walk/index.md", Some(item("walk", 1, "", "[[d]]"))),
            (
                "news",
                "shows/news/channel.md",
                Some(channel("Old news", "Di").replace("cover", "paper")),
            ),
            (
                "tides",
                "shows/tides/pages/about.md",
                Some("+++\ntitle = \"About tides\"\n+++\n".into()),
            ),
            ("news", "shows/news/items/a.md", None),
            ("walks", "shows/walks/show.toml", Some("[feed]\nrss = false\n".into())),
            ("tides", "shows/tides/pages", None),
        ];
        for (show, file, text) in changes {
            match text {
                Some(text) => site.write(file, text),
                None => site.remove(file),
            }
            let before = site.output();
            build_show(&site, show);
            let (own, fresh) = (site.output(), fresh_output(&site));
            let (_, path) = SHOWS.iter().find(|(name, _)| *name == show).unwrap();
            assert_same(&below(&own, path), &below(&fresh, path), file);
            for (other, path) in SHOWS.iter().filter(|(name, _)| *name != show) {
                assert_same(&below(&own, path), &below(&before, path), other);
            }
            assert_eq!(own.get("index.html"), before.get("index.html"), "{file}");
            if ends_with_full_build {
                site.built();
                assert_same(&site.output(), &fresh, file);
            }
        }
        site.built();
        assert_same(&site.output(), &fresh_output(&site), "all changes");
    }
}

#[test]
fn errors_of_other_shows_do_not_stop_the_build_of_one_show() {
    let full = fresh_output(&network());
    let site = network()
        .with("shows/tides/items/broken.md", BROKEN)
        .with("content/pages/broken.md", BROKEN)
        .with("site-files/broken.txt", "{{#open}}");
    assert!(site.build().is_err());
    for (show, path) in [SHOWS[0], SHOWS[2]] {
        build_show(&site, show);
        assert_same(&below(&site.output(), path), &below(&full, path), show);
    }
    let report = try_show(&site, "tides").unwrap_err().sorted();
    let files: Vec<_> = report.iter().filter_map(|one| one.file.as_deref()).collect();
    assert_eq!(files, ["shows/tides/items/broken.md"]);
    site.write("shows/tides/channel.md", BROKEN);
    assert!(try_show(&site, "news").is_err(), "the page of each show names the other shows");
}

#[test]
fn other_shows_are_read_only_if_a_text_links_to_them() {
    for (show, files) in [("news", 1), ("walks", 4)] {
        let site = network();
        build_show(&site, show);
        let state = std::fs::read_dir(site.path(".feedwright")).unwrap();
        let names = state.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.filter(|name| name.starts_with("readings-")).count(), files, "{show}");
    }
}

#[test]
fn a_damaged_record_needs_a_full_build() {
    let site = network();
    site.built();
    let state = std::fs::read_dir(site.path(".feedwright")).unwrap();
    let paths = state.map(|entry| entry.unwrap().path());
    let records = paths.filter(|path| path.to_string_lossy().contains("/output-"));
    for record in records.collect::<Vec<_>>() {
        let bytes = std::fs::read(&record).unwrap();
        std::fs::write(record, &bytes[..bytes.len() / 2]).unwrap();
    }
    let report = try_show(&site, "news").unwrap_err().sorted();
    assert!(report[0].message.contains("record"), "{report:?}");
    site.built();
    assert_eq!(build_show(&site, "news").written, 0);
}

#[test]
fn a_check_of_one_show_reports_its_problems_only() {
    let site = network()
        .with("shows/walks/items/lost.md", item("lost", 4, "", "[Gone](/i/nothing/)"))
        .with("shows/tides/items/lost-too.md", item("lost-too", 4, "", "[Gone](/i/nothing/)"))
        .with("content/pages/lost.md", "+++\ntitle = \"Lost\"\n+++\n[Gone](/i/nothing/)\n");
    let all = builder::check(&site.options(), &Silent).report.sorted();
    for (show, _) in SHOWS {
        let own = builder::check(&options(&site, show), &Silent).report.sorted();
        let folder = format!("shows/{show}/");
        let expected = all
            .iter()
            .filter(|one| one.file.as_deref().is_some_and(|file| file.starts_with(&folder)));
        assert_eq!(own, expected.cloned().collect::<Vec<_>>(), "{show}");
        assert_eq!(own.iter().any(|one| one.message.contains("/i/nothing/")), show != "news");
    }
}

#[test]
fn the_option_names_a_show() {
    let run = |site: &SmallSite, arguments: &[&str]| feedwright(site, arguments);
    let shows = network();
    for command in ["build", "check"] {
        let (code, _, said) = run(&shows, &[command, "--show", "sea"]);
        assert_eq!(code, 2, "{said}");
        assert!(
            said.contains("no show is called \"sea\"; the shows are news, tides, walks"),
            "{said}"
        );
        let (code, _, said) = run(&site(), &[command, "--show", "walks"]);
        assert!(code == 2 && said.contains("this site has no shows"), "{said}");
    }
    let (code, said, _) = run(&shows, &["build", "--show", "news", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &said["items"], &said["pages"]), (0, &2.into(), &1.into()), "{said}");
    assert!(shows.exists("public/news/index.html") && !shows.exists("public/index.html"));
    shows.write("shows/tides/items/broken.md", BROKEN);
    assert_eq!(run(&shows, &["check", "--show", "news"]).0, 0);
    assert_eq!(run(&shows, &["check", "--show", "tides"]).0, 1);
}
