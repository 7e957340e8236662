//! `_redirects` and `_headers`, as Netlify and Cloudflare Pages read them.
//!
//! Both match the percent-encoded path, take the first rule that matches and pass queries on. They differ:
//! Netlify lets an existing file win unless the status ends in `!`, which Cloudflare does not know;
//! Cloudflare reads 2,000 rules without placeholders, and after the first one with placeholders 100 more.

use std::fmt::Write;

use super::{HostingFacts, Redirect, Rewrite};
use model::{HostingTarget, url::encode_path};

/// Most redirects that Cloudflare Pages reads: 2,000 lines without placeholders, less `/json/` and `/rss/`.
/// A line for Netlify beside each counts too, though it is skipped.
fn cloudflare_limit(targets: &[HostingTarget]) -> usize {
    if targets.contains(&HostingTarget::Netlify) { 998 } else { 1_998 }
}

/// Longest line that Cloudflare Pages reads, in bytes.
const CLOUDFLARE_LINE: usize = 1_000;

/// Whether Cloudflare Pages reads this redirect, the one at this place.
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
        // A line of the other host's kind is skipped by each.
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
    // Netlify reads `/i/x` and `/i/x/` as one path: there this rule would lead to itself.
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

/// `_headers`. A path may match one rule alone, for Cloudflare joins the values of several.
pub fn headers(site: &HostingFacts) -> String {
    let base = encoded(&site.base);
    let mut out = String::new();
    for typed in &site.types {
        // `/rss/*` is `/rss/` too.
        let spelling = typed.spelling.filter(|spelling| *spelling != "/rss/");
        for path in [Some(typed.path), spelling].into_iter().flatten() {
            let _ = writeln!(
                out,
                "{}\n  Content-Type: {}\n  Access-Control-Allow-Origin: *",
                placeholder(&base, path),
                typed.media_type
            );
        }
    }
    // The ending tells nothing here: these hosts send `x.html` as `x` too.
    let _ = writeln!(
        out,
        "{base}/media/*\n  Access-Control-Allow-Origin: *\n  X-Content-Type-Options: nosniff\n  \
         Content-Security-Policy: {}",
        super::rules::NO_SCRIPTS
    );
    for folder in super::rules::KEPT_FOR_EVER {
        let caching = super::rules::IMMUTABLE;
        let _ = writeln!(out, "{base}{folder}*\n  Cache-Control: {caching}");
    }
    out
}

fn line(base: &str, redirect: &Redirect) -> String {
    let path = |path: &str| encoded(&format!("{base}{path}"));
    format!("{} {}", path(&redirect.from), path(&redirect.to))
}

/// `:` and `*` would be placeholders.
fn encoded(path: &str) -> String {
    encode_path(path).replace(':', "%3A").replace('*', "%2A")
}

/// A `*` at the end stands for the rest of a path; elsewhere one part is `:id`.
fn placeholder(base: &str, path: &str) -> String {
    format!("{base}{}", path.replace("/*/", "/:id/"))
}
