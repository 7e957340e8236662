//! Shows of a network that are published as separate sites: `base_url` in `show.toml`.

use std::collections::{BTreeMap, BTreeSet};

use super::shows::{channel, item, network as two_shows};
use crate::support::preview_server;
use crate::support::small_site::{SmallSite, bare, copy, feedwright, tree};
use builder::{Outcome, Silent};
use model::ContentFolder;
use project::Options;
use search::static_index::{Listing, Published, Reader, TranscriptListing};

const NETWORK: &str = "https://example.com/radio";

/// A network in which the shows `walks` and `news` have addresses of their own.
fn network() -> SmallSite {
    let walk = "attachment = \"a.wav\"\naliases = [\"stroll\"]\n";
    let links = "[About](../../../../content/pages/about.md), [ebb](../../../tides/items/ebb.md), [[climb]], [top](/i/climb/) and [News](../../../news/channel.md).\n\n![Pier](/media/pier.svg)";
    two_shows()
        .with("shows/walks/show.toml", "base_url = \"https://walks.example/\"\n")
        .with("shows/walks/items/walk/index.md", item("walk", 1, walk, links))
        .with("shows/walks/pages/about.md", "+++\ntitle = \"About walks\"\nslug = \"about\"\n+++\n")
        .with(
            "content/media/pier.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"3\"/>",
        )
        .with("shows/news/show.toml", "base_url = \"https://ada.example/caf%C3%A9/news\"\n")
        .with(
            "shows/news/channel.md",
            channel("News", "Cy").replace("icon = \"media/cover.svg\"\n", ""),
        )
        .with(
            "shows/news/items/a.md",
            item("a", 5, "", "[[ebb]] and [walk](../../walks/items/walk/index.md)."),
        )
}

fn options(site: &SmallSite, show: &str) -> Options {
    Options { show: Some(ContentFolder::of_show(show)), ..site.options() }
}

fn build_show(site: &SmallSite, show: &str) -> Outcome {
    let built = builder::run(&options(site, show), &Silent);
    built.unwrap_or_else(|report| panic!("{show}: {:?}", report.sorted()))
}

/// Returns the exit code of `check`, and all that it prints.
fn check(site: &SmallSite, arguments: &[&str]) -> (i32, String) {
    let (code, out, err) = feedwright(site, &[&["check"], arguments].concat());
    (code, out + &err)
}

/// Returns the addresses in the text files of an output folder that start with `start`.
fn addresses(output: &BTreeMap<String, Vec<u8>>, start: &str) -> BTreeSet<String> {
    let texts = output.iter().filter(|(file, _)| !file.ends_with(".bin") && !file.ends_with(".js"));
    let texts = texts.map(|(_, bytes)| String::from_utf8_lossy(bytes).replace("&#x2F;", "/"));
    let ends = |c: char| c.is_whitespace() || "\"'<>)\\;?,&#".contains(c);
    let in_text = |text: String| -> Vec<String> {
        let found = text.match_indices(start).map(|(at, _)| &text[at..]);
        found.map(|rest| rest.split(ends).next().unwrap_or_default().to_owned()).collect()
    };
    texts.flat_map(in_text).collect()
}

