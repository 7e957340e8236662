//! Sites in several languages keep their structure, their translations and their addresses.

use std::path::Path;

use serde_json::Value;

use crate::import::command::{files, notes, ok};
use crate::import::hidden_entries::wordpress;
use crate::support::small_site::{SmallSite, bare, copy};

/// Imports a source below the site's folder and returns the report.
pub fn import(site: &SmallSite, kind: &str, source: &str) -> Value {
    let (source, target) = (site.path(source), site.path("site"));
    let [source, target] = [source.to_str().unwrap(), target.to_str().unwrap()];
    let said = ok(&["import", kind, source, "--site", target, "--json"]);
    serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"))
}

/// Writes the files of a source, and imports them.
pub fn import_files(kind: &str, sources: &[(&str, &str)]) -> (SmallSite, Value) {
    let site = bare();
    for (path, text) in sources {
        site.write(&format!("old/{path}"), text);
    }
    let report = import(&site, kind, "old");
    (site, report)
}

/// The content files and the settings that an import wrote.
pub fn outcome(site: &SmallSite) -> String {
    let settings = site.read("site/site.toml");
    let settings = settings.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut lines: Vec<String> = settings.map(str::to_owned).collect();
    for (path, text) in files(&site.path("site/content")) {
        let is_text = path.ends_with(".md") || path.ends_with(".toml");
        lines.push(format!("=== {path}"));
        lines.extend(is_text.then_some(text));
    }
    lines.join("\n")
}

/// Asserts that the site has no errors, and that addresses of the source exist as a page or redirect.
pub fn assert_addresses(site: &SmallSite, addresses: &[&str]) {
    let root = site.path("site");
    ok(&["check", "--site", root.to_str().unwrap()]);
    ok(&["build", "--site", root.to_str().unwrap()]);
    for address in addresses {
        let file = match address.ends_with('/') {
            true => format!("{address}index.html"),
            false => (*address).to_owned(),
        };
        assert!(site.exists(&format!("site/public{file}")), "{address} leads nowhere");
    }
}

/// Asserts that pages of translations name each other.
pub fn assert_translations(site: &SmallSite, paths: &[&str]) {
    for path in paths {
        let page = site.read(&format!("site/public{path}index.html"));
        for other in paths {
            let named = format!("{other}\" hreflang=\"");
            let turned = page.lines().any(|line| line.contains("hreflang") && line.contains(other));
            assert!(page.contains(&named) || turned, "{path} does not name {other}");
        }
    }
}

fn hugo(subfolder: bool) -> (SmallSite, Value) {
    let site = bare();
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import/languages/hugo");
    copy(&fixture, &site.path("old"));
    if subfolder {
        let settings = site.read("old/hugo.toml").replace("Subdir = false", "Subdir = true");
        site.write("old/hugo.toml", settings);
    }
    let report = import(&site, "hugo", "old");
    (site, report)
}

/// What Hugo writes for the fixture in the default language, without its path.
const HUGO_DEFAULT: [&str; 22] = [
    "/", "/about/", "/docs/", "/docs/setup/", "/walks/", "/walks/quay/", "/walks/fog/",
    "/walks/dune/", "/walks/north/", "/walks/north/cape/", "/news/", "/news/show/", "/old/fog/",
    "/tags/", "/tags/sea/", "/tags/walk/", "/categories/", "/index.xml", "/walks/index.xml",
    "/walks/north/index.xml", "/news/index.xml", "/tags/sea/index.xml",
];
/// What Hugo writes for the fixture in the other languages.
const HUGO_OTHERS: [&str; 29] = [
    "/en/", "/de/", "/de/ueber/", "/de/docs/", "/de/docs/setup/", "/de/walks/", "/de/walks/kai/",
    "/de/walks/fog/", "/de/walks/duene/", "/de/walks/nur/", "/de/walks/north/cape/", "/de/neues/",
    "/de/2024/04/bootsschau/", "/de/hier/ist/es.html", "/de/alt/nebel/", "/de/tags/",
    "/de/tags/walk/", "/de/categories/", "/de/index.xml", "/de/walks/index.xml",
    "/de/neues/index.xml", "/de/tags/walk/index.xml", "/fr/", "/fr/walks/", "/fr/walks/quay/",
    "/fr/walks/brume/", "/fr/categories/", "/fr/index.xml", "/fr/walks/index.xml",
];

