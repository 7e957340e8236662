//! Finds the template or content file that wrote a broken link.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::document::broken_in_text;
use super::style_sheets::broken_in_style_sheets;
use super::theme_location::ThemeLocation;
use super::{AddressOrigin, Broken, Fault, Link, find_broken};
use crate::Site;
use crate::broken_links::UnreadableFiles;
use model::{Diagnostic, FileReport, Report, Rule, Severity, SitePath, Source, url};
use render::{Document, Origin, Route};
use site::paths;
use source::channel_file::channel_file;
use source::text::read_text;

/// Returns warnings about broken links in published documents. Reports each link once, with the
/// file that contains the link. Diagnostics in `known` are not repeated.
pub fn page_links(root: &Path, site: &Site, known: &Report) -> Vec<Diagnostic> {
    let faulty = known.faulty_files();
    let unreadable = UnreadableFiles::of(site, &faulty);
    let theme_location = ThemeLocation {
        root: Some(root),
        folder: format!("themes/{}", site.snapshot.config.theme),
        theme: &site.theme,
    };
    let mut faults = Faults::default();
    for broken in find_broken(site) {
        if !unreadable.may_have_path(&broken.link.target.path) {
            faults.add(site, &theme_location, &broken);
        }
    }
    for (file, link) in links_without_page(root, site) {
        faults.add_content(&file, &link, Fault::Path);
    }
    faults.style_sheets.extend(broken_in_style_sheets(site, &theme_location));
    let is_known = |one: &Diagnostic, path: &str| {
        known.iter().any(|other| {
            // A missing asset was already reported for the theme package.
            let is_of_package = other.rule == Some(Rule::ThemePackage) && other.line == one.line;
            // A link to a draft has a separate warning, and a file with an error has no page yet.
            let is_cause =
                other.severity == Severity::Error || other.rule == Some(Rule::LinkToHidden);
            other.file == one.file && (is_cause || is_of_package || other.message.contains(path))
        })
    };
    faults.finish(root, |one, path| (!is_known(&one, path)).then_some(one))
}

/// Returns warnings about broken links in the pages of a theme that is tested without a site
/// folder. `folder` is the theme's folder, as shown in messages.
pub fn template_links(site: &Site, folder: &str) -> Vec<Diagnostic> {
    let theme_location =
        ThemeLocation { root: None, folder: folder.to_owned(), theme: &site.theme };
    let mut faults = Faults::default();
    for broken in find_broken(site) {
        if matches!(broken.link.address_origin, AddressOrigin::Template(Some(_), ..)) {
            faults.add(site, &theme_location, &broken);
        }
    }
    faults.style_sheets.extend(broken_in_style_sheets(site, &theme_location));
    faults.finish(Path::new(""), |one, _| Some(one))
}

/// Returns broken links in the channel's description and in events, which have no pages.
fn links_without_page(root: &Path, site: &Site) -> Vec<(SitePath, Link)> {
    let snapshot = &site.snapshot;
    let mut found = Vec::new();
    let mut add = |file: &SitePath, html: &str| {
        let links = broken_in_text(site, &paths::home(1), html);
        found.extend(links.into_iter().map(|link| (file.clone(), link)));
    };
    if let Some(file) = channel_file(root, &snapshot.config.content) {
        add(&file, &snapshot.channel.description_html);
    }
    for event in snapshot.calendars.bodies() {
        add(&event.source, &event.content.body().html);
        event.content.release_reread_body();
    }
    found
}

/// The position in a file that produced a broken link, and the fault. The text of a template
/// produces the same address in every document. A value may differ between documents, so the
/// position includes the value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LinkPosition {
    file: SitePath,
    at: Option<usize>,
    fault: Fault,
    value: Option<String>,
}

/// A broken link to report.
struct ReportedLink {
    link: Link,
    /// Text of the file, if it is in memory.
    text: Option<String>,
    /// Path of a document with the link.
    document: Option<String>,
    /// Number of further documents with the link.
    more: usize,
}

/// Broken links, by the positions that produced them.
#[derive(Default)]
struct Faults {
    reported: BTreeMap<LinkPosition, ReportedLink>,
    /// The first position of each value that is a broken link. Other templates that output the same
    /// value are not reported.
    values: HashMap<(String, Fault), LinkPosition>,
    style_sheets: Vec<Diagnostic>,
}

