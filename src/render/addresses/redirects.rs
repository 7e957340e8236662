//! Permanent redirects (301), and files at former paths for hosts without redirects.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::public::{Document, Public};
use crate::hosting;
use model::url::is_absolute;
use model::{
    Access, ByHash, Diagnostic, FileReport, Redirect, Report, Rule, Severity, Slug, Status,
    Untranslated,
};
use site::{Clip, ItemEntry, Snapshot, Translatable, paths, translation_groups};
use source::redirects::{file, place};

/// Returns all redirects: from aliases and former paths, from the paths in
/// `content/redirects.toml`, and from the paths of the mirrored service. The latter come last, so
/// that a host with a limit reads the redirects that authors wrote.
pub fn redirects(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    if public.snapshot.config.access != Access::Public {
        return Vec::new();
    }
    let mut redirects = former_paths(public, report);
    redirects.extend(in_editions(public, &mut aliases));
    redirects.sort();
    redirects.extend(all_listed_redirects(public, report));
    redirects.extend(to_translations(public));
    warn_of_broken_redirects(public, &redirects, report);
    let mut of_service = in_editions(public, &mut of_service);
    of_service.sort_unstable();
    redirects.append(&mut of_service);
    let mut known: ByHash<()> = ByHash::default();
    known.reserve(redirects.len());
    redirects.retain(|Redirect { from, to }| {
        from != to && known.insert(xxh3_64(from.as_bytes()), ()).is_none()
    });
    redirects.extend(in_editions(public, &mut of_feeds));
    redirects
}

/// Returns redirects of a site and of each of its editions.
fn in_editions(
    public: &Public<'_>,
    of: &mut dyn FnMut(&Public<'_>) -> Vec<Redirect>,
) -> Vec<Redirect> {
    let mut redirects = match public.snapshot.has_editions() {
        true => Vec::new(),
        false => of(public),
    };
    for at in public.snapshot.published_editions() {
        let edition = public.edition(at);
        let mount = &edition.snapshot.config.mount;
        redirects.extend(of(&edition).into_iter().map(|redirect| redirect.below(mount)));
    }
    redirects
}

/// Returns the public items whose documents the site itself has.
fn public_items<'a>(public: &Public<'a>) -> impl Iterator<Item = &'a ItemEntry> + use<'a> {
    public.snapshot.entries.iter().map(AsRef::as_ref).filter(|entry| is_own(entry))
}

/// Returns whether an item is public and its documents belong to the site itself. The documents of
/// other languages and of shows are below the path of their edition.
pub fn is_own(entry: &ItemEntry) -> bool {
    entry.mount.is_empty() && entry.is_public()
}

/// Returns the redirects from the paths of the mirrored service.
fn of_service(public: &Public<'_>) -> Vec<Redirect> {
    let of_item = |entry: &ItemEntry| {
        let keys = [entry.item.id.as_str(), &entry.segment];
        let paths = keys.map(|key| paths::key_of(entry, key));
        let paths = paths.into_iter().filter(|path| *path != entry.path);
        paths.map(|from| Redirect { from, to: entry.path.clone() }).collect::<Vec<_>>()
    };
    public_items(public).flat_map(of_item).collect()
}

/// Returns the redirects from the aliases of items and pages.
fn aliases(public: &Public<'_>) -> Vec<Redirect> {
    let mut aliases = aliases_of_pages(public);
    for entry in public_items(public) {
        aliases.extend(entry.item.aliases.iter().map(|alias| Redirect {
            from: paths::key_of(entry, alias.as_str()),
            to: entry.path.clone(),
        }));
        aliases.extend(clips_at_aliases(public, entry));
    }
    aliases
}

fn of_feeds(public: &Public<'_>) -> Vec<Redirect> {
    let mut redirects = vec![Redirect { from: "/json/".into(), to: paths::json_feed(1) }];
    if public.snapshot.config.feed.rss {
        redirects.push(Redirect { from: "/rss/".into(), to: paths::rss(1) });
    }
    redirects
}

