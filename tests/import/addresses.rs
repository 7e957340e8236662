//! Addresses of other generators' sites: patterns by folder, and the lists and feeds of each language.

use serde_json::Value;

use crate::import::command::notes;
use crate::import::languages::{
    assert_addresses, assert_translations, import_export, import_files, translated,
};
use crate::support::small_site::SmallSite;

/// A content file with YAML front matter.
fn text(title: &str, more: &str) -> String {
    format!("---\ntitle: {title}\n{more}---\nText of {title}.\n")
}

fn dated(title: &str, day: &str, more: &str) -> String {
    text(title, &format!("date: {day}\n{more}"))
}

fn import(kind: &str, files: &[(&str, String)]) -> (SmallSite, Value) {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    import_files(kind, &files)
}

/// Asserts that the settings of the new site contain lines, and that no item has a former address.
fn assert_patterns(site: &SmallSite, lines: &str) {
    let settings = site.read("site/site.toml");
    assert!(settings.contains(lines), "{settings}");
}

fn assert_no_aliases(site: &SmallSite, files: &[&str]) {
    for file in files {
        let text = site.read(&format!("site/content/items/{file}"));
        assert!(!text.contains("aliases"), "{file}: {text}");
    }
}

#[test]
fn permalinks_of_hugo_sections_become_patterns_of_folders() {
    let old = "baseURL = 'https://t.example/'\ntitle = 'Tides'\n[permalinks]\nposts = '/:year/:slug/'\n\
        '/notes/' = '/n/:contentbasename/'\nabout = '/who/:slug/'\n'/' = '/p/:slug/'\n";
    let newer = "baseURL = 'https://t.example/'\ntitle = 'Tides'\n[permalinks.page]\nposts = '/:2006/:slug/'\n\
        notes = '/n/:contentbasename/'\nabout = '/who/:slug/'\n'/' = '/p/:slug/'\n\
        [permalinks.section]\nnotes = '/all-notes/'\n[permalinks.term]\ntags = '/about/:slug/'\n\
        [permalinks.taxonomy]\ntags = '/topics/'\n";
    for (settings, is_new) in [(old, false), (newer, true)] {
        let (site, _) = import(
            "hugo",
            &[
                ("hugo.toml", settings.to_owned()),
                ("content/posts/fog.md", dated("Fog", "2024-01-01", "tags: [Sea Air]\n")),
                ("content/posts/quay.md", dated("Quay", "2023-01-02", "")),
                ("content/posts/odd.md", dated("Odd", "2023-01-03", "url: /odd/one/\n")),
                ("content/notes/kelp.md", dated("Kelp", "2024-02-01", "")),
                ("content/notes/reef/index.md", dated("Reef", "2024-02-02", "")),
                ("content/talks/2024/sand.md", dated("Sand", "2024-03-01", "")),
                ("content/talks/2023/salt.md", dated("Salt", "2023-03-01", "")),
                ("content/about/us.md", text("Us", "")),
                ("content/contact.md", text("Contact", "")),
            ],
        );
        assert_patterns(
            &site,
            "[addresses.folders]\nnotes = \"/n/{slug}/\"\nposts = \"/{year}/{slug}/\"\ntalks = \"/talks/{year}/{slug}/\"\n",
        );
        assert_no_aliases(
            &site,
            &["notes/kelp.md", "notes/reef.md", "talks/sand.md", "posts/fog.md"],
        );
        let mut addresses = vec![
            "/2024/fog/", "/2023/quay/", "/odd/one/", "/n/kelp/", "/n/reef/", "/talks/2024/sand/",
            "/talks/2023/salt/", "/who/us/", "/p/contact/", "/index.xml",
        ];
        addresses.extend(match is_new {
            true => [
                "/all-notes/", "/about/sea-air/", "/about/sea-air/index.xml", "/topics/",
                "/topics/index.xml",
            ],
            false => ["/notes/", "/tags/sea-air/", "/tags/sea-air/index.xml", "/tags/", "/posts/"],
        });
        assert_addresses(&site, &addresses);
    }
}

