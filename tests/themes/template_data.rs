//! The shapes that themes and clients of the published service draw from.

use serde_json::{Value, json};

use crate::support::served::serve;
use crate::support::small_site::site;
use crate::support::{Output, SMALL_SITE, Site};

/// A site of every kind of item, whose pages show what a template prints.
fn build_showing(site: Site, template: &str) -> Output {
    let slot = format!("<main><pre>{template}</pre></main>");
    let mut site = site.theme("probe");
    for name in ["feed", "item", "page", "search"] {
        site = site.write(&format!("themes/probe/slots/{name}.html"), &slot);
    }
    site.build()
}

fn shown_text(output: &Output, path: &str) -> String {
    output.html(path).one("pre")
}

fn sample_site() -> Site {
    Site::fixture("small-site")
}

#[test]
fn the_year_is_replaced_in_every_spelling() {
    for tag in [
        "{{current_year}}", "{{ current_year }}", "{{\\tcurrent_year}}", "{{{current_year}}}",
        "{{{ current_year }}}", "{{&current_year}}", "{{ & current_year}}",
    ] {
        let site = Site::empty()
            .write(
                "content/channel.md",
                &format!("+++\ntitle = \"A\"\ncopyright = \"© 2020–{tag} {{{{ me }}}} {{\"\n+++\n"),
            )
            .write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"A\"\n+++\n")
            .write("site-files/now.txt", "{{{_service.copyright}}}");
        let output = build_showing(site, "{{{_service.copyright}}}");
        let notice = "© 2020–2026 {{ me }} {";
        assert_eq!(output.json("feed.json")["_service"]["copyright"], notice, "{tag}");
        assert_eq!(output.json("i/a/item.json")["_service"]["copyright"], notice);
        for file in ["rss.xml", "i/a/item.rss"] {
            let element = format!("<copyright>{notice}</copyright>");
            assert!(output.text(file).contains(&element), "{file} {tag}");
        }
        assert_eq!(shown_text(&output, "index.html"), notice);
        assert_eq!(output.text("now.txt"), notice);
    }
}

#[test]
fn a_channel_without_a_copyright_notice_gets_a_default() {
    let channel = |keys: &str| {
        let channel = format!("+++\ntitle = \"Walks\"\n{keys}+++\n");
        Site::empty().write("content/channel.md", &channel).build()
    };
    for (keys, notice) in [
        ("", "© 2026 Walks"),
        ("publisher = \"The Guild\"\n", "© 2026 The Guild"),
        ("copyright = \"None\"\n", "None"),
    ] {
        let output = channel(keys);
        assert_eq!(output.json("feed.json")["_service"]["copyright"], notice);
        let element = format!("<copyright>{notice}</copyright>");
        assert!(output.text("rss.xml").contains(&element), "{notice}");
        assert!(output.html("index.html").one("footer p").contains(notice));
    }
}

#[test]
fn link_attachments_are_in_templates_but_not_in_documents() {
    let template = "{{#items}}{{id}} {{_service.is_external_url}} {{#attachments}}{{{url}}}{{/attachments}} {{attachments.length}};{{/items}}";
    let output = build_showing(
        sample_site().replace("site.toml", "items_per_page = 4", "items_per_page = 300"),
        template,
    );
    let context = shown_text(&output, "index.html");
    let feeds = ["feed.json", "feed/2.json"].map(|file| output.json(file));
    let items = feeds.iter().flat_map(|feed| feed["items"].as_array().unwrap());
    let mut links = 0;
    for item in items {
        let id = item["id"].as_str().unwrap();
        let is_link = item["_service"]["is_external_url"] == true;
        let attachments = item.get("attachments").cloned().unwrap_or(json!([]));
        if is_link {
            links += 1;
            assert_eq!(attachments, json!([]), "{id}");
            let expected = format!("{id} true {} 1;", item["external_url"].as_str().unwrap());
            assert!(context.contains(&expected), "{expected}: {context}");
        } else {
            assert!(context.contains(&format!("{id} false ")), "{id}: {context}");
            assert!(attachments.as_array().unwrap().iter().all(|one| one["mime_type"].is_string()));
        }
    }
    assert_eq!(links, 2, "one names a page by `url`, one as its attachment");
    let rss = output.text("rss.xml") + &output.text("rss/2.xml");
    assert!(!rss.contains("<enclosure url=\"https://elsewhere.example"));
}

