//! The range of bytes in an upload request: `Content-Range` (RFC 9110, section 14.4). Clients of
//! resumable uploads also use it to request the number of bytes that have arrived: `bytes */1000`.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadRange {
    /// All bytes. The request has no `Content-Range`.
    All,
    /// The bytes from the first offset (inclusive) to the second offset (exclusive), and the total
    /// if it is known.
    Some(u64, u64, Option<u64>),
    /// No bytes. The client requests the number of bytes that have arrived.
    Nothing(Option<u64>),
}

impl UploadRange {
    /// Parses the header. Returns None if the header is not valid.
    pub fn parse(header: Option<&str>) -> Option<Self> {
        let Some(header) = header else {
            return Some(Self::All);
        };
        let (unit, rest) = header.trim().split_once(' ')?;
        let (range, total) = rest.trim().split_once('/')?;
        let total = match total.trim() {
            "*" => None,
            total => Some(number(total)?),
        };
        let found = match range.trim() {
            "*" => Self::Nothing(total),
            range => {
                let (first, last) = range.split_once('-')?;
                let (first, after) = (number(first)?, number(last)?.checked_add(1)?);
                Self::Some(first, after, total)
            }
        };
        let fits = match found {
            Self::Some(first, after, total) => {
                first < after && total.is_none_or(|total| after <= total)
            }
            _ => true,
        };
        (unit.eq_ignore_ascii_case("bytes") && fits).then_some(found)
    }

    /// Returns the total number of bytes, if known.
    pub fn total(self) -> Option<u64> {
        match self {
            Self::All => None,
            Self::Some(_, _, total) | Self::Nothing(total) => total,
        }
    }
}

fn number(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ranges_are_parsed() {
        for (header, brings) in [
            ("bytes 0-9/10", Some(UploadRange::Some(0, 10, Some(10)))),
            ("Bytes 5-5/*", Some(UploadRange::Some(5, 6, None))),
            ("bytes */10", Some(UploadRange::Nothing(Some(10)))),
            ("bytes */*", Some(UploadRange::Nothing(None))),
            ("bytes 0-10/10", None),
            ("bytes 5-4/10", None),
            ("bytes -4/10", None),
            ("bytes 0-/10", None),
            ("bytes 0-18446744073709551615/*", None),
            ("bytes +1-2/10", None),
            ("lines 0-9/10", None),
            ("0-9/10", None),
            ("", None),
        ] {
            assert_eq!(UploadRange::parse(Some(header)), brings, "{header}");
        }
        assert_eq!(UploadRange::parse(None), Some(UploadRange::All));
    }
}
