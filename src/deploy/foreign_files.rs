//! Detects files and folders at the destination that are in the way of a file to upload. Upload
//! programs would replace them without asking, although they may belong to someone else.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fault, Plan, RECORD, RemoteFile};

/// Returns an error if a file of the plan would replace a file or folder that no deploy uploaded.
/// Files of earlier deploys are no obstacle, because the plan deletes them. `links` contains the
/// symlinks that are not followed, with their targets.
pub fn refuse_overwrites(
    remote: &[RemoteFile],
    links: &BTreeMap<String, String>,
    plan: &Plan<'_>,
) -> Result<(), Fault> {
    let mut files: BTreeSet<&str> = remote.iter().map(|file| file.path.as_str()).collect();
    for path in &plan.clear {
        files.remove(path.as_str());
    }
    for put in &plan.put {
        let path = put.file.path.as_str();
        let above = path.match_indices('/').map(|(at, _)| &path[..at]);
        let mut output_files = above.clone().chain([path]);
        if let Some((link, to)) = output_files.find_map(|at| links.get_key_value(at)) {
            return Err(Fault::permanent(
                format!(
                    "{link} at the destination is a symlink to {to}, which {path} would replace"
                ),
                "deploy with sftp:, which follows symlinks, or remove the symlink",
            ));
        }
        let folder = format!("{path}/");
        let mut below = files.range(folder.as_str()..);
        let below = below.next().filter(|found| found.starts_with(&folder));
        let mut above = above.filter_map(|folder| files.get(folder));
        if let Some(found) = above.next().or(below) {
            return Err(Fault::permanent(
                format!(
                    "{path} cannot be uploaded: {found} at the destination is in the way, and feedwright did not upload it"
                ),
                format!("move {found} out of the destination, and deploy again"),
            ));
        }
    }
    Ok(())
}

/// Returns the folders at the destination that contain a deploy record. Each of them is a separate
/// destination, even if it is deployed with another protocol. Its files do not belong to this
/// destination.
pub fn places(remote: &[RemoteFile]) -> impl Iterator<Item = String> {
    let folders = remote.iter().filter_map(|file| {
        let folder = file.path.strip_suffix(RECORD)?;
        folder.strip_suffix('/')
    });
    folders.map(str::to_owned)
}