#[test]
fn a_show_is_a_complete_site_at_its_address() {
    let site = network();
    let built = build_show(&site, "walks");
    assert_eq!((built.items, built.pages, built.out), (2, 1, site.path("public-walks")));
    assert!(!site.exists("public"));
    let output = tree(&site.path("public-walks"));
    for file in [
        "index.html", "rss.xml", "feed.json", "i/walk/index.html", "i/walk/item.rss", "404.html",
        "about/index.html", "search/index/entry.bin", "sitemap.xml", "robots.txt", "llms.txt",
        "_redirects", "feedwright.nginx.conf", "calendar.ics", "media/pier.svg",
        "media/walks/items/walk/a.wav", "media/walks/media/cover.svg",
    ] {
        assert!(output.contains_key(file), "{file}: {:?}", output.keys());
    }
    let is_of_others = |file: &&String| {
        let of_network = ["publisher.xml", "shows.opml", "media/cover.svg"].contains(&&***file);
        of_network || file.contains("tides") || file.contains("news") || file.starts_with("walks/")
    };
    assert_eq!(output.keys().find(is_of_others), None);
    let to_network: Vec<String> = addresses(&output, NETWORK).into_iter().collect();
    let expected = [
        "/", "/about/", "/ebb-and-flow/", "/ebb-and-flow/i/ebb/", "/ebb-and-flow/rss.xml",
        "/publisher.xml",
    ];
    assert_eq!(to_network, expected.map(|path| format!("{NETWORK}{path}")));
    for address in addresses(&output, "https://walks.example") {
        let path = &address["https://walks.example".len()..];
        let file = format!(
            "{}{}",
            path.trim_start_matches('/'),
            if path.ends_with('/') { "index.html" } else { "" }
        );
        assert!(path.is_empty() || output.contains_key(&file), "{address}");
    }
    for path in addresses(&output, "href=\"/").iter().chain(&addresses(&output, "src=\"/")) {
        assert!(!path.contains("/radio/") && !path.contains("/walks/i/"), "{path}");
    }
    let text = |file: &str| String::from_utf8_lossy(&output[file]).into_owned();
    let feed = text("rss.xml");
    assert!(feed.contains("href=\"https://walks.example/rss.xml\" rel=\"self\""), "{feed}");
    assert!(feed.contains("<guid isPermaLink=\"false\">walk</guid>"), "{feed}");
    assert!(feed.contains("url=\"https://walks.example/media/walks/items/walk/a.wav\""), "{feed}");
    assert!(feed.contains("feedUrl=\"https://ada.example/caf%C3%A9/news/rss.xml\""), "{feed}");
    assert!(feed.contains("medium=\"publisher\" title=\"Harbour\""), "{feed}");
    assert_eq!(text("robots.txt").matches("Sitemap:").count(), 1);
    assert!(text("_redirects").contains("/old/ /i/walk/ 301"));
    assert_eq!(build_show(&site, "walks").written, 0);
}

#[test]
fn the_network_lists_shows_with_their_own_address() {
    let site = network();
    site.built();
    let output = site.output();
    let folders = ["walks/", "news/"];
    assert!(!output.keys().any(|file| folders.iter().any(|folder| file.starts_with(folder))));
    let to_walks: Vec<String> = addresses(&output, "https://walks.example").into_iter().collect();
    let paths = to_walks.iter().map(|address| &address["https://walks.example".len()..]);
    for path in ["/", "/i/climb/", "/i/walk/", "/rss.xml"] {
        assert!(paths.clone().any(|own| own == path), "{path}: {to_walks:?}");
    }
    let home = site.read("public/index.html").replace("&#x2F;", "/");
    for (title, url) in
        [("Walks", "https://walks.example/"), ("News", "https://ada.example/caf%C3%A9/news/")]
    {
        assert!(
            home.contains(&format!("<h2><a href=\"{url}\" dir=\"auto\">{title}</a></h2>")),
            "{home}"
        );
    }
    for (file, address) in [
        ("index.html", "https://walks.example/i/climb/"),
        ("archive/index.html", "https://walks.example/i/climb/"),
        ("tags/sea/index.html", "https://ada.example/caf%C3%A9/news/i/a/"),
        ("about/index.html", "https://walks.example/i/walk/"),
        ("feed.json", "https://walks.example/i/climb/"),
        ("rss.xml", "<source url=\"https://walks.example/rss.xml\">Walks</source>"),
        ("shows.opml", "xmlUrl=\"https://walks.example/rss.xml\""),
        ("publisher.xml", "feedUrl=\"https://walks.example/rss.xml\""),
        ("ebb-and-flow/i/ebb/index.html", "https://walks.example/i/walk/"),
    ] {
        let text = site.read(&format!("public/{file}")).replace("&#x2F;", "/");
        assert!(text.contains(address), "{file}: {text}");
    }
    let own = addresses(&output, NETWORK);
    let wrong =
        own.iter().find(|address| address.contains("https%3A") || address.contains("/walks/i/"));
    assert_eq!(wrong, None);
    assert!(!site.read("public/sitemap.xml").contains("walks.example"));
    assert_eq!(site.read("public/robots.txt").matches("Sitemap:").count(), 2);
    // The feed's guid is the same on both sites.
    build_show(&site, "walks");
    let feed = site.read("public-walks/rss.xml");
    let guid = feed.split("<podcast:guid>").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    assert!(
        site.read("public/publisher.xml")
            .contains(&format!("feedGuid=\"{guid}\" feedUrl=\"https://walks.example/rss.xml\""))
    );
}

struct Index<'s>(&'s SmallSite);

impl Published for Index<'_> {
    fn index_file(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.0.path(&format!("public/search/index/{name}"))).ok()
    }

    fn text(&self, _: &Listing) -> Option<String> {
        None
    }

    fn spoken_text(&self, _: &TranscriptListing, _: std::ops::Range<usize>) -> Option<String> {
        None
    }
}

