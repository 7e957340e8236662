//! Nothing of a text is lost on its way from another generator, and old addresses lead on.

use std::path::PathBuf;

use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

use crate::support::program;
use crate::support::small_site::{SmallSite, bare};

/// Writes the files of a site below `write_source_site`.
fn write_source_site(files: &[(&str, &str)]) -> (SmallSite, PathBuf) {
    let site = bare();
    for (path, text) in files {
        site.write(&format!("old/{path}"), text);
    }
    let folder = site.path("old");
    (site, folder)
}

fn run(arguments: &[&str], site: &SmallSite) -> (String, String) {
    let mut command = program::command();
    let ran = program::run(command.args(arguments).arg("--site").arg(site.path("site"))).ok();
    (ran.out, ran.err)
}

/// Imports a folder or a file and returns the report.
fn import(site: &SmallSite, kind: &str, source: &str) -> Value {
    let (report, _) = run(&["import", kind, source, "--json"], site);
    serde_json::from_str(&report).unwrap()
}

/// Paragraphs, links, images and footnotes of a Markdown text.
fn element_counts(text: &str) -> [usize; 4] {
    let options = Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES;
    let mut counts = [0; 4];
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Paragraph) => counts[0] += 1,
            Event::Start(Tag::Link { .. }) => counts[1] += 1,
            Event::Start(Tag::Image { .. }) => counts[2] += 1,
            Event::FootnoteReference(_) | Event::Start(Tag::FootnoteDefinition(_)) => {
                counts[3] += 1
            }
            _ => {}
        }
    }
    counts
}

const BODY: &str = "First with a [link](https://a.example/) and a note.[^1]\n\nSecond with ![A boat](boat.jpg) and <https://b.example/>.\n\n\
    - a list\n- of [two](https://c.example/ \"C\")\n\n> Quoted, with *stress*.\n\n| a | b |\n| --- | --- |\n| [d](https://d.example/) | e |\n\n\
    Third[^2] and `[no link](x)`.\n\n[^1]: One.\n\n[^2]: Two, with a [link](https://e.example/).\n";

const VIDEOS: [&str; 2] = ["https://www.youtube.com/watch?v=abc123", "https://vimeo.com/12345"];

#[test]
fn imports_keep_all_paragraphs_links_images_embeds_and_footnotes() {
    let figure = "![A quay](boat.jpg \"At sea\")";
    for (generator, settings, path, tags) in [
        (
            "hugo",
            ("hugo.toml", "baseURL = 'https://t.example/'"),
            "content/posts/a.md",
            vec![
                ("{{< youtube abc123 >}}", VIDEOS[0]),
                ("{{< vimeo id=\"12345\" >}}", VIDEOS[1]),
                ("{{< figure src=\"boat.jpg\" alt=\"A quay\" caption=\"At sea\" >}}", figure),
            ],
        ),
        (
            "jekyll",
            ("_config.yml", "url: https://t.example"),
            "_posts/2024-01-01-a.md",
            vec![
                ("{% include youtube.html id=\"abc123\" %}", VIDEOS[0]),
                ("{% include embeds/vimeo.html id=\"12345\" %}", VIDEOS[1]),
            ],
        ),
        (
            "zola",
            ("config.toml", "base_url = 'https://t.example'"),
            "content/blog/a.md",
            vec![
                ("{{ youtube(id=\"abc123\") }}", VIDEOS[0]),
                ("{{ vimeo(id=\"12345\") }}", VIDEOS[1]),
            ],
        ),
        (
            "eleventy",
            ("package.json", "{}"),
            "posts/a.md",
            vec![("{% youtube \"abc123\" %}", VIDEOS[0]), ("{% vimeo \"12345\" %}", VIDEOS[1])],
        ),
    ] {
        let front = match generator {
            "zola" => "+++\ntitle = 'A'\ndate = 2024-01-01\n+++\n",
            _ => "---\ntitle: A\ndate: 2024-01-01\n---\n",
        };
        let with_tags: String = tags.iter().map(|(tag, _)| format!("{tag}\n\n")).collect();
        let without: String = tags.iter().map(|(_, text)| format!("{text}\n\n")).collect();
        let text = format!("{front}{with_tags}{BODY}");
        let picture = format!("{}boat.jpg", &path[..path.rfind('/').unwrap() + 1]);
        let (site, folder) =
            write_source_site(&[(settings.0, settings.1), (path, &text), (&picture, "x")]);
        import(&site, generator, folder.to_str().unwrap());
        let written = match site.exists("site/content/items/a/index.md") {
            true => site.read("site/content/items/a/index.md"),
            false => site.read("site/content/items/a.md"),
        };
        let body = written.rsplit_once("+++\n").unwrap().1;
        assert_eq!(
            element_counts(body),
            element_counts(&format!("{without}{BODY}")),
            "{generator}: {body}"
        );
        for video in VIDEOS {
            assert!(body.lines().any(|line| line == video), "{generator}: {video}: {body}");
        }
    }
}

