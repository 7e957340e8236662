//! Runs programs with limits on time and output, passes them input and collects their output.

use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long to keep reading output after a program has ended. Its child processes may still hold
/// the pipe open.
const DRAIN_TIME: Duration = Duration::from_secs(5);

/// Time between SIGTERM and SIGKILL, in which a program can clean up.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(2);

/// Maximum interval between two checks of a program that writes nothing.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A callback that receives each piece of output.
pub type OutputCallback<'b> = &'b mut dyn FnMut(&[u8]);

/// The limits of a run. By default, a run is unlimited.
pub struct Bounds<'b> {
    /// Maximum total run time.
    pub most: Duration,
    /// Maximum time without output.
    pub silence: Duration,
    /// Maximum number of bytes to keep of standard output, and of standard error.
    pub kept: usize,
    /// Whether the program gets its own process group. Such a program is ended together with its
    /// child processes, and a Ctrl+C for feedwright does not reach the program.
    pub is_apart: bool,
    /// Returns `true` as soon as the caller wants to cancel the run.
    pub is_stopped: &'b dyn Fn() -> bool,
    /// Receives standard error while the program runs.
    pub hear: Option<OutputCallback<'b>>,
    /// Whether `hear` also receives standard output.
    pub hears_output: bool,
}

impl Default for Bounds<'_> {
    fn default() -> Self {
        Self {
            most: Duration::MAX,
            silence: Duration::MAX,
            kept: usize::MAX,
            is_apart: false,
            is_stopped: &|| false,
            hear: None,
            hears_output: false,
        }
    }
}

/// Runs a program with `input`. Ends a program that exceeds a time limit, or that is cancelled. In
/// these cases, returns an error of the kind `TimedOut` or `Interrupted`.
pub fn output(command: &mut Command, input: Vec<u8>, mut bounds: Bounds<'_>) -> io::Result<Output> {
    #[cfg(unix)]
    if bounds.is_apart {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take();
    // The program may write a lot of output before it has read all input, so a separate thread
    // writes the input. Write errors are ignored, because a program that stops reading early
    // reports the reason itself.
    thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(&input)));
    let (tell, events) = mpsc::channel();
    listen(child.stdout.take(), tell.clone(), Event::Output);
    listen(child.stderr.take(), tell, Event::Error);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let keep = |event| {
        let (all, part, is_heard) = match event {
            Event::Output(part) => (&mut stdout, part, bounds.hears_output),
            Event::Error(part) => (&mut stderr, part, true),
        };
        if let Some(hear) = bounds.hear.as_mut().filter(|_| is_heard) {
            hear(&part);
        }
        add(all, &part, bounds.kept);
    };
    let fault = |began: Instant, last: Instant| {
        let is_over = began.elapsed() > bounds.most || last.elapsed() > bounds.silence;
        match (bounds.is_stopped)() {
            true => Some(ErrorKind::Interrupted),
            false => is_over.then_some(ErrorKind::TimedOut),
        }
    };
    let status = wait_for_exit(&mut child, &events, keep, fault)
        .inspect_err(|_| end(&mut child, bounds.is_apart))?;
    Ok(Output { status, stdout, stderr })
}

enum Event {
    Output(Vec<u8>),
    Error(Vec<u8>),
}

/// Starts a thread that sends each piece of output from a pipe to `tell`.
fn listen(
    pipe: Option<impl Read + Send + 'static>,
    tell: Sender<Event>,
    which: fn(Vec<u8>) -> Event,
) {
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut part = vec![0; 64 * 1024];
        loop {
            match pipe.read(&mut part) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                // Send errors are ignored: even if the receiver is gone, the pipe is read to its
                // end, so that the program is not blocked.
                Ok(read) => drop(tell.send(which(part[..read].to_vec()))),
            }
        }
    });
}

fn add(all: &mut Vec<u8>, part: &[u8], most: usize) {
    let room = most.saturating_sub(all.len());
    all.extend_from_slice(&part[..part.len().min(room)]);
}

