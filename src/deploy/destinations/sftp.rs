//! Deploys to a folder on another machine over SFTP. This module implements the SFTP protocol and
//! uses the program ssh as the transport. Each file is uploaded under a temporary name, then
//! renamed.
//!
//! The protocol is implemented here because `openssh-sftp-client` (0.15.11) adds 17 crates, 10 s of
//! CPU time to a release build, and an asynchronous interface. The crate would replace only
//! `packet.rs` and `session.rs`, which are less than half of the code for SFTP.

mod list;
mod packet;
mod session;
mod watch;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};

use super::{ProgressCallback, RemoteFile, Target, ssh};
use crate::{Fault, LocalFile};
use local::store::TEMPORARY;
use model::RemoteFolder;
use packet::{Facts, Operation, Reply, Request};
use serde::de::IgnoredAny;
use session::Session;

/// The permissions of public files.
const PUBLIC_MODE: u32 = 0o644;
const PRIVATE_MODE: u32 = 0o600;

/// Maximum number of file bytes in one packet. All servers accept packets of this size.
const MAX_PACKET_DATA: usize = 32 * 1024;

/// Maximum number of files that are open at once.
const MAX_OPEN_FILES: usize = 32;

const STATUS_EOF: u32 = 1;
const STATUS_NO_SUCH_FILE: u32 = 2;
const STATUS_PERMISSION_DENIED: u32 = 3;
const STATUS_FAILURE: u32 = 4;

pub struct Sftp {
    at: RemoteFolder,
    session: Option<Session>,
    /// Folders that are known to exist at the destination.
    folders: BTreeSet<String>,
}

impl Sftp {
    pub fn new(at: &RemoteFolder) -> Self {
        Self { at: at.clone(), session: None, folders: BTreeSet::new() }
    }

