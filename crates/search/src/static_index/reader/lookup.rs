//! Looks words up in the shards.

use std::sync::{Arc, PoisonError};

use super::{Published, Reader};
use crate::static_index::Damaged;
use crate::static_index::files::{inflate, names};
use crate::static_index::list::Posting;
use crate::static_index::shard::{self, Record, order};

/// The documents and passages that have a token.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub documents: Vec<Posting>,
    pub passages: Vec<u32>,
}

impl<P: Published> Reader<P> {
    pub(super) fn lists(&self, token: &str) -> Result<Lists, Damaged> {
        let found = self.records_from(token, |word| word == token)?;
        Ok(found
            .into_iter()
            .map(|(_, lists)| lists)
            .next()
            .unwrap_or_default())
    }

    /// The words from `start` on while they are wanted.
    pub(super) fn records_from(
        &self,
        start: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, Lists)>, Damaged> {
        let first = self
            .entry
            .words
            .partition_point(|word| order(word, start).is_le());
        let mut found = Vec::new();
        for name in names(&self.entry.word_shards).skip(first.saturating_sub(1)) {
            let shard = self.shard(name)?;
            for record in shard::read(&shard)? {
                if order(&record.word, start).is_lt() {
                    continue;
                }
                if !is_wanted(&record.word) {
                    return Ok(found);
                }
                found.push((record.word.clone(), self.read(&record)?));
            }
        }
        Ok(found)
    }

    fn read(&self, record: &Record<'_>) -> Result<Lists, Damaged> {
        let mut lists = Lists::default();
        record.read_both(|posting, is_document| match is_document {
            true => lists.documents.push(posting),
            false => lists.passages.push(posting.number()),
        })?;
        let passages = self.first_passages.last().copied().unwrap_or(0);
        let is_known = lists
            .documents
            .iter()
            .all(|one| one.number() < self.entry.documents)
            && lists.passages.iter().all(|passage| *passage < passages);
        is_known.then_some(lists).ok_or(Damaged)
    }

    pub(super) fn shard(&self, name: &str) -> Result<Arc<Vec<u8>>, Damaged> {
        let mut shards = self.shards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shards.get(name) {
            return Ok(Arc::clone(known));
        }
        let published = self.published.index_file(&format!("shards/{name}.bin"));
        let content = Arc::new(inflate(&published.ok_or(Damaged)?)?);
        shards.insert(name.to_owned(), Arc::clone(&content));
        Ok(content)
    }
}