#[test]
fn nested_sections_of_hugo_keep_their_patterns() {
    let (site, _) = import(
        "hugo",
        &[
            (
                "hugo.yaml",
                "baseURL: https://t.example/\ntitle: Tides\npermalinks:\n  page:\n    books: /libros/:sections[1:]/:slug/\n  \
                 section:\n    books: /libros/:sections[1:]\n"
                    .to_owned(),
            ),
            ("layouts/_default/list.html", "{{ .Content }}".to_owned()),
            ("content/books/_index.md", text("Books", "")),
            ("content/books/sea/_index.md", text("Sea", "")),
            ("content/books/sea/fog.md", dated("Fog", "2024-01-01", "")),
            ("content/books/sea/quay.md", dated("Quay", "2024-01-02", "")),
            ("content/books/land/hill.md", dated("Hill", "2024-01-03", "")),
            ("content/posts/one.md", dated("One", "2024-01-04", "")),
            ("content/posts/two.md", dated("Two", "2024-01-05", "")),
            ("content/posts/own.md", dated("Own", "2024-01-06", "url: /:year/:month/:slug/\n")),
            ("content/misc/rel.md", dated("Rel", "2024-01-07", "url: \":year/:month/:slug/\"\n")),
        ],
    );
    assert_addresses(
        &site,
        &[
            "/libros/", "/libros/sea/", "/libros/sea/fog/", "/libros/sea/quay/", "/libros/hill/",
            "/posts/one/", "/posts/two/", "/2024/01/own/", "/2024/01/rel/",
        ],
    );
    assert_no_aliases(&site, &["books/sea/fog.md", "posts/one.md"]);
}

#[test]
fn lists_and_feeds_of_hugo_keep_their_addresses_in_each_language() {
    let settings = "baseURL = 'https://t.example/'\ntitle = 'Tides'\ndefaultContentLanguage = 'en'\n\
        [taxonomies]\ntag = 'tags'\nplace = 'places'\nauthor = 'authors'\n\
        [languages.en]\nweight = 1\n[languages.fr]\nweight = 2\ntitle = 'Marées'\n\
        [languages.fr.taxonomies]\ntag = 'etiquettes'\nplace = 'places'\n\
        [languages.fr.permalinks]\nposts = '/billets/:slug/'\n\
        [languages.de]\nweight = 3\n[languages.de.permalinks.term]\ntags = '/themen/:slug/'\n\
        [languages.de.permalinks.taxonomy]\ntags = '/themen/'\n";
    let (site, _) = import(
        "hugo",
        &[
            ("hugo.toml", settings.to_owned()),
            (
                "content/posts/fog.md",
                dated(
                    "Fog",
                    "2024-01-01",
                    "tags: [Sea, Wind]\nplaces: [Low Quay]\nauthors: [Ann Lee]\n",
                ),
            ),
            ("content/posts/quay.md", dated("Quay", "2024-01-02", "tags: [Sea]\n")),
            (
                "content/posts/fog.fr.md",
                dated(
                    "Brume",
                    "2024-01-01",
                    "slug: brume\netiquettes: [Mer d'été]\nplaces: [Quai Bas]\n",
                ),
            ),
            (
                "content/posts/fog.de.md",
                dated(
                    "Nebel",
                    "2024-01-01",
                    "slug: nebel\ntags: [See, Öde Küste]\nplaces: [Kai]\n",
                ),
            ),
            ("content/tags/sea/_index.md", text("The Sea", "")),
            ("content/tags/see/_index.de.md", text("Die See", "url: /die-see/\n")),
            ("content/places/_index.fr.md", text("Lieux", "url: /fr/lieux/\n")),
        ],
    );
    assert_addresses(
        &site,
        &[
            "/posts/fog/", "/posts/quay/", "/fr/billets/brume/", "/de/posts/nebel/", "/posts/",
            "/fr/posts/", "/de/posts/", "/index.xml", "/fr/index.xml", "/de/index.xml",
            "/posts/index.xml", "/fr/posts/index.xml", "/tags/", "/tags/sea/", "/tags/wind/",
            "/tags/sea/index.xml", "/places/", "/places/low-quay/", "/places/low-quay/index.xml",
            "/authors/", "/authors/ann-lee/", "/authors/ann-lee/index.xml", "/fr/etiquettes/",
            "/fr/etiquettes/mer-dété/", "/fr/etiquettes/mer-dété/index.xml", "/fr/lieux/",
            "/fr/places/quai-bas/", "/fr/places/quai-bas/index.xml", "/de/themen/", "/die-see/",
            "/de/themen/öde-küste/", "/de/themen/öde-küste/index.xml", "/de/places/kai/",
            "/de/tags/", "/fr/tags/",
        ],
    );
    assert_translations(&site, &["/posts/fog/", "/de/posts/nebel/"]);
    let redirects = site.read("site/content/redirects.toml");
    for line in [
        "\"/die-see/\" = \"/de/tags/see/\"",
        "\"/fr/places/quai-bas/\" = \"/fr/tags/quai-bas/\"",
        "\"/fr/index.xml\" = \"/fr/rss.xml\"",
    ] {
        assert!(redirects.contains(line), "{line}: {redirects}");
    }
}

