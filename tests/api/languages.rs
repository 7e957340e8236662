//! A site in several languages: the content API states, filters and sets languages.

use serde_json::{Value, json};

use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, feedwright, site};

const CONFIG: &str = "base_url = \"https://example.org\"\n\n[languages]\ndefault = \"en\"\nothers = [\"de\", \"fr\"]\n";

fn item(id: &str, title: &str, slug: &str) -> String {
    format!(
        "+++\nid = \"{id}\"\ntitle = \"{title}\"\nslug = \"{slug}\"\ndate = 2026-01-02\n\
         [podcast]\nchapters = [{{ startTime = 0, title = \"A\" }}]\n+++\nText of {title}.\n"
    )
}

fn in_languages() -> SmallSite {
    site()
        .with("site.toml", CONFIG)
        .with("content/channel.de.md", "+++\ntitle = \"Hafen\"\n+++\nAm Hafen.\n")
        .with("content/items/walk.md", item("walk-en", "Walk", "walk"))
        .with("content/items/walk.de.md", item("walk-de", "Gang", "walk"))
        .with("content/items/ebb.de.md", item("ebb-de", "Ebbe", "ebbe"))
        .with("content/pages/about.md", "+++\nid = \"about-en\"\ntitle = \"About\"\n+++\nUs.\n")
        .with("content/pages/about.de.md", "+++\nid = \"about-de\"\ntitle = \"Wir\"\n+++\nWir.\n")
        .with("content/pages/404.de.md", "+++\ntitle = \"Nicht da\"\n+++\nNichts.\n")
}

fn served() -> Served {
    serve(in_languages())
}

fn one(served: &Served, key: &str) -> Value {
    served.read(&format!("/items/{key}/")).ok()["items"][0].clone()
}

fn ids(answer: &Value) -> Vec<&str> {
    let items = answer["items"].as_array().unwrap().iter();
    items.map(|item| item["id"].as_str().unwrap()).collect()
}

/// The status and the target of the answer at a public path.
fn at(served: &Served, path: &str) -> (u16, String) {
    let reply = served.get(path);
    (reply.status, reply.field("location").to_owned())
}

#[test]
fn an_item_has_the_addresses_of_its_language() {
    let served = served();
    let own = one(&served, "walk-de");
    let url = |path: &str| format!("{}{path}", served.url);
    assert_eq!(own["language"], "de");
    assert_eq!(own["url"], url("/de/i/walk/"));
    let extension = &own["_service"];
    assert_eq!(extension["slug"], "walk");
    assert_eq!(extension["json_url"], url("/de/i/walk-de/item.json"));
    assert_eq!(extension["rss_url"], url("/de/i/walk-de/item.rss"));
    assert_eq!(extension["chapters_url"], url("/de/i/walk-de/chapters.json"));
    let original = json!([{ "id": "walk-en", "language": "en", "url": url("/i/walk/") }]);
    assert_eq!(extension["translations"], original);
    for key in ["json_url", "rss_url", "chapters_url"] {
        let path = extension[key].as_str().unwrap().strip_prefix(&served.url).unwrap();
        assert_eq!(served.get(path).status, 200, "{path}");
    }
    // An item of the default language states it, too. Its slug wins over that of other languages.
    assert_eq!(one(&served, "walk")["language"], "en");
    assert_eq!(one(&served, "ebbe")["id"], "ebb-de");
    let page = served.read("/pages/about-de/").ok();
    assert_eq!(page["url"], url("/de/about/"));
    assert_eq!(page["language"], "de");
    assert_eq!(page["translations"][0]["url"], url("/about/"));
}

