//! `feedwright transcribe`: makes draft transcripts with a program of the user.

mod link;
mod program;
mod selection;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use serde_json::{Value, json};

use super::Failure;
use super::output::{Bar, answer, print_json, say};
use builder::Progress;
use edit::NewFolder;
use model::Config;
use program::{Fault, Program, Run};
use project::{Options, show_configs};
use selection::{Folder, Job, Selection};
use source::load::{load, load_config};
use source::show_folders::show_folders;
use transcripts::MACHINE_MADE;

/// The arguments of `transcribe`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright transcribe
  feedwright transcribe harbour-walk --force")]
pub struct Arguments {
    /// Ids, slugs or files of episodes [default: all without transcript]
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// Replace existing transcripts
    #[arg(long, requires = "items")]
    force: bool,
    /// Print JSON on standard output
    #[arg(long)]
    json: bool,
}

/// Whether the user wants to stop.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Transcribes the selected episodes, one at a time. A failure does not stop the other episodes.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let (config, mut report) = load_config(root);
    let shows = show_folders(root);
    let (shows, found) = show_configs(&Options::new(root), &config, shows.iter());
    report.extend(found);
    if report.has_errors() {
        return Err(super::output::fail(report, arguments.json));
    }
    let read =
        |config: &Config| Folder { sources: load(root, config, &|| ()).0, config: config.clone() };
    let folders: Vec<Folder> = [&config].into_iter().chain(&shows).map(read).collect();
    let selection = Selection::of(root, &folders, arguments)?;
    if selection.remote > 0 && !arguments.json {
        let count = super::output::count(selection.remote, "episode", "episodes");
        say!("skipped {count}: the recording is not a file of the site");
    }
    if selection.jobs.is_empty() {
        say!("every episode with a recording in the site has a transcript");
    }
    let (mut made, mut failed) = (Vec::new(), Vec::new());
    if !selection.jobs.is_empty() {
        let program = Program::of_environment()?;
        #[cfg(feature = "serve")]
        watch_signals()?;
        for job in &selection.jobs {
            let why = match transcribe(root, &config, &program, job) {
                Ok(()) => {
                    made.push(job);
                    continue;
                }
                Err(Fault::Missing(why)) => return Err(Failure::Usage(why)),
                Err(Fault::Failed(why)) => why,
                Err(Fault::Stopped) => "stopped; no transcript was written".to_owned(),
            };
            if !arguments.json {
                say!("error: {}: {why}", job.recording);
            }
            failed.push((job, why));
            if IS_STOPPED.load(Ordering::Relaxed) {
                break;
            }
        }
    }
    report_result(&made, &failed, selection.remote, arguments.json);
    if failed.is_empty() { Ok(()) } else { Err(Failure::Errors) }
}

fn report_result(made: &[&Job], failed: &[(&Job, String)], remote: usize, as_json: bool) {
    if as_json {
        let is_ok = failed.is_empty();
        let written = made.iter().map(|job| json!({ "item": job.id, "file": job.target }));
        let failed = failed.iter().map(|(job, why)| json!({ "item": job.id, "message": why }));
        print_json(&json!({
            "ok": is_ok,
            "transcripts": written.collect::<Vec<Value>>(),
            "failed": failed.collect::<Vec<Value>>(),
            "skipped": remote,
        }));
        return;
    }
    made.iter().for_each(|job| answer(job.target.as_str()));
    if !made.is_empty() {
        say!("next: review each transcript in the editor, or correct it and delete its note");
    }
}

/// Writes the transcript of an episode, and links it from the item. A transcript that exists is only
/// linked.
fn transcribe(root: &Path, config: &Config, program: &Program, job: &Job) -> Result<(), Fault> {
    let cannot_write =
        |error: std::io::Error| Fault::Failed(format!("{} cannot be written: {error}", job.target));
    let target = job.target.on_disk(root);
    if job.replaces || !target.exists() {
        let local = local::local_folder(root).map_err(cannot_write)?;
        let work = NewFolder::next_to(&local.join("transcribe")).map_err(cannot_write)?;
        let recording = job.recording.on_disk(root).canonicalize().map_err(cannot_write)?;
        say!("Transcribing {} with {}", job.recording, program.name());
        let bar = Bar::new();
        bar.phase("Transcribing", 100);
        let made = program.run(&Run {
            recording: &recording,
            seconds: job.seconds,
            language: &job.language,
            folder: work.path(),
            advance: &|percent| bar.moved(percent),
            is_stopped: &|| IS_STOPPED.load(Ordering::Relaxed),
        });
        bar.finish();
        let text = marked(&made?, program, config);
        let write = if job.replaces { edit::replace } else { edit::create };
        write(&target, text.as_bytes()).map_err(cannot_write)?;
    }
    link::link(root, job).map_err(Fault::Failed)
}

/// Adds the note of a machine-made transcript to WebVTT.
fn marked(webvtt: &str, program: &Program, config: &Config) -> String {
    let day = edit::current_time(&config.timezone).date();
    let cues = webvtt.strip_prefix("WEBVTT\n").unwrap_or(webvtt);
    let name = program.name().replace("-->", " ");
    format!(
        "WEBVTT\n\nNOTE {MACHINE_MADE}\n{name} made this transcript on {day}. Correct it, then delete this note.\n{cues}"
    )
}

/// Sets `IS_STOPPED` when the user presses Ctrl+C, or the process is asked to end.
#[cfg(feature = "serve")]
fn watch_signals() -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::Usage(format!("signals cannot be received: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(failed)?;
    let _entered = runtime.enter();
    #[cfg(unix)]
    let mut signals = {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let signals: std::io::Result<Vec<_>> = kinds.into_iter().map(signal).collect();
        signals.map_err(failed)?
    };
    drop(_entered);
    std::thread::spawn(move || {
        runtime.block_on(async {
            #[cfg(unix)]
            std::future::poll_fn(|context| {
                let is_received = signals.iter_mut().any(|own| own.poll_recv(context).is_ready());
                if is_received { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
            })
            .await;
            #[cfg(not(unix))]
            let _ = tokio::signal::ctrl_c().await;
            IS_STOPPED.store(true, Ordering::Relaxed);
        });
    });
    Ok(())
}