impl Faults {
    fn add(&mut self, site: &Site, theme_location: &ThemeLocation<'_>, broken: &Broken<'_>) {
        let Broken { document, link, fault } = broken;
        match &link.address_origin {
            AddressOrigin::Content => {
                if let Some(file) = content_file(site, document) {
                    self.add_content(&file, link, *fault);
                }
            }
            AddressOrigin::Template(file, at, origin) => {
                let found = match (file, document.document.inner()) {
                    (Some(file), _) => theme_location.template(file),
                    (None, Document::SiteFile(file)) => {
                        let file = &site.snapshot.site_files[*file];
                        Some((file.source.clone(), file.template.as_str()))
                    }
                    (None, _) => None,
                };
                let Some((file, text)) = found else { return };
                let value = (*origin == Origin::Value).then(|| link.address.clone());
                let (at, fault) = (Some(*at), *fault);
                let place = LinkPosition { file, at, fault, value: value.clone() };
                let place = match value {
                    Some(value) => self.values.entry((value, fault)).or_insert(place).clone(),
                    None => place,
                };
                let reported = self.reported.entry(place).or_insert_with(|| ReportedLink {
                    link: link.clone(),
                    text: Some(text.to_owned()),
                    document: None,
                    more: 0,
                });
                match reported.document {
                    None => reported.document = Some(document.path.clone()),
                    Some(_) => reported.more += 1,
                }
            }
        }
    }

    fn add_content(&mut self, file: &SitePath, link: &Link, fault: Fault) {
        let place =
            LinkPosition { file: file.clone(), at: None, fault, value: Some(link.address.clone()) };
        self.reported.entry(place).or_insert_with(|| ReportedLink {
            link: link.clone(),
            text: None,
            document: None,
            more: 0,
        });
    }

    /// Converts the faults to diagnostics, filtered by `keep` and ordered by file. `keep` also
    /// receives the missing path or id.
    fn finish(
        self,
        root: &Path,
        keep: impl Fn(Diagnostic, &str) -> Option<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let mut files: Vec<(SitePath, FileReport)> = Vec::new();
        for (place, reported) in self.reported {
            let found = diagnostic(root, &place, &reported);
            let named = match (place.fault, &reported.link.target.anchor) {
                (Fault::Anchor, Some(anchor)) => format!("#{anchor}"),
                _ => reported.link.target.path.clone(),
            };
            let Some(found) = keep(found, &named) else {
                continue;
            };
            if files.last().is_none_or(|(file, _)| *file != place.file) {
                files.push((place.file, FileReport::default()));
            }
            if let Some((_, report)) = files.last_mut() {
                report.add(Severity::Warning, || found);
            }
        }
        let reports = files.into_iter();
        let reports = reports.flat_map(|(file, report)| report.finish(file.as_str()));
        reports.chain(self.style_sheets).collect()
    }
}

/// Returns the content file of the body that the page shows.
fn content_file(site: &Site, route: &Route) -> Option<SitePath> {
    let (snapshot, document) = route.document.in_snapshot(&site.snapshot);
    match *document {
        Document::Item(at) => Some(snapshot.entries.get(at)?.item.source.clone()),
        Document::Page(at) => snapshot.pages.get(at)?.page.source.clone(),
        Document::NotFound => snapshot.not_found.page.source.clone(),
        _ => None,
    }
}

fn diagnostic(root: &Path, place: &LinkPosition, reported: &ReportedLink) -> Diagnostic {
    let target = &reported.link.target;
    let (rule, message) = match (place.fault, &target.anchor) {
        (Fault::Anchor, Some(anchor)) => (
            Rule::DeadAnchor,
            format!("broken link: {} has no element with the id {anchor:?}", target.path),
        ),
        _ => (Rule::DeadLink, format!("broken link: the site has nothing at {}", target.path)),
    };
    let mut help = "correct the address".to_owned();
    if let Some(document) = &reported.document {
        let more = match reported.more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        help = format!("{help}; found in {document}{more}");
    }
    let warning = Diagnostic::warning(rule, message).help(help);
    let read;
    let text = match &reported.text {
        Some(text) => text,
        None => {
            read = read_text(root, &place.file).unwrap_or_default();
            &read
        }
    };
    let source = Source { path: &place.file, text };
    match place.at.or_else(|| offset_of(text, &reported.link)) {
        Some(at) => warning.at(source, at),
        None => warning.file(place.file.as_str()),
    }
}

/// Returns the byte offset of a link in the text of a content file.
fn offset_of(text: &str, link: &Link) -> Option<usize> {
    let path = url::split_suffix(&link.address).0;
    let own = url::encode_path(&link.target.path);
    let anchor = link.target.anchor.as_ref().map(|anchor| format!("#{anchor}"));
    let spellings = [Some(link.address.as_str()), anchor.as_deref(), Some(path), Some(&own)];
    let mut spellings = spellings.into_iter().flatten();
    spellings.find_map(|spelling| text.find(spelling).filter(|_| !spelling.is_empty()))
}
