//! Several shows in one site: their pages, feeds and search, and those of the network.

use crate::support::preview_server;
use crate::support::small_site::{SmallSite, bare, copy, feedwright, site};

const WAVE: &[u8] = b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x08\0\0\0aaaabbbb";

pub(super) fn channel(title: &str, author: &str) -> String {
    format!(
        "+++\ntitle = \"{title}\"\nicon = \"media/cover.svg\"\nlanguage = \"en\"\nauthors = [\"{author}\"]\n+++\nAbout {title}.\n"
    )
}

pub(super) fn item(id: &str, day: u8, more: &str, text: &str) -> String {
    format!(
        "+++\nid = \"{id}\"\ntitle = \"{id}\"\nslug = \"{id}\"\ndate = 2026-01-0{day}\ntags = [\"sea\"]\n{more}+++\n{text}\n"
    )
}

const COVER: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"3\"/>";

/// A network of a podcast and of a blog with a path of its own.
pub(super) fn network() -> SmallSite {
    site()
        .with("site.toml", "base_url = \"https://example.com/radio\"\n[hosting]\ntargets = [\"netlify\", \"nginx\"]\n")
        .with("content/channel.md", channel("Harbour", "Everyone"))
        .with("content/media/cover.svg", COVER)
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n[Walk](../../shows/walks/items/walk/index.md)\n")
        .with("shows/walks/channel.md", channel("Walks", "Ada"))
        .with("shows/walks/media/cover.svg", COVER)
        .with("shows/walks/items/walk/index.md", item("walk", 1, "attachment = \"a.wav\"\naliases = [\"stroll\"]\n", "[About](../../../../content/pages/about.md), [ebb](../../../tides/items/ebb.md), [[ebb]], [Tides](../../../tides/channel.md) and [[climb]]."))
        .with("shows/walks/items/walk/a.wav", WAVE)
        .with("shows/walks/items/climb.md", item("climb", 2, "", "Up the seagull cliff."))
        .with("shows/walks/redirects.toml", "\"/old/\" = \"/i/walk/\"\n")
        .with("shows/walks/calendars/live/calendar.toml", "summary = \"Live\"\n")
        .with("shows/walks/calendars/live/next.md", "+++\nsummary = \"Next\"\nstart = 2030-01-01\nupdated = 2026-03-03T00:00:00Z\n+++\n")
        .with("shows/tides/show.toml", "path = \"/ebb-and-flow/\"\n")
        .with("shows/tides/channel.md", channel("Tides", "Bo"))
        .with("shows/tides/media/cover.svg", COVER)
        .with("shows/tides/items/ebb.md", item("ebb", 3, "", "Low water, with [[walk]]."))
}

fn check(site: &SmallSite) -> String {
    let (_, out, err) = feedwright(site, &["check"]);
    out + &err
}

fn page(site: &SmallSite, path: &str) -> String {
    site.read(&format!("public/{path}index.html")).replace("&#x2F;", "/")
}

#[test]
fn each_show_has_its_own_pages_and_feeds() {
    let site = network();
    site.built();
    let walks = site.read("public/walks/rss.xml");
    assert!(walks.contains("<title>Walks</title>"), "{walks}");
    assert!(
        walks.contains("href=\"https://example.com/radio/walks/rss.xml\" rel=\"self\""),
        "{walks}"
    );
    assert!(walks.contains("<link>https://example.com/radio/walks/i/walk/</link>"), "{walks}");
    assert!(!walks.contains("<source") && !walks.contains("ebb</title>"), "{walks}");
    let rolled = "<podcast:podroll>\n      <podcast:remoteItem";
    assert!(walks.contains(rolled) && walks.contains("title=\"Tides\""), "{walks}");
    assert!(walks.contains("feedUrl=\"https://example.com/radio/publisher.xml\" medium=\"publisher\" title=\"Harbour\""), "{walks}");
    assert!(!site.exists("public/tides") && site.exists("public/ebb-and-flow/i/ebb/index.html"));
    assert!(site.read("public/walks/calendar.ics").contains("SUMMARY:Next"));
    assert!(!site.exists("public/calendar.ics"));
    let home = page(&site, "walks/");
    assert!(home.contains("<a href=\"/radio/\" dir=\"auto\">Harbour</a>"), "{home}");
    let other = "<a href=\"/radio/ebb-and-flow/\" dir=\"auto\">Tides</a>";
    assert!(home.contains(other), "{home}");
    assert!(!home.contains("of-show"), "{home}");
}

