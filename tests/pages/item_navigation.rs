//! The ways on from a page: the items before and after one, and those related to it by tags.

use feedwright::builder::{self, Silent};
use pictures::{Format, Picture};

use crate::content::errors::site_with_theme;
use crate::support::small_site::SmallSite;

/// A site whose theme prints the ways on from each item.
fn site() -> SmallSite {
    site_with_theme().with(
        "themes/mine/item.html",
        "|{{#previous_item}}{{title}} {{{url}}} {{date_published_short}}{{/previous_item}}\
         |{{#next_item}}{{title}} {{{url}}}{{/next_item}}\
         |{{#related_items}}{{title}};{{/related_items}}|",
    )
}

fn add_item(site: SmallSite, name: &str, front: &str) -> SmallSite {
    site.with(
        &format!("content/items/{name}.md"),
        format!("+++\ntitle = \"{name}\"\nslug = \"{name}\"\n{front}\n+++\nText of {name}.\n"),
    )
}

/// The item before, the one after and the related ones, as an item's page shows them.
fn related_links(site: &SmallSite, name: &str) -> [String; 3] {
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read(&format!("public/i/{name}/index.html"));
    let mut parts = page.split('|').skip(1).map(str::to_owned);
    std::array::from_fn(|_| parts.next().unwrap())
}

fn three_items() -> SmallSite {
    let site = add_item(site(), "a", "date = 2025-01-01");
    let site = add_item(site, "b", "date = 2025-01-02");
    add_item(site, "c", "date = 2025-01-03")
}

#[test]
fn an_item_links_to_the_previous_and_next_published_items() {
    for order in ["desc", "asc"] {
        let site = three_items();
        let config = site.read("site.toml");
        let site = site.with("site.toml", format!("{config}[feed]\norder = \"{order}\"\n"));
        assert_eq!(related_links(&site, "b"), ["a /i/a/ Wed Jan 01 2025", "c /i/c/", ""]);
        assert_eq!(related_links(&site, "a"), ["", "b /i/b/", ""]);
        assert_eq!(related_links(&site, "c"), ["b /i/b/ Thu Jan 02 2025", "", ""]);
    }
}

#[test]
fn pages_are_updated_when_adjacent_items_change() {
    let site = add_item(three_items(), "u", "date = 2025-01-02T10:00:00Z\nstatus = \"unlisted\"");
    let next = |site: &SmallSite| related_links(site, "a")[1].clone();
    assert_eq!(next(&site), "b /i/b/");
    assert_eq!(related_links(&site, "u"), ["", "", ""]);
    let site = add_item(site, "new", "date = 2025-01-01T12:00:00Z");
    assert_eq!(next(&site), "new /i/new/");
    let file = "content/items/new.md";
    let text = site.read(file).replace("title = \"new\"", "title = \"Newer\"");
    let site = site.with(file, text);
    assert_eq!(next(&site), "Newer /i/new/");
    let text = site.read(file).replace("title = \"Newer\"\n", "");
    let site = site.with(file, text);
    assert_eq!(next(&site), "Text of new. /i/new/");
    let site = site.without(file);
    assert_eq!(next(&site), "b /i/b/");
}

#[test]
fn related_items_are_ranked_by_shared_rare_tags_then_date() {
    let mut site =
        add_item(site(), "one", "date = 2025-01-01\ntags = [\"sea\", \"boats\", \"knots\"]");
    for (name, day, tags) in [
        ("two-tags", 2, "\"sea\", \"boats\""),
        ("rare", 3, "\"knots\""),
        ("old", 4, "\"sea\""),
        ("newer", 5, "\"Sea\""),
        ("none", 6, "\"hills\""),
        ("other", 7, "\"boats\""),
    ] {
        site = add_item(site, name, &format!("date = 2025-02-{day:02}\ntags = [{tags}]"));
    }
    assert_eq!(related_links(&site, "one")[2], "two-tags;rare;other;");
    assert_eq!(related_links(&site, "old")[2], "newer;two-tags;one;");
    assert_eq!(related_links(&site, "none")[2], "");
    let site = site.without("content/items/rare.md");
    assert_eq!(related_links(&site, "one")[2], "two-tags;other;newer;");
}

/// A picture of one colour, of 700 × 400 pixels.
fn picture(colour: u8) -> Vec<u8> {
    let picture = Picture::from_pixels(700, 400, vec![colour; 700 * 400 * 3]).unwrap();
    picture.encode(Format::Jpeg { quality: 80 }).unwrap()
}

