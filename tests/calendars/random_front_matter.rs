//! Whatever an author writes is read, or is an error with its place.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::{SERIES, file, library};

/// Every key of an event, and of the tables in it.
const KEYS: [&str; 40] = [
    "id", "iCalUID", "sequence", "status", "visibility", "transparency", "eventType", "colorId",
    "summary", "location", "start", "end", "date", "dateTime", "timeZone", "recurrence",
    "recurringEventId", "originalStartTime", "created", "updated", "creator", "organizer",
    "source", "url", "title", "live", "attendees", "email", "displayName", "reminders",
    "useDefault", "overrides", "method", "minutes", "extendedProperties", "private", "shared",
    "workingLocationProperties", "enclosure", "item",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec![
            "2026-11-20",
            "2026-11-20T20:00",
            "2026-03-29T02:30:00",
            "9999-12-31T23:59:59-23:59",
            "0001-01-01T00:00:00+23:59",
            "0001-01-01",
            "9999-12-31",
            "24:00",
            "UTC",
            "Pacific/Apia",
            "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "RRULE:FREQ=DAILY",
            "RRULE:FREQ=SECONDLY;COUNT=999999999",
            "EXDATE:20261120",
            "RDATE:99991231T235959Z",
            "a@b",
            "@",
            "walk",
            "cancelled",
            "https://example.com/",
            "",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,12}",
        "[-0-9TZ:+. ]{0,26}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        4 => word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(
                select(KEYS.to_vec()).prop_map(str::to_owned),
                inner,
                0..6
            )
            .prop_map(|table| Value::Object(table.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_front_matter_is_read_or_an_error(
        fields in proptest::collection::btree_map(select(KEYS.to_vec()), value(), 0..12),
        starts in any::<bool>(),
    ) {
        let mut fields: serde_json::Map<String, Value> =
            fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if starts {
            fields.insert("start".into(), "2026-11-20T20:00".into());
            fields.insert("summary".into(), "Walk".into());
        }
        let json = format!("{}\n", Value::Object(fields.clone()));
        let given: Vec<(&str, Value)> = fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let toml = front_matter::compose(&given, "Text");
        for text in [json, toml] {
            let site = file(&text).with("content/calendars/walks/club.md", SERIES);
            let places = library(&site).sources().1.sorted().iter().all(|d| d.file.is_some() && d.help.is_some());
            prop_assert!(places);
            let _ = site.build();
        }
    }
}
