//! Items, and Pages, that say the same in other languages lead to each other.

use serde_json::json;

use crate::support::served::serve;
use crate::support::small_site;
use crate::support::xml_tree::{self, Element};
use crate::support::{Output, Site};

fn site(more: &[(&str, &str)]) -> Site {
    let site = Site::empty()
        .write("site.toml", "base_url = \"https://walks.example\"\n")
        .write("content/channel.md", "+++\ntitle = \"Walks\"\nlanguage = \"en\"\n+++\n");
    more.iter().fold(site, |site, (name, front)| {
        let text = format!(
            "+++\ntitle = {name:?}\nslug = {name:?}\ndate = 2026-01-05\n{front}\n+++\nText.\n"
        );
        site.write(&format!("content/items/{name}.md"), &text)
    })
}

/// The same with Pages.
fn with_pages(site: Site, more: &[(&str, &str)]) -> Site {
    more.iter().fold(site, |site, (name, front)| {
        let text = format!("+++\ntitle = {name:?}\n{front}\n+++\nText.\n");
        site.write(&format!("content/pages/{name}.md"), &text)
    })
}

/// The addresses of a sitemap that have translations, each with its languages and their addresses.
fn sitemap_translations(output: &Output) -> Vec<(String, Vec<(String, String)>)> {
    let link = |link: &Element| {
        assert_eq!(link.attribute("rel"), Some("alternate"));
        let of = |name| link.attribute(name).unwrap().to_owned();
        (of("hreflang"), of("href"))
    };
    let sitemap = xml_tree::parse(&output.text("sitemap.xml"));
    let urls = sitemap.all("url");
    let urls = urls.map(|url| {
        let links = url.all("xhtml:link").map(link).collect();
        (url.child("loc").text.clone(), links)
    });
    urls.filter(|(_, links): &(_, Vec<_>)| !links.is_empty()).collect()
}

#[test]
fn linked_translations_refer_to_each_other() {
    let output = site(&[
        ("hello", ""),
        ("hallo", "language = \"de\"\ntranslations = [\"hello\"]"),
        ("salut", "language = \"fr\"\ntranslations = [\"hello\"]"),
        ("alone", "language = \"ja\""),
    ])
    .build();
    let page = output.html("i/hallo/index.html");
    assert_eq!(page.texts(".also-in a"), ["English", "Français"]);
    assert_eq!(page.all(".also-in a", "href"), ["/i/hello/", "/i/salut/"]);
    let head = "link[rel=\"alternate\"][hreflang]";
    assert_eq!(page.all(head, "hreflang"), ["de", "en", "fr"]);
    let address = |name: &str| format!("https://walks.example/i/{name}/");
    assert_eq!(page.all(head, "href"), ["hallo", "hello", "salut"].map(address));
    assert_eq!(output.html("i/hello/index.html").texts(".also-in a"), ["Deutsch", "Français"]);
    let alone = output.html("i/alone/index.html");
    assert!(alone.all(head, "href").is_empty() && alone.texts(".also-in").is_empty());
}

#[test]
fn a_missing_or_same_language_translation_is_a_warning() {
    let site = site(&[("a", "translations = [\"b\", \"gone\"]"), ("b", "")]);
    let warnings = site.build().outcome.warnings;
    let told: String = warnings.iter().map(|one| format!("{one}\n")).collect();
    assert!(told.contains("the translation \"b\" has the same language as this item"), "{told}");
    assert!(told.contains("the site has no item \"gone\""), "{told}");
    assert!(told.contains("content/items/a.md:5:"), "{told}");
}

