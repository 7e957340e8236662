//! Resolves links between content files to the pages they become.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::paths;
use super::snapshot::{Entry, PageEntry};
use crate::model::{Config, Content, LinkTarget, url};

/// Replaces every placeholder of a content file by the URL of its page.
pub fn resolve(config: &Config, entries: &mut [Entry], pages: &mut [PageEntry]) {
    let named = |content: &Content| {
        content
            .links
            .iter()
            .any(|link| matches!(link.target, LinkTarget::File(_)))
    };
    if !entries.iter().any(|entry| named(&entry.item.content))
        && !pages.iter().any(|entry| named(&entry.page.content))
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
    for entry in entries {
        resolve_content(
            config,
            &mut entry.item.content,
            &mut entry.fingerprint,
            &targets,
        );
    }
    for entry in pages {
        resolve_content(
            config,
            &mut entry.page.content,
            &mut entry.fingerprint,
            &targets,
        );
    }
}

fn resolve_content(
    config: &Config,
    content: &mut Content,
    fingerprint: &mut u64,
    targets: &HashMap<String, String>,
) {
    let mut files: Vec<&str> = Vec::new();
    for link in &content.links {
        if let LinkTarget::File(file) = &link.target
            && !files.contains(&file.as_str())
        {
            files.push(file.as_str());
        }
    }
    // The longest first: one path may be the start of another.
    files.sort_by_key(|file| std::cmp::Reverse(file.len()));
    for file in files {
        let placeholder = format!("{}{}", LinkTarget::SCHEME, url::encode_path(file));
        // A file that became no page, a section page of another generator for example, leads to nothing
        // better than the home page; `check` names such links.
        let home = || config.url("/");
        let target = targets.get(file).cloned().unwrap_or_else(home);
        content.html = content.html.replace(&placeholder, &target);
        *fingerprint = xxh3_64_with_seed(target.as_bytes(), *fingerprint);
    }
}
