//! A cache of the data that documents of one snapshot share.

use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use super::addresses::redirects::FormerPaths;
use super::inputs::InputsCache;

/// The data that documents of one snapshot and one theme share. The cache starts empty. Each value
/// is computed when a document or a path first needs it. Never use the cache with another snapshot
/// or theme.
#[derive(Debug, Default)]
pub struct DocumentCache {
    pub(super) inputs: InputsCache,
    pub former: OnceLock<FormerPaths>,
    /// The data of the editions, in their order.
    pub(super) editions: OnceLock<Vec<Self>>,
    /// Number of renderings. A document that was rendered twice counts twice.
    pub(super) rendered: AtomicUsize,
}
