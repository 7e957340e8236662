//! Items on the pages of other sites: the page in a frame, oEmbed, and the code to copy.

use crate::support::served::serve;
use crate::support::small_site;
use crate::support::{Output, SMALL_SITE, Site};

const EPISODE: &str = "i/an-episode/";

fn embed_pages(output: &Output) -> Vec<String> {
    let files = output.files().into_iter();
    files.filter_map(|file| file.strip_suffix("/embed/index.html").map(str::to_owned)).collect()
}

#[test]
fn an_item_with_audio_or_video_has_an_embed_page() {
    assert_eq!(embed_pages(&SMALL_SITE), ["i/a-film-film0000001", "i/an-episode"]);
    insta::assert_snapshot!("embed-audio", SMALL_SITE.stable("i/an-episode/embed/index.html"));
    insta::assert_snapshot!(
        "embed-video",
        SMALL_SITE.stable("i/a-film-film0000001/embed/index.html")
    );
    let page = SMALL_SITE.html(&format!("{EPISODE}embed/index.html"));
    let of = |selector, attribute| page.attribute(selector, attribute).unwrap_or_default();
    assert_eq!(of("meta[name=robots]", "content"), "noindex");
    assert_eq!(of("link[rel=canonical]", "href"), "https://example.com/i/an-episode/");
    assert_eq!(of("h1 a", "href"), "/i/an-episode/");
    assert!(page.all("dialog, header, footer, form", "class").is_empty());
    assert!(!SMALL_SITE.text("sitemap.xml").contains("/embed/"));
}

#[test]
fn all_files_of_an_embed_page_are_small() {
    let page = SMALL_SITE.html(&format!("{EPISODE}embed/index.html"));
    let styles = page.all("link[rel=stylesheet]", "href");
    let files = styles.into_iter().chain(page.all("script", "src"));
    let sizes = files.map(|file| SMALL_SITE.text(file.trim_start_matches('/')).len());
    let bytes: usize = sizes.sum();
    assert!(bytes < 10_000, "{bytes} bytes before compression");
}

#[test]
fn embed_pages_are_discoverable_by_oembed() {
    let item = SMALL_SITE.html(&format!("{EPISODE}index.html"));
    let link = "link[type='application/json+oembed']";
    let address = item.attribute(link, "href").unwrap();
    assert_eq!(address, "https://example.com/i/an-episode/embed/oembed.json");
    let document = SMALL_SITE.json(&format!("{EPISODE}embed/oembed.json"));
    insta::assert_snapshot!("oembed", serde_json::to_string_pretty(&document).unwrap());
    // What a reader copies is the same.
    let copied = item.attribute(".embed-code button", "data-copy-text");
    assert_eq!(copied.as_deref(), document["html"].as_str());
    assert_eq!(item.one(".embed-code code"), copied.unwrap());
    let text = SMALL_SITE.html("i/hello/index.html");
    assert!(text.attribute(link, "href").is_none());
    assert!(text.all(".embed-code", "class").is_empty());
}

#[test]
fn embed_pages_can_be_enabled_or_disabled_for_all_items() {
    let with = |embeds: &str| {
        Site::fixture("small-site").config(&format!("output.embeds = \"{embeds}\"\n")).build()
    };
    assert!(embed_pages(&with("none")).is_empty());
    let output = with("all");
    assert_eq!(embed_pages(&output).len(), 12);
    insta::assert_snapshot!("embed-card", output.stable("i/hello/embed/index.html"));
    let hidden = output.html("i/an-item-that-is-unlisted-unlisted01/embed/index.html");
    assert_eq!(hidden.attribute("meta[name=robots]", "content").unwrap(), "noindex");
    // What a title says stays text, in the code too.
    let hostile = "i/script-alert-1-script-title-title-hostile0001/";
    let code = output.json(&format!("{hostile}embed/oembed.json"))["html"].clone();
    let code = code.as_str().unwrap();
    assert_eq!(code.matches('<').count(), 2, "{code}");
    assert!(output.html(&format!("{hostile}embed/index.html")).all("script", "src").is_empty());
    let headless = Site::fixture("small-site").config("access = \"headless\"\n");
    assert!(embed_pages(&headless.build()).is_empty());
}

#[test]
fn other_sites_may_frame_an_embed_page() {
    let site = small_site::bare();
    small_site::copy(&crate::support::fixtures().join("small-site"), site.root());
    let served = serve(site);
    let page = served.get("/i/an-episode/embed/");
    assert_eq!(page.status, 200);
    assert!(!page.headers.contains_key("x-frame-options"));
    assert!(!page.headers.contains_key("content-security-policy"));
    let oembed = served.get("/i/an-episode/embed/oembed.json");
    assert_eq!(oembed.header("content-type"), Some("application/json; charset=utf-8"));
    assert_eq!(oembed.json()["version"], "1.0");
    assert_eq!(served.get("/i/hello/embed/").status, 404);
}
