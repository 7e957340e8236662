//! A whole site: reads its folder into a [`Site`], and runs the checks that need more than one
//! file. `build` and `server` use the same [`Site`].
//!
//! - [`Options`] select the site and the content to publish.
//! - [`read()`] reads everything once. A file watcher calls [`read_config`] and [`read_theme`]
//!   again when these files change, and makes the next [`Site`] from a snapshot and a theme.
//! - [`faults()`] runs the checks that need the whole site: broken links, unknown names in
//!   templates, documents that fail to render. Each check has its own file, such as
//!   `season_faults`.
//! - [`Addresses`] are the addresses of the last build. The author gets a warning if any of them
//!   changed.
//! - [`LastDeploy`] is the record of the last deploy from this machine.
//! - [`Workflow`] is the file with which a forge publishes the site.
//! - [`Renderings`] keeps the last valid output of each site file. It is published if the template
//!   fails to render.
//!
//! A `Site` never changes: each change of the files creates a new `Site`. Reading and checking write
//! only into `.feedwright/`, apart from outputs that [`Renderings`] saves in `site-files/.last/`. The
//! files that this package writes into `.feedwright/` may be deleted at any time. A later build then
//! has less to compare with.

mod accessibility_faults;
mod addresses;
mod ai_faults;
mod broken_links;
mod cards;
mod comparison;
mod date_faults;
mod explanation;
#[cfg(feature = "network")]
mod external_links;
mod faults;
mod fixes;
mod last_deploy;
mod measurements;
mod media_faults;
mod moved_addresses;
mod moved_shows;
#[cfg(feature = "network")]
mod network;
mod old_files;
mod one_show;
mod options;
mod page_links;
mod picture_faults;
pub mod pictures;
mod podcast_faults;
mod publishing_faults;
mod read;
mod recording_faults;
pub mod recordings;
mod recovery;
mod renamed_files;
mod renderings;
mod search_index;
mod season_faults;
mod silenced_warnings;
mod site;
mod sound_faults;
mod tag_faults;
mod tag_values;
mod text_faults;
pub mod theme_test;
mod translation_faults;
#[cfg(feature = "serve")]
mod unfinished_writes;
mod workflow;

pub use accessibility_faults::accessibility_faults;
pub use addresses::{AddressKind, Addresses, TextHashes};
pub use comparison::{changes, published};
pub use explanation::{ExplainedValue, Origin, explain_file};
#[cfg(feature = "network")]
pub use external_links::external_links;
pub use faults::{faults, warn_before_publishing, warn_example_address};
pub use fixes::{FixedFile, apply_fixes};
pub use last_deploy::LastDeploy;
pub use measurements::Recording;
pub use options::{Live, Options};
pub use publishing_faults::add_publishing_faults;
pub use read::read;
pub use read::{
    read_config, read_snapshot, read_surveyed, read_theme, show_configs, shows_with_own_address,
};
pub use recording_faults::recording_faults;
pub use recovery::recover;
pub use renderings::Renderings;
pub use search_index::SearchPlan;
pub use silenced_warnings::filter_silenced;
pub use site::Site;
pub use sound_faults::transcript_faults;
#[cfg(feature = "serve")]
pub use unfinished_writes::recover_with;
pub use workflow::{Forge, Workflow, destination_secrets};