#[test]
fn lists_and_search_filter_by_language() {
    let served = served();
    let feed = served.read("/feed/?language=de&limit=1").ok();
    assert_eq!(feed["title"], "Hafen");
    assert_eq!(feed["home_page_url"], format!("{}/de/", served.url));
    let next = feed["next_url"].as_str().unwrap().split_once("/api/v1").unwrap().1;
    let rest = served.read(next).ok();
    let mut all = [ids(&feed), ids(&rest)].concat();
    all.sort_unstable();
    assert_eq!(all, ["ebb-de", "walk-de"]);
    let cursor = &feed["_service"]["items_next_cursor"].as_str().unwrap();
    served.read(&format!("/feed/?language=fr&next_cursor={cursor}")).error(400);
    assert_eq!(ids(&served.read("/feed/?language=fr").ok()), [""; 0]);
    assert_eq!(ids(&served.read("/search/?q=text&language=en").ok()), ["walk-en"]);
    let found = served.read("/search/?q=wir&types=items,pages&language=de").ok();
    assert_eq!(ids(&found), ["about-de"]);
    assert_eq!(ids(&served.read("/search/?q=wir&types=items,pages&language=en").ok()), [""; 0]);
    assert_eq!(ids(&served.read("/pages/?language=de").ok()), ["system-404-de", "about-de"]);
    let (status, out, _) =
        feedwright(&served.site, &["search", "text", "--language", "de", "--json"]);
    assert_eq!(status, 0);
    let found: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|one| one["language"] == "de"), "{out}");
}

#[test]
fn a_new_text_is_written_where_its_language_belongs() {
    let served = served();
    let create =
        |body: &Value| served.post("/items/", body).ok()["id"].as_str().unwrap().to_owned();
    let flood = json!({ "title": "Flut", "content_markdown": "Hoch.", "language": "de" });
    let id = create(&flood);
    let text = served.site.read("content/items/flut.de.md");
    assert!(text.contains(&id) && !text.contains("language"), "{text}");
    // The name of an unrelated text would make the new one its translation.
    create(&json!({ "title": "Walk", "content_markdown": "x", "language": "fr" }));
    assert!(served.site.exists("content/items/walk-2.fr.md"));
    let body = json!({
        "title": "Promenade", "content_markdown": "x", "language": "fr",
        "_service": { "translation_of": "walk-en", "slug": "walk" },
    });
    create(&body);
    assert!(served.site.exists("content/items/walk.fr.md"));
    assert_eq!(one(&served, "walk-en")["_service"]["translations"].as_array().unwrap().len(), 2);
    let again = served.post("/items/", &body).error(409);
    assert!(again.contains("content/items/walk.fr.md already has this text in \"fr\""), "{again}");
    let mut unknown = body.clone();
    unknown["language"] = json!("it");
    assert!(
        served.post("/items/", &unknown).error(400).contains("languages en, de, fr, not \"it\"")
    );
    // The original is a field of the request, not its address.
    let lost = json!({
        "title": "x", "slug": "x", "content_markdown": "x", "language": "fr", "translation_of": "lost",
        "_service": { "translation_of": "lost" },
    });
    for path in ["/items/", "/pages/", "/pages/validate/"] {
        let error = served.post(path, &lost).error(404);
        assert!(
            error.contains("translation_of: ") && error.contains("not found: \"lost\""),
            "{error}"
        );
    }
    // A folder of the language takes its new texts.
    served.site.write("content/pages/fr/tides.md", "+++\ntitle = \"Marées\"\n+++\n");
    let page =
        json!({ "title": "Contact", "slug": "contact", "content_markdown": "x", "language": "fr" });
    served.post("/pages/", &page).ok();
    assert!(served.site.exists("content/pages/fr/contact.md"));
    assert_eq!(at(&served, "/fr/contact/").0, 200);
}

#[test]
fn a_slug_is_unique_in_its_language() {
    let served = served();
    let slug = |slug: &str| json!({ "_service": { "slug": slug } });
    let taken = served.put("/items/ebb-de/", &slug("walk")).error(409);
    assert!(taken.contains("already used by the item walk-de"), "{taken}");
    let own = served.put("/items/walk-en/", &slug("ebbe")).ok();
    assert_eq!(own["url"], format!("{}/i/ebbe/", served.url));
    let moved = served.put("/items/walk-de/", &slug("gang")).ok();
    assert_eq!(moved["url"], format!("{}/de/i/gang/", served.url));
    assert_eq!(at(&served, "/de/i/walk/"), (301, "/de/i/gang/".into()));
    // A page in another language may have the same path.
    let page =
        json!({ "title": "À propos", "slug": "about", "content_markdown": "x", "language": "fr" });
    served.post("/pages/", &page).ok();
    served.post("/pages/", &page).error(409);
}