#[test]
fn the_search_of_the_network_finds_items_at_their_address() {
    let site = network();
    site.built();
    let reader = Reader::open(Index(&site)).unwrap();
    let found = reader.search("cliff", 10).unwrap();
    let paths: Vec<&str> = found.iter().map(|one| &*one.listing.path).collect();
    assert_eq!(paths, ["https://walks.example/i/climb/"]);
    let found = reader.search("low water", 10).unwrap();
    assert_eq!(found[0].listing.path, "ebb-and-flow/i/ebb/");
}

#[test]
fn builds_after_changes_equal_fresh_builds() {
    let site = network();
    let all = |site: &SmallSite| {
        site.built();
        build_show(site, "walks");
        build_show(site, "news");
        ["public", "public-walks", "public-news"].map(|folder| tree(&site.path(folder)))
    };
    all(&site);
    let url = |url: &str| Some(format!("base_url = \"{url}\"\n"));
    let changes = [
        ("shows/tides/items/ebb.md", Some(item("neap", 3, "", "Lower."))),
        ("shows/news/show.toml", url("https://news.example")),
        ("shows/walks/channel.md", Some(channel("Long walks", "Ann"))),
        ("content/channel.md", Some(channel("Port", "All"))),
        ("shows/walks/show.toml", url("https://walking.example/show")),
        ("shows/walks/items/climb.md", None),
        ("shows/tides/show.toml", url("https://tides.example")),
    ];
    for (path, text) in changes {
        match text {
            Some(text) => site.write(path, text),
            None => site.remove(path),
        }
        let fresh = bare();
        copy(site.root(), fresh.root());
        for folder in ["public", "public-walks", "public-news", ".feedwright"] {
            fresh.remove(folder);
        }
        for (own, fresh) in all(&site).into_iter().zip(all(&fresh)) {
            let names = own.keys().chain(fresh.keys());
            let different = names.filter(|file| own.get(*file) != fresh.get(*file));
            assert_eq!(different.collect::<Vec<_>>(), Vec::<&String>::new(), "{path}");
        }
    }
    // A show that has a path again is part of the site.
    site.write("shows/walks/show.toml", "path = \"/walks/\"\n");
    site.built();
    assert!(site.exists("public/walks/i/walk/index.html"));
    site.write("shows/walks/show.toml", url("https://walks.example").unwrap());
    site.built();
    assert!(!site.exists("public/walks"));
}

#[test]
fn a_preview_has_the_show_below_its_path() {
    let site = network();
    let served = preview_server::serve(site.root());
    served.wait_for("/walks/i/climb/", "seagull");
    let walk = served.text("/walks/i/walk/").replace("&#x2F;", "/");
    assert!(walk.contains("\"/walks/i/climb/\">top") && walk.contains("\"/news/\">News"), "{walk}");
    assert!(
        !walk.contains("https://walks.example") && !walk.contains("https://ada.example"),
        "{walk}"
    );
}

#[test]
fn check_covers_shows_with_their_own_address() {
    let site = network()
        .with("shows/walks/items/lost.md", item("lost", 4, "", "[Gone](/i/nothing/) and [there](/i/climb/)"))
        .with("shows/walks/pages/clash.md", "+++\ntitle = \"Clash\"\nslug = \"subscribe\"\n+++\n[Hidden](../../tides/items/draft.md)\n")
        .with("shows/tides/items/draft.md", item("draft", 4, "status = \"unpublished\"\n", ""));
    let (code, said) = check(&site, &[]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        said.matches("broken link: the site has nothing at /i/nothing/").count(),
        1,
        "{said}"
    );
    assert!(!said.contains("broken link: the site has nothing at /i/climb/"), "{said}");
    assert_eq!(
        said.matches("shows/tides/items/draft.md, which is not published").count(),
        1,
        "{said}"
    );
    let (_, own) = check(&site, &["--show", "walks"]);
    assert!(own.contains("/i/nothing/") && !own.contains("content/media"), "{own}");
    // Two paths of the same site clash only where the show is built.
    site.write(
        "shows/walks/show.toml",
        "base_url = \"https://walks.example\"\n[addresses]\nitems = \"/about/\"\n",
    );
    let (code, said) = check(&site, &[]);
    assert!(code == 1 && said.contains("shows/walks/"), "{said}");
}