/// Returns the redirects from the clips of an item at its aliases.
fn clips_at_aliases(public: &Public<'_>, entry: &ItemEntry) -> Vec<Redirect> {
    let config = &public.snapshot.config;
    if !config.audio.clips || config.is_untranslated(entry.item.language.as_deref()) {
        return Vec::new();
    }
    let of_alias = |alias: &Slug| {
        let from = |clip: &Clip<'_>| paths::clip_at(entry, alias.as_str(), clip.start, clip.end);
        let redirect =
            |(_, clip): (_, Clip<'_>)| Redirect { from: from(&clip), to: clip.path(entry) };
        entry.clips().map(redirect).collect::<Vec<_>>()
    };
    entry.item.aliases.iter().flat_map(of_alias).collect()
}

/// Returns the redirects from former paths of items. These paths start at the root of the site.
fn former_paths(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let mut former = Vec::new();
    for entry in public.snapshot.moved_items().filter(|entry| entry.is_public()) {
        for text in &entry.item.former_paths {
            let found = Redirect::path(text);
            // A preview has a show that is published elsewhere at the show's former path.
            if found.as_ref() == Some(&entry.path) {
                continue;
            }
            if let Some(from) = found.as_ref().filter(|from| !has_document(public, from)) {
                let previewed = below_preview(public, entry, from);
                let all = previewed.into_iter().chain([from.clone()]);
                former.extend(below_languages(public, entry, from));
                former.extend(all.map(|from| Redirect { from, to: entry.path.clone() }));
                continue;
            }
            // An item that was translated can be shown untranslated at its former path.
            if found.as_ref().is_some_and(|path| is_page_of(public, entry, path)) {
                continue;
            }
            let what = match found {
                Some(_) => "is now a path of this site",
                None => "is invalid",
            };
            report.push(
                Diagnostic::warning(Rule::FormerPath, format!("the former path {text} {what}"))
                    .file(entry.item.source.to_string())
                    .help("remove it from `aliases`, `redirect_from`, `permalink` or `url` in the front matter"),
            );
        }
    }
    former
}

/// Returns whether an item's page is at a path, in any language.
fn is_page_of(public: &Public<'_>, entry: &ItemEntry, path: &str) -> bool {
    let document = public.find(path);
    let found = document.as_ref().and_then(|document| document.item(public.snapshot));
    found.is_some_and(|found| found.item.id == entry.item.id)
}

/// Returns the redirects from a former path of an item, below each language that shows the item
/// untranslated.
fn below_languages(public: &Public<'_>, entry: &ItemEntry, former: &str) -> Vec<Redirect> {
    let snapshot = public.snapshot;
    let languages = &snapshot.config.languages;
    if languages.untranslated == Untranslated::Omit || !entry.mount.is_empty() {
        return Vec::new();
    }
    let shows = |at: &usize| {
        let found = snapshot.editions[*at].snapshot.find(entry.item.id.as_str());
        found.is_some_and(|found| found.item.id == entry.item.id)
    };
    let moved = Redirect { from: former.to_owned(), to: entry.path.clone() };
    let shown = (1..=languages.others.len()).filter(shows);
    let redirects = shown.map(|at| moved.clone().below(&languages.mount(at)));
    redirects.filter(|one| !has_document(public, &one.from)).collect()
}

/// Returns redirects from the paths that texts had below the path of a language, before they were
/// translated into it.
fn to_translations(public: &Public<'_>) -> Vec<Redirect> {
    let languages = &public.snapshot.config.languages;
    if languages.others.is_empty() || languages.untranslated == Untranslated::Omit {
        return Vec::new();
    }
    let items = public.snapshot.item_translation_groups();
    let pages = public.snapshot.pages.iter().map(Translatable::from);
    let groups = items.into_iter().chain(translation_groups(pages));
    let index = |text: &Translatable<'_>| languages.index(text.language);
    let of_group = |group: Vec<Translatable<'_>>| {
        let original = group.iter().find(|text| index(text) == 0);
        let known = original.map(Translatable::known_paths).unwrap_or_default();
        let translations = group.iter().filter(|text| index(text) > 0);
        let redirects = translations.flat_map(|text| {
            let mount = languages.mount(index(text));
            let from = known.iter().map(move |path| [&*mount, path].concat());
            from.map(|from| Redirect { from, to: text.path() })
        });
        let moved = redirects.filter(|one| one.from != one.to);
        let is_free = |path: &str| !has_document(public, path) && !is_item_path(public, path);
        moved.filter(|one| is_free(&one.from)).collect::<Vec<_>>()
    };
    groups.flat_map(of_group).collect()
}

/// Returns the path at which a preview has a former path of the separate site of an item's show.
fn below_preview(public: &Public<'_>, entry: &ItemEntry, path: &str) -> Option<String> {
    let show = &public.snapshot.edition_of_item(entry)?.config;
    let has_preview = show.own_url.is_some() && !show.is_elsewhere();
    let path = has_preview.then(|| [&*entry.mount, path].concat())?;
    (!has_document(public, &path)).then_some(path)
}

