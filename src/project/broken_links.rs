//! Finds broken links, once every public path is known.

use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::ptr;

use super::Site;
use model::content_folder::{ITEMS, PAGES};
use model::{
    Content, ContentFolder, ContentLink, Diagnostic, FileReport, LinkTarget, Rule, Severity,
    SitePath, Source, Status,
};
use render::PathAnswer;
use site::{Snapshot, local_path};
use source::channel_file::{channel_file, is_channel};
use source::fields::nearest;
use source::html::anchors;
use source::reference::publish;
use source::text::read_text;

/// Returns warnings for broken links between content files and to public paths. Links to and from
/// `faulty` files are skipped, because the addresses and anchors of these files are unknown until
/// they are fixed.
pub fn broken_links(root: &Path, site: &Site, faulty: &HashSet<&str>) -> Vec<Diagnostic> {
    if site.snapshot.with_shows().all(Snapshot::has_no_links) {
        return Vec::new();
    }
    let items = site
        .snapshot
        .entries
        .iter()
        .map(|entry| (Some(&entry.item.source), &entry.item.content.links));
    let folders: Vec<&Snapshot> = site.snapshot.with_shows().collect();
    let pages = folders.iter().flat_map(|own| own.all_pages());
    let pages = pages.map(|entry| (entry.page.source.as_ref(), &entry.page.content.links));
    let events = folders.iter().flat_map(|own| own.calendars.bodies());
    let events = events.map(|event| (Some(&event.source), &event.content.links));
    let channels: Vec<Option<SitePath>> =
        folders.iter().map(|own| channel_file(root, &own.config.content)).collect();
    let channel = channels.iter().zip(&folders);
    let channel = channel.map(|(file, own)| (file.as_ref(), &own.channel.links));
    let target = LinkTargets {
        site,
        sources: OnceCell::new(),
        unknown: UnreadableFiles::of(site, faulty),
        faulty,
        anchors: RefCell::default(),
        theme_anchors: OnceCell::new(),
        suggestions: Cell::new(0),
    };
    let mut found = Vec::new();
    for (source, links) in items.chain(pages).chain(events).chain(channel) {
        let Some(source) = source else { continue };
        if faulty.contains(source.as_str()) {
            continue;
        }
        let text = LazyCell::new(|| read_text(root, source).unwrap_or_default());
        let mut linked_content = FileReport::default();
        for link in links {
            let Some((rule, message, help)) = target.fault(source, link) else {
                continue;
            };
            linked_content.add(Severity::Warning, || {
                let file = Source { path: source, text: &text };
                let warning = Diagnostic::warning(rule, message).at(file, link.offset);
                warning.help(help)
            });
        }
        found.extend(linked_content.finish(source.as_str()));
    }
    found
}

/// Whether the site has items or pages that could not be read, so that their addresses are unknown.
pub(super) struct UnreadableFiles {
    items: bool,
    pages: bool,
}

impl UnreadableFiles {
    pub(super) fn of(site: &Site, faulty: &HashSet<&str>) -> Self {
        if faulty.is_empty() {
            return Self { items: false, pages: false };
        }
        let items = site.snapshot.entries.iter();
        let items = items.map(|entry| entry.item.source.as_str());
        let pages = site.snapshot.with_shows().flat_map(|own| &own.pages);
        let pages = pages.filter_map(|entry| entry.page.source.as_ref());
        let known: HashSet<&str> = items.chain(pages.map(SitePath::as_str)).collect();
        let below = |folder: &str| {
            let is_below = |file: &str| ContentFolder::inner(folder, file).is_some();
            faulty.iter().any(|file| is_below(file) && !known.contains(file))
        };
        Self { items: below(ITEMS), pages: below(PAGES) }
    }

    /// Returns whether an unreadable file may have this public path.
    pub(super) fn may_have_path(&self, path: &str) -> bool {
        if path.starts_with("/i/") || path.starts_with("/tags/") {
            self.items
        } else {
            self.pages && !path.starts_with("/media/")
        }
    }
}

