//! Selection of the content files in a folder.

use std::collections::HashSet;

use super::calendar::describes_calendar;
use super::listing::in_walk_order;
use model::{Diagnostic, Rule, SitePath};

/// Returns the files of calendars: events, and the `calendar.toml` of each calendar. Also returns
/// warnings about all other files.
pub fn calendar_files(files: &[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>) {
    let (events, mut found) = content_files(files);
    let described = files.iter().filter(|path| describes_calendar(path));
    let mut all: Vec<SitePath> = events.into_iter().chain(described.cloned()).collect();
    all.sort_by(in_walk_order);
    let is_like_one = |path: &&SitePath| {
        let extension = path.extension();
        matches!(extension.as_str(), "toml" | "yaml" | "yml") && !describes_calendar(path)
    };
    let others = files.iter().filter(is_like_one).map(|path| {
        Diagnostic::warning(
            Rule::StrayFile,
            "this file is ignored: it is neither an event nor calendar.toml",
        )
        .file(path.as_str())
        .help("write an event as a .md file, with its fields as front matter")
    });
    found.extend(others);
    (all, found)
}

/// Returns the files of items. Also returns warnings, like [`content_files`].
pub fn item_files(files: &[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>) {
    let (mut content, found) = content_files(files);
    content.retain(|path| path.section_folder().is_none());
    (content, found)
}

/// Returns the files of pages: sections among `items`, and all content files among `pages`.
pub fn page_files(items: &[SitePath], pages: &[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>) {
    let sections = items.iter().filter(|path| path.section_folder().is_some()).cloned();
    let (content, found) = content_files(pages);
    (sections.chain(content).collect(), found)
}

/// Returns the content files: Markdown files, `index.html` files, and HTML files outside the
/// folders of `index` files. Also returns warnings about files that look like content but are not
/// read.
pub fn content_files(files: &[SitePath]) -> (Vec<SitePath>, Vec<Diagnostic>) {
    let folders: HashSet<&str> = files
        .iter()
        .filter(|path| matches!(path.file_name(), "index.md" | "index.html"))
        .filter_map(SitePath::parent)
        .collect();
    let (mut content, mut found) = (Vec::new(), Vec::new());
    for path in files {
        let extension = path.extension();
        let medium = extension == "html"
            && path.file_name() != "index.html"
            && path.parent().is_some_and(|folder| {
                let ends = folder.match_indices('/').map(|(end, _)| end);
                ends.chain([folder.len()]).any(|end| folders.contains(&folder[..end]))
            });
        if matches!(extension.as_str(), "markdown" | "mdown" | "mkd" | "mdx") {
            found.push(
                Diagnostic::warning(
                    Rule::StrayFile,
                    format!("this file is ignored, because its name ends in .{extension}"),
                )
                .file(path.as_str())
                .help("rename it to end in .md or .html"),
            );
        }
        if (extension != "md" && extension != "html") || medium {
            continue;
        }
        if path.file_name() == "_index.md" {
            found.push(
                Diagnostic::warning(
                    Rule::StrayFile,
                    "this section page of another generator is ignored",
                )
                .file(path.as_str())
                .help("rename it to section.md in a folder of items, or remove it"),
            );
            continue;
        }
        content.push(path.clone());
    }
    (content, found)
}
