//! Reads the shows of a site, then rereads changed files.

use super::touched::Touched;
use model::{Config, Report, SitePath};
use project::{Options, show_configs};
use site::{FolderSources, produces_same_site};
use source::library::{Library, UnsavedReadings};
use source::show_folders::show_folders;

/// The files of the shows.
#[derive(Default)]
pub struct ShowReader {
    shows: Vec<(Config, Library)>,
    /// Problems of the shows' settings.
    faults: Report,
}

impl ShowReader {
    pub fn start(options: &Options, config: &Config) -> Self {
        let mut reader = Self::default();
        reader.configure(options, config);
        reader
    }

    /// Finds the shows, and reads their settings. Returns whether anything changed.
    pub fn configure(&mut self, options: &Options, config: &Config) -> bool {
        let folders = show_folders(&options.root);
        let (configs, faults) = show_configs(options, config, folders.iter());
        let mut before = std::mem::take(&mut self.shows);
        let mut changed = before.len() != configs.len() || faults != self.faults;
        self.faults = faults;
        for config in configs {
            let known = before.iter().position(|(own, _)| own.content == config.content);
            let library = match known.map(|at| before.swap_remove(at)) {
                Some((own, mut library)) => {
                    changed |= !produces_same_site(&own, &config);
                    changed |= library.reconfigure(config.clone());
                    library
                }
                None => {
                    changed = true;
                    Library::read(&options.root, config.clone(), &|| ()).wait_for_saves()
                }
            };
            self.shows.push((config, library));
        }
        changed
    }

    /// Reads the touched files again. Returns whether anything changed.
    pub fn refresh(&mut self, touched: &Touched, paths: &[SitePath]) -> bool {
        let mut changed = false;
        for (_, library) in &mut self.shows {
            changed |= if touched.everything { library.rescan() } else { library.refresh(paths) };
        }
        changed
    }

    /// Returns the files of each show, and the problems found in the files.
    pub fn sources(&self) -> (Vec<FolderSources>, Report) {
        let mut report = self.faults.clone();
        let sources = |(config, library): &(Config, Library)| {
            let (sources, found) = library.sources();
            report.extend(found);
            (config.clone(), sources)
        };
        (self.shows.iter().map(sources).collect(), report)
    }

    pub fn libraries(&self) -> impl Iterator<Item = &Library> {
        self.shows.iter().map(|(_, library)| library)
    }

    /// Returns newly parsed files, to be cached in `.feedwright/`.
    pub fn unsaved(&mut self) -> impl Iterator<Item = UnsavedReadings> {
        self.shows.iter_mut().filter_map(|(_, library)| library.unsaved())
    }
}
