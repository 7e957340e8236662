//! What static hosts read: redirects, media types and caching, in each host's own format.
//!
//! A host that knows none of it gets a small HTML page for each redirect.

use std::fmt::Write;

use serde_json::json;

use super::routes::Redirect;
use crate::model::{HostingTarget, url::encode_path};
use crate::mustache::escape_into;
use crate::site::Snapshot;

/// Most redirects that Cloudflare Pages reads from `_redirects`.
const CLOUDFLARE_LIMIT: usize = 2_000;
/// Most routes that Vercel reads from `vercel.json`.
const VERCEL_LIMIT: usize = 1_024;

/// Media types that hosts do not know by a file's ending. `*` stands for any text.
const TYPES: [(&str, &str); 8] = [
    ("/feed.json", "application/feed+json; charset=utf-8"),
    ("/feed/*", "application/feed+json; charset=utf-8"),
    ("/rss.xml", "application/rss+xml; charset=utf-8"),
    ("/rss/*", "application/rss+xml; charset=utf-8"),
    ("/rss.xsl", "text/xsl; charset=utf-8"),
    ("/i/*/item.json", "application/feed+json; charset=utf-8"),
    ("/i/*/item.rss", "application/rss+xml; charset=utf-8"),
    (
        "/i/*/chapters.json",
        "application/json+chapters; charset=utf-8",
    ),
];

/// The other spelling of each feed, and the file it is. `:id` stands for one part of a path.
const SPELLINGS: [(&str, &str); 4] = [
    ("/json/", "/feed.json"),
    ("/rss/", "/rss.xml"),
    ("/i/:id/json/", "/i/:id/item.json"),
    ("/i/:id/rss/", "/i/:id/item.rss"),
];

/// Whether redirects have to be HTML pages too: on a host without redirects, or one that reads fewer than there are.
pub fn redirect_pages(targets: &[HostingTarget], redirects: usize) -> bool {
    targets.is_empty()
        || targets.iter().any(|target| match target {
            HostingTarget::GithubPages => true,
            HostingTarget::CloudflarePages => redirects > CLOUDFLARE_LIMIT,
            HostingTarget::Vercel => redirects > VERCEL_LIMIT,
            _ => false,
        })
}

/// The files that these hosts read.
pub fn files(targets: &[HostingTarget]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = targets
        .iter()
        .flat_map(|target| match target {
            HostingTarget::Netlify | HostingTarget::CloudflarePages => {
                ["_redirects", "_headers"].as_slice()
            }
            HostingTarget::GithubPages => &[".nojekyll"],
            HostingTarget::Vercel => &["vercel.json"],
            HostingTarget::Nginx => &["feedwright.nginx.conf"],
            HostingTarget::Caddy => &["feedwright.caddy"],
            HostingTarget::Apache => &[".htaccess"],
        })
        .copied()
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// One of these files.
pub fn file(name: &str, snapshot: &Snapshot, redirects: &[Redirect]) -> String {
    let site = Site {
        base: snapshot.config.base_path(),
        redirects: redirects
            .iter()
            .filter(|redirect| !is_spelling(redirect))
            .collect(),
    };
    match name {
        "_redirects" => site.redirects_file(
            snapshot
                .config
                .hosting
                .contains(&HostingTarget::CloudflarePages),
        ),
        "_headers" => site.headers_file(),
        "vercel.json" => site.vercel(),
        "feedwright.nginx.conf" => site.nginx(),
        "feedwright.caddy" => site.caddy(),
        ".htaccess" => site.apache(),
        _ => String::new(),
    }
}

/// The other spellings of the feeds are rewritten, not redirected, where a host can.
fn is_spelling(redirect: &Redirect) -> bool {
    SPELLINGS.iter().any(|(from, _)| redirect.from == *from)
}

/// A page that leads to a URL, for browsers, and names it to search engines.
pub fn redirect_page(url: &str) -> String {
    let mut escaped = String::new();
    crate::source::html::push_attribute(&mut escaped, url);
    let mut text = String::new();
    escape_into(url, &mut text);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Moved</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <link rel=\"canonical\" href=\"{escaped}\">\n<meta http-equiv=\"refresh\" content=\"0; url={escaped}\">\n</head>\n\
         <body>\n<p>This page has moved to <a href=\"{escaped}\">{text}</a>.</p>\n</body>\n</html>\n"
    )
}

