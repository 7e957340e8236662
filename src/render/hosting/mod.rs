//! Files for static hosts: redirects, media types and caching, in each host's own format.
//!
//! `rules` contains the requirements for every host, and each format has a file that writes them. A
//! redirect that a host does not support becomes a small HTML page, or a copy of the target feed or
//! file.

mod apache;
mod caddy;
mod netlify;
mod nginx;
mod prefetching;
mod rules;
mod sent_as;
mod texts;
mod vercel;

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use model::{Access, Config, HostingTarget, Redirect, push_attribute, url};
pub use prefetching::PREFETCHING;
pub use rules::{Has, MARKDOWN, POLICY, RSS, is_active};
use rules::{MediaTypeRule, Rewrite};
pub use sent_as::{HttpFields, sent_as};
pub use texts::{GZIP_EXTENSION, is_text};

/// Returns the redirects that must become files (HTML pages or copies of their targets), because
/// one of the hosting targets does not read them from its configuration file. Returns all redirects
/// if there are no hosting targets, or if one of the targets supports no redirects.
pub fn redirects_in_files<'a>(config: &Config, redirects: &'a [Redirect]) -> Vec<&'a Redirect> {
    let (base, targets) = (decoded(config.base_path()), &config.hosting);
    redirects
        .iter()
        .enumerate()
        .filter(|(at, redirect)| {
            targets.is_empty()
                || targets
                    .iter()
                    .any(|target| !reads_redirect(*target, config, &base, *at, redirect))
        })
        .map(|(_, redirect)| redirect)
        .collect()
}

/// Returns whether a redirect to another site becomes an HTML page that its readers, such as podcast
/// apps, cannot follow.
pub fn is_lost_on_programs(config: &Config, redirect: &Redirect) -> bool {
    let Redirect { from, to } = redirect;
    let ending = from.rsplit_once('.').map(|(_, ending)| ending);
    let is_for_programs =
        matches!(ending, Some("xml" | "json" | "ics" | "rss")) || from.contains("/media/");
    let is_page = || !redirects_in_files(config, std::slice::from_ref(redirect)).is_empty();
    url::is_absolute(to) && is_for_programs && is_page()
}

/// Returns whether one of the hosts reads only a limited number of redirects.
pub fn has_limits(targets: &[HostingTarget]) -> bool {
    use HostingTarget::{Apache, CloudflarePages, Vercel};
    let is_limited = |target: &HostingTarget| matches!(target, CloudflarePages | Vercel | Apache);
    targets.iter().any(is_limited)
}

/// Returns whether a host reads the redirect at index `at` from its configuration file.
fn reads_redirect(
    target: HostingTarget,
    config: &Config,
    base: &str,
    at: usize,
    redirect: &Redirect,
) -> bool {
    if target == HostingTarget::GithubPages {
        return false;
    }
    if rules::is_rewrite(config, redirect) {
        return true;
    }
    match target {
        HostingTarget::CloudflarePages => {
            let targets = (&*config.hosting, config.mounts().count());
            netlify::cloudflare_reads(targets, base, at, redirect)
        }
        HostingTarget::Vercel => at < vercel::LIMIT,
        HostingTarget::Apache => at < apache::LIMIT,
        _ => true,
    }
}

/// Returns whether the alternative paths of each item's feeds (`/i/<id>/json/`) must be copies of
/// the feeds.
pub fn copies_item_feeds(targets: &[HostingTarget]) -> bool {
    targets.contains(&HostingTarget::GithubPages)
}

/// Returns the names of the files that a site's hosts read.
pub fn files(config: &Config) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = (config.hosting)
        .iter()
        .flat_map(|target| match target {
            HostingTarget::Netlify | HostingTarget::CloudflarePages => {
                ["_redirects", "_headers", PREFETCHING].as_slice()
            }
            HostingTarget::GithubPages => &[".nojekyll"],
            HostingTarget::Vercel => &["vercel.json", PREFETCHING],
            HostingTarget::Nginx => &["feedwright.nginx.conf", PREFETCHING],
            HostingTarget::Caddy => &["feedwright.caddy", PREFETCHING],
            HostingTarget::Apache => &[".htaccess", PREFETCHING],
        })
        .copied()
        .filter(|name| *name != PREFETCHING || config.access == Access::Public)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the content of the file with this name, which must be one of the [files].
