//! The files `_redirects` and `_headers`, for Netlify and Cloudflare Pages.
//!
//! Both hosts match the percent-encoded path, use the first matching rule and pass queries on.
//! There are two differences. Netlify prefers an existing file unless the status ends in `!`, which
//! Cloudflare does not support. Cloudflare reads only 2,000 rules without placeholders, and 100
//! more after the first rule with placeholders.

use std::borrow::Cow;
use std::fmt::Write;

use super::{HostingFacts, Redirect, Rewrite};
use model::HostingTarget;
use model::url::{encode_path, split_origin};

/// Returns the maximum number of redirects that Cloudflare Pages reads: 2,000 lines without
/// placeholders, minus `/json/` and `/rss/` in each language. Netlify's additional lines count too,
/// although Cloudflare skips them.
fn cloudflare_limit(targets: &[HostingTarget], other_languages: usize) -> usize {
    let lines = if targets.contains(&HostingTarget::Netlify) { 1_000 } else { 2_000 };
    lines - 2 * (1 + other_languages)
}

/// Maximum length of a line that Cloudflare Pages reads, in bytes.
const CLOUDFLARE_LINE: usize = 1_000;

/// Returns whether Cloudflare Pages reads the redirect at index `at`.
pub fn cloudflare_reads(
    (targets, other_languages): (&[HostingTarget], usize),
    base: &str,
    at: usize,
    redirect: &Redirect,
) -> bool {
    at < cloudflare_limit(targets, other_languages)
        && line(base, redirect).len() + " 301".len() <= CLOUDFLARE_LINE
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
    let targets = (site.targets, site.mounts.len());
    let first = if cloudflare { cloudflare_limit(targets.0, targets.1) } else { usize::MAX };
    for (at, redirect) in site.redirects.iter().enumerate().take(first) {
        if netlify || cloudflare_reads(targets, &site.base, at, redirect) {
            rule(&line(&site.base, redirect), "301");
        }
    }
    let (whole, parts): (Vec<&Rewrite>, Vec<&Rewrite>) =
        site.rewrites.iter().partition(|rewrite| !rewrite.from.contains('*'));
    for rewrite in whole.into_iter().chain(parts) {
        let path = |path: &str| placeholder(&encoded(&site.base), path);
        rule(&format!("{} {}", path(&rewrite.from), path(&rewrite.to)), "200");
    }
    // Netlify reads `/i/x` and `/i/x/` as the same path, so this rule would redirect to itself.
    if cloudflare && !netlify {
        for mount in site.mounts_and_root() {
            let items = encoded(&site.path(&format!("{mount}/i/")));
            rule(&format!("{items}:segment {items}:segment/"), "301");
        }
    }
    if netlify {
        for redirect in site.redirects.iter().skip(first) {
            let force = if site.pages { "!" } else { "" };
            let _ = writeln!(out, "{} 301{force}", line(&site.base, redirect));
        }
        // Cloudflare finds the nearest 404 page.
        for mount in site.mounts.iter().filter(|_| site.has_pages) {
            let folder = encoded(&site.path(mount));
            let _ = writeln!(out, "{folder}/* {folder}/404.html 404");
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
    for (path, media_type) in typed_paths(site) {
        let _ = writeln!(
            out,
            "{}\n  Content-Type: {media_type}\n  Access-Control-Allow-Origin: *",
            placeholder(&base, &path)
        );
    }
    // A rule by extension would not work, because these hosts also serve `x.html` as `x`.
    let _ = writeln!(
        out,
        "{base}/media/*\n  Access-Control-Allow-Origin: *\n  X-Content-Type-Options: nosniff\n  \
         Content-Security-Policy: {}",
        super::rules::NO_SCRIPTS
    );
    for folder in &site.immutable {
        let caching = super::rules::IMMUTABLE;
        let _ = writeln!(out, "{base}{folder}*\n  Cache-Control: {caching}");
    }
    out
}

/// Returns the paths with their own media type. Cloudflare reads 100 rules, so one rule matches the
/// files of all languages and shows, unless a page could have the same name.
fn typed_paths<'s>(site: &'s HostingFacts) -> Vec<(Cow<'s, str>, &'static str)> {
    let in_all = |path: &'s str| {
        let below = |mount: &&String| path.strip_prefix(&***mount).unwrap_or(path).starts_with('/');
        let mount = site.mounts.iter().filter(|mount| path.starts_with(&***mount)).find(below);
        let own = mount.map(|mount| &path[mount.len()..]);
        let is_of_files = |own: &&str| own.contains('.') || own.starts_with("/i/");
        match own.filter(is_of_files) {
            Some(own) => Cow::Owned(["/*", own].concat()),
            None => Cow::Borrowed(path),
        }
    };
    let mut all: Vec<(Cow<'_, str>, &str)> = Vec::new();
    for typed in &site.types {
        // For these hosts `/rss/*` also matches `/rss/`.
        let own = typed.paths().filter(|path| !path.ends_with("/rss/") || path.contains("/i/"));
        for path in own.map(in_all) {
            if !all.iter().any(|(known, _)| *known == path) {
                all.push((path, typed.media_type));
            }
        }
    }
    let is_covered = |path: &str| all.iter().any(|(other, _)| covers(other, path));
    all.iter().filter(|(path, _)| !is_covered(path)).cloned().collect()
}

/// Returns whether a path with placeholders matches all that another path matches.
fn covers(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('/').zip(path.split('/'));
    pattern != path
        && pattern.matches('/').count() == path.matches('/').count()
        && parts.all(|(own, other)| own == "*" || own == other)
}

fn line(base: &str, redirect: &Redirect) -> String {
    let path = |path: &str| match split_origin(path) {
        Some((origin, path)) => [origin, &*encoded(path)].concat(),
        None => encoded(&format!("{base}{path}")),
    };
    format!("{} {}", path(&redirect.from), path(&redirect.to))
}

/// Percent-encodes a path, including `:` and `*`, which would be placeholders.
fn encoded(path: &str) -> String {
    encode_path(path).replace(':', "%3A").replace('*', "%2A")
}

/// Returns a path with placeholders. A trailing `*` matches the rest of a path. Elsewhere, each `*`
/// becomes a placeholder, such as `:id`, which matches one path segment.
fn placeholder(base: &str, path: &str) -> String {
    let mut names = ["id", "clip", "third", "fourth", "fifth", "sixth", "seventh"].into_iter();
    let mut out = base.to_owned();
    let mut parts = path.split('/').skip(1).peekable();
    while let Some(part) = parts.next() {
        out.push('/');
        let is_placeholder = part == "*" && parts.peek().is_some();
        match is_placeholder.then(|| names.next()).flatten() {
            Some(name) => out.extend([":", name]),
            None => out.push_str(part),
        }
    }
    out
}