/// An episode, a post and a photo, in a show with a cover. The theme prints the pictures of links.
fn site_with_photo() -> SmallSite {
    let one = "{{{image}}}{{#picture}} {{width}} {{height}} {{ratio}} {{{srcset}}}{{/picture}}";
    let episode = "date = 2025-01-01\nattachment = { url = \"https://cdn.example/a.mp3\", mime_type = \"audio/mpeg\" }";
    let site = add_item(site_with_theme(), "a", &format!("{episode}\ntags = [\"sea\"]"));
    let site = add_item(site, "b", "date = 2025-01-02\ntags = [\"sea\"]");
    let photo = "date = 2025-01-03\ntags = [\"sea\"]\nattachment = \"../media/photo.jpg\"";
    add_item(site, "c", photo)
        .with("content/channel.md", "+++\ntitle = \"Show\"\nicon = \"media/cover.jpg\"\n+++\n")
        .with("content/media/cover.jpg", picture(90))
        .with("content/media/photo.jpg", picture(10))
        .with(
            "themes/mine/item.html",
            format!("|{{{{#previous_item}}}}{one}{{{{/previous_item}}}}|{{{{#next_item}}}}{one}{{{{/next_item}}}}|{{{{#related_items}}}}{{{{{{image}}}}}};{{{{/related_items}}}}|"),
        )
}

#[test]
fn links_to_items_have_pictures_in_sizes() {
    let site = site_with_photo();
    let [previous, next, related] = related_links(&site, "b");
    assert!(next.starts_with("/media/sizes/photo-700."), "{next}");
    assert!(next.contains(" 700 400 1.75 /media/sizes/photo-240."), "{next}");
    assert!(
        previous.starts_with("/media/sizes/cover-700."),
        "an episode has the cover: {previous}"
    );
    let images: Vec<&str> = related.split_terminator(';').collect();
    assert_eq!(images[0], next.split(' ').next().unwrap());
    assert_eq!(images[1], previous.split(' ').next().unwrap());
    assert!(site.path(&format!("public{}", images[0])).exists());
    // A post without a picture has none, and not that of the page or the show.
    assert_eq!(related_links(&site, "c")[0], "");
}

#[test]
fn pages_are_updated_when_the_pictures_of_links_change() {
    let site = site_with_photo();
    let first = related_links(&site, "b")[1].clone();
    let site = site.with("content/media/photo.jpg", picture(200));
    let second = related_links(&site, "b")[1].clone();
    assert_ne!(first, second);
    // Without any picture the cover would only be repeated.
    let text = site.read("content/items/c.md");
    let site =
        site.with("content/items/c.md", text.replace("attachment = \"../media/photo.jpg\"", ""));
    assert_eq!(related_links(&site, "b"), ["", "", ";;"]);
    let text = site
        .read("content/items/c.md")
        .replace("date", "image = \"https://x.example/1.jpg\"\ndate");
    let site = site.with("content/items/c.md", text);
    assert_eq!(related_links(&site, "b")[1], "https://x.example/1.jpg");
}

#[test]
fn a_long_text_with_headings_has_a_table_of_contents() {
    let list = "{{#contents}}{{level}} {{id}} {{title}};{{/contents}}";
    let site = site_with_theme()
        .with(
            "themes/mine/item.html",
            format!("{{{{#item}}}}|{{{{#_service}}}}{list}|{{{{{{article_html}}}}}}|{{{{/_service}}}}{{{{/item}}}}"),
        )
        .with(
            "themes/mine/page.html",
            format!("{{{{#page}}}}|{list}|{{{{{{article_html}}}}}}|{{{{/page}}}}"),
        );
    let long = "Some words. ".repeat(250);
    let body = "## One\n\n### Part {#own}\n\n<h2>One</h2>\n\n[x](https://example.com/about/)\n\n";
    let body = format!("{body}{long}\n");
    let site = add_item(site, "a", "date = 2025-01-01")
        .with("content/pages/p.md", format!("+++\ntitle = \"P\"\n+++\n{body}"));
    let text = site.read("content/items/a.md");
    let site = site.with("content/items/a.md", format!("{text}\n{body}"));
    let feed = |site: &SmallSite| site.read("public/feed.json");
    let listed = "2 one One;3 own Part;2 one-1 One;";
    let [contents, article, _] = related_links(&site, "a");
    assert_eq!(contents, listed);
    let link = "<h3 id=\"own\">Part<a class=\"heading-link\" href=\"#own\">#</a></h3>";
    assert!(article.contains(link), "{article}");
    assert!(article.contains("<a href=\"/about/\">"), "{article}");
    assert!(site.read("public/p/index.html").contains(listed));
    assert!(!feed(&site).contains("heading-link"));
    for body in [format!("## One\n\n## Two\n\n{long}"), "## One\n\n## Two\n\n## Three\n".to_owned()]
    {
        site.write("content/items/a.md", format!("{text}\n{body}\n"));
        assert_eq!(related_links(&site, "a")[0], "");
    }
}

