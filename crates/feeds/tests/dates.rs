//! Dates as they are found.

#[test]
fn habits_of_all_makes() {
    for (text, utc) in [
        ("Mon, 05 Oct 2026 09:00:00 GMT", "2026-10-05T09:00:00Z"),
        ("Mon, 5 Oct 2026 09:00 +0200", "2026-10-05T07:00:00Z"),
        // The wrong day of the week, a whole month, a full stop, none of the zones of RFC 822.
        ("Tue, 05 October 2026 09:00:00 CEST", "2026-10-05T07:00:00Z"),
        ("5 Sept. 2026 9:00:00 PST", "2026-09-05T17:00:00Z"),
        ("Mon, 05 Oct 26 09:00:00 EDT", "2026-10-05T13:00:00Z"),
        ("05-Oct-99 09:00:00 UT", "1999-10-05T09:00:00Z"),
        ("October 5, 2026 9:00 PM", "2026-10-05T21:00:00Z"),
        ("October 5, 2026 12:30 am", "2026-10-05T00:30:00Z"),
        ("Mon Oct  5 09:00:00 2026", "2026-10-05T09:00:00Z"),
        ("Mon, 05 Oct 2026 24:00:00 +0000", "2026-10-05T00:00:00Z"),
        ("2026-10-05", "2026-10-05T00:00:00Z"),
        ("2026-10-05 09:00:00", "2026-10-05T09:00:00Z"),
        ("2026-10-05T09:00:00.25+02:00", "2026-10-05T07:00:00.25Z"),
        ("2026-10-05T09:00:00+0200", "2026-10-05T07:00:00Z"),
        ("2026-10-05 09:00:00 +02:00", "2026-10-05T07:00:00Z"),
        ("2026/10/05 09:00", "2026-10-05T09:00:00Z"),
        ("20261005", "2026-10-05T00:00:00Z"),
        ("  Mon, 05 Oct 2026 09:00:00 GMT+2 ", "2026-10-05T07:00:00Z"),
    ] {
        let read = feeds::date::parse(text).map(|moment| moment.to_string());
        assert_eq!(read.as_deref(), Some(utc), "{text}");
    }
}

#[test]
fn what_is_none() {
    for text in [
        "",
        "yesterday",
        "32 Oct 2026",
        "5 Oct",
        "99:99",
        "2026-13-01",
        "Mon, 05 Foo 2026 09:00:00 GMT",
        "May",
    ] {
        assert_eq!(feeds::date::parse(text), None, "{text}");
    }
}
