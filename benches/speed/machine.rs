//! Description of the machine, and the sizes of folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder for generated sites: an in-memory file system if available.
pub fn place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() }
}

/// Returns one line with the processor, its cores, the memory, the operating system and the file
/// system.
pub fn description(place: &Path) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor =
        find_line("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into());
    let memory = find_line("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map_or(String::new(), |kib| format!(", {} GiB of memory", kib / 1024 / 1024));
    let system = first_output_line(Command::new("uname").arg("-sr"))
        .unwrap_or_else(|| std::env::consts::OS.into());
    let kind = place.parent().and_then(|place| {
        let said = first_output_line(Command::new("stat").args(["-f", "-c", "%T"]).arg(place))?;
        Some(format!(", on {said}"))
    });
    format!("{processor}, {cores} cores{memory}, {system}{}", kind.unwrap_or_default())
}

/// Runs a command and returns the first line of its output, or `None` if it fails.
pub fn first_output_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(|line| line.trim().to_owned())
}

fn find_line(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

/// Returns the number of files below a folder, and their total size in bytes.
pub fn folder_size(folder: &Path) -> (u64, u64) {
    let entries = walkdir::WalkDir::new(folder).into_iter().flatten();
    entries
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| entry.metadata().ok())
        .fold((0, 0), |(files, bytes), file| (files + 1, bytes + file.len()))
}
