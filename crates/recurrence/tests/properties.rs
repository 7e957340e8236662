//! Properties that hold for any rule.

use jiff::Zoned;
use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use proptest::collection::vec;
use proptest::prelude::*;
use recurrence::{EventTime, Recurrence, Rule};

use super::{Series, instant};

const ZONES: [&str; 6] = [
    "UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia",
    "America/Sao_Paulo",
];

fn optional_list(
    name: &'static str,
    values: impl Strategy<Value = i32>,
) -> impl Strategy<Value = String> {
    let some = vec(values, 1..5).prop_map(move |values| {
        let values: Vec<String> = values.iter().map(i32::to_string).collect();
        format!(";{name}={}", values.join(","))
    });
    prop_oneof![6 => Just(String::new()), 1 => some]
}

fn positive_or_negative(max: i32) -> impl Strategy<Value = i32> {
    (1..=max).prop_flat_map(|number| prop_oneof![Just(number), Just(-number)])
}

fn weekdays() -> impl Strategy<Value = String> {
    let number = prop_oneof![3 => Just(String::new()), 1 => positive_or_negative(6).prop_map(|number| number.to_string())];
    let day = prop::sample::select(vec!["MO", "TU", "we", "TH", "FR", "SA", "SU"]);
    let days = vec((number, day).prop_map(|(number, day)| number + day), 1..5);
    let days = days.prop_map(|days| format!(";BYDAY={}", days.join(",")));
    prop_oneof![1 => Just(String::new()), 1 => days]
}

/// Generates the text of a rule without COUNT or UNTIL.
fn rule() -> impl Strategy<Value = String> {
    let frequency = prop::sample::select(vec![
        "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY",
    ]);
    let interval =
        prop_oneof![Just(String::new()), (1..400).prop_map(|number| format!(";INTERVAL={number}"))];
    let days = (
        optional_list("BYMONTH", 1..=12),
        optional_list("BYMONTHDAY", positive_or_negative(31)),
        optional_list("BYYEARDAY", positive_or_negative(366)),
        optional_list("BYWEEKNO", positive_or_negative(53)),
        weekdays(),
    );
    let times = (
        optional_list("BYHOUR", 0..=23),
        optional_list("BYMINUTE", 0..=59),
        optional_list("BYSECOND", 0..=60),
    );
    let last = (
        optional_list("BYSETPOS", positive_or_negative(9)),
        prop_oneof![Just(""), Just(";WKST=SU"), Just(";wkst=TH")],
    );
    (frequency, interval, days, times, last)
        .prop_map(|(frequency, interval, days, times, last)| {
            let days = [days.0, days.1, days.2, days.3, days.4].concat();
            let times = [times.0, times.1, times.2].concat();
            format!("FREQ={frequency}{interval}{days}{times}{}{}", last.0, last.1)
        })
        .prop_filter("parts that cannot stand together", |text| Rule::parse(text).is_ok())
}

fn start() -> impl Strategy<Value = EventTime> {
    let seconds = 0..86_400 * 366 * 30_i64;
    (seconds, prop::sample::select(ZONES.to_vec())).prop_map(|(seconds, zone)| {
        let civil: DateTime =
            date(2000, 1, 1).at(0, 0, 0, 0) + jiff::SignedDuration::from_secs(seconds);
        EventTime::Moment(civil.in_tz(zone).unwrap())
    })
}

fn series(start: &EventTime, rule: &str) -> Series {
    Series::new(start, &[&format!("RRULE:{rule}")])
}

