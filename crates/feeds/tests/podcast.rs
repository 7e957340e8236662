//! Tests of Podcasting 2.0 tags as keys of front matter.

use serde_json::json;

use crate::{channel, item};

#[test]
fn podcast_tags_of_an_item_are_read() {
    let item = item(
        "<podcast:transcript url=\"https://a.example/t.vtt\" type=\"text/vtt\" rel=\"captions\"/>
         <podcast:transcript url=\"https://a.example/t.srt\" type=\"application/x-subrip\" language=\"de\"/>
         <podcast:chapters url=\"https://a.example/c.json\" type=\"application/json+chapters\"/>
         <podcast:season name=\"Mud\">2</podcast:season><podcast:episode display=\"Ch. 3\">3.5</podcast:episode>
         <podcast:soundbite startTime=\"73.5\" duration=\"60\">Hear</podcast:soundbite>
         <podcast:person role=\"guest\" img=\"https://a.example/p.jpg\">Ada</podcast:person><podcast:person>Bo</podcast:person>
         <podcast:alternateEnclosure type=\"audio/opus\" length=\"9\" bitrate=\"64000\" default=\"true\"><podcast:source uri=\"https://a.example/a.opus\"/>
         <podcast:integrity type=\"sri\" value=\"sha384-x\"/></podcast:alternateEnclosure>
         <podcast:value type=\"lightning\" method=\"keysend\" suggested=\"0.00000005000\">
         <podcast:valueRecipient name=\"Ada\" type=\"node\" address=\"03a\" split=\"99\"/><podcast:valueRecipient address=\"03b\" type=\"node\" split=\"1\" fee=\"true\"/>
         <podcast:valueTimeSplit startTime=\"60\" duration=\"237\" remotePercentage=\"95\"><podcast:remoteItem itemGuid=\"i\" feedGuid=\"f\"/></podcast:valueTimeSplit></podcast:value>
         <podcast:txt purpose=\"verify\">S6lpp</podcast:txt>",
    );
    let expected = json!({
        "transcripts": [
            { "url": "https://a.example/t.vtt", "type": "text/vtt", "rel": "captions" },
            { "url": "https://a.example/t.srt", "type": "application/x-subrip", "language": "de" },
        ],
        "chapters": "https://a.example/c.json",
        "season": { "number": 2, "name": "Mud" },
        "episode": { "number": 3.5, "display": "Ch. 3" },
        "soundbites": [{ "startTime": 73.5, "duration": 60, "title": "Hear" }],
        "people": [{ "name": "Ada", "role": "guest", "img": "https://a.example/p.jpg" }, { "name": "Bo" }],
        "alternateEnclosures": [{
            "type": "audio/opus", "length": 9, "bitrate": 64000, "default": true, "sources": [{ "uri": "https://a.example/a.opus" }],
            "integrity": { "type": "sri", "value": "sha384-x" },
        }],
        "value": [{
            "type": "lightning", "method": "keysend", "suggested": "0.00000005000",
            "recipients": [
                { "name": "Ada", "type": "node", "address": "03a", "split": 99 },
                { "address": "03b", "type": "node", "split": 1, "fee": true },
            ],
            "timeSplits": [{ "startTime": 60, "duration": 237, "remotePercentage": 95, "remoteItem": { "itemGuid": "i", "feedGuid": "f" } }],
        }],
        "txt": [{ "purpose": "verify", "text": "S6lpp" }],
    });
    assert_eq!(json!(item.podcast), expected);
}

#[test]
fn podcast_tags_of_a_channel_are_read() {
    let feed = channel(
        "<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid><podcast:medium>podcast</podcast:medium>
         <podcast:locked owner=\"m@a.example\">no</podcast:locked><podcast:block>yes</podcast:block><podcast:block id=\"google\">no</podcast:block>
         <podcast:podping usesPodping=\"true\"/><podcast:updateFrequency rrule=\"FREQ=WEEKLY\">weekly</podcast:updateFrequency>
         <podcast:podroll><podcast:remoteItem feedGuid=\"f\"/></podcast:podroll><podcast:publisher><podcast:remoteItem feedGuid=\"p\"/></podcast:publisher>
         <podcast:trailer pubdate=\"Thu, 01 Apr 2021 08:00:00 EST\" url=\"https://a.example/t.mp3\" length=\"7\">Soon</podcast:trailer>
         <podcast:images srcset=\"https://a.example/1.jpg 1500w\"/>",
    );
    let expected = json!({
        "guid": "917393e3-1b1e-5cef-ace4-edaa54e1f810", "medium": "podcast",
        "locked": { "owner": "m@a.example", "locked": false }, "block": [{ "block": true }, { "id": "google", "block": false }],
        "podping": true, "updateFrequency": { "rrule": "FREQ=WEEKLY", "text": "weekly" },
        "podroll": [{ "feedGuid": "f" }], "publisher": { "feedGuid": "p" },
        "trailers": [{ "pubdate": "Thu, 01 Apr 2021 08:00:00 EST", "url": "https://a.example/t.mp3", "length": 7, "title": "Soon" }],
        "srcset": "https://a.example/1.jpg 1500w",
    });
    assert_eq!(json!(feed.channel.podcast), expected);
    assert_eq!(feed.skipped, []);
}

#[test]
fn a_simple_chapter_without_a_valid_time_is_reported() {
    let item = item(
        "<psc:chapters><psc:chapter start=\"00:00\" title=\"A\"/><psc:chapter start=\"soon\" title=\"B\"/>\
         <psc:chapter start=\"1:30\" title=\"C\"/></psc:chapters>",
    );
    let starts: Vec<_> = item
        .chapters
        .unwrap()
        .as_array()
        .unwrap()
        .clone()
        .into_iter()
        .map(|one| one["startTime"].clone())
        .collect();
    assert_eq!(starts, [json!(0.0), json!(90.0)]);
    let invalid_values = format!("{:?}", item.invalid_values);
    assert!(
        invalid_values.contains("psc:chapter start") && invalid_values.contains("soon"),
        "{invalid_values}"
    );
}

#[test]
fn podlove_simple_chapters_are_read() {
    let item = item(
        "<psc:chapters version=\"1.2\"><psc:chapter start=\"00:00:00.000\" title=\"Late\"/>
         <psc:chapter start=\"00:01:34.5\" title=\"Way\" href=\"https://a.example/\"/></psc:chapters>",
    );
    let expected = json!([
        { "startTime": 0.0, "title": "Late" }, { "startTime": 94.5, "title": "Way", "url": "https://a.example/" },
    ]);
    assert_eq!(item.chapters, Some(expected));
}