#[test]
fn a_show_can_move_to_its_own_address() {
    let site = network().with("shows/walks/show.toml", "");
    site.built();
    site.write("shows/walks/show.toml", "base_url = \"https://walks.example\"\n");
    let report = site.report();
    assert!(
        report.contains(
            "/walks/i/climb/ no longer works: this item is now at https://walks.example/i/climb/"
        ),
        "{report}"
    );
    let alias = "aliases = [\"/walks/i/climb/\"]";
    assert!(report.contains(alias), "{report}");
    site.write("shows/walks/items/climb.md", item("climb", 2, &format!("{alias}\n"), "Up."));
    let report = site.report();
    assert!(!report.contains("/walks/i/climb/"), "{report}");
    let redirects = site.read("public/_redirects");
    assert!(
        redirects.contains("/radio/walks/i/climb/ https://walks.example/i/climb/ 301"),
        "{redirects}"
    );
    let nginx = site.read("public/feedwright.nginx.conf");
    assert!(nginx.contains("return 301 \"https://walks.example/i/climb/"), "{nginx}");
    let (_, said) = check(&site, &[]);
    assert!(!said.contains("/walks/i/climb/"), "{said}");
}

#[test]
fn wrong_settings_name_both_files() {
    let own = "base_url = \"https://walks.example\"\n";
    for (settings, line, message, help) in [
        (
            "base_url = \"walks.example\"\n".to_owned(),
            1,
            "`base_url` cannot be \"walks.example\"",
            "https://",
        ),
        (
            "base_url = \"https://example.com/radio/\"\n".into(),
            1,
            "the address https://example.com/radio is already used by site.toml",
            "write another `base_url`",
        ),
        (
            "base_url = \"https://example.com/radio/ebb-and-flow\"\n".into(),
            1,
            "is already used by shows/tides/show.toml",
            "write another `base_url`",
        ),
        (
            "base_url = \"https://ADA.example/caf%C3%A9/news\"\n".into(),
            1,
            "is already used by shows/news/show.toml",
            "write another `base_url`",
        ),
        (
            format!("{own}path = \"/w/\"\n"),
            2,
            "`path` cannot be used together with `base_url`",
            "remove `path`",
        ),
        (
            "[deploy]\nto = \"folder:../w\"\n".into(),
            1,
            "`deploy` needs `base_url`",
            "move this table to site.toml",
        ),
        (
            "[hosting]\ntargets = [\"nginx\"]\n".into(),
            1,
            "`hosting` needs `base_url`",
            "move this table to site.toml",
        ),
        (
            format!("{own}[deploy]\nto = \"folder:x/../there/.\"\n"),
            2,
            "the destination folder:x/../there/. is already used by site.toml",
            "write another `deploy.to`",
        ),
        (
            format!("{own}[deploy]\nto = \"folder:../news\"\n"),
            2,
            "is already used by shows/news/show.toml",
            "write another `deploy.to`",
        ),
        (
            format!("{own}[deploy.media]\nto = \"s3://walks\"\n"),
            2,
            "a show cannot have `deploy.media`",
            "[media] in site.toml",
        ),
        (
            format!("{own}[output]\ndir = \"public\"\n"),
            2,
            "the output folder public is already used by site.toml",
            "write another `output.dir`",
        ),
        (
            format!("{own}[output]\ndir = \"public/walks\"\n"),
            2,
            "the output folder public/walks is already used by site.toml",
            "write another `output.dir`",
        ),
        (
            format!("{own}[output]\ndir = \"there\"\n"),
            2,
            "the output folder there is already used by site.toml",
            "write another `output.dir`",
        ),
        (
            "[output]\ndir = \"w\"\n".into(),
            2,
            "`output.dir` needs `base_url`",
            "remove it, or add the address of the show",
        ),
        (
            "base_url = \"http://Example.com:80/radio\"\n".into(),
            1,
            "is already used by site.toml",
            "write another `base_url`",
        ),
        (
            "base_url = \"https://ada.example:443/caf%C3%A9/news\"\n".into(),
            1,
            "is already used by shows/news/show.toml",
            "write another `base_url`",
        ),
        (
            format!("{own}[deploy]\nto = \"folder:x/../../news\"\n"),
            2,
            "is already used by shows/news/show.toml",
            "write another `deploy.to`",
        ),
        (
            format!("{own}[deploy]\nto = \"folder:public\"\n"),
            2,
            "the folder public is already used by site.toml",
            "write another `deploy.to`",
        ),
        (
            format!("{own}[deploy]\nto = \"folder:public-news/walks\"\n"),
            2,
            "the folder public-news/walks is already used by shows/news/show.toml",
            "write another `deploy.to`",
        ),
    ] {
        let site = network()
            .with("site.toml", "base_url = \"https://example.com/radio\"\n[deploy]\nto = \"folder:there\"\n")
            .with("shows/news/show.toml", "base_url = \"https://ada.example/caf%C3%A9/news\"\n[deploy]\nto = \"folder:../news\"\n")
            .with("shows/walks/show.toml", &settings);
        let report = site.report();
        let errors = report.matches("error: ").count();
        let place = format!("shows/walks/show.toml:{line}:");
        assert!(
            errors == 1 && [message, &place, help].iter().all(|part| report.contains(part)),
            "{settings}: {report}"
        );
    }
    let site = network().with("content/pages/w.md", "+++\ntitle = \"W\"\nslug = \"walks\"\n+++\n");
    let report = site.report();
    assert!(report.contains("the path /walks/ is already used by content/pages/w.md"), "{report}");
    assert!(report.contains("rename the folder of the show"), "{report}");
}