pub fn file(name: &str, config: &Config, has: Has, redirects: &[Redirect]) -> String {
    let base = decoded(config.base_path());
    let is_rewrite = |redirect: &&Redirect| rules::is_rewrite(config, redirect);
    let site = HostingFacts {
        redirects: redirects.iter().filter(|redirect| !is_rewrite(redirect)).collect(),
        pages: !redirects_in_files(config, redirects).is_empty(),
        rewrites: rules::rewrites(config, has),
        types: rules::types(config, has),
        immutable: rules::immutable_folders(config),
        mounts: config.mounts().collect(),
        fields: fields(config),
        targets: &config.hosting,
        has_pages: config.access == Access::Public,
        precompressed: config.output.precompress,
        base,
    };
    match name {
        "_redirects" => netlify::redirects(&site),
        "_headers" => netlify::headers(&site),
        "vercel.json" => vercel::file(&site),
        "feedwright.nginx.conf" => nginx::file(&site),
        "feedwright.caddy" => caddy::file(&site),
        ".htaccess" => apache::file(&site),
        PREFETCHING => prefetching::rules(&site.location("")),
        _ => String::new(),
    }
}

/// Returns the HTTP fields to send with every document.
fn fields(config: &Config) -> Vec<(&'static str, String)> {
    let mut fields = config.ai.http_fields();
    if config.access == Access::Public {
        let path = config.path(&format!("/{PREFETCHING}"));
        fields.push(("Speculation-Rules", format!("\"{path}\"")));
    }
    fields
}

/// Returns a page that redirects browsers to a public path, and gives search engines its canonical
/// address.
pub fn redirect_page(config: &Config, to: &str) -> String {
    let escaped = |text: &str| {
        let mut out = String::new();
        push_attribute(&mut out, text);
        out
    };
    let (path, url) = (escaped(&config.path(to)), escaped(&config.url(to)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Moved</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <link rel=\"canonical\" href=\"{url}\">\n<meta http-equiv=\"refresh\" content=\"0; url={path}\">\n</head>\n\
         <body>\n<p>This page has moved to <a href=\"{path}\">{path}</a>.</p>\n</body>\n</html>\n"
    )
}

/// The data from which the configuration file of each host is generated.
struct HostingFacts<'a> {
    /// The path of the site on its host, not percent-encoded: empty, or a path such as `/blog`.
    base: Cow<'a, str>,
    redirects: Vec<&'a Redirect>,
    rewrites: Vec<Rewrite>,
    types: Vec<MediaTypeRule>,
    /// Folders whose files may be cached forever.
    immutable: Vec<String>,
    /// Paths of the shows and of the languages other than the default language, such as `/de`. Each
    /// has a 404 page.
    mounts: Vec<String>,
    /// HTTP fields to send with every document.
    fields: Vec<(&'static str, String)>,
    targets: &'a [HostingTarget],
    /// Whether some redirects are also written as files. The host's own redirects must take
    /// precedence over these files.
    pages: bool,
    /// Whether the site has HTML pages, such as the 404 page.
    has_pages: bool,
    /// Whether text files have compressed copies next to them.
    precompressed: bool,
}

impl HostingFacts<'_> {
    /// Returns a public path for comparison with a decoded request path.
    fn path(&self, path: &str) -> String {
        match url::is_absolute(path) {
            true => path.to_owned(),
            false => format!("{}{path}", self.base),
        }
    }

    /// Returns a public path, or an address on another site, for a `Location` header.
    fn location(&self, path: &str) -> String {
        url::join_path("", &self.path(path))
    }

    /// Returns the path of each language. The default language has an empty path.
    fn mounts_and_root(&self) -> impl Iterator<Item = &str> {
        std::iter::once("").chain(self.mounts.iter().map(|mount| &**mount))
    }

    /// Returns a regular expression for the base path, followed by any language's path.
    fn base_regex(&self) -> String {
        match &*self.mounts {
            [] => regex(&self.base),
            mounts => format!("{}(?:{})?", regex(&self.base), mounts.join("|")),
        }
    }
}

fn decoded(base_path: &str) -> Cow<'_, str> {
    percent_decode_str(base_path).decode_utf8_lossy()
}

/// Quotes a string for nginx and for Apache's own directives.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a regular expression that matches exactly this string.
fn regex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == ' ' || c.is_ascii_punctuation() && !matches!(c, '/' | '-' | '_' | '"') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Returns a regular expression for the extensions of media files that no browser executes.
fn inert_extensions_regex() -> String {
    format!("\\.(?:{})", rules::INERT_EXTENSIONS.join("|"))
}

/// Returns a path as a regular expression. A `*` matches one path segment.
fn pattern(base: &str, path: &str) -> String {
    format!("^{}{}$", regex(base), regex(path).replace("\\*", "[^/]+"))
}