#[test]
fn addresses_of_a_text_redirect_when_its_language_changes() {
    let served = served();
    served.put("/items/ebb-de/", &json!({ "title": "Ebbe" })).ok();
    served.put("/items/ebb-de/", &json!({ "language": "fr" })).ok();
    let text = served.site.read("content/items/ebb.de.md");
    assert_eq!(
        text,
        item("ebb-de", "Ebbe", "ebbe").replace("[podcast]", "language = \"fr\"\n[podcast]")
    );
    assert_eq!(at(&served, "/de/i/ebbe/"), (301, "/fr/i/ebbe/".into()));
    assert_eq!(at(&served, "/fr/i/ebbe/").0, 200);
    // Null is the language of the file's name again. The page is not redirected any more.
    served.put("/items/ebb-de/", &json!({ "language": null })).ok();
    assert_eq!(at(&served, "/de/i/ebbe/").0, 200);
    assert_eq!(at(&served, "/fr/i/ebbe/"), (301, "/de/i/ebbe/".into()));
    served.put("/pages/about-de/", &json!({ "language": "fr" })).ok();
    assert_eq!(at(&served, "/de/about/"), (301, "/fr/about/".into()));
    served.delete("/pages/about-de/").ok();
    assert_eq!(at(&served, "/fr/about/"), (301, "/fr/".into()));
    served.site.built();
}

#[test]
fn a_text_has_one_file_in_each_language() {
    let served = served();
    let files = served.files();
    for (path, file) in [
        ("/items/walk-de/", "content/items/walk.md"),
        ("/pages/about-de/", "content/pages/about.md"),
    ] {
        let error = served.put(path, &json!({ "language": "en" })).error(409);
        assert!(
            error.contains(&format!("language: {file} already has this text in \"en\"")),
            "{error}"
        );
        served.put(path, &json!({ "language": "de" })).ok();
    }
    assert!(served.files().keys().eq(files.keys()));
    // Another page has the path.
    let page = json!({ "title": "Wir", "slug": "us", "content_markdown": "x" });
    let id = served.post("/pages/", &page).ok()["id"].as_str().unwrap().to_owned();
    let page = json!({ "title": "Wir", "slug": "us", "content_markdown": "x", "language": "de" });
    served.post("/pages/", &page).ok();
    let error = served.put(&format!("/pages/{id}/"), &json!({ "language": "de" })).error(409);
    assert!(error.contains("/de/us/ is a current or former path"), "{error}");
    served.site.built();
}

