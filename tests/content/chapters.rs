//! Chapter files: JSON chapters 1.2.0 and lines of times and titles.
#![allow(clippy::unwrap_used)]

use feedwright::model::chapter::{Chapter, ChapterLocation};
use feedwright::source::chapters::{ChapterError, Format, Parsed, parse};
use proptest::prelude::*;
use serde_json::json;

use crate::support::Site;

fn chapters(text: &str) -> Vec<Chapter> {
    let parsed = parse(text, Format::Auto).unwrap();
    assert_eq!(parsed.faults, []);
    parsed.chapters
}

/// The first fault, of a chapter or of the whole file.
fn parse_error(text: &str) -> ChapterError {
    match parse(text, Format::Auto) {
        Ok(parsed) => parsed.faults.into_iter().next().unwrap(),
        Err(error) => error,
    }
}

#[test]
fn each_line_is_a_time_and_a_title() {
    let text = "\u{feff}# Episode 7\r\n00:00 Intro\r\n\r\n  2:48 - Hearing aids – for all\r\n\
        1:02:03.500 — Just break up <https://example.com/a?b>\r\n1:02:04 -5 degrees\r\n01:02:05";
    let read: Vec<_> = chapters(text)
        .into_iter()
        .map(|chapter| (chapter.start_time, chapter.title, chapter.url))
        .collect();
    let own = |text: &str| Some(text.to_owned());
    assert_eq!(
        read,
        [
            (0.0, own("Intro"), None),
            (168.0, own("Hearing aids – for all"), None),
            (3723.5, own("Just break up"), own("https://example.com/a?b")),
            (3724.0, own("-5 degrees"), None),
            (3725.0, None, None),
        ]
    );
}

/// As other programs write them: in brackets, with a decimal comma, and as seconds.
#[test]
fn times_are_accepted_in_several_formats() {
    let read = chapters("[00:00] Intro\n(0:01:30) - Tea\n00:01:31,500 Milk\n94.5 | Sugar\n");
    let read: Vec<_> = read.iter().map(|one| (one.start_time, one.title.as_deref())).collect();
    let expected = [(0.0, "Intro"), (90.0, "Tea"), (91.5, "Milk"), (94.5, "Sugar")];
    assert_eq!(read, expected.map(|(start, title)| (start, Some(title))));
    assert_eq!(parse_error("1 Intro\n2 Tea").message, "this is not a time");
    assert_eq!((parse_error("[1:75] Intro").line, parse_error("[1:75] Intro").column), (1, 4));
}

#[test]
fn an_error_in_a_line_has_its_position() {
    for (text, line, column, message) in [
        ("00:00 Intro\nHearing aids", 2, 1, "this is not a time"),
        ("\n  1:60 Intro", 2, 5, "minutes and seconds must be at most 59"),
        ("75:00 Intro", 1, 1, "minutes and seconds must be at most 59"),
        ("0:75:00 Intro", 1, 3, "minutes and seconds must be at most 59"),
        ("-1:00 Intro", 1, 1, "this is not a time"),
        ("1:2:3:4 Intro", 1, 1, "this is not a time"),
        ("1:00. Intro", 1, 6, "this is not a time"),
        ("1:+5 Intro", 1, 3, "this is not a time"),
        (
            "0:10 a\n\n 0:05 b",
            3,
            2,
            "chapter 2 starts before the previous chapter, which starts at 10 s",
        ),
    ] {
        let error = parse_error(text);
        assert_eq!(
            (error.line, error.column, error.message.as_str()),
            (line, column, message),
            "{text:?}"
        );
    }
}

