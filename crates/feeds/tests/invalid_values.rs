//! Tests of invalid and impossible values: they are skipped and reported.

use crate::{channel, item, read, skipped};

/// Returns the messages about invalid values in an RSS item that contains `inner`.
fn invalid_values(inner: &str) -> Vec<String> {
    item(inner).invalid_values.messages().to_vec()
}

#[test]
fn durations_are_parsed_like_apple_podcasts() {
    for (text, seconds) in [
        ("5025", Some(5025.0)),
        ("1:23:45", Some(5025.0)),
        ("83:45", Some(5025.0)),
        // With more than two colons, the numbers after the third are ignored.
        ("01:02:03:04", Some(3723.0)),
        ("00:00:3661", Some(3661.0)),
        ("0:83:45", Some(5025.0)),
        ("1:02:03.5", Some(3723.5)),
        ("1:02:03,5", Some(3723.5)),
        ("PT1H2M3S", Some(3723.0)),
        ("1h 2m 3s", Some(3723.0)),
        ("0", Some(0.0)),
        ("00:00:00", Some(0.0)),
        ("-5", None),
        ("1:-2", None),
        ("1:99:99", None),
        ("abc", None),
        ("1e5", None),
        ("inf", None),
        ("NaN", None),
        // Durations in milliseconds, durations of more than a week, and a number that is too large.
        ("3600000", None),
        ("999:00:00", None),
        ("99999999999999999999", None),
        ("1:2:", None),
        (":", None),
    ] {
        assert_eq!(feeds::values::seconds(text), seconds, "{text}");
    }
}

#[test]
fn each_unreadable_value_is_reported() {
    let found = invalid_values(
        "<itunes:duration>1:99:99</itunes:duration><itunes:season>-1</itunes:season><itunes:episode>two</itunes:episode>\
         <pubDate>Wed, 30 Nov -0001 00:00:00 +0000</pubDate><enclosure url='a.mp3' length='-5' type='audio/mpeg'/>",
    );
    let fields =
        ["pubDate", "enclosure length", "itunes:duration", "itunes:season", "itunes:episode"];
    for field in fields {
        assert!(found.iter().any(|message| message.starts_with(field)), "{field}: {found:#?}");
    }
    assert_eq!(found.len(), fields.len(), "{found:#?}");
    let large = invalid_values("<enclosure url='a.mp3' length='99999999999999999999'/>");
    assert_eq!(large.len(), 1);
    // A value that means "unknown" is not reported.
    let none = invalid_values(
        "<itunes:duration>0</itunes:duration><enclosure url='a.mp3' length='0'/><pubDate/>",
    );
    assert!(none.is_empty(), "{none:#?}");
}

#[test]
fn languages_are_normalized_to_bcp_47_tags() {
    for (text, tag) in [
        ("en_US", Some("en-US")),
        ("de_DE.UTF-8", Some("de-DE")),
        ("zh-Hant-TW", Some("zh-Hant-TW")),
        ("English", None),
        ("e", None),
        ("en US", None),
    ] {
        let feed = channel(&format!("<language>{text}</language>"));
        assert_eq!(feed.channel.language.as_deref(), tag, "{text}");
        assert_eq!(feed.channel.invalid_values.messages().len(), usize::from(tag.is_none()));
    }
    let json = read(
        r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","language":"pt_BR"}]}"#,
    );
    assert_eq!(json.items[0].language.as_deref(), Some("pt-BR"));
}

#[test]
fn rss_1_does_not_report_its_own_list_of_items() {
    let feed = read(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
         <channel rdf:about='https://a.example/'><title>A</title><link>https://a.example/</link><description>d</description>\
         <items><rdf:Seq><rdf:li rdf:resource='https://a.example/1'/></rdf:Seq></items><textinput rdf:resource='https://a.example/s'/></channel>\
         <item rdf:about='https://a.example/1'><title>One</title><link>https://a.example/1</link></item></rdf:RDF>",
    );
    assert_eq!((skipped(&feed), feed.items.len()), (Vec::new(), 1));
}
