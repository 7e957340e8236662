//! Builds and checks of one show of a network.

use super::addresses::Addresses;
use super::{Options, Site};
use model::{ContentFolder, Diagnostic, Report, Severity};
use source::channel_file::is_channel;
use source::show_folders::SHOW_FILE;

impl Options {
    /// Returns whether a diagnostic is reported: it is about the show to build or to check, or it is an
    /// error in a file that the show's documents need.
    pub fn reports(&self, one: &Diagnostic) -> bool {
        let Some(show) = &self.show else { return true };
        let file = one.file.as_deref().unwrap_or_default();
        let is_error = one.severity == Severity::Error;
        match ContentFolder::split(file) {
            Some((folder, _)) if folder == show.as_str() => true,
            Some((_, inner)) => is_error && (is_channel(file) || inner == SHOW_FILE),
            None => file == show.as_str() || (is_error && !file.starts_with("site-files/")),
        }
    }

    /// Returns whether a build with these diagnostics stops.
    pub fn stops(&self, report: &Report) -> bool {
        let mut errors = report.iter().filter(|one| one.severity == Severity::Error);
        errors.any(|one| self.reports(one))
    }
}

impl Site {
    /// Returns the index of the edition of the show to build or to check.
    pub fn show(&self, options: &Options) -> Option<usize> {
        let show = options.show.as_ref()?;
        let mut editions = self.snapshot.editions.iter();
        editions.position(|edition| edition.snapshot.config.content == *show)
    }
}

impl Addresses {
    /// Returns the addresses of the show to build or to check, or all addresses.
    #[must_use]
    pub fn of_show(self, options: &Options) -> Self {
        match &options.show {
            Some(show) => self.filtered(|one| ContentFolder::of(one.source) == *show),
            None => self,
        }
    }
}
