//! Texts and dates in the forms that feeds want.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Plain text as the HTML that readers take an item's `description` for.
pub fn html_of_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The beginning of a text in one line: whole words, at most 500 characters.
pub fn beginning(text: &str) -> String {
    const MOST: usize = 500;
    let mut found = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        length += word.chars().count() + 1;
        if length > MOST {
            if found.is_empty() {
                found.extend(word.chars().take(MOST));
            }
            found.push('…');
            break;
        }
        if !found.is_empty() {
            found.push(' ');
        }
        found.push_str(word);
    }
    found
}

/// A date of RFC 822 with a year of four digits, in GMT.
pub fn rfc_822(time: Timestamp) -> String {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let time = TimeZone::UTC.to_datetime(time);
    let day = usize::from(time.weekday().to_monday_zero_offset().unsigned_abs());
    let month = usize::from(time.month().unsigned_abs()) - 1;
    format!(
        "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
        DAYS[day],
        time.day(),
        MONTHS[month],
        time.year(),
        time.hour(),
        time.minute(),
        time.second()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_rfc_822_in_gmt() {
        for (time, text) in [
            ("2020-10-09T06:30:38+02:00", "Fri, 09 Oct 2020 04:30:38 GMT"),
            ("2024-02-29T23:59:59.999Z", "Thu, 29 Feb 2024 23:59:59 GMT"),
            ("0999-12-31T00:00:00Z", "Tue, 31 Dec 0999 00:00:00 GMT"),
            ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] {
            assert_eq!(rfc_822(time.parse().unwrap()), text);
        }
    }

    #[test]
    fn a_beginning_is_whole_words_in_one_line() {
        assert_eq!(beginning("  One\n two\tthree "), "One two three");
        assert_eq!(beginning(""), "");
        let long = beginning(&"wörd ".repeat(200));
        assert!(
            long.ends_with("wörd…") && long.chars().count() <= 500,
            "{long}"
        );
        assert_eq!(beginning(&"語".repeat(600)).chars().count(), 501);
    }
}