#[test]
fn a_link_round_trips_through_the_api() {
    const LINK: &str = "+++\nid = \"link\"\ntitle = \"A link\"\nslug = \"link\"\nurl = \"https://elsewhere.example/a\"\n\n[podcast]\nseason = 2\nepisode = 3\n+++\nText.\n";
    const LINK_WITH_ATTACHMENT: &str = "+++\nid = \"pointer\"\ntitle = \"A pointer\"\nslug = \"pointer\"\nattachment = { url = \"https://elsewhere.example/b\", category = \"external_url\" }\n+++\nText.\n";
    let served = serve(
        site()
            .with("content/items/link.md", LINK)
            .with("content/items/pointer.md", LINK_WITH_ATTACHMENT),
    );
    for (id, text) in [("link", LINK), ("pointer", LINK_WITH_ATTACHMENT)] {
        let feed = served.read(&format!("/items/{id}/")).ok();
        let item = &feed["items"][0];
        assert_eq!(item["attachments"], json!([{ "url": item["external_url"] }]));
        assert_eq!(item["_service"]["is_external_url"], true);
        let mut sent = item.clone();
        sent["_service"].as_object_mut().unwrap().remove("slug");
        served.put(&format!("/items/{id}/"), &sent).ok();
        let read = served.site.read(&format!("content/items/{id}.md"));
        assert_eq!(read, text);
    }
    // Another address is one that the item has from now on, whatever it linked to.
    let sent = json!({ "attachments": [{ "url": "https://elsewhere.example/c.pdf" }] });
    let item = served.put("/items/link/", &sent).ok();
    assert_eq!(item["_service"]["is_document"], true);
    // What takes the link's place is not what the link showed.
    let sent = json!({ "url": null, "attachments": [{ "url": "https://elsewhere.example/b" }] });
    let item = served.put("/items/pointer/", &sent).ok();
    assert_eq!(item["attachments"][0]["url"], "https://elsewhere.example/b");
}

#[test]
fn apple_numbers_default_to_the_podcast_namespace() {
    let item = |keys: &str| {
        let site = Site::empty().write(
            "content/items/a.md",
            &format!("+++\nid = \"a\"\ntitle = \"A\"\nslug = \"a\"\n{keys}+++\n"),
        );
        let output = build_showing(
            site,
            "{{#items}}{{_service.itunes:season}}.{{_service.itunes:episode}}{{/items}}",
        );
        let own = &output.json("feed.json")["items"][0]["_service"];
        let number = |key: &str| own.get(key).map(Value::to_string).unwrap_or_default();
        let both = format!("{}.{}", number("itunes:season"), number("itunes:episode"));
        assert_eq!(shown_text(&output, "i/a/index.html"), both, "{keys}");
        let rss = output.text("rss.xml");
        for (key, number) in
            [("season", number("itunes:season")), ("episode", number("itunes:episode"))]
        {
            let element = format!("<itunes:{key}>{number}</itunes:{key}>");
            assert_eq!(rss.contains(&element), !number.is_empty(), "{keys}: {element}");
        }
        both
    };
    assert_eq!(item("[podcast]\nseason = 2\nepisode = 7\n"), "2.7");
    assert_eq!(
        item(
            "[podcast]\nseason = { number = 2, name = \"Two\" }\nepisode = { number = 7, display = \"7th\" }\n"
        ),
        "2.7"
    );
    assert_eq!(item("itunes = { season = 3 }\n[podcast]\nseason = 2\nepisode = 7.5\n"), "3.");
    assert_eq!(item("[podcast]\nseason = 0\nepisode = 0\n"), ".");
    assert_eq!(item(""), ".");
}

