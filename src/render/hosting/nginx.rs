//! The file `feedwright.nginx.conf`, an include for a `server` block.
//!
//! nginx sorts `location =` blocks into a tree at startup, so 10,000 of them do not slow down
//! requests. A `map` would need to be outside the `server` block.

use std::fmt::Write;

use super::rules::POLICY;
use super::{HostingFacts, inert_extensions_regex, pattern, quoted, rules};

/// Returns the file that a server block includes.
pub fn file(site: &HostingFacts) -> String {
    let mut out = String::from(
        "# Include this inside the server block whose root contains the site.\n\
         # Redirects are relative, so they also work behind a proxy.\nabsolute_redirect off;\n",
    );
    if site.precompressed {
        out.push_str("gzip_static on;\ngzip_vary on;\n");
    }
    if site.has_pages {
        // Answer 404 instead of 403 for a folder without a page.
        let page = quoted(&site.path("/404.html"));
        let _ = writeln!(out, "error_page 404 {page};\nerror_page 403 =404 {page};");
        for mount in &site.mounts {
            let folder = quoted(&site.path(&format!("{mount}/")));
            let page = quoted(&site.path(&format!("{mount}/404.html")));
            let _ = writeln!(
                out,
                "location {folder} {{ error_page 404 {page}; error_page 403 =404 {page}; }}"
            );
        }
    }
    // A location with its own fields does not inherit these.
    let fields = fields(site);
    if !fields.is_empty() {
        let _ = writeln!(out, "{}", fields.trim_start());
    }
    documents(site, &mut out, &fields);
    folders(site, &mut out, &fields);
    for redirect in &site.redirects {
        let _ = writeln!(
            out,
            "location = {} {{ return 301 \"{}$is_args$args\"; }}",
            quoted(&site.path(&redirect.from)),
            site.location(&redirect.to).replace('$', "%24")
        );
    }
    out
}

/// Returns the directives for the fields of every document, with a leading space.
fn fields(site: &HostingFacts) -> String {
    let fields = site.fields.iter();
    fields.map(|(name, value)| format!(" add_header {name} {};", quoted(value))).collect()
}

fn documents(site: &HostingFacts, out: &mut String, fields: &str) {
    for typed in &site.types {
        // `types {}` ignores the extension, so that `default_type` applies.
        let (media_type, charset) = match typed.media_type.split_once(';') {
            Some((text, _)) => (text, format!(" charset utf-8; charset_types {text};")),
            None => (typed.media_type, String::new()),
        };
        let _ = writeln!(
            out,
            "location {} {{ types {{}} default_type {media_type};{charset} add_header Access-Control-Allow-Origin *;{fields} }}",
            matcher(site, &typed.path)
        );
    }
    for rewrite in &site.rewrites {
        let part = |path: &str| path.split_once('*').map(|(_, end)| end.to_owned());
        let (from, to) = match (part(&rewrite.from), part(&rewrite.to)) {
            (Some(from), Some(to)) => (format!("^(.*){from}$"), format!("$1{to}")),
            _ => ("^".to_owned(), site.path(&rewrite.to)),
        };
        let _ = writeln!(
            out,
            "location {} {{ rewrite {} {} last; }}",
            matcher(site, &rewrite.from),
            quoted(&from),
            quoted(&to)
        );
    }
}

fn folders(site: &HostingFacts, out: &mut String, fields: &str) {
    let all = format!(
        "add_header Access-Control-Allow-Origin *; add_header X-Content-Type-Options nosniff; add_header Cache-Control \"{}\";{fields}",
        rules::MEDIA_CACHE
    );
    // A nested block does not inherit headers.
    let _ = writeln!(
        out,
        "location ^~ {} {{\n\t{all} add_header Content-Security-Policy \"{POLICY}\";",
        quoted(&site.path("/media/"))
    );
    for (ending, media_type) in rules::MEDIA {
        let _ =
            writeln!(out, "\tlocation ~ \"\\.{ending}$\" {{ default_type {media_type}; {all} }}");
    }
    let _ = writeln!(out, "\tlocation ~* \"{}$\" {{ {all} }}", inert_extensions_regex());
    out.push_str("}\n");
    for folder in &site.immutable {
        let _ = writeln!(
            out,
            "location ^~ {} {{ add_header Cache-Control \"{}\";{fields} }}",
            quoted(&site.path(folder)),
            rules::IMMUTABLE
        );
    }
    // Set the charset of text files such as llms.txt.
    let _ = writeln!(
        out,
        "location ~ {} {{ charset utf-8; }}",
        quoted(&format!("^{}/[^/]+\\.txt$", site.base_regex()))
    );
    // A former address has no folder, so nginx would not add a missing slash.
    let _ = writeln!(
        out,
        "location ~ {} {{ rewrite \"^(.*)$\" \"$1/\" permanent; }}",
        quoted(&format!("^{}/i/[^/]+$", site.base_regex()))
    );
}

fn matcher(site: &HostingFacts, path: &str) -> String {
    if path.contains('*') {
        format!("~ {}", quoted(&pattern(&site.base, path)))
    } else {
        format!("= {}", quoted(&site.path(path)))
    }
}
