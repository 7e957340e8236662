//! What comes next in the calendars: `upcoming_events` in templates, and events in the home page's head.

use feedwright::builder::{self, Silent};
use serde_json::Value;

use crate::content::errors::site_with_theme;
use crate::support::small_site::{self, SmallSite};

fn event(site: SmallSite, id: &str, front: &str) -> SmallSite {
    let path = format!("content/calendars/shows/{id}.md");
    site.with(&path, format!("+++\nid = \"{id}\"\n{front}+++\nAbout *it*.\n"))
}

fn berlin_time(time: &str) -> String {
    format!("{{ dateTime = \"{time}\", timeZone = \"Europe/Berlin\" }}")
}

/// A site with a calendar, whose theme shows what `template` makes of each event that comes next.
fn site(template: &str) -> SmallSite {
    let feed = format!("{{{{#upcoming_events}}}}|{template}{{{{/upcoming_events}}}}||");
    site_with_theme().with("themes/mine/feed.html", feed).with(
        "content/calendars/shows/calendar.toml",
        "summary = \"Shows\"\ntimeZone = \"Europe/Berlin\"\n",
    )
}

fn build_at(site: &SmallSite, now: &str) {
    let mut options = site.options();
    options.visibility.now = now.parse().unwrap();
    builder::run(&options, &Silent).unwrap();
}

/// What the home page shows as of a time, an event each.
fn shown(site: &SmallSite, now: &str) -> Vec<String> {
    build_at(site, now);
    let home = site.read("public/index.html");
    let body = home.split_once("<body>").unwrap().1;
    let shown = body.split("||").next().unwrap();
    shown.split('|').skip(1).map(str::to_owned).collect()
}

/// The events in the head of the home page.
fn graph(site: &SmallSite) -> Vec<Value> {
    let home = site.read("public/index.html");
    let (_, rest) = home.split_once("<script type=\"application/ld+json\">").unwrap();
    let graph: Value = serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap();
    let all = graph["@graph"].as_array().unwrap().iter();
    all.filter(|part| part["@type"] == "Event").cloned().collect()
}

const NOW: &str = "2026-06-01T12:00:00Z";