#[test]
fn lists_of_zola_keep_their_addresses_in_each_language() {
    let item = |title: &str, day: &str, more: &str| {
        format!("+++\ntitle = '{title}'\ndate = {day}\n{more}+++\nText of {title}.\n")
    };
    let section = |title: &str| format!("+++\ntitle = '{title}'\nsort_by = 'date'\n+++\n");
    let settings = "base_url = 'https://t.example'\ntitle = 'Tides'\ndefault_language = 'en'\n\
        generate_feeds = true\ntaxonomies = [{name = 'tags', feed = true}, {name = 'places'}]\n\
        [languages.fr]\ngenerate_feeds = true\nfeed_filenames = ['rss.xml', 'atom.xml']\n\
        taxonomies = [{name = 'tags', feed = true}, {name = 'lieux'}]\n";
    let (site, _) = import(
        "zola",
        &[
            ("config.toml", settings.to_owned()),
            ("content/blog/_index.md", section("Blog")),
            ("content/blog/_index.fr.md", section("Billets")),
            (
                "content/blog/fog.md",
                item(
                    "Fog",
                    "2024-01-01",
                    "[taxonomies]\ntags = ['Sea Air']\nplaces = ['Low Quay']\n",
                ),
            ),
            (
                "content/blog/fog.fr.md",
                item(
                    "Brume",
                    "2024-01-01",
                    "path = 'fr/billets/brume'\n[taxonomies]\ntags = ['Mer']\nlieux = ['Quai Bas']\n",
                ),
            ),
            ("content/notes/_index.md", section("Notes")),
            ("content/notes/kelp.md", item("Kelp", "2024-02-01", "path = 'n/kelp'\n")),
            ("content/notes/reef.md", item("Reef", "2024-02-02", "path = 'n/reef'\n")),
            ("content/notes/rock.md", item("Rock", "2024-02-03", "")),
        ],
    );
    assert_patterns(&site, "\nnotes = \"/n/{slug}/\"\n");
    assert_addresses(
        &site,
        &[
            "/blog/", "/fr/blog/", "/blog/fog/", "/fr/billets/brume/", "/n/kelp/", "/n/reef/",
            "/notes/rock/", "/notes/", "/tags/", "/tags/sea-air/", "/tags/sea-air/atom.xml",
            "/places/", "/places/low-quay/", "/fr/tags/", "/fr/tags/mer/", "/fr/tags/mer/rss.xml",
            "/fr/tags/mer/atom.xml", "/fr/lieux/", "/fr/lieux/quai-bas/", "/atom.xml",
            "/fr/atom.xml", "/fr/rss.xml",
        ],
    );
}

