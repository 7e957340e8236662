//! Writes the search index after the text of every document was read.

use std::fs;

use rayon::prelude::*;
use search::static_index::is_name;

use super::run::{Put, WriteRun};
use super::{RouteState, cannot_note};
use crate::manifest::FileRecord;
use crate::search_files::SearchFiles;
use model::Diagnostic;
use render::Body;

/// The files of a written search index.
pub struct WrittenIndex {
    pub entry: Put,
    /// All shards of the index, including ones that already existed.
    pub shards: Vec<(String, FileRecord)>,
    /// Shards of other indexes, which must be removed.
    pub obsolete: Vec<String>,
}

impl WriteRun<'_> {
    /// Builds the index and writes its missing files. The entry file is written last, so that it
    /// never refers to a missing shard. `begun` contains the other files of this build.
    pub fn search_index(
        &self,
        search: &SearchFiles<'_>,
        begun: &[String],
    ) -> Result<WrittenIndex, Diagnostic> {
        let writer = self.writer;
        let at = search.route;
        let route = &self.publishing.routes.routes[at];
        let file_of = |name: &str| search.shard(name);
        let line_of = |file: &str| {
            let shards = &writer.shards;
            let found = shards.binary_search_by(|(own, _)| own.as_str().cmp(file));
            found.ok().map(|found| shards[found].1)
        };
        let known = |file: &str| {
            let line = line_of(file).filter(|_| !self.target.is_new())?;
            writer.manifest.known(line)
        };
        let mut made = search.make(&|name| known(&file_of(name)).is_some());
        if let Some(outdated) = (self.publishing.outdated)() {
            return Err(outdated);
        }
        let shards = std::mem::take(&mut made.shards);
        let names: Vec<String> = shards.iter().map(|shard| file_of(&shard.name)).collect();
        let all = begun.iter().chain(&names).map(String::as_str);
        let noted = writer.manifest.begin(all);
        noted.map_err(|error| cannot_note(&error))?;
        let put = |file: &str, state: &RouteState, bytes: Vec<u8>| {
            let body = Body::Bytes(bytes);
            writer.put(self.target, file, state, &body, &self.counts)
        };
        let shards = shards.into_par_iter().zip(names);
        let shards: Result<Vec<(String, FileRecord)>, Diagnostic> = shards
            .map(|(shard, file)| {
                let state = RouteState { fingerprint: Some(0), line: line_of(&file), record: None };
                let record = match (shard.bytes, known(&file)) {
                    (None, Some(record)) => record,
                    (bytes, _) => put(&file, &state, bytes.unwrap_or_default())?,
                };
                Ok((file, record))
            })
            .collect();
        let mut shards = shards?;
        shards.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let entry = put(&route.file, &self.states[at], std::mem::take(&mut made.entry));
        if entry.is_ok() {
            search.save_state(&made);
        }
        let obsolete = match self.target.is_new() {
            true => Vec::new(),
            false => self.other_shards(&search.shards(), &shards),
        };
        Ok(WrittenIndex { entry: (at, entry), shards, obsolete })
    }

    /// Returns the shards in the output folder that are not in `shards`. Such files are removed
    /// even if no manifest lists them, since only feedwright uses names of this form.
    fn other_shards(&self, folder: &str, shards: &[(String, FileRecord)]) -> Vec<String> {
        let there = fs::read_dir(self.writer.out.join(folder)).into_iter().flatten();
        let files = there.filter_map(|file| {
            let name = file.ok()?.file_name().into_string().ok()?;
            let is_shard = name.strip_suffix(".bin").is_some_and(is_name);
            is_shard.then(|| format!("{folder}/{name}"))
        });
        let is_other = |file: &String| {
            let found = shards.binary_search_by(|(own, _)| own.as_str().cmp(file));
            found.is_err()
        };
        files.filter(is_other).collect()
    }
}
