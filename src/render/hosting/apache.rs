//! The `.htaccess` file.
//!
//! Apache reads and compiles the file again for each request, so the file contains only a limited
//! number of redirects.

use std::fmt::Write;

use super::rules::POLICY;
use super::texts::TEXT_EXTENSIONS;
use super::{HostingFacts, inert_extensions_regex, pattern, quoted, regex, rules};

/// Maximum number of redirects to write.
pub const LIMIT: usize = 1_000;

/// Returns the `.htaccess` file. The server needs `AllowOverride FileInfo` and mod_rewrite, and
/// also mod_headers for CORS and caching.
pub fn file(site: &HostingFacts) -> String {
    let mut out = String::new();
    if site.has_pages {
        let _ = writeln!(out, "ErrorDocument 404 {}", quoted(&site.location("/404.html")));
        for mount in &site.mounts {
            let _ = writeln!(
                out,
                "<If \"%{{REQUEST_URI}} =~ m#^{}{mount}/#\">\n  ErrorDocument 404 {}\n</If>",
                regex(&site.base),
                quoted(&site.location(&format!("{mount}/404.html")))
            );
        }
    }
    out.push_str("AddCharset utf-8 .html .txt .xml\n");
    types(site, &mut out);
    rewrites(site, &mut out);
    if site.precompressed {
        copies(&mut out);
    }
    headers(site, &mut out);
    out
}

/// Writes media types by file name. They also apply to rewritten requests.
fn types(site: &HostingFacts, out: &mut String) {
    for (name, typed) in named_types(site) {
        let (start, end) = files_block(site, name);
        let media_type = match site.precompressed {
            true => type_directives(name, typed),
            false => format!("ForceType \"{typed}\""),
        };
        let _ = writeln!(out, "{start}\n  {media_type}\n{end}");
    }
    for (ending, media_type) in rules::MEDIA {
        let _ = writeln!(out, "AddType {media_type} .{ending}");
    }
}

