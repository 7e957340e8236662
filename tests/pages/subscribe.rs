//! How to follow a site: the page that tells it, the ways that lead there, and the feed in a browser.

use std::collections::BTreeSet;

use crate::content::errors::site_with_theme;
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, site as bare_site};
use crate::support::{Output, Page, Site};

const PAGE: &str = "subscribe/index.html";

fn build_show() -> Output {
    Site::fixture("small-site").build()
}

fn page_links(page: &Page) -> Vec<String> {
    page.all(".apps a", "href")
}

#[test]
fn the_subscribe_page_lists_the_channels_links_first() {
    let output = build_show();
    let home = output.html("index.html");
    assert_eq!(home.all(".channel .chip-main", "href"), ["/subscribe/"]);
    assert_eq!(home.all(".channel .chip", "href").len(), 2, "and funding");
    let page = output.html(PAGE);
    insta::assert_snapshot!("subscribe", output.stable(PAGE));
    let links = page_links(&page);
    assert_eq!(links[0], "https://app.example/1");
    assert!(!links.iter().any(|link| link.contains("hidden.example")));
    for link in [
        "podcast://example.com/rss.xml",
        "pktc://subscribe/example.com/rss.xml",
        "https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Fexample.com%2Frss.xml",
        "feed:https://example.com/rss.xml",
    ] {
        assert!(links.iter().any(|one| one == link), "{link} {links:?}");
    }
    assert_eq!(page.one(".address code"), "https://example.com/rss.xml");
    assert_eq!(
        page.attribute("link[rel=canonical]", "href").unwrap(),
        "https://example.com/subscribe/"
    );
    assert!(output.text("sitemap.xml").contains("/subscribe/</loc>"));
    // Nothing is asked of anyone while it is looked at.
    let from = |selector, attribute| page.all(selector, attribute);
    let asked = from("img", "src").into_iter().chain(from("script", "src"));
    assert!(asked.into_iter().all(|address| address.starts_with('/')));
}

#[test]
fn a_known_service_has_a_logo_and_another_one_a_letter() {
    let site = Site::fixture("small-site")
        .replace(
            "content/channel.md",
            "\"Some App\", type = \"some-app\", url = \"https://app.example/1\"",
            "\"My show\", url = \"https://open.spotify.com/show/1\"",
        )
        .replace("site.toml", "https://example.com", "https://example.com/blog")
        .config("theme_options.social = [\"https://social.example/@ada\", \"https://linkedin.com/in/ada\"]\n");
    let output = site.build();
    let page = output.html(PAGE);
    let own = page.attribute(".apps a[href*=spotify] img", "src").unwrap();
    assert!(own.starts_with("/blog/assets/logos-") && own.ends_with("/spotify.svg"), "{own}");
    assert_eq!(page.texts(".apps text").concat(), "DGFN", "Downcast, gPodder, Feedbin, NewsBlur");
    assert_eq!(page.texts(".profiles text"), ["L"]);
    let logos = page.all("img.mark", "src").into_iter().collect::<BTreeSet<_>>();
    let files = output.files().into_iter().filter(|file| file.contains("assets/logos-"));
    let files: BTreeSet<String> = files.map(|file| format!("/blog/{file}")).collect();
    assert_eq!(files, logos, "only the logos that pages show");
    assert!(logos.iter().any(|logo| logo.ends_with("/mastodon.svg")), "{logos:?}");
    let svg = output.text(own.strip_prefix("/blog/").unwrap());
    assert!(svg.contains("fill=\"#1ed760\"") && svg.contains("fill=\"#000000\" d=\"M"), "{svg}");
}

#[test]
fn an_app_named_by_the_channel_is_listed_once() {
    let site = Site::fixture("small-site").replace(
        "content/channel.md",
        "\"Some App\", type = \"some-app\", url = \"https://app.example/1\"",
        "\"Overcast\", url = \"https://overcast.example/1\"",
    );
    let page = site.build().html(PAGE);
    let names = page.texts(".apps a");
    let of = |name: &str| names.iter().filter(|one| one.ends_with(name)).count();
    assert_eq!((of("Overcast"), of("Castro")), (1, 1), "{names:?}");
}

#[test]
fn a_blog_lists_feed_readers_only() {
    let blog = bare_site().item("+++\ntitle = \"A\"\n+++\nText.\n");
    let page = |site: &SmallSite| {
        site.built();
        site.read(&format!("public/{PAGE}")).replace("&#x2F;", "/")
    };
    let text = page(&blog);
    assert!(!text.contains("Android") && text.contains("Feedly"));
    assert!(text.contains("/rss.xml</code>"), "{text}");
    let config = blog.read("site.toml");
    let blog = blog.with("site.toml", format!("{config}[feed]\nrss = false\n"));
    let text = page(&blog);
    assert!(!text.contains("Feedly") && text.contains("NewsBlur"));
    assert!(text.contains("/feed.json</code>") && !text.contains("rss.xml"));
}

