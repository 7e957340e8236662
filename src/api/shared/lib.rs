//! Code that several APIs share: dispatch, error and answer formats, writing, full-text search,
//! file times and method overrides.

mod dispatch;
mod error_formats;
mod field_names;
mod file_names;
mod finder;
mod method_override;
mod preparation;
mod selection;
pub mod site_files;
mod site_urls;
mod steps;
pub mod times;
mod values;
mod writing;

pub use dispatch::{FAILED, PathNames, WRITE_FAILED, blocking, find, key_of, read_mebibytes};
pub use error_formats::{plain_error, rpc_error, rpc_status};
pub use file_names::words_and_extension;
pub use finder::{Finder, in_language};
pub use method_override::{effective_method, effective_request};
pub use preparation::check_inside_site;
pub use selection::AnswerFormat;
pub use server::{ApiError, cannot_edit};
pub use site_files::SiteFileState;
pub use site_urls::SiteUrls;
pub use steps::{Check, Step, apply_toml, is_any};
pub use times::{PageTimes, Times};
pub use values::to_json_value;
pub use writing::{Writer, Writing, of_show};
