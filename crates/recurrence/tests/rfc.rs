//! All examples of RFC 5545, section 3.8.5.3, with their dates. Times are in the time zone of New
//! York.

use super::{format_occurrences, series};

/// Starts, lines and expected times. A year (`1997`) is followed by days of its months (`9/2-5,9`),
/// optionally with times of day (`9/2@09:00,12:00`). The default time of day is the start's. `…`
/// means that more times follow.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("1997-09-02T09:00", "FREQ=DAILY;COUNT=10", "1997 9/2-11"),
    (
        "1997-09-02T09:00", "FREQ=DAILY;UNTIL=19971224T000000Z",
        "1997 9/2-30 10/1-31 11/1-30 12/1-23",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=DAILY;INTERVAL=2",
        "1997 9/2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 10/2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 11/1,3,5 …",
    ),
    ("1997-09-02T09:00", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 9/2,12,22 10/2,12"),
    (
        "1998-01-01T09:00",
        "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
        "1998 1/1-31 1999 1/1-31 2000 1/1-31",
    ),
    (
        "1998-01-01T09:00",
        "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
        "1998 1/1-31 1999 1/1-31 2000 1/1-31",
    ),
    ("1997-09-02T09:00", "FREQ=WEEKLY;COUNT=10", "1997 9/2,9,16,23,30 10/7,14,21,28 11/4"),
    (
        "1997-09-02T09:00",
        "FREQ=WEEKLY;UNTIL=19971224T000000Z",
        "1997 9/2,9,16,23,30 10/7,14,21,28 11/4,11,18,25 12/2,9,16,23",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
        "1997 9/2,16,30 10/14,28 11/11,25 12/9,23 1998 1/6,20 2/3,17 …",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
        "1997 9/2,4,9,11,16,18,23,25,30 10/2",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
        "1997 9/2,4,9,11,16,18,23,25,30 10/2",
    ),
    (
        "1997-09-01T09:00",
        "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
        "1997 9/1,3,5,15,17,19,29 10/1,3,13,15,17,27,29,31 11/10,12,14,24,26,28 12/8,10,12,22",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
        "1997 9/2,4,16,18,30 10/2,14,16",
    ),
    (
        "1997-09-05T09:00",
        "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
        "1997 9/5 10/3 11/7 12/5 1998 1/2 2/6 3/6 4/3 5/1 6/5",
    ),
    (
        "1997-09-05T09:00",
        "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
        "1997 9/5 10/3 11/7 12/5",
    ),
    (
        "1997-09-07T09:00",
        "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
        "1997 9/7,28 11/2,30 1998 1/4,25 3/1,29 5/3,31",
    ),
    (
        "1997-09-22T09:00",
        "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
        "1997 9/22 10/20 11/17 12/22 1998 1/19 2/16",
    ),
    (
        "1997-09-28T09:00",
        "FREQ=MONTHLY;BYMONTHDAY=-3",
        "1997 9/28 10/29 11/28 12/29 1998 1/29 2/26 …",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
        "1997 9/2,15 10/2,15 11/2,15 12/2,15 1998 1/2,15",
    ),
    (
        "1997-09-30T09:00",
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
        "1997 9/30 10/1,31 11/1,30 12/1,31 1998 1/1,31 2/1",
    ),
    (
        "1997-09-10T09:00",
        "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
        "1997 9/10-15 1999 3/10-13",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
        "1997 9/2,9,16,23,30 11/4,11,18,25 1998 1/6,13,20,27 3/3,10,17,24,31 …",
    ),
    (
        "1997-06-10T09:00",
        "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
        "1997 6/10 7/10 1998 6/10 7/10 1999 6/10 7/10 2000 6/10 7/10 2001 6/10 7/10",
    ),
    (
        "1997-03-10T09:00",
        "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
        "1997 3/10 1999 1/10 2/10 3/10 2001 1/10 2/10 3/10 2003 1/10 2/10 3/10",
    ),
    (
        "1997-01-01T09:00",
        "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
        "1997 1/1 4/10 7/19 2000 1/1 4/9 7/18 2003 1/1 4/10 7/19 2006 1/1",
    ),
    ("1997-05-19T09:00", "FREQ=YEARLY;BYDAY=20MO", "1997 5/19 1998 5/18 1999 5/17 …"),
    ("1997-05-12T09:00", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997 5/12 1998 5/11 1999 5/17 …"),
    (
        "1997-03-13T09:00",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
        "1997 3/13,20,27 1998 3/5,12,19,26 1999 3/4,11,18,25 …",
    ),
    (
        "1997-06-05T09:00",
        "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
        "1997 6/5,12,19,26 7/3,10,17,24,31 8/7,14,21,28 1998 6/4,11,18,25 7/2,9,16,23,30 8/6,13,20,27 1999 6/3,10,17,24 7/1,8,15,22,29 8/5,12,19,26 …",
    ),
    (
        "1997-09-02T09:00",
        "EXDATE;TZID=America/New_York:19970902T090000 FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "1998 2/13 3/13 11/13 1999 8/13 2000 10/13 …",
    ),
    (
        "1997-09-13T09:00",
        "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
        "1997 9/13 10/11 11/8 12/13 1998 1/10 2/7 3/7 4/11 5/9 6/13 …",
    ),
    (
        "1996-11-05T09:00",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
        "1996 11/5 2000 11/7 2004 11/2 …",
    ),
    ("1997-09-04T09:00", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997 9/4 10/7 11/6"),
    (
        "1997-09-29T09:00",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
        "1997 9/29 10/30 11/27 12/30 1998 1/29 2/26 3/30 …",
    ),
    // The published example ends at 17:00 UTC. According to an erratum, the correct end is 17:00 in
    // New York.
    (
        "1997-09-02T09:00",
        "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
        "1997 9/2@09:00,12:00,15:00",
    ),
    (
        "1997-09-02T09:00",
        "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
        "1997 9/2@09:00,09:15,09:30,09:45,10:00,10:15",
    ),
    ("1997-09-02T09:00", "FREQ=MINUTELY;INTERVAL=90;COUNT=4", "1997 9/2@09:00,10:30,12:00,13:30"),
    (
        "1997-09-02T09:00",
        "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
        EVERY_TWENTY_MINUTES,
    ),
    (
        "1997-09-02T09:00",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
        EVERY_TWENTY_MINUTES,
    ),
    ("1997-08-05T09:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997 8/5,10,19,24"),
    ("1997-08-05T09:00", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997 8/5,17,19,31"),
    ("2007-01-15T09:00", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007 1/15,30 2/15 3/15,30"),
];

const EVERY_TWENTY_MINUTES: &str = "1997 \
    9/2@09:00,09:20,09:40,10:00,10:20,10:40,11:00,11:20,11:40,12:00,12:20,12:40,13:00,13:20,13:40,14:00,14:20,14:40,15:00,15:20,15:40,16:00,16:20,16:40 \
    9/3@09:00,09:20,09:40,10:00,10:20,10:40,11:00,11:20,11:40,12:00,12:20,12:40,13:00,13:20,13:40,14:00,14:20,14:40,15:00,15:20,15:40,16:00,16:20,16:40 …";

#[test]
fn rfc_5545_examples_have_the_documented_dates() {
    for &(start, lines, expected) in EXAMPLES {
        let (wanted, continues) = times(expected, &start[11..]);
        let series = series(start, lines);
        let found = format_occurrences(&series, wanted.len() + 1);
        assert_eq!(found.len() > wanted.len(), continues, "{lines}");
        assert_eq!(found[..wanted.len()], wanted, "{lines}");
    }
}

/// Parses the expected times of an example. Also returns whether more times follow.
fn times(text: &str, time_of_day: &str) -> (Vec<String>, bool) {
    let (mut times, mut year) = (Vec::new(), "");
    for word in text.split(' ').filter(|word| *word != "…") {
        let Some((month, days)) = word.split_once('/') else {
            year = word;
            continue;
        };
        let (days, clock) = days.split_once('@').unwrap_or((days, time_of_day));
        for day in days.split(',').flat_map(parse_day_range) {
            for time in clock.split(',') {
                times.push(format!("{year}-{month:0>2}-{day:02}T{time}"));
            }
        }
    }
    (times, text.ends_with('…'))
}

fn parse_day_range(days: &str) -> std::ops::RangeInclusive<u32> {
    let (first, last) = days.split_once('-').unwrap_or((days, days));
    first.parse().unwrap()..=last.parse().unwrap()
}
