use super::check_table;

#[test]
fn dates_are_constructed() {
    check_table(
        "DATE(2026, 2, 28) => 2026-02-28
         DATE(2026, 2, 29) => ERROR: Input calculates to invalid date: year 2026, month 2, day 29
         DATE(0, 1, 1) => ERROR: Input calculates to invalid date: year 0, month 1, day 1
         SAFE.DATE(2026, 13, 1) => NULL
         DATE(TIMESTAMP '2026-11-21 23:30:00+00', 'Asia/Tokyo') => 2026-11-22
         DATE(TIMESTAMP '2026-11-21 23:30:00+00') => 2026-11-21
         DATE(DATETIME '2026-11-21 23:30:00') => 2026-11-21
         DATE('2026-1-5') => 2026-01-05
         DATETIME(2026, 11, 21, 7, 5, 0) => 2026-11-21T07:05:00
         DATETIME(DATE '2026-11-21', TIME '07:05:00.250') => 2026-11-21T07:05:00.25
         DATETIME(DATE '2026-11-21') => 2026-11-21T00:00:00
         DATETIME(TIMESTAMP '2026-11-21 07:05:00Z', 'America/New_York') => 2026-11-21T02:05:00
         TIME(25, 0, 0) => ERROR: Input calculates to invalid time: hour 25, minute 0, second 0
         TIME(7, 5, 9) => 07:05:09
         TIME(TIMESTAMP '2026-11-21 07:05:00Z', '+05:30') => 12:35:00
         TIME(DATETIME '2026-11-21 07:05:00.000001') => 07:05:00.000001
         TIMESTAMP('2026-11-21 07:05:00', 'Europe/Berlin') => 2026-11-21 06:05:00+00
         TIMESTAMP('2026-11-21') => 2026-11-21 00:00:00+00
         TIMESTAMP('2026-11-21 07:05:00+02') => 2026-11-21 05:05:00+00
         TIMESTAMP('2026-11-21T07:05:00.1234567Z') => 2026-11-21 07:05:00.123456+00
         TIMESTAMP('2026-11-21 07:05:00 America/New_York') => 2026-11-21 12:05:00+00
         TIMESTAMP('2026-11-21 07:05:00Z', 'UTC') => ERROR: TIMESTAMP supports a time zone in its text or as an argument, not both
         TIMESTAMP('yesterday') => ERROR: Invalid timestamp: 'yesterday'
         TIMESTAMP(DATE '2026-11-21', 'Europe/Berlin') => 2026-11-20 23:00:00+00
         TIMESTAMP(DATETIME '2026-11-21 00:00:00') => 2026-11-21 00:00:00+00
         TIMESTAMP('2026-11-21', 'Mars/Olympus') => ERROR: Invalid time zone: Mars/Olympus
         STRING(TIMESTAMP '2026-11-21 07:05:00Z', 'Asia/Kolkata') => 2026-11-21 12:35:00+05:30
         STRING(TIMESTAMP '2026-11-21 07:05:00.25Z') => 2026-11-21 07:05:00.250+00
         STRING(DATETIME '2026-11-21 07:05:00') => 2026-11-21 07:05:00
         UNIX_DATE(DATE '1970-01-02') => 1
         UNIX_DATE(DATE '0001-01-01') => -719162
         DATE_FROM_UNIX_DATE(2932896) => 9999-12-31
         DATE_FROM_UNIX_DATE(2932897) => ERROR: the result must be between the years 1 and 9999
         DATE_FROM_UNIX_DATE(9223372036854775807) => ERROR: the result must be between the years 1 and 9999
         UNIX_SECONDS(TIMESTAMP '1969-12-31 23:59:59.5Z') => -1
         UNIX_MILLIS(TIMESTAMP '1970-01-01 00:00:01.5Z') => 1500
         UNIX_MICROS(TIMESTAMP '9999-12-31 23:59:59.999999Z') => 253402300799999999
         TIMESTAMP_SECONDS(-62135596800) => 0001-01-01 00:00:00+00
         TIMESTAMP_SECONDS(-62135596801) => ERROR: -62135596801 is out of range for TIMESTAMP
         TIMESTAMP_MILLIS(1500) => 1970-01-01 00:00:01.500+00
         TIMESTAMP_MICROS(253402300799999999) => 9999-12-31 23:59:59.999999+00
         TIMESTAMP_SECONDS(9223372036854775807) => ERROR: 9223372036854775807 is out of range for TIMESTAMP
         DATE(NULL) => NULL",
    );
}