#[test]
fn a_text_that_moves_back_is_not_redirected() {
    for pattern in ["/{year}/{slug}/", "/{language}/{year}/{slug}/"] {
        let config = format!("{CONFIG}\n[addresses]\nitems = \"{pattern}\"\n");
        let served = serve(in_languages().with("site.toml", config));
        let path = |item: &Value| {
            item["url"].as_str().unwrap().strip_prefix(&served.url).unwrap().to_owned()
        };
        let german = path(&one(&served, "ebb-de"));
        let french = path(&served.put("/items/ebb-de/", &json!({ "language": "fr" })).ok());
        assert!(french.starts_with("/fr/") && !french.contains("/de/"), "{french}");
        assert_eq!(at(&served, &german), (301, french.clone()));
        assert!(!served.site.read("content/items/ebb.de.md").contains("aliases"));
        assert_eq!(at(&served, "/de/i/ebbe/"), (301, french.clone()));
        // It moves back as a draft, with another slug.
        served.put("/items/ebb-de/", &json!({ "status": "unpublished" })).ok();
        let back = json!({ "language": "de", "_service": { "slug": "flut" } });
        served.put("/items/ebb-de/", &back).ok();
        let back = json!({ "status": "published", "_service": { "slug": "ebbe" } });
        served.put("/items/ebb-de/", &back).ok();
        assert_eq!(at(&served, &german).0, 200);
        let redirects = served.site.read("content/redirects.toml");
        assert!(!redirects.contains(&format!("\"{german}\" =")), "{redirects}");
        assert!(!redirects.contains("\"/de/i/ebbe/\" ="), "{redirects}");
        let warnings = served.site.built().warnings;
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}

#[test]
fn a_published_address_becomes_an_alias() {
    let config = format!("{CONFIG}\n[addresses]\nitems = \"/{{year}}/{{slug}}/\"\n");
    let served = serve(in_languages().with("site.toml", config));
    let slug = |slug: &str| json!({ "_service": { "slug": slug } });
    for (id, mount) in [("walk-en", ""), ("walk-de", "/de")] {
        let item = format!("/items/{id}/");
        served.put(&item, &slug("eins")).ok();
        assert_eq!(
            at(&served, &format!("{mount}/2026/walk/")),
            (301, format!("{mount}/2026/eins/"))
        );
        served.put(&item, &json!({ "date_published": "2024-03-04T00:00:00Z" })).ok();
        for former in ["2026/walk", "2026/eins", "i/walk"] {
            let former = format!("{mount}/{former}/");
            assert_eq!(at(&served, &former), (301, format!("{mount}/2024/eins/")), "{former}");
        }
        served.put(&item, &json!({ "date_published": "2026-01-02T00:00:00Z" })).ok();
        assert_eq!(at(&served, &format!("{mount}/2026/eins/")).0, 200);
    }
    let text = served.site.read("content/items/walk.de.md");
    assert!(
        text.contains("aliases = [\"walk\", \"/de/2026/walk/\", \"/de/2024/eins/\"]"),
        "{text}"
    );
    // The path of a draft needs no redirect.
    let draft =
        json!({ "id": "d", "title": "D", "content_markdown": "x", "status": "unpublished" });
    served.post("/items/", &draft).ok();
    served.put("/items/d/", &json!({ "date_published": "2024-03-04T00:00:00Z" })).ok();
    served.put("/items/d/", &slug("draft")).ok();
    assert!(!served.site.read("content/items/d.md").contains("aliases"));
    served.site.built();
}

#[test]
fn former_addresses_redirect_in_languages_that_show_untranslated_texts() {
    let config = CONFIG.replace("[languages]", "[languages]\nuntranslated = \"show\"");
    let config = format!("{config}\n[addresses]\nitems = \"/{{year}}/{{slug}}/\"\n");
    let served = serve(in_languages().with("site.toml", config));
    let item = json!({
        "id": "solo", "title": "Solo", "content_markdown": "x", "status": "published",
        "date_published": "2026-01-02T00:00:00Z", "_service": { "slug": "solo" },
    });
    served.post("/items/", &item).ok();
    let page = json!({ "title": "Only", "slug": "only", "content_markdown": "x" });
    let page = served.post("/pages/", &page).ok()["id"].clone();
    assert_eq!(at(&served, "/de/2026/solo/").0, 200);
    served.put("/items/solo/", &json!({ "_service": { "slug": "alone" } })).ok();
    for mount in ["", "/de", "/fr"] {
        let to = format!("{mount}/2026/alone/");
        assert_eq!(at(&served, &format!("{mount}/2026/solo/")), (301, to));
    }
    // It moves to another language and back.
    served.put("/items/solo/", &json!({ "language": "de" })).ok();
    assert_eq!(at(&served, "/2026/alone/"), (301, "/de/2026/alone/".into()));
    served.put("/items/solo/", &json!({ "language": "en" })).ok();
    assert_eq!(at(&served, "/2026/alone/").0, 200);
    assert_eq!(at(&served, "/de/2026/alone/").0, 200);
    // It is translated, and so is the page.
    let mut german = item.clone();
    german["id"] = json!("solo-de");
    german["language"] = json!("de");
    german["_service"] = json!({ "slug": "allein", "translation_of": "solo" });
    served.post("/items/", &german).ok();
    let mut german = json!({ "title": "Nur", "slug": "nur", "content_markdown": "x" });
    german["language"] = json!("de");
    german["translation_of"] = page;
    let german = served.post("/pages/", &german).ok()["id"].as_str().unwrap().to_owned();
    let moves = [("2026/alone", "2026/allein"), ("2026/solo", "2026/allein"), ("only", "nur")];
    let redirects = moves.map(|(from, to)| (format!("/de/{from}/"), format!("/de/{to}/")));
    for (from, to) in &redirects {
        assert_eq!(at(&served, from), (301, to.clone()));
    }
    assert_eq!(at(&served, "/fr/2026/alone/").0, 200);
    assert_eq!(at(&served, "/fr/only/").0, 200);
    let built = served.site.built();
    assert!(built.warnings.is_empty(), "{:?}", built.warnings);
    // The new pages have a date that the clock of the build has not reached.
    for (from, to) in &redirects[..2] {
        let page = served.site.read(&format!("public{from}index.html"));
        assert!(page.contains(&format!("url={to}")), "{from}: {page}");
    }
    // The translation gets the slug of the original again.
    served.put(&format!("/pages/{german}/"), &json!({ "slug": "only" })).ok();
    assert_eq!(at(&served, "/de/only/").0, 200);
}

#[test]
fn a_page_shown_untranslated_can_be_translated_under_its_slug() {
    let config = CONFIG.replace("[languages]", "[languages]\nuntranslated = \"show\"");
    let served = serve(in_languages().with("site.toml", config));
    let english = json!({ "title": "Only", "slug": "only", "content_markdown": "x" });
    let id = served.post("/pages/", &english).ok()["id"].as_str().unwrap().to_owned();
    assert_eq!(at(&served, "/de/only/").0, 200);
    let mut german = english.clone();
    german["language"] = json!("de");
    german["content_markdown"] = json!("Auf Deutsch");
    let error = served.post("/pages/", &german).error(409);
    assert!(error.contains("slug: /de/only/ is already a path of this site"), "{error}");
    german["translation_of"] = json!(id);
    served.post("/pages/", &german).ok();
    assert!(served.site.exists("content/pages/only.de.md"));
    assert!(served.get("/de/only/").text().contains("Auf Deutsch"));
}

#[test]
fn the_original_of_a_translation_is_named_once() {
    let served = served();
    let body = json!({ "title": "x", "_service": { "translation_of": "walk-en" } });
    let error = served.put("/items/ebb-de/", &body).error(409);
    assert!(error.contains("_service.translation_of: is set only when"), "{error}");
    let page = json!({ "title": "x", "translation_of": "about-en" });
    let error = served.put("/pages/about-de/", &page).error(409);
    assert!(error.contains("translation_of: is set only when"), "{error}");
    let body = json!({ "title": "x", "content_markdown": "x", "_service": { "translation_of": "walk-en" } });
    let error = served.post("/items/", &body).error(400);
    assert!(error.contains("language: is required"), "{error}");
}

#[test]
fn a_missing_page_is_answered_in_the_language_of_its_path() {
    let served = served();
    let words = |path: &str| {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}");
        reply.text()
    };
    assert!(words("/de/nothing/").contains("Nicht da"));
    assert!(words("/fr/nothing").contains("lang=\"fr\""));
    assert!(words("/nothing/").contains("lang=\"en\""));
}