#[test]
fn pages_link_to_translations_as_items_do() {
    let site = site(&[("about", "")]);
    let output = with_pages(
        site,
        &[
            ("about", ""),
            ("ueber", "language = \"de\"\ntranslations = [\"/about/\"]"),
            ("tietoa", "language = \"fi\"\ntranslations = [\"about\"]"),
            ("draft", "language = \"fr\"\ntranslations = [\"about\"]\ndraft = true"),
        ],
    )
    .build();
    let page = output.html("ueber/index.html");
    assert_eq!(page.texts(".also-in a"), ["English", "Suomi"]);
    assert_eq!(page.all(".also-in a", "href"), ["/about/", "/tietoa/"]);
    let head = "link[rel=\"alternate\"][hreflang]";
    assert_eq!(page.all(head, "hreflang"), ["de", "en", "fi"]);
    let address = |name: &str| format!("https://walks.example/{name}/");
    let all = ["ueber", "about", "tietoa"].map(address);
    assert_eq!(page.all(head, "href"), all);
    let about = output.html("about/index.html");
    assert_eq!(about.texts(".also-in a"), ["Deutsch", "Suomi"]);
    let item = output.html("i/about/index.html");
    assert!(item.texts(".also-in").is_empty());
}

#[test]
fn a_sitemap_lists_every_language_of_an_address() {
    let items = [
        ("hello", ""),
        ("hallo", "language = \"de\"\ntranslations = [\"hello\"]"),
        ("alone", "language = \"ja\""),
    ];
    let pages = [("about", ""), ("ueber", "language = \"de\"\ntranslations = [\"about\"]")];
    let output = with_pages(site(&items), &pages).build();
    let url = |path: &str| format!("https://walks.example/{path}/");
    let links = |all: [(&str, &str); 2]| {
        let all = all.map(|(language, path)| (language.to_owned(), url(path)));
        (all[0].1.clone(), all.to_vec())
    };
    let mut found = sitemap_translations(&output);
    found.sort();
    let mut expected = [
        [("en", "about"), ("de", "ueber")],
        [("de", "ueber"), ("en", "about")],
        [("en", "i/hello"), ("de", "i/hallo")],
        [("de", "i/hallo"), ("en", "i/hello")],
    ]
    .map(links);
    expected.sort();
    assert_eq!(found, expected);
    assert!(output.text("sitemap.xml").contains("xmlns:xhtml=\"http://www.w3.org/1999/xhtml\""));
    let without = site(&[("hello", ""), ("hallo", "")]).build();
    assert!(!without.text("sitemap.xml").contains("xhtml"));
}