    /// Runs `work` in a session. If `work` fails, the session is closed, and the next call opens a
    /// new session.
    fn with_session<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut Session) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::open(&self.at)?,
        };
        let done = work(self, &mut session)?;
        self.session = Some(session);
        Ok(done)
    }

    fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.at.folder)
    }

    fn refused(&self, path: &str, said: &str) -> Fault {
        ssh::refused("SFTP", &self.at, &format!("{}: {said}", self.path(path)))
    }

    /// Returns an error unless the reply is a success status.
    fn done(&self, path: &str, reply: &Reply) -> Result<(), Fault> {
        match reply {
            Reply::Status(0, _) => Ok(()),
            // The protocol reports a full disk only as this general failure.
            Reply::Status(STATUS_FAILURE, said) => Err(Fault::permanent(
                format!("{} rejected {}: {said}", self.at.host, self.path(path)),
                "check the free disk space of the server, and that nothing else is at this path; the published files are intact",
            )),
            Reply::Status(_, said) => Err(self.refused(path, said)),
            _ => Err(self.refused(path, "unexpected response")),
        }
    }

    /// Creates the parent folders of files, outermost first. Errors are ignored, because the
    /// protocol does not distinguish an existing folder from a failure. If a folder is still
    /// missing, the upload fails.
    fn make_folders(&mut self, session: &mut Session, files: &[&str]) -> Result<(), Fault> {
        let mut missing = BTreeSet::new();
        for file in files {
            let path = self.path(file);
            let parents = path.match_indices('/').map(|(at, _)| &path[..at]);
            missing.extend(
                parents
                    .filter(|folder| !folder.is_empty() && !self.folders.contains(*folder))
                    .map(str::to_owned),
            );
        }
        let requests = missing.iter().map(|folder| {
            let request = Request::new(Operation::MakeFolder).bytes(folder);
            Ok(request.number(0))
        });
        session.request_all(requests)?;
        self.folders.extend(missing);
        Ok(())
    }

    /// Uploads a few files. Each step is completed for all files before the next step begins: first
    /// all files are uploaded under temporary names, then all files are renamed.
    fn put_batch(&mut self, session: &mut Session, files: &[Source<'_>]) -> Result<(), Fault> {
        let names: Vec<&str> = files.iter().map(|file| file.path).collect();
        self.make_folders(session, &names)?;
        let temporary = |file: &Source<'_>| format!("{}{TEMPORARY}", self.path(file.path));
        let open = files.iter().map(|file| {
            Ok(Request::new(Operation::Open)
                .bytes(temporary(file))
                // These flags open a file for writing, and create or truncate it.
                .number(2 | 8 | 16)
                // The only attribute is the permissions of the file.
                .number(4)
                .number(file.mode))
        });
        let opened = session.request_all(open)?;
        let mut handles = Vec::new();
        for (file, reply) in files.iter().zip(opened) {
            match reply {
                Reply::Handle(handle) => handles.push(handle),
                reply => {
                    return Err(self
                        .done(file.path, &reply)
                        .err()
                        .unwrap_or_else(|| self.refused(file.path, "the file cannot be opened")));
                }
            }
        }
        let parts = files.iter().zip(&handles).flat_map(|(file, handle)| file.parts(handle));
        for reply in session.request_all(parts)? {
            self.done(names[0], &reply)?;
        }
        let close = handles.iter().map(|handle| Ok(Request::new(Operation::Close).bytes(handle)));
        for (file, reply) in files.iter().zip(session.request_all(close)?) {
            self.done(file.path, &reply)?;
        }
        self.rename(session, files)
    }

    /// Renames uploaded files from their temporary to their final names.
    fn rename(&self, session: &mut Session, files: &[Source<'_>]) -> Result<(), Fault> {
        let named = |request: Request, file: &Source<'_>| {
            let name = self.path(file.path);
            request.bytes(format!("{name}{TEMPORARY}")).bytes(name)
        };
        if session.has_posix_rename {
            let rename = files.iter().map(|file| {
                let request = Request::new(Operation::Extended).bytes(session::POSIX_RENAME);
                Ok(named(request, file))
            });
            for (file, reply) in files.iter().zip(session.request_all(rename)?) {
                self.done(file.path, &reply)?;
            }
            return Ok(());
        }
        // Without the extension `posix-rename`, the former file must be deleted before the rename,
        // so it is missing for a moment. To keep this time short, files are renamed one at a time,
        // and both requests for a file are sent together.
        for file in files {
            let remove = Request::new(Operation::Remove).bytes(self.path(file.path));
            let rename = named(Request::new(Operation::Rename), file);
            let replies = session.request_all([Ok(remove), Ok(rename)])?;
            replies.last().map_or(Ok(()), |reply| self.done(file.path, reply))?;
        }
        Ok(())
    }

    /// Returns the tags of uploaded files.
    fn tags(&self, session: &mut Session, files: &[&LocalFile]) -> Result<Vec<String>, Fault> {
        let stat =
            files.iter().map(|file| Ok(Request::new(Operation::Stat).bytes(self.path(&file.path))));
        let replies = session.request_all(stat)?;
        let tags = files.iter().zip(replies).map(|(file, reply)| match reply {
            Reply::Facts(facts) if facts.length == file.length => Ok(tag(facts)),
            Reply::Facts(_) => Err(self.refused(&file.path, "the uploaded file is incomplete")),
            reply => self.done(&file.path, &reply).map(|()| String::new()),
        });
        tags.collect()
    }

    fn read_whole(&self, session: &mut Session, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        // Opens the file for reading, without attributes.
        let open = Request::new(Operation::Open).bytes(self.path(path)).number(1).number(0);
        let handle = match session.send_request(open)? {
            Reply::Handle(handle) => handle,
            Reply::Status(STATUS_NO_SUCH_FILE, _) => return Ok(None),
            reply => return self.done(path, &reply).map(|()| None),
        };
        let mut bytes = Vec::new();
        loop {
            let read = Request::new(Operation::Read)
                .bytes(&handle)
                .long(bytes.len() as u64)
                .number(32 * 1024);
            match session.send_request(read)? {
                Reply::Data(data) if !data.is_empty() => bytes.extend(data),
                Reply::Data(_) | Reply::Status(STATUS_EOF, _) => break,
                reply => self.done(path, &reply)?,
            }
        }
        session.send_request(Request::new(Operation::Close).bytes(&handle))?;
        Ok(Some(bytes))
    }
}

