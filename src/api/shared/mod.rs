//! What several APIs share: how they write, the times of files, errors, and answers in part.

mod error;
mod field_names;
mod own_addresses;
mod preparation;
mod selection;
mod steps;
pub mod times;
mod writing;

pub use error::{ApiError, SOON, cannot_edit};
pub use own_addresses::OwnAddresses;
pub use selection::Selection;
pub use steps::Step;
pub use times::Times;
pub use writing::{Writer, Writing};