fn zoned(occurrence: &EventTime) -> &Zoned {
    match occurrence {
        EventTime::Moment(time) => time,
        EventTime::Day(_) => panic!("a day without time"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_written_rule_is_read_back_unchanged(text in rule(), end in prop_oneof![Just(""), Just(";COUNT=7"), Just(";UNTIL=20300101T000000Z")]) {
        let rule = Rule::parse(&format!("{text}{end}")).unwrap();
        let written = rule.to_string();
        prop_assert_eq!(Rule::parse(&written).unwrap(), rule);
        prop_assert_eq!(Rule::parse(&written).unwrap().to_string(), written);
    }

    #[test]
    fn occurrences_are_sorted_and_begin_at_the_start(text in rule(), start in start()) {
        let times: Vec<EventTime> = series(&start, &text).occurrences().take(50).collect();
        prop_assert_eq!(&times[0], &start);
        prop_assert!(times.is_sorted_by(|one, other| instant(one) < instant(other)), "{:?}", times);
    }

    #[test]
    fn occurrences_from_an_instant_are_the_remaining_ones(text in rule(), start in start(), index in 0_usize..30, seconds in 0_i64..3) {
        let series = series(&start, &text);
        let times: Vec<EventTime> = series.occurrences().take(40).collect();
        let from = zoned(&times[index.min(times.len() - 1)]) + jiff::SignedDuration::from_secs(seconds);
        let from = from.timestamp();
        let rest: Vec<&EventTime> = times.iter().filter(|time| instant(time) >= from).take(5).collect();
        let found: Vec<EventTime> = series.occurrences_from(from).take(rest.len()).collect();
        prop_assert_eq!(found.iter().collect::<Vec<_>>(), rest);
    }

    #[test]
    fn a_count_limits_the_same_occurrences(text in rule(), start in start(), count in 1_usize..30) {
        let times: Vec<EventTime> = series(&start, &text).occurrences().take(count).collect();
        let counted = series(&start, &format!("{text};COUNT={count}"));
        prop_assert_eq!(&counted.occurrences().collect::<Vec<_>>(), &times);
        let last = &times[times.len() - 1];
        let found: Vec<EventTime> = counted.occurrences_from(instant(last)).collect();
        prop_assert_eq!(&found[..], std::slice::from_ref(last));
    }

    #[test]
    fn until_is_the_last_allowed_time(text in rule(), start in start(), index in 0_usize..20) {
        let times: Vec<EventTime> = series(&start, &text).occurrences().take(20).collect();
        let last = zoned(&times[index.min(times.len() - 1)]);
        let until = last.with_time_zone(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ");
        let bounded = series(&start, &format!("{text};UNTIL={until}"));
        let wanted = times.iter().filter(|time| zoned(time) <= last);
        prop_assert_eq!(bounded.occurrences().collect::<Vec<_>>(), wanted.cloned().collect::<Vec<_>>());
    }

    #[test]
    fn excluded_times_do_not_occur(text in rule(), other in rule(), start in start()) {
        let lines = [format!("RRULE:{text}"), format!("EXRULE:{other}")];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let remaining: Vec<EventTime> = Series::new(&start, &lines).occurrences().take(4).collect();
        let (all, removing) = (series(&start, &text), series(&start, &other));
        for time in &remaining {
            prop_assert!(all.contains(time));
            // `removing` contains the start even if its rule does not produce it.
            prop_assert!(!removing.contains(time) || *time == start);
        }
    }

    #[test]
    fn any_text_is_parsed_without_a_panic(text in "\\PC*", start in start()) {
        check_parse(&text, &start);
    }

    #[test]
    fn almost_valid_text_is_parsed_without_a_panic(text in "(RRULE|EXRULE|RDATE|EXDATE)(;(VALUE=(DATE|PERIOD)|TZID=UTC))?:(FREQ=(DAILY|YEARLY|SECONDLY)|[0-9]{8}(T[0-9]{6}Z?(/P[0-9]{1,9}[DW])?)?)([;,](BYDAY|BYSETPOS|COUNT|INTERVAL|[0-9]{8})=?[-+0-9MOTUFR,]{0,9}){0,4}", start in start()) {
        check_parse(&text, &start);
    }
}

/// Parses `text` as a rule and as a line. If the line is valid, checks that its occurrences are
/// sorted.
fn check_parse(text: &str, start: &EventTime) {
    if let Err(error) = Rule::parse(text) {
        assert!(text.get(error.range.clone()).is_some(), "{error}");
    }
    match Recurrence::parse([text], start) {
        Ok(recurrence) => {
            assert!(recurrence.occurrences(start).take(20).is_sorted_by_key(|time| instant(&time)))
        }
        Err(fault) => assert!(text.get(fault.range.clone()).is_some(), "{fault}"),
    }
}