#[test]
fn jekyll_file_names_with_short_dates_are_parsed() {
    let (site, folder) = write_source_site(&[
        ("_config.yml", "title: T\nurl: https://t.example\n"),
        ("_posts/2020-6-4-shortdate.md", "---\ntitle: shortdate\n---\nx\n"),
        ("_posts/20-06-05-years.MD", "---\ntitle: years\n...\nBody of years.\n"),
    ]);
    import(&site, "jekyll", folder.to_str().unwrap());
    let text = site.read("site/content/items/shortdate.md");
    for part in [
        "2020-06-04",
        "slug = \"shortdate\"",
        "guid = \"https://t.example/2020/06/04/shortdate.html\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = site.read("site/content/items/years.md");
    assert!(text.contains("2020-06-05") && text.ends_with("Body of years.\n"), "{text}");
    assert!(text.contains("/2020/06/05/years.html"), "{text}");
}

#[test]
fn dates_in_every_format_of_the_generators_are_parsed() {
    for (generator, written) in [
        ("hugo", "Thu, 04 Jun 2020 10:00:00 +0000"),
        ("hugo", "2020-06-04 10:00:00 +0000 UTC"),
        ("hugo", "04 Jun 2020"),
        ("jekyll", "June 4, 2020"),
        ("jekyll", "2020-6-4 10:00"),
        ("jekyll", "4th June 2020 10:00 AM"),
        ("eleventy", "2020-06-04T10:00:00.000+02:00"),
    ] {
        let text = format!("---\ntitle: A\ndate: {written}\n---\nText.\n");
        let (settings, value, path) = match generator {
            "hugo" => ("hugo.toml", "baseURL = 'https://h.example/'", "content/posts/a.md"),
            "jekyll" => ("_config.yml", "url: https://h.example", "_posts/2019-01-01-a.md"),
            _ => ("package.json", "{}", "posts/a.md"),
        };
        let (site, folder) = write_source_site(&[(settings, value), (path, &text)]);
        let report = import(&site, generator, folder.to_str().unwrap());
        let text = site.read("site/content/items/a.md");
        assert!(
            text.contains("date_published = 2020-06-04") || text.contains("\"2020-06-04"),
            "{written}: {text}"
        );
        assert_eq!(report["hidden"], Value::Array(Vec::new()), "{written}");
    }
}

#[test]
fn each_invalid_value_is_reported_with_its_text() {
    let audio = "audio: {url: 'https://cdn.example/a.mp3', duration: soon, length: big}\n";
    let post = |fields: &str| format!("---\ntitle: A\ndate: 2024-01-01\n{fields}---\nText.\n");
    let (site, folder) = write_source_site(&[
        ("hugo.toml", "baseURL = 'https://h.example/'"),
        (
            "content/posts/a.md",
            &post(&format!("{audio}season: two\nexplicit: maybe\nlanguage: en_US\n")),
        ),
        ("content/posts/b.md", &post("season: two\nepisode: first\nlastmod: lately\n")),
        (
            "content/posts/c.md",
            &post(
                "audio: {url: 'https://cdn.example/c.mp3', duration: '01:02:03:04', length: '1,000'}\n",
            ),
        ),
    ]);
    let report = import(&site, "hugo", folder.to_str().unwrap());
    let places = |part: &str| -> Vec<String> {
        let notes = report["notes"].as_array().unwrap();
        let found = notes.iter().find(|note| note["message"].as_str().unwrap().contains(part));
        let places =
            found.unwrap_or_else(|| panic!("{part}: {report}"))["places"].as_array().unwrap();
        places.iter().map(|place| place.as_str().unwrap().to_owned()).collect()
    };
    let (a, b) = ("content/posts/a.md", "content/posts/b.md");
    for (part, expected) in [
        ("duration_in_seconds: soon", vec![a]),
        ("size_in_bytes: big", vec![a]),
        ("explicit: maybe", vec![a]),
        ("season: two", vec![a, b]),
        ("episode: first", vec![b]),
        ("lately", vec![b]),
    ] {
        assert_eq!(places(part), expected, "{part}");
    }
    assert!(site.read("site/content/items/a.md").contains("language = \"en-US\""));
    let text = site.read("site/content/items/c.md");
    assert!(
        text.contains("duration_in_seconds = 3723") && text.contains("size_in_bytes = 1000"),
        "{text}"
    );
}

#[test]
fn a_new_site_gets_the_title_and_addresses_of_the_source() {
    let (site, folder) = write_source_site(&[
        (
            "hugo.toml",
            "baseURL = 'https://tides.example/'\ntitle = 'Tides'\ntimeZone = 'Europe/Berlin'\n[params]\ndescription = 'Of the sea.'\n",
        ),
        ("content/posts/a.md", "---\ntitle: A\ndate: 2024-01-01\n---\nText.\n"),
        ("content/about.md", "---\ntitle: About us\n---\nWho we are.\n"),
    ]);
    let init_with = |options: &[&str]| {
        program::run(program::command().arg("init").args(options).arg(site.path("site"))).ok();
    };
    let init = || init_with(&[]);
    init();
    let report = import(&site, "hugo", folder.to_str().unwrap());
    let channel = site.read("site/content/channel.md");
    assert!(channel.contains("title = \"Tides\"") && channel.contains("Of the sea."), "{channel}");
    let settings = site.read("site/site.toml");
    assert!(settings.contains("base_url = \"https://tides.example\""), "{settings}");
    assert!(settings.contains("timezone = \"Europe/Berlin\""), "{settings}");
    assert!(settings.contains("[addresses]\nitems = \"/posts/{slug}/\""), "{settings}");
    assert!(!site.read("site/content/items/a.md").contains("aliases"));
    assert!(site.read("site/content/pages/about.md").contains("Who we are."));
    assert!(site.exists("site/content/items/hello.md"));
    let notes = report["notes"].as_array().unwrap();
    let example = notes.iter().find(|note| note["place"] == "content/items/hello.md");
    assert!(example.unwrap()["message"].as_str().unwrap().contains("remove it"), "{report}");
    run(&["build"], &site);
    assert!(site.exists("site/public/posts/a/index.html"));

    // What was changed by hand stays.
    site.remove("site");
    init();
    let channel = site.read("site/content/channel.md").replace("My site", "Mine");
    site.write("site/content/channel.md", channel);
    site.write("site/site.toml", "base_url = \"https://mine.example\"\n");
    import(&site, "hugo", folder.to_str().unwrap());
    assert!(site.read("site/content/channel.md").contains("Mine"));
    assert_eq!(site.read("site/site.toml"), "base_url = \"https://mine.example\"\n");

    // The examples of other languages and templates are known, too.
    for (options, example) in [
        (["--language", "pt-BR"], "content/items/hello.md"),
        (["--language", "ja"], "content/items/hello.md"),
        (["--template", "show"], "content/items/one-folder/index.md"),
    ] {
        site.remove("site");
        init_with(&options);
        let report = import(&site, "hugo", folder.to_str().unwrap());
        let channel = site.read("site/content/channel.md");
        assert!(channel.contains("title = \"Tides\""), "{options:?}: {channel}");
        let settings = site.read("site/site.toml");
        assert!(settings.contains("base_url = \"https://tides.example\""), "{settings}");
        assert!(site.read("site/content/pages/about.md").contains("Who we are."), "{options:?}");
        let mut notes = report["notes"].as_array().unwrap().iter();
        let note = notes.find(|note| note["message"].as_str().unwrap().contains("remove it"));
        let places = note.unwrap()["places"].as_array().unwrap();
        assert!(places.contains(&example.into()), "{report}");
    }
}

#[test]
fn two_languages_with_one_address_are_reported_and_the_site_builds() {
    let settings = "baseURL = 'https://t.example/'\ntitle = 'T'\n[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n";
    let post = |title: &str| {
        format!(
            "---\ntitle: {title}\ndate: 2024-01-01\nurl: /fog/\naliases: [/old-fog/]\n---\nText of {title}.\n"
        )
    };
    let (site, folder) = write_source_site(&[
        ("hugo.toml", settings),
        ("content/posts/fog.md", &post("Fog")),
        ("content/posts/fog.de.md", &post("Nebel")),
        ("content/about.md", "---\ntitle: About\nurl: /about/\n---\nUs.\n"),
        ("content/about.de.md", "---\ntitle: Wir\nurl: /about/\n---\nWir.\n"),
    ]);
    let report = import(&site, "hugo", folder.to_str().unwrap());
    let notes = report["notes"].to_string();
    for part in ["duplicate address /fog/", "duplicate address /about/", "content/posts/fog.md"] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    run(&["build"], &site);
    assert_eq!(report["items"], 2);
    assert!(site.read("site/public/fog/index.html").contains("Text of Fog"));
}

#[test]
fn a_taxonomy_that_becomes_tags_is_reported() {
    let hugo = "baseURL = 'https://t.example/'\n[taxonomies]\nseries = 'series'\ntag = 'tags'\n";
    let (site, folder) = write_source_site(&[
        ("hugo.toml", hugo),
        (
            "content/posts/a.md",
            "---\ntitle: A\ndate: 2024-01-01\ntags: [x]\nseries: [Deep]\n---\nText.\n",
        ),
    ]);
    let report = import(&site, "hugo", folder.to_str().unwrap());
    let notes = report["notes"].to_string();
    assert!(notes.contains("the taxonomy `series` became tags"), "{notes}");
    assert!(!notes.contains("the taxonomy `tags`"), "{notes}");
    let item = site.read("site/content/items/a.md");
    assert!(item.contains("\"Deep\"") && item.contains("series = \"Deep\""), "{item}");
}

#[test]
fn a_series_keeps_its_name_and_the_order_of_its_parts() {
    let post = "---\ntitle: A\ndate: 2024-01-01\nseries: Deep\nseries_order: 2\n---\nText.\n";
    let (site, folder) =
        write_source_site(&[("_config.yml", "title: T\n"), ("_posts/2024-01-01-a.md", post)]);
    let report = import(&site, "jekyll", folder.to_str().unwrap());
    let items = site.path("site/content/items");
    let item = std::fs::read_dir(items).unwrap().next().unwrap().unwrap();
    let item = std::fs::read_to_string(item.path()).unwrap();
    assert!(item.contains("[series]\nname = \"Deep\"\npart = 2\n"), "{item}");
    assert!(!report["notes"].to_string().contains("series"), "{report}");
}

/// The redirects that an import wrote.
fn redirects(site: &SmallSite) -> Vec<String> {
    let text = site.read("site/content/redirects.toml");
    text.lines().map(str::to_owned).collect()
}

fn assert_redirects(site: &SmallSite, expected: &[(&str, &str)]) {
    let redirects = redirects(site);
    for (from, to) in expected {
        let line = format!("\"{from}\" = \"{to}\"");
        assert!(redirects.contains(&line), "{line}: {redirects:#?}");
    }
    run(&["build"], site);
}

#[test]
fn hugo_feeds_redirect_to_the_new_feeds() {
    let (site, folder) = write_source_site(&[
        (
            "hugo.toml",
            "baseURL = 'https://t.example/'\ntitle = 'T'\n[languages.en]\nweight = 1\n[languages.de]\nweight = 2\n",
        ),
        (
            "content/posts/a.md",
            "---\ntitle: A\ndate: 2024-01-01\ntags: [Low Tide]\ncategories: [Sea]\n---\nText.\n",
        ),
        ("content/posts/deep/_index.md", "---\ntitle: Deep\n---\n"),
        ("content/posts/deep/b.de.md", "---\ntitle: B\ndate: 2024-01-02\n---\nText.\n"),
    ]);
    import(&site, "hugo", folder.to_str().unwrap());
    assert_redirects(
        &site,
        &[
            ("/index.xml", "/rss.xml"),
            ("/posts/index.xml", "/rss.xml"),
            ("/posts/deep/index.xml", "/posts/deep/rss.xml"),
            ("/de/index.xml", "/de/rss.xml"),
            ("/de/posts/index.xml", "/de/rss.xml"),
            ("/tags/index.xml", "/rss.xml"),
            ("/tags/low-tide/index.xml", "/tags/low-tide/rss.xml"),
            ("/categories/sea/index.xml", "/tags/sea/rss.xml"),
        ],
    );
    // Other names and formats of feeds.
    let settings = "baseURL: https://t.example/\ntitle: T\noutputs:\n  home: [html, rss, feedjson]\n  section: [html]\n\
        outputFormats:\n  RSS: {baseName: feed}\n  feedjson: {mediaType: application/feed+json, baseName: all}\n";
    let (site, folder) = write_source_site(&[
        ("hugo.yaml", settings),
        ("content/posts/a.md", "---\ntitle: A\ndate: 2024-01-01\n---\nText.\n"),
    ]);
    import(&site, "hugo", folder.to_str().unwrap());
    assert_redirects(&site, &[("/feed.xml", "/rss.xml"), ("/all.json", "/feed.json")]);
    assert!(!redirects(&site).iter().any(|line| line.contains("/posts/feed.xml")));
}

#[test]
fn jekyll_zola_and_eleventy_feeds_redirect_to_the_new_feeds() {
    let settings = "url: https://t.example\ntitle: T\nplugins: [jekyll-feed]\nfeed:\n  path: all.xml\n  categories: [sea]\n  tags: true\n\
        \x20 collections:\n    walks: {path: /walks.xml}\ncollections:\n  walks: {output: true}\n";
    let (site, folder) = write_source_site(&[
        ("_config.yml", settings),
        (
            "_posts/2024-01-01-a.md",
            "---\ntitle: A\ntags: [Low Tide]\ncategories: [sea]\n---\nText.\n",
        ),
        (
            "podcast.xml",
            "---\nlayout: null\n---\n<rss version='2.0'>{% for post in site.posts %}{% endfor %}</rss>\n",
        ),
        (
            "atom.html",
            "---\npermalink: /atom.xml\n---\n<feed xmlns='http://www.w3.org/2005/Atom'></feed>\n",
        ),
        ("sitemap.xml", "---\n---\n<urlset></urlset>\n"),
    ]);
    import(&site, "jekyll", folder.to_str().unwrap());
    assert_redirects(
        &site,
        &[
            ("/all.xml", "/rss.xml"),
            ("/feed/sea.xml", "/tags/sea/rss.xml"),
            ("/feed/by_tag/low-tide.xml", "/tags/low-tide/rss.xml"),
            ("/walks.xml", "/rss.xml"),
            ("/podcast.xml", "/rss.xml"),
            ("/atom.xml", "/rss.xml"),
        ],
    );
    assert!(!redirects(&site).iter().any(|line| line.contains("sitemap")));

    let settings = "base_url = 'https://t.example'\ntitle = 'T'\nfeed_filenames = ['atom.xml', 'news.xml']\ngenerate_feeds = true\n\
        taxonomies = [{ name = 'tags', feed = true }]\n[languages.de]\ngenerate_feeds = true\n";
    let (site, folder) = write_source_site(&[
        ("config.toml", settings),
        ("content/blog/_index.md", "+++\nsort_by = 'date'\ngenerate_feeds = true\n+++\n"),
        (
            "content/blog/a.md",
            "+++\ntitle = 'A'\ndate = 2024-01-01\n[taxonomies]\ntags = ['Low Tide']\n+++\nText.\n",
        ),
    ]);
    import(&site, "zola", folder.to_str().unwrap());
    assert_redirects(
        &site,
        &[
            ("/atom.xml", "/rss.xml"),
            ("/news.xml", "/rss.xml"),
            ("/de/atom.xml", "/rss.xml"),
            ("/blog/atom.xml", "/blog/rss.xml"),
            ("/tags/low-tide/news.xml", "/tags/low-tide/rss.xml"),
        ],
    );

    let (site, folder) = write_source_site(&[
        (
            "eleventy.config.js",
            "export default (c) => c.addPlugin(feed, { type: 'atom', outputPath: '/feed/feed.xml' });\n",
        ),
        ("_data/site.json", "{\"title\": \"T\", \"url\": \"https://t.example\"}"),
        ("posts/a.md", "---\ntitle: A\ndate: 2024-01-01\n---\nText.\n"),
        ("rss.njk", "---\npermalink: /show.xml\n---\n<rss version='2.0'></rss>\n"),
        (
            "json.njk",
            "---json\n{\"permalink\": \"/all.json\"}\n---\n{\"version\": \"https://jsonfeed.org/version/1.1\"}\n",
        ),
    ]);
    import(&site, "eleventy", folder.to_str().unwrap());
    assert_redirects(
        &site,
        &[("/feed/feed.xml", "/rss.xml"), ("/show.xml", "/rss.xml"), ("/all.json", "/feed.json")],
    );
}

#[test]
fn the_path_of_an_imported_feed_redirects_to_the_new_feed() {
    let feed = "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>T</title><link>https://t.example/</link>\
        <atom:link rel='self' href='https://t.example/blog/feed/'/>\
        <item><title>A</title><guid>a</guid><description>Text</description></item></channel></rss>";
    let (site, folder) = write_source_site(&[("feed.xml", feed)]);
    import(&site, "rss", folder.join("feed.xml").to_str().unwrap());
    assert_redirects(&site, &[("/blog/feed/", "/rss.xml")]);

    let export = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/import/wordpress.xml");
    let site = bare();
    import(&site, "wordpress", export);
    assert_redirects(&site, &[("/feed/", "/rss.xml"), ("/feed/atom/", "/rss.xml")]);
    let export = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/import/ghost.json");
    let site = bare();
    run(&["import", "ghost", export, "--base-url", "https://t.example"], &site);
    assert_redirects(&site, &[]);
}
