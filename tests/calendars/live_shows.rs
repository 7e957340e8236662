//! Live shows: events with `live` are live items of the feed, each where it stands.

use feedwright::builder::{self, Silent};

use crate::support::small_site::{self, SmallSite};

const LINKS: &str = "contentLinks = [{ href = \"https://tube.example/1\", text = \"Tube\" }]";

/// A site with one event of a show.
fn site(front: &str) -> SmallSite {
    show(small_site::site(), "show", front)
}

fn show(site: SmallSite, id: &str, front: &str) -> SmallSite {
    let path = format!("content/calendars/shows/{id}.md");
    site.with(&path, format!("+++\nid = \"{id}\"\nsummary = \"A show\"\n{front}+++\nAbout it.\n"))
}

/// From 18:00 to 19:00 UTC of a day in June.
fn hour_on_day(day: u8) -> String {
    format!("start = \"2026-06-{day:02}T18:00Z\"\nend = \"2026-06-{day:02}T19:00Z\"\n")
}

/// Builds a site as of a time, and lists the live items of a feed: status, start and guid.
fn live_items_in(site: &SmallSite, file: &str, now: &str) -> Vec<String> {
    let mut options = site.options();
    options.visibility.now = now.parse().unwrap();
    builder::run(&options, &Silent).unwrap();
    let text = site.read(file);
    let items = text.split("<podcast:liveItem ").skip(1);
    let value = |item: &str, before: &str, after: char| {
        let (_, rest) = item.split_once(before).unwrap();
        rest.split(after).next().unwrap().to_owned()
    };
    items
        .map(|item| {
            let [status, start] = ["status=\"", "start=\""].map(|name| value(item, name, '"'));
            format!("{status} {} {}", &start[5..16], value(item, "isPermaLink=\"false\">", '@'))
        })
        .collect()
}

fn live_items(site: &SmallSite, now: &str) -> Vec<String> {
    live_items_in(site, "public/rss.xml", now)
}

#[test]
fn a_show_is_pending_live_and_then_ended_for_a_day() {
    let site = site(&format!("{}live = {{ {LINKS} }}\n", hour_on_day(20)));
    for (now, expected_status) in [
        ("2026-03-22T17:59:59Z", None),
        ("2026-03-22T18:00:00Z", None),
        ("2026-03-22T18:00:01Z", Some("pending")),
        ("2026-06-20T17:59:59Z", Some("pending")),
        ("2026-06-20T18:00:00Z", Some("live")),
        ("2026-06-20T18:59:59Z", Some("live")),
        ("2026-06-20T19:00:00Z", Some("ended")),
        ("2026-06-21T18:59:59Z", Some("ended")),
        ("2026-06-21T19:00:00Z", None),
    ] {
        let found = live_items(&site, now);
        let expected: Vec<String> = expected_status
            .map(|status| format!("{status} 06-20T18:00 show"))
            .into_iter()
            .collect();
        assert_eq!(found, expected, "{now}");
    }
}

