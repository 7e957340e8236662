//! A connection to an SFTP server that sends many requests before it waits for their replies.

use std::collections::HashMap;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::packet::{Reply, Request, extensions};
use super::watch::Watch;
use crate::Fault;
use crate::destinations::ssh;
use model::RemoteFolder;

/// Maximum number of requests that await a reply. With this limit, the replies to all pending
/// requests fit into the system's buffers.
const MAX_PENDING: usize = 32;

/// Maximum size of a packet from a server, in bytes.
const MAX_PACKET: u32 = 1024 * 1024;

/// Maximum time without any transfer while requests are pending.
const IDLE_TIMEOUT: Duration = Duration::from_secs(120);

/// The extension with which a rename can replace an existing file.
pub const POSIX_RENAME: &str = "posix-rename@openssh.com";

pub struct Session {
    at: RemoteFolder,
    child: Arc<Mutex<Child>>,
    watch: Watch,
    patience: Duration,
    requests: BufWriter<ChildStdin>,
    replies: BufReader<ChildStdout>,
    /// The error output of the program ssh.
    error_output: Option<JoinHandle<String>>,
    next: u32,
    /// Whether a rename can replace an existing file.
    pub has_posix_rename: bool,
}

impl Session {
    pub fn open(at: &RemoteFolder) -> Result<Self, Fault> {
        Self::start_with(ssh::subsystem(at, "sftp"), at, IDLE_TIMEOUT)
    }

    fn start_with(mut ssh: Command, at: &RemoteFolder, patience: Duration) -> Result<Self, Fault> {
        let mut child = ssh
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                Fault::permanent(
                    format!("ssh cannot be run: {error}"),
                    "install the OpenSSH client",
                )
            })?;
        let (Some(requests), Some(replies), Some(mut errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Fault::temporary("the pipes to ssh cannot be opened", "deploy again"));
        };
        let error_output = thread::spawn(move || {
            let mut error_output = Vec::new();
            let _ = errors.read_to_end(&mut error_output);
            String::from_utf8_lossy(&error_output).into_owned()
        });
        let child = Arc::new(Mutex::new(child));
        let mut session = Self {
            at: at.clone(),
            watch: Watch::start_with(Arc::clone(&child), patience),
            child,
            patience,
            requests: BufWriter::new(requests),
            replies: BufReader::new(replies),
            error_output: Some(error_output),
            next: 0,
            has_posix_rename: false,
        };
        // The first packet has no id. It contains its type and the version 3.
        let first = [0, 0, 0, 5, 1, 0, 0, 0, 3];
        let greeted = session.requests.write_all(&first);
        let greeted = greeted.and_then(|()| session.requests.flush());
        session.watch.expect_more();
        let packet = greeted.and_then(|()| session.packet());
        let packet = packet.map_err(|error| session.ended(&error))?;
        session.watch.allow_silence();
        let known = extensions(&packet);
        session.has_posix_rename = known.iter().any(|name| name == POSIX_RENAME);
        Ok(session)
    }

    pub fn send_request(&mut self, request: Request) -> Result<Reply, Fault> {
        let mut replies = self.request_all([Ok(request)])?;
        replies.pop().ok_or_else(|| self.ended(&io::ErrorKind::InvalidData.into()))
    }

    /// Sends requests, and returns the replies in the same order.
    pub fn request_all(
        &mut self,
        requests: impl IntoIterator<Item = Result<Request, Fault>>,
    ) -> Result<Vec<Reply>, Fault> {
        let mut replies: Vec<Option<Reply>> = Vec::new();
        let mut waiting: HashMap<u32, usize> = HashMap::new();
        for request in requests {
            // After an error, the replies to earlier requests are not read, because the connection
            // is closed.
            let sent = self.send(&request?);
            let id = sent.map_err(|error| self.ended(&error))?;
            waiting.insert(id, replies.len());
            replies.push(None);
            if waiting.len() == MAX_PENDING {
                self.receive(&mut waiting, &mut replies)?;
            }
        }
        while !waiting.is_empty() {
            self.receive(&mut waiting, &mut replies)?;
        }
        self.watch.allow_silence();
        Ok(replies.into_iter().flatten().collect())
    }

    fn receive(
        &mut self,
        waiting: &mut HashMap<u32, usize>,
        replies: &mut [Option<Reply>],
    ) -> Result<(), Fault> {
        let packet = self.requests.flush().and_then(|()| self.packet());
        self.watch.expect_more();
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
        self.watch.expect_more();
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
        // A length above the limit usually means that text printed by a login script was mistaken
        // for the start of a packet.
        if length > MAX_PACKET {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut packet = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.replies.read_exact(&mut packet)?;
        Ok(packet)
    }

    /// Returns the fault for a closed connection, with the error output of ssh if there is any.
    fn ended(&mut self, error: &io::Error) -> Fault {
        if self.watch.has_ended() {
            let (host, patience) = (&self.at.host, self.patience.as_secs());
            return Fault::permanent(
                format!(
                    "the SFTP server of {host} timed out: no data was transferred for {patience} seconds"
                ),
                "check the server and its disk, and deploy again; the published files are intact",
            );
        }
        self.kill();
        let error_output =
            self.error_output.take().and_then(|error_output| error_output.join().ok());
        let error_output = error_output.unwrap_or_default();
        if error_output.trim().is_empty() && error.kind() == io::ErrorKind::InvalidData {
            return Fault::permanent(
                format!("{} did not send a valid SFTP response", self.at.host),
                "check that `sftp` to that host works, and that its login scripts print nothing",
            );
        }
        ssh::refused("ssh", &self.at, &error_output)
    }

    fn kill(&self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error message for a server program that receives two requests after an idle
    /// period.
    fn error_after_idle(program: &str, arguments: &[&str]) -> String {
        let at =
            RemoteFolder { host: "walks.example".into(), port: None, folder: "/srv/www".into() };
        let mut command = Command::new(program);
        command.args(arguments);
        let fault =
            Session::start_with(command, &at, Duration::from_millis(300)).map(|mut session| {
                thread::sleep(Duration::from_millis(900));
                let request = || Request::new(super::super::packet::Operation::Stat).bytes("a");
                session
                    .send_request(request())
                    .and_then(|_| session.send_request(request()))
                    .unwrap_err()
            });
        let fault = fault.unwrap_or_else(|fault| fault);
        model::Diagnostic::from(fault).to_string()
    }

    #[test]
    fn a_silent_server_times_out() {
        let error_output = error_after_idle("sleep", &["60"]);
        assert!(error_output.contains("no data was transferred"), "{error_output}");
    }

    #[test]
    fn a_stalled_server_times_out_and_an_idle_one_does_not() {
        // The server sends a greeting and one reply, and then nothing more.
        let greeting = r"\000\000\000\005\002\000\000\000\003";
        let answer = r"\000\000\000\011\145\000\000\000\001\000\000\000\002";
        let script = format!("printf '{greeting}'; sleep 0.1; printf '{answer}'; exec sleep 60");
        let error_output = error_after_idle("sh", &["-c", &script]);
        assert!(error_output.contains("no data was transferred"), "{error_output}");
    }
}
