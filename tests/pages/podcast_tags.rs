//! What a feed carries is shown on its pages.

use crate::support::{Output, Site};

fn build(site: Site) -> Output {
    site.build_with(|options| options.visibility.future = true)
}

fn every_tag() -> Site {
    Site::fixture("every-podcast-tag").write("site.toml", "base_url = \"https://example.com\"\n")
}

#[test]
fn an_episode_shows_its_tags() {
    let output = build(every_tag());
    let page = output.html("i/one-only-one/index.html");
    assert_eq!(page.texts(".person-text"), ["Cy DeeGuest"]);
    assert_eq!(page.texts(".item-head .places li"), ["About: Dreamworld"]);
    let map = "https://www.openstreetmap.org/relation/16317988";
    assert_eq!(page.all(".item-head .p-location", "href"), [map]);
    assert_eq!(page.texts(".support a"), ["Fund this one"]);
    let versions = [
        "Audio · 20 kbit/s, OPUS, 4.9 kB",
        "Video · 36p, MP4, 2.2 kB IPFS BitTorrent",
        "Audio · 128 kbit/s, MP3, 43.2 MB",
    ];
    assert_eq!(page.texts(".versions dd"), versions);
    let facts = page.texts(".facts > div");
    let shown = ["Elsewhere Watch", "Comments Nostr", "Chat #one", "Licence my-license"];
    for fact in shown {
        assert!(facts.iter().any(|one| one == fact), "{fact} {facts:?}");
    }
    let bites = page.all("[aria-labelledby=theme-soundbites] a", "href");
    assert!(bites[1].ends_with("#t=1234.5,1276.75"), "{bites:?}");
}

#[test]
fn the_home_page_shows_channel_tags_and_seasons_show_trailers() {
    let output = build(every_tag());
    let home = output.html("index.html");
    assert_eq!(home.texts(".hosts .role"), ["Cover art"]);
    assert_eq!(home.texts(".places li"), ["The attic", "Recorded in: Marlow"]);
    let funding = home.texts(".channel [rel=payment]");
    assert_eq!(funding, ["Support us", "Join <us>"]);
    let shares = home.texts(".shares li > .muted");
    assert_eq!(shares, ["95%", "Fee: 5%"]);
    assert_eq!(home.texts(".podroll li"), ["Other"]);
    let about = home.texts(".channel-text > .muted");
    for line in ["Music · Playlist", "Published by: example.com", "Chat: #every"] {
        assert!(about.iter().any(|one| one == line), "{line} {about:?}");
    }
    let links = home.all(".channel-text > .muted a", "href");
    assert_eq!(links[..2], ["/publisher.xml", "irc://irc.example.com/every"]);
    assert_eq!(home.texts(".trailer-title"), ["From a file"]);
    assert_eq!(home.texts(".footer-note [rel=license]"), ["CC BY-SA 4.0"]);
    let show = ".upcoming [data-begins]";
    assert_eq!(home.all(show, "data-begins"), ["1796148000000"]);
    assert_eq!(home.texts(".upcoming time"), ["Tue, 1 Dec 2026, 18:00 UTC"]);
    assert_eq!(home.all(".upcoming [data-while-on][hidden]", "class").len(), 2);
    let season = output.html("season/2/index.html");
    assert_eq!(season.texts(".trailer-title"), ["Coming soon"]);
}

#[test]
fn a_live_stream_is_playable_and_an_ended_one_is_hidden() {
    let on = every_tag().replace("content/channel.md", "\"pending\"", "\"live\"");
    let home = build(on).html("index.html");
    assert_eq!(home.texts(".upcoming .chip-main"), ["Listen live"]);
    assert!(home.all(".upcoming [hidden]", "class").is_empty());
    let over = every_tag().replace("content/channel.md", "\"pending\"", "\"ended\"");
    let home = build(over).html("index.html");
    assert!(home.texts(".upcoming").is_empty());
}