#[test]
fn a_network_can_have_the_names_of_a_show_with_its_own_address() {
    let hallo = |date: &str, text: &str| {
        format!("+++\ntitle = \"Hallo\"\nslug = \"hallo\"\ndate = {date}\n+++\n{text}\n")
    };
    let site = network()
        .with(
            "site.toml",
            "base_url = \"https://example.com/radio\"\n[addresses]\nitems = \"/{year}/{slug}/\"\n",
        )
        .with("content/items/hallo.md", hallo("2026-01-06", "Own."))
        .with("shows/walks/items/hallo.md", hallo("2026-01-07", "Far."));
    for show in [&[][..], &["--show", "walks"]] {
        let (code, said) = check(&site, show);
        assert_eq!(code, 0, "{said}");
    }
    site.built();
    build_show(&site, "walks");
    assert!(site.read("public/2026/hallo/index.html").contains("Own."));
    assert!(site.read("public-walks/2026/hallo/index.html").contains("Far."));
    // The feed of a network with items of its own has only these.
    let feed = site.read("public/feed.json");
    assert!(feed.contains("Own.") && !feed.contains("Far."), "{feed}");
    // The patterns of the network do not apply to a show with others.
    let undated = item("climb", 2, "", "").replace("date = 2026-01-02\n", "");
    site.write("shows/walks/items/climb.md", undated);
    let message = "needs `date_published`, because its pattern contains {year}";
    for (settings, file) in [
        ("", "site.toml"),
        ("[addresses]\nitems = \"/{month}/{slug}/\"\n", "shows/walks/show.toml"),
    ] {
        let own = format!("base_url = \"https://walks.example\"\n{settings}");
        site.write("shows/walks/show.toml", own);
        let (code, said) = check(&site, &[]);
        let remedy = format!("change the pattern in `[addresses]` in {file}");
        assert!(code == 1 && said.contains(&remedy), "{said}");
    }
    site.write("shows/walks/show.toml", "base_url = \"https://walks.example\"\n[addresses]\n");
    let (code, said) = check(&site, &[]);
    assert!(code == 0 && !said.contains(message), "{said}");
}

#[test]
fn an_item_that_leaves_the_site_of_a_show_is_reported() {
    let site = network();
    build_show(&site, "walks");
    site.remove("shows/walks/items/climb.md");
    site.write("shows/tides/items/climb.md", item("climb", 2, "", "Up."));
    let outcome = build_show(&site, "walks");
    let warnings: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
    let message = "the published address https://walks.example/i/climb/ no longer works: shows/tides/items/climb.md is now at https://example.com/radio/ebb-and-flow/i/climb/";
    let own = warnings.iter().find(|warning| warning.contains(message));
    let own = own.unwrap_or_else(|| panic!("{}", warnings.join("\n")));
    assert!(own.contains("shows/walks/show.toml:1"), "{own}");
    let line = "this line in shows/walks/redirects.toml: \"/i/climb/\" = \"https://example.com/";
    assert!(own.contains(line), "{own}");
}

#[test]
fn a_preview_knows_the_published_addresses() {
    let site = network();
    let base_url = Some("http://127.0.0.1:8080".to_owned());
    let options = Options { base_url, is_preview: true, ..site.options() };
    let snapshot = project::read(&options, &|| ()).0.unwrap().snapshot;
    let of = |id: &str| {
        let entry = snapshot.find(id).unwrap();
        (snapshot.config.url(&entry.path), snapshot.url_on_own_site(entry))
    };
    let climb = "http://127.0.0.1:8080/walks/i/climb/".to_owned();
    assert_eq!(of("climb"), (climb, Some("https://walks.example/i/climb/".to_owned())));
    let news = Some("https://ada.example/caf%C3%A9/news/i/a/".to_owned());
    assert_eq!(of("a").1, news);
    assert_eq!(of("ebb").1, None);
}
