//! Former addresses of feeds and files on hosts without redirects: programs get a copy there, people an HTML page.

use crate::support::small_site::{SmallSite, site, tree};

const REDIRECTS: &str = "\
\"/index.xml\" = \"/rss.xml\"
\"/feed/\" = \"/rss.xml\"
\"/atom\" = \"/feed.json\"
\"/older.xml\" = \"/index.xml\"
\"/tags/sea/index.xml\" = \"/tags/sea/rss.xml\"
\"/old/chapters.json\" = \"/i/walk/chapters.json\"
\"/old/walk.vtt\" = \"/media/walk.vtt\"
\"/download/1\" = \"/media/walk.vtt\"
\"/robots-old.txt\" = \"/robots.txt\"
\"/about-us/\" = \"/about/\"
";

fn site_with_former_feeds(hosts: &str) -> SmallSite {
    site()
        .with(
            "site.toml",
            format!("base_url = \"https://example.com\"\n[hosting]\ntargets = [{hosts}]\n"),
        )
        .with("content/media/walk.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n")
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
        .with(
            "content/items/walk.md",
            "+++\nid = \"walk-1\"\ntitle = \"Walk\"\nslug = \"walk\"\naliases = [\"stroll\"]\nstatus = \"published\"\n\
             date_published = 2026-01-01\ntags = [\"sea\"]\n[podcast]\ntranscripts = [{ url = \"../media/walk.vtt\" }]\n\
             chapters = [{ startTime = 0, title = \"Start\" }]\n+++\nText.\n",
        )
        .with("content/redirects.toml", REDIRECTS)
}

/// The former files with what each is a copy of.
const COPIES: [(&str, &str); 8] = [
    ("index.xml", "rss.xml"),
    ("feed/index.html", "rss.xml"),
    ("atom/index.html", "feed.json"),
    ("older.xml", "rss.xml"),
    ("tags/sea/index.xml", "tags/sea/rss.xml"),
    ("old/chapters.json", "i/walk/chapters.json"),
    ("download/1", "media/walk.vtt"),
    ("robots-old.txt", "robots.txt"),
];

#[test]
fn a_host_without_redirects_gets_copies_of_feeds_and_files() {
    for hosts in ["\"github-pages\"", "", "\"netlify\", \"github-pages\""] {
        let site = site_with_former_feeds(hosts);
        let outcome = site.built();
        assert_eq!(outcome.warnings, [], "{hosts}");
        for (copy, original) in COPIES {
            let text = site.read(&format!("public/{original}"));
            assert_eq!(site.read(&format!("public/{copy}")), text, "{copy} for {hosts}");
        }
        let page = site.read("public/about-us/index.html");
        assert!(page.contains("http-equiv=\"refresh\""), "{page}");
        // The chapters of a former address.
        let chapters = site.read("public/i/walk/chapters.json");
        assert_eq!(site.read("public/i/stroll/chapters.json"), chapters);
    }
    // Other spellings of the feeds are redirects, too.
    let site = site_with_former_feeds("\"github-pages\"");
    site.built();
    for (copy, original) in [
        ("rss/index.html", "rss.xml"),
        ("json/index.html", "feed.json"),
        ("i/walk-1/rss/index.html", "i/walk-1/item.rss"),
        ("i/walk-1/json/index.html", "i/walk-1/item.json"),
    ] {
        let text = site.read(&format!("public/{original}"));
        assert_eq!(site.read(&format!("public/{copy}")), text, "{copy}");
    }
}

#[test]
fn a_host_with_redirects_gets_no_copies() {
    let site = site_with_former_feeds("\"netlify\"");
    site.built();
    for (copy, _) in COPIES {
        assert!(!site.exists(&format!("public/{copy}")), "{copy}");
    }
    assert!(site.read("public/_redirects").contains("/index.xml"));
}

#[test]
fn copies_are_updated_in_later_builds() {
    let site = site_with_former_feeds("\"github-pages\"").with_old_dates();
    site.built();
    let item = site.read("content/items/walk.md");
    site.write("content/items/walk.md", item.replace("Text.", "Another text."));
    site.write("content/media/walk.vtt", "WEBVTT\n\n00:00.000 --> 00:02.000\nHello again.\n");
    site.built();
    assert!(site.read("public/index.xml").contains("Another text."));
    let later = tree(&site.path("public"));
    site.remove("public");
    site.remove(".feedwright");
    site.built();
    assert!(later == tree(&site.path("public")));
    // Without the line the copy goes.
    site.write("content/redirects.toml", REDIRECTS.replace("\"/index.xml\" = \"/rss.xml\"\n", ""));
    site.built();
    assert!(!site.exists("public/index.xml"));
}

#[test]
fn a_document_at_a_former_path_takes_precedence() {
    // The folder of a former file is a path of the site now.
    let site = site_with_former_feeds("\"github-pages\"").with(
        "content/redirects.toml",
        "\"/about\" = \"/rss.xml\"\n\"/i\" = \"/media/walk.vtt\"\n",
    );
    let outcome = site.built();
    assert!(!outcome.warnings.is_empty());
    assert!(site.read("public/about/index.html").contains("<h1"));
    assert!(site.exists("public/i/walk/index.html"));
}
