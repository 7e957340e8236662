//! Tests of the dates in feeds.

#[test]
fn common_date_formats_are_parsed() {
    for (text, utc) in [
        ("Mon, 05 Oct 2026 09:00:00 GMT", "2026-10-05T09:00:00Z"),
        ("Mon, 5 Oct 2026 09:00 +0200", "2026-10-05T07:00:00Z"),
        // Dates with a wrong day of the week, a full month name, a full stop, or a time zone that
        // is not in RFC 822.
        ("Tue, 05 October 2026 09:00:00 CEST", "2026-10-05T07:00:00Z"),
        ("5 Sept. 2026 9:00:00 PST", "2026-09-05T17:00:00Z"),
        ("Mon, 05 Oct 26 09:00:00 EDT", "2026-10-05T13:00:00Z"),
        ("05-Oct-99 09:00:00 UT", "1999-10-05T09:00:00Z"),
        ("October 5, 2026 9:00 PM", "2026-10-05T21:00:00Z"),
        ("October 5, 2026 12:30 am", "2026-10-05T00:30:00Z"),
        ("Mon Oct  5 09:00:00 2026", "2026-10-05T09:00:00Z"),
        ("Mon, 05 Oct 2026 24:00:00 +0000", "2026-10-06T00:00:00Z"),
        ("2026-12-31T24:00:00Z", "2027-01-01T00:00:00Z"),
        ("Mon, 05 Oct 2026 23:59:60 +0000", "2026-10-05T23:59:59Z"),
        ("Mon, 05 Oct 2026 09:00:00 BRT", "2026-10-05T12:00:00Z"),
        ("Mon, 05 Oct 2026 09:00:00 IST", "2026-10-05T03:30:00Z"),
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
fn invalid_dates_are_rejected() {
    for text in [
        "", "yesterday", "32 Oct 2026", "5 Oct", "99:99", "2026-13-01",
        "Mon, 05 Foo 2026 09:00:00 GMT", "May",
        // Values that databases and programs use for a missing date.
        "Wed, 30 Nov -0001 00:00:00 +0000", "-0001-11-30T00:00:00Z", "0000-00-00 00:00:00",
        "0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 GMT", "Mon, 05 Oct 2026 24:00:01 GMT",
        "Mon, 05 Oct 2026 25:00:00 GMT", "Mon, 05 Oct 2026 09:61:00 GMT",
        "Mon, 05 Oct 2026 09:00:99 GMT",
    ] {
        assert_eq!(feeds::date::parse(text), None, "{text}");
    }
}

#[test]
fn month_names_are_parsed_in_many_languages() {
    for (text, utc) in [
        ("Seg, 24 Set 2018 19:42:40 -0300", "2018-09-24T22:42:40Z"),
        ("Mo, 02 Mär 2026 09:00:00 +0100", "2026-03-02T08:00:00Z"),
        ("lun., 02 févr. 2026 09:00:00 +0100", "2026-02-02T08:00:00Z"),
        // `mar.` is Tuesday in French and Italian, and March in Spanish.
        ("mar., 03 févr. 2026 09:00:00 +0100", "2026-02-03T08:00:00Z"),
        ("mar, 03 mar 2026 09:00:00 +0100", "2026-03-03T08:00:00Z"),
        ("2 de marzo de 2026", "2026-03-02T00:00:00Z"),
        ("2 DE MARÇO DE 2026 09:00", "2026-03-02T09:00:00Z"),
        ("lun 2 giu 2025 10:00:00 +0200", "2025-06-02T08:00:00Z"),
        ("ma, 02 mrt 2026 09:00:00 +0100", "2026-03-02T08:00:00Z"),
        ("pon., 02 paź 2023 09:00:00 +0200", "2023-10-02T07:00:00Z"),
        ("2 września 2025", "2025-09-02T00:00:00Z"),
        ("Пн, 02 мар 2026 09:00:00 +0300", "2026-03-02T06:00:00Z"),
        ("2 сентября 2025 г.", "2025-09-02T00:00:00Z"),
        ("mån, 02 maj 2022 09:00:00 +0200", "2022-05-02T07:00:00Z"),
        ("2026. márc. 2.", "2026-03-02T00:00:00Z"),
        ("Pzt, 02 Şub 2026 09:00:00 +0300", "2026-02-02T06:00:00Z"),
        ("2. prosince 2025", "2025-12-02T00:00:00Z"),
        ("2 Δεκεμβρίου 2025", "2025-12-02T00:00:00Z"),
        ("2 مارس 2026", "2026-03-02T00:00:00Z"),
        ("٢ مارس ٢٠٢٦", "2026-03-02T00:00:00Z"),
        ("2026年3月2日 17:05", "2026-03-02T17:05:00Z"),
        ("2026년 3월 2일 오후 5:05", "2026-03-02T17:05:00Z"),
    ] {
        let read = feeds::date::parse(text).map(|moment| moment.to_string());
        assert_eq!(read.as_deref(), Some(utc), "{text}");
    }
}

#[test]
fn the_language_resolves_ambiguous_month_names() {
    let month = |language| {
        let read = feeds::date::read("2. listopada 2025", language).unwrap();
        read.moment.to_string()
    };
    assert_eq!(month(Some("hr-HR")), "2025-10-02T00:00:00Z");
    assert_eq!(month(Some("pl")), "2025-11-02T00:00:00Z");
}

#[test]
fn an_unknown_time_zone_is_reported() {
    let read = feeds::date::read("Mon, 05 Oct 2026 09:00:00 XYZT", None).unwrap();
    assert_eq!(read.unknown_zone.as_deref(), Some("XYZT"));
    let known = feeds::date::read("MON, 05 OCT 2026 09:00:00 GMT", None).unwrap();
    assert_eq!(known.unknown_zone, None);
}