#[test]
fn a_hugo_site_keeps_languages_sections_and_addresses() {
    let (site, report) = hugo(false);
    insta::assert_snapshot!("import_languages_hugo", outcome(&site));
    assert_eq!(report["items"], 15);
    let addresses: Vec<&str> = HUGO_DEFAULT.iter().chain(&HUGO_OTHERS).copied().collect();
    assert_addresses(&site, &addresses);
    assert_translations(&site, &["/walks/fog/", "/de/walks/fog/", "/fr/walks/brume/"]);
    assert_translations(&site, &["/walks/quay/", "/de/walks/kai/", "/fr/walks/quay/"]);
    assert_translations(&site, &["/walks/dune/", "/de/walks/duene/"]);
    assert_translations(&site, &["/about/", "/de/ueber/"]);
    assert_translations(&site, &["/news/", "/de/neues/"]);
    // References lead to the text in their own language, and each language shows its own picture.
    let kai = site.read("site/content/items/walks/quay/index.de.md");
    assert!(kai.contains("[Nebel](../fog.de.md)"), "{kai}");
    let cape = site.read("site/content/items/walks/north/cape.de.md");
    assert!(cape.contains("[Kai](../quay/index.de.md)"), "{cape}");
    let pictures = ["old/content/walks/quay", "old/content.fr/walks/quay"]
        .map(|folder| std::fs::read(site.path(folder).join("quay.jpg")).unwrap());
    let own = ["items/walks/quay", "items/fr/walks/quay"].map(|folder| {
        std::fs::read(site.path("site/content").join(folder).join("quay.jpg")).unwrap()
    });
    assert!(pictures == own && pictures[0] != pictures[1]);
    // A value that a section sets for its items is a default of the folder, and says so if it cannot be.
    assert!(!site.read("site/content/items/news/show.md").contains("authors"));
    let page = site.read("site/public/news/show/index.html");
    assert!(page.contains("Ben Ruiz") || site.read("site/public/rss.xml").contains("Ben Ruiz"));
    assert!(notes(&report).iter().any(|note| note.contains("`cascade.banner`")), "{report}");
    // The menus of both languages are in the navigation of their own language.
    let [english, german] =
        ["", "/de"].map(|path| site.read(&format!("site/public{path}/index.html")));
    assert!(english.contains(">About<") && !english.contains(">Über<"));
    assert!(german.contains(">Über<") && !german.contains(">About<"));
}

#[test]
fn a_hugo_site_with_its_default_language_below_a_path_keeps_its_addresses() {
    let (site, _) = hugo(true);
    let settings = site.read("site/site.toml");
    assert!(settings.contains("items = \"/{language}/{section}/{slug}/\""), "{settings}");
    let default: Vec<String> = HUGO_DEFAULT.iter().map(|path| format!("/en{path}")).collect();
    let default = default.iter().map(String::as_str);
    assert_addresses(&site, &default.chain(HUGO_OTHERS).chain(["/"]).collect::<Vec<_>>());
    assert!(site.read("site/public/en/walks/fog/index.html").contains("Grey."));
}

