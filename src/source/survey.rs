//! A survey of all files of a site: their names and their stamps, taken before any file is read.

use std::path::Path;

use rayon::prelude::*;

use super::listing::Listing;
use super::open_folder::{FILES_PER_FOLDER, OpenFolder};
use super::stamp::Stamp;
use super::stray_files::{special_files, strays};
use model::calendar::Calendar;
use model::{Diagnostic, SiteFile, SitePath};

pub(super) const ITEMS: &str = "content/items";
pub const PAGES: &str = "content/pages";
pub(super) const MEDIA: &str = "content/media";

/// The files of a site, except `site.toml` and the theme.
#[derive(Debug)]
pub struct Survey {
    pub items: FolderSurvey,
    pub pages: FolderSurvey,
    pub calendars: FolderSurvey,
    pub site_files: FolderSurvey,
    pub media: FolderSurvey,
    /// Files below `content/` in folders that feedwright does not read.
    pub strays: Vec<SitePath>,
    /// The errors for named pipes, sockets and devices directly in `content/`.
    pub special: Vec<Diagnostic>,
    /// The files directly in `content/`: the channel, the redirects and the list of stored media.
    pub channel: FolderSurvey,
}

/// The files of one folder, each with its stamp.
#[derive(Debug, Default)]
pub struct FolderSurvey {
    pub listing: Listing,
    /// The stamps, in the order of the listing's files.
    pub stamps: Vec<Stamp>,
}

impl Survey {
    pub fn of(root: &Path) -> Self {
        let folder = |name: &str| FolderSurvey::of(root, Listing::walk(root, name));
        let (items, (pages, calendars, site_files, media)) = rayon::join(
            || folder(ITEMS),
            || (folder(PAGES), folder(Calendar::FOLDER), folder(SiteFile::FOLDER), folder(MEDIA)),
        );
        let single = [
            "content/channel.md", "content/channel.html", "content/redirects.toml",
            "content/media.json",
        ];
        let files = single.into_iter().filter_map(SitePath::parse).collect();
        let channel = Listing { files, ..Listing::default() };
        Self {
            items,
            pages,
            calendars,
            site_files,
            media,
            strays: strays(root),
            special: special_files(root),
            channel: FolderSurvey::of(root, channel),
        }
    }

    /// Returns every file with its stamp. The files directly in `content/` are included even if
    /// they do not exist.
    pub fn files(&self) -> impl ParallelIterator<Item = (&SitePath, Stamp)> {
        let content = self.items.files().chain(self.pages.files());
        let others = self.calendars.files().chain(self.site_files.files());
        content.chain(others).chain(self.media.files()).chain(self.channel.files())
    }

    /// Returns the files that changed so recently that their stamps may not detect a later change.
    pub fn young(&self) -> Vec<SitePath> {
        let young = self.files().filter(|(_, stamp)| *stamp == Stamp::Young);
        young.map(|(path, _)| path.clone()).collect()
    }

    /// Returns whether every folder could be listed without errors.
    pub fn is_whole(&self) -> bool {
        let all = [&self.items, &self.pages, &self.calendars, &self.site_files, &self.media];
        self.special.is_empty() && all.iter().all(|folder| folder.listing.found.is_empty())
    }
}

impl FolderSurvey {
    fn of(root: &Path, listing: Listing) -> Self {
        let stamps = listing.files.par_chunks(FILES_PER_FOLDER).flat_map_iter(|files| {
            let root = OpenFolder::of(root);
            files.iter().map(move |path| root.stamp(path.as_str()))
        });
        Self { stamps: stamps.collect(), listing }
    }

    fn files(&self) -> impl ParallelIterator<Item = (&SitePath, Stamp)> {
        let stamps = self.stamps.par_iter().copied();
        self.listing.files.par_iter().zip(stamps)
    }
}
