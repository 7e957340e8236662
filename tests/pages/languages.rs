//! A site in several languages: each has its own pages, feeds and search below its path.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Output, Site, media_fixture, preview_server, small_site, xml_tree};

const CONFIG: &str = "base_url = \"https://walks.example/blog\"\n\n[languages]\ndefault = \"en\"\nothers = [\"de\", \"ar\"]\n\
                      untranslated = \"show\"\n\n[output]\nmarkdown = true\n\n[hosting]\n\
                      targets = [\"netlify\", \"nginx\", \"caddy\", \"apache\"]\n\n[addresses]\n\
                      folders = { notes = \"/{language}/{section}/{slug}/\" }\n\n[defaults.notes]\ntags = [\"note\"]\n\n\
                      [[albums]]\ntitle = \"Notes\"\nfolder = \"notes\"\n";

fn text(id: &str, title: &str, more: &str, body: &str) -> String {
    let date = "2026-01-05T08:00:00Z";
    format!(
        "+++\nid = {id:?}\ntitle = {title:?}\nslug = {id:?}\ndate_published = \"{date}\"\n{more}+++\n{body}\n"
    )
}

fn page(title: &str, more: &str, body: &str) -> String {
    format!("+++\ntitle = {title:?}\nshow_in_navigation = true\n{more}+++\n{body}\n")
}

/// A site in English, German and Arabic.
pub fn multilingual() -> Site {
    let episode = "attachment = \"walk.mp3\"\nseries = \"Coast\"\ntags = [\"sea\"]\npodcast = { season = 1, episode = 1 }\n";
    let german = format!("{episode}aliases = [\"gang\", \"/alt/weg.html\"]\n");
    Site::empty()
        .write("site.toml", CONFIG)
        .write(
            "content/channel.md",
            "+++\ntitle = \"Walks\"\nauthors = [\"Ann\"]\n+++\nOutdoors.\n",
        )
        .write("content/channel.de.md", "+++\ntitle = \"Wege\"\n+++\nDraußen.\n")
        .write("content/channel.ar.md", "+++\ntitle = \"نزهات\"\n+++\nفي الخارج.\n")
        .write(
            "content/items/walk/index.md",
            &text("walk", "Walk", episode, "Text. [[photo]] [[about]]"),
        )
        .write(
            "content/items/walk/index.de.md",
            &text("weg", "Weg", &german, "Text. [[photo]] [[walk]] [[about]]"),
        )
        .copy(media_fixture("cbr-info.mp3"), "content/items/walk/walk.mp3")
        .write(
            "content/items/photo.md",
            &text("photo", "Photo", "tags = [\"sea\"]\n", "Text. [[walk]]"),
        )
        .write(
            "content/items/2026-01-02-day.md",
            "+++\ntitle = \"Day\"\nid = \"day\"\n+++\nText.\n",
        )
        .write(
            "content/items/2026-01-02-day.ar.md",
            "+++\ntitle = \"يوم\"\nid = \"yawm\"\ntags = [\"sea\"]\n+++\n[[walk]]\n",
        )
        .write("content/items/de/nur.md", &text("nur", "Nur", "", "Text."))
        .write("content/items/notes/section.md", &page("Notes", "", "Short."))
        .write(
            "content/items/notes/section.de.md",
            &page("Notizen", "slug = \"notizen\"\n", "Kurz."),
        )
        .write("content/items/notes/one.md", &text("one", "One", "", "Text."))
        .write("content/items/de/notes/one.md", &text("eins", "Eins", "", "Text."))
        .write("content/pages/about.md", &page("About", "aliases = [\"me\"]\n", "Text. [[walk]]"))
        .write(
            "content/pages/about.de.md",
            &page("Über", "slug = \"ueber\"\naliases = [\"ich\"]\n", "Text. [[walk]]"),
        )
        .write("content/pages/imprint.md", &page("Imprint", "", "Text."))
        .write("content/pages/404.de.md", "+++\ntitle = \"Nichts\"\n+++\nNichts da.\n")
        .write("content/redirects.toml", "\"/old/\" = \"/about/\"\n\"/de/alt/\" = \"/de/ueber/\"\n")
}

fn pages(output: &Output) -> Vec<String> {
    output.files().into_iter().filter(|file| file.ends_with(".html")).collect()
}

