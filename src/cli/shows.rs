//! The shows of a site, by name.

use std::path::Path;

use super::Failure;
use model::{Config, ContentFolder};
use project::{Options, shows_with_own_address as own_addresses};
use source::show_folders::show_folders;

/// Returns the folder of the show with this name. A name without a show is an error.
pub fn folder(root: &Path, name: &str) -> Result<ContentFolder, Failure> {
    let shows = show_folders(root);
    if let Some(show) = shows.iter().find(|show| show.show() == Some(name)) {
        return Ok(show.clone());
    }
    let names: Vec<&str> = shows.iter().filter_map(|show| show.show()).collect();
    Err(Failure::Usage(match &*names {
        [] => "--show: this site has no shows; a show is a folder in shows/".to_owned(),
        names => format!("--show: no show is called {name:?}; the shows are {}", names.join(", ")),
    }))
}

/// Returns the folder of the show that an option `--show` names, if it was given.
pub fn option(root: &Path, name: Option<&str>) -> Result<Option<ContentFolder>, Failure> {
    name.map(|name| folder(root, name)).transpose()
}

/// Returns an error if the selected show has no own address. `help` says how to do the same for a show
/// that is published with the site.
pub fn require_own_address(options: &Options, help: &str) -> Result<(), Failure> {
    match &options.show {
        Some(show) if !own_addresses(options).contains(show) => {
            Err(Failure::Usage(format!("--show: {show} is published with the site: {help}")))
        }
        _ => Ok(()),
    }
}

/// Returns the configuration of the show with this name, or of the site without a name.
pub fn config(root: &Path, site: Config, show: Option<&str>) -> Result<Config, Failure> {
    match show {
        Some(name) => Ok(source::show::load(root, &site, &folder(root, name)?).0),
        None => Ok(site),
    }
}
