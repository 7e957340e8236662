//! The site that is searched: the corpus items, plus one item with an hour of speech for every 20
//! items.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus::words::Random;
use super::corpus::{self, DEFAULT_OUTPUT, Item, write};

/// Number of corpus items per transcript.
pub const ITEMS_PER_TRANSCRIPT: usize = 20;

/// Number of cues in a transcript: one hour in cues of five seconds.
const CUES: usize = 720;

/// Number of words per cue, so that an hour has about 60 KB of words.
const WORDS_PER_CUE: usize = 15;

/// A site's folder and the program that builds the site.
pub struct Site {
    pub root: PathBuf,
    program: PathBuf,
}

impl Site {
    /// Deletes the folder `root` and writes a new site to it.
    pub fn make(root: &Path, program: &Path, items: usize) -> Self {
        corpus::make(root, items);
        for number in 0..items / ITEMS_PER_TRANSCRIPT {
            let folder = root.join(format!("content/items/talks/{}/{number}", number / 100));
            // A seed that no corpus item uses.
            let mut chance = Random::new(1_000_000_000 + number);
            let title: Vec<&str> = (0..4).map(|_| chance.word()).collect();
            let head = format!(
                "+++\nid = \"t{number:010}\"\ntitle = \"{} talk {number}\"\ndate_published = \"2026-02-03T04:05:06Z\"\n\n[podcast]\ntranscripts = [\"talk-{number}.vtt\"]\n+++\nWhat was said is in the transcript.\n",
                title.join(" ")
            );
            write(folder.join("index.md"), &head);
            write(folder.join(format!("talk-{number}.vtt")), &transcript(&mut chance));
        }
        Self::at(root, program)
    }

    fn at(root: &Path, program: &Path) -> Self {
        Self { root: root.to_path_buf(), program: program.to_path_buf() }
    }

    /// Copies the source files to another folder, without the output.
    pub fn copy(&self, root: &Path) -> Self {
        let _ = fs::remove_dir_all(root);
        fs::create_dir_all(root).expect("a folder can be made");
        let mut command = Command::new("cp");
        command.arg("-r");
        command.args(["content", "site.toml"].map(|name| self.root.join(name)));
        let status = command.arg(root).status();
        assert!(status.is_ok_and(|status| status.success()), "the site can be copied");
        Self::at(root, &self.program)
    }

    /// Enables or disables search in `site.toml`.
    pub fn set_search(&self, has_search: bool) {
        let text = format!("{DEFAULT_OUTPUT}\n[output]\nsearch = {has_search}\n");
        write(self.root.join("site.toml"), &text);
    }

    /// Returns the command that builds the site.
    pub fn build(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("build").arg("--site").arg(&self.root);
        command
    }

    /// Removes the output and the build cache.
    pub fn clean(&self) {
        for folder in ["public", ".feedwright"] {
            let _ = fs::remove_dir_all(self.root.join(folder));
        }
    }

    /// Returns the output folder.
    pub fn public(&self) -> PathBuf {
        self.root.join("public")
    }

    /// Returns the folder of the search index.
    pub fn index(&self) -> PathBuf {
        self.public().join("search/index")
    }
}

/// Returns a WebVTT transcript of one hour.
fn transcript(chance: &mut Random) -> String {
    let mut text = "WEBVTT\n".to_owned();
    for cue in 0..CUES {
        let time = |second: usize| {
            let (hours, minutes) = (second / 3600, second / 60 % 60);
            format!("{hours:02}:{minutes:02}:{:02}.000", second % 60)
        };
        let _ = writeln!(text, "\n{} --> {}", time(cue * 5), time(cue * 5 + 5));
        let words: Vec<&str> = (0..WORDS_PER_CUE).map(|_| chance.word()).collect();
        let _ = writeln!(text, "{}", words.join(" "));
    }
    text
}

/// Returns the size of the searched text in bytes: the Markdown of the items and the words of the
/// transcripts, without times.
pub fn text_bytes(items: usize) -> u64 {
    let written: usize = (0..items).map(|number| Item::of(number).body.len()).sum();
    let transcripts = items / ITEMS_PER_TRANSCRIPT;
    let said: usize = (0..transcripts)
        .map(|number| {
            let mut chance = Random::new(1_000_000_000 + number);
            let title = 4;
            let words = (0..title + CUES * WORDS_PER_CUE).map(|_| chance.word().len() + 1);
            words.skip(title).sum::<usize>()
        })
        .sum();
    (written + said) as u64
}