/// A file to upload: a local file, or bytes in memory.
struct Source<'a> {
    path: &'a str,
    mode: u32,
    bytes: Bytes<'a>,
}

enum Bytes<'a> {
    Of(&'a LocalFile, ProgressCallback<'a>),
    These(&'a [u8]),
}

impl Source<'_> {
    /// Returns the requests that write the file. Each request is created when it is sent.
    fn parts(&self, handle: &[u8]) -> Box<dyn Iterator<Item = Result<Request, Fault>> + '_> {
        let handle = handle.to_vec();
        let mut offset = 0;
        let mut write = move |part: &[u8]| {
            let request = Request::new(Operation::Write).bytes(&handle).long(offset).bytes(part);
            offset += part.len() as u64;
            request
        };
        match self.bytes {
            Bytes::These(bytes) => {
                Box::new(bytes.chunks(MAX_PACKET_DATA).map(move |part| Ok(write(part))))
            }
            Bytes::Of(file, sent) => {
                let mut source: Option<io::Result<File>> = None;
                let mut part = vec![0; MAX_PACKET_DATA];
                Box::new(std::iter::from_fn(move || {
                    // The file is opened only when its first bytes are needed, because a batch can
                    // contain many files.
                    let opened = source.get_or_insert_with(|| File::open(&file.on_disk));
                    let read = match opened {
                        Ok(opened) => fill(opened, &mut part),
                        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                    };
                    match read {
                        Ok(0) => None,
                        Ok(read) => {
                            sent(read as u64);
                            Some(Ok(write(&part[..read])))
                        }
                        Err(error) => Some(Err(Fault::cannot_read(file.on_disk.display(), &error))),
                    }
                }))
            }
        }
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut File, part: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < part.len() {
        match file.read(&mut part[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

fn tag(facts: Facts) -> String {
    facts.modified.to_string()
}

impl Target for Sftp {
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
        self.with_session(Self::list_all)
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        self.with_session(|this, session| {
            let found = this.read_whole(session, path)?;
            if found.is_some() || session.has_posix_rename {
                return Ok(found);
            }
            // An earlier deploy may have been interrupted after it deleted the former file, but
            // before it renamed the new file.
            let left = this.read_whole(session, &format!("{path}{TEMPORARY}"))?;
            Ok(left.filter(|bytes| serde_json::from_slice::<IgnoredAny>(bytes).is_ok()))
        })
    }

    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault> {
        self.with_session(|this, session| {
            for few in files.chunks(MAX_OPEN_FILES) {
                let sources: Vec<Source<'_>> = few
                    .iter()
                    .map(|file| Source {
                        path: &file.path,
                        mode: PUBLIC_MODE,
                        bytes: Bytes::Of(file, sent),
                    })
                    .collect();
                this.put_batch(session, &sources)?;
            }
            this.tags(session, files)
        })
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let source = [Source { path, mode: PRIVATE_MODE, bytes: Bytes::These(bytes) }];
        self.with_session(|this, session| this.put_batch(session, &source))
    }

    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
        self.with_session(|this, session| {
            let remove =
                paths.iter().map(|path| Ok(Request::new(Operation::Remove).bytes(this.path(path))));
            for (path, reply) in paths.iter().zip(session.request_all(remove)?) {
                if !matches!(reply, Reply::Status(STATUS_NO_SUCH_FILE, _)) {
                    this.done(path, &reply)?;
                }
            }
            // Deletes the innermost folders first. A folder that is not empty stays.
            let parents = |path: &&str| -> Vec<String> {
                let at = path.match_indices('/').map(|(at, _)| this.path(&path[..at]));
                at.collect()
            };
            let folders: BTreeSet<String> = paths.iter().flat_map(parents).collect();
            let remove = folders
                .iter()
                .rev()
                .map(|folder| Ok(Request::new(Operation::RemoveFolder).bytes(folder)));
            session.request_all(remove)?;
            this.folders.clear();
            Ok(())
        })
    }
}