/// Passes output to `keep` until the program has ended and its pipes are closed. Returns an error
/// as soon as `fault` returns an error kind. The arguments of `fault` are the start time of the
/// program and the time of its last output.
fn wait_for_exit(
    child: &mut Child,
    events: &Receiver<Event>,
    mut keep: impl FnMut(Event),
    fault: impl Fn(Instant, Instant) -> Option<ErrorKind>,
) -> io::Result<ExitStatus> {
    let began = Instant::now();
    let (mut last, mut pause) = (began, Duration::from_millis(1));
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut is_open = true;
    loop {
        match events.recv_timeout(pause) {
            Ok(event) => {
                keep(event);
                (last, pause) = (Instant::now(), Duration::from_millis(1));
            }
            Err(RecvTimeoutError::Timeout) => pause = (pause * 2).min(POLL_INTERVAL),
            Err(RecvTimeoutError::Disconnected) if is_open => {
                (is_open, pause) = (false, Duration::from_millis(1));
            }
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(pause);
                pause = (pause * 2).min(POLL_INTERVAL);
            }
        }
        match ended {
            Some((status, at)) if !is_open || at.elapsed() > DRAIN_TIME => {
                events.try_iter().for_each(keep);
                return Ok(status);
            }
            Some(_) => {}
            None => {
                ended = child.try_wait()?.map(|status| (status, Instant::now()));
                if let Some(kind) = fault(began, last).filter(|_| ended.is_none()) {
                    return Err(kind.into());
                }
            }
        }
    }
}

/// Ends a program, optionally with its child processes. The processes have time to remove their
/// locks before they are killed.
#[cfg(unix)]
fn end(child: &mut Child, with_its_own: bool) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
    let pid = Pid::from_child(child);
    let send = |signal| match with_its_own {
        true => kill_process_group(pid, signal),
        false => kill_process(pid, signal),
    };
    let _ = send(Signal::TERM);
    let began = Instant::now();
    let mut is_there = true;
    while is_there && began.elapsed() < GRACE {
        thread::sleep(Duration::from_millis(10));
        let is_running = matches!(child.try_wait(), Ok(None));
        is_there = is_running || (with_its_own && test_kill_process_group(pid).is_ok());
    }
    if is_there {
        let _ = send(Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(not(unix))]
fn end(child: &mut Child, _with_its_own: bool) {
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, input: usize, bounds: Bounds<'_>) -> io::Result<Output> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        output(&mut command, vec![b'x'; input], bounds)
    }

    fn silent_for(seconds: u64) -> Bounds<'static> {
        Bounds { silence: Duration::from_secs(seconds), ..Bounds::default() }
    }

    #[test]
    fn a_silent_program_is_ended_and_an_active_one_is_not() {
        let fault = sh("sleep 60 & sleep 60", 0, silent_for(3)).unwrap_err();
        assert_eq!(fault.kind(), ErrorKind::TimedOut);
        let script = "for at in 1 2 3 4 5; do sleep 0.7; echo on >&2; done; echo end";
        let mut events = Vec::new();
        let bounds =
            Bounds { hear: Some(&mut |part| events.extend_from_slice(part)), ..silent_for(3) };
        assert_eq!(sh(script, 0, bounds).unwrap().stdout, b"end\n");
        assert_eq!(events, b"on\n".repeat(5));
    }

    #[test]
    fn standard_output_is_heard_on_request() {
        for hears_output in [false, true] {
            let mut heard = Vec::new();
            let hear: OutputCallback<'_> = &mut |part| heard.extend_from_slice(part);
            let bounds = Bounds { hear: Some(hear), hears_output, ..Bounds::default() };
            assert_eq!(sh("echo out", 0, bounds).unwrap().stdout, b"out\n");
            assert_eq!(heard, if hears_output { &b"out\n"[..] } else { b"" });
        }
    }

    #[test]
    fn a_program_is_stopped_with_its_children_and_removes_its_locks() {
        let folder = tempfile::tempdir().unwrap();
        let (lock, left) = (folder.path().join("lock"), folder.path().join("left"));
        let script = format!(
            "trap 'sleep 0.3; rm {lock}; exit 1' TERM; (trap '' TERM; touch {lock}; sleep 5; touch {left}) & wait",
            lock = lock.display(),
            left = left.display(),
        );
        let fault = sh(
            &script,
            0,
            Bounds { is_apart: true, is_stopped: &|| lock.exists(), ..Bounds::default() },
        );
        assert_eq!(fault.unwrap_err().kind(), ErrorKind::Interrupted);
        assert!(!lock.exists());
        thread::sleep(Duration::from_secs(6));
        assert!(!left.exists());
    }

    #[test]
    fn background_children_are_not_waited_for() {
        let began = Instant::now();
        let event = sh("sleep 60 & echo begun", 0, Bounds::default()).unwrap();
        assert_eq!(event.stdout, b"begun\n");
        assert!(began.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn long_output_is_returned_up_to_the_limit() {
        let event = sh("cat; exit 3", 1_000_000, Bounds::default()).unwrap();
        assert_eq!((event.stdout.len(), event.status.code()), (1_000_000, Some(3)));
        let bounds = Bounds { kept: 70_000, ..Bounds::default() };
        assert_eq!(sh("cat", 1_000_000, bounds).unwrap().stdout.len(), 70_000);
    }
}
