//! Tracks chains of consecutive revisions that this process wrote to a file. A write by another
//! program ends a chain.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of files to remember. This is more than the number of files watched at the same
/// time.
const MAX_FILES: usize = 256;

/// The id of a chain of revisions of one file. Each revision in the chain replaced the previous
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevisionChain(u64);

struct Newest {
    path: PathBuf,
    revision_chain: RevisionChain,
    text_hash: u64,
}

struct KnownRevisions {
    made: u64,
    newest: VecDeque<Newest>,
}

static KNOWN_REVISIONS: Mutex<KnownRevisions> =
    Mutex::new(KnownRevisions { made: 0, newest: VecDeque::new() });

fn known() -> MutexGuard<'static, KnownRevisions> {
    KNOWN_REVISIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records that `new` replaced `old`, and returns the revision chain of `new`.
pub fn follow(path: &Path, old: &[u8], new: &[u8]) -> RevisionChain {
    let mut known = known();
    let at = known.newest.iter().position(|newest| newest.path == path);
    let before = at.and_then(|at| known.newest.remove(at));
    let revision_chain = match before {
        Some(before) if before.text_hash == xxh3_64(old) => before.revision_chain,
        _ => {
            known.made += 1;
            RevisionChain(known.made)
        }
    };
    known.newest.truncate(MAX_FILES - 1);
    known.newest.push_front(Newest {
        path: path.to_owned(),
        revision_chain,
        text_hash: xxh3_64(new),
    });
    revision_chain
}

/// Returns whether `text` is the newest revision of a chain.
pub fn is_newest(path: &Path, revision_chain: RevisionChain, text: &[u8]) -> bool {
    known().newest.iter().any(|newest| {
        newest.path == path
            && newest.revision_chain == revision_chain
            && newest.text_hash == xxh3_64(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_continues_until_another_program_writes() {
        let path = Path::new("/site/content/items/succession.md");
        let first = follow(path, b"author's", b"a");
        assert!(is_newest(path, first, b"a"));
        assert_eq!(follow(path, b"a", b"b"), first);
        assert!(is_newest(path, first, b"b") && !is_newest(path, first, b"a"));
        assert!(!is_newest(Path::new("/site/other.md"), first, b"b"));
        let second = follow(path, b"author's again", b"b");
        assert_ne!(second, first);
        assert!(!is_newest(path, first, b"b"));
    }
}
