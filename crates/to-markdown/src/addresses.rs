//! Finds plain URLs in text. Feed readers and apps turn such URLs into links.

/// Returns the byte ranges of the URLs in `text`, in order. A URL starts with `http://` or
/// `https://` and ends before whitespace, quotes or trailing punctuation.
pub fn addresses(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(colon) = text[at..].find("://") {
        let colon = at + colon;
        at = colon + 3;
        let lower = |length: usize| {
            let start = colon.checked_sub(length)?;
            text.get(start..colon).map(str::to_ascii_lowercase)
        };
        let scheme = match (lower(5).as_deref(), lower(4).as_deref()) {
            (Some("https"), _) => 5,
            (_, Some("http")) => 4,
            _ => continue,
        };
        let start = colon - scheme;
        if text[..start].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        let is_end = |c: char| {
            c.is_whitespace()
                || c.is_control()
                || "<>\"。、，；：！？（）「」『』【】《》〈〉".contains(c)
        };
        let end = text[at..].find(is_end).map_or(text.len(), |end| at + end);
        let whole = without_punctuation(&text[start..end]);
        if whole > scheme + 3 {
            found.push(start..start + whole);
            at = start + whole;
        }
    }
    found
}

fn without_punctuation(address: &str) -> usize {
    let count = |sign: u8| address.bytes().filter(|byte| *byte == sign).count();
    let mut surplus = count(b')').saturating_sub(count(b'('));
    let mut left = address;
    loop {
        let shorter = left.trim_end_matches([
            '?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '”', '’', '»', ']', '}',
        ]);
        let shorter = match shorter.strip_suffix(')') {
            Some(before) if surplus > 0 => {
                surplus -= 1;
                before
            }
            _ => shorter,
        };
        if shorter.len() == left.len() {
            return left.len();
        }
        left = shorter;
    }
}

/// Returns whether a link's URL is the same as the URL in `text`. Characters can be percent-encoded
/// only in the link's URL.
pub fn is_url_of_text(reference: &str, text: &str) -> bool {
    let (mut own, mut said) = (reference.bytes(), text.bytes());
    loop {
        match (own.next(), said.next()) {
            (None, None) => return true,
            (Some(one), Some(two)) if one == two => {}
            (Some(b'%'), Some(byte)) => {
                let digits = [own.next(), own.next()]
                    .map(|digit| char::from(digit.unwrap_or(b'x')).to_digit(16));
                let [Some(high), Some(low)] = digits else {
                    return false;
                };
                if high * 16 + low != u32::from(byte) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}
