//! Redirects: which paths lead to others, permanently (301).

use std::collections::HashSet;

use crate::model::{Access, Diagnostic, Report, Status};
use crate::site::{Snapshot, paths};

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
/// `taken` answers every path with a document, without its last slash.
pub fn redirects(
    snapshot: &Snapshot,
    taken: impl Fn() -> HashSet<String>,
    report: &mut Report,
) -> Vec<Redirect> {
    if snapshot.config.access != Access::Public {
        return Vec::new();
    }
    let (former, ids) = former_paths(snapshot, taken, report);
    let mut redirects: Vec<Redirect> = Vec::with_capacity(former.len() + ids.len() + 2);
    for mut group in [former, ids] {
        group.sort();
        redirects.append(&mut group);
    }
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

/// The redirects from former paths, and those from ids.
fn former_paths(
    snapshot: &Snapshot,
    taken_paths: impl Fn() -> HashSet<String>,
    report: &mut Report,
) -> (Vec<Redirect>, Vec<Redirect>) {
    let (mut former, mut ids) = (Vec::new(), Vec::new());
    let mut taken = None;
    for entry in snapshot.entries.iter().filter(|entry| entry.is_public()) {
        let to = paths::item(&entry.segment);
        ids.push(Redirect {
            from: paths::item(entry.item.id.as_str()),
            to: to.clone(),
        });
        for alias in &entry.item.aliases {
            former.push(Redirect {
                from: paths::item(alias.as_str()),
                to: to.clone(),
            });
        }
        for text in &entry.item.former_paths {
            let taken = taken.get_or_insert_with(&taken_paths);
            match former_path(text) {
                Some(from) if !taken.contains(from.trim_end_matches('/')) => {
                    former.push(Redirect {
                        from,
                        to: to.clone(),
                    });
                }
                found => {
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
    (former, ids)
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