#[test]
fn permalinks_of_jekyll_defaults_and_collections_become_patterns_of_folders() {
    let settings = "title: Tides\nurl: https://t.example\npermalink: /:year/:month/:title/\n\
        collections:\n  notes: {output: true, permalink: '/n/:name/'}\n  talks: {output: true}\n\
        defaults:\n- scope: {path: '', type: posts}\n  values: {author: Ann}\n\
        - scope: {path: _posts/travel}\n  values: {permalink: '/travel/:title/'}\n\
        - scope: {path: '', type: talks}\n  values: {permalink: '/said/:year/:title/'}\n\
        - scope: {path: docs}\n  values: {permalink: '/help/:basename/'}\n\
        jekyll-archives:\n  enabled: [tags, categories]\n  permalinks: {tag: '/label/:name/', category: '/topic/:name/'}\n";
    let (site, _) = import(
        "jekyll",
        &[
            ("_config.yml", settings.to_owned()),
            ("_posts/2024-01-01-fog.md", text("Fog", "tags: [Sea Air]\ncategories: [Coast]\n")),
            ("_posts/2024-01-02-quay.md", text("Quay", "")),
            ("_posts/travel/2024-01-03-cape.md", text("Cape", "")),
            ("_posts/travel/2024-01-04-bay.md", text("Bay", "")),
            ("_notes/kelp.md", dated("Kelp", "2024-02-01", "")),
            ("_notes/reef.md", dated("Reef", "2024-02-02", "")),
            ("_talks/sand.md", dated("Sand", "2024-03-01", "")),
            ("_talks/salt.md", dated("Salt", "2023-03-01", "permalink: /salt/\n")),
            ("docs/setup.md", text("Setup", "")),
        ],
    );
    assert_patterns(
        &site,
        "[addresses]\nitems = \"/{year}/{month}/{slug}/\"\n\n[addresses.folders]\nnotes = \"/n/{slug}/\"\n\
         talks = \"/said/{year}/{slug}/\"\ntravel = \"/travel/{slug}/\"\n",
    );
    assert_no_aliases(&site, &["fog.md", "travel/bay.md", "notes/kelp.md", "talks/sand.md"]);
    assert_addresses(
        &site,
        &[
            "/2024/01/fog/", "/2024/01/quay/", "/travel/cape/", "/travel/bay/", "/n/kelp/",
            "/n/reef/", "/said/2024/sand/", "/salt/", "/help/setup/", "/feed.xml",
            "/label/sea-air/", "/topic/coast/",
        ],
    );
    // Newer releases have a separate permalink for the collection of posts.
    let settings = "title: Tides\nurl: https://t.example\npermalink: pretty\n\
        collections:\n  posts: {output: true, permalink: '/blog/:title/'}\n";
    let (site, _) = import(
        "jekyll",
        &[
            ("_config.yml", settings.to_owned()),
            ("_posts/2024-01-01-fog.md", text("Fog", "")),
            ("about.md", text("About", "")),
        ],
    );
    assert_patterns(&site, "[addresses]\nitems = \"/blog/{slug}/\"");
    assert_addresses(&site, &["/blog/fog/", "/about/"]);
}

