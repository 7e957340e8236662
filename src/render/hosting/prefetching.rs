//! The rules by which browsers prefetch pages (Speculation Rules).

use serde_json::json;

use super::vercel::literal;

/// The file with the rules. A header of every page names it, because a strict content security
/// policy forbids such rules in HTML.
pub const PREFETCHING: &str = "speculation-rules.json";

/// Returns the content of the file: when a visitor points at a link to a page of the site, browsers
/// prefetch the page.
pub fn rules(base: &str) -> String {
    let base = literal(base);
    let rules = json!({ "prefetch": [{
        "where": { "and": [
            { "href_matches": [format!("{base}/"), format!("{base}/*/")] },
            { "not": { "href_matches": [
                format!("{base}/api/*"),
                // Feeds.
                format!("{base}/rss/"), format!("{base}/*/rss/"),
                format!("{base}/json/"), format!("{base}/*/json/"),
            ] } },
            { "not": { "selector_matches": "[download], [rel~=nofollow], [target=_blank]" } },
        ] },
        "eagerness": "moderate",
    }] });
    format!("{rules:#}\n")
}