#[test]
fn skipped_and_repeated_clock_times_are_resolved() {
    check_table(
        "TIMESTAMP('2026-03-08 02:30:00', 'America/New_York') => 2026-03-08 07:00:00+00
         TIMESTAMP('2026-03-08 02:00:00', 'America/New_York') => 2026-03-08 07:00:00+00
         TIMESTAMP('2026-03-08 03:00:00', 'America/New_York') => 2026-03-08 07:00:00+00
         TIMESTAMP('2026-11-01 01:30:00', 'America/New_York') => 2026-11-01 05:30:00+00
         TIMESTAMP_TRUNC(TIMESTAMP '2026-11-01 06:30:00Z', HOUR, 'America/New_York') => 2026-11-01 06:00:00+00
         TIMESTAMP_TRUNC(TIMESTAMP '2026-11-01 06:30:00Z', DAY, 'America/New_York') => 2026-11-01 04:00:00+00
         TIMESTAMP_TRUNC(TIMESTAMP '2026-11-21 06:50:00Z', HOUR, 'Asia/Kolkata') => 2026-11-21 06:30:00+00
         TIMESTAMP_TRUNC(TIMESTAMP '9999-12-31 23:59:59Z', MONTH, 'UTC') => 9999-12-01 00:00:00+00
         EXTRACT(YEAR, TIMESTAMP '9999-12-31 23:59:59Z', '+14:00') => ERROR: the result must be between the years 1 and 9999
         EXTRACT(HOUR, TIMESTAMP '0001-01-01 00:00:00Z', 'UTC') => 0",
    );
}

#[test]
fn date_parts_are_extracted() {
    check_table(
        "EXTRACT(YEAR, DATE '2026-11-21') => 2026
         EXTRACT(QUARTER, DATE '2026-11-21') => 4
         EXTRACT(MONTH, DATE '2026-11-21') => 11
         EXTRACT(DAY, DATE '2026-11-21') => 21
         EXTRACT(DAYOFWEEK, DATE '2026-11-21') => 7
         EXTRACT(DAYOFYEAR, DATE '2024-12-31') => 366
         EXTRACT(WEEK, DATE '2026-01-03') => 0
         EXTRACT(WEEK, DATE '2026-01-04') => 1
         EXTRACT(WEEK(MONDAY), DATE '2026-01-05') => 1
         EXTRACT(WEEK(MONDAY), DATE '2026-01-04') => 0
         EXTRACT(ISOWEEK, DATE '2021-01-03') => 53
         EXTRACT(ISOYEAR, DATE '2021-01-03') => 2020
         EXTRACT(HOUR, DATE '2021-01-03') => ERROR: EXTRACT does not support the HOUR date part
         EXTRACT(HOUR, TIMESTAMP '2026-07-01 12:00:00Z', 'Europe/Berlin') => 14
         EXTRACT(MICROSECOND, DATETIME '2026-11-21 07:05:00.123456') => 123456
         EXTRACT(MILLISECOND, TIME '07:05:00.123456') => 123
         EXTRACT(SECOND, TIME '07:05:09') => 9
         EXTRACT(MINUTE, TIMESTAMP '2026-07-01 12:34:00Z') => 34
         EXTRACT(DATE, TIMESTAMP '2026-07-01 23:00:00Z', '+2') => 2026-07-02
         EXTRACT(TIME, DATETIME '2026-07-01 23:00:00') => 23:00:00
         EXTRACT(DATETIME, TIMESTAMP '2026-07-01 23:00:00Z', '-08') => 2026-07-01T15:00:00
         EXTRACT(YEAR, '2026-01-01') => 2026",
    );
}

