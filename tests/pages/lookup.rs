//! One path without the table: the same answer as the table's.

use std::sync::Arc;

use feedwright::model::{Access, HostingTarget};
use feedwright::project::{self, Site as Built};
use feedwright::render::{Document, PathAnswer};
use proptest::prelude::*;
use proptest::sample::select;

use crate::pages::languages::multilingual;
use crate::support::small_site;
use crate::support::{Site, options};

fn read(root: &std::path::Path) -> Built {
    project::read(&options(root, root), &|| ()).0.unwrap()
}

/// A site with a bit of everything that has a path, former paths among them.
fn site(change: impl FnOnce(&mut feedwright::model::Config)) -> Built {
    let mut aliases = String::new();
    for former in ["/2019/old/", "/old.html", "/plain", "former", "/rss.xml", "/tags/one/"] {
        aliases.push_str(&format!("\"{former}\", "));
    }
    let planet: String = (1..=3)
        .map(|n| format!("[[items]]\nid = \"{n}\"\nurl = \"https://a.example/{n}\"\ndate = 2026-01-01T00:00:00Z\n"))
        .collect();
    let planet = format!("feed = \"https://a.example/feed\"\n{planet}");
    let fixture = Site::fixture("small-site")
        .write(
            "content/items/moved.md",
            &format!("+++\nid = \"moved\"\ntitle = \"Moved\"\ntags = [\"One\", \"Zwei drei\"]\naliases = [{aliases}]\n+++\nText.\n"),
        )
        .write(
            "content/items/hidden.md",
            "+++\nid = \"hidden\"\nstatus = \"unpublished\"\naliases = [\"was-hidden\", \"/was-hidden/\"]\n+++\n",
        )
        .write(
            "content/calendars/shows/a.md",
            "+++\nsummary = \"A\"\nstart = \"2026-12-24\"\n+++\n",
        )
        .write(
            "content/calendars/own/b.md",
            "+++\nsummary = \"B\"\nstart = \"2026-12-24\"\nvisibility = \"private\"\n+++\n",
        )
        .write("content/items/part/section.md", "+++\ntitle = \"Part\"\nslug = \"a/part\"\n+++\n")
        .write("content/items/part/1.md", "+++\ntitle = \"1\"\n+++\n")
        .write("content/items/part/2.md", "+++\ntitle = \"2\"\n+++\n")
        .write("content/items/part/3.md", "+++\ntitle = \"3\"\n+++\n")
        .replace(
            "site.toml",
            "[hosting]",
            "[[aggregate]]\nfeed = \"https://a.example/feed\"\n\n[hosting]",
        )
        .write("content/planet/a-example-feed.toml", &planet)
        .write(
            "content/pages/contact.md",
            "+++\ntitle = \"Contact\"\naliases = [\"reach-us\", \"write\"]\n+++\n",
        );
    let site = read(fixture.root());
    let mut snapshot = site.snapshot.clone();
    snapshot.config.feed.items_per_page = 2;
    snapshot.config.feed.limit = 3;
    change(&mut snapshot.config);
    Built::new(snapshot, Arc::clone(&site.theme))
}

fn sites() -> Vec<Built> {
    use HostingTarget::{GithubPages, Netlify, Vercel};
    vec![
        site(|_| ()),
        site(|config| config.hosting = vec![Netlify, Vercel]),
        site(|config| config.hosting = vec![GithubPages]),
        site(|config| config.output.markdown = true),
        site(|config| config.access = Access::Headless),
        site(|config| config.access = Access::Offline),
        site(|config| config.feed.rss = false),
        site(|config| config.feed.archive = false),
        site(|config| {
            config.output.item_json = false;
            config.output.item_rss = false;
            config.output.tags = false;
            config.output.search = false;
        }),
        read(multilingual().root()),
        read(multilingual().replace("site.toml", "netlify", "github-pages").root()),
        read(small_site::bare().root()),
        read(Site::repository().root()),
        read(Site::example("show").root()),
        network(),
    ]
}

/// A site with two shows.
fn network() -> Built {
    let item = |id: &str| {
        format!(
            "+++\nid = \"{id}\"\ntitle = \"{id}\"\ntags = [\"One\"]\naliases = [\"was-{id}\"]\n+++\n"
        )
    };
    let site = small_site::site()
        .with("content/pages/contact.md", "+++\ntitle = \"Contact\"\n+++\n")
        .with("shows/a/items/moved.md", item("moved"))
        .with("shows/a/redirects.toml", "\"/gone/\" = \"/i/moved/\"\n")
        .with("shows/b/show.toml", "path = \"/rss-b/\"\n[feed]\nlimit = 1\n")
        .with("shows/b/pages/contact.md", "+++\ntitle = \"Contact\"\n+++\n")
        .with("shows/b/items/one.md", item("one"))
        .with("shows/b/items/two.md", item("two"));
    read(site.root())
}

