//! Checks which paths a page can have.

use api_shared::ApiError;
use model::{GeneratedKind, Page, PageSlug, RESERVED_SLUGS};
use server::Moment;
use site::{Snapshot, paths};

/// Rejects a slug that is reserved or is the name of a site file. `slug` need not be a valid slug.
pub fn check_not_reserved(snapshot: &Snapshot, slug: &str) -> Result<(), ApiError> {
    let drafts = &snapshot.site_file_drafts;
    let mut files = snapshot.site_files.iter().chain(drafts);
    let is_site_file = files.any(|file| file.filename == slug)
        || GeneratedKind::ALL.map(GeneratedKind::filename).contains(&slug);
    if is_site_file || RESERVED_SLUGS.contains(&slug) {
        Err(path_taken_error(slug, "is reserved"))
    } else {
        Ok(())
    }
}

/// Rejects a slug if anything other than this page uses, or formerly used, its path.
pub fn check_path_free(
    moment: &Moment,
    slug: &PageSlug,
    page: Option<&Page>,
) -> Result<(), ApiError> {
    let snapshot = &moment.site.snapshot;
    let mut others =
        snapshot.pages.iter().filter(|entry| page.is_none_or(|page| page.id != entry.page.id));
    if let Some(other) =
        others.find(|entry| entry.page.slug == *slug || entry.page.aliases.contains(slug))
    {
        let why = format!("is a current or former path of the Page {}", other.page.id);
        return Err(path_taken_error(slug.as_str(), &why));
    }
    let path = paths::page(slug.as_str());
    let is_listed = snapshot
        .redirects
        .iter()
        .any(|redirect| redirect.from.trim_end_matches('/') == path.trim_end_matches('/'));
    if is_listed {
        return Err(path_taken_error(
            slug.as_str(),
            "is reserved: content/redirects.toml redirects it",
        ));
    }
    let is_former = page.is_some_and(|page| page.aliases.contains(slug));
    match moment.site.find(&path) {
        Some(_) if !is_former => {
            Err(path_taken_error(slug.as_str(), "is already a path of this site"))
        }
        _ => Ok(()),
    }
}

fn path_taken_error(slug: &str, why: &str) -> ApiError {
    ApiError::conflict(format!("slug: /{slug}/ {why}"))
}