#[test]
fn dates_and_times_are_truncated() {
    check_table(
        "DATE_TRUNC(DATE '2026-11-21', WEEK) => 2026-11-15
         DATE_TRUNC(DATE '2026-11-21', WEEK(SATURDAY)) => 2026-11-21
         DATE_TRUNC(DATE '2026-11-22', ISOWEEK) => 2026-11-16
         DATE_TRUNC(DATE '2026-11-21', MONTH) => 2026-11-01
         DATE_TRUNC(DATE '2026-11-21', QUARTER) => 2026-10-01
         DATE_TRUNC(DATE '2026-11-21', YEAR) => 2026-01-01
         DATE_TRUNC(DATE '2021-01-03', ISOYEAR) => 2019-12-30
         DATE_TRUNC(DATE '0001-01-03', WEEK) => ERROR: the result must be between the years 1 and 9999
         DATE_TRUNC(DATE '2026-11-21', HOUR) => ERROR: DATE_TRUNC does not support the HOUR date part
         DATETIME_TRUNC(DATETIME '2026-11-21 07:05:09.5', MINUTE) => 2026-11-21T07:05:00
         DATETIME_TRUNC(DATETIME '1969-12-31 23:59:59.5', SECOND) => 1969-12-31T23:59:59
         TIMESTAMP_TRUNC(TIMESTAMP '2026-11-21 07:05:09Z', DAY, 'Asia/Tokyo') => 2026-11-20 15:00:00+00
         TIMESTAMP_TRUNC(TIMESTAMP '2026-11-21 07:05:09Z', WEEK) => 2026-11-15 00:00:00+00
         TIME_TRUNC(TIME '07:05:09.123', HOUR) => 07:00:00
         LAST_DAY(DATE '2024-02-10') => 2024-02-29
         LAST_DAY(DATE '2023-02-10', YEAR) => 2023-12-31
         LAST_DAY(DATE '2026-11-21', WEEK) => 2026-11-21
         LAST_DAY(DATE '2026-11-21', WEEK(MONDAY)) => 2026-11-22
         LAST_DAY(DATE '2020-06-01', ISOYEAR) => 2021-01-03
         LAST_DAY(DATE '9999-12-31', QUARTER) => 9999-12-31
         LAST_DAY(DATETIME '2026-11-21 07:00:00', MONTH) => 2026-11-30",
    );
}

