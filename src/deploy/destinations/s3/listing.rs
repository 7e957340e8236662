//! Limits on the listing of a bucket's objects. A listing consists of parts. Each part contains the
//! token for requesting the next part.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

/// Maximum total size of all parts in bytes: enough for about 800,000 objects.
const MAX_LISTING: usize = 256 * 1024 * 1024;

/// Maximum number of consecutive parts without objects.
const MAX_EMPTY_PARTS: usize = 100;

/// Maximum number of parts with fewer than [`SMALL_PART`] objects. Services send 1,000 objects in
/// each part except the last.
const MAX_SMALL_PARTS: usize = 1000;
const SMALL_PART: usize = 100;

/// The parts of a listing received so far.
#[derive(Debug, Default)]
pub struct Listing {
    /// Hashes of the tokens and the first keys of all parts so far.
    seen: HashSet<u64>,
    bytes: usize,
    empty: usize,
    small: usize,
}

/// The error for a listing that never ends or is too long.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bucket's object list is endless or too long: {0}")]
pub struct EndlessListing(&'static str);

impl Listing {
    /// Adds a part of the listing. Returns an error if the listing repeats itself or is too long.
    pub fn add(&mut self, part: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        self.check(part).map_err(Into::into)
    }

    fn check(&mut self, part: &str) -> Result<(), EndlessListing> {
        self.bytes += part.len();
        if self.bytes > MAX_LISTING {
            return Err(EndlessListing("its pages exceed 256 MiB"));
        }
        let first_key = element(part, "Key");
        self.empty = if first_key.is_some() { 0 } else { self.empty + 1 };
        if self.empty > MAX_EMPTY_PARTS {
            return Err(EndlessListing("its pages contain no objects"));
        }
        self.small += usize::from(part.matches("<Key>").take(SMALL_PART).count() < SMALL_PART);
        if self.small > MAX_SMALL_PARTS {
            return Err(EndlessListing("it has too many small pages"));
        }
        // Tokens get a prefix before hashing, because a token may be equal to an object key.
        let token = element(part, "NextContinuationToken").map(|token| format!("\0{token}"));
        let token = token.as_deref();
        for mark in first_key.into_iter().chain(token) {
            if !self.seen.insert(xxh3_64(mark.as_bytes())) {
                return Err(EndlessListing("one of its pages is repeated"));
            }
        }
        Ok(())
    }
}

/// Returns the text in the first XML element with this name.
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inner, _) = rest.split_once(&format!("</{name}>"))?;
    Some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(keys: &[&str], token: Option<&str>) -> String {
        let keys = keys.iter().map(|key| format!("<Contents><Key>{key}</Key></Contents>"));
        let token =
            token.map(|token| format!("<NextContinuationToken>{token}</NextContinuationToken>"));
        format!("<L>{}{}</L>", keys.collect::<String>(), token.unwrap_or_default())
    }

    #[test]
    fn a_long_listing_is_read_and_a_repeating_one_is_an_error() {
        let mut listing = Listing::default();
        let parts = [
            part(&["a", "b"], Some("b")),
            part(&["c"], Some("c")),
            part(&[], Some("d")),
            part(&["e"], None),
        ];
        for part in &parts {
            listing.check(part).unwrap();
        }
        for again in [part(&["f"], Some("b")), part(&["c", "d"], Some("new"))] {
            assert_eq!(listing.check(&again), Err(EndlessListing("one of its pages is repeated")));
        }
    }

    #[test]
    fn an_empty_or_endless_listing_is_an_error() {
        let mut empty = Listing::default();
        let ended = (0..1000).find(|at| empty.check(&part(&[], Some(&at.to_string()))).is_err());
        assert_eq!(ended, Some(MAX_EMPTY_PARTS));
        let mut small = Listing::default();
        let ended = (0..10_000).find(|at| {
            let (key, token) = (format!("k{at}"), format!("t{at}"));
            small.check(&part(&[&key], Some(&token))).is_err()
        });
        assert_eq!(ended, Some(MAX_SMALL_PARTS));
        let mut long = Listing::default();
        let large = "x".repeat(10 * 1024 * 1024);
        let ended = (0..1000).find(|at| {
            let (key, token) = (format!("{at}{large}"), format!("t{at}"));
            long.check(&part(&[&key], Some(&token))).is_err()
        });
        assert_eq!(ended, Some(25));
    }
}