fn archive_and_tags() -> SmallSite {
    let site = site_with_theme();
    let manifest = site.read("themes/mine/theme.json").replace(
        "    \"webHeader\"",
        "    \"webArchive\": \"archive.html\",\n    \"webTags\": \"tags.html\",\n    \"webHeader\"",
    );
    site.with("themes/mine/theme.json", manifest)
        .with(
            "themes/mine/archive.html",
            "|{{#archive}}{{year}}:{{#years}}{{year}}={{count}} {{{url}}}{{#is_current}}!{{/is_current}}({{#items}}{{title}},{{/items}}){{/years}}{{/archive}}|",
        )
        .with("themes/mine/tags.html", "|{{#tag_index.tags}}{{name}} {{{url}}} {{count}};{{/tag_index.tags}}|")
        .with("themes/mine/end.html", "<i>{{{_service.archive_url}}} {{{_service.tags_url}}}</i>")
}

fn build_and_read(site: &SmallSite, path: &str) -> String {
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read(&format!("public/{path}/index.html"));
    page.split('|').nth(1).unwrap_or_default().to_owned()
}

fn has(site: &SmallSite, path: &str) -> bool {
    builder::run(&site.options(), &Silent).unwrap();
    site.path(&format!("public/{path}/index.html")).exists()
}

#[test]
fn the_archive_is_one_page_using_the_sites_time_zone() {
    let site = add_item(archive_and_tags(), "a", "date = 2024-12-31T23:30:00Z");
    let site = add_item(site, "b", "date = 2025-06-01");
    let site = add_item(site, "c", "date = 2024-01-01");
    let site = add_item(site, "u", "date = 2024-02-01\nstatus = \"unlisted\"");
    let site = add_item(site, "none", "");
    assert_eq!(build_and_read(&site, "archive"), ":2025=1 (b,)2024=2 (a,c,)=1 (none,)");
    assert!(!has(&site, "archive/2024"));
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("timezone = \"Europe/Berlin\"\n{config}"));
    assert_eq!(build_and_read(&site, "archive"), ":2025=2 (b,a,)2024=1 (c,)=1 (none,)");
    let site = site.without("content/items/b.md");
    assert_eq!(build_and_read(&site, "archive"), ":2025=1 (a,)2024=1 (c,)=1 (none,)");
    let home = site.read("public/index.html");
    assert!(home.contains("<i>/archive/ </i>"), "{home}");
}

#[test]
fn each_year_of_a_large_archive_has_a_page() {
    let mut site = archive_and_tags();
    for n in 0..1001 {
        let year = if n < 3 { 2023 } else { 2025 };
        let day = n % 28 + 1;
        site = add_item(site, &format!("i{n}"), &format!("date = {year}-01-{day:02}"));
    }
    let site = add_item(site, "none", "");
    let index = "2025=998 /archive/2025/()2023=3 /archive/2023/()";
    assert_eq!(build_and_read(&site, "archive"), format!(":{index}=1 (none,)"));
    assert_eq!(
        build_and_read(&site, "archive/2023"),
        "2023:2025=998 /archive/2025/()2023=3 /archive/2023/!(i2,i1,i0,)"
    );
    assert!(!has(&site, "archive/2024"));
}

#[test]
fn the_archive_can_be_disabled_or_replaced_by_a_page() {
    let site = add_item(archive_and_tags(), "a", "date = 2025-01-01");
    assert!(has(&site, "archive"));
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[output]\narchive = false\n"));
    assert!(!has(&site, "archive"));
    let site = site
        .with("site.toml", config)
        .with("content/pages/archive.md", "+++\ntitle = \"Own\"\n+++\nMine.\n");
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read("public/archive/index.html");
    assert!(page.contains("<title>Own"), "{page}");
    assert!(!has(&add_item(site_with_theme(), "a", "date = 2025-01-01"), "archive"));
}

#[test]
fn the_tag_index_counts_published_items() {
    let site = add_item(archive_and_tags(), "a", "date = 2025-01-01\ntags = [\"Sea\", \"boats\"]");
    let site = add_item(site, "b", "date = 2025-01-02\ntags = [\"sea\"]");
    let site = add_item(site, "u", "tags = [\"hidden\"]\nstatus = \"unlisted\"");
    assert_eq!(build_and_read(&site, "tags"), "boats /tags/boats/ 1;sea /tags/sea/ 2;");
    let site = site.without("content/items/a.md");
    assert_eq!(build_and_read(&site, "tags"), "sea /tags/sea/ 1;");
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[output]\ntags = false\n"));
    assert!(!has(&site, "tags"));
}