#[test]
fn every_head_has_the_channel_favicon_once() {
    for output in [
        &sample_site().build(),
        &sample_site()
            .theme("renamed")
            .config("namespace = \"microfeed\"")
            .write("site-files/index.txt", "")
            .build(),
    ] {
        for path in [
            "index.html", "i/hello/index.html", "about/index.html", "404.html", "search/index.html",
        ] {
            let page = output.html(path);
            assert_eq!(page.all("head link[rel=icon]", "href"), ["/media/favicon.svg"], "{path}");
            assert_eq!(page.all("link[rel=icon]", "type"), ["image/svg+xml"]);
        }
    }
    let without = Site::empty().build().html("index.html");
    assert!(without.all("link[rel=icon]", "href")[0].ends_with("/assets/icon.svg"));
}

#[test]
fn missing_navigation_values_are_empty_strings() {
    let pages = sample_site()
        .write("content/pages/plain.md", "+++\ntitle = \"Plain\"\n+++\n")
        .write("content/pages/shown.md", "+++\ntitle = \"Shown\"\nshow_in_navigation = true\n+++\n")
        .write(
            "site-files/index.txt",
            "{{#pages}}{{slug}} [{{navigation_label}}] {{navigation_order}};{{/pages}}",
        );
    let template = "[{{page.navigation_label}}] {{page.navigation_order}};{{#navigation_pages}}{{navigation_label}} {{navigation_order}},{{/navigation_pages}}";
    let output = build_showing(pages, template);
    assert_eq!(shown_text(&output, "plain/index.html"), "[] 0;Contact 1,About 2,Shown 0,");
    assert_eq!(shown_text(&output, "about/index.html"), "[About] 2;Contact 1,About 2,Shown 0,");
    assert!(output.text("index.txt").contains("plain [] 0;"));

    let served = serve(site().with(
        "content/pages/plain.md",
        "+++\nid = \"plain\"\ntitle = \"Plain\"\nslug = \"plain\"\nshow_in_navigation = true\n+++\n",
    ));
    let page = served.read("/pages/plain/").ok();
    assert_eq!((&page["navigation_label"], &page["navigation_order"]), (&json!(""), &json!(0)));
    let before = served.site.read("content/pages/plain.md");
    served.put("/pages/plain/", &page).ok();
    assert_eq!(served.site.read("content/pages/plain.md"), before);
}

#[test]
fn search_results_are_a_list() {
    let template = "{{#search}}{{results.length}} results{{#results}}x{{/results}}{{/search}}";
    let output = build_showing(sample_site(), template);
    assert_eq!(shown_text(&output, "search/index.html"), "0 results");
    assert_eq!(shown_text(&output, "index.html"), "");
}

#[test]
fn an_item_without_authors_has_the_channel_authors() {
    let template = "{{#items}}{{id}}:{{#authors}}{{name}}={{{url}}},{{/authors}}{{_service.authors.length}};{{/items}}";
    let output = build_showing(sample_site(), template);
    let text = shown_text(&output, "index.html");
    let own = "hello000001:Bo Writer=,The Guild=https://guild.example/,2;";
    assert!(text.contains(own), "{text}");
    let channel = "link0000001:Ada Example=https://ada.example/,The Guild=,;";
    assert!(text.contains(channel), "{text}");
    let item = &SMALL_SITE.json("feed.json")["items"][1];
    assert_eq!((&item["id"], item.get("authors")), (&json!("link0000001"), None));
    // The default theme names an item's own alone.
    let names = SMALL_SITE.html("i/hello/index.html").texts(".byline .p-author");
    assert_eq!(names, ["Bo Writer", "The Guild"]);
    let link = SMALL_SITE.html("i/a-link-link0000001/index.html");
    assert_eq!(link.texts(".byline .p-author"), [""; 0]);
}

