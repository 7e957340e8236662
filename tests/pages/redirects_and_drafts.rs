//! What builds make of `content/redirects.toml`, `[site_files]`, drafts of Site Files and templates that broke.

use crate::support::small_site::site;

fn built_rules(redirects: &str) -> String {
    let site = site()
        .with(
            "site.toml",
            "base_url = \"https://example.com\"\n[hosting]\ntargets = [\"netlify\"]\n",
        )
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
        .with("content/redirects.toml", redirects);
    site.built();
    site.read("public/_redirects")
}

#[test]
fn listed_redirects_have_their_targets() {
    let rules = built_rules(
        "# Old.\n\"/about-us/\" = \"/about/\"\n\"/caf%C3%A9.html\" = \"/\"\n\"/walks/\" = \"https://walks.example/caf%C3%A9/\"\n\"/w\" = \"https://walks.example\"\n",
    );
    let words: Vec<Vec<&str>> =
        rules.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(words.contains(&vec!["/about-us/", "/about/", "301"]), "{rules}");
    assert!(words.contains(&vec!["/caf%C3%A9.html", "/", "301"]), "{rules}");
    let elsewhere = "https://walks.example/caf%C3%A9/";
    assert!(words.contains(&vec!["/walks/", elsewhere, "301"]), "{rules}");
    assert!(words.contains(&vec!["/w", "https://walks.example/", "301"]), "{rules}");
}

#[test]
fn an_address_of_this_site_is_a_path() {
    let rules = built_rules("\"/us/\" = \"https://example.com/about/\"\n");
    assert!(rules.contains("/us/ /about/ 301"), "{rules}");
    let site = site().with("content/redirects.toml", "\"/x/\" = \"https://example.com/x/\"\n");
    assert!(site.report().contains("/x/ redirects to itself"), "{}", site.report());
}

#[test]
fn a_feed_that_moves_to_another_site_needs_a_host_with_redirects() {
    let lines = "\"/walks/rss.xml\" = \"https://walks.example/rss.xml\"\n\"/walks/\" = \"https://walks.example/\"\n";
    let site = site().with("content/redirects.toml", lines);
    let report = site.report();
    assert_eq!(report.matches("apps cannot follow").count(), 1, "{report}");
    assert!(report.contains("--> content/redirects.toml:1:1"), "{report}");
    let toml = "base_url = \"https://example.com\"\n[hosting]\ntargets = [\"nginx\"]\n";
    site.write("site.toml", toml);
    assert!(!site.report().contains("apps cannot follow"));
}