#[test]
fn a_show_has_its_own_theme_options() {
    let options = "[theme_options]\nfooter = \"By all of us.\"\naccent = \"#0b5f8a\"\n";
    let site = network();
    let settings = format!("base_url = \"https://example.com/radio\"\n{options}");
    let site = site.with("site.toml", &settings).with(
        "shows/walks/show.toml",
        "[theme_options]\naccent = \"#7a1f5c\"\nmenu = [{ text = \"Climb\", url = \"/i/climb/\" }]\n",
    );
    site.built();
    let styles = |path: &str| {
        let page = page(&site, path);
        assert!(page.contains("By all of us."), "{page}");
        let sheet = page.split("/radio/assets/").find(|rest| {
            let file = rest.split('"').next().unwrap_or_default();
            file.ends_with("site.css") || file.ends_with("show-walks.css")
        });
        let sheet = sheet.and_then(|rest| rest.split('"').next()).unwrap();
        (
            site.read(&format!("public/assets/{sheet}")),
            page.contains("/radio/walks/i/climb/\">Climb"),
        )
    };
    let (network, walks, tides) = (styles(""), styles("walks/"), styles("ebb-and-flow/"));
    assert!(network.0.contains("#0b5f8a") && !network.1, "{network:?}");
    assert!(walks.0.contains("#7a1f5c") && walks.1, "{walks:?}");
    assert_eq!(network, tides);
    // Faults name the file of the show, and its paths.
    let faulty =
        "[theme_options]\naccent = \"wine\"\nmenu = [{ text = \"x\", url = \"/nowhere/\" }]\n";
    site.write("shows/walks/show.toml", faulty);
    let errors = check(&site);
    assert!(errors.contains("shows/walks/show.toml:2"), "{errors}");
    site.write("shows/walks/show.toml", faulty.replace("wine", "#7a1f5c"));
    let errors = check(&site);
    assert!(errors.contains("nothing at /walks/nowhere/"), "{errors}");
}

#[test]
fn check_explains_where_the_values_of_a_show_come_from() {
    let settings = "[addresses]\nitems = \"/{year}/{slug}/\"\n";
    let site = network().with("shows/walks/show.toml", settings);
    let (_, out, err) = feedwright(&site, &["check", "--explain", "shows/walks/items/climb.md"]);
    assert!(out.contains("/walks/2026/climb/"), "{out}{err}");
    assert!(out.contains("[addresses] items in shows/walks/show.toml"), "{out}");
    assert!(out.contains("shows/walks/items/climb.md:2"), "{out}");
}

#[test]
fn a_folder_without_files_is_no_show() {
    let site = network();
    site.write("shows/empty/items/deep/.gitkeep", "");
    site.built();
    assert!(!site.exists("public/empty/index.html"));
    assert!(!site.read("public/shows.opml").contains("empty"));
    site.write("shows/empty/items/deep/one.md", item("one", 4, "", "Text."));
    site.built();
    assert!(site.exists("public/empty/i/one/index.html"));
}

#[test]
fn the_network_lists_its_shows_and_their_newest_items() {
    let site = network();
    site.built();
    let home = page(&site, "");
    for (title, path) in [("Walks", "walks"), ("Tides", "ebb-and-flow")] {
        let heading = format!("<h2><a href=\"/radio/{path}/\" dir=\"auto\">{title}</a></h2>");
        assert!(home.contains(&heading), "{home}");
    }
    let of_show = |path: &str| {
        home.matches(&format!("<p class=\"of-show\"><a href=\"/radio/{path}/\"")).count()
    };
    assert_eq!((of_show("walks"), of_show("ebb-and-flow")), (2, 1), "{home}");
    let feed = site.read("public/rss.xml");
    let ebb = feed.split("<item>").find(|item| item.contains("<title>ebb</title>")).unwrap();
    assert!(
        ebb.contains(
            "<source url=\"https://example.com/radio/ebb-and-flow/rss.xml\">Tides</source>"
        ),
        "{ebb}"
    );
    assert!(
        ebb.contains("<dc:creator>Bo</dc:creator>") && ebb.contains("<itunes:author>Bo<"),
        "{ebb}"
    );
    let walk = feed.split("<item>").find(|item| item.contains("<title>walk</title>")).unwrap();
    assert!(
        walk.contains(
            "<itunes:image href=\"https://example.com/radio/media/walks/media/cover.svg\"/>"
        ),
        "{walk}"
    );
    let json: serde_json::Value = serde_json::from_str(&site.read("public/feed.json")).unwrap();
    assert_eq!(json["items"][0]["authors"][0]["name"], "Bo");
    assert!(
        site.exists("public/author/ada/index.html") && site.exists("public/tags/sea/index.html")
    );
    assert!(!site.exists("public/author/everyone/index.html"));
    assert!(
        site.read("public/shows.opml")
            .contains("xmlUrl=\"https://example.com/radio/walks/rss.xml\"")
    );
}