#[test]
fn a_jekyll_site_with_pages_in_several_languages_keeps_them() {
    let settings = "title: Tides\nurl: https://t.example\nlanguages: [en, fr]\npermalink: /blog/:title/\n\
        plugins: [jekyll-multiple-languages-plugin]\nexclude_from_localizations: [images]\n";
    let files = |settings: &str| {
        import(
            "jekyll",
            &[
                ("_config.yml", settings.to_owned()),
                ("_i18n/en.yml", "titles:\n  about: About us\ngreeting: Hello\n".to_owned()),
                ("_i18n/fr.yml", "titles:\n  about: À propos\ngreeting: Bonjour\n".to_owned()),
                ("_i18n/en/_posts/2024-01-01-fog.md", text("Fog", "")),
                ("_i18n/fr/_posts/2024-01-01-fog.md", text("Brume", "")),
                ("_i18n/fr/_posts/2024-01-02-seul.md", text("Seul", "")),
                ("_i18n/en/about.md", "We watch *tides*.\n".to_owned()),
                ("_i18n/fr/about.md", "Nous regardons les *marées*.\n".to_owned()),
                ("_i18n/en/unused.md", "Unused.\n".to_owned()),
                (
                    "about.md",
                    "---\ntitle: titles.about\npermalink: /about/\npermalink_fr: /a-propos/\n---\n{% t greeting %}!\n\n{% tf about.md %}\n"
                        .to_owned(),
                ),
                ("contact.md", text("Contact", "permalink: /contact/\n")),
                ("index.html", "---\nlayout: default\n---\n{% t greeting %}\n".to_owned()),
            ],
        )
    };
    let (site, report) = files(settings);
    let french = site.read("site/content/pages/about.fr.md");
    assert!(french.contains("Bonjour!") && french.contains("Nous regardons"), "{french}");
    assert!(french.contains("title = \"À propos\"") && french.contains("a-propos"), "{french}");
    assert!(site.read("site/content/pages/about.md").contains("Hello!\n\nWe watch"));
    assert_addresses(
        &site,
        &[
            "/blog/fog/", "/fr/blog/fog/", "/fr/blog/seul/", "/about/", "/fr/a-propos/",
            "/contact/", "/fr/contact/", "/feed.xml", "/fr/feed.xml", "/fr/",
        ],
    );
    assert_translations(&site, &["/about/", "/fr/a-propos/"]);
    assert_translations(&site, &["/contact/", "/fr/contact/"]);
    assert!(!notes(&report).iter().any(|note| note.contains("is not supported")), "{report}");
    assert!(report.to_string().contains("_i18n/en/unused.md"), "{report}");
    let (site, _) = files(&format!("{settings}default_locale_in_subfolder: true\n"));
    assert_addresses(
        &site,
        &[
            "/en/blog/fog/", "/fr/blog/fog/", "/en/about/", "/fr/a-propos/", "/en/contact/",
            "/en/feed.xml", "/fr/feed.xml", "/en/",
        ],
    );
}

#[test]
fn a_jekyll_site_with_polyglot_keeps_lists_feeds_and_regions() {
    let settings = "title: Tides\nurl: https://t.example\nplugins: [jekyll-polyglot, jekyll-feed]\n\
        languages: ['en', 'pt-BR']\ndefault_lang: 'en'\nexclude_from_localization: [images]\npermalink: /:title/\n\
        jekyll-archives: {enabled: all}\n";
    let (site, _) = import(
        "jekyll",
        &[
            ("_config.yml", settings.to_owned()),
            ("_posts/2024-01-01-fog.md", text("Fog", "lang: en\npage_id: fog\ntags: [Sea]\n")),
            (
                "_posts/2024-01-01-nevoa.md",
                text("Névoa", "lang: pt-BR\npage_id: fog\ntags: [Mar]\n"),
            ),
            ("_posts/2024-01-02-quay.md", text("Quay", "lang: en\npermalink: /quay/\n")),
            ("_posts/2024-01-02-cais.md", text("Cais", "lang: pt-BR\npermalink: /quay/\n")),
            ("about.en.md", text("About", "lang: en\npermalink: /about/\nref: about\n")),
            ("about.pt-BR.md", text("Sobre", "lang: pt-BR\npermalink: /sobre/\nref: about\n")),
        ],
    );
    assert_addresses(
        &site,
        &[
            "/fog/", "/pt-BR/nevoa/", "/quay/", "/pt-BR/quay/", "/about/", "/pt-BR/sobre/",
            "/feed.xml", "/pt-BR/feed.xml", "/tag/sea/", "/pt-BR/tag/mar/", "/pt-BR/",
        ],
    );
    assert_translations(&site, &["/quay/", "/pt-br/quay/"]);
}