#[test]
fn an_existing_path_is_not_redirected() {
    let site = site()
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n")
        .with("content/redirects.toml", "\"/about\" = \"/\"\n");
    insta::assert_snapshot!(site.report(), @r##"
    built
    warning[former-path]: redirect ignored: /about is now a path of this site
      --> content/redirects.toml:1:1
      |
    1 | "/about" = "/"
      | ^
      help: remove the line that begins with "/about"
    "##);
}

#[test]
fn an_invalid_redirect_is_an_error_with_its_position() {
    let site = site().with(
        "content/redirects.toml",
        "\"about\" = \"/\"\n\"/\" = \"/x/\"\n\"/a/\" = \"https://example.com/?x\"\n\"/b/\" = 1\n\"/c/?d\" = \"/\"\n\"/e/\" = \"/f/\"\n\"/f/\" = \"/e/\"\n",
    );
    insta::assert_snapshot!(site.report(), @r##"
    not built
    error: "about" is not a path that can be redirected
      --> content/redirects.toml:1:1
      |
    1 | "about" = "/"
      | ^
      help: write a path of this site in quotes and without `?` or `#`, such as "/about/"
    error: "/" is not a path that can be redirected
      --> content/redirects.toml:2:1
      |
    2 | "/" = "/x/"
      | ^
      help: write a path of this site in quotes and without `?` or `#`, such as "/about/"
    error: the target of /a/ must be a path or an address
      --> content/redirects.toml:3:9
      |
    3 | "/a/" = "https://example.com/?x"
      |         ^
      help: write a path of this site such as "/about/", or an address such as "https://example.com/about/", in quotes and without `?`, `#` or characters other than ASCII in the host
    error: the target of /b/ must be a path or an address
      --> content/redirects.toml:4:9
      |
    4 | "/b/" = 1
      |         ^
      help: write a path of this site such as "/about/", or an address such as "https://example.com/about/", in quotes and without `?`, `#` or characters other than ASCII in the host
    error: "/c/?d" is not a path that can be redirected
      --> content/redirects.toml:5:1
      |
    5 | "/c/?d" = "/"
      | ^
      help: write a path of this site in quotes and without `?` or `#`, such as "/about/"
    error: /e/ redirects to itself
      --> content/redirects.toml:6:1
      |
    6 | "/e/" = "/f/"
      | ^
      help: redirect it to a page
    error: /f/ redirects to itself
      --> content/redirects.toml:7:1
      |
    7 | "/f/" = "/e/"
      | ^
      help: redirect it to a page
    "##);
}

#[test]
fn site_toml_overrides_redirects_of_templates() {
    let site = site()
        .with("site-files/a.txt", "a")
        .with(
            "site.toml",
            "base_url = \"https://example.com\"\n[site_files.\"a.txt\"]\nenabled = false\n[site_files.\"llms.txt\"]\nenabled = false\n",
        );
    site.built();
    assert!(!site.exists("public/a.txt"));
    assert!(!site.exists("public/llms.txt"));
    assert!(site.exists("public/robots.txt"));
    let site = site.with(
        "site.toml",
        "base_url = \"https://example.com\"\n[site_files]\n\"b.txt\" = 1\n\"C.txt\" = {}\n\"d.txt\" = { content_type = \"text/pain\", enable = true }\n",
    );
    insta::assert_snapshot!(site.report(), @r##"
    not built
    error: `site_files."b.txt"` must be a table, not a whole number
      --> site.toml:3:11
      |
    3 | "b.txt" = 1
      |           ^
      help: see the documentation of this key
    error: "C.txt" is not a valid site file name: use a–z, 0–9, `.`, `-` and `_`, at most 128 characters, not starting with a dot
      --> site.toml:4:1
      |
    4 | "C.txt" = {}
      | ^
      help: write the name of the site file in quotes: [site_files."robots.txt"]
    error: `site_files."d.txt".content_type` cannot be "text/pain"
      --> site.toml:5:28
      |
    5 | "d.txt" = { content_type = "text/pain", enable = true }
      |                            ^
      help: did you mean "text/plain"? Allowed values: application/json, application/manifest+json, application/rss+xml, application/xml, text/css, text/csv, text/markdown, text/plain, text/yaml
    warning[unknown-key]: unknown key `site_files."d.txt".enable`
      --> site.toml:5:41
      |
    5 | "d.txt" = { content_type = "text/pain", enable = true }
      |                                         ^
      help: did you mean `enabled`?
    "##);
}

#[test]
fn an_offline_site_always_excludes_robots() {
    let site = site().with(
        "site.toml",
        "base_url = \"https://example.com\"\naccess = \"offline\"\n[site_files.\"robots.txt\"]\nenabled = false\n",
    );
    site.built();
    assert_eq!(site.read("public/robots.txt"), "User-agent: *\nDisallow: /\n");
}

#[test]
fn drafts_are_not_published_and_reserve_no_paths() {
    let site = site()
        .with("site-files/a.txt", "published")
        .with("site-files/a.txt.draft", "{{#broken")
        .with("site-files/b.json.draft", "no json")
        .with("site-files/Odd.txt.draft", "x");
    insta::assert_snapshot!(site.report(), @r##"
    built
    warning[site-file]: "Odd.txt" is not a valid site file name: use a–z, 0–9, `.`, `-` and `_`, at most 128 characters, not starting with a dot
      --> site-files/Odd.txt.draft
      help: rename the file; it must be directly in site-files/, not in a folder there
    "##);
    assert_eq!(site.read("public/a.txt"), "published");
    assert!(!site.exists("public/b.json"));
    assert!(!site.exists("public/a.txt.draft"));
}

#[test]
fn a_broken_template_keeps_its_last_output() {
    let site = site()
        .with("content/items/a.md", "+++\nslug = \"a\"\ntitle = \"One\"\n+++\n")
        .with("site-files/a.json", "[\"{{{items.0.title}}}\"]\n");
    site.built();
    assert_eq!(site.read("public/a.json"), "[\"One\"]\n");
    // The content breaks it.
    site.write("content/items/a.md", "+++\nslug = \"a\"\ntitle = 'The \"one\"'\n+++\n");
    insta::assert_snapshot!(site.report(), @r##"
    built
    warning[site-file]: this site file renders to invalid JSON: expected `,` or `]`; the last valid version is published
      --> site-files/a.json:1:8
      |
    1 | ["The "one""]
      |        ^
      help: run `feedwright render` to print the output; line and column refer to it; commit site-files/.last/a.json, so that every machine publishes the last valid version until the template is fixed
    "##);
    assert_eq!(site.read("public/a.json"), "[\"One\"]\n");
    // The author breaks it.
    site.write("site-files/a.json", "[{{#items}}]");
    assert!(
        site.report().starts_with("built\nwarning[site-file]: section `items`"),
        "{}",
        site.report()
    );
    assert_eq!(site.read("public/a.json"), "[\"One\"]\n");
    site.write("site-files/a.json", "[2]");
    assert_eq!(site.report(), "built");
    assert_eq!(site.read("public/a.json"), "[2]");
    // Another site has no last rendering of this one's: here it is an error.
    site.write("site-files/a.json", "[3");
    let mut options = site.options();
    options.base_url = Some("https://other.example".into());
    let report = feedwright::builder::run(&options, &feedwright::builder::Silent).unwrap_err();
    assert_eq!(report.errors(), 1);
}

#[test]
fn a_template_without_an_earlier_output_is_an_error() {
    let site = site().with("site-files/a.json", "[");
    assert!(site.report().starts_with("not built\nerror: this site file renders to invalid JSON"));
}
