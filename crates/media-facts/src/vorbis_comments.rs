//! Vorbis comments in Ogg and FLAC files, and the chapters that they contain (Xiph wiki, "Chapter
//! Extension").

use std::collections::HashMap;

use super::Chapter;

/// Maximum number of comments to read.
const MAX_COMMENTS: usize = 100_000;

/// Returns the chapters in a block of comments: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…`,
/// `CHAPTER001URL=…`. If a block is incomplete, the comments before the end are still used.
pub(super) fn chapters(block: &[u8]) -> Vec<Chapter> {
    let comments: HashMap<String, &str> = Comments::of(block)
        .filter_map(|comment| std::str::from_utf8(comment).ok()?.split_once('='))
        .map(|(key, value)| (key.to_ascii_uppercase(), value.trim()))
        .filter(|(key, value)| key.starts_with("CHAPTER") && !value.is_empty())
        .collect();
    let value = |key: &str, suffix: &str| {
        let value = comments.get(&format!("{key}{suffix}"));
        value.map(|value| (*value).to_owned())
    };
    let mut starts: Vec<_> = comments
        .iter()
        .filter_map(|(key, time)| {
            let number = key.strip_prefix("CHAPTER")?;
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            Some((key, seconds(time).filter(|_| is_number)?))
        })
        .collect();
    // Sort by chapter number first, so that chapters with the same start keep this order.
    starts.sort_by_key(|(key, _)| (key.len(), *key));
    let chapter = |(key, start): (&String, f64)| Chapter {
        start,
        title: value(key, "NAME"),
        url: value(key, "URL"),
        ..Chapter::default()
    };
    starts.into_iter().map(chapter).collect()
}

/// Returns the value of the first comment with this key, which must be upper-case.
pub(super) fn value<'b>(block: &'b [u8], key: &str) -> Option<&'b str> {
    let comments = Comments::of(block);
    let mut pairs = comments.filter_map(|one| std::str::from_utf8(one).ok()?.split_once('='));
    pairs.find(|(own, _)| own.eq_ignore_ascii_case(key)).map(|(_, value)| value.trim())
}

/// Iterator over the comments in a block.
struct Comments<'b> {
    rest: &'b [u8],
    comments_left: usize,
}

impl<'b> Comments<'b> {
    fn of(block: &'b [u8]) -> Self {
        let mut comments = Self { rest: block, comments_left: 0 };
        // A block starts with the name of the encoder, then the number of comments.
        let count = comments.text().and_then(|_| comments.number());
        comments.comments_left = count.unwrap_or(0).min(MAX_COMMENTS);
        comments
    }

    fn number(&mut self) -> Option<usize> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        usize::try_from(u32::from_le_bytes(*number)).ok()
    }

    fn text(&mut self) -> Option<&'b [u8]> {
        let length = self.number()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(text)
    }
}

impl<'b> Iterator for Comments<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        self.comments_left = self.comments_left.checked_sub(1)?;
        self.text()
    }
}

/// Parses a time such as `00:01:02.500` or `1:02.5`, and returns it in seconds. Minutes and seconds
/// must be at most 59. Up to nine decimals are allowed.
fn seconds(time: &str) -> Option<f64> {
    let (clock, decimals) = match time.split_once('.') {
        Some((clock, decimals)) => (clock, number(decimals, 9).map(|_| decimals)?),
        None => (time, "0"),
    };
    let (hours, minutes, seconds) = match clock.split(':').collect::<Vec<_>>()[..] {
        [minutes, seconds] => ("0", minutes, seconds),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let below_sixty = |digits| number(digits, 4).filter(|number| *number < 60);
    let whole = number(hours, 4)? * 3600 + below_sixty(minutes)? * 60 + below_sixty(seconds)?;
    // Parsing the decimal string as a whole returns the `f64` nearest to the exact value.
    format!("{whole}.{decimals}").parse().ok()
}

/// Parses a number of 1 to `most` digits. Returns None if there are other characters.
fn number(digits: &str, most: usize) -> Option<u32> {
    let is_number =
        (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn hours_and_decimals_of_a_time_are_optional() {
        for (text, expected) in [
            ("00:00", Some(0.0)),
            ("2:48", Some(168.0)),
            ("00:01:02.500", Some(62.5)),
            ("1:02:03.1", Some(3723.1)),
            ("9999:59:59.999999999", Some(35_999_999.999_999_999)),
            ("0:00.999999999", Some(0.999_999_999)),
            ("", None),
            ("12", None),
            ("1:60", None),
            ("75:00", None),
            ("1:2:3:4", None),
            ("1:02.", None),
            ("1:02.5000000000", None),
            ("1:02,5", None),
            ("-1:02", None),
            ("+1:02", None),
            ("1: 02", None),
            ("12345:00:00", None),
        ] {
            assert_eq!(seconds(text), expected, "{text:?}");
        }
    }
}