#[test]
fn intervals_are_added_and_differences_computed() {
    check_table(
        "DATE_ADD(DATE '2024-01-31', INTERVAL 1 MONTH) => 2024-02-29
         DATE_ADD(DATE '2024-02-29', INTERVAL 1 YEAR) => 2025-02-28
         DATE_SUB(DATE '2024-03-31', INTERVAL 1 MONTH) => 2024-02-29
         DATE_ADD(DATE '2026-11-21', INTERVAL -3 WEEK) => 2026-10-31
         DATE_ADD('2026-11-21', INTERVAL 1 QUARTER) => 2027-02-21
         DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY) => ERROR: the result must be between the years 1 and 9999
         DATE_ADD(DATE '2026-11-21', INTERVAL 9223372036854775807 MONTH) => ERROR: the result must be between the years 1 and 9999
         DATE_SUB(DATE '2026-11-21', INTERVAL -9223372036854775808 DAY) => ERROR: the result must be between the years 1 and 9999
         SAFE.DATE_ADD(DATE '9999-12-31', INTERVAL 1 DAY) => NULL
         DATE_ADD(DATE '2026-11-21', INTERVAL 1 HOUR) => ERROR: DATE_ADD does not support the HOUR date part
         DATETIME_ADD(DATETIME '2026-11-21 23:59:59', INTERVAL 1 SECOND) => 2026-11-22T00:00:00
         DATETIME_SUB(DATETIME '2026-11-21 00:00:00', INTERVAL 1 MICROSECOND) => 2026-11-20T23:59:59.999999
         TIME_ADD(TIME '23:30:00', INTERVAL 1 HOUR) => 00:30:00
         TIME_SUB(TIME '00:30:00', INTERVAL 25 HOUR) => 23:30:00
         TIMESTAMP_ADD(TIMESTAMP '2026-03-08 06:30:00Z', INTERVAL 1 DAY) => 2026-03-09 06:30:00+00
         TIMESTAMP_SUB(TIMESTAMP '0001-01-01 00:00:00Z', INTERVAL 1 MICROSECOND) => ERROR: the result must be between the years 1 and 9999
         TIMESTAMP_ADD(TIMESTAMP '2026-03-08 06:30:00Z', INTERVAL 1 MONTH) => ERROR: TIMESTAMP_ADD does not support the MONTH date part
         DATE_DIFF(DATE '2017-12-18', DATE '2017-12-17', WEEK) => 0
         DATE_DIFF(DATE '2017-12-18', DATE '2017-12-17', WEEK(MONDAY)) => 1
         DATE_DIFF(DATE '2017-12-18', DATE '2017-12-17', ISOWEEK) => 1
         DATE_DIFF(DATE '2017-12-30', DATE '2014-12-30', ISOYEAR) => 2
         DATE_DIFF(DATE '2026-01-01', DATE '2025-12-31', YEAR) => 1
         DATE_DIFF(DATE '2025-12-31', DATE '2026-01-01', MONTH) => -1
         DATE_DIFF(DATE '9999-12-31', DATE '0001-01-01', DAY) => 3652058
         DATETIME_DIFF(DATETIME '2017-10-15 00:00:00', DATETIME '2017-10-14 23:59:59', DAY) => 1
         TIME_DIFF(TIME '15:30:00', TIME '14:35:00', MINUTE) => 55
         TIMESTAMP_DIFF(TIMESTAMP '2001-02-01 01:00:00Z', TIMESTAMP '2001-02-01 00:00:01Z', HOUR) => 0
         TIMESTAMP_DIFF(TIMESTAMP '2018-08-14Z', TIMESTAMP '2018-10-14Z', DAY) => -61
         GENERATE_DATE_ARRAY(DATE '2026-01-31', DATE '2026-04-30', INTERVAL 1 MONTH) => [\"2026-01-31\",\"2026-02-28\",\"2026-03-31\",\"2026-04-30\"]
         GENERATE_DATE_ARRAY('2026-01-02', '2026-01-01') => []
         GENERATE_DATE_ARRAY('2026-01-02', '2026-01-01', INTERVAL -1 DAY) => [\"2026-01-02\",\"2026-01-01\"]
         GENERATE_DATE_ARRAY('9999-12-30', '9999-12-31') => [\"9999-12-30\",\"9999-12-31\"]
         GENERATE_DATE_ARRAY('2026-01-02', '2026-01-01', INTERVAL 0 DAY) => ERROR: Sequence step cannot be 0.
         GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '1970-01-01Z', TIMESTAMP '1970-01-02Z', INTERVAL 12 HOUR) => [0,43200000000,86400000000]
         GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '1970-01-01Z', TIMESTAMP '1970-01-02Z', INTERVAL 1 MICROSECOND) => ERROR: the array must have at most 1048576 elements",
    );
}

#[test]
fn dates_and_times_are_formatted() {
    check_table(
        "FORMAT_DATE('%A %a %B %b %h %C %d %e %m %y %Y', DATE '2026-03-05') => Thursday Thu March Mar Mar 20 05  5 03 26 2026
         FORMAT_DATE('%D %x %F %E4Y %Q %j %J', DATE '0099-03-05') => 03/05/99 03/05/99 99-03-05 0099 1 064 067
         FORMAT_DATE('%G %g %V %u %w %U %W', DATE '2021-01-03') => 2020 20 53 7 0 01 00
         TO_CODE_POINTS(FORMAT_DATE('%%%n%t', DATE '2021-01-03')) => [37,10,9]
         FORMAT_DATE('%H', DATE '2021-01-03') => ERROR: Invalid format: %H is not allowed for DATE
         FORMAT_DATE('%K', DATE '2021-01-03') => ERROR: Invalid format: %K is unknown
         FORMAT_DATETIME('%c', DATETIME '2008-12-25 15:30:00') => Thu Dec 25 15:30:00 2008
         FORMAT_DATETIME('%H %I %k %l %M %p %P %S %R %T %X', DATETIME '2008-12-25 00:07:09') => 00 12  0 12 07 AM am 09 00:07 00:07:09 00:07:09
         FORMAT_DATETIME('%E3S %E*S %E0S %E6S', DATETIME '2008-12-25 00:07:09.25') => 09.250 09.25 09 09.250000
         FORMAT_TIME('%R', TIME '15:30:00') => 15:30
         FORMAT_TIME('%Y', TIME '15:30:00') => ERROR: Invalid format: %Y is not allowed for TIME
         FORMAT_TIMESTAMP('%s %z %Ez %Z', TIMESTAMP '2026-07-01 12:00:00Z', 'America/Los_Angeles') => 1782907200 -0700 -07:00 UTC-7
         FORMAT_TIMESTAMP('%FT%TZ', TIMESTAMP '2026-07-01 12:00:00Z') => 2026-07-01T12:00:00Z
         FORMAT_TIMESTAMP('%Z %Ez', TIMESTAMP '2026-07-01 12:00:00Z', 'Asia/Kolkata') => UTC+5:30 +05:30
         FORMAT_TIMESTAMP('%Ex %Od', TIMESTAMP '2026-07-01 12:00:00Z') => 07/01/26 01
         FORMAT_TIMESTAMP(NULL, TIMESTAMP '2026-07-01 12:00:00Z') => NULL",
    );
}