/// The public path of an HTML file.
fn address(file: &str) -> String {
    format!("https://walks.example/blog/{}", file.strip_suffix("index.html").unwrap_or(file))
}

#[test]
fn each_language_has_its_own_documents() {
    let output = multilingual().build();
    let own = |file: &String| {
        let shared = ["media/", "assets/", "search/index/", "card."];
        !shared.iter().any(|part| file.contains(part))
    };
    let files: Vec<String> = output.files().into_iter().filter(own).collect();
    insta::assert_snapshot!(files.join("\n"));
    for mount in ["", "de/", "ar/"] {
        assert!(output.has(&format!("{mount}search/index/entry.bin")), "{mount}");
    }
    insta::assert_snapshot!("llms", output.text("de/llms.txt"));
    insta::assert_snapshot!("robots", output.text("robots.txt"));
}

#[test]
fn untranslated_texts_are_left_out_by_default() {
    let output = multilingual().replace("site.toml", "untranslated = \"show\"\n", "").build();
    assert!(!output.has("de/i/photo/index.html") && !output.has("de/imprint/index.html"));
    assert!(!output.has("ar/notes/index.html"));
    let titles = |path: &str| {
        let feed = output.json(path);
        let items = feed["items"].as_array().unwrap().iter();
        items.map(|item| item["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles("ar/feed.json"), ["يوم"]);
    assert_eq!(titles("de/feed.json"), ["Eins", "Nur", "Weg"]);
    assert_eq!(titles("feed.json"), ["One", "Photo", "Walk", "Day"]);
}

#[test]
fn feeds_differ_in_title_language_address_and_guid() {
    let output = multilingual().build();
    let of = |mount: &str| {
        let root = xml_tree::parse(&output.text(&format!("{mount}rss.xml")));
        let channel = root.child("channel");
        let own = channel.all("atom:link").find(|link| link.attribute("rel") == Some("self"));
        let own = own.unwrap().attribute("href").unwrap().to_owned();
        let text = |name: &str| channel.child(name).text.clone();
        [
            text("title"),
            text("language"),
            text("link"),
            own,
            text("description"),
            text("podcast:guid"),
        ]
    };
    let base = "https://walks.example/blog";
    let [english, german, arabic] = ["", "de/", "ar/"].map(of);
    assert_eq!(english[..4], ["Walks", "en", &format!("{base}/"), &format!("{base}/rss.xml")]);
    assert_eq!(german[..4], ["Wege", "de", &format!("{base}/de/"), &format!("{base}/de/rss.xml")]);
    assert_eq!(arabic[..4], ["نزهات", "ar", &format!("{base}/ar/"), &format!("{base}/ar/rss.xml")]);
    assert_eq!(german[4], "Draußen.");
    let guids: BTreeSet<&String> = [&english, &german, &arabic].map(|feed| &feed[5]).into();
    assert_eq!(guids.len(), 3);
    // A text that is not translated states its language.
    let german = output.json("de/feed.json");
    let items = german["items"].as_array().unwrap();
    let photo = items.iter().find(|item| item["id"] == "photo").unwrap();
    assert_eq!(photo["language"], "en");
    assert_eq!(photo["url"], "https://walks.example/blog/de/i/photo/");
}

/// Every page that names translations is named by them, also in the sitemaps.
#[test]
fn translations_name_each_other() {
    let output = multilingual()
        .replace("site.toml", "[output]", "[feed]\nitems_per_page = 2\n\n[output]")
        .build();
    let decoded = |link: String| {
        percent_encoding::percent_decode_str(&link).decode_utf8().unwrap().into_owned()
    };
    let mut groups: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for file in pages(&output) {
        let html = output.html(&file);
        let links = "link[rel='alternate'][hreflang]";
        let addresses = html.all(links, "href").into_iter().map(decoded);
        let found: BTreeSet<_> = html.all(links, "hreflang").into_iter().zip(addresses).collect();
        let is_canonical =
            html.attribute("link[rel='canonical']", "href").map(decoded) == Some(address(&file));
        if !found.is_empty() && is_canonical {
            groups.insert(address(&file), found);
        }
    }
    for (page, found) in &groups {
        assert!(found.iter().any(|(_, href)| href == page), "{page} names itself: {found:?}");
        for (_, href) in found {
            assert_eq!(groups.get(href), Some(found), "{page} and {href}");
        }
        let english = found.iter().find(|(language, _)| language == "en");
        let default = found.iter().find(|(language, _)| language == "x-default");
        assert_eq!(english.map(|(_, href)| href), default.map(|(_, href)| href), "{page}");
    }
    let base = "https://walks.example/blog";
    let texts = ["i/walk/", "about/", "notes/", "de/i/weg/", "de/ueber/", "en/notes/one/"];
    let lists = [
        "", "page/2/", "archive/", "ar/archive/", "tags/", "de/tags/sea/", "albums/",
        "albums/notes/", "series/coast/", "subscribe/",
    ];
    for page in texts.iter().chain(&lists) {
        assert!(groups.contains_key(&format!("{base}/{page}")), "{page}: {:?}", groups.keys());
    }
    let mut checked = 0;
    for mount in ["", "de/", "ar/"] {
        let sitemap = xml_tree::parse(&output.text(&format!("{mount}sitemap.xml")));
        for url in sitemap.all("url") {
            let links = url.all("xhtml:link");
            let links: BTreeSet<(String, String)> = links
                .map(|link| {
                    let value = |name: &str| link.attribute(name).unwrap().to_owned();
                    (value("hreflang"), decoded(value("href")))
                })
                .collect();
            let page = decoded(url.child("loc").text.clone());
            assert_eq!(links, groups.get(&page).cloned().unwrap_or_default(), "{page}");
            checked += links.len();
        }
    }
    assert!(checked > 30, "{checked}");
}

/// The switch of a further page of a list leads to the same page, or else to the first page.
#[test]
fn the_switch_of_a_further_page_stays_in_the_list() {
    let paging = "[feed]\nitems_per_page = 2\n\n[output]";
    let output = multilingual()
        .replace("site.toml", "untranslated = \"show\"\n", "")
        .replace("site.toml", "[output]", paging)
        .build();
    for (file, expected) in [
        ("page/2/index.html", ["/blog/page/2/", "/blog/de/page/2/", "/blog/ar/"]),
        ("de/page/2/index.html", ["/blog/page/2/", "/blog/de/page/2/", "/blog/ar/"]),
    ] {
        let html = output.html(file);
        assert_eq!(html.all(".languages a", "href"), expected, "{file}");
        let alternates = html.all("link[hreflang]", "hreflang");
        assert_eq!(alternates, ["en", "de", "x-default"], "{file}");
    }
}

/// The card and the clips of a text that is not translated are those of the original.
#[test]
fn an_untranslated_text_has_the_card_and_the_clips_of_the_original() {
    let output = multilingual()
        .replace(
            "content/items/walk/index.md",
            "podcast = { season = 1,",
            "podcast = { soundbites = [{ startTime = 0, duration = 0.5 }], season = 1,",
        )
        .build();
    let card =
        |file: &str| output.html(file).attribute("meta[property='og:image']", "content").unwrap();
    for (text, own) in [
        ("i/photo/", ["de/", "ar/"]),
        ("i/walk/", ["ar/", "ar/"]),
        ("about/", ["ar/", "ar/"]),
        ("notes/", ["ar/", "ar/"]),
    ] {
        let original = card(&format!("{text}index.html"));
        assert!(original.contains("/blog/") && !original.contains("/ar/"), "{original}");
        for mount in own {
            assert_eq!(card(&format!("{mount}{text}index.html")), original, "{mount}{text}");
        }
    }
    let files = output.files();
    let repeated = files.iter().filter(|file| {
        let is_card = file.ends_with("/card.png") || file.ends_with("/card.jpg");
        (is_card || file.contains("/clips/")) && file.starts_with("ar/i/")
    });
    assert_eq!(repeated.collect::<Vec<_>>(), ["ar/i/yawm/card.png"]);
    assert!(output.has("i/walk/clips/0-0.5/index.html"));
    let arabic = output.html("ar/i/walk/index.html");
    let links = arabic.all("a[href*='/clips/']", "href");
    assert!(
        !links.is_empty() && links.iter().all(|link| link.starts_with("/blog/i/walk/clips/")),
        "{links:?}"
    );
}

#[test]
fn each_language_has_its_calendars() {
    let event = |summary: &str| {
        format!("+++\nsummary = \"{summary}\"\nstart = \"2027-01-02T10:00\"\n+++\n[[walk]]\n")
    };
    let output = multilingual()
        .write("content/calendars/tours/calendar.toml", "summary = \"Tours\"\n")
        .write("content/calendars/tours/meeting.md", &event("Meeting"))
        .write("content/calendars/tours/meeting.de.md", &event("Treffen"))
        .write("content/calendars/tours/all.md", &event("All"))
        .write("content/calendars/tours/only.ar.md", &event("Only"))
        .build();
    for (mount, expected) in
        [("", ["All", "Meeting"]), ("de/", ["All", "Treffen"]), ("ar/", ["All", "Meeting"])]
    {
        for file in ["calendar.ics", "calendars/tours.ics"] {
            let calendar = output.text(&format!("{mount}{file}"));
            let summaries = calendar.lines().filter_map(|line| line.strip_prefix("SUMMARY:"));
            let mut summaries: Vec<&str> = summaries.collect();
            summaries.sort_unstable();
            let expected = expected.iter().copied().chain((mount == "ar/").then_some("Only"));
            assert_eq!(summaries, expected.collect::<Vec<_>>(), "{mount}{file}");
        }
        let home = output.html(&format!("{mount}index.html"));
        let links = home.all("link[type='text/calendar']", "href");
        assert_eq!(links, [format!("https://walks.example/blog/{mount}calendar.ics")]);
    }
    assert!(output.text("de/calendar.ics").replace("\r\n ", "").contains("/blog/de/i/weg/"));
    assert!(output.text("_headers").contains("/de/calendars/*"));
}

/// Links, scripts, pictures and feeds of all pages are files of the site.
#[test]
fn every_link_leads_to_a_file() {
    let output = multilingual().build();
    let mut checked = 0;
    for file in pages(&output) {
        let html = output.html(&file);
        let mut links = html.all("[href]", "href");
        links.extend(html.all("[src]", "src"));
        for link in links {
            let own = link.strip_prefix("https://walks.example").unwrap_or(&link);
            assert!(!own.starts_with('/') || own.starts_with("/blog/"), "{file}: {link}");
            let Some(path) = own.strip_prefix("/blog/") else { continue };
            let path = path.split(['?', '#']).next().unwrap();
            let path = percent_encoding::percent_decode_str(path).decode_utf8().unwrap();
            let folder = path.is_empty() || path.ends_with('/');
            let target = if folder { format!("{path}index.html") } else { path.into_owned() };
            assert!(output.has(&target), "{file}: {link}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn the_switch_stays_on_the_same_text_or_list() {
    let output = multilingual().build();
    let switch = |file: &str| -> Vec<String> {
        let html = output.html(file);
        assert_eq!(html.all(".languages a", "hreflang"), ["en", "de", "ar"], "{file}");
        assert_eq!(html.all(".languages a", "lang"), ["en", "de", "ar"], "{file}");
        let links = html.all(".languages a", "href").into_iter();
        links.map(|link| link.strip_prefix("/blog").unwrap().to_owned()).collect()
    };
    let cases = [
        ("index.html", ["/", "/de/", "/ar/"]),
        ("i/walk/index.html", ["/i/walk/", "/de/i/weg/", "/ar/i/walk/"]),
        ("de/i/weg/index.html", ["/i/walk/", "/de/i/weg/", "/ar/i/walk/"]),
        ("de/i/photo/index.html", ["/i/photo/", "/de/i/photo/", "/ar/i/photo/"]),
        ("de/i/nur/index.html", ["/", "/de/i/nur/", "/ar/"]),
        ("de/ueber/index.html", ["/about/", "/de/ueber/", "/ar/about/"]),
        ("de/notizen/index.html", ["/notes/", "/de/notizen/", "/ar/notes/"]),
        ("de/archive/index.html", ["/archive/", "/de/archive/", "/ar/archive/"]),
        ("de/search/index.html", ["/search/", "/de/search/", "/ar/search/"]),
        ("ar/subscribe/index.html", ["/subscribe/", "/de/subscribe/", "/ar/subscribe/"]),
        ("tags/sea/index.html", ["/tags/sea/", "/de/tags/sea/", "/ar/tags/sea/"]),
        ("de/albums/index.html", ["/albums/", "/de/albums/", "/ar/albums/"]),
        ("de/404.html", ["/", "/de/", "/ar/"]),
    ];
    for (file, expected) in cases {
        assert_eq!(switch(file), expected, "{file}");
    }
    let german = output.html("de/i/weg/index.html");
    assert_eq!(german.all(".languages [aria-current]", "hreflang"), ["de"]);
    assert_eq!(german.texts(".languages summary"), ["Sprache: Deutsch"]);
    assert_eq!(german.texts(".languages a"), ["English", "Deutsch", "العربية"]);
}

#[test]
fn an_untranslated_text_states_its_language() {
    let output = multilingual().build();
    for (file, title) in [
        ("ar/i/walk/index.html", "h1.p-name"),
        ("ar/about/index.html", "h1"),
        ("ar/notes/index.html", "h1"),
    ] {
        let html = output.html(file);
        assert_eq!(html.attribute("html", "lang").as_deref(), Some("ar"), "{file}");
        assert_eq!(html.texts(".also-in")[0], "اللغة: English", "{file}");
        assert_eq!(html.attribute(title, "lang").as_deref(), Some("en"), "{file}");
        assert_eq!(html.all(".prose[lang]", "lang"), ["en"], "{file}");
        assert_eq!(html.all(".prose[lang]", "dir"), ["auto"], "{file}");
        let canonical = html.attribute("link[rel='canonical']", "href").unwrap();
        assert!(!canonical.contains("/ar/"), "{canonical}");
        let shared = html.attribute("meta[property='og:url']", "content");
        assert_eq!(shared, Some(canonical), "{file}");
    }
    let translated = output.html("de/i/weg/index.html");
    // The language switch has the links to translations.
    assert!(translated.texts(".also-in").is_empty());
    assert_eq!(translated.all(".languages [hreflang='en']", "href"), ["/blog/i/walk/"]);
    let sitemap = output.text("ar/sitemap.xml");
    assert!(sitemap.contains("/ar/i/") && !sitemap.contains("/ar/i/walk/"), "{sitemap}");
}

#[test]
fn hosts_serve_each_language() {
    let output = multilingual().build();
    insta::assert_snapshot!("headers", output.text("_headers"));
    insta::assert_snapshot!("redirects", output.text("_redirects"));
    let lines = |file: &str, part: &str| -> String {
        let text = output.text(file);
        let lines = text.lines().filter(|line| line.contains(part));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let not_found =
        ["feedwright.nginx.conf", "feedwright.caddy", ".htaccess"].map(|file| lines(file, "404"));
    insta::assert_snapshot!("not_found", not_found.join("\n"));
}

#[test]
fn the_preview_answers_in_the_language_of_a_path() {
    let site = multilingual().replace("site.toml", "walks.example/blog", "walks.example");
    let server = preview_server::serve(site.root());
    let to = |path: &str| {
        let reply = server.get(path);
        assert_eq!(reply.status, 301, "{path}");
        reply.field("location").to_owned()
    };
    // The addresses of a text are below the path of its language.
    assert_eq!(server.get("/i/weg/").status, 404);
    assert_eq!(to("/de/i/gang/"), "/de/i/weg/");
    assert_eq!(to("/alt/weg.html"), "/de/i/weg/");
    assert_eq!(to("/de/ich/"), "/de/ueber/");
    assert_eq!(to("/de/alt/"), "/de/ueber/");
    assert_eq!(to("/old/"), "/about/");
    assert_eq!(to("/de/ueber"), "/de/ueber/");
    for (path, title) in [("/de/none/", "Nichts"), ("/none/", "Page not found")] {
        let reply = server.get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.text().contains(&format!("<h1>{title}</h1>")), "{path}");
    }
}

/// A site in one language gets several.
#[test]
fn addresses_of_texts_that_move_below_the_path_of_a_language_are_kept() {
    let german = "language = \"de\"\ndate_published = 2026-01-01\n";
    let config = "base_url = \"https://example.com\"\n";
    let site = small_site::site()
        .with("site.toml", config)
        .with(
            "content/items/gang.md",
            format!("+++\ntitle = \"Gang\"\nslug = \"gang\"\nid = \"g\"\n{german}+++\n"),
        )
        .with("content/pages/wir.md", format!("+++\ntitle = \"Wir\"\nid = \"w\"\n{german}+++\n"));
    site.built();
    site.write("site.toml", format!("{config}[languages]\ndefault = \"en\"\nothers = [\"de\"]\n"));
    insta::assert_snapshot!("moved", site.report());
    small_site::feedwright(&site, &["check", "--fix"]);
    assert!(site.read("content/items/gang.md").contains("aliases = [\"/i/gang/\"]"));
    site.write("content/redirects.toml", "\"/wir/\" = \"/de/wir/\"\n");
    assert!(site.built().warnings.is_empty());
    for (from, to) in [("i/gang", "/de/i/gang/"), ("wir", "/de/wir/")] {
        let page = site.read(&format!("public/{from}/index.html"));
        assert!(page.contains(&format!("url={to}")), "{from}: {page}");
    }
}

#[test]
fn drafts_are_built_beside_untranslated_texts() {
    let text = |title: &str, more: &str| {
        format!(
            "+++\ntitle = {title:?}\nslug = \"x\"\nid = \"{}\"\n{more}+++\n{title} text.\n",
            title.to_lowercase()
        )
    };
    let slug = |slug: &str, text: String| text.replace("slug = \"x\"", &format!("slug = {slug:?}"));
    let config = "base_url = \"https://example.com\"\n[languages]\ndefault = \"en\"\nothers = [\"de\", \"fr\"]\nuntranslated = \"show\"\n";
    let (draft, later) = ("status = \"unpublished\"\n", "date_published = 2999-01-01\n");
    let mut site = small_site::bare().with("site.toml", config);
    for kind in ["items", "pages"] {
        for (name, original, translation) in [("a", "", draft), ("b", draft, ""), ("c", later, "")]
        {
            let path = format!("content/{kind}/{name}");
            let title = |language: &str| format!("{kind}-{name}-{language}");
            site = site
                .with(&format!("{path}.md"), slug(name, text(&title("en"), original)))
                .with(&format!("{path}.de.md"), slug(name, text(&title("de"), translation)));
        }
    }
    let shown = |out: &str| -> Vec<String> {
        let kinds = [("items", "i/"), ("pages", "")];
        let all = kinds.iter().flat_map(|(kind, below)| {
            ["", "de/", "fr/"].map(|mount| {
                let title = |name: &str| {
                    let file = site.path(out).join(format!("{mount}{below}{name}/index.html"));
                    let html = std::fs::read_to_string(file).unwrap_or_default();
                    let found = ["en", "de"].into_iter().filter(|language| {
                        html.contains(&format!("{kind}-{name}-{language} text."))
                    });
                    found.collect::<Vec<_>>().join("+")
                };
                ["a", "b", "c"].map(|name| format!("{name}:{}", title(name))).join(" ")
            })
        });
        all.collect()
    };
    site.built();
    let of_kind = ["a:en b: c:", "a:en b:de c:de", "a:en b: c:"];
    assert_eq!(shown("public"), [of_kind, of_kind].concat());
    let fresh = || {
        let fresh = small_site::bare();
        small_site::copy(site.root(), fresh.root());
        ["public", ".feedwright"].iter().for_each(|folder| fresh.remove(folder));
        fresh.built();
        assert_eq!(site.output(), fresh.output());
    };
    // A draft changes, is published, and is a draft again.
    let german =
        |more: &str, text_of: &str| slug("a", text("items-a-de", more)).replace("text.", text_of);
    for (text, expected) in [
        (german(draft, "new text."), "a:en b:de c:de"),
        (german("", "text."), "a:de b:de c:de"),
        (german(draft, "text."), "a:en b:de c:de"),
    ] {
        site.write("content/items/a.de.md", text);
        site.built();
        assert_eq!(shown("public")[1], expected);
        fresh();
    }
    let (code, out, err) =
        small_site::feedwright(&site, &["build", "--drafts", "--future", "--out", "all"]);
    assert_eq!(code, 0, "{out}{err}");
    let of_kind = ["a:en b:en c:en", "a:de b:de c:de", "a:en b:en c:en"];
    assert_eq!(shown("all"), [of_kind, of_kind].concat());
    let server = preview_server::serve(site.root());
    server.wait_for("/i/a/", "items-a-en text.");
    server.wait_for("/de/b/", "pages-b-de text.");
}