#[test]
fn a_missing_translation_of_a_page_is_a_warning() {
    let pages = [("a", "translations = [\"b\", \"gone\", \"item\"]"), ("b", "")];
    let site = with_pages(site(&[("item", "language = \"de\"")]), &pages);
    let warnings = site.build().outcome.warnings;
    let told: String = warnings.iter().map(|one| format!("{one}\n")).collect();
    for expected in [
        "the translation \"b\" has the same language as this page",
        "the site has no page \"gone\"",
        "the site has no page \"item\"",
        "content/pages/a.md:3:",
    ] {
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn api_edits_and_former_addresses_keep_translations_of_a_page() {
    let about = "+++\nid = \"about1\"\ntitle = \"About\"\ntranslations = [\"ueber\"] # as we say it\n+++\nText.\n";
    let ueber = "+++\nid = \"ueber1\"\ntitle = \"Über\"\nlanguage = \"de\"\n+++\nText.\n";
    let site = small_site::site()
        .with("content/pages/about.md", about)
        .with("content/pages/ueber.md", ueber);
    let served = serve(site);
    let put = |path: &str, body| assert_eq!(served.put(path, &body).status, 200);
    put("/pages/about1/", json!({ "title": "About us", "content_markdown": "New." }));
    put("/pages/ueber1/", json!({ "slug": "wir" }));
    let text = served.site.read("content/pages/about.md");
    assert!(text.contains("translations = [\"ueber\"] # as we say it\n"), "{text}");
    let page = served.get("/about/").text();
    assert!(page.contains("hreflang=\"de\" href="), "{page}");
    assert!(page.contains("/wir/\""), "{page}");
}

/// The warnings of a build, each on lines of its own.
fn build_warnings(output: &Output) -> String {
    let warnings = output.outcome.warnings.iter();
    warnings.map(|one| format!("{one}\n")).collect()
}

#[test]
fn languages_ignore_case_and_default_to_english() {
    let items = [
        ("a", "language = \"en-GB\"\ntranslations = [\"b\"]"),
        ("b", "language = \"en-gb\""),
        ("c", "language = \"EN\"\ntranslations = [\"d\"]"),
        ("d", ""),
    ];
    let site = site(&items).write("content/channel.md", "+++\ntitle = \"Walks\"\n+++\n");
    let output = site.build();
    let told = build_warnings(&output);
    for name in ["\"b\"", "\"d\""] {
        let expected = format!("the translation {name} has the same language as this item");
        assert!(told.contains(&expected), "{told}");
    }
    for name in ["a", "b", "c", "d"] {
        let page = output.html(&format!("i/{name}/index.html"));
        assert!(page.texts(".also-in").is_empty(), "{name}");
    }
}

#[test]
fn duplicate_languages_in_a_group_are_reported_by_name() {
    let of_hello = "language = \"de\"\ntranslations = [\"hello\"]";
    let output = site(&[("hello", ""), ("hallo", of_hello), ("servus", of_hello)]).build();
    let told = build_warnings(&output);
    let expected = "\"hallo\" and \"servus\" are translations into the same language, de: \
        other translations link only to \"hallo\"";
    assert!(told.contains(expected), "{told}");
    assert!(told.contains("content/items/servus.md:"), "{told}");
    assert_eq!(output.outcome.warnings.len(), 1, "{told}");
    let hello = output.html("i/hello/index.html");
    assert_eq!(hello.all(".also-in a", "href"), ["/i/hallo/"]);
}

#[test]
fn items_with_an_external_canonical_are_not_listed_as_translations() {
    let elsewhere = "url = \"https://else.example/salut\"\nlanguage = \"fr\"\n";
    let items = [
        ("hello", ""),
        ("hallo", "language = \"de\"\ntranslations = [\"hello\"]"),
        ("salut", &format!("{elsewhere}translations = [\"hello\"]")),
    ];
    let output = site(&items).build();
    let head = "link[rel=\"alternate\"][hreflang]";
    let hello = output.html("i/hello/index.html");
    assert_eq!(hello.all(head, "hreflang"), ["en", "de"]);
    assert_eq!(hello.texts(".also-in a"), ["Deutsch", "Français"]);
    let salut = output.html("i/salut/index.html");
    assert!(salut.all(head, "hreflang").is_empty());
    assert_eq!(salut.texts(".also-in a"), ["Deutsch", "English"]);
    let languages = sitemap_translations(&output).into_iter().map(|(_, links)| links.len());
    assert_eq!(languages.collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn an_unlisted_item_still_connects_its_translations() {
    let both = "status = \"unlisted\"\nlanguage = \"fr\"\ntranslations = [\"hello\", \"hallo\"]";
    let items = [("hello", ""), ("hallo", "language = \"de\""), ("salut", both)];
    let output = site(&items).build();
    let hello = output.html("i/hello/index.html");
    assert_eq!(hello.texts(".also-in a"), ["Deutsch"]);
    let salut = output.html("i/salut/index.html");
    assert_eq!(salut.texts(".also-in a"), ["Deutsch", "English"]);
    let head = "link[rel=\"alternate\"][hreflang]";
    assert!(salut.all(head, "hreflang").is_empty());
}

#[test]
fn languages_of_one_name_are_distinguished_by_region() {
    let items = [
        ("ola", "language = \"pt-br\"\ntranslations = [\"hello\", \"oi\"]"),
        ("oi", "language = \"pt-PT\""),
        ("hello", ""),
    ];
    let page = site(&items).build().html("i/hello/index.html");
    assert_eq!(page.texts(".also-in a"), ["Português (BR)", "Português (PT)"]);
}

#[test]
fn a_misspelled_translation_is_a_warning_with_a_suggestion() {
    let output = site(&[
        ("lighthouse", ""),
        ("leuchtturm", "language = \"de\"\ntranslations = [\"lighthose\"]"),
    ])
    .build();
    let told = build_warnings(&output);
    assert!(told.contains("did you mean `lighthouse`?"), "{told}");
}