#[test]
fn a_second_import_adds_only_new_translations() {
    let (site, _) = hugo(false);
    let before = files(&site.path("site/content"));
    assert_eq!(import(&site, "hugo", "old")["items"], 0);
    assert_eq!(before, files(&site.path("site/content")));
    let dune = "---\ntitle: La dune\ndate: 2024-03-03\ntranslationKey: dune\n---\nDu sable.\n";
    site.write("old/content.fr/walks/sable.md", dune);
    assert_eq!(import(&site, "hugo", "old")["items"], 1);
    assert!(site.read("site/content/items/walks/dune.fr.md").contains("slug = \"sable\""));
    assert_addresses(&site, &["/fr/walks/sable/"]);
}

#[test]
fn an_existing_site_is_advised_and_keeps_its_settings() {
    let site = bare();
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import/languages/hugo");
    copy(&fixture, &site.path("old"));
    site.write("site/site.toml", "base_url = \"https://walks.example\"\n");
    site.write("site/content/channel.md", "+++\ntitle = \"Mine\"\nlanguage = \"en\"\n+++\n");
    let report = import(&site, "hugo", "old");
    let notes = notes(&report).join("\n");
    assert!(notes.contains("[languages]\ndefault = \"en\"\nothers = [\"de\", \"fr\"]"), "{notes}");
    assert_eq!(site.read("site/site.toml"), "base_url = \"https://walks.example\"\n");
    let fog = site.read("site/content/items/walks/fog-de.md");
    assert!(fog.contains("language = \"de\"") && fog.contains("translations = ["), "{fog}");
    assert_addresses(&site, &["/de/walks/fog/", "/walks/fog/", "/fr/walks/brume/"]);
}

#[test]
fn unusual_languages_of_hugo_get_valid_tags() {
    let (site, report) = import_files(
        "hugo",
        &[
            (
                "hugo.yaml",
                "baseURL: https://t.example/\ntitle: T\ndefaultContentLanguage: en\nlanguages:\n  en: {weight: 1}\n  \
                 cn: {languageCode: zh-CN, weight: 2, title: 潮}\n  pt-br: {languageCode: pt-BR, weight: 3}\n  \
                 fr: {baseURL: 'https://fr.t.example/', weight: 4}\n  nl: {weight: 5}\n",
            ),
            ("content/posts/fog.md", "---\ntitle: Fog\ndate: 2024-01-01\n---\nGrey.\n"),
            ("content/posts/fog.cn.md", "---\ntitle: 雾\ndate: 2024-01-01\n---\n灰.\n"),
            ("content/posts/fog.pt-br.md", "---\ntitle: Névoa\ndate: 2024-01-01\n---\nCinza.\n"),
            ("content/posts/fog.fr.md", "---\ntitle: Brume\ndate: 2024-01-01\n---\nGris.\n"),
        ],
    );
    let settings = site.read("site/site.toml");
    assert!(settings.contains("others = [\"zh-CN\", \"pt-BR\", \"fr\"]"), "{settings}");
    assert_addresses(
        &site,
        &[
            "/posts/fog/", "/cn/posts/fog/", "/cn/", "/pt-br/posts/fog/", "/zh-cn/posts/fog/",
            "/fr/posts/fog/",
        ],
    );
    let told = notes(&report).join("\n");
    assert!(told.contains("move from https://fr.t.example/"), "{told}");
    assert!(told.contains("the language `nl` was left out"), "{told}");
    let brume = site.read("site/content/items/fog.fr.md");
    assert!(brume.contains("guid = \"https://fr.t.example/posts/fog/\""), "{brume}");
    assert!(site.read("site/content/channel.zh-cn.md").contains("潮"));
}