fn aliases_of_pages(public: &Public<'_>) -> Vec<Redirect> {
    let mut former = Vec::new();
    for entry in public.snapshot.pages.iter().filter(|entry| entry.status != Status::Unpublished) {
        for alias in &entry.page.aliases {
            former.push(Redirect {
                from: paths::page(alias.as_str()),
                to: paths::page(entry.page.slug.as_str()),
            });
        }
    }
    former
}

/// Returns the redirects in `redirects.toml` of the site and of each show.
fn all_listed_redirects(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    // In a site with several languages, these paths start at the root.
    let mut redirects = match public.snapshot.has_editions() {
        true => listed_redirects(public, report),
        false => Vec::new(),
    };
    let has_languages = public.snapshot.has_editions();
    redirects.extend(in_editions(public, &mut |part| {
        let is_listed = has_languages && part.snapshot.config.content.show().is_none();
        if is_listed { Vec::new() } else { listed_redirects(part, report) }
    }));
    redirects
}

/// Warns about redirects in `redirects.toml` to paths that the site does not have, and about redirects
/// that apps cannot follow.
fn warn_of_broken_redirects(public: &Public<'_>, redirects: &[Redirect], report: &mut Report) {
    let parts = public.snapshot.with_shows().filter(|part| !part.redirects.is_empty());
    let parts: Vec<&Snapshot> = parts.filter(|part| !part.config.is_elsewhere()).collect();
    let sources = |_: &_| -> HashSet<&str> {
        redirects.iter().map(|redirect| redirect.from.as_str()).collect()
    };
    let Some(sources) = parts.first().map(sources) else { return };
    for part in parts {
        let config = &part.config;
        let mut found = FileReport::default();
        for redirect in part.redirects.iter() {
            let Redirect { from, to } = redirect;
            if hosting::is_lost_on_programs(&public.snapshot.config, redirect) {
                let message = format!(
                    "apps cannot follow this redirect: {from} becomes an HTML page, because `targets` in [hosting] names no host, or a host without redirects"
                );
                let warning = Diagnostic::warning(Rule::FormerPath, message)
                    .help(format!("redirect {from} to {to} in the settings of the host"));
                found.add(Severity::Warning, || place(&part.root, &config.content, from, warning));
            }
            if is_absolute(to) {
                continue;
            }
            let target = [&*config.mount, to].concat();
            let exists = sources.contains(&*target)
                || has_document(public, &target)
                || is_item_path(public, &target);
            if !exists {
                let message = format!("broken redirect: the site has nothing at {target}");
                let warning = Diagnostic::warning(Rule::DeadLink, message)
                    .help("write the path of a page, or remove the line");
                found.add(Severity::Warning, || place(&part.root, &config.content, from, warning));
            }
        }
        report.extend(found.finish(&file(&config.content)));
    }
}

/// Returns the redirects of `content/redirects.toml`. Leaves out redirects from paths that the site
/// now uses, and warns about them.
fn listed_redirects(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let (root, content) = (&public.snapshot.root, &public.snapshot.config.content);
    let mut found = FileReport::default();
    let mut listed_redirects = Vec::new();
    for redirect in public.snapshot.redirects.iter() {
        if has_document(public, &redirect.from) || is_item_path(public, &redirect.from) {
            let from = &redirect.from;
            let message = format!("redirect ignored: {from} is now a path of this site");
            let warning = Diagnostic::warning(Rule::FormerPath, message)
                .help(format!("remove the line that begins with {from:?}"));
            found.add(Severity::Warning, || place(root, content, from, warning));
        } else {
            listed_redirects.push(redirect.clone());
        }
    }
    report.extend(found.finish(&file(content)));
    listed_redirects.sort();
    listed_redirects
}

/// Returns whether a path belongs to a public item, by any of its names.
fn is_item_path(public: &Public<'_>, path: &str) -> bool {
    if let Some((at, path)) = public.edition_at(path) {
        return is_item_path(&public.edition(at), path);
    }
    let key = path.strip_prefix("/i/").map(|key| key.trim_end_matches('/'));
    key.and_then(|key| public.snapshot.find(key)).is_some_and(|entry| is_own(entry))
}

/// Returns whether a document exists at a path, with or without a trailing slash.
fn has_document(public: &Public<'_>, path: &str) -> bool {
    let in_edition = public.edition_at(path);
    if in_edition.is_some_and(|(at, path)| has_document(&public.edition(at), path)) {
        return true;
    }
    let path = path.trim_end_matches('/');
    matches!(path, "/json" | "/rss")
        || public.find(path).is_some()
        || public.find(&format!("{path}/")).is_some()
}

/// Maximum number of redirects to follow.
const HOPS: usize = 20;