#[test]
fn an_upcoming_event_has_every_key() {
    let keys = [
        "id", "calendar.id", "calendar.summary", "summary", "description_text", "location",
        "status", "start", "end", "start_ms", "end_ms", "is_all_day", "time_zone", "date_short",
        "time_short", "range_text", "is_live_show", "is_live_now", "is_live_by_clock",
        "live_status", "url", "is_recurring", "ics_url",
    ];
    let template: String = keys.map(|key| format!("\n{key}: {{{{{{{key}}}}}}}")).concat();
    let site = site(&format!("{template}\nhtml: {{{{{{description_html}}}}}}"));
    let live = "live = { link = \"https://example.com/live\", contentLinks = [{ href = \"https://tube.example/1\" }] }\n";
    let times = format!(
        "start = {}\nend = {}\n",
        berlin_time("2026-06-05T20:00"),
        berlin_time("2026-06-05T22:30")
    );
    let site =
        event(site, "show", &format!("summary = \"A show\"\nlocation = \"Berlin\"\n{times}{live}"));
    // What an event does not have is null, and never the channel's: `url`, `summary` and the like.
    let site = event(site, "days", "start = \"2026-06-06\"\nend = \"2026-06-08\"\n");
    insta::assert_snapshot!(shown(&site, NOW).join("\n"), @"

    id: show
    calendar.id: shows
    calendar.summary: Shows
    summary: A show
    description_text: About it.
    location: Berlin
    status: confirmed
    start: 2026-06-05T20:00:00+02:00
    end: 2026-06-05T22:30:00+02:00
    start_ms: 1780682400000
    end_ms: 1780691400000
    is_all_day: false
    time_zone: Europe/Berlin
    date_short: Fri, Jun 5, 2026
    time_short: 20:00 CEST
    range_text: Fri, Jun 5, 2026, 20:00–22:30 CEST
    is_live_show: true
    is_live_now: false
    is_live_by_clock: true
    live_status: pending
    url: /live
    is_recurring: false
    ics_url: /calendars/shows.ics
    html: <p>About <em>it</em>.</p>

    id: days
    calendar.id: shows
    calendar.summary: Shows
    summary: Shows
    description_text: About it.
    location: 
    status: confirmed
    start: 2026-06-06
    end: 2026-06-08
    start_ms: 1780696800000
    end_ms: 1780869600000
    is_all_day: true
    time_zone: Europe/Berlin
    date_short: Sat, Jun 6, 2026
    time_short: 
    range_text: Sat, Jun 6, 2026 – Sun, Jun 7, 2026
    is_live_show: false
    is_live_now: false
    is_live_by_clock: false
    live_status: 
    url: 
    is_recurring: false
    ics_url: /calendars/shows.ics
    html: <p>About <em>it</em>.</p>
    ");
}

#[test]
fn current_and_upcoming_events_are_listed_in_order() {
    let site = event(
        site("{{id}}"),
        "past",
        &format!("summary = \"A\"\nstart = {}\n", berlin_time("2026-06-01T12:00")),
    );
    let site = event(
        site,
        "on",
        &format!("summary = \"A\"\nstart = {}\n", berlin_time("2026-06-01T13:30")),
    );
    let site =
        event(site, "off", "summary = \"A\"\nstart = \"2026-06-02\"\nstatus = \"cancelled\"\n");
    let site =
        event(site, "own", "summary = \"A\"\nstart = \"2026-06-02\"\nvisibility = \"private\"\n");
    let site = event(site, "far", "summary = \"A\"\nstart = \"2027-07-01\"\n");
    let site = event(
        site,
        "series",
        "summary = \"A\"\nstart = \"2026-05-01\"\nrecurrence = [\"RRULE:FREQ=MONTHLY;COUNT=4\"]\n",
    )
    .with("content/calendars/own/calendar.toml", "public = false\n")
    .with("content/calendars/own/a.md", "+++\nsummary = \"A\"\nstart = \"2026-06-02\"\n+++\n");
    let series = ["series_20260601", "series_20260701", "series_20260801"];
    assert_eq!(shown(&site, NOW), [series[0], "on", series[1], series[2]]);
    // Time passes: one ends, and one comes within a year.
    assert_eq!(shown(&site, "2026-06-01T12:30:00Z"), series);
    assert_eq!(shown(&site, "2026-06-29T22:00:00Z"), [series[1], series[2]]);
    assert_eq!(shown(&site, "2026-06-29T22:00:01Z"), [series[1], series[2], "far"]);
}

#[test]
fn at_most_20_events_and_3_per_series_are_listed() {
    let daily = |site, id: &str| {
        let front =
            "summary = \"A\"\nstart = \"2026-01-01\"\nrecurrence = [\"RRULE:FREQ=DAILY\"]\n";
        event(site, id, front)
    };
    let one = daily(site("{{id}}"), "daily");
    let days = ["daily_20260601", "daily_20260602", "daily_20260603"];
    assert_eq!(shown(&one, NOW), days);
    // In the head the next of a series is enough.
    assert_eq!(graph(&one).len(), 1);
    let many = (0..8).fold(site("{{id}}"), |site, n| daily(site, &format!("daily-{n}")));
    assert_eq!(shown(&many, NOW).len(), 20);
}

#[test]
fn date_ranges_are_human_readable() {
    let site = site("{{range_text}}");
    let cases = [
        ("1", "start = \"2026-07-01\"", "Wed, Jul 1, 2026"),
        (
            "2",
            "start = \"2026-07-02\"\nend = \"2026-07-04\"",
            "Thu, Jul 2, 2026 – Fri, Jul 3, 2026",
        ),
        (
            "3",
            "start = { dateTime = \"2026-07-03T20:00\", timeZone = \"America/New_York\" }",
            "Fri, Jul 3, 2026, 20:00 EDT",
        ),
        (
            "4",
            "start = \"2026-07-04T20:00\"\nend = \"2026-07-04T22:00\"",
            "Sat, Jul 4, 2026, 20:00–22:00 CEST",
        ),
        (
            "5",
            "start = \"2026-07-05T20:00\"\nend = \"2026-07-06T02:00\"",
            "Sun, Jul 5, 2026, 20:00 – Mon, Jul 6, 2026, 02:00 CEST",
        ),
        (
            "6",
            "start = \"2026-07-07T20:00\"\nend = \"2026-07-07T20:00\"",
            "Tue, Jul 7, 2026, 20:00 CEST",
        ),
    ];
    let site = cases.iter().fold(site, |site, (id, times, _)| {
        event(site, &format!("e{id}"), &format!("summary = \"A\"\n{times}\n"))
    });
    let expected: Vec<&str> = cases.iter().map(|(.., text)| *text).collect();
    assert_eq!(shown(&site, NOW), expected);
}

#[test]
fn the_home_page_has_structured_data_for_events() {
    let times = format!(
        "start = {}\nend = {}\n",
        berlin_time("2026-06-05T20:00"),
        berlin_time("2026-06-05T22:00")
    );
    let live = "live = { contentLinks = [{ href = \"https://tube.example/1\" }], image = \"https://example.com/cover.png\" }\n";
    let site = event(site(""), "show", &format!("summary = \"A show\"\n{times}{live}"));
    let site = event(
        site,
        "meeting",
        "summary = \"Meeting\"\nstart = \"2026-06-06\"\nend = \"2026-06-08\"\nlocation = \"Berlin\"\norganizer = { displayName = \"Ada\", email = \"ada@example.com\" }\n",
    );
    build_at(&site, NOW);
    insta::assert_snapshot!(serde_json::to_string_pretty(&graph(&site)).unwrap(), @r#"
    [
      {
        "@type": "Event",
        "description": "About it.",
        "endDate": "2026-06-05T22:00:00+02:00",
        "eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "image": "https://example.com/cover.png",
        "location": [
          {
            "@type": "VirtualLocation",
            "url": "https://tube.example/1"
          }
        ],
        "name": "A show",
        "organizer": {
          "@type": "Organization",
          "name": "A small site",
          "url": "https://example.com/"
        },
        "startDate": "2026-06-05T20:00:00+02:00"
      },
      {
        "@type": "Event",
        "description": "About it.",
        "endDate": "2026-06-07",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "location": [
          {
            "@type": "Place",
            "address": "Berlin",
            "name": "Berlin"
          }
        ],
        "name": "Meeting",
        "organizer": {
          "@type": "Person",
          "name": "Ada"
        },
        "startDate": "2026-06-06"
      }
    ]
    "#);
    assert!(!site.read("public/index.html").contains("ada@example.com"));
}

#[test]
fn passing_time_rebuilds_only_pages_with_events() {
    let site = event(
        site("{{id}}"),
        "e",
        &format!("summary = \"A\"\nstart = {}\n", berlin_time("2026-06-01T20:00")),
    )
    .with("themes/mine/item.html", "{{title}}")
    .with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"A\"\n+++\n");
    build_at(&site, NOW);
    let item = |site: &SmallSite| {
        let path = site
            .output()
            .into_keys()
            .find(|path| path.starts_with("i/a-") || path.starts_with("i/A-"));
        let path = site.path(&format!("public/{}", path.unwrap()));
        std::fs::metadata(path).unwrap().modified().unwrap()
    };
    let written = item(&site);
    assert_eq!(shown(&site, "2026-06-01T18:59:59Z"), ["e"]);
    assert!(shown(&site, "2026-06-01T19:00:00Z").is_empty());
    assert_eq!(item(&site), written);
}

#[test]
fn the_default_theme_shows_five_upcoming_events() {
    let site = event(
        small_site::site(),
        "daily",
        "summary = \"Daily show\"\nlocation = \"Here\"\nstart = \"2026-01-01\"\nrecurrence = [\"RRULE:FREQ=DAILY\"]\n",
    );
    let site = event(
        site,
        "monthly",
        "summary = \"Monthly\"\nstart = \"2026-06-20\"\nrecurrence = [\"RRULE:FREQ=MONTHLY\"]\n",
    );
    build_at(&site, NOW);
    let home = site.read("public/index.html");
    assert_eq!(home.matches("<li class=\"h-event\">").count(), 5);
    assert!(
        home.contains("<time class=\"dt-start\" datetime=\"2026-06-01\">Mon, Jun 1, 2026</time>")
    );
    assert!(home.contains("calendar.ics\" type=\"text/calendar\">Add all dates"));
    site.remove("content/calendars");
    std::fs::create_dir(site.path("content/calendars")).unwrap();
    build_at(&site, NOW);
    assert!(!site.read("public/index.html").contains("class=\"upcoming\""));
}