#[test]
fn a_zola_site_keeps_languages_and_sections() {
    let text = |title: &str, date: &str| {
        format!("+++\ntitle = '{title}'\ndate = {date}\n+++\nText of {title}.\n")
    };
    let (site, report) = import_files(
        "zola",
        &[
            (
                "config.toml",
                "base_url = 'https://t.example'\ntitle = 'Tides'\ndefault_language = 'en'\ngenerate_feeds = true\n\
                 [languages.de]\ntitle = 'Gezeiten'\ndescription = 'Vom Meer.'\ngenerate_feeds = true\n",
            ),
            ("templates/section.html", "{{ section.content | safe }}"),
            (
                "content/blog/_index.md",
                "+++\ntitle = 'Blog'\nsort_by = 'date'\ngenerate_feeds = true\n+++\nNews.\n",
            ),
            (
                "content/blog/_index.de.md",
                "+++\ntitle = 'Neues'\nsort_by = 'date'\ngenerate_feeds = true\n+++\nNeues.\n",
            ),
            ("content/blog/fog.md", &text("Fog", "2024-01-01")),
            ("content/blog/fog.de.md", &text("Nebel", "2024-01-01")),
            ("content/blog/quay/index.md", &text("Quay", "2024-01-02")),
            ("content/blog/quay/index.de.md", &text("Kai", "2024-01-02")),
            ("content/blog/nur.de.md", &text("Nur", "2024-01-03")),
            ("content/docs/_index.md", "+++\ntitle = 'Docs'\n+++\nAll docs.\n"),
            ("content/docs/setup.md", "+++\ntitle = 'Setup'\n+++\nHow.\n"),
            ("content/docs/setup.de.md", "+++\ntitle = 'Einrichten'\n+++\nWie.\n"),
        ],
    );
    let told = notes(&report).join("\n");
    assert!(told.contains("the text above a list of pages was left out"), "{told}");
    insta::assert_snapshot!("import_languages_zola", outcome(&site));
    assert_addresses(
        &site,
        &[
            "/", "/de/", "/blog/", "/de/blog/", "/blog/fog/", "/de/blog/fog/", "/blog/quay/",
            "/de/blog/quay/", "/de/blog/nur/", "/docs/setup/", "/de/docs/setup/", "/atom.xml",
            "/de/atom.xml", "/blog/atom.xml", "/de/blog/atom.xml",
        ],
    );
    assert_translations(&site, &["/blog/fog/", "/de/blog/fog/"]);
    assert!(site.read("site/public/de/index.html").contains("Gezeiten"));
}

#[test]
fn a_jekyll_site_with_polyglot_keeps_its_languages() {
    let text =
        |title: &str, more: &str| format!("---\ntitle: {title}\n{more}---\nText of {title}.\n");
    let settings = "title: Tides\nurl: https://t.example\nplugins: [jekyll-polyglot]\nlanguages: [en, de]\n\
        default_lang: en\nlang_from_path: true\npermalink: pretty\n";
    let (site, _) = import_files(
        "jekyll",
        &[
            ("_config.yml", settings),
            ("_posts/2024-01-01-fog.md", &text("Fog", "lang: en\n")),
            ("_posts/de/2024-01-01-fog.md", &text("Nebel", "")),
            ("_posts/2024-01-02-quay.md", &text("Quay", "page_id: quay\npermalink: /quay/\n")),
            ("_posts/de/2024-01-02-kai.md", &text("Kai", "page_id: quay\npermalink: /kai/\n")),
            ("_posts/2024-01-03-only.md", &text("Only", "")),
            ("about.md", &text("About", "lang: en\npermalink: /about/\n")),
            ("about.de.md", &text("Wir", "lang: de\npermalink: /about/\n")),
        ],
    );
    let settings = site.read("site/site.toml");
    assert!(settings.contains("untranslated = \"show\""), "{settings}");
    assert!(
        site.exists("site/content/items/quay.de.md")
            && site.exists("site/content/pages/about.de.md")
    );
    assert_addresses(
        &site,
        &[
            "/2024/01/01/fog/", "/de/2024/01/01/fog/", "/quay/", "/de/kai/", "/2024/01/03/only/",
            "/de/2024/01/03/only/", "/about/", "/de/about/",
        ],
    );
    assert_translations(&site, &["/about/", "/de/about/"]);
}