/// A redirect leads where it leads, and another spelling answers with what it leads to.
fn assert_redirect(site: &Built, from: &str, to: &str) {
    let found = site.find(from);
    let target = site.find(to);
    // A folder with a copy of the target has a slash at its end.
    let is_folder = found == Some(PathAnswer::Redirect(format!("{from}/")));
    let copy = site.find(&format!("{from}/")).filter(|_| is_folder);
    assert!(
        found == Some(PathAnswer::Redirect(to.to_owned()))
            || (found.is_some() && found == target)
            || (copy.is_some() && copy == target),
        "{from} leads to {to}, and {found:?} was found"
    );
}

#[test]
fn every_path_of_the_table_is_found() {
    for site in sites() {
        for route in &site.routes().routes {
            match &route.document {
                Document::RedirectPage(to) => assert_redirect(&site, &route.path, to),
                document => assert_eq!(
                    site.find(&route.path),
                    Some(PathAnswer::Document(document.clone())),
                    "{}",
                    route.path
                ),
            }
        }
        for redirect in &site.routes().redirects {
            assert_redirect(&site, &redirect.from, &redirect.to);
        }
    }
}

#[test]
fn alternative_feed_paths_return_the_feed() {
    let site = site(|_| ());
    let at = site.snapshot.position("moved").unwrap();
    for (path, document) in [
        ("/json/", Document::JsonFeed(1)),
        ("/rss/", Document::Rss(1)),
        ("/i/moved/json/", Document::ItemJson(at)),
        ("/i/moved/rss/", Document::ItemRss(at)),
    ] {
        assert_eq!(site.find(path), Some(PathAnswer::Document(document)), "{path}");
    }
}

#[test]
fn moved_paths_redirect_and_hidden_paths_are_missing() {
    let site = site(|_| ());
    let item = Some(PathAnswer::Redirect("/i/moved-moved/".into()));
    for path in [
        "/i/moved/", "/i/moved", "/i/former/", "/2019/old/", "/2019/old", "/old.html", "/plain",
        "/plain/",
    ] {
        assert_eq!(site.find(path), item, "{path}");
    }
    for path in ["/reach-us/", "/reach-us", "/write/"] {
        assert_eq!(site.find(path), Some(PathAnswer::Redirect("/contact/".into())));
    }
    assert_eq!(site.find("/contact"), Some(PathAnswer::Redirect("/contact/".into())));
    for path in [
        "/i/hidden/", "/i/was-hidden/", "/was-hidden/", "/i/hidden/item.json", "/i/hidden/json/",
        "/page/1/", "/page/01/", "/page/+2/", "/page/0/", "/page/999/", "/feed/1.json",
        "/rss/0.xml", "/archive/2026/", "/tags/one/page/1/", "//", "contact/", "/contact//",
        "/media/", "/media/../site.toml", "/assets/x/style.css", "/sitemap-1.xml", "/i/", "/i//",
        "/i/moved/item.xml",
    ] {
        assert_eq!(site.find(path), None, "{path}");
    }
}

proptest! {
    /// What is found at a made-up path is in the table.
    #[test]
    fn other_paths_are_not_found(parts in proptest::collection::vec(select(PATH_PARTS.to_vec()), 0..5)) {
        thread_local! {
            static SITES: Vec<Built> = sites();
        }
        let path = format!("/{}", parts.join("/"));
        SITES.with(|sites| {
            for site in sites {
                let routes = &site.routes().routes;
                if let Some(PathAnswer::Document(document)) = site.find(&path) {
                    let own = |path: &str| routes.iter().any(|route| route.path == path && route.document == document);
                    let spelling = path.replace("/json/", "/item.json").replace("/rss/", "/item.rss");
                    let feed = matches!(path.as_str(), "/json/" | "/rss/");
                    assert!(feed || own(&path) || own(&spelling), "{path}");
                }
            }
        });
    }
}

const PATH_PARTS: [&str; 32] = [
    "", "i", "moved", "moved-moved", "former", "item.json", "item.rss", "chapters.json", "json",
    "rss", "page", "1", "2", "02", "tags", "one", "zwei-drei", "search", "search.js", "open.js",
    "search.css", "feed", "feed.json", "2.json", "rss.xml", "2.xml", "404", "404.html", "contact",
    "robots.txt", "sitemap.xml", "media",
];
