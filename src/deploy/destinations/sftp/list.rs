//! Lists the files at the destination. Symlinks are followed, because media may be on another disk.

use super::packet::{Facts, Operation, Reply, Request};
use super::session::Session;
use super::{MAX_OPEN_FILES, STATUS_EOF, STATUS_NO_SUCH_FILE, STATUS_PERMISSION_DENIED, Sftp, tag};
use crate::{Fault, RemoteFile};

/// A folder to read. The path ends with a slash, or is empty for the destination itself.
#[derive(Default, Clone)]
struct Folder {
    path: String,
    /// Real paths of the folders that contain the symlinks in this folder's path.
    through: Vec<String>,
}

type Entry = (String, Facts);

impl Sftp {
    pub(super) fn list_all(&mut self, session: &mut Session) -> Result<Vec<RemoteFile>, Fault> {
        let mut files = Vec::new();
        let mut folders = vec![Folder::default()];
        while !folders.is_empty() {
            let few = folders.split_off(folders.len().saturating_sub(MAX_OPEN_FILES));
            for (folder, entries) in self.read_folders(session, few)? {
                let (links, entries): (Vec<Entry>, Vec<Entry>) =
                    entries.into_iter().partition(|(_, facts)| facts.is_link());
                for (name, facts) in entries {
                    let path = format!("{}{name}", folder.path);
                    if facts.is_folder() {
                        folders.push(Folder { path: path + "/", through: folder.through.clone() });
                    } else {
                        files.push((path, facts));
                    }
                }
                for (name, _) in links {
                    let path = format!("{}{name}", folder.path);
                    // A broken symlink is ignored.
                    let stat = Request::new(Operation::Stat).bytes(self.path(&path));
                    match session.send_request(stat)? {
                        Reply::Facts(facts) if facts.is_folder() => {
                            folders.extend(self.symlink_target(session, &folder, path)?);
                        }
                        Reply::Facts(facts) => files.push((path, facts)),
                        _ => {}
                    }
                }
            }
        }
        let files = files.into_iter().map(|(path, facts)| RemoteFile {
            path,
            length: facts.length,
            tag: tag(facts),
        });
        Ok(files.collect())
    }

    /// Returns the folder that a symlink in `folder` points to, or `None` if the symlink is
    /// circular.
    fn symlink_target(
        &self,
        session: &mut Session,
        folder: &Folder,
        link: String,
    ) -> Result<Option<Folder>, Fault> {
        let mut real = |path: &str| -> Result<Option<String>, Fault> {
            let request = Request::new(Operation::RealPath).bytes(self.full_path(path));
            Ok(match session.send_request(request)? {
                Reply::Names(names) => names.into_iter().next().map(|(name, _)| name),
                _ => None,
            })
        };
        let (Some(holder), Some(to)) = (real(&folder.path)?, real(&link)?) else {
            return Ok(None);
        };
        let mut through = folder.through.clone();
        through.push(holder);
        let is_circle = through.iter().any(|above| {
            format!("{above}/").starts_with(&format!("{}/", to.trim_end_matches('/')))
        });
        Ok((!is_circle).then(|| Folder { path: link + "/", through }))
    }

    fn full_path(&self, folder: &str) -> String {
        self.path(folder).trim_end_matches('/').to_owned()
    }

    /// Reads a few folders in parallel.
    fn read_folders(
        &mut self,
        session: &mut Session,
        few: Vec<Folder>,
    ) -> Result<Vec<(Folder, Vec<Entry>)>, Fault> {
        let open = few.iter().map(|folder| {
            Ok(Request::new(Operation::OpenFolder).bytes(self.full_path(&folder.path)))
        });
        let replies = session.request_all(open)?;
        let (mut found, mut handles) = (Vec::new(), Vec::new());
        for (folder, reply) in few.into_iter().zip(replies) {
            match reply {
                Reply::Handle(handle) => {
                    self.folders.insert(self.full_path(&folder.path));
                    found.push((folder, Vec::new()));
                    handles.push(handle);
                }
                // A missing destination is created by the first deploy. Any other missing folder
                // was deleted after it was listed.
                Reply::Status(STATUS_NO_SUCH_FILE, _) => {}
                // An unreadable folder, such as `lost+found`, is ignored. If the site needs it, the
                // upload reports the error.
                Reply::Status(STATUS_PERMISSION_DENIED, _) if !folder.path.is_empty() => {}
                reply => self.done(&folder.path, &reply)?,
            }
        }
        let mut unfinished: Vec<usize> = (0..found.len()).collect();
        while !unfinished.is_empty() {
            let read = unfinished
                .iter()
                .map(|at| Ok(Request::new(Operation::ReadFolder).bytes(&handles[*at])));
            let replies = session.request_all(read)?;
            let mut more = Vec::new();
            for (at, reply) in unfinished.into_iter().zip(replies) {
                let (folder, entries): &mut (Folder, Vec<Entry>) = &mut found[at];
                match reply {
                    Reply::Names(names) => {
                        let names = names.into_iter();
                        entries.extend(names.filter(|(name, _)| name != "." && name != ".."));
                        more.push(at);
                    }
                    Reply::Status(STATUS_EOF, _) => {}
                    reply => self.done(&folder.path, &reply)?,
                }
            }
            unfinished = more;
        }
        let close = handles.iter().map(|handle| Ok(Request::new(Operation::Close).bytes(handle)));
        session.request_all(close)?;
        Ok(found)
    }
}
