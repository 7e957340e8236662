//! Resolves links between content files to the pages they become.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::paths;
use super::snapshot::{Entry, PageEntry};
use crate::model::{Channel, Config, ContentLink, LinkTarget, url};

/// Replaces every placeholder of a content file by the URL of its page.
pub fn resolve(
    config: &Config,
    channel: &mut Channel,
    entries: &mut [Entry],
    pages: &mut [PageEntry],
) {
    if !names_file(&channel.links)
        && !entries
            .iter()
            .any(|entry| names_file(&entry.item.content.links))
        && !pages
            .iter()
            .any(|entry| names_file(&entry.page.content.links))
    {
        return;
    }
    let items = entries.iter().map(|entry| {
        (
            entry.item.source.as_str().to_owned(),
            config.url(&paths::item(&entry.segment)),
        )
    });
    let standing = pages.iter().filter_map(|entry| {
        let source = entry.page.source.as_ref()?;
        Some((
            source.as_str().to_owned(),
            config.url(&paths::page(entry.page.slug.as_str())),
        ))
    });
    let targets: HashMap<String, String> = items.chain(standing).collect();
    let resolve_in = |html: &mut String, links: &[ContentLink], fingerprint: &mut u64| {
        for (placeholder, target) in resolved(links, config, &targets) {
            *html = html.replace(&placeholder, &target);
            *fingerprint = xxh3_64_with_seed(target.as_bytes(), *fingerprint);
        }
    };
    // The channel is part of what every document depends on: it needs no fingerprint of its own.
    resolve_in(&mut channel.description_html, &channel.links, &mut 0);
    for entry in entries {
        let content = &mut entry.item.content;
        resolve_in(&mut content.html, &content.links, &mut entry.fingerprint);
    }
    for entry in pages {
        let content = &mut entry.page.content;
        resolve_in(&mut content.html, &content.links, &mut entry.fingerprint);
    }
}

fn names_file(links: &[ContentLink]) -> bool {
    links
        .iter()
        .any(|link| matches!(link.target, LinkTarget::File(_)))
}

/// The placeholders of these links with what to write for each, the longest first: one path may be
/// the start of another. A file that became no page keeps its path, which `check` warns of.
fn resolved(
    links: &[ContentLink],
    config: &Config,
    targets: &HashMap<String, String>,
) -> Vec<(String, String)> {
    let mut files: Vec<&str> = Vec::new();
    for link in links {
        if let LinkTarget::File(file) = &link.target
            && !files.contains(&file.as_str())
        {
            files.push(file.as_str());
        }
    }
    files.sort_by_key(|file| std::cmp::Reverse(file.len()));
    files
        .into_iter()
        .map(|file| {
            let placeholder = format!("{}{}", LinkTarget::SCHEME, url::encode_path(file));
            let target = targets.get(file).cloned();
            (
                placeholder,
                target.unwrap_or_else(|| config.url(&format!("/{file}"))),
            )
        })
        .collect()
}