#[test]
fn json_chapters_can_have_every_field() {
    let text = r#"{
        "version": "1.2.0",
        "author": "somebody",
        "chapters": [
            {"startTime": 0, "title": "Intro", "toc": null, "value": {"unknown": []}},
            {"startTime": 94.5, "endTime": 100, "title": "Tower", "img": "https://example.com/t.jpg",
             "url": "https://example.com/", "toc": false,
             "location": {"name": "Eiffel Tower", "geo": "geo:48.858093,2.294694", "osm": "W5013364"}}
        ]
    }"#;
    let tower = Chapter {
        start_time: 94.5,
        title: Some("Tower".to_owned()),
        img: Some("https://example.com/t.jpg".to_owned()),
        url: Some("https://example.com/".to_owned()),
        toc: Some(false),
        end_time: Some(100.0),
        location: Some(ChapterLocation {
            name: "Eiffel Tower".to_owned(),
            geo: "geo:48.858093,2.294694".to_owned(),
            osm: Some("W5013364".to_owned()),
        }),
    };
    let read = chapters(text);
    assert_eq!(read[0].title.as_deref(), Some("Intro"));
    assert_eq!(read[1], tower);
    assert_eq!(chapters(r#" [{"startTime": 94.5}]"#).len(), 1);
    assert_eq!(
        serde_json::to_string(&read[1]).unwrap(),
        r#"{"startTime":94.5,"title":"Tower","img":"https://example.com/t.jpg","url":"https://example.com/","toc":false,"endTime":100,"location":{"name":"Eiffel Tower","geo":"geo:48.858093,2.294694","osm":"W5013364"}}"#
    );
}

#[test]
fn an_error_in_json_has_its_position() {
    for (text, line, column, message) in [
        ("[\n  {\"title\": \"a\"}\n]", 2, 3, "this chapter has no startTime"),
        ("{\"chapters\": [\n {\"startTime\": \"soon\"}]}", 2, 16, "startTime is not a time"),
        ("[{\"startTime\": 1, \"title\": 5}]", 1, 28, "title must be a string, not a number"),
        ("[{\"startTime\": 1, \"toc\": \"no\"}]", 1, 26, "toc must be true or false, not a string"),
        ("[{\"startTime\": -1}]", 1, 16, "chapter 1 has a startTime below 0"),
        (
            "[{\"startTime\": 1e999}]",
            1,
            16,
            "chapter 1 has a startTime that is not a finite number of seconds",
        ),
        ("[{\"startTime\": 5,\n\"endTime\": 4}]", 2, 12, "chapter 1 ends before its start at 5 s"),
        (
            "[{\"startTime\": 5},\n{\"startTime\": 4}]",
            2,
            15,
            "chapter 2 starts before the previous chapter, which starts at 5 s",
        ),
        ("[5]", 1, 2, "a chapter must be an object, not a number"),
        ("{\"version\": \"1.2.0\"}", 1, 1, "the list of chapters is missing"),
        ("{\"chapters\": {}}", 1, 14, "chapters must be a list, not an object"),
        (
            "[{\"startTime\": 0, \"location\": {\"name\": \"x\"}}]",
            1,
            31,
            "this location has no geo",
        ),
        ("[{\"startTime\": 0,}]", 1, 17, "trailing commas are not allowed"),
        ("[\n{\"startTime\": NaN}]", 2, 15, "unexpected token"),
    ] {
        let error = parse_error(text);
        assert_eq!(
            (error.line, error.column, error.message.as_str()),
            (line, column, message),
            "{text:?}"
        );
    }
}

/// What podcasting.md says of times in front matter holds in JSON, too.
#[test]
fn seconds_may_be_a_string() {
    let starts = |text: &str| -> Vec<f64> {
        chapters(text).iter().map(|chapter| chapter.start_time).collect()
    };
    let text = r#"[{"startTime": "0"}, {"startTime": "90"}, {"startTime": " 1:34.5 "}, {"startTime": "95.25", "endTime": "0:01:36"}, {"startTime": "1:02:03"}]"#;
    assert_eq!(starts(text), [0.0, 90.0, 94.5, 95.25, 3723.0]);
    assert_eq!(chapters(text)[3].end_time, Some(96.0));
    for wrong in ["", "1e3", "-5", "90s", "1:60", "1,5", "NaN", "inf", ".5", "5."] {
        let text = format!("[{{\"startTime\": \"{wrong}\"}}]");
        assert_eq!(parse_error(&text).message, "startTime is not a time", "{wrong}");
    }
}

#[test]
fn only_the_invalid_chapter_is_skipped() {
    for (text, starts, faults) in [
        (
            r#"[{"startTime": 1}, {"title": "x"}, 5, {"startTime": null}, {"startTime": "x"}, {"startTime": 2}]"#,
            vec![1.0, 2.0],
            4,
        ),
        (
            r#"[{"startTime": 5}, {"startTime": 4}, {"startTime": -1}, {"startTime": 6}]"#,
            vec![4.0, 5.0, 6.0],
            2,
        ),
        ("0:00 a\nnot a time\n1:75 b\n0:30 c\n0:20 d\n0:40 e", vec![0.0, 20.0, 30.0, 40.0], 3),
    ] {
        let parsed = parse(text, Format::Auto).unwrap();
        let found: Vec<f64> = parsed.chapters.iter().map(|chapter| chapter.start_time).collect();
        assert_eq!((found, parsed.faults.len()), (starts, faults), "{text}");
    }
    // A value that is not needed costs itself.
    let text = r#"[{"startTime": 1, "endTime": 0, "title": 5, "toc": "no", "url": "javascript:x", "img": [], "location": {"name": "x"}}]"#;
    let parsed = parse(text, Format::Auto).unwrap();
    let plain = Chapter { start_time: 1.0, ..Chapter::default() };
    assert_eq!((parsed.chapters, parsed.faults.len()), (vec![plain], 6));
    let many = "x\n".repeat(100_000);
    assert_eq!(parse(&many, Format::Lines).unwrap().faults.len(), 100);
}

#[test]
fn the_format_can_be_specified() {
    let lines = parse("[{\"startTime\": 0}]", Format::Lines).unwrap();
    assert_eq!((lines.chapters.len(), lines.faults.len()), (0, 1));
    assert!(parse("0:00 Intro", Format::Json).is_err());
    assert_eq!(parse("", Format::Auto), Ok(Parsed::default()));
    assert!(parse("", Format::Json).is_err());
}

/// A comma too many costs nothing, and is said: players of the author's own file may read none of it.
#[test]
fn minor_json_mistakes_lose_no_chapter() {
    for text in [
        "[{\"startTime\": 0}, {\"startTime\": 5},]",
        "[{\"startTime\": 0,}, {\"startTime\": 5}]",
        "[{\"startTime\": 0}\n {\"startTime\": 5}]",
        "// the start\n[{\"startTime\": 0}, {\"startTime\": 5}]",
    ] {
        let parsed = parse(text, Format::Json).unwrap();
        let starts: Vec<f64> = parsed.chapters.iter().map(|one| one.start_time).collect();
        assert_eq!(starts, [0.0, 5.0], "{text}");
        assert_eq!(parsed.faults.len(), 1, "{text}: {:?}", parsed.faults);
    }
}

/// One wrong value, in front matter and in both kinds of file: the build goes on with the other chapters.
#[test]
fn an_invalid_chapter_does_not_stop_the_build() {
    for wrong in [
        json!({ "startTime": "soon" }),
        json!({ "startTime": -1 }),
        json!({ "startTime": 5, "endTime": 4 }),
        json!({ "startTime": 5, "endTime": "later" }),
        json!({ "startTime": true }),
        json!({ "title": "no time" }),
        json!({ "startTime": 0.5 }),
        json!({ "startTime": 5, "toc": "no" }),
        json!({ "startTime": 5, "url": "javascript:alert(1)" }),
        json!({ "startTime": 5, "img": "missing.jpg" }),
        json!({ "startTime": 5, "location": { "name": "A" } }),
        json!({ "startTime": 5, "location": "A" }),
        json!("5 Second"),
    ] {
        let list = json!({ "chapters": [
            { "startTime": 1, "title": "First" }, wrong, { "startTime": "1:30", "title": "Last" },
        ] });
        for (kind, podcast, file) in [
            ("front matter", list.to_string(), String::new()),
            ("a file", r#"{"chapters": "c.json"}"#.to_owned(), list.to_string()),
        ] {
            let site = Site::empty()
                .write(
                    "content/items/a.md",
                    &format!("---\nid: a\nslug: a\ntitle: a\npodcast: {podcast}\n---\nText.\n"),
                )
                .write("content/items/c.json", &file);
            let output = site.build();
            let chapters = output.json("i/a/chapters.json")["chapters"].clone();
            let titles =
                chapters.as_array().unwrap().iter().filter_map(|one| one["title"].as_str());
            let titles: Vec<&str> = titles.collect();
            assert_eq!(titles, ["First", "Last"], "{kind}, {wrong}: {chapters}");
            let said: Vec<String> =
                output.outcome.warnings.iter().map(ToString::to_string).collect();
            assert!(
                said.iter().any(|one| one.starts_with("warning[chapter-time]")),
                "{kind}, {wrong}: {said:?}"
            );
        }
    }
}

/// A time as an author would write it.
fn format_time(milliseconds: u32, has_hours: bool) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    if has_hours || hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}{fraction}")
    } else {
        format!("{minutes:02}:{seconds:02}{fraction}")
    }
}

