//! The files `_redirects` and `_headers`, for Netlify and Cloudflare Pages.
//!
//! Both hosts match the percent-encoded path, use the first matching rule and pass queries on.
//! There are two differences. Netlify prefers an existing file unless the status ends in `!`, which
//! Cloudflare does not support. Cloudflare reads only 2,000 rules without placeholders, and 100
//! more after the first rule with placeholders.

use std::fmt::Write;

use super::{HostingFacts, Redirect, Rewrite};
use model::{HostingTarget, url::encode_path};

/// Returns the maximum number of redirects that Cloudflare Pages reads: 2,000 lines without
/// placeholders, minus `/json/` and `/rss/`. Netlify's additional lines count too, although
/// Cloudflare skips them.
fn cloudflare_limit(targets: &[HostingTarget]) -> usize {
    if targets.contains(&HostingTarget::Netlify) { 998 } else { 1_998 }
}

/// Maximum length of a line that Cloudflare Pages reads, in bytes.
const CLOUDFLARE_LINE: usize = 1_000;

/// Returns whether Cloudflare Pages reads the redirect at index `at`.
pub fn cloudflare_reads(
    targets: &[HostingTarget],
    base: &str,
    at: usize,
    redirect: &Redirect,
) -> bool {
    at < cloudflare_limit(targets) && line(base, redirect).len() + " 301".len() <= CLOUDFLARE_LINE
}

pub fn redirects(site: &HostingFacts) -> String {
    let has = |target| site.targets.contains(&target);
    let (netlify, cloudflare) = (has(HostingTarget::Netlify), has(HostingTarget::CloudflarePages));
    let mut out = String::new();
    let mut rule = |line: &str, status: &str| {
        // Each host skips the lines meant for the other.
        if netlify && site.pages {
            let _ = writeln!(out, "{line} {status}!");
        }
        if cloudflare || !site.pages {
            let _ = writeln!(out, "{line} {status}");
        }
    };
    let first = if cloudflare { cloudflare_limit(site.targets) } else { usize::MAX };
    for (at, redirect) in site.redirects.iter().enumerate().take(first) {
        if netlify || cloudflare_reads(site.targets, &site.base, at, redirect) {
            rule(&line(&site.base, redirect), "301");
        }
    }
    let (whole, parts): (Vec<&Rewrite>, Vec<&Rewrite>) =
        site.rewrites.iter().partition(|rewrite| !rewrite.from.contains('*'));
    for rewrite in whole.into_iter().chain(parts) {
        let path = |path: &str| placeholder(&encoded(&site.base), path);
        rule(&format!("{} {}", path(rewrite.from), path(rewrite.to)), "200");
    }
    // Netlify reads `/i/x` and `/i/x/` as the same path, so this rule would redirect to itself.
    if cloudflare && !netlify {
        let base = encoded(&site.base);
        rule(&format!("{base}/i/:segment {base}/i/:segment/"), "301");
    }
    if netlify {
        for redirect in site.redirects.iter().skip(first) {
            let force = if site.pages { "!" } else { "" };
            let _ = writeln!(out, "{} 301{force}", line(&site.base, redirect));
        }
    }
    out
}

/// Returns the `_headers` file. Each path must match at most one rule for each header, because
/// Cloudflare joins the values of all matching rules.
pub fn headers(site: &HostingFacts) -> String {
    let base = encoded(&site.base);
    let mut out = String::new();
    // No other rule sets these fields, so Cloudflare has no values to join.
    if !site.fields.is_empty() {
        let _ = writeln!(out, "{base}/*");
        for (name, value) in &site.fields {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    for typed in &site.types {
        // For these hosts `/rss/*` also matches `/rss/`.
        let alternative_path =
            typed.alternative_path.filter(|alternative_path| *alternative_path != "/rss/");
        for path in [Some(typed.path), alternative_path].into_iter().flatten() {
            let _ = writeln!(
                out,
                "{}\n  Content-Type: {}\n  Access-Control-Allow-Origin: *",
                placeholder(&base, path),
                typed.media_type
            );
        }
    }
    // A rule by extension would not work, because these hosts also serve `x.html` as `x`.
    let _ = writeln!(
        out,
        "{base}/media/*\n  Access-Control-Allow-Origin: *\n  X-Content-Type-Options: nosniff\n  \
         Content-Security-Policy: {}",
        super::rules::NO_SCRIPTS
    );
    for folder in super::rules::IMMUTABLE_FOLDERS {
        let caching = super::rules::IMMUTABLE;
        let _ = writeln!(out, "{base}{folder}*\n  Cache-Control: {caching}");
    }
    out
}

fn line(base: &str, redirect: &Redirect) -> String {
    let path = |path: &str| encoded(&format!("{base}{path}"));
    format!("{} {}", path(&redirect.from), path(&redirect.to))
}

/// Percent-encodes a path, including `:` and `*`, which would be placeholders.
fn encoded(path: &str) -> String {
    encode_path(path).replace(':', "%3A").replace('*', "%2A")
}

/// Returns a path with placeholders. A trailing `*` matches the rest of a path. Elsewhere, `*`
/// becomes `:id`, which matches one path segment.
fn placeholder(base: &str, path: &str) -> String {
    format!("{base}{}", path.replace("/*/", "/:id/"))
}