#[test]
fn a_chapter_shows_its_location_and_nostr_chats_are_linked() {
    let chapters = r#"{"chapters": [
        {"startTime": 0, "title": "Home", "location": {"name": "The <attic>", "geo": "geo:1,2;crs=moon"}},
        {"startTime": 1, "location": {"name": "Marlow", "geo": "geo:51.57,-0.77", "osm": "R3727240"}}
    ]}"#;
    let account = "npub1pvdw7mm7k20t9dn9gful8n5xua5yv8rmgd9wul88qq5dxj80lpxqd39r3u";
    let chat = format!("protocol = \"nostr\", accountId = \"{account}\"");
    let site = every_tag().write("content/items/one/chapters.txt", chapters).replace(
        "content/items/one/index.md",
        "protocol = \"nostr\", space",
        &format!("{chat}, space"),
    );
    let page = build(site).html("i/one-only-one/index.html");
    assert_eq!(page.texts(".chapter-place"), ["The <attic>", "Marlow"]);
    let map = "https://www.openstreetmap.org/relation/3727240";
    assert_eq!(page.all(".chapter-place a", "href"), [map]);
    let chat = page.all(&format!(".facts a[href=\"nostr:{account}\"]"), "dir");
    assert_eq!(chat, ["auto"]);
}

#[test]
fn missing_tags_leave_no_empty_elements() {
    let item = "+++\nid = \"a\"\ntitle = \"T\"\ndate_published = 2026-01-01\n+++\nText.\n";
    let output = Site::empty().write("content/items/a.md", item).build();
    let parts = ".person, .places, .support, .value, .versions, .trailer, .podroll, .upcoming, .label, .publisher, .chapter-place";
    for path in ["index.html", "i/t-a/index.html"] {
        assert_eq!(output.html(path).texts(parts), [""; 0], "{path}");
    }
}

#[test]
fn hostile_tags_are_escaped_and_many_tags_are_shown() {
    let bad = "<script>alert(1)</script>\\\"' onload=x";
    let people =
        format!("{{ name = \"{bad}\", role = \"{bad}\", group = \"{bad}\" }}, ").repeat(300);
    let channel = format!(
        "+++\ntitle = \"T\"\nlanguage = \"en\"\n[podcast]\npeople = [{people}]\n\
         location = {{ name = \"{bad}\", geo = \"geo:1,2;crs=moon\" }}\n\
         funding = {{ url = \"https://example.com/\", text = \"{bad}\" }}\n\
         updateFrequency = \"{bad}\"\n\
         license = {{ identifier = \"{bad}\", url = \"https://example.com/\" }}\n\
         medium = \"film\"\n\
         publisher = {{ feedGuid = \"29cdca4a-32d8-56ba-b48b-09a011c5daa9\", title = \"{bad}\" }}\n\
         chat = {{ protocol = \"nostr\", server = \"n.example\", accountId = \"npub1{bad}\", space = \"{bad}\" }}\n\
         podroll = [\"29cdca4a-32d8-56ba-b48b-09a011c5daa9\", {{ feedGuid = \"29cdca4a-32d8-56ba-b48b-09a011c5daa9\", title = \"{bad}\" }}]\n\
         trailers = [{{ title = \"{bad}\", url = \"https://example.com/a.mp4\", type = \"video/mp4\", pubdate = 2026-01-01 }}]\n\
         socialInteract = [{{ protocol = \"{bad}\", uri = \"https://example.com/\" }}, {{ protocol = \"nostr\", uri = \"no address\" }}]\n\
         value = {{ type = \"lightning\", method = \"keysend\", recipients = [{{ type = \"node\", name = \"{bad}\", address = \"{bad}\", split = 0 }}] }}\n\
         liveItems = [{{ status = \"live\", start = 2026-01-01T00:00:00Z, title = \"{bad}\", guid = \"a\" }}]\n\
         +++\nAbout.\n"
    );
    let output = Site::empty().write("content/channel.md", &channel).build();
    let text = output.text("index.html");
    assert!(!text.contains("<script>alert") && !text.contains("' onload"));
    let home = output.html("index.html");
    assert_eq!(home.texts(".hosts > .people > .person").len(), 12);
    assert_eq!(home.texts(".hosts summary"), ["288 more"]);
    assert_eq!(home.texts(".hosts details .person").len(), 288);
    assert_eq!(home.texts(".podroll li").len(), 1);
    assert!(home.all(".places a", "href").is_empty());
    assert_eq!(home.texts(".channel-text .label"), ["Film"]);
    assert!(home.all(".publisher a", "href").is_empty());
}