struct Site<'a> {
    /// The path the site lies under: empty, or `/blog`.
    base: &'a str,
    redirects: Vec<&'a Redirect>,
}

impl Site<'_> {
    fn encoded(&self, path: &str) -> String {
        format!("{}{}", self.base, encode_path(path))
    }

    /// `_redirects`, as Netlify and Cloudflare Pages read it.
    fn redirects_file(&self, limited: bool) -> String {
        let mut out = String::new();
        let written = if limited && self.redirects.len() > CLOUDFLARE_LIMIT {
            &[]
        } else {
            self.redirects.as_slice()
        };
        for redirect in written {
            let _ = writeln!(
                out,
                "{} {} 301",
                self.encoded(&redirect.from),
                self.encoded(&redirect.to)
            );
        }
        for (from, to) in SPELLINGS {
            let _ = writeln!(out, "{base}{from} {base}{to} 200", base = self.base);
        }
        out
    }

    /// `_headers`, as Netlify and Cloudflare Pages read it.
    fn headers_file(&self) -> String {
        let mut out = String::new();
        for (path, media_type) in TYPES {
            let _ = writeln!(
                out,
                "{}{path}\n  Content-Type: {media_type}\n  Access-Control-Allow-Origin: *",
                self.base
            );
        }
        let _ = writeln!(
            out,
            "{}/media/*\n  Access-Control-Allow-Origin: *",
            self.base
        );
        let _ = writeln!(
            out,
            "{}/assets/*\n  Cache-Control: public, max-age=31536000, immutable",
            self.base
        );
        out
    }

    fn vercel(&self) -> String {
        let cors = json!({ "key": "Access-Control-Allow-Origin", "value": "*" });
        let pattern = |path: &str| format!("{}{}", self.base, path.replace('*', "(.*)"));
        let mut headers: Vec<_> = TYPES
            .iter()
            .map(|(path, media_type)| json!({ "source": pattern(path), "headers": [{ "key": "Content-Type", "value": media_type }, cors] }))
            .collect();
        headers.push(json!({ "source": pattern("/media/*"), "headers": [cors] }));
        headers.push(json!({
            "source": pattern("/assets/*"),
            "headers": [{ "key": "Cache-Control", "value": "public, max-age=31536000, immutable" }],
        }));
        let redirects: Vec<_> = match self.redirects.len() > VERCEL_LIMIT {
            true => Vec::new(),
            false => self
                .redirects
                .iter()
                .map(|redirect| json!({ "source": self.encoded(&redirect.from), "destination": self.encoded(&redirect.to), "statusCode": 301 }))
                .collect(),
        };
        let rewrites: Vec<_> =
            SPELLINGS.iter().map(|(from, to)| json!({ "source": format!("{}{from}", self.base), "destination": format!("{}{to}", self.base) })).collect();
        let document = json!({ "trailingSlash": true, "redirects": redirects, "rewrites": rewrites, "headers": headers });
        format!("{document:#}\n")
    }

    /// An include for a `server` block.
    fn nginx(&self) -> String {
        let mut out = String::from(
            "# Include this inside the server block of the site: include feedwright.nginx.conf;\n",
        );
        for redirect in &self.redirects {
            let from = format!("{}{}", self.base, redirect.from);
            let _ = writeln!(
                out,
                "location = {} {{ return 301 {}; }}",
                quoted(&from),
                quoted(&self.encoded(&redirect.to))
            );
        }
        let _ = writeln!(
            out,
            "location = {0}/json/ {{ try_files {0}/feed.json =404; }}",
            self.base
        );
        let _ = writeln!(
            out,
            "location = {0}/rss/ {{ try_files {0}/rss.xml =404; }}",
            self.base
        );
        for kind in ["json", "rss"] {
            let _ = writeln!(
                out,
                "location ~ \"^{0}/i/([^/]+)/{kind}/$\" {{ try_files {0}/i/$1/item.{kind} =404; }}",
                self.base
            );
        }
        for (path, media_type) in TYPES {
            let pattern = format!(
                "^{}{}$",
                regex(self.base),
                regex(path).replace("\\*", "[^/]+")
            );
            let media_type = media_type.split(';').next().unwrap_or(media_type);
            let _ = writeln!(
                out,
                "location ~ \"{pattern}\" {{ types {{}} default_type {media_type}; charset utf-8; charset_types {media_type}; add_header Access-Control-Allow-Origin *; }}"
            );
        }
        let _ = writeln!(
            out,
            "location {}/media/ {{ add_header Access-Control-Allow-Origin *; }}",
            self.base
        );
        let _ = writeln!(
            out,
            "location {}/assets/ {{ add_header Cache-Control \"public, max-age=31536000, immutable\"; }}",
            self.base
        );
        let _ = writeln!(out, "error_page 404 {}/404.html;", self.base);
        out
    }

    /// A snippet to import into a site's block.
    fn caddy(&self) -> String {
        let mut out = String::from(
            "# Import this inside the site's block, beside root and file_server: import feedwright.caddy\n",
        );
        for redirect in &self.redirects {
            let from = format!("{}{}", self.base, redirect.from);
            let _ = writeln!(
                out,
                "redir {} {} 301",
                quoted(&from),
                quoted(&self.encoded(&redirect.to))
            );
        }
        let _ = writeln!(
            out,
            "rewrite {0}/json/ {0}/feed.json\nrewrite {0}/rss/ {0}/rss.xml",
            self.base
        );
        for kind in ["json", "rss"] {
            let _ = writeln!(
                out,
                "@item_{kind} path_regexp item_{kind} ^{0}/i/([^/]+)/{kind}/$\nrewrite @item_{kind} {0}/i/{{re.item_{kind}.1}}/item.{kind}",
                self.base
            );
        }
        for (number, (path, media_type)) in TYPES.iter().enumerate() {
            let _ = writeln!(
                out,
                "@type{number} path {}{path}\nheader @type{number} Content-Type \"{media_type}\"\nheader @type{number} Access-Control-Allow-Origin *",
                self.base
            );
        }
        let _ = writeln!(
            out,
            "header {}/media/* Access-Control-Allow-Origin *",
            self.base
        );
        let _ = writeln!(
            out,
            "header {}/assets/* Cache-Control \"public, max-age=31536000, immutable\"",
            self.base
        );
        let _ = writeln!(
            out,
            "handle_errors {{\n\t@missing expression {{err.status_code}} == 404\n\trewrite @missing {}/404.html\n\tfile_server\n}}",
            self.base
        );
        out
    }

    /// `.htaccess`.
    fn apache(&self) -> String {
        let mut out = format!(
            "ErrorDocument 404 {}/404.html\nAddCharset utf-8 .html .json .xml .rss .txt .xsl\n",
            self.base
        );
        for redirect in &self.redirects {
            let from = format!("^{}$", regex(&format!("{}{}", self.base, redirect.from)));
            let _ = writeln!(
                out,
                "RedirectMatch 301 {} {}",
                quoted(&from),
                quoted(&self.encoded(&redirect.to))
            );
        }
        out.push_str("<IfModule mod_rewrite.c>\nRewriteEngine On\n");
        // In a folder's own file, patterns start after that folder's path.
        let _ = writeln!(
            out,
            "RewriteRule ^json/$ feed.json [END]\nRewriteRule ^rss/$ rss.xml [END]"
        );
        for kind in ["json", "rss"] {
            let _ = writeln!(
                out,
                "RewriteRule ^i/([^/]+)/{kind}/$ i/$1/item.{kind} [END]"
            );
        }
        out.push_str("</IfModule>\n");
        for (path, media_type) in TYPES {
            let pattern = format!(
                "^{}{}$",
                regex(self.base),
                regex(path).replace("\\*", "[^/]+")
            );
            let _ = writeln!(
                out,
                "<If \"%{{REQUEST_URI}} =~ m#{pattern}#\">\n  ForceType \"{media_type}\"\n  Header set Access-Control-Allow-Origin \"*\"\n</If>"
            );
        }
        let _ = writeln!(
            out,
            "<If \"%{{REQUEST_URI}} =~ m#^{}/assets/#\">\n  Header set Cache-Control \"public, max-age=31536000, immutable\"\n</If>",
            regex(self.base)
        );
        out
    }
}

/// A text in double quotes, as nginx, Caddy and Apache read it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text as a regular expression that matches it alone.
fn regex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '/' | '-' | '_') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