#[test]
fn the_channel_of_a_language_is_changed_in_its_file() {
    let served = served();
    let before = served.site.read("content/channel.md");
    served.put("/channels/primary/?language=de", &json!({ "title": "Der Hafen" })).ok();
    served.put("/channels/primary/?language=de", &json!({ "description": "Am *Kai*." })).ok();
    assert_eq!(
        served.site.read("content/channel.de.md"),
        "+++\ntitle = \"Der Hafen\"\n+++\nAm *Kai*.\n"
    );
    // The first change of a language creates its file, which states no inherited value.
    let french = json!({ "title": "Le port", "description": "Sur le quai.", "authors": null });
    served.put("/channels/primary/?language=fr", &french).ok();
    assert_eq!(
        served.site.read("content/channel.fr.md"),
        "+++\ntitle = \"Le port\"\n+++\n\nSur le quai.\n"
    );
    for (language, title) in [("de", "Der Hafen"), ("fr", "Le port")] {
        assert_eq!(served.read(&format!("/feed/?language={language}")).ok()["title"], title);
    }
    assert_eq!(served.site.read("content/channel.md"), before);
    served.put("/channels/primary/?language=en", &json!({ "title": "The port" })).ok();
    assert!(served.site.read("content/channel.md").contains("title = \"The port\""));
    let unknown = served.put("/channels/primary/?language=it", &json!({ "title": "x" })).error(404);
    assert!(
        unknown.contains("language: the site has the languages en, de, fr, not \"it\""),
        "{unknown}"
    );
    let wrong = served.put("/channels/primary/?language=de", &json!({ "language": "fr" }));
    let wrong = wrong.error(400);
    assert!(wrong.contains("`[languages]` in site.toml says \"de\""), "{wrong}");
    served.site.built();
}

