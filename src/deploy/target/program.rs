//! Programs that are given input and asked what they say.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// How long a program may say nothing that asks another machine.
pub const PATIENCE: Duration = Duration::from_mins(3);

/// Runs a program with `input`. It speaks English, so that what it says can be understood. One that says nothing for so
/// long is ended: an error of the kind `TimedOut`.
pub fn output(command: &mut Command, input: Vec<u8>, patience: Duration) -> io::Result<Output> {
    let mut child = command
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take();
    // It may say much before it has read all. It says by itself what it did not read.
    thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(&input)));
    let (tell, heard) = mpsc::channel();
    listen(child.stdout.take(), tell.clone(), |bytes| {
        (bytes, Vec::new())
    });
    listen(child.stderr.take(), tell, |bytes| (Vec::new(), bytes));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        match heard.recv_timeout(patience) {
            Ok((out, err)) => {
                stdout.extend(out);
                stderr.extend(err);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            // What it started may still hold the pipes: nobody listens to those any more.
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }
    Ok(Output {
        status: child.wait()?,
        stdout,
        stderr,
    })
}

type Said = (Vec<u8>, Vec<u8>);

/// Tells what comes out of a pipe, as it comes.
fn listen(
    pipe: Option<impl Read + Send + 'static>,
    tell: Sender<Said>,
    which: fn(Vec<u8>) -> Said,
) {
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut part = vec![0; 64 * 1024];
        loop {
            match pipe.read(&mut part) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                Ok(read) if tell.send(which(part[..read].to_vec())).is_err() => return,
                Ok(_) => {}
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, input: usize) -> io::Result<Output> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        output(&mut command, vec![b'x'; input], Duration::from_secs(1))
    }

    #[test]
    fn a_program_that_says_nothing_is_left_and_one_that_goes_on_is_not() {
        let fault = sh("sleep 60 & sleep 60", 0).unwrap_err();
        assert_eq!(fault.kind(), ErrorKind::TimedOut);
        let script = "for at in 1 2 3 4 5; do sleep 0.4; echo on >&2; done; echo end";
        assert_eq!(sh(script, 0).unwrap().stdout, b"end\n");
    }

    #[test]
    fn all_of_a_long_text_comes_back() {
        let said = sh("cat; exit 3", 1_000_000).unwrap();
        assert_eq!(
            (said.stdout.len(), said.status.code()),
            (1_000_000, Some(3))
        );
    }
}