#[test]
fn links_between_shows_and_the_network_resolve() {
    let site = network();
    site.built();
    let walk = page(&site, "walks/i/walk/");
    let links = [
        "about/\">About", "ebb-and-flow/i/ebb/\">ebb", "ebb-and-flow/\">Tides",
        "walks/i/climb/\">climb",
    ];
    for link in links {
        assert!(
            walk.contains(&format!("https://example.com/radio/{link}"))
                || walk.contains(&format!("\"/radio/{link}")),
            "{link}: {walk}"
        );
    }
    assert_eq!(walk.matches("/ebb-and-flow/i/ebb/\">ebb").count(), 2, "{walk}");
    assert!(page(&site, "about/").contains("/walks/i/walk/\">Walk"));
    let report = site.report();
    assert!(!report.contains("dead-link") && !report.contains("link-to-hidden"), "{report}");
}

#[test]
fn hosts_know_the_paths_of_shows() {
    let site = network();
    site.built();
    let redirects = site.read("public/_redirects");
    for line in [
        "/radio/walks/i/stroll/ /radio/walks/i/walk/ 301",
        "/radio/walks/old/ /radio/walks/i/walk/ 301",
        "/radio/ebb-and-flow/* /radio/ebb-and-flow/404.html 404",
    ] {
        assert!(redirects.contains(line), "{line}: {redirects}");
    }
    assert!(!redirects.contains("/radio/ebb-and-flow/old/"), "{redirects}");
    let headers = site.read("public/_headers");
    assert!(headers.contains("/radio/:id/rss.xml\n  Content-Type: application/xml"), "{headers}");
}

#[test]
fn a_network_can_be_searched_as_a_whole() {
    let site = network();
    site.built();
    for path in ["", "walks/", "ebb-and-flow/"] {
        assert!(site.exists(&format!("public/{path}search/index/entry.bin")), "{path}");
    }
    let size = |path: &str| {
        let files = site.output().into_iter();
        let own = files.filter(|(file, _)| file.starts_with(path));
        own.map(|(_, bytes)| bytes.len()).sum::<usize>()
    };
    let shows = [size("walks/search/index/"), size("ebb-and-flow/search/index/")];
    assert!(shows.iter().all(|show| size("search/index/") > *show), "{shows:?}");
}

#[test]
fn builds_after_changes_of_shows_equal_fresh_builds() {
    let site = network();
    site.built();
    let changes: [(&str, Option<String>); 9] = [
        ("shows/tides/items/ebb.md", Some(item("ebb-tide", 3, "", "Lower."))),
        ("shows/tides/items/flow.md", Some(item("flow", 4, "", "[[climb]]"))),
        ("shows/tides/show.toml", Some("path = \"/water/\"\n".into())),
        ("shows/walks/channel.md", Some(channel("Long walks", "Ann"))),
        ("content/pages/about.md", Some("+++\ntitle = \"About\"\nslug = \"us\"\n+++\n".into())),
        (
            "shows/news/channel.md",
            Some(channel("News", "Cy").replace("icon = \"media/cover.svg\"\n", "")),
        ),
        ("shows/news/items/a.md", Some(item("a", 5, "", "[[ebb-tide]]"))),
        ("shows/walks/items/climb.md", None),
        ("shows/news", None),
    ];
    for (path, text) in changes {
        match text {
            Some(text) => site.write(path, text),
            None => site.remove(path),
        }
        site.built();
        let fresh = bare();
        copy(site.root(), fresh.root());
        fresh.remove("public");
        fresh.remove(".feedwright");
        fresh.built();
        let (own, fresh) = (site.output(), fresh.output());
        let other = own.iter().find(|(file, bytes)| fresh.get(*file) != Some(bytes));
        assert!(own == fresh, "{path}: {:?}", other.map(|(file, _)| file));
    }
}