#[test]
fn each_language_has_a_404_page() {
    let served = served();
    let pages = served.read("/pages/").ok();
    let pages = pages["items"].as_array().unwrap().iter();
    let not_found = pages.filter(|page| page["is_not_found_page"] == true);
    let mut ids: Vec<&str> = not_found.map(|page| page["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["system-404", "system-404-de", "system-404-fr"]);
    let german = served.read("/pages/system-404-de/").ok();
    assert_eq!(german["title"], "Nicht da");
    assert_eq!(german["language"], "de");
    assert_eq!(german["url"], format!("{}/de/404/", served.url));
    served.put("/pages/system-404-de/", &json!({ "title": "Weg" })).ok();
    assert_eq!(served.site.read("content/pages/404.de.md"), "+++\ntitle = \"Weg\"\n+++\nNichts.\n");
    let french = served.put("/pages/system-404-fr/", &json!({ "title": "Perdu" })).ok();
    assert_eq!((&french["title"], &french["language"]), (&json!("Perdu"), &json!("fr")));
    assert!(served.site.read("content/pages/404.fr.md").starts_with("+++\ntitle = \"Perdu\"\n"));
    assert!(!served.site.exists("content/pages/404.md"));
    served.delete("/pages/system-404-fr/").error(400);
    let language = json!({ "language": "en" });
    for page in ["/pages/system-404-de/", "/pages/system-404-fr/"] {
        assert!(served.put(page, &language).error(400).contains("language: the path, language"));
    }
    served.put("/pages/system-404/", &language).ok();
    let reply = served.get("/fr/nothing/");
    assert!(reply.status == 404 && reply.text().contains("Perdu"));
    served.site.built();
}

#[test]
fn a_key_can_name_the_language_of_a_slug() {
    let served = served();
    for key in ["de%2Fwalk", "de%2fwalk"] {
        assert_eq!(one(&served, key)["id"], "walk-de");
    }
    served.put("/items/de%2Fwalk/", &json!({ "title": "Rundgang" })).ok();
    assert_eq!(one(&served, "walk-de")["title"], "Rundgang");
    served.read("/items/fr%2Fwalk/").error(404);
    served.call("PUT", "/items/de%2Fa.b/", b"{}").error(400);
}

/// An address is taken if any language has it, also for a text that it shows untranslated.
#[test]
fn an_address_is_free_in_each_language_that_shows_the_text() {
    let config = CONFIG.replace(
        "[languages]",
        "[addresses]\nitems = \"/{slug}/\"\n[languages]\nuntranslated = \"show\"",
    );
    let served = serve(in_languages().with("site.toml", config));
    let item = |slug: &str, language: &str, status: &str| {
        json!({
            "title": "x", "content_markdown": "x", "language": language, "status": status,
            "_service": { "slug": slug },
        })
    };
    let create = |body: &Value| served.post("/items/", body);
    create(&item("ferry", "en", "published")).ok();
    // In German, /de/ferry/ is the English text.
    let taken = create(&item("ferry", "de", "published")).error(409);
    assert!(taken.contains("/de/ferry/ is already a path of this site"), "{taken}");
    create(&item("ferry", "de", "unpublished")).error(409);
    create(&item("kutter", "de", "published")).ok();
    create(&item("kutter", "en", "published")).error(409);
    // Pages and documents of the site have addresses, too.
    for slug in ["about", "archive", "search"] {
        create(&item(slug, "en", "published")).error(409);
    }
    let page = |language: &str| json!({ "title": "x", "slug": "qq", "content_markdown": "x", "language": language });
    served.post("/pages/", &page("de")).ok();
    served.post("/pages/", &page("en")).error(409);
    let (status, _, said) = feedwright(&served.site, &["check"]);
    assert_eq!(status, 0, "{said}");
}
