//! HLS playlists of the site: the files that a playlist names, directly or through other playlists.
//! These files are published with it.

use std::collections::BTreeSet;
use std::fs;

use media_facts::MediaFacts;
use media_facts::playlist::{Named, Playlist, parse};
use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::disk::Disk;
use super::reference::{Problem, check_publishable, harmful_scheme, locate, publish};
use model::{Diagnostic, MediaFile, Rule, SitePath, Source, url};

/// Maximum number of playlists that are read, including the first.
const MAX_PLAYLISTS: usize = 200;

/// The files that a playlist names, and facts from it.
#[derive(Debug, Default)]
pub struct PlaylistFiles {
    /// The files of the site, without the playlist itself.
    pub files: BTreeSet<MediaFile>,
    pub found: Vec<Diagnostic>,
    /// A hash of the text of every playlist.
    pub texts: u64,
    duration: Option<f64>,
    dimensions: Option<(u32, u32)>,
    codecs: Option<String>,
    is_audio: Option<bool>,
    /// Whether a playlist cannot be read, or names a file that cannot be published.
    pub is_broken: bool,
}

/// Returns whether a file is a playlist.
pub fn is_playlist(file: &SitePath) -> bool {
    file.extension() == "m3u8"
}

/// Reads a playlist of the site and the playlists that it names.
pub fn read(disk: &Disk<'_>, file: &SitePath) -> PlaylistFiles {
    let mut walk = Walk { disk, names: BTreeSet::new(), read: PlaylistFiles::default() };
    walk.playlist(file, &[]);
    walk.read
}

impl PlaylistFiles {
    /// Adds the facts from the playlist to the facts about its file.
    pub fn facts(&self, facts: &MediaFacts) -> MediaFacts {
        MediaFacts {
            duration: self.duration,
            dimensions: self.dimensions,
            codecs: self.codecs.clone(),
            is_audio: self.is_audio == Some(true),
            ..facts.clone()
        }
    }

    /// Uses the longest duration, and other facts of the first playlist that states them: players
    /// start with it.
    fn adopt_facts(&mut self, playlist: &Playlist) {
        let duration = Some(playlist.duration).filter(|seconds| *seconds > 0.0);
        self.duration = self.duration.into_iter().chain(duration).reduce(f64::max);
        self.dimensions = self.dimensions.or(playlist.dimensions);
        let states_kind = duration.is_some() || self.dimensions.or(playlist.dimensions).is_some();
        if self.is_audio.is_none() && (states_kind || playlist.codecs.is_some()) {
            self.is_audio = Some(playlist.is_audio());
        }
        self.codecs = self.codecs.take().or_else(|| playlist.codecs.clone());
    }
}

struct Walk<'a> {
    disk: &'a Disk<'a>,
    /// The playlists that were read.
    names: BTreeSet<SitePath>,
    read: PlaylistFiles,
}

impl Walk<'_> {
    /// Reads a playlist. `outer` contains the playlists that name it, directly or indirectly.
    fn playlist(&mut self, file: &SitePath, outer: &[&SitePath]) {
        self.names.insert(file.clone());
        let text = match self.text(file) {
            Ok(text) => text,
            Err(why) => {
                let message = format!("this playlist cannot be read: {why}");
                let warning = Diagnostic::warning(Rule::Playlist, message).file(file.as_str());
                self.read.found.push(warning.help("export the playlist again"));
                self.read.is_broken = true;
                return;
            }
        };
        let source = Source { path: file, text: &text };
        let playlist = parse(&text);
        self.read.adopt_facts(&playlist);
        for fault in playlist.faults {
            self.warn(source, fault.at, fault.message, fault.help);
        }
        let outer = [outer, &[file]].concat();
        let mut is_noted = false;
        for named in &playlist.files {
            if url::is_absolute(&named.uri) && harmful_scheme(&named.uri).is_none() {
                if url::is_http(&named.uri) && !std::mem::replace(&mut is_noted, true) {
                    let message = format!("{} is not a file of this site", named.uri);
                    let help = "add the file to this site; or check that its server allows \
                        requests from this site, and turn this rule off under [check.paths]";
                    self.warn(source, named.at, message, help);
                }
                continue;
            }
            if let Err(problem) = self.named(source, named, &outer) {
                self.read.is_broken = true;
                let error = Diagnostic::error(problem.message).at(source, named.at);
                self.read.found.push(error.help(problem.help));
            }
        }
        self.read.texts = xxh3_64_with_seed(text.as_bytes(), self.read.texts);
    }

    fn text(&self, file: &SitePath) -> Result<String, String> {
        let bytes = self.disk.read(file).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
    }

    fn warn(&mut self, source: Source<'_>, at: usize, message: String, help: &str) {
        let warning = Diagnostic::warning(Rule::Playlist, message).at(source, at);
        self.read.found.push(warning.help(help));
    }

    /// Adds a file of the site that a playlist names.
    fn named(
        &mut self,
        source: Source<'_>,
        named: &Named,
        outer: &[&SitePath],
    ) -> Result<(), Problem> {
        let file = self.locate(source.path, &named.uri)?;
        if outer.contains(&&file) {
            let message = format!("{} names itself, so players never reach a segment", file);
            let help = "remove this line, or name another playlist";
            return Err(problem(message, help));
        }
        if let Some(end) = named.end
            && let Ok(facts) = fs::metadata(self.disk.path(&file))
            && end > facts.len()
        {
            let message = format!("{file} ends at byte {}, before byte {end}", facts.len());
            self.warn(source, named.at, message, "export the playlist and its files again");
        }
        let is_new = !self.names.contains(&file);
        self.read.files.insert(MediaFile { is_value: true, ..publish(file.clone()) });
        if named.is_playlist && is_new {
            if self.names.len() == MAX_PLAYLISTS {
                let message = format!("a playlist can name at most {MAX_PLAYLISTS} playlists");
                return Err(problem(message, "remove the rest"));
            }
            self.playlist(&file, outer);
        }
        Ok(())
    }

    /// Returns the file of the site that a URI in a playlist refers to. Players resolve the URI
    /// from the public address of the playlist.
    fn locate(&self, playlist: &SitePath, uri: &str) -> Result<SitePath, Problem> {
        let path = url::split_suffix(uri).0;
        if path.starts_with('/') {
            let message = format!("{uri:?} starts with a slash");
            return Err(problem(message, "write a path relative to the playlist"));
        }
        if let Some(problem) = harmful_scheme(uri) {
            return Err(problem);
        }
        let file = locate(self.disk, playlist, path)?;
        check_publishable(self.disk, &file)?;
        let public = |file: &SitePath| publish(file.clone()).path;
        let decoded = percent_decode_str(path).decode_utf8_lossy();
        let own = SitePath::parse(public(playlist).trim_start_matches('/'));
        let requested = own.and_then(|own| own.resolve(&decoded));
        if requested.is_none_or(|requested| requested.as_str() != &public(&file)[1..]) {
            let message = format!("{file} is published in another folder than the playlist");
            return Err(problem(message, "move it into the folder of the playlist"));
        }
        Ok(file)
    }
}

fn problem(message: String, help: &str) -> Problem {
    Problem { message, help: help.to_owned(), found: None, is_harmful: false }
}