#[test]
fn an_untitled_item_has_a_title_in_lists() {
    let site = Site::empty()
        .write(
            "content/items/a.md",
            "+++\nid = \"words\"\nslug = \"words\"\n+++\nSome *words* & more.\n",
        )
        .write(
            "content/items/b.md",
            "+++\nid = \"dated\"\ndate_published = 2026-01-05T00:00:00Z\n+++\n",
        )
        .write("content/items/c.md", "+++\nid = \"bare\"\nslug = \"bare-one\"\n+++\n");
    let template = "{{title}}:{{#items}}{{id}}={{title}}{{#_service.is_untitled}}!{{/_service.is_untitled}};{{/items}}";
    let output = build_showing(site, template);
    let list = shown_text(&output, "index.html");
    for expected in ["words=Some words & more.!;", "dated=Jan 5, 2026!;", "bare=bare-one!;"] {
        assert!(list.contains(expected), "{list}");
    }
    assert_eq!(shown_text(&output, "i/words/index.html"), "Channel:words=!;");
    for item in output.json("feed.json")["items"].as_array().unwrap() {
        assert_eq!(item["title"], "");
    }
}

#[test]
fn a_channel_without_subscribe_links_has_its_feeds() {
    let methods =
        |output: &Output| output.json("feed.json")["_service"]["subscribe_methods"].clone();
    let output = build_showing(
        Site::empty(),
        "{{#_service.subscribe_methods}}{{name}} {{type}} {{{url}}} {{editable}};{{/_service.subscribe_methods}}",
    );
    let method = |id: &str, name: &str, url: &str| json!({ "id": id, "name": name, "type": id, "url": url, "enabled": true, "editable": false });
    let json = method("json", "JSON Feed", "https://example.com/feed.json");
    assert_eq!(
        methods(&output),
        json!([method("rss", "RSS", "https://example.com/rss.xml"), json])
    );
    assert_eq!(
        shown_text(&output, "index.html"),
        "RSS rss /rss.xml false;JSON Feed json /feed.json false;"
    );
    let without = Site::empty()
        .write("site.toml", "base_url = \"https://example.com\"\n[feed]\nrss = false\n");
    assert_eq!(methods(&without.build()), json!([json]));
    assert_eq!(methods(&SMALL_SITE)[0]["name"], "Some App");
    assert_eq!(methods(&SMALL_SITE).as_array().unwrap().len(), 1);
}

#[test]
fn no_theme_prints_raw_json() {
    let keys = [
        "_service", "_service.publisher", "_service.podcast", "_service.categories",
        "_service.seo", "_theme", "authors", "items", "items.0", "items.0._service",
        "items.0.attachments", "items.0.authors", "item", "item._service.podcast", "page", "tag",
        "search", "navigation_pages", "upcoming_events", "_service.subscribe_methods",
    ];
    let template: String =
        keys.iter().map(|key| format!("{key}=[{{{{{key}}}}}{{{{{{{key}}}}}}}]\n")).collect();
    let output = build_showing(sample_site(), &template);
    for path in [
        "index.html", "i/an-episode/index.html", "about/index.html", "search/index.html",
        "tags/first-tag/index.html",
    ] {
        let text = shown_text(&output, path);
        assert!(!text.contains(['{', '"']), "{path}: {text}");
        // Who publishes the channel is a name to whoever prints it.
        assert!(text.contains("_service.publisher=[The GuildThe Guild]"), "{path}: {text}");
        assert!(text.contains("authors=[]"), "{path}: {text}");
    }
    // In Site Files, JSON may be what is wanted.
    let site = sample_site().write("site-files/index.txt", "{{{_service.publisher}}}");
    assert!(site.build().text("index.txt").starts_with("{\"name\":"));
}

#[test]
fn the_default_theme_shows_the_picture_of_a_link_item() {
    let picture = "+++\nid = \"pic\"\nslug = \"pic\"\ntitle = \"A link\"\nimage = \"photo/leaf.jpg\"\nurl = \"https://elsewhere.example/\"\n+++\n";
    let output = sample_site().write("content/items/pic.md", picture).build();
    assert_eq!(output.html("i/pic/index.html").all("main img.u-photo", "src").len(), 1);
}
