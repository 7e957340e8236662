//! Checks of recordings, chapters, transcripts and artwork.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use model::artwork::{MAX_ARTWORK, MIN_ARTWORK};
use model::is_playlist;
use pictures::{Facts, Kind};
use sha2::{Digest, Sha256, Sha384, Sha512};

use super::Checked;
use super::documents::{self, ORIGIN};
use super::feed::MAX_FEED_CACHE;
use super::finding::{Finding, Need};
use super::plan::Recording;
use super::prober::{Prober, Reply};

/// Maximum size in bytes of a chapters document or transcript.
const MAX_TEXT: u64 = 16 * 1024 * 1024;

/// Maximum size in bytes of artwork.
const MAX_PICTURE: u64 = 20 * 1024 * 1024;

/// Maximum size in bytes of a recording that is downloaded to verify its integrity.
const MAX_VERIFIED: u64 = 512 * 1024 * 1024;

/// The byte range to request, and its length.
const RANGE: (&str, u64) = ("bytes=10-19", 10);

/// An ETag that no server sends.
const NO_ETAG: &str = "\"feedwright-no-such-version\"";

/// Checks a recording: byte ranges, HEAD, media type, length and integrity.
pub fn recording(prober: &Prober, url: &str, recording: &Recording) -> Checked {
    let part = prober.send("GET", url, &[("range", RANGE.0)], None)?;
    let mut found = prober.redirects(&part);
    let total = match part.status {
        206 => {
            found.extend(wrong_range(&part));
            found.extend(if_range(prober, url, &part)?);
            total_length(&part)
        }
        200 => {
            let problem = "ignores byte ranges, so apps cannot seek in it or resume downloads";
            found.push(part.finding(Need::Ranges, problem));
            part.length()
        }
        _ => return Err(vec![part.unexpected_status()]),
    };
    found.extend(head(prober, url, &part, total)?);
    let media_type = part.media_type();
    if !is_same_kind(&media_type, &recording.media_type) {
        let problem =
            format!("has the media type {media_type:?}, but must be {}", recording.media_type);
        found.push(part.finding(Need::MediaType, problem));
    }
    let seconds = documents::max_age(&part).filter(|age| recording.is_own && *age > MAX_FEED_CACHE);
    if let Some(seconds) = seconds {
        let problem = format!(
            "is cached for {seconds} s: after a change of its tags, apps join parts of two versions"
        );
        found.push(part.finding(Need::Caching, problem));
    }
    if let (Some(total), Some(length)) = (total, recording.length)
        && total != length
    {
        let problem = format!("has {total} bytes, but {length} according to the feed");
        found.push(part.finding(Need::Recording, problem));
    } else if let Some(integrity) = &recording.integrity {
        found.extend(integrity_fault(prober, url, integrity)?);
    }
    Ok(found)
}

/// Reports a part that is not the requested one.
fn wrong_range(part: &Reply) -> Option<Finding> {
    let range = part.field("content-range").unwrap_or_default();
    let is_right =
        range.starts_with("bytes 10-19/") && part.length().is_none_or(|length| length == RANGE.1);
    let problem = format!("answers a byte range with the wrong part ({range:?})");
    (!is_right).then(|| part.finding(Need::Ranges, problem))
}

/// Returns the length of the whole file, from the response with a part of it.
fn total_length(part: &Reply) -> Option<u64> {
    part.field("content-range")?.rsplit('/').next()?.trim().parse().ok()
}

/// Checks that a resumed download of a changed file starts again, and otherwise continues.
fn if_range(prober: &Prober, url: &str, part: &Reply) -> Checked {
    let send = |version: &str| {
        let headers = [("range", RANGE.0), ("if-range", version)];
        prober.send("GET", url, &headers, None)
    };
    if send(NO_ETAG)?.status == 206 {
        let problem = "ignores If-Range, so a resumed download of a changed file is damaged";
        return Ok(vec![part.finding(Need::Ranges, problem)]);
    }
    let own = part.field("etag").filter(|etag| !etag.starts_with("W/"));
    if let Some(own) = own
        && send(own)?.status == 200
    {
        let problem = "starts again for If-Range with its own ETag, so downloads do not resume";
        return Ok(vec![part.finding(Need::Ranges, problem)]);
    }
    Ok(Vec::new())
}

