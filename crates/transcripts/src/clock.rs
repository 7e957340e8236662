//! Times in clock notation: `0:07`, `01:02:03.500`, `00:00:01,000`.

/// A time at the start of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Time in milliseconds.
    pub at: u64,
    /// Length of the time in the input, in bytes.
    pub length: usize,
    /// Whether the time is a valid WebVTT timestamp (section 4.1), as browsers require.
    pub is_strict: bool,
}

/// Parses the time at the start of a string, in the form `[hours:]minutes:seconds` with an optional
/// fraction after a dot or comma. The first number can have up to six digits. The other numbers
/// must be at most 59.
pub(crate) fn parse_leading(text: &[u8]) -> Option<Clock> {
    let first = digits(text);
    if !(1..=6).contains(&first) {
        return None;
    }
    let mut length = first;
    let mut seconds = number(&text[..first]);
    let mut numbers = 1;
    let mut is_strict = first >= 2;
    while numbers < 3 && text.get(length) == Some(&b':') {
        let from = length + 1;
        let count = digits(&text[from..]);
        let value = number(&text[from..from + count.min(2)]);
        if !(1..=2).contains(&count) || value > 59 {
            return None;
        }
        is_strict &= count == 2;
        seconds = seconds * 60 + value;
        length = from + count;
        numbers += 1;
    }
    is_strict &= numbers == 3 || (first == 2 && number(&text[..first]) < 60);
    let (fraction, count) = fraction(&text[length..]);
    is_strict &= count == 3 && text[length] == b'.';
    length += if count > 0 { count + 1 } else { 0 };
    let goes_on = matches!(text.get(length), Some(b':' | b'0'..=b'9'));
    (numbers > 1 && !goes_on).then_some(Clock { at: seconds * 1000 + fraction, length, is_strict })
}

/// Parses a string that contains only a time.
pub(crate) fn whole(text: &[u8]) -> Option<Clock> {
    let text = text.trim_ascii();
    parse_leading(text).filter(|clock| clock.length == text.len())
}

/// Returns a fraction in milliseconds, and its number of digits. Ignores digits after the third.
fn fraction(text: &[u8]) -> (u64, usize) {
    match text {
        [b'.' | b',', rest @ ..] => {
            let count = digits(rest);
            let mut value = number(&rest[..count.min(3)]);
            for _ in count..3 {
                value *= 10;
            }
            (value, count)
        }
        _ => (0, 0),
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_forms_of_times_are_parsed() {
        for (text, at, is_strict) in [
            ("00:00:00.000", 0, true),
            ("01:02.003", 62_003, true),
            ("123:00:00.000", 442_800_000, true),
            ("00:00:01,5", 1500, false),
            ("0:07", 7000, false),
            ("75:00", 4_500_000, false),
            ("1:02:03", 3_723_000, false),
            ("00:01.123456789", 1123, false),
        ] {
            let clock = whole(text.as_bytes()).unwrap();
            assert_eq!((clock.at, clock.is_strict), (at, is_strict), "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_time() {
        for text in [
            "", "7", "0:60", "0:7:60", "0:123", "1:02:03:04", "-1:00", "1234567:00", "0:", "٠:٠٠",
            "00:00:01.0001:",
        ] {
            assert_eq!(whole(text.as_bytes()), None, "{text}");
        }
    }
}