#[test]
fn the_preview_shows_changes_of_shows() {
    let site = network();
    let served = preview_server::serve(site.root());
    served.wait_for("/", "Walks");
    // A show has its own 404 page.
    let lost = served.get("/walks/none/");
    assert!(lost.status == 404 && lost.text().contains(" – Walks</title>"), "{}", lost.text());
    site.write("shows/tides/items/ebb.md", item("neap", 3, "", "Lower."));
    served.wait_for("/", "neap");
    site.write("shows/walks/items/walk/index.md", item("walk", 1, "", "[[neap]]"));
    served.wait_for("/walks/i/walk/", "/ebb-and-flow/i/neap/");
    site.write("shows/tides/show.toml", "path = \"/water/\"\n");
    served.wait_for("/walks/i/walk/", "/water/i/neap/");
    served.wait_for_status("/ebb-and-flow/", 404);
    site.write("shows/news/channel.md", "+++\ntitle = \"News\"\n+++\n");
    served.wait_for("/news/", "News");
    served.wait_for("/", "News");
    site.remove("shows/news");
    served.wait_for_status("/news/", 404);
    site.remove("shows/tides");
    served.wait_for_status("/water/", 404);
    served.wait_for("/", "climb");
}

#[test]
fn the_path_of_a_show_cannot_be_below_another() {
    let own = "base_url = \"https://news.example\"\n";
    for (walks, news, expected) in [
        (
            "path = \"/n/\"\n",
            "path = \"/n/b/\"\n",
            [
                "/n/b/ is below /n/, the path of shows/walks/show.toml",
                "shows/news/show.toml:1:8",
                "give one of the two another `path`",
            ],
        ),
        (
            "path = \"/n/2025/\"\n",
            "path = \"/n/\"\n",
            [
                "/n/2025/ is below /n/, the path of shows/news/show.toml",
                "shows/walks/show.toml:1:8",
                "give one of the two another `path`",
            ],
        ),
        (
            "path = \"/news/\"\n",
            "",
            [
                "/news/ is already the path of shows/news/show.toml",
                "shows/walks/show.toml:1:8",
                "give one of the two another `path`",
            ],
        ),
        (
            "path = \"/news/a/\"\n",
            own,
            [
                "/news/a/ is below /news/, the path of shows/news/show.toml",
                "shows/walks/show.toml:1:8",
                "give shows/walks another `path`",
            ],
        ),
        (
            "path = \"/news/\"\n",
            own,
            [
                "/news/ is already the path of shows/news/show.toml",
                "shows/walks/show.toml:1:8",
                "give shows/walks another `path`",
            ],
        ),
        (
            "path = \"/media/\"\n",
            "",
            ["the path /media/ is reserved", "shows/walks/show.toml:1:8", "choose another path"],
        ),
    ] {
        let site = network()
            .with("shows/walks/show.toml", walks)
            .with("shows/news/channel.md", "+++\ntitle = \"News\"\n+++\n")
            .with("shows/news/show.toml", news);
        let errors = check(&site);
        assert!(expected.iter().all(|part| errors.contains(part)), "{walks}{news}: {errors}");
    }
    let site = network()
        .with("shows/walks/show.toml", "path = \"/n/\"\n")
        .with("shows/tides/show.toml", "path = \"/n-b/\"\n");
    site.built();
}

/// Returns the lines for `content/redirects.toml` in a report.
fn lines(report: &str) -> Vec<&str> {
    let lines = report.lines().filter_map(|line| line.split_once("in content/redirects.toml: "));
    lines.map(|(_, line)| line).collect()
}

