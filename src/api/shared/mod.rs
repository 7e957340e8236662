//! Parts that several APIs share: writing, search, file times, errors, partial answers, and method overrides.

mod error;
mod field_names;
mod file_names;
mod finder;
mod method_override;
mod own_addresses;
mod preparation;
mod refusals;
mod selection;
pub mod site_files;
mod steps;
pub mod times;
mod values;
mod writing;

pub use error::{ApiError, SOON, cannot_edit};
pub use file_names::words_and_extension;
pub(crate) use finder::Finder;
pub use method_override::{as_meant, meant_method};
pub use own_addresses::OwnAddresses;
pub use preparation::stays_inside;
pub use refusals::{allowed, other_method, refusal};
pub use selection::Selection;
pub use site_files::SiteFileState;
pub use steps::{Check, Step, is_any};
pub use times::{PageTimes, Times};
pub use values::as_held;
pub use writing::{Writer, Writing};