#[test]
fn folders_of_eleventy_keep_their_patterns() {
    let (site, _) = import(
        "eleventy",
        &[
            (
                "_data/site.json",
                "{ \"title\": \"Tides\", \"url\": \"https://t.example\" }".to_owned(),
            ),
            ("en/en.json", "{ \"lang\": \"en\" }".to_owned()),
            ("fr/fr.json", "{ \"lang\": \"fr\" }".to_owned()),
            ("en/posts/posts.json", "{ \"tags\": \"posts\" }".to_owned()),
            ("fr/posts/posts.json", "{ \"tags\": \"posts\" }".to_owned()),
            (
                "en/notes/notes.json",
                "{ \"tags\": \"posts\", \"permalink\": \"/en/n/{{ page.fileSlug }}/\" }".to_owned(),
            ),
            (
                "fr/notes/notes.json",
                "{ \"tags\": \"posts\", \"permalink\": \"/fr/n/{{ page.fileSlug }}/\" }".to_owned(),
            ),
            ("en/posts/fog.md", dated("Fog", "2024-01-01", "")),
            ("fr/posts/fog.md", dated("Brume", "2024-01-01", "")),
            ("en/posts/quay.md", dated("Quay", "2024-01-02", "")),
            ("en/notes/kelp.md", dated("Kelp", "2024-02-01", "")),
            ("fr/notes/kelp.md", dated("Varech", "2024-02-01", "")),
            ("fr/feed.njk", "---\npermalink: /fr/feed.xml\n---\n<feed></feed>".to_owned()),
            ("en/feed.njk", "---\npermalink: /en/feed.xml\n---\n<feed></feed>".to_owned()),
        ],
    );
    assert_patterns(
        &site,
        "[addresses]\nitems = \"/{language}/posts/{slug}/\"\n\n[addresses.folders]\nnotes = \"/{language}/n/{slug}/\"\n",
    );
    assert_no_aliases(&site, &["fog.md", "fog.fr.md", "notes/kelp.md", "notes/kelp.fr.md"]);
    assert_addresses(
        &site,
        &[
            "/en/posts/fog/", "/fr/posts/fog/", "/en/posts/quay/", "/en/n/kelp/", "/fr/n/kelp/",
            "/en/feed.xml", "/fr/feed.xml", "/en/", "/fr/",
        ],
    );
}

#[test]
fn a_second_import_places_items_in_the_folders_of_patterns() {
    let settings =
        "baseURL = 'https://t.example/'\ntitle = 'Tides'\n[permalinks]\nnotes = '/n/:slug/'\n";
    let (site, _) = import(
        "hugo",
        &[
            ("hugo.toml", settings.to_owned()),
            ("content/posts/fog.md", dated("Fog", "2024-01-01", "")),
            ("content/posts/quay.md", dated("Quay", "2024-01-02", "")),
            ("content/notes/kelp.md", dated("Kelp", "2024-02-01", "")),
        ],
    );
    assert_patterns(&site, "[addresses.folders]\nnotes = \"/n/{slug}/\"");
    site.write("old/content/notes/reef.md", dated("Reef", "2024-02-02", ""));
    let report = crate::import::languages::import(&site, "hugo", "old");
    assert_eq!(report["items"], 1);
    assert_no_aliases(&site, &["notes/reef.md"]);
    assert_addresses(&site, &["/n/kelp/", "/n/reef/", "/posts/fog/"]);
}

#[test]
fn lists_and_feeds_of_wordpress_keep_their_addresses_in_each_language() {
    let term = |domain: &str, slug: &str, name: &str| {
        format!("<category domain='{domain}' nicename='{slug}'><![CDATA[{name}]]></category>")
    };
    let language = |slug: &str| term("language", slug, slug);
    let of = |group: &str| term("post_translations", group, group);
    let site = import_export(&[
        translated(
            1,
            "walk",
            "/2020/09/walk/",
            "post",
            &(language("en")
                + &of("pll_1")
                + &term("category", "sea", "Sea")
                + &term("post_tag", "low-tide", "Low tide")),
        ),
        translated(
            2,
            "marche",
            "/fr/2020/09/marche/",
            "post",
            &(language("fr")
                + &of("pll_1")
                + &term("category", "mer", "Mer")
                + &term("post_tag", "maree-basse", "Marée basse")),
        ),
        translated(3, "quay", "/2020/09/quay/", "post", &language("en")),
    ]);
    assert_addresses(
        &site,
        &[
            "/2020/09/walk/", "/fr/2020/09/marche/", "/category/sea/", "/category/sea/feed/",
            "/tag/low-tide/", "/tag/low-tide/feed/", "/fr/category/mer/", "/fr/category/mer/feed/",
            "/fr/tag/maree-basse/", "/fr/tag/maree-basse/feed/", "/feed/", "/fr/feed/", "/fr/",
        ],
    );
}
