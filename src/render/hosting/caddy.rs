//! The file `feedwright.caddy`, a snippet to import into a site's block.
//!
//! Redirects use a single `map`, which only compares strings. Caddy would try separate `redir`
//! lines in sequence, each with its own matcher.

use std::fmt::Write;

use super::rules::POLICY;
use super::texts::TEXT_EXTENSIONS;
use super::{HostingFacts, inert_extensions_regex, pattern, rules};
use model::pictures::SIZES;

/// Returns the snippet that a Caddyfile imports.
pub fn file(site: &HostingFacts) -> String {
    let mut out =
        String::from("# Import this inside the site's block, next to root and file_server.\n");
    for (name, value) in &site.fields {
        let _ = writeln!(out, "header {name} {}", quoted(value));
    }
    redirects(site, &mut out);
    documents(site, &mut out);
    if site.precompressed {
        // `defer` sets `Vary` last, because the file server sets this field itself, but only for
        // compressed responses.
        let _ = writeln!(
            out,
            "@feedwright_texts path_regexp {}\nheader @feedwright_texts {{\n\tVary Accept-Encoding\n\tdefer\n}}",
            quoted(&format!("(/|\\.({}))$", TEXT_EXTENSIONS.join("|")))
        );
    }
    if site.has_pages {
        not_found(site, &mut out);
    }
    out
}

/// Writes the 404 page of each language.
fn not_found(site: &HostingFacts, out: &mut String) {
    out.push_str("handle_errors {\n");
    let below = |mount: &String| word(&site.path(&format!("{mount}/*")));
    let others: Vec<String> = site.mounts.iter().map(below).collect();
    let missing = "`{err.status_code} == 404`";
    for (number, (mount, path)) in site.mounts.iter().zip(&others).enumerate() {
        let _ = writeln!(
            out,
            "\t@feedwright_missing{number} {{\n\t\texpression {missing}\n\t\tpath {path}\n\t}}\n\
             \trewrite @feedwright_missing{number} {}",
            word(&site.path(&format!("{mount}/404.html")))
        );
    }
    let page = word(&site.path("/404.html"));
    let rest = match &*others {
        [] => format!("@feedwright_missing expression {missing}"),
        others => format!(
            "@feedwright_missing expression {missing}\n\t@feedwright_missing_rest {{\n\t\texpression {missing}\n\t\tnot path {}\n\t}}",
            others.join(" ")
        ),
    };
    let matcher = if others.is_empty() { "" } else { "_rest" };
    let _ = writeln!(
        out,
        "\t{rest}\n\trewrite @feedwright_missing{matcher} {page}\n\
         \theader @feedwright_missing Content-Type \"text/html; charset=utf-8\"\n\
         \theader @feedwright_missing -Cache-Control\n\tfile_server\n}}"
    );
}

/// Writes redirects that match a former address with and without a trailing slash.
fn redirects(site: &HostingFacts, out: &mut String) {
    if site.redirects.is_empty() {
        return;
    }
    out.push_str("map {path} {feedwright_to} {\n");
    for redirect in &site.redirects {
        let (from, to) = (site.path(&redirect.from), word(&site.location(&redirect.to)));
        let _ = writeln!(out, "\t{} {to}", quoted(&from));
        if let Some(bare) = from.strip_suffix('/').filter(|bare| !bare.is_empty()) {
            let _ = writeln!(out, "\t{} {to}", quoted(bare));
        }
    }
    out.push_str("\tdefault \"-\"\n}\n");
    out.push_str(
        "@feedwright_moved expression `{feedwright_to} != \"-\" && {query} == \"\"`\nredir @feedwright_moved {feedwright_to} 301\n\
         @feedwright_moved_query expression `{feedwright_to} != \"-\" && {query} != \"\"`\nredir @feedwright_moved_query {feedwright_to}?{query} 301\n",
    );
}

fn documents(site: &HostingFacts, out: &mut String) {
    for (number, rewrite) in site.rewrites.iter().enumerate() {
        let name = format!("feedwright_rewrite{number}");
        match rewrite.to.split_once('*') {
            Some((before, after)) => {
                let from = pattern(&site.base, &rewrite.from).replace("[^/]+", "([^/]+)");
                let _ = writeln!(
                    out,
                    "@{name} path_regexp {name} {}\nrewrite @{name} {}{{re.{name}.1}}{after}",
                    quoted(&from),
                    site.location(before)
                );
            }
            None => {
                let _ = writeln!(
                    out,
                    "@{name} path {}\nrewrite @{name} {}",
                    word(&site.path(&rewrite.from)),
                    word(&site.location(&rewrite.to))
                );
            }
        }
    }
    // A header is set before a rewrite, so the matcher must also list the alternative path.
    for (number, typed) in site.types.iter().enumerate() {
        let paths: Vec<String> = typed.paths().map(|path| word(&site.path(path))).collect();
        let paths = paths.join(" ");
        let _ = writeln!(
            out,
            "@feedwright_type{number} path {paths}\nheader @feedwright_type{number} {{\n\tContent-Type \"{}\"\n\tAccess-Control-Allow-Origin *\n}}",
            typed.media_type
        );
    }
    let _ = writeln!(out, "header {} Access-Control-Allow-Origin *", word(&site.path("/media/*")));
    let _ = writeln!(
        out,
        "header {0} X-Content-Type-Options nosniff\n@feedwright_active {{\n\tpath {0}\n\tnot path_regexp {1}\n}}\n\
         header @feedwright_active Content-Security-Policy \"{POLICY}\"\n\
         @feedwright_media {{\n\tpath {0}\n\tnot path {2}\n}}\n\
         header @feedwright_media Cache-Control \"{3}\"",
        word(&site.path("/media/*")),
        quoted(&format!("(?i){}$", inert_extensions_regex())),
        word(&site.path(&format!("{SIZES}*"))),
        rules::MEDIA_CACHE
    );
    for folder in &site.immutable {
        let _ = writeln!(
            out,
            "header {} Cache-Control \"{}\"",
            word(&site.path(&format!("{folder}*"))),
            rules::IMMUTABLE
        );
    }
    for (ending, media_type) in rules::MEDIA {
        let _ = writeln!(
            out,
            "@feedwright_{ending} path_regexp {}\nheader @feedwright_{ending} Content-Type {media_type}",
            quoted(&format!("^{}/media/.*\\.{ending}$", super::regex(&site.base)))
        );
    }
}

/// Quotes a string. Caddy keeps backslashes unchanged (Caddyfile, Tokens and quotes).
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

/// Quotes a word and escapes braces, so that they start no placeholder.
fn word(text: &str) -> String {
    quoted(text).replace('{', "\\{").replace('}', "\\}")
}
