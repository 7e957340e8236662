//! Programs that are given input and asked what they say.

use std::io::{self, Write};
use std::process::{Command, Output, Stdio};
use std::thread;

/// Runs a program with `input`. It speaks English, so that what it says can be understood.
pub fn output(command: &mut Command, input: Vec<u8>) -> io::Result<Output> {
    let mut child = command
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take();
    // It may say much before it has read all.
    let writing = thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(&input)));
    let output = child.wait_with_output();
    // It says by itself what it did not read.
    let _ = writing.join();
    output
}
