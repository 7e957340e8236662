//! Typed query parameters. Unknown parameters are ignored, as clients expect.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use api_shared::ApiError;
use model::rfc3339;

/// Maximum length of a query, in bytes. This also limits the length of tokens, which contain the
/// filter.
const MAX: usize = 8 * 1024;

/// The parameters of a query. An empty parameter counts as missing.
#[derive(Debug, Clone)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Parses the part of a URL after `?`.
    pub fn parse(raw: &str) -> Result<Self, ApiError> {
        if raw.len() > MAX {
            let max = format!("the query has {} bytes; the maximum is {MAX}", raw.len());
            let error = ApiError::new(warp::http::StatusCode::URI_TOO_LONG, max);
            return Err(error.with_reason("uriTooLong"));
        }
        let pairs = form_urlencoded::parse(raw.as_bytes())
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.into_owned(), value.into_owned()));
        Ok(Self(pairs.collect()))
    }

    /// Returns every value of a parameter that may be repeated.
    pub fn all<'q>(&'q self, name: &'q str) -> impl Iterator<Item = &'q str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a parameter that may appear only once.
    pub fn one(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let mut values = self.0.iter().filter(|(own, _)| own == name);
        let first = values.next().map(|(_, value)| value.as_str());
        match values.next() {
            Some(_) => Err(ApiError::invalid(name, "must be sent only once")),
            None => Ok(first),
        }
    }

    /// Returns the value of a boolean parameter.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.one(name)? {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => {
                Err(ApiError::invalid(name, format!("must be true or false, not {other:?}")))
            }
        }
    }

    /// Returns the value of an integer parameter within a range.
    pub fn number(&self, name: &str, min: u32, max: u32) -> Result<Option<u32>, ApiError> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        match number {
            Some(number) => Ok(Some(number)),
            None if max == u32::MAX => Err(ApiError::invalid(
                name,
                format!("must be a whole number of at least {min}, not {text:?}"),
            )),
            None => Err(ApiError::invalid(
                name,
                format!("must be a whole number from {min} to {max}, not {text:?}"),
            )),
        }
    }

    /// Returns the value of an RFC 3339 time parameter, to the second. Fractions are ignored.
    pub fn time(&self, name: &str) -> Result<Option<Timestamp>, ApiError> {
        self.one(name)?.map(|text| time(name, text)).transpose()
    }

    /// Returns a time zone from the IANA time zone database.
    pub fn zone(&self, name: &str) -> Result<Option<TimeZone>, ApiError> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        let zone = TimeZone::get(text).ok().filter(|zone| zone.iana_name().is_some());
        zone.map(Some).ok_or_else(|| {
            let help = "use a name from the IANA database, such as Europe/Berlin or UTC";
            ApiError::invalid(name, format!("unknown time zone {text:?}; {help}"))
        })
    }
}

fn time(name: &str, text: &str) -> Result<Timestamp, ApiError> {
    let rejection = |why: &str| {
        Err(ApiError::invalid(
            name,
            format!(
                "{why}: {text:?}; write it like 2026-11-20T20:00:00Z or 2026-11-20T20:00:00%2B01:00"
            ),
        ))
    };
    // An unescaped plus sign in a query is decoded as a space.
    if text.contains(' ') {
        return rejection("a plus sign must be written as %2B in a URL");
    }
    let Some((civil, offset)) = split(text) else {
        return rejection("invalid RFC 3339 time");
    };
    if offset.is_empty() {
        return rejection("the time zone offset is missing");
    }
    match rfc3339::instant(&format!("{civil}{}", offset.to_ascii_uppercase())) {
        Some(time) => Timestamp::from_second(time.as_second()).map_err(ApiError::failed),
        None if is_last_day(civil, offset) => Ok(Timestamp::MAX),
        None => rejection("this time does not exist"),
    }
}

/// Returns whether a time is on one of the last two days of the year 9999. Clients send such a time
/// to request a list without an end. It can be later than [`Timestamp::MAX`].
fn is_last_day(civil: &str, offset: &str) -> bool {
    let is_offset = format!("1970-01-01T00:00:00{}", offset.to_ascii_uppercase());
    civil.starts_with("9999-12-3")
        && civil.parse::<DateTime>().is_ok()
        && rfc3339::instant(&is_offset).is_some()
}

/// Splits a time into the local time, to the second, and the offset (RFC 3339, section 5.6). The
/// offset may be missing.
fn split(text: &str) -> Option<(&str, &str)> {
    const TIME_FORMAT: &[u8] = b"0000-00-00T00:00:00";
    let civil = text.get(..TIME_FORMAT.len())?;
    let fits = civil.bytes().zip(TIME_FORMAT).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte.eq_ignore_ascii_case(form),
    });
    let rest = &text[civil.len()..];
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            (offset.len() < fraction.len()).then_some(offset)?
        }
        None => rest,
    };
    let is_offset = match offset.as_bytes() {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    (fits && is_offset).then_some((civil, offset))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_need_an_offset_and_fractions_are_ignored() {
        for (text, seconds) in [
            ("1970-01-01T00:00:10Z", 10),
            ("1970-01-01t00:00:10z", 10),
            ("1970-01-01T00:00:10.999Z", 10),
            ("1970-01-01T01:00:10+01:00", 10),
            ("1969-12-31T18:30:00.5-05:30", 0),
            ("1969-12-31T23:59:59.25Z", -1),
        ] {
            assert_eq!(time("t", text).map(Timestamp::as_second), Ok(seconds), "{text}");
        }
        assert_eq!(time("t", "9999-12-31T23:59:59Z"), Ok(Timestamp::MAX));
        for rejection in [
            "", "1970", "1970-01-01", "1970-01-01T00:00:10", "1970-01-01T00:00:10.5",
            "1970-01-01 00:00:10Z", "1970-01-01T00:00Z", "1970-01-01T00:00:10.Z",
            "1970-01-01T00:00:10+01", "1970-01-01T00:00:10+0100", "1970-02-30T00:00:10Z",
            "1970-01-01T25:00:10Z", "1970-01-01T00:00:10 01:00", "1970-01-01T00:00:10Z[UTC]",
            "é970-01-01T00:00:10Z", "1970-01-01T00:00:10+25:99", "9999-12-32T00:00:00Z",
            "9999-12-31T23:59:59+25:99",
        ] {
            assert!(time("t", rejection).is_err(), "{rejection}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_without_panic(text in "\\PC{0,40}") {
            let _ = time("t", &text);
        }
    }
}