/// Compares the response to HEAD with the whole file.
fn head(prober: &Prober, url: &str, part: &Reply, total: Option<u64>) -> Checked {
    let head = prober.send("HEAD", url, &[], None)?;
    let problem = if head.status != 200 {
        format!("has status {} for HEAD, but {} for GET", head.status, part.status)
    } else if head.media_type() != part.media_type() {
        format!("has the media type {:?} for HEAD", head.media_type())
    } else if head.length() != total {
        "has no Content-Length for HEAD, or another one than for GET".to_owned()
    } else {
        return Ok(Vec::new());
    };
    Ok(vec![part.finding(Need::Head, problem)])
}

/// Returns whether a media type is close enough to the one in the feed: apps decide only between
/// audio, video and other files.
fn is_same_kind(sent: &str, expected: &str) -> bool {
    let expected = expected.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let kind = |media_type: &str| media_type.split('/').next().unwrap_or_default().to_owned();
    sent == expected
        || expected.is_empty()
        || matches!(kind(&expected).as_str(), "audio" | "video") && kind(sent) == kind(&expected)
        || sent == "application/ogg" && expected.ends_with("/ogg")
        || is_playlist(sent) && is_playlist(&expected)
}

/// Downloads a recording, and compares it with the hash in the feed (Subresource Integrity). Skips
/// other kinds of values, and recordings that are too large.
fn integrity_fault(prober: &Prober, url: &str, integrity: &str) -> Checked {
    let different = match integrity.trim().split_once('-') {
        Some(("sha256", hash)) => is_different::<Sha256>(prober, url, hash)?,
        Some(("sha384", hash)) => is_different::<Sha384>(prober, url, hash)?,
        Some(("sha512", hash)) => is_different::<Sha512>(prober, url, hash)?,
        _ => false,
    };
    let problem = "is not the file that the feed describes: its hash is different";
    Ok(different.then(|| Finding::new(Need::Recording, url, problem)).into_iter().collect())
}

fn is_different<D: Digest>(prober: &Prober, url: &str, hash: &str) -> Result<bool, Vec<Finding>> {
    let mut digest = D::new();
    let is_whole = prober.stream(url, MAX_VERIFIED, |part| digest.update(part))?;
    Ok(is_whole && STANDARD.encode(digest.finalize()) != hash)
}

/// Checks a chapters document or a transcript.
pub fn text(prober: &Prober, url: &str, media_type: &str) -> Checked {
    let (reply, mut found) = prober.get(url, &[ORIGIN], MAX_TEXT)?;
    let allowed: &[&str] = match media_type {
        "application/json+chapters" => &["application/json+chapters", "application/json"],
        "application/x-subrip" | "application/srt" | "text/srt" => {
            &["application/x-subrip", "application/srt", "text/srt"]
        }
        other => &[other],
    };
    found.extend(documents::media_type(&reply, allowed));
    found.extend(documents::cors(&reply));
    Ok(found)
}

/// Checks a picture, as directories fetch it.
pub fn artwork(prober: &Prober, url: &str, is_show: bool) -> Checked {
    let (reply, mut found) = prober.get(url, &[], MAX_PICTURE)?;
    found.extend(documents::head(prober, url, &[], &reply)?);
    let facts = Facts::of(&reply.body).ok().flatten();
    let allowed = match facts.map(|facts| facts.kind) {
        Some(Kind::Jpeg) => "image/jpeg",
        Some(Kind::Png) => "image/png",
        _ if !is_show => return Ok(found),
        _ => {
            found.push(reply.finding(Need::Artwork, "is damaged, or no JPEG or PNG picture"));
            return Ok(found);
        }
    };
    found.extend(documents::media_type(&reply, &[allowed]));
    if let Some(Facts { width, height, .. }) = facts.filter(|_| is_show)
        && (width != height || !(MIN_ARTWORK..=MAX_ARTWORK).contains(&width))
    {
        let problem = format!("has {width} × {height} pixels, which Apple Podcasts rejects");
        found.push(reply.finding(Need::Artwork, problem));
    }
    Ok(found)
}