/// Returns the media types of files with a fixed name, each name once.
fn named_types<'s>(site: &'s HostingFacts) -> Vec<(&'s str, &'static str)> {
    let mut all: Vec<(&str, &'static str)> = Vec::new();
    for typed in &site.types {
        let name = typed.path.rsplit('/').next().unwrap_or_default();
        if name != "*" && !all.iter().any(|(known, _)| *known == name) {
            all.push((name, typed.media_type));
        }
    }
    all
}

/// Returns the opening and closing lines of a block for files with this name and their compressed
/// copies.
fn files_block(site: &HostingFacts, name: &str) -> (String, &'static str) {
    match site.precompressed {
        true => (format!("<FilesMatch \"^{}(\\.gz)?$\">", regex(name)), "</FilesMatch>"),
        false => (format!("<Files \"{name}\">"), "</Files>"),
    }
}

/// Returns the directives that set a media type by extension. `ForceType` is not used, because it
/// would hide that a copy is compressed.
fn type_directives(name: &str, media_type: &str) -> String {
    let ending = name.rsplit('.').next().unwrap_or(name);
    match media_type.split_once(';') {
        Some((media_type, _)) => {
            format!("AddType {media_type} .{ending}\n  AddCharset utf-8 .{ending}")
        }
        None => format!("AddType {media_type} .{ending}"),
    }
}

/// Serves compressed copies to clients that accept them, with the media type of the original.
fn copies(out: &mut String) {
    let texts = TEXT_EXTENSIONS.join("|");
    let _ = writeln!(
        out,
        "<FilesMatch \"\\.({texts})\\.gz$\">\n  RemoveType .gz\n  AddEncoding gzip .gz\n</FilesMatch>\n\
         <IfModule mod_headers.c>\n<IfModule mod_rewrite.c>\n\
         <FilesMatch \"\\.({texts})(\\.gz)?$\">\n  Header merge Vary Accept-Encoding\n</FilesMatch>\n\
         RewriteCond %{{HTTP:Accept-Encoding}} \\bgzip\\b\n\
         RewriteCond %{{REQUEST_FILENAME}}.gz -f\nRewriteRule ^(.+\\.({texts}))$ $1.gz [END]\n</IfModule>\n</IfModule>"
    );
}

fn rewrites(site: &HostingFacts, out: &mut String) {
    let _ = writeln!(
        out,
        "<IfModule mod_rewrite.c>\nRewriteEngine On\nRewriteBase {}",
        argument(&site.path("/"))
    );
    for rewrite in &site.rewrites {
        let from = local(&rewrite.from);
        let _ = writeln!(
            out,
            "RewriteRule {} {} [END]",
            argument(&from.replace("[^/]+", "([^/]+)")),
            argument(&rewrite.to.trim_start_matches('/').replace('*', "$1"))
        );
    }
    for typed in site.types.iter().filter(|typed| typed.path.ends_with("/*")) {
        let _ = writeln!(
            out,
            "RewriteRule {} - \"[T={},END]\"",
            argument(&local(&typed.path)),
            typed.media_type
        );
    }
    for redirect in site.redirects.iter().take(LIMIT) {
        let from = redirect.from.trim_start_matches('/').trim_end_matches('/');
        let slash = if redirect.from.ends_with('/') { "/?" } else { "" };
        let _ = writeln!(
            out,
            "RewriteRule {} {} [R=301,NE,END]",
            argument(&format!("^{}{slash}$", regex(from))),
            argument(&site.location(&redirect.to).replace('%', "\\%").replace('$', "\\$"))
        );
    }
    if site.has_pages {
        // Answer 404 instead of 403 for a folder without a page.
        out.push_str(
            "RewriteCond %{REQUEST_FILENAME} -d\nRewriteCond %{REQUEST_FILENAME}/index.html !-f\nRewriteRule (^|/)$ - [R=404,END]\n",
        );
    }
    out.push_str("</IfModule>\n");
}

/// Quotes an argument of a RewriteRule. Apache keeps backslashes in quoted arguments unchanged.
fn argument(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\x22"))
}

/// Returns a path's pattern relative to the folder of the `.htaccess` file.
fn local(path: &str) -> String {
    pattern("", path).replacen("^/", "^", 1)
}

fn headers(site: &HostingFacts, out: &mut String) {
    out.push_str("<IfModule mod_headers.c>\n");
    for (name, value) in &site.fields {
        let _ = writeln!(out, "Header set {name} {}", quoted(&value.replace('%', "%%")));
    }
    let base = regex(&site.base);
    let field = "Header set Access-Control-Allow-Origin \"*\"";
    for (name, _) in named_types(site) {
        let (start, end) = files_block(site, name);
        let _ = writeln!(out, "{start}\n  {field}\n{end}");
    }
    let _ = writeln!(
        out,
        "<If \"%{{REQUEST_URI}} =~ m#^{base}/media/#\">\n  Header set X-Content-Type-Options nosniff\n  Header set Cache-Control \"{}\"\n</If>\n\
         <If \"%{{REQUEST_URI}} =~ m#^{base}/media/# && %{{REQUEST_URI}} !~ m#{}$#i\">\n  \
         Header set Content-Security-Policy \"{POLICY}\"\n</If>",
        rules::MEDIA_CACHE,
        inert_extensions_regex()
    );
    let immutable: Vec<&str> =
        site.immutable.iter().map(|folder| folder.trim_matches('/')).collect();
    let immutable = immutable.join("|");
    let _ = writeln!(
        out,
        "<If \"%{{REQUEST_URI}} =~ m#^{}/(media|feed|rss)/#\">\n  {field}\n</If>\n\
         <If \"%{{REQUEST_URI}} =~ m#^{base}/({immutable})/#\">\n  Header set Cache-Control \"{}\"\n</If>\n</IfModule>",
        site.base_regex(),
        rules::IMMUTABLE
    );
}