#[test]
fn dates_and_times_are_parsed() {
    check_table(
        "PARSE_DATE('%Y%m%d', '20261121') => 2026-11-21
         PARSE_DATE('%x', '12/25/08') => 2008-12-25
         PARSE_DATE('%A %b %e %Y', 'Thursday Dec 25 2008') => 2008-12-25
         PARSE_DATE('%F', ' 2008-12-25 ') => 2008-12-25
         PARSE_DATE('%Y', '2008') => 2008-01-01
         PARSE_DATE('%m/%d', '12/25') => 1970-12-25
         PARSE_DATE('%Y-%j', '2024-366') => 2024-12-31
         PARSE_DATE('%Y-%j', '2023-366') => ERROR: the year 2023 does not have this day
         PARSE_DATE('%G-W%V-%u', '2020-W53-7') => 2021-01-03
         PARSE_DATE('%Y %U %w', '2026 1 0') => 2026-01-04
         PARSE_DATE('%Y %W %a', '2026 1 Mon') => 2026-01-05
         PARSE_DATE('%C%y', '2068') => 2068-01-01
         PARSE_DATE('%y', '69') => 1969-01-01
         PARSE_DATE('%F', '2026-02-30') => ERROR: 2026-02 has no day 30
         PARSE_DATE('%F', '2026/02/03') => ERROR: Failed to parse input string at \"/02/03\"
         PARSE_DATE('%F', '2026-02-03x') => ERROR: Failed to parse input string at \"x\"
         SAFE.PARSE_DATE('%F', 'no') => NULL
         PARSE_DATETIME('%Y-%m-%d %H:%M:%S', '1998-10-18 13:45:55') => 1998-10-18T13:45:55
         PARSE_DATETIME('%m/%d/%Y %I:%M:%S %p', '8/30/2018 2:23:38 pm') => 2018-08-30T14:23:38
         PARSE_DATETIME('%m/%d/%Y %I %p', '8/30/2018 12 AM') => 2018-08-30T00:00:00
         PARSE_DATETIME('%FT%E*S', '2026-01-01T05.25') => 2026-01-01T00:00:05.25
         PARSE_TIME('%I:%M:%S %p', '2:23:38 PM') => 14:23:38
         PARSE_TIME('%E*S', '05.123456789') => 00:00:05.123456
         PARSE_TIMESTAMP('%c', 'Thu Dec 25 07:30:00 2008') => 2008-12-25 07:30:00+00
         PARSE_TIMESTAMP('%d/%b/%Y:%H:%M:%S %z', '21/Nov/2026:07:05:00 +0100') => 2026-11-21 06:05:00+00
         PARSE_TIMESTAMP('%FT%T%Ez', '2026-11-21T07:05:00-08:00') => 2026-11-21 15:05:00+00
         PARSE_TIMESTAMP('%FT%T%Ez', '2026-11-21T07:05:00Z') => 2026-11-21 07:05:00+00
         PARSE_TIMESTAMP('%F %Z', '2026-11-21 Europe/Berlin') => 2026-11-20 23:00:00+00
         PARSE_TIMESTAMP('%F', '2026-11-21', 'Europe/Berlin') => 2026-11-20 23:00:00+00
         PARSE_TIMESTAMP('%s', '-1') => 1969-12-31 23:59:59+00
         PARSE_TIMESTAMP('%K', 'x') => ERROR: Invalid format: %K is unknown",
    );
}
