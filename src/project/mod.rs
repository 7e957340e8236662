//! A whole site, read from its folder: what `build` writes and `server` shows is the same [`Site`].
//!
//! - [`Options`] say which site, and what of it is shown.
//! - [`read`] reads everything once. Whoever watches the files calls [`read_config`] and [`read_theme`]
//!   again where they change, and makes the next [`Site`] of a snapshot and a theme.
//! - [`faults`] finds what only the whole site shows to be wrong: links that lead nowhere, names that
//!   no template can read, documents that do not render.
//! - [`Addresses`] are those that readers have; what has another one now is told.
//! - [`Renderings`] stand in for Site Files whose templates do not render.
//!
//! A `Site` never changes: a change makes another one. This room writes only into `.feedwright/`, and what
//! it keeps there may be deleted at any time: then a later build has less to compare with.

mod addresses;
mod broken_links;
mod faults;
mod moved;
mod options;
mod read;
mod renderings;
mod site;

pub(crate) use addresses::{Addresses, ContentMarks};
pub(crate) use faults::{before_publishing, faults};
pub use options::Options;
pub use read::read;
pub(crate) use read::{read_config, read_snapshot, read_theme};
pub(crate) use renderings::Renderings;
pub use site::Site;
