//! A connection to a server: requests out, replies in, many under way at once.

use std::collections::HashMap;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread::{self, JoinHandle};

use super::packet::{Reply, Request, extensions};
use crate::deploy::Fault;
use crate::deploy::target::ssh;
use crate::model::RemoteFolder;

/// How many requests are under way at once. Their replies fit into what the system holds for us.
const AT_ONCE: usize = 32;

/// Longest packet of a server, in bytes.
const LONGEST: u32 = 1024 * 1024;

/// The one that replaces a file as a rename on a disk does.
pub const POSIX_RENAME: &str = "posix-rename@openssh.com";

pub struct Session {
    at: RemoteFolder,
    child: Child,
    requests: BufWriter<ChildStdin>,
    replies: BufReader<ChildStdout>,
    /// What the program ssh says.
    said: Option<JoinHandle<String>>,
    next: u32,
    /// Whether a rename can replace a file.
    pub has_posix_rename: bool,
}

impl Session {
    pub fn open(at: &RemoteFolder) -> Result<Self, Fault> {
        let mut child = ssh::subsystem(at, "sftp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                Fault::lasting(
                    format!("ssh cannot be run: {error}"),
                    "install OpenSSH's client",
                )
            })?;
        let (Some(requests), Some(replies), Some(mut errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Fault::passing("ssh has no pipes", "deploy again"));
        };
        let said = thread::spawn(move || {
            let mut said = Vec::new();
            let _ = errors.read_to_end(&mut said);
            String::from_utf8_lossy(&said).into_owned()
        });
        let mut session = Self {
            at: at.clone(),
            child,
            requests: BufWriter::new(requests),
            replies: BufReader::new(replies),
            said: Some(said),
            next: 0,
            has_posix_rename: false,
        };
        // The first packet has no id: its kind, and the version 3.
        let first = [0, 0, 0, 5, 1, 0, 0, 0, 3];
        let greeted = session.requests.write_all(&first);
        let greeted = greeted.and_then(|()| session.requests.flush());
        let packet = greeted.and_then(|()| session.packet());
        let packet = packet.map_err(|error| session.ended(&error))?;
        let known = extensions(&packet);
        session.has_posix_rename = known.iter().any(|name| name == POSIX_RENAME);
        Ok(session)
    }

    /// Asks one thing.
    pub fn ask(&mut self, request: Request) -> Result<Reply, Fault> {
        let mut replies = self.ask_all([Ok(request)])?;
        replies
            .pop()
            .ok_or_else(|| self.ended(&io::ErrorKind::InvalidData.into()))
    }

    /// Asks many things, and answers the replies in the same order.
    pub fn ask_all(
        &mut self,
        requests: impl IntoIterator<Item = Result<Request, Fault>>,
    ) -> Result<Vec<Reply>, Fault> {
        let mut replies: Vec<Option<Reply>> = Vec::new();
        let mut waiting: HashMap<u32, usize> = HashMap::new();
        for request in requests {
            // Nobody waits for what was asked before: the connection is closed.
            let sent = self.send(&request?);
            let id = sent.map_err(|error| self.ended(&error))?;
            waiting.insert(id, replies.len());
            replies.push(None);
            if waiting.len() == AT_ONCE {
                self.receive(&mut waiting, &mut replies)?;
            }
        }
        while !waiting.is_empty() {
            self.receive(&mut waiting, &mut replies)?;
        }
        Ok(replies.into_iter().flatten().collect())
    }

    fn receive(
        &mut self,
        waiting: &mut HashMap<u32, usize>,
        replies: &mut [Option<Reply>],
    ) -> Result<(), Fault> {
        let packet = self.requests.flush().and_then(|()| self.packet());
        let packet = packet.map_err(|error| self.ended(&error))?;
        let understood =
            Reply::parse(&packet).and_then(|(id, reply)| Some((waiting.remove(&id)?, reply)));
        match understood {
            Some((at, reply)) => {
                replies[at] = Some(reply);
                Ok(())
            }
            None => Err(self.ended(&io::ErrorKind::InvalidData.into())),
        }
    }

    fn send(&mut self, request: &Request) -> io::Result<u32> {
        self.next = self.next.wrapping_add(1);
        let length = u32::try_from(request.body.len() + 5).map_err(io::Error::other)?;
        self.requests.write_all(&length.to_be_bytes())?;
        self.requests.write_all(&[request.operation as u8])?;
        self.requests.write_all(&self.next.to_be_bytes())?;
        self.requests.write_all(&request.body)?;
        Ok(self.next)
    }

    fn packet(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.replies.read_exact(&mut length)?;
        let length = u32::from_be_bytes(length);
        // A login that prints something is taken for a long packet.
        if length > LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut packet = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.replies.read_exact(&mut packet)?;
        Ok(packet)
    }

    /// Why the connection ended: what ssh says, if it says something.
    fn ended(&mut self, error: &io::Error) -> Fault {
        let _ = self.child.kill();
        let said = self.said.take().and_then(|said| said.join().ok());
        let said = said.unwrap_or_default();
        if said.trim().is_empty() && error.kind() == io::ErrorKind::InvalidData {
            return Fault::lasting(
                format!("what {} answers is not SFTP", self.at.host),
                "see that `sftp` to that host works, and that a login there prints nothing",
            );
        }
        ssh::refused("ssh", &self.at, &said)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
