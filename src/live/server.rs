//! Checks of a server: certificate, encryption, missing pages, `robots.txt` and WebSub hub.

use std::time::Duration;

use fetch::Url;
use jiff::{SignedDuration, Timestamp};

use super::Checked;
use super::finding::{Finding, Need};
use super::prober::Prober;
use super::robots;

/// Maximum size in bytes of `robots.txt` (RFC 9309, section 2.5).
const MAX_ROBOTS: u64 = 512 * 1024;

/// Time before the end of a certificate's validity at which it should have been renewed.
const RENEWAL: Duration = Duration::from_hours(7 * 24);

/// Checks how long the certificate of a host is still valid.
pub fn certificate(prober: &Prober, url: &str) -> Checked {
    let client = prober.client(url)?;
    let certificate = client.certificate(url).map_err(|fault| prober.failed(url, &fault))?;
    let now = Timestamp::now();
    // Certificates that are valid for a week are renewed every few days.
    let is_new = certificate.starts_after(now - SignedDuration::from_hours(10 * 24));
    let limit = if is_new { Duration::from_hours(24) } else { RENEWAL };
    let Some(end) = certificate.ends_before(now + limit) else {
        return Ok(Vec::new());
    };
    let hours = end.duration_since(now).as_hours();
    let problem = format!(
        "has a certificate that expires in {} days, on {}",
        hours / 24,
        end.strftime("%Y-%m-%d")
    );
    Ok(vec![Finding::new(Need::Certificate, url, problem)])
}

/// Checks an address without encryption: it must redirect to an encrypted address.
pub fn unencrypted(prober: &Prober, url: &str) -> Checked {
    // Browsers try https first, so a server need not answer without encryption.
    let Ok(reply) = prober.send("GET", url, &[], None) else {
        return Ok(Vec::new());
    };
    let is_encrypted = reply.url.scheme() == "https" || reply.status >= 400;
    let problem = "is not encrypted, and does not redirect to https";
    Ok((!is_encrypted).then(|| reply.finding(Need::Certificate, problem)).into_iter().collect())
}

/// Checks the status of a page that does not exist.
pub fn missing(prober: &Prober, url: &str) -> Checked {
    let reply = prober.send("GET", url, &[], None)?;
    let problem = format!(
        "does not exist, but has status {} in place of 404: search engines and apps keep dead addresses",
        reply.status
    );
    let is_wrong = !matches!(reply.status, 404 | 410);
    Ok(is_wrong.then(|| reply.finding(Need::NotFound, problem)).into_iter().collect())
}

/// Checks that `robots.txt` does not exclude directories from feeds and media.
pub fn robots(prober: &Prober, url: &str, paths: &[String]) -> Checked {
    let reply = prober.send("GET", url, &[], Some(MAX_ROBOTS))?;
    if reply.status != 200 {
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&reply.body);
    let blocked = robots::blocked(&text, paths).into_iter();
    let found = blocked.map(|(agent, path)| {
        let who = if agent == "*" { "all programs" } else { agent };
        reply.finding(Need::Robots, format!("forbids {who} to read {path}"))
    });
    Ok(found.collect())
}

/// Checks that a WebSub hub answers. Hubs refuse requests without parameters.
pub fn hub(prober: &Prober, url: &str) -> Checked {
    let reply = prober.send("GET", url, &[], None).map_err(|failed| {
        let as_hub = |one: Finding| Finding { need: Need::Hub, ..one };
        failed.into_iter().map(as_hub).collect::<Vec<_>>()
    })?;
    let is_broken = reply.status >= 500 || matches!(reply.status, 404 | 410);
    let problem = format!("is not a WebSub hub (status {})", reply.status);
    Ok(is_broken.then(|| reply.finding(Need::Hub, problem)).into_iter().collect())
}

/// Returns the address of a host without encryption.
pub fn without_encryption(url: &Url) -> Option<String> {
    let mut plain = url.clone();
    let is_usual = url.scheme() == "https" && url.port().is_none();
    (is_usual && plain.set_scheme("http").is_ok()).then(|| plain.to_string())
}
