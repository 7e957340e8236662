//! A survey of all files of a site: their names and their stamps, taken before any file is read.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::listing::{Listing, below};
use super::open_folder::{FILES_PER_FOLDER, OpenFolder};
use super::show_folders::{SHOW_FILE, show_folders};
use super::stamp::Stamp;
use super::stray_files::{special_files, strays};
use model::content_folder::{CALENDARS, ITEMS, MEDIA, PAGES};
use model::{Aggregate, ContentFolder, Diagnostic, SiteFile, SitePath};

/// The files of a site, except `site.toml` and the theme.
#[derive(Debug, Default)]
pub struct Survey {
    pub content: ContentFolder,
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
    /// The surveys of the shows, sorted by name.
    pub shows: Vec<Self>,
    /// Whether only the files directly in the folder are listed.
    pub is_partial: bool,
}

/// The files of one folder, each with its stamp.
#[derive(Debug, Default)]
pub struct FolderSurvey {
    pub listing: Listing,
    /// The stamps, in the order of the listing's files.
    pub stamps: Vec<Stamp>,
    /// The sections, which are listed among the items, with their stamps. Set for pages.
    pub sections: Vec<(SitePath, Stamp)>,
}

impl Survey {
    /// Returns whether a survey lists a file if it exists. Files of `content/planet/` are not
    /// listed, because few sites have them.
    pub fn covers(path: &SitePath) -> bool {
        ContentFolder::split(path.as_str()).is_some()
            && below(path.as_str(), Aggregate::FOLDER).is_none()
    }

    pub fn of(root: &Path) -> Self {
        let shows = show_folders(root).into_iter().map(|show| Self::of_folder(root, show));
        let shows = shows.collect();
        Self { shows, ..Self::of_folder(root, ContentFolder::default()) }
    }

    /// Surveys the files of a show, and the files directly in the other content folders.
    pub fn of_show(root: &Path, show: &ContentFolder) -> Self {
        let survey = |own: ContentFolder| match own == *show {
            true => Self::of_folder(root, own),
            false => Self::of_channel(root, own),
        };
        let shows = show_folders(root).into_iter().map(survey).collect();
        Self { shows, ..Self::of_channel(root, ContentFolder::default()) }
    }

    /// Surveys the files of one content folder.
    pub fn of_folder(root: &Path, content: ContentFolder) -> Self {
        let walk = |name: &str| FolderSurvey::of(root, Listing::walk(root, name));
        let folder = |name: &str| walk(&content.join(name));
        let is_show = content.show().is_some();
        let site_files = || match is_show {
            true => FolderSurvey::default(),
            false => walk(SiteFile::FOLDER),
        };
        let (items, (mut pages, calendars, site_files, media)) = rayon::join(
            || folder(ITEMS),
            || (folder(PAGES), folder(CALENDARS), site_files(), folder(MEDIA)),
        );
        pages.sections = items.sections();
        Self {
            items,
            pages,
            calendars,
            site_files,
            media,
            strays: strays(root, &content),
            special: special_files(root, &content),
            is_partial: false,
            ..Self::of_channel(root, content)
        }
    }

    /// Surveys the files directly in a content folder.
    fn of_channel(root: &Path, content: ContentFolder) -> Self {
        let single = ["channel.md", "channel.html", "redirects.toml", "media.json", SHOW_FILE];
        let single = single.map(|name| content.join(name));
        let mut files: Vec<SitePath> = single.into_iter().filter_map(SitePath::new).collect();
        files.extend(channels_in_languages(root, &content));
        let channel = Listing { files, ..Listing::default() };
        let channel = FolderSurvey::of(root, channel);
        Self { channel, content, is_partial: true, ..Self::default() }
    }

    /// Returns every file with its stamp. The files directly in `content/` are included even if
    /// they do not exist.
    pub fn files(&self) -> impl ParallelIterator<Item = (&SitePath, Stamp)> {
        let shows = self.shows.par_iter().flat_map(Self::own_files);
        self.own_files().chain(shows)
    }

    fn own_files(&self) -> impl ParallelIterator<Item = (&SitePath, Stamp)> {
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
        self.special.is_empty()
            && all.iter().all(|folder| folder.listing.found.is_empty())
            && self.shows.iter().all(Self::is_whole)
    }
}

/// Returns the possible files of channels in other languages, sorted.
fn channels_in_languages(root: &Path, content: &ContentFolder) -> Vec<SitePath> {
    let entries = fs::read_dir(root.join(content.as_str())).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let own = names.filter(|name| name.starts_with("channel.") && name.matches('.').count() == 2);
    let mut files: Vec<SitePath> =
        own.filter_map(|name| SitePath::new(content.join(&name))).collect();
    files.sort();
    files
}

impl FolderSurvey {
    fn of(root: &Path, listing: Listing) -> Self {
        let stamps = listing.files.par_chunks(FILES_PER_FOLDER).flat_map_iter(|files| {
            let root = OpenFolder::of(root);
            files.iter().map(move |path| root.stamp(path.as_str()))
        });
        Self { stamps: stamps.collect(), listing, sections: Vec::new() }
    }

    fn sections(&self) -> Vec<(SitePath, Stamp)> {
        let files = self.listing.files.iter().zip(&self.stamps);
        let sections = files.filter(|(path, _)| path.section_folder().is_some());
        sections.map(|(path, stamp)| (path.clone(), *stamp)).collect()
    }

    fn files(&self) -> impl ParallelIterator<Item = (&SitePath, Stamp)> {
        let stamps = self.stamps.par_iter().copied();
        self.listing.files.par_iter().zip(stamps)
    }
}
