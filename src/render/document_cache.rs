//! A cache of what the documents of one snapshot share.

use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use super::addresses::redirects::FormerPaths;
use super::inputs::InputsCache;

/// The parts that documents of one snapshot and one theme share. It starts empty: each part is made when a
/// document or a path first needs it, and then kept. Never use it with another snapshot or theme.
#[derive(Debug, Default)]
pub struct DocumentCache {
    pub(super) inputs: InputsCache,
    pub former: OnceLock<FormerPaths>,
    /// How many documents were rendered, one that was rendered twice counted twice.
    pub(super) rendered: AtomicUsize,
}