#[test]
fn jekyll_sites_without_a_plugin_keep_their_languages() {
    let text =
        |title: &str, more: &str| format!("---\ntitle: {title}\n{more}---\nText of {title}.\n");
    let settings = "title: Tides\nurl: https://t.example\nlang: en\npermalink: /:categories/:title/\n\
        defaults:\n- scope: {path: de}\n  values: {lang: de}\n";
    let (site, _) = import_files(
        "jekyll",
        &[
            ("_config.yml", settings),
            ("_posts/2024-01-01-fog.md", &text("Fog", "lang: en\nref: fog\n")),
            ("de/_posts/2024-01-01-nebel.md", &text("Nebel", "ref: fog\n")),
            ("about.md", &text("About", "")),
            ("de/about.md", &text("Wir", "")),
            ("de/index.md", &text("Start", "")),
        ],
    );
    assert!(
        site.exists("site/content/items/fog.de.md")
            && site.exists("site/content/pages/about.de.md")
    );
    assert_addresses(&site, &["/fog/", "/de/nebel/", "/about/", "/de/about/", "/de/"]);
    assert_translations(&site, &["/fog/", "/de/nebel/"]);
    // The posts of jekyll-multiple-languages-plugin.
    let settings = "title: Tides\nurl: https://t.example\nlanguages: [en, de]\npermalink: /:title/\n\
        plugins: [jekyll-multiple-languages-plugin]\n";
    let (site, _) = import_files(
        "jekyll",
        &[
            ("_config.yml", settings),
            ("_i18n/en/_posts/2024-01-01-fog.md", &text("Fog", "")),
            ("_i18n/de/_posts/2024-01-01-fog.md", &text("Nebel", "")),
        ],
    );
    assert_addresses(&site, &["/fog/", "/de/fog/"]);
    assert!(site.read("site/content/items/fog.de.md").contains("Nebel"));
}

#[test]
fn an_eleventy_site_keeps_its_languages() {
    let text =
        |title: &str, more: &str| format!("---\ntitle: {title}\n{more}---\nText of {title}.\n");
    let (site, _) = import_files(
        "eleventy",
        &[
            ("_data/site.json", "{ \"title\": \"Tides\", \"url\": \"https://t.example\" }"),
            (
                "eleventy.config.js",
                "const { EleventyI18nPlugin } = require('@11ty/eleventy');\nmodule.exports = (config) => {\n  \
                 config.addPlugin(EleventyI18nPlugin, { defaultLanguage: 'en' });\n};\n",
            ),
            ("en/en.json", "{ \"lang\": \"en\" }"),
            ("de/de.json", "{ \"locale\": \"de\" }"),
            ("en/posts/posts.json", "{ \"tags\": \"posts\" }"),
            ("de/posts/posts.json", "{ \"tags\": \"posts\" }"),
            ("en/posts/fog.md", &text("Fog", "date: 2024-01-01\n")),
            ("de/posts/fog.md", &text("Nebel", "date: 2024-01-01\n")),
            ("en/posts/quay.md", &text("Quay", "date: 2024-01-02\ntranslationKey: quay\n")),
            ("de/posts/kai.md", &text("Kai", "date: 2024-01-02\ntranslationKey: quay\n")),
            ("en/about.md", &text("About", "")),
            ("de/about.md", &text("Wir", "")),
            ("de/index.md", &text("Start", "")),
        ],
    );
    let settings = site.read("site/site.toml");
    assert!(settings.contains("default = \"en\"\nothers = [\"de\"]"), "{settings}");
    assert!(settings.contains("items = \"/{language}/posts/{slug}/\""), "{settings}");
    assert_addresses(
        &site,
        &[
            "/en/posts/fog/", "/de/posts/fog/", "/en/posts/quay/", "/de/posts/kai/", "/en/about/",
            "/de/about/", "/en/", "/de/",
        ],
    );
    assert!(site.read("site/content/items/quay.de.md").contains("Kai"));
    assert_translations(&site, &["/en/posts/fog/", "/de/posts/fog/"]);
}

