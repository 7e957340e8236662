//! What stands out there where a file or its folder is to go. Programs that put files clear such a way by themselves,
//! and what they clear may be somebody's.

use std::collections::{BTreeMap, BTreeSet};

use super::RemoteFile;
use crate::deploy::{Fault, LocalFile};

#[derive(Debug, Default)]
pub struct Standing {
    files: BTreeSet<String>,
    /// Symbolic links that are not followed, and where they lead.
    links: BTreeMap<String, String>,
}

impl Standing {
    pub fn new(files: &[RemoteFile], links: BTreeMap<String, String>) -> Self {
        Self {
            files: files.iter().map(|file| file.path.clone()).collect(),
            links,
        }
    }

    /// Forgets files that were deleted.
    pub fn remove(&mut self, paths: &[&str]) {
        for path in paths {
            self.files.remove(*path);
        }
    }

    /// Err if one of the files can be put only where something else goes. What a deploy put there was deleted before.
    pub fn gives_way(&self, files: &[&LocalFile]) -> Result<(), Fault> {
        for file in files {
            let path = file.path.as_str();
            let above = path.match_indices('/').map(|(at, _)| &path[..at]);
            let mut here = above.clone().chain([path]);
            if let Some((link, to)) = here.find_map(|at| self.links.get_key_value(at)) {
                return Err(Fault::lasting(
                    format!("{link} out there is a link to {to}, which {path} would replace"),
                    "deploy by sftp:, which follows links, or remove the link",
                ));
            }
            let folder = format!("{path}/");
            let mut below = self.files.range(folder.clone()..);
            let below = below.next().filter(|found| found.starts_with(&folder));
            let mut above = above.filter_map(|folder| self.files.get(folder));
            if let Some(found) = above.next().or(below) {
                return Err(Fault::lasting(
                    format!(
                        "{found} is in the way of {path} out there, and no deploy put it there"
                    ),
                    format!("move {found} there, and deploy again"),
                ));
            }
        }
        Ok(())
    }
}
