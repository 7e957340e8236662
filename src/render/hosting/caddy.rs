//! The file `feedwright.caddy`, a snippet to import into a site's block.
//!
//! Redirects use a single `map`, which only compares strings. Caddy would try separate `redir`
//! lines in sequence, each with its own matcher.

use std::fmt::Write;

use super::rules::POLICY;
use super::texts::TEXT_EXTENSIONS;
use super::{HostingFacts, inert_extensions_regex, pattern, rules};

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
        let _ = writeln!(
            out,
            "handle_errors {{\n\t@feedwright_missing expression `{{err.status_code}} == 404`\n\
             \trewrite @feedwright_missing {}\n\
             \theader @feedwright_missing Content-Type \"text/html; charset=utf-8\"\n\
             \theader @feedwright_missing -Cache-Control\n\tfile_server\n}}",
            word(&site.path("/404.html"))
        );
    }
    out
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
                let from = pattern(&site.base, rewrite.from).replace("[^/]+", "([^/]+)");
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
                    word(&site.path(rewrite.from)),
                    word(&site.location(rewrite.to))
                );
            }
        }
    }
    // A header is set before a rewrite, so the matcher must also list the alternative path.
    for (number, typed) in site.types.iter().enumerate() {
        let mut paths = word(&site.path(typed.path));
        if let Some(alternative_path) = typed.alternative_path {
            let _ = write!(paths, " {}", word(&site.path(alternative_path)));
        }
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
         header @feedwright_active Content-Security-Policy \"{POLICY}\"",
        word(&site.path("/media/*")),
        quoted(&format!("(?i){}$", inert_extensions_regex()))
    );
    for folder in rules::IMMUTABLE_FOLDERS {
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