/// An entry of an export in a language, with further tags.
pub fn translated(id: u32, slug: &str, path: &str, kind: &str, more: &str) -> String {
    format!(
        "<item><title>{slug}</title><link>https://t.example{path}</link><guid isPermaLink='false'>g{id}</guid>\
         <content:encoded><![CDATA[<p>Text of {slug}.</p>]]></content:encoded><wp:post_id>{id}</wp:post_id>\
         <wp:post_date_gmt>2020-09-11 16:55:05</wp:post_date_gmt><wp:post_name>{slug}</wp:post_name>\
         <wp:status>publish</wp:status><wp:post_type>{kind}</wp:post_type>{more}</item>"
    )
}

pub fn import_export(entries: &[String]) -> SmallSite {
    let site = bare();
    let export = wordpress(&entries.concat()).replace("https://tides.example", "https://t.example");
    let export = export.replace("<wp:wxr", "<language>en-US</language><wp:wxr");
    site.write("old/e.xml", export);
    let (source, target) = (site.path("old/e.xml"), site.path("site"));
    let [source, target] = [source.to_str().unwrap(), target.to_str().unwrap()];
    ok(&["import", "wordpress", source, "--base-url", "https://t.example", "--site", target]);
    site
}

#[test]
fn wordpress_exports_of_polylang_keep_their_languages() {
    let term = |language: &str, group: &str| {
        format!(
            "<category domain='language' nicename='{language}'>L</category>\
             <category domain='post_translations' nicename='pll_{group}'>pll_{group}</category>"
        )
    };
    let tagged = term("de", "a") + "<category domain='category' nicename='meer'>Meer</category>";
    let site = import_export(&[
        translated(1, "walk", "/2020/09/walk/", "post", &term("en", "a")),
        translated(2, "weg", "/de/2020/09/weg/", "post", &tagged),
        translated(3, "quay", "/2020/09/quay/", "post", &term("en", "b")),
        translated(4, "about", "/about/", "page", &term("en", "c")),
        translated(5, "wir", "/de/wir/", "page", &term("de", "c")),
    ]);
    let settings = site.read("site/site.toml");
    assert!(settings.contains("default = \"en\"\nothers = [\"de\"]"), "{settings}");
    assert!(settings.contains("items = \"/{year}/{month}/{slug}/\""), "{settings}");
    let [walk, about] = ["items/walk.de.md", "pages/about.de.md"]
        .map(|file| site.read(&format!("site/content/{file}")));
    assert!(walk.contains("slug = \"weg\"") && !walk.contains("pll_"), "{walk}");
    assert!(about.contains("slug = \"wir\""), "{about}");
    assert_addresses(
        &site,
        &[
            "/2020/09/walk/", "/de/2020/09/weg/", "/2020/09/quay/", "/about/", "/de/wir/",
            "/de/feed/", "/de/category/meer/",
        ],
    );
    assert_translations(&site, &["/2020/09/walk/", "/de/2020/09/weg/"]);
}

#[test]
fn wordpress_exports_of_wpml_keep_their_languages() {
    let copy = "<wp:postmeta><wp:meta_key>_icl_lang_duplicate_of</wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>";
    let site = import_export(&[
        translated(1, "walk", "/walk/", "post", ""),
        translated(2, "weg", "/de/weg/", "post", copy),
        translated(3, "brume", "/fr/brume/", "post", ""),
    ]);
    let settings = site.read("site/site.toml");
    assert!(settings.contains("others = [\"de\", \"fr\"]"), "{settings}");
    assert!(
        site.exists("site/content/items/walk.de.md")
            && site.exists("site/content/items/brume.fr.md")
    );
    assert_addresses(&site, &["/walk/", "/de/weg/", "/fr/brume/"]);
    assert_translations(&site, &["/walk/", "/de/weg/"]);
}
