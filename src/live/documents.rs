//! Checks of feeds, pages and assets: their headers, compression and caching.

use super::Checked;
use super::finding::{Finding, Need};
use super::prober::{Prober, Reply};

/// Accepts compressed responses.
pub const GZIP: (&str, &str) = ("accept-encoding", "gzip");

/// The header that browsers send for players on other sites. Some servers allow access only then.
pub const ORIGIN: (&str, &str) = ("origin", "https://player.example");

/// Maximum size in bytes of a page or asset.
const MAX_DOCUMENT: u64 = 16 * 1024 * 1024;

/// Size in bytes from which a text must be compressed.
const MIN_COMPRESSED: usize = 4096;

/// Minimum time in seconds to cache a file whose address changes with its content.
const MIN_ASSET_CACHE: u64 = 7 * 24 * 60 * 60;

/// Checks the home page.
pub fn home(prober: &Prober, url: &str) -> Checked {
    let (reply, mut found) = prober.get(url, &[GZIP], MAX_DOCUMENT)?;
    let requested = fetch::Url::parse(url).ok();
    if requested.is_some_and(|requested| requested.origin() != reply.url.origin()) {
        let problem = format!("redirects to {}", reply.url);
        found.push(reply.finding(Need::BaseUrl, problem));
    }
    found.extend(media_type(&reply, &["text/html"]));
    found.extend(text(prober, url, &reply, reply.text()?.len()));
    Ok(found)
}

/// Checks an asset of the theme.
pub fn asset(prober: &Prober, url: &str) -> Checked {
    let (reply, mut found) = prober.get(url, &[GZIP], MAX_DOCUMENT)?;
    let seconds = max_age(&reply).unwrap_or_default();
    if seconds < MIN_ASSET_CACHE {
        let problem = format!(
            "is cached for {seconds} s, but its content never changes: browsers request it too often"
        );
        found.push(reply.finding(Need::Caching, problem));
    }
    Ok(found)
}

/// Checks a text document of this length: compression, conditional requests, and HEAD.
pub fn text(prober: &Prober, url: &str, reply: &Reply, length: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    if length >= MIN_COMPRESSED && !reply.is_compressed() {
        found.push(reply.finding(Need::Compression, "is not compressed"));
    }
    found.extend(conditional(prober, url, reply).unwrap_or_else(|failed| failed));
    found.extend(head(prober, url, &[GZIP], reply).unwrap_or_else(|failed| failed));
    found
}

/// Reports a media type that is not one of `allowed`.
pub fn media_type(reply: &Reply, allowed: &[&str]) -> Option<Finding> {
    let sent = reply.media_type();
    let problem = match sent.as_str() {
        "" => format!("has no media type, but must be {}", allowed[0]),
        _ => format!("has the media type {sent}, but must be {}", allowed[0]),
    };
    (!allowed.contains(&sent.as_str())).then(|| reply.finding(Need::MediaType, problem))
}

/// Reports a file that players on other sites may not read.
pub fn cors(reply: &Reply) -> Option<Finding> {
    let allowed = reply.field("access-control-allow-origin").map(str::trim);
    let is_open = allowed.is_some_and(|allowed| allowed == "*" || allowed == ORIGIN.1);
    let problem = "has no `Access-Control-Allow-Origin: *`, so web players cannot read it";
    (!is_open).then(|| reply.finding(Need::Cors, problem))
}

/// Returns how long browsers may cache a response, in seconds.
pub fn max_age(reply: &Reply) -> Option<u64> {
    let field = reply.field("cache-control")?.to_ascii_lowercase();
    let mut directives = field.split(',').filter_map(|one| one.trim().split_once('='));
    directives.find(|(name, _)| *name == "max-age")?.1.trim_matches('"').parse().ok()
}

/// Checks that the server answers 304 if the document did not change.
fn conditional(prober: &Prober, url: &str, reply: &Reply) -> Checked {
    let validators = [("if-none-match", "etag"), ("if-modified-since", "last-modified")];
    let mut sent = validators
        .iter()
        .filter_map(|(condition, field)| Some((*condition, reply.field(field)?)))
        .peekable();
    if sent.peek().is_none() {
        let problem = "has neither ETag nor Last-Modified, so apps download it again and again";
        return Ok(vec![reply.finding(Need::Validators, problem)]);
    }
    for condition in sent {
        if prober.send("GET", url, &[GZIP, condition], None)?.status == 200 {
            let problem = format!("is sent again with {}, instead of status 304", condition.0);
            return Ok(vec![reply.finding(Need::Validators, problem)]);
        }
    }
    Ok(Vec::new())
}

/// Compares the response to HEAD with the response to GET.
pub fn head(prober: &Prober, url: &str, headers: &[(&str, &str)], get: &Reply) -> Checked {
    let head = prober.send("HEAD", url, headers, None)?;
    let problem = if head.status != get.status {
        format!("has status {} for HEAD, but {} for GET", head.status, get.status)
    } else if head.media_type() != get.media_type() {
        format!("has the media type {:?} for HEAD", head.media_type())
    } else if head.length().zip(get.length()).is_some_and(|(head, get)| head != get) {
        "has another Content-Length for HEAD than for GET".to_owned()
    } else {
        return Ok(Vec::new());
    };
    Ok(vec![get.finding(Need::Head, problem)])
}
