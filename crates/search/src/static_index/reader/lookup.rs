//! Looks words up in the shards.

use std::sync::{Arc, PoisonError};

use super::{Published, Reader};
use crate::static_index::Damaged;
use crate::static_index::files::{inflate, names};
use crate::static_index::list::Posting;
use crate::static_index::prefixes::shards_without_token;
use crate::static_index::shard::{self, Record, order};
use crate::static_index::words::{PREFIX_MARK, plain};

/// The documents and passages that have a token.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub documents: Vec<Posting>,
    pub passages: Vec<u32>,
}

/// The words to look up for a given string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Only the word itself and its marked tokens.
    Word,
    /// Also longer words that start with the word, unless the index has a token for the prefix.
    Prefix,
    /// All longer words, regardless of their number, because prefixes in dense scripts have no
    /// tokens.
    All,
}

impl<P: Published> Reader<P> {
    pub(super) fn lists(&self, token: &str) -> Result<Lists, Damaged> {
        let records = self.records(token, Extent::Word)?;
        let own = records.into_iter().find(|(word, _)| word == token);
        Ok(own.map(|(_, lists)| lists).unwrap_or_default())
    }

    /// Returns the words that begin with `start`, and their marked tokens. `extent` determines
    /// whether longer words are included.
    pub(super) fn records(
        &self,
        start: &str,
        extent: Extent,
    ) -> Result<Vec<(String, Lists)>, Damaged> {
        let words = &self.entry.words;
        // A word and its marked tokens are in one shard. Among these tokens, `prefix_text` sorts
        // last.
        let prefix_text = format!("{start}{PREFIX_MARK}");
        let after = words.partition_point(|word| order(word, &prefix_text).is_le());
        let others = words[after..].iter();
        let others = others.take_while(|word| word.starts_with(start)).count();
        let others = match extent {
            Extent::Word => 0,
            // Of the shards counted in `others`, all except the last contain only longer words. If
            // there are many of them, the prefix has a token.
            Extent::Prefix if others > shards_without_token(self.entry.documents as usize) => 0,
            Extent::Prefix | Extent::All => others,
        };
        let names = names(&self.entry.word_shards).skip(after.saturating_sub(1));
        let shards = names.take(others + 1).map(|name| self.shard(name));
        let shards: Vec<Arc<Vec<u8>>> = shards.collect::<Result<_, _>>()?;
        let mut records = Vec::new();
        for shard in &shards {
            let all = shard::read(shard)?.into_iter();
            records.extend(all.filter(|record| record.word.starts_with(start)));
        }
        let has_token = records.iter().any(|record| record.word == prefix_text);
        if extent == Extent::Word || has_token {
            records.retain(|record| plain(&record.word) == start);
        }
        let read = |record: &Record<'_>| Ok((record.word.clone(), self.read(record)?));
        records.iter().map(read).collect()
    }

    fn read(&self, record: &Record<'_>) -> Result<Lists, Damaged> {
        let mut lists = Lists::default();
        record.read_both(|posting, is_document| match is_document {
            true => lists.documents.push(posting),
            false => lists.passages.push(posting.number()),
        })?;
        let passages = self.first_passages.last().copied().unwrap_or(0);
        let is_known = lists.documents.iter().all(|one| one.number() < self.entry.documents)
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