/// Creates the files at former paths for redirects that a host of the site cannot read from its own
/// list of redirects.
pub struct FormerFiles<'a> {
    public: &'a Public<'a>,
    redirects: &'a [Redirect],
    targets: HashMap<&'a str, &'a str>,
}

impl<'a> FormerFiles<'a> {
    pub fn of(public: &'a Public<'a>, redirects: &'a [Redirect]) -> Self {
        let targets = redirects.iter().map(|one| (one.from.as_str(), one.to.as_str())).collect();
        Self { public, redirects, targets }
    }

    /// Returns the redirects that need a file.
    pub fn needed(&self) -> Vec<&'a Redirect> {
        hosting::redirects_in_files(&self.public.snapshot.config, self.redirects)
    }

    /// Returns the path and the document of the file for a redirect: an HTML page that redirects,
    /// or a copy of the target if programs read it, because they do not follow an HTML page.
    pub fn file(&self, Redirect { from, to }: &Redirect) -> (String, Document) {
        match self.document_at(to).filter(is_read_by_programs) {
            Some(document) => (copy_path(from, &document), document),
            None if from.ends_with('/') || from.ends_with(".html") => {
                (from.clone(), Document::RedirectPage(to.clone()))
            }
            None => (format!("{from}/"), Document::RedirectPage(to.clone())),
        }
    }

    /// Returns the document at a path, after following redirects.
    fn document_at(&self, path: &str) -> Option<Document> {
        let mut path = path;
        for _ in 0..HOPS {
            if let Some(document) = self.public.find(path) {
                return Some(document);
            }
            path = self.targets.get(path)?;
        }
        None
    }
}

/// Returns whether a document is read by programs, such as feed readers and players, instead of by
/// browsers.
fn is_read_by_programs(document: &Document) -> bool {
    matches!(
        document.inner(),
        Document::ItemMarkdown(_)
            | Document::PageMarkdown(_)
            | Document::ItemJson(_)
            | Document::ItemRss(_)
            | Document::Chapters(_)
            | Document::Captions(_)
            | Document::JsonFeed(_)
            | Document::Rss(_)
            | Document::Calendars
            | Document::Publisher
            | Document::Opml
            | Document::Calendar(_)
            | Document::FacetJson(..)
            | Document::FacetRss(..)
            | Document::OEmbed(_)
            | Document::SiteFile(_)
            | Document::Generated(_)
            | Document::SitemapPart(_)
            | Document::Media(_)
            | Document::PictureSize(..)
    )
}

/// Returns the path of a copy. A path without an extension gets a trailing slash, so that hosts
/// serve the copy as HTML (`index.html`). Feed readers search HTML for a feed, but reject a file of
/// unknown type. A media file keeps its path, since players recognize media by their bytes.
fn copy_path(from: &str, document: &Document) -> String {
    let name = from.rsplit('/').next().unwrap_or_default();
    let is_medium = matches!(document, Document::Media(_) | Document::PictureSize(..));
    if name.is_empty() || name.contains('.') || is_medium {
        return from.to_owned();
    }
    format!("{from}/")
}

/// The former paths of a site with their targets, and the copies at such paths.
#[derive(Debug, Default)]
pub struct FormerPaths {
    pub redirect_targets: HashMap<String, String>,
    pub copies: HashMap<String, Document>,
}

impl FormerPaths {
    /// Collects the former paths of items and pages, and the paths in `content/redirects.toml`. Ids
    /// and aliases of items are not collected, because the snapshot has a lookup for them.
    pub fn of(public: &Public<'_>) -> Self {
        if public.snapshot.config.access != Access::Public {
            return Self::default();
        }
        let mut report = Report::default();
        let mut all = former_paths(public, &mut report);
        all.extend(in_editions(public, &mut aliases_of_pages));
        all.sort();
        all.extend(all_listed_redirects(public, &mut report));
        all.extend(to_translations(public));
        let listed = match hosting::has_limits(&public.snapshot.config.hosting) {
            // A host with a limit reads only the first redirects of the list.
            true => Cow::Owned(redirects(public, &mut report)),
            false => Cow::Borrowed(&all),
        };
        let files = FormerFiles::of(public, &listed);
        let copies = files.needed().into_iter().map(|redirect| files.file(redirect));
        let copies = copies.filter(|(_, document)| !matches!(document, Document::RedirectPage(_)));
        let copies = copies.collect();
        let mut redirect_targets = HashMap::new();
        for Redirect { from, to } in all {
            redirect_targets.entry(from).or_insert(to);
        }
        Self { redirect_targets, copies }
    }
}
