//! Checks which paths a page can have.

use crate::addresses::NewAddress;
use api_shared::ApiError;
use model::{GeneratedKind, PageSlug, SitePath, is_reserved};
use render::PathAnswer;
use server::Moment;
use site::{PageEntry, Snapshot, paths};
use source::redirects;

/// Rejects a slug that is reserved or is the name of a site file. `slug` need not be a valid slug.
pub fn check_not_reserved(snapshot: &Snapshot, slug: &str) -> Result<(), ApiError> {
    let drafts = &snapshot.site_file_drafts;
    let mut files = snapshot.site_files.iter().chain(drafts);
    let is_site_file = files.any(|file| file.filename == slug)
        || GeneratedKind::ALL.map(GeneratedKind::filename).contains(&slug);
    if is_site_file || is_reserved(slug) {
        Err(path_taken_error(&paths::page(slug), "is reserved"))
    } else {
        Ok(())
    }
}

/// The path that a page will have.
pub struct NewPath<'a> {
    pub slug: &'a PageSlug,
    pub language: Option<&'a str>,
    /// The page's file.
    pub file: &'a SitePath,
    /// The page before, unless it is new.
    pub page: Option<&'a PageEntry>,
}

/// Rejects a path if anything other than this page uses it, or formerly used it.
pub fn check_path_free(moment: &Moment, new: &NewPath<'_>) -> Result<(), ApiError> {
    let snapshot = &moment.site.snapshot;
    let config = &snapshot.config;
    let (languages, slug, page) = (&config.languages, new.slug, new.page);
    let mount = languages.mount(languages.index(new.language));
    let has_moved = page.is_some_and(|page| page.mount != mount);
    let in_language = snapshot.pages.iter().filter(|entry| entry.mount == mount);
    let id = page.map(|entry| &entry.page.id);
    let mut others = in_language.filter(|entry| id != Some(&entry.page.id));
    let path = [mount.clone(), paths::page(slug.as_str())].concat();
    if let Some(other) =
        others.find(|entry| entry.page.slug == *slug || entry.page.aliases.contains(slug))
    {
        let why = format!("is a current or former path of the Page {}", other.page.id);
        return Err(path_taken_error(&path, &why));
    }
    let is_listed = snapshot
        .redirects
        .iter()
        .any(|redirect| redirect.from.trim_end_matches('/') == path.trim_end_matches('/'));
    // A page that gets another language removes the redirect from its new path.
    if is_listed && !has_moved {
        let why = format!("is reserved: {} redirects it", redirects::file(&config.content));
        return Err(path_taken_error(&path, &why));
    }
    let is_former = page.is_some_and(|entry| entry.page.aliases.contains(slug));
    match moment.site.find(&path) {
        Some(PathAnswer::Redirect(to))
            if !has_moved && !is_former && page.is_none_or(|page| page.path() != to) =>
        {
            Err(path_taken_error(&path, "is already a path of this site"))
        }
        _ => {
            let text_path = languages.of_file(new.file).map(|(_, text_path)| text_path);
            let text_path = text_path.as_deref().unwrap_or_else(|| new.file.page_path());
            let (field, path, language) = ("slug", &*paths::page(slug.as_str()), new.language);
            NewAddress { id, field, path, language, text_path }.check_free(moment)
        }
    }
}

fn path_taken_error(path: &str, why: &str) -> ApiError {
    ApiError::conflict(format!("slug: {path} {why}"))
}