#[test]
fn a_moved_show_keeps_its_feeds_and_pages() {
    let page = |title: &str| format!("+++\ntitle = \"{title}\"\n+++\nText.\n");
    let kept = |id: &str| format!("aliases = [\"/walks/i/{id}/\"]\n");
    let fresh = || {
        network()
            .with("content/pages/about.md", page("About"))
            .with("shows/walks/pages/pp.md", page("Hosts"))
            .with("shows/walks/items/sec/section.md", page("Sec"))
            .with("shows/walks/items/climb.md", item("climb", 2, &kept("climb"), ""))
            .with("shows/walks/items/walk/index.md", item("walk", 1, &kept("walk"), ""))
    };
    let guid = model::podcast::vocabulary::guid_of_feed("https://example.com/radio/walks/rss.xml");
    // The path of the show changes, or its folder.
    for folder in ["walks", "hikes"] {
        let site = fresh();
        site.built();
        // Another text of the show is no move.
        site.write("shows/walks/channel.md", channel("Walks", "Ada") + "More.\n");
        assert!(!site.report().contains("moved-address"));
        match folder {
            "walks" => site.write("shows/walks/show.toml", "path = \"/hikes/\"\n"),
            _ => std::fs::rename(site.path("shows/walks"), site.path("shows/hikes")).unwrap(),
        }
        let report = site.report();
        let expected = ["rss.xml", "feed.json", "calendar.ics", "", "pp/", "sec/"];
        let expected = expected.map(|path| format!("\"/walks/{path}\" = \"/hikes/{path}\""));
        assert_eq!(lines(&report), expected, "{report}");
        let [advice, file] = [format!("guid = \"{guid}\""), format!("shows/{folder}/channel.md:1")];
        assert!(report.contains(&advice) && report.contains(&file), "{report}");
        // The warning is repeated for the addresses that do not redirect yet.
        site.write("content/redirects.toml", expected[..4].join("\n"));
        let report = site.report();
        assert_eq!(lines(&report), expected[4..], "{report}");
        site.write("content/redirects.toml", expected.join("\n"));
        let report = site.report();
        assert!(report.starts_with("built") && !report.contains("moved-address"), "{report}");
        let redirects = site.read("public/_redirects");
        assert!(redirects.contains("/radio/walks/rss.xml /radio/hikes/rss.xml 301"), "{redirects}");
    }
    // A show that gets its own address moves too.
    let site = fresh();
    site.built();
    site.write("shows/walks/show.toml", "base_url = \"https://walks.example\"\n");
    let report = site.report();
    let expected = lines(&report);
    assert_eq!(expected[0], "\"/walks/rss.xml\" = \"https://walks.example/rss.xml\"");
    site.write("content/redirects.toml", expected.join("\n"));
    let report = site.report();
    assert!(report.starts_with("built") && !report.contains("moved-address"), "{report}");
    let redirects = site.read("public/_redirects");
    let feed = "/radio/walks/rss.xml https://walks.example/rss.xml 301";
    assert!(redirects.contains(feed), "{redirects}");
}

#[test]
fn redirects_of_a_show_start_at_the_show() {
    let site = network()
        .with("content/redirects.toml", "\"/a/\" = \"/about/\"\n\"/b/\" = \"/nowhere/\"\n\"/c/\" = \"/a/\"\n\"/d\" = \"/walks/rss.xml\"\n")
        .with("shows/walks/redirects.toml", "\"/old/\" = \"/about/\"\n\"/new/\" = \"/i/stroll/\"\n\"/i/climb/\" = \"/\"\n");
    let report = site.report();
    assert_eq!(report.matches("broken redirect").count(), 2, "{report}");
    for (message, place) in [
        ("broken redirect: the site has nothing at /nowhere/", "content/redirects.toml:2:1"),
        (
            "broken redirect: the site has nothing at /walks/about/",
            "shows/walks/redirects.toml:1:1",
        ),
        (
            "redirect ignored: /i/climb/ is now a path of this site",
            "shows/walks/redirects.toml:3:1",
        ),
    ] {
        let at = report.find(message).unwrap_or_else(|| panic!("{message}: {report}"));
        assert!(report[at..].lines().nth(1).unwrap().contains(place), "{report}");
    }
    site.write("shows/walks/show.toml", "base_url = \"https://walks.example\"\n");
    let (_, out, err) = feedwright(&site, &["check", "--show", "walks"]);
    let said = out + &err;
    assert!(said.contains("broken redirect: the site has nothing at /about/"), "{said}");
    assert!(!said.contains("nothing at /i/stroll/"), "{said}");
}
