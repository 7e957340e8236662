//! The snapshot: one immutable state of a site, with lookup functions.
//!
//! A snapshot is made from the files that were read, and never changes. It shares unchanged items
//! with the previous snapshot, so a snapshot with one changed item is cheap. This package defines
//! how public paths are spelled (`paths`); `render` decides which of them exist.

mod albums;
pub mod calendar;
mod claims;
mod clips;
mod editions;
mod entries;
mod facets;
mod feed_order;
mod gather;
mod item_counts;
mod item_entry;
mod items;
mod link_resolution;
mod linking_items;
mod names;
mod network;
pub mod paths;
pub mod pictures;
pub mod recordings;
mod show_claims;
mod snapshot;
mod translations;
mod years;

pub use clips::Clip;
pub use facets::{Facet, FacetKind, series_order};
pub use gather::{built_in_not_found, gather, gather_network};
pub use item_entry::ItemEntry;
pub use names::local_path;
pub use network::{FolderSources, needs_other_folders, produces_same_site};
pub use snapshot::{Edition, EditionKind, PageEntry};
pub use snapshot::{Previous, Snapshot};
pub use translations::{
    Translatable, by_name as translatable_by_name, groups as translation_groups,
    published_by_language,
};
pub use years::Year;