proptest! {
    #[test]
    fn no_input_causes_a_panic(text in any::<String>(), json in r#"[\[\]{}":,.0-9a-zA-Zé\n -]{0,80}"#) {
        for text in [&text, &json] {
            for format in [Format::Auto, Format::Json, Format::Lines] {
                if let Err(error) = parse(text, format) {
                    prop_assert!(error.line <= text.split('\n').count());
                }
            }
        }
    }

    #[test]
    fn almost_valid_chapters_cause_no_panic(text in r#"(\{"chapters": ?)?\[(\{"(startTime|endTime|title|toc|location)": ?("é|[0-9.e-]{1,5}|null|\{\}|true)[,}\]]{0,2}){0,4}"#) {
        let _ = parse(&text, Format::Json);
    }

    #[test]
    fn parsed_chapters_can_be_published(text in r"([0-9]{1,2}:[0-9]{1,2}(:[0-9]{2})?(\.[0-9]{1,4})? [a-z<>:/-]{0,9}\n){0,5}") {
        let parsed = parse(&text, Format::Lines).unwrap();
        let starts: Vec<f64> = parsed.chapters.iter().map(|one| one.start_time).collect();
        prop_assert!(starts.is_sorted() && starts.iter().all(|start| *start >= 0.0));
    }

    #[test]
    fn times_round_trip(milliseconds in 0..360_000_000_u32, has_hours: bool) {
        let line = format!("{} A title", format_time(milliseconds, has_hours));
        let read = parse(&line, Format::Lines).unwrap().chapters;
        prop_assert_eq!(read[0].start_time, f64::from(milliseconds) / 1000.0);
        prop_assert_eq!(read[0].title.as_deref(), Some("A title"));
    }

    #[test]
    fn chapters_round_trip_through_json(start in 0.0..1e6_f64, title in "[^\0]{1,20}", toc: Option<bool>) {
        let chapter = Chapter { start_time: start, title: Some(title), toc, ..Chapter::default() };
        let text = serde_json::to_string(&[&chapter]).unwrap();
        prop_assert_eq!(parse(&text, Format::Auto).unwrap().chapters, vec![chapter]);
    }
}

/// Lists in lists, a hundred thousand deep: no stack holds them.
#[test]
fn deep_nesting_is_an_error() {
    assert!(parse(&"[".repeat(100_000), Format::Auto).is_err());
}