#[test]
fn a_custom_page_replaces_it_and_a_setting_disables_it() {
    let own = |status: &str| {
        Site::fixture("small-site")
            .write(
                "content/pages/subscribe.md",
                &format!("+++\ntitle = \"Mine\"\nstatus = \"{status}\"\n+++\nOwn words.\n"),
            )
            .build()
    };
    let buttons = |output: &Output| output.html("index.html").all(".channel .chip-main", "href");
    let output = own("published");
    assert_eq!(buttons(&output), ["/subscribe/"]);
    assert!(output.text(PAGE).contains("Own words."));
    assert_eq!(output.text("sitemap.xml").matches("/subscribe/").count(), 1);
    let output = own("unlisted");
    assert_eq!(buttons(&output), ["/rss.xml"]);
    assert!(output.text(PAGE).contains("Own words."));
    let output = Site::fixture("small-site").config("output.subscribe = false\n").build();
    assert_eq!(buttons(&output), ["/rss.xml"]);
    assert!(!output.has(PAGE));
    for access in ["headless", "offline"] {
        let site = Site::fixture("small-site").config(&format!("access = \"{access}\"\n"));
        assert!(!site.build().has(PAGE), "{access}");
    }
    let site = site_with_theme();
    site.built();
    assert!(!site.exists(&format!("public/{PAGE}")));
}

#[test]
fn a_feed_is_styled_with_css_and_text_is_escaped() {
    let site = Site::fixture("small-site")
        .config("words.en.this_is_a_feed = \"A \\\"feed\\\"\\\\; } * { display: none\"\n");
    let css = site.build().text("rss.css");
    assert!(css.contains("\"A \\22 feed\\22 \\5c ; } * { display: none Paste"), "{css}");
    assert!(css.contains("url(\"/media/cover.png\")"));
    let output = build_show();
    for feed in ["rss.xml", "rss/2.xml", "i/episode0001/item.rss"] {
        let instruction = "<?xml-stylesheet href=\"/rss.css\" type=\"text/css\"?>";
        let text = output.text(feed);
        assert_eq!(text.matches("<?xml-stylesheet").count(), 1, "{feed}");
        assert!(text.contains(instruction), "{feed}");
    }
    assert!(!output.has("rss.xsl"));
}

#[test]
fn a_theme_can_style_feeds_with_xsl_css_or_both() {
    let sheets = |site: &SmallSite| {
        site.built();
        let rss = site.read("public/rss.xml");
        let sheets = rss.lines().filter(|line| line.starts_with("<?xml-style"));
        sheets.map(str::to_owned).collect::<Vec<_>>()
    };
    let [xsl, css] = [("xsl", "xsl"), ("css", "css")].map(|(ending, kind)| {
        format!("<?xml-stylesheet href=\"/rss.{ending}\" type=\"text/{kind}\"?>")
    });
    let site = site_with_theme();
    assert_eq!(sheets(&site), std::slice::from_ref(&xsl));
    assert!(!site.exists("public/rss.css"));
    let manifest = site.read("themes/mine/theme.json");
    let named = "\"rssStylesheet\": \"rss.xsl\"";
    let both = format!("{named}, \"rssStyles\": \"rss.css\"");
    let site = site
        .with("themes/mine/rss.css", "rss { color: red }")
        .with("themes/mine/theme.json", manifest.replace(named, &both));
    assert_eq!(sheets(&site), [xsl, css.clone()]);
    let alone = manifest.replace(named, "\"rssStyles\": \"rss.css\"");
    let site = site.with("themes/mine/theme.json", alone).without("themes/mine/rss.xsl");
    assert_eq!(sheets(&site), [css]);
    assert_eq!(site.read("public/rss.css"), "rss { color: red }");
}

#[test]
fn the_feed_is_served_as_xml() {
    let served = serve(bare_site());
    let kind = |path: &str| served.get(path).header("content-type").unwrap().to_owned();
    assert_eq!(kind("/rss.xml"), "application/xml; charset=utf-8");
    assert_eq!(kind("/rss.css"), "text/css; charset=utf-8");
    assert_eq!(served.get("/rss.xsl").status, 404);
    assert_eq!(served.get("/subscribe/").status, 200);
}
