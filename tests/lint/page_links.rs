//! Addresses of published pages that lead to nothing, and the files of themes of the published service.

use crate::content::errors::site_with_theme;
use crate::support::small_site::{SmallSite, feedwright, site};

const MANIFEST: &str = "themes/mine/theme.json";
const PUBLISHED: &str = "themes/mine/microfeed-theme.json";

/// A theme as the documentation of the published service describes it: assets in `assets/`, addressed without
/// the name of that folder.
fn published_theme(assets: &str) -> SmallSite {
    let site = site_with_theme();
    let text = site.read(MANIFEST);
    let text = text.replace("\"files\"", "\"microfeed\": \">=1.0.0\",\n  \"files\"");
    let start = text.find("\"assets\": [").unwrap();
    let end = start + text[start..].find(']').unwrap() + 1;
    let text = format!("{}\"assets\": [{assets}]{}", &text[..start], &text[end..]);
    site.without(MANIFEST).without("themes/mine/style.css").with(PUBLISHED, text)
}

/// The warnings and errors of `check`, each with its place.
fn check_diagnostics(site: &SmallSite) -> Vec<String> {
    let (_, out, err) = feedwright(site, &["check", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).expect(&err);
    let found = report["diagnostics"].as_array().unwrap().iter();
    let found = found.filter(|one| one["rule"] != "example-address");
    let found = found.map(|one| {
        format!(
            "{}:{} [{}] {}",
            one["file"].as_str().unwrap_or_default(),
            one["line"],
            one["rule"].as_str().unwrap_or_default(),
            one["message"].as_str().unwrap_or_default()
        )
    });
    found.collect()
}

/// The addresses that a page loads, as files of the output.
fn loaded_assets(site: &SmallSite, page: &str) -> Vec<String> {
    let html = site.read(&format!("public/{page}"));
    let rest = html.split("<!-- header -->").nth(1).unwrap();
    let inner = rest.split("</head>").next().unwrap();
    let parts = inner.split('"').filter(|part| part.contains("assets"));
    parts.map(|part| part.replace("&#x2F;", "/").trim_start_matches('/').to_owned()).collect()
}

#[test]
fn a_microfeed_theme_gets_its_declared_assets() {
    for (namespace, word) in [("", "microfeed"), ("namespace = \"microfeed\"\n", "microfeed")] {
        let site = published_theme("\"assets/theme.css\", \"assets/js/theme.js\", \"logo.svg\"")
            .with("themes/mine/assets/theme.css", "a { background: url(\"../logo.svg\") }")
            .with("themes/mine/assets/js/theme.js", "1")
            .with("themes/mine/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
            .with(
                "themes/mine/header.html",
                format!(
                    "<!-- header --><link rel=\"stylesheet\" href=\"{{{{_theme.asset_base_url}}}}theme.css\">\n\
                     <script src=\"{{{{#_theme}}}}{{{{{{asset_base_url}}}}}}js/theme.js{{{{/_theme}}}}\"></script>\n\
                     <link rel=\"icon\" href=\"{{{{_theme.asset_base_url}}}}logo.svg\"><meta content=\"{{{{_{word}.base_url}}}}\">\n"
                ),
            );
        let config = site.read("site.toml");
        let site = site.with("site.toml", format!("{config}{namespace}"));
        site.built();
        let loaded = loaded_assets(&site, "index.html");
        assert_eq!(loaded.len(), 3, "{loaded:?}");
        for file in &loaded {
            assert!(site.exists(&format!("public/{file}")), "{file}");
        }
        assert!(loaded[0].ends_with("/assets/theme.css"), "{loaded:?}");
        assert!(
            site.read("public/index.html").contains("content=\"https:&#x2F;&#x2F;example.com\"")
        );
        // The address in the style sheet is that of a folder above.
        let broken = check_diagnostics(&site);
        assert_eq!(broken.len(), 1, "{broken:#?}");
        assert!(broken[0].contains("no file at ../logo.svg"), "{broken:?}");
        let fixed = site.with("themes/mine/assets/theme.css", "a { background: url(logo.svg) }");
        assert_eq!(check_diagnostics(&fixed), [""; 0]);
    }
}

#[test]
fn an_extended_theme_and_its_base_each_get_their_own_assets() {
    let manifest = |more: &str| {
        format!(
            "{{\"formatVersion\": 2, \"packageId\": \"a.b\", \"name\": \"A\", \"version\": \"1.0.0\", \"author\": \"A\", \"license\": \"MIT\", {more}}}"
        )
    };
    let site = published_theme("\"assets/theme.css\"")
        .with("themes/mine/assets/theme.css", "")
        .with(
            "themes/mine/header.html",
            "<!-- header --><link rel=\"stylesheet\" href=\"{{_theme.asset_base_url}}theme.css\">\n",
        )
        .with(
            "themes/child/theme.json",
            manifest("\"extends\": \"mine\", \"files\": {\"webBodyEnd\": \"end.html\"}, \"assets\": [\"assets/own.css\"]"),
        )
        .with("themes/child/assets/own.css", "")
        .with(
            "themes/child/end.html",
            "<link rel=\"stylesheet\" href=\"{{_theme.asset_base_url}}/assets/own.css\"><!-- end -->\n",
        );
    let config = site.read("site.toml").replace("mine", "child");
    let site = site.with("site.toml", config);
    site.built();
    assert_eq!(check_diagnostics(&site), [""; 0]);
}

#[test]
fn an_old_key_of_a_word_in_a_theme_is_reported_with_the_present_one() {
    let site = published_theme("\"assets/theme.css\"")
        .with("themes/mine/assets/theme.css", "")
        .with("themes/mine/header.html", "{{_words.search}}\n{{ _words.site }}\n");
    let warning = "themes/mine/header.html:2 [theme-package] the word `site` is now `main_menu`";
    assert_eq!(check_diagnostics(&site), [warning]);
}

#[test]
fn a_missing_theme_asset_is_reported_in_its_template() {
    let site = published_theme("\"assets/theme.css\"").with("themes/mine/assets/theme.css", "").with(
        "themes/mine/header.html",
        "<!-- header -->\n<link rel=\"stylesheet\" href=\"{{_theme.asset_base_url}}them.css\">\n",
    );
    let warning =
        "themes/mine/header.html:2 [theme-package] broken link: the theme has no asset them.css";
    assert_eq!(check_diagnostics(&site), [warning]);
    let outcome = site.built();
    assert!(outcome.warnings.iter().any(|one| one.message.contains("no asset them.css")));
    let (code, _, said) = feedwright(&site, &["theme", "validate"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("no asset them.css"), "{said}");
    let (code, _, said) = feedwright(&site, &["theme", "test"]);
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("them.css"), "{said}");
    // Another manifest has another base address.
    let site = site_with_theme()
        .with("themes/mine/header.html", "<link href=\"{{_theme.asset_base_url}}style.css\">\n");
    let found = check_diagnostics(&site);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("header.html:1 [theme-package]"), "{found:?}");
}

#[test]
fn each_broken_address_of_a_slot_is_reported_once() {
    let site = site_with_theme()
        .with(
            "themes/mine/start.html",
            "<a href=\"/nowhere/\">a</a>\n\
             <img alt=\"\" src=\"/a.png\" srcset=\"/media/b.png 2x\">\n\
             <form action=\"/send/\"><button formaction=\"{{_service.base_url}}/other/\">b</button></form>\n\
             <video poster=\"/c.jpg\"><track src=\"../d.vtt\"></video>\n\
             <p style=\"background: url(/e.svg)\"></p>\n\
             <a href=\"#missing\">c</a><a href=\"#here\" id=\"here\">d</a>\n\
             <a href=\"https://elsewhere.example/f/\">e</a><a href=\"mailto:a@b.example\">f</a>\n\
             {{#items}}<a href=\"/posts/{{id}}/\">g</a>{{/items}}\n",
        )
        .with("content/items/a.md", "+++\ntitle = \"A\"\nstatus = \"published\"\ndate_published = 2026-01-01\n+++\n[x](#section)\n\n## Section\n")
        .with("content/items/b.md", "+++\ntitle = \"B\"\nstatus = \"published\"\ndate_published = 2026-01-02\n+++\nText.\n")
        // The item's text is on its page.
        .with("themes/mine/item.html", "{{{item.content_html}}}\n");
    let found = check_diagnostics(&site);
    let place = |line: usize, what: &str| format!("themes/mine/start.html:{line} {what}");
    let no = |path: &str| format!("[dead-link] broken link: the site has nothing at {path}");
    let expected = [
        place(1, &no("/nowhere/")),
        place(2, &no("/a.png")),
        place(2, &no("/media/b.png")),
        place(3, &no("/send/")),
        place(3, &no("/other/")),
        place(4, &no("/c.jpg")),
        place(4, &no("/d.vtt")),
        place(5, &no("/e.svg")),
        place(6, "[dead-anchor] broken link: / has no element with the id \"missing\""),
    ];
    for one in &expected {
        assert_eq!(found.iter().filter(|other| *other == one).count(), 1, "{one}\n{found:#?}");
    }
    // The text of a template writes many addresses, and is one fault.
    let posts = found.iter().filter(|one| one.contains("/posts/"));
    assert_eq!(posts.count(), 1, "{found:#?}");
    assert_eq!(found.len(), expected.len() + 1, "{found:#?}");
}

#[test]
fn site_files_and_content_are_checked_too() {
    let site = site()
        .with(
            "site-files/humans.txt",
            "Team: {{{_site.origin}}}/team/.\nHome: {{{_site.origin}}}/\n",
        )
        .with(
            "site-files/app.webmanifest",
            "{\"name\": \"A\", \"start_url\": \"./\", \"icons\": [{\"src\": \"icon.png\"}]}",
        )
        .with("site-files/more.css", "a { background: url(lost.png) }\n")
        .with(
            "site-files/list.xml",
            "<list>\n<link href=\"/lost/\"/><loc>https://example.com/gone/</loc></list>",
        )
        .with(
            "content/items/a.md",
            "+++\ntitle = \"A\"\nstatus = \"published\"\ndate_published = 2026-01-01\n+++\n[whole](https://example.com/whole/) and [half](/half/)\n\n<form action=\"/form/\"></form>\n",
        );
    let found = check_diagnostics(&site);
    let expected = [
        "content/items/a.md:6 [dead-link] broken link: the site has nothing at /half/",
        "content/items/a.md:6 [dead-link] broken link: the site has nothing at /whole/",
        "content/items/a.md:8 [dead-link] broken link: the site has nothing at /form/",
        "site-files/app.webmanifest:1 [dead-link] broken link: the site has nothing at /icon.png",
        "site-files/humans.txt:1 [dead-link] broken link: the site has nothing at /team/",
        "site-files/list.xml:2 [dead-link] broken link: the site has nothing at /lost/",
        "site-files/list.xml:2 [dead-link] broken link: the site has nothing at /gone/",
        "site-files/more.css:1 [dead-link] broken link: the site has nothing at /lost.png",
    ];
    for one in expected {
        assert_eq!(found.iter().filter(|other| *other == one).count(), 1, "{one}\n{found:#?}");
    }
    assert_eq!(
        found.iter().filter(|one| one.contains("dead-")).count(),
        expected.len(),
        "{found:#?}"
    );
}

#[test]
fn pages_of_a_site_below_a_path_are_checked() {
    let site = site().with("site.toml", "base_url = \"https://example.com/blog\"\n").with(
        "site-files/humans.txt",
        "https://example.com/blog/team/ https://example.com/other/\n",
    );
    let found = check_diagnostics(&site);
    assert_eq!(
        found,
        ["site-files/humans.txt:1 [dead-link] broken link: the site has nothing at /team/"],
    );
}

#[test]
fn a_page_without_dates_has_dates_in_templates() {
    let slot = "created={{page.date_created}} modified={{page.date_modified}}\n";
    let site = site_with_theme()
        .with("themes/mine/page.html", slot)
        .with("themes/mine/item.html", "size={{#item.attachments}}{{size_in_byte}}{{/item.attachments}}\n")
        .with("content/items/a.md", "+++\ntitle = \"A\"\nslug = \"a\"\nstatus = \"published\"\ndate_published = 2026-01-02\nattachment = { url = \"https://a.example/a.mp3\", size_in_bytes = 12 }\n+++\n")
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
        .with("content/pages/dated.md", "+++\ntitle = \"Dated\"\ndate_published = 2026-02-03\n+++\n");
    site.built();
    let about = site.read("public/about/index.html");
    let newest = "2026-01-02T00:00:00.000Z";
    assert!(about.contains(&format!("created={newest} modified={newest}")), "{about}");
    let dated = site.read("public/dated/index.html");
    let own = "2026-02-03T00:00:00.000Z";
    assert!(dated.contains(&format!("created={own} modified={own}")), "{dated}");
    assert!(site.read("public/i/a/index.html").contains("size=12"));
}