#[test]
fn a_live_item_has_every_field_of_the_event() {
    let site = site(&format!(
        "{}[live]\nlink = \"https://example.com/live/\"\nimage = \"https://example.com/cover.png\"\nauthors = [\"Ada\"]\nexplicit = true\n\
         enclosure = {{ url = \"https://example.com/stream.mp3\", type = \"audio/mpeg\", length = 33 }}\n\
         people = [{{ name = \"Bob\", role = \"guest\" }}]\n{LINKS}\n",
        hour_on_day(20)
    ));
    site.built();
    let text = site.read("public/rss.xml");
    let start = text.find("    <podcast:liveItem").unwrap();
    let end = text.find("    </podcast:liveItem>\n").unwrap();
    insta::assert_snapshot!(&text[start..end], @r#"
    <podcast:liveItem status="pending" start="2026-06-20T18:00:00Z" end="2026-06-20T19:00:00Z">
      <title>A show</title>
      <description>About it.</description>
      <link>https://example.com/live/</link>
      <guid isPermaLink="false">show@example.com</guid>
      <dc:creator>Ada</dc:creator>
      <enclosure url="https://example.com/stream.mp3" length="33" type="audio/mpeg"/>
      <itunes:image href="https://example.com/cover.png"/>
      <itunes:explicit>true</itunes:explicit>
      <podcast:person role="guest">Bob</podcast:person>
      <podcast:contentLink href="https://tube.example/1">Tube</podcast:contentLink>
    "#);
}

#[test]
fn a_series_lists_its_next_and_last_show() {
    let site = site(&format!(
        "{}recurrence = [\"RRULE:FREQ=DAILY;COUNT=5\"]\nlive = {{ {LINKS} }}\n",
        hour_on_day(20)
    ));
    assert_eq!(live_items(&site, "2026-06-01T00:00:00Z"), ["pending 06-20T18:00 show"]);
    assert_eq!(
        live_items(&site, "2026-06-21T18:30:00Z"),
        ["ended 06-20T18:00 show", "live 06-21T18:00 show", "pending 06-22T18:00 show"],
    );
    let text = site.read("public/rss.xml");
    for guid in ["show@example.com_20260620T180000Z", "show@example.com_20260622T180000Z"] {
        assert!(text.contains(&format!(">{guid}</guid>")), "{guid}");
    }
    assert_eq!(
        live_items(&site, "2026-06-24T19:00:00Z"),
        ["ended 06-23T18:00 show", "ended 06-24T18:00 show"][1..]
    );
    assert!(live_items(&site, "2026-06-25T19:00:00Z").is_empty());
}

#[test]
fn a_status_applies_to_an_instance_but_not_to_a_series() {
    let series = format!(
        "{}recurrence = [\"RRULE:FREQ=DAILY;COUNT=5\"]\n[live]\nstatus = \"live\"\n{LINKS}\n",
        hour_on_day(20)
    );
    let instance = |day: u8, status: &str| {
        format!(
            "recurringEventId = \"show\"\noriginalStartTime = \"2026-06-{day}T18:00Z\"\nlive = {{ status = \"{status}\" }}\n"
        )
    };
    let site = site(&series);
    let warnings: Vec<String> =
        site.built().warnings.into_iter().map(|found| found.message).collect();
    assert_eq!(
        warnings,
        ["`live.status` has no effect on a series: each show starts and ends separately"]
    );
    let site = show(site, "early", &instance(21, "ended"));
    let site = show(site, "on", &instance(22, "live"));
    assert_eq!(
        live_items(&site, "2026-06-21T18:30:00Z"),
        [
            "ended 06-20T18:00 show", "ended 06-21T18:00 show", "live 06-22T18:00 show",
            "pending 06-23T18:00 show"
        ],
    );
    // One that its author calls live is, until they say more.
    assert_eq!(live_items(&site, "2026-08-01T00:00:00Z"), ["live 06-22T18:00 show"]);
}

#[test]
fn an_instance_without_a_status_follows_the_clock() {
    let single = site(&format!("{}[live]\nstatus = \"ended\"\n{LINKS}\n", hour_on_day(20)));
    assert_eq!(live_items(&single, "2026-06-20T18:30:00Z"), ["ended 06-20T18:00 show"]);
    let series = format!(
        "{}recurrence = [\"RRULE:FREQ=DAILY;COUNT=2\"]\n[live]\nstatus = \"ended\"\n{LINKS}\n",
        hour_on_day(20)
    );
    let moved = "recurringEventId = \"show\"\noriginalStartTime = \"2026-06-20T18:00Z\"\nlocation = \"Elsewhere\"\n";
    let site = show(site(&series), "moved", moved);
    assert_eq!(
        live_items(&site, "2026-06-20T18:30:00Z"),
        ["live 06-20T18:00 show", "pending 06-21T18:00 show"]
    );
}

#[test]
fn a_show_of_a_realtime_app_waits_for_its_event() {
    let site = site(&format!("{}live = {{ app = \"studio\", {LINKS} }}\n", hour_on_day(20)));
    assert_eq!(live_items(&site, "2026-06-20T18:30:00Z"), ["pending 06-20T18:00 show"]);
    assert_eq!(live_items(&site, "2026-06-20T19:00:00Z"), ["ended 06-20T18:00 show"]);
}

#[test]
fn private_and_cancelled_events_are_not_live_items() {
    let live = format!("live = {{ {LINKS} }}\n");
    let event = |more: &str| format!("{}{more}{live}", hour_on_day(20));
    for site in [
        site(&event("visibility = \"private\"\n")),
        site(&event("status = \"cancelled\"\n")),
        site(&event("")).with("content/calendars/shows/calendar.toml", "public = false\n"),
        site(&hour_on_day(20)),
    ] {
        assert!(live_items(&site, "2026-06-20T18:30:00Z").is_empty());
    }
}

#[test]
fn shows_join_the_channel_s_live_items_only_in_the_feed() {
    let channel = "+++\ntitle = \"A\"\n[[podcast.liveItems]]\nstatus = \"pending\"\nstart = 2026-07-01T00:00:00Z\ntitle = \"Own\"\nguid = \"own@1\"\n\
        contentLinks = [{ href = \"https://tube.example/1\" }]\n+++\n";
    let site = site(&format!("{}live = {{ {LINKS} }}\n", hour_on_day(20)))
        .with("content/channel.md", channel)
        .item("+++\nid = \"item\"\ntitle = \"Item\"\n+++\n");
    let now = "2026-06-20T18:30:00Z";
    assert_eq!(live_items(&site, now), ["pending 07-01T00:00 own", "live 06-20T18:00 show"]);
    assert_eq!(live_items_in(&site, "public/i/item/item.rss", now), ["pending 07-01T00:00 own"]);
    let guids = |file: &str| {
        let feed: serde_json::Value = serde_json::from_str(&site.read(file)).unwrap();
        let items = feed["_service"]["podcast"]["liveItems"].as_array().unwrap();
        items.iter().map(|item| item["guid"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(guids("public/feed.json"), ["own@1", "show@example.com"]);
    assert_eq!(guids("public/i/item/item.json"), ["own@1"]);
}

#[test]
fn a_show_without_a_link_is_a_warning() {
    let site = site(&format!("{}live = true\n", hour_on_day(20)));
    insta::assert_snapshot!(site.report(), @"
    built
    warning[live-show]: this live show has no `contentLinks`
      --> content/calendars/shows/show.md:6:8
      |
    6 | live = true
      |        ^
      help: add `contentLinks` to `live`: a page where people can watch or listen, for apps that cannot play the stream
    ");
}

#[test]
fn passing_time_changes_only_documents_with_shows() {
    let site = site(&format!("{}live = {{ {LINKS} }}\n", hour_on_day(20)))
        .item("+++\nid = \"item\"\ntitle = \"Item\"\n+++\n");
    live_items(&site, "2026-06-20T17:00:00Z");
    let before = site.output();
    assert_eq!(live_items(&site, "2026-06-20T18:30:00Z"), ["live 06-20T18:00 show"]);
    let after = site.output();
    let changed: Vec<&String> =
        before.keys().filter(|path| before[*path] != after[*path]).collect();
    let of_feeds = ["json/index.html", "rss.xml", "rss/index.html"];
    assert_eq!(changed, [&["feed.json", "index.html"], &of_feeds[..]].concat());
}