/// All possible targets of links.
struct LinkTargets<'s> {
    site: &'s Site,
    /// Content of public items and pages, by file.
    sources: OnceCell<HashMap<&'s str, &'s Content>>,
    faulty: &'s HashSet<&'s str>,
    unknown: UnreadableFiles,
    /// Anchors of bodies, by the memory address of the body. The anchors of a body are collected
    /// when the first link refers to one of them.
    anchors: RefCell<HashMap<*const Content, HashSet<String>>>,
    theme_anchors: OnceCell<HashSet<String>>,
    /// Number of searches for a similar name.
    suggestions: Cell<usize>,
}

/// Maximum number of searches for a similar name.
const MAX_SUGGESTIONS: usize = 200;

/// Rule, message and help of a warning about a link.
type Fault = (Rule, String, String);

impl<'s> LinkTargets<'s> {
    /// Returns the snapshot with the texts of all shows.
    fn network(&self) -> &'s Snapshot {
        self.site.snapshot.whole_network()
    }

    fn sources(&self) -> &HashMap<&'s str, &'s Content> {
        let snapshot = self.network();
        self.sources.get_or_init(|| {
            let items = snapshot.entries.iter().filter(|entry| entry.is_public());
            let items = items.map(|entry| (entry.item.source.as_str(), &entry.item.content));
            let pages = snapshot.with_shows().flat_map(|own| own.all_pages());
            let pages = pages.filter_map(|entry| {
                let source = entry.page.source.as_ref()?;
                Some((source.as_str(), &entry.page.content))
            });
            items.chain(pages).collect()
        })
    }

    /// Returns the fault of a link in the file `source`, if there is one.
    fn fault(&self, source: &SitePath, link: &ContentLink) -> Option<Fault> {
        let content = match &link.target {
            LinkTarget::File(file) => match self.linked_content(file.as_str()) {
                Ok(content) => content,
                Err(fault) => return fault,
            },
            LinkTarget::Name(name) => match *self.network().files_named_for(source, name) {
                [file] => match self.linked_content(file) {
                    Ok(content) => content,
                    Err(fault) => return fault,
                },
                [] => return self.no_such_name(name),
                [first, second, ..] => {
                    let message =
                        format!("ambiguous link: {name:?} is the name of {first} and of {second}");
                    let path = local_path(first).trim_start_matches("content/");
                    let help = format!("write the path of the file you mean: [[{path}]]");
                    return Some((Rule::DeadLink, message, help));
                }
            },
            LinkTarget::Path(path) => match self.site.find(path) {
                Some(found) => self.content(found),
                None if self.unknown.may_have_path(path) => return None,
                None => return Some(self.no_such_path(path)),
            },
            LinkTarget::Here => self.sources().get(source.as_str()).copied(),
            LinkTarget::Word(_) => None,
        };
        self.no_such_anchor(link, content?)
    }

    /// Returns the content of a public file. Returns `None` for the channel, because its page also
    /// has anchors from other sources. The error is the fault of a link to the file, or `None` for
    /// a file with errors, because links to such files are skipped.
    fn linked_content(&self, file: &str) -> Result<Option<&'s Content>, Option<Fault>> {
        match self.sources().get(file) {
            Some(content) => Ok(Some(*content)),
            None if is_channel(file) => Ok(None),
            None if self.faulty.contains(file) => Err(None),
            None => {
                let message = format!("this link points to {file}, which is not published");
                Err(Some((Rule::LinkToHidden, message, self.hidden_reason(file).into())))
            }
        }
    }

    /// Returns advice for a link to a file that is not public.
    fn hidden_reason(&self, file: &str) -> &'static str {
        let snapshot = self.network();
        let items = snapshot.entries.iter().map(|entry| &entry.item);
        let items = items.map(|item| (Some(&item.source), item.status));
        let pages = snapshot.with_shows().flat_map(|own| &own.pages).map(|entry| &entry.page);
        let pages = pages.map(|page| (page.source.as_ref(), page.status));
        let mut all = items.chain(pages);
        match all.find(|(source, _)| source.is_some_and(|source| source.as_str() == file)) {
            Some((_, Status::Unpublished)) => "publish the draft, or remove the link",
            Some(_) => "remove the link until the publication date of the file",
            None => "correct the link",
        }
    }

    fn no_such_name(&self, name: &str) -> Option<Fault> {
        if self.unknown.items || self.unknown.pages {
            return None;
        }
        let snapshot = self.network();
        let items = snapshot.entries.iter();
        let items = items.flat_map(|entry| [&*entry.item.title, entry.segment.as_str()]);
        let pages = snapshot.with_shows().flat_map(|own| &own.pages);
        let pages = pages.flat_map(|entry| [&*entry.page.title, entry.page.slug.as_str()]);
        // Searching for similar names is slow, and notes from another program may contain many
        // broken links.
        let may_ask = self.suggestions.get() < MAX_SUGGESTIONS;
        self.suggestions.set(self.suggestions.get() + 1);
        let names: Vec<&str> = items.chain(pages).filter(|_| may_ask).collect();
        let help = match nearest(name, &names) {
            Some(near) => format!("did you mean [[{near}]]?"),
            None => {
                "write the title, the file name, or the last part of the address of an item or page"
                    .into()
            }
        };
        Some((
            Rule::DeadLink,
            format!("broken link: no file, item or page is called {name:?}"),
            help,
        ))
    }

    fn no_such_path(&self, path: &str) -> Fault {
        let message = format!("broken link: the site has nothing at {path}");
        let lower = path.to_lowercase();
        let help = if lower != path && self.site.find(&lower).is_some() {
            format!("write {lower}: paths are case-sensitive")
        } else if let Some(file) = path.strip_prefix('/')
            && file.starts_with("content/")
            && let Some(file) = SitePath::parse(file)
        {
            let public = publish(file).path;
            format!("write {public}: paths that start with / are paths of the published site")
        } else {
            "correct the link".into()
        };
        (Rule::DeadLink, message, help)
    }

    /// Returns the body of the page at a path, or `None` if the page may also have anchors from
    /// other sources.
    fn content(&self, found: PathAnswer) -> Option<&'s Content> {
        let snapshot = &self.site.snapshot;
        match found {
            PathAnswer::Document(document) => {
                let item = document.item(snapshot).map(|entry| &entry.item.content);
                item.or_else(|| document.page(snapshot).map(|entry| &entry.page.content))
            }
            PathAnswer::Redirect(to) => match self.site.find(&to)? {
                document @ PathAnswer::Document(_) => self.content(document),
                PathAnswer::Redirect(_) => None,
            },
        }
    }

    fn no_such_anchor(&self, link: &ContentLink, content: &Content) -> Option<Fault> {
        let anchor = link.anchor.as_deref()?;
        let mut all = self.anchors.borrow_mut();
        let own =
            all.entry(ptr::from_ref(content)).or_insert_with(|| anchors(&content.body().html));
        if own.contains(anchor) || self.theme_anchors().contains(anchor) {
            return None;
        }
        let names: Vec<&str> = own.iter().map(String::as_str).collect();
        let help = match nearest(anchor, &names) {
            Some(near) => format!("did you mean #{near}?"),
            None => "write the words of the heading, joined by hyphens; {#name} after a heading sets another anchor".into(),
        };
        let message = match &link.target {
            LinkTarget::Here => format!("broken link: this page has no anchor #{anchor}"),
            _ => format!("broken link: the linked page has no anchor #{anchor}"),
        };
        Some((Rule::DeadAnchor, message, help))
    }

    /// Returns the anchors that the theme's templates may add around a body.
    fn theme_anchors(&self) -> &HashSet<String> {
        self.theme_anchors.get_or_init(|| {
            let theme = &self.site.theme;
            let partials = theme.partials.iter().map(|(_, template)| template);
            let templates = theme.slots.values().chain(partials);
            templates.flat_map(|template| anchors(template.source())).collect()
        })
    }
}
