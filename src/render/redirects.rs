//! Redirects: which paths lead to others, permanently (301).

use std::collections::HashSet;

use super::public::Public;
use crate::model::{Access, Diagnostic, Report, Status};
use crate::site::paths;

/// A path that leads to another one, permanently (301).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Redirect {
    /// The path, not percent-encoded.
    pub from: String,
    /// The path it leads to, not percent-encoded.
    pub to: String,
}

/// Ids and aliases lead to the item's page; former paths of Pages and of other generators to theirs.
/// Aliases come before ids, so that a host that reads only so many reads what authors wrote.
pub fn redirects(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let snapshot = public.snapshot;
    if snapshot.config.access != Access::Public {
        return Vec::new();
    }
    let public_items = || snapshot.entries.iter().filter(|entry| entry.is_public());
    let ids = public_items().map(|entry| Redirect {
        from: paths::item(entry.item.id.as_str()),
        to: paths::item(&entry.segment),
    });
    let aliases = public_items().flat_map(|entry| {
        let aliases = entry.item.aliases.iter();
        aliases.map(|alias| Redirect {
            from: paths::item(alias.as_str()),
            to: paths::item(&entry.segment),
        })
    });
    let mut former = former(public, report);
    former.extend(aliases);
    former.sort();
    let mut ids: Vec<Redirect> = ids.collect();
    ids.sort();
    former.append(&mut ids);
    let mut redirects = former;
    let mut known = HashSet::with_capacity(redirects.len());
    redirects
        .retain(|redirect| redirect.from != redirect.to && known.insert(redirect.from.clone()));
    redirects.push(Redirect {
        from: "/json/".into(),
        to: paths::json_feed(1),
    });
    if snapshot.config.feed.rss {
        redirects.push(Redirect {
            from: "/rss/".into(),
            to: paths::rss(1),
        });
    }
    redirects
}

/// The redirects from former paths of Pages and of other generators, sorted.
pub fn former(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let snapshot = public.snapshot;
    let mut former = Vec::new();
    for entry in snapshot.entries.iter().filter(|entry| entry.is_public()) {
        for text in &entry.item.former_paths {
            let found = former_path(text);
            if let Some(from) = found.as_ref().filter(|from| !is_taken(public, from)) {
                former.push(Redirect {
                    from: from.clone(),
                    to: paths::item(&entry.segment),
                });
                continue;
            }
            let what = match found {
                Some(_) => "is an address of this site now",
                None => "cannot be published",
            };
            report.push(
                Diagnostic::warning(format!("the former path {text} {what}"))
                    .file(entry.item.source.to_string())
                    .help("remove it from the front matter: it stands in `aliases`, `redirect_from`, `permalink` or `url`"),
            );
        }
    }
    for entry in snapshot
        .pages
        .iter()
        .filter(|entry| entry.status != Status::Unpublished)
    {
        for alias in &entry.page.aliases {
            former.push(Redirect {
                from: paths::page(alias.as_str()),
                to: paths::page(entry.page.slug.as_str()),
            });
        }
    }
    former.sort();
    former
}

/// Whether a document stands at a path, with or without a slash at its end.
fn is_taken(public: &Public<'_>, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    matches!(path, "/json" | "/rss")
        || public.find(path).is_some()
        || public.find(&format!("{path}/")).is_some()
}

/// A former path as a request has it, percent-decoded. None where no static host can match it: a query, or no path of a site.
fn former_path(text: &str) -> Option<String> {
    let path = percent_encoding::percent_decode_str(text)
        .decode_utf8()
        .ok()?
        .into_owned();
    let inner = path.trim_matches('/');
    let valid = !text.contains(['?', '#'])
        && !path.chars().any(char::is_control)
        && crate::model::SitePath::parse(inner).is_some();
    valid.then(|| match path.ends_with('/') {
        true => format!("/{inner}/"),
        false => format!("/{inner}"),
    })
}
